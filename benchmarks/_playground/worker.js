// What a worker of the benchmark trains.
import { Network } from "/playground/network.js";
import { Trainer } from "/playground/training.js";
import { points } from "/playground/data.js";

const DEEP = [2, 8, 8, 8, 1], WIDE = [2, 44, 1], BATCH = 32, N = 1000;

const trainer = (sizes, seed, optimiser = "adam") =>
  new Trainer(new Network({ sizes, seed }), points({ n: N, seed }), { optimiser, batch: BATCH, seed });

// What TensorFlow Playground's oneStep does for a batch, but that it makes the inputs anew for each point.
function theirStep({ Activations, Errors, buildNetwork, forwardProp, backProp, updateWeights }, { X, y }) {
  const network = buildNetwork(DEEP, Activations.RELU, Activations.TANH, null, ["x", "y"]);
  const inputs = Array.from(y, (_, p) => [X[2 * p], X[2 * p + 1]]), labels = Array.from(y, (one) => 2 * one - 1);
  let next = 0;
  return () => {
    for (let i = 0; i < BATCH; i++) {
      forwardProp(network, inputs[next]);
      backProp(network, labels[next], Errors.SQUARE);
      next = (next + 1) % labels.length;
    }
    updateWeights(network, 0.03, 0);
  };
}

// Steps a second over so many milliseconds; `look` is called between hundreds of them.
function speed(step, milliseconds, look = () => {}) {
  const began = performance.now();
  let count = 0, now = began;
  for (; now < began + milliseconds; now = performance.now(), count += 100) {
    for (let i = 0; i < 100; i++) step();
    look(now);
  }
  return (1000 * count) / (now - began);
}

// What a worker does when it is asked to.
const steps = {}, TASKS = {
  async prepare({ theirs }) {
    for (const optimiser of ["adam", "sgd"]) {
      const own = trainer(DEEP, 1, optimiser);
      steps[optimiser] = () => own.step();
    }
    if (theirs) steps.theirs = theirStep(await import(theirs), points({ n: N, seed: 1 }));
    return Object.keys(steps);
  },
  speed: ({ kind, milliseconds }) => speed(steps[kind], milliseconds),
  live({ milliseconds }) {
    const own = trainer(DEEP, 1);
    let sent = 0;
    return speed(() => own.step(), milliseconds, (now) => {
      if (now < sent + 1000 / 60) return;
      postMessage({ weights: own.network.weights });
      sent = now;
    });
  },
  seed({ seed, count }) {
    for (const sizes of [WIDE, DEEP]) {
      const own = trainer(sizes, seed);
      for (let i = 0; i < count; i++) own.step();
    }
  },
};

onmessage = async ({ data }) => postMessage({ value: await TASKS[data.task](data), done: true });
