// What trains: in a worker of its own, or, where a page allows none, in slices between the page's frames.
import { Network } from "./network.js";
import { points } from "./data.js";
import { Trainer, judge } from "./training.js";
import { drawnPoints, ofSide, sidesOf, sizesOf } from "./setting.js";

const SLICE = 6, HELD_OUT = 2000; // milliseconds; points

// The points to learn and others of the same kind, held out; of points that are given, every fourth.
export function datasets(setting) {
  if (setting.data === "given") {
    const part = (keeps) => {
      const chosen = setting.given.filter((_, i) => keeps(i));
      return { X: Float64Array.from(chosen.flatMap(([x, y]) => [x, y])), y: Float64Array.from(chosen, (one) => one[2]) };
    };
    return { learnt: part((i) => i % 4 !== 3), held: part((i) => i % 4 === 3) };
  }
  if (setting.data === "none") return { learnt: points({ n: 0 }), held: points({ n: 0 }) };
  const drawn = drawnPoints(setting.drawn), data = setting.data === "drawn" && !drawn.length ? "circle" : setting.data;
  const how = { ...setting, data, drawn };
  return { learnt: points({ ...how, seed: 4 * setting.seed }), held: points({ ...how, n: HELD_OUT, seed: 4 * setting.seed + 1 }) };
}

export function networkOf(setting, side) {
  const own = ofSide(setting, side);
  const network = new Network({ ...own, sizes: sizesOf(own.layers), seed: 4 * setting.seed + 2 });
  if (side === 0 && setting.weights?.length === network.weights.length) network.weights.set(setting.weights);
  return network;
}

function trainers(setting, { learnt }) {
  return sidesOf(setting).map((side) => new Trainer(networkOf(setting, side), learnt, {
    ...ofSide(setting, side), batch: setting.batch, seed: 4 * setting.seed + 3,
  }));
}

const judged = ({ network }, { X, y }) => judge(network.forward(X, y.length), y);

// Answers what a page asks through a port: begin, go, stop, steer, undo (back to what was there before a begin that said
// to keep it), look; and trial, a setting once for each seed.
export function serve(port) {
  const clock = new MessageChannel(); // a pause as short as can be: a timer's is 4 ms
  let sets, sides = [], kept = null, job = null, waiting = false, judging = 0;

  function* training({ until, pace }) {
    const began = performance.now(), first = sides[0].steps;
    while (sides[0].steps < until) {
      if (pace && sides[0].steps - first > ((performance.now() - began) / 1000) * pace) yield "early";
      else yield sides.forEach((side) => side.step());
    }
  }

  function* trial({ setting: tried, seeds }) {
    for (const seed of seeds) {
      const own = { ...tried, seed, weights: null }, data = datasets(own), all = trainers(own, data);
      while (all[0].steps < own.steps) yield all.forEach((side) => side.step());
      port.postMessage({ is: "trial", seed, wrong: all.map((side) => judged(side, data.held).wrong) });
    }
  }

  function go(next) {
    job = next;
    if (!waiting) clock.port2.postMessage(null);
    waiting = true;
  }

  clock.port1.onmessage = () => {
    waiting = false;
    const end = performance.now() + Math.max(SLICE, judging); // or what is asked for would take all the time
    while (job && performance.now() < end) {
      const { done, value } = job.next();
      if (done) job = null;
      if (value === "early") {
        waiting = true;
        setTimeout(() => clock.port2.postMessage(null), 2);
        return;
      }
    }
    if (job) go(job);
  };

  const does = {
    begin({ setting, keep }) {
      job = null;
      if (keep) kept = { sets, sides };
      sets = datasets(setting);
      sides = trainers(setting, sets);
    },
    steer({ setting }) { sides.forEach((one, side) => one.steer({ ...ofSide(setting, side), batch: setting.batch })); },
    undo() {
      job = null;
      ({ sets, sides } = kept);
    },
    go(asked) { go(training(asked)); },
    stop() { job = null; },
    trial(asked) { go(trial(asked)); },
    look({ id }) {
      const began = performance.now();
      port.postMessage({ is: "look", id, steps: sides[0].steps, running: job !== null, sides: sides.map((side) => ({
        weights: side.network.weights.slice(), learnt: judged(side, sets.learnt), held: judged(side, sets.held),
      })) });
      judging = Math.min(50, performance.now() - began);
    },
  };
  port.onmessage = ({ data }) => does[data.do](data);
  port.postMessage({ is: "ready" });
}

// Returns a port to what serves: a worker that `spawn` makes, else slices on this page.
export async function served(spawn) {
  let worker;
  try {
    worker = spawn();
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = (event) => { event.preventDefault?.(); reject(new Error("no worker")); };
      setTimeout(reject, 8000, new Error("no worker"));
    });
    return worker;
  } catch {
    worker?.terminate(); // it might be ready later
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    return port1;
  }
}

export function released(port) {
  if (port.terminate) return port.terminate();
  port.postMessage({ do: "stop" });
  port.close();
}
