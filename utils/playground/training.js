// Trains a network step by step: logistic loss, batches drawn by a seed, SGD or Adam.
import { Random } from "./random.js";

// The mean logistic loss of outputs against classes 0 and 1, and the share that is on the wrong side of 0.
export function judge(outputs, y) {
  let loss = 0, wrong = 0;
  for (let i = 0; i < y.length; i++) {
    const margin = y[i] ? outputs[i] : -outputs[i];
    loss += Math.max(-margin, 0) + Math.log1p(Math.exp(-Math.abs(margin)));
    wrong += !(margin > 0); // what is no number is wrong, too
  }
  return { loss: loss / y.length, wrong: wrong / y.length };
}

export class Trainer {
  // data: {X, y}, X by rows. With batch null, a step takes all points. decay: decoupled, as in AdamW.
  constructor(network, data, { optimiser = "adam", rate = 0.01, decay = 0, batch = 32, seed = 0 } = {}) {
    Object.assign(this, { network, data, optimiser, steps: 0, random: new Random(seed) });
    this.n = data.y.length;
    const { length } = network.weights;
    this.mean = new Float64Array(length);
    this.square = new Float64Array(length);
    this.order = Int32Array.from({ length: this.n }, (_, i) => i);
    this.next = this.n; // in the order, which is drawn anew for each pass
    this.steer({ rate, decay, batch });
  }

  // From now on. Adam's moments stay, and so does the pass through the points.
  steer({ rate, decay, batch }) {
    Object.assign(this, { rate, decay, batch: Math.min(batch ?? this.n, this.n) });
    this.X = new Float64Array(this.batch * this.network.sizes[0]);
    this.y = new Float64Array(this.batch);
    this.d = new Float64Array(this.batch);
  }

  draw() {
    const { order, X, y, data, batch } = this, inputs = this.network.sizes[0];
    if (batch === this.n) {
      X.set(data.X);
      y.set(data.y);
      return;
    }
    if (this.next + batch > this.n) {
      for (let i = this.n - 1; i > 0; i--) {
        const j = this.random.below(i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
      }
      this.next = 0;
    }
    for (let p = 0; p < batch; p++) {
      const at = order[this.next + p];
      for (let j = 0; j < inputs; j++) X[p * inputs + j] = data.X[at * inputs + j];
      y[p] = data.y[at];
    }
    this.next += batch;
  }

  step() {
    const { network, X, y, d, batch } = this;
    this.draw();
    const outputs = network.forward(X, batch);
    for (let p = 0; p < batch; p++) d[p] = (1 / (1 + Math.exp(-outputs[p])) - y[p]) / batch;
    network.backward(X, batch, d);
    this.steps += 1;
    this.update();
  }

  update() {
    const { rate, decay } = this, { weights, gradient } = this.network, keep = 1 - rate * decay;
    if (decay) for (let i = 0; i < weights.length; i++) weights[i] *= keep;
    if (this.optimiser === "sgd") {
      for (let i = 0; i < weights.length; i++) weights[i] -= rate * gradient[i];
      return;
    }
    const { mean, square } = this, by = rate / (1 - 0.9 ** this.steps), root = 1 / Math.sqrt(1 - 0.999 ** this.steps);
    for (let i = 0; i < weights.length; i++) {
      const g = gradient[i], m = mean[i] + 0.1 * (g - mean[i]), s = square[i] + 0.001 * (g * g - square[i]);
      mean[i] = m;
      square[i] = s;
      weights[i] -= (by * m) / (Math.sqrt(s) * root + 1e-8);
    }
  }
}
