// A fully connected network: its weights, what it computes, and the gradient of its loss.
import { Random } from "./random.js";

// Each activation: from n preactivations z to values a, and from a gradient d in a to the one in z. Each has a loop of
// its own, since one loop that has called several functions calls each slowly; and multiplies by a truth, 0 or 1, where
// the processor would guess a branch wrong half the time.
export const ACTIVATIONS = {
  relu: {
    apply(z, a, n) { for (let i = 0; i < n; i++) a[i] = z[i] * Number(z[i] > 0); },
    pull(d, a, n) { for (let i = 0; i < n; i++) d[i] *= Number(a[i] > 0); },
  },
  tanh: {
    apply(z, a, n) { for (let i = 0; i < n; i++) a[i] = Math.tanh(z[i]); },
    pull(d, a, n) { for (let i = 0; i < n; i++) d[i] *= 1 - a[i] * a[i]; },
  },
  sigmoid: {
    apply(z, a, n) { for (let i = 0; i < n; i++) a[i] = 1 / (1 + Math.exp(-z[i])); },
    pull(d, a, n) { for (let i = 0; i < n; i++) d[i] *= a[i] * (1 - a[i]); },
  },
  linear: {
    apply(z, a, n) { for (let i = 0; i < n; i++) a[i] = z[i]; },
    pull() {},
  },
};
export class Network {
  // sizes: [inputs, hidden widths…, 1]. A layer as wide as the one before it adds what came in where there are skips.
  constructor({ sizes, activation = "relu", skips = false, biases = true, init = "he", gain = 1, bias_std = 0, seed = 0 }) {
    Object.assign(this, { sizes, activation, skips, biases, depth: sizes.length - 2 });
    this.layers = sizes.slice(1).map((width, l) => ({ n_in: sizes[l], n_out: width }));
    let length = 0;
    for (const layer of this.layers) {
      layer.W = length;
      layer.b = length += layer.n_in * layer.n_out;
      length += layer.n_out;
    }
    this.weights = new Float64Array(length); // all of them: a layer's matrix by rows, from W on, then its biases
    this.gradient = new Float64Array(length);
    this.batch = -1; // for how many points there is room
    initialise(this, init, gain, bias_std, new Random(seed));
  }

  // What a reader counts: without biases, theirs stay 0.
  get parameters() {
    return this.layers.reduce((sum, { n_in, n_out }) => sum + (n_in + (this.biases ? 1 : 0)) * n_out, 0);
  }

  hasSkip(l) {
    return this.skips && l > 0 && l < this.depth && this.layers[l].n_in === this.layers[l].n_out;
  }

  // Room for what a batch of n points makes of each layer.
  reserve(n) {
    if (n <= this.batch) return;
    this.batch = n;
    this.z = this.layers.map(({ n_out }) => new Float64Array(n * n_out)); // preactivations
    this.a = this.layers.map(({ n_out }) => new Float64Array(n * n_out)); // what an activation makes of them
    this.h = this.layers.map(({ n_out }, l) => (this.hasSkip(l) ? new Float64Array(n * n_out) : this.a[l]));
    this.d = this.layers.map(({ n_out }) => new Float64Array(n * n_out)); // the loss's gradient in h, then in z
  }

  // Computes the outputs [n] of the points X [n, inputs]: they are in z of the last layer, those of others in h.
  forward(X, n) {
    this.reserve(n);
    const { weights } = this, { apply } = ACTIVATIONS[this.activation];
    for (let l = 0; l < this.layers.length; l++) {
      const { n_in, n_out, W, b } = this.layers[l], from = l ? this.h[l - 1] : X, z = this.z[l], all = n * n_out;
      for (let p = 0; p < all; p += n_out) for (let i = 0; i < n_out; i++) z[p + i] = weights[b + i];
      addProduct(z, 0, from, n_in, 1, weights, W, n_in, 1, n, n_out, n_in);
      if (l === this.depth) break;
      const a = this.a[l], h = this.h[l];
      apply(z, a, all);
      if (h !== a) for (let i = 0; i < all; i++) h[i] = from[i] + a[i];
    }
    return this.z[this.depth];
  }

  // Writes the gradient of the mean over the batch; d_out [n] is each output's own share of it.
  backward(X, n, d_out) {
    const { weights, gradient } = this, { pull } = ACTIVATIONS[this.activation];
    gradient.fill(0);
    this.d[this.depth].set(n === d_out.length ? d_out : d_out.subarray(0, n));
    for (let l = this.depth; l >= 0; l--) {
      const { n_in, n_out, W, b } = this.layers[l], from = l ? this.h[l - 1] : X, d = this.d[l];
      const below = l ? this.d[l - 1] : null, all = n * n_out;
      if (below) {
        if (this.hasSkip(l)) for (let i = 0; i < all; i++) below[i] = d[i];
        else below.fill(0, 0, n * n_in);
      }
      if (l < this.depth) pull(d, this.a[l], all);
      addProduct(gradient, W, d, 1, n_out, from, 0, 1, n_in, n_out, n_in, n);
      if (this.biases) addProduct(gradient, b, d, 1, n_out, ONE, 0, 0, 0, n_out, 1, n);
      if (below) addProduct(below, 0, d, n_out, 1, weights, W, 1, n_in, n, n_in, n_out);
    }
    return gradient;
  }
}

const ONE = Float64Array.of(1);

// Adds a product of two matrices to a third: C[i, j] += Σₖ A[i, k] B[j, k]. C lies by rows, from c on; A[i, k] lies at
// i·ai + k·ak, and B[j, k] at b + j·bj + k·bk. This is where a step spends its time, hence two rows by two columns at
// once, so that each number loaded serves twice (an odd last row or column is computed twice), and `| 0`, which tells
// the compiler that an index is a small integer.
function addProduct(C, c, A, ai, ak, B, b, bj, bk, rows, columns, inner) {
  for (let i = 0; i < rows; i += 2) {
    const i1 = Math.min(i + 1, rows - 1);
    for (let j = 0; j < columns; j += 2) {
      const j1 = Math.min(j + 1, columns - 1);
      const c00 = (c + i * columns + j) | 0, c01 = (c + i * columns + j1) | 0;
      const c10 = (c + i1 * columns + j) | 0, c11 = (c + i1 * columns + j1) | 0;
      let s00 = C[c00], s01 = C[c01], s10 = C[c10], s11 = C[c11];
      let a0 = (i * ai) | 0, a1 = (i1 * ai) | 0, b0 = (b + j * bj) | 0, b1 = (b + j1 * bj) | 0;
      const end = (a0 + inner * ak) | 0;
      while (a0 !== end) {
        const u0 = A[a0], u1 = A[a1], v0 = B[b0], v1 = B[b1];
        s00 += u0 * v0;
        s01 += u0 * v1;
        s10 += u1 * v0;
        s11 += u1 * v1;
        a0 = (a0 + ak) | 0;
        a1 = (a1 + ak) | 0;
        b0 = (b0 + bk) | 0;
        b1 = (b1 + bk) | 0;
      }
      C[c00] = s00;
      C[c01] = s01;
      C[c10] = s10;
      C[c11] = s11;
    }
  }
}

// By the names of utils.models.mlp, and "identity": square layers begin near W = I.
// Biases are PyTorch's own, or normal with a standard deviation, drawn after all weights: these are the same with any.
function initialise(network, init, gain, biasStd, random) {
  network.layers.forEach((layer, l) => {
    const { n_in, n_out, W, b } = layer, { weights } = network;
    const square = n_in === n_out && l > 0 && l < network.depth;
    if (init === "default") {
      for (let i = W; i < b; i++) weights[i] = (gain * (2 * random.uniform() - 1)) / Math.sqrt(n_in);
      if (network.biases) for (let i = b; i < b + n_out; i++) weights[i] = (2 * random.uniform() - 1) / Math.sqrt(n_in);
    } else if (init === "orthogonal") {
      orthogonal(n_out, n_in, random).forEach((value, i) => { weights[W + i] = gain * value; });
    } else {
      const std = { he: Math.sqrt(2 / n_in), lecun: Math.sqrt(1 / n_in), xavier: Math.sqrt(2 / (n_in + n_out)) };
      const scale = std[init] ?? std.he / (square ? Math.sqrt(network.depth) : 1);
      for (let i = W; i < b; i++) weights[i] = gain * scale * random.normal();
      if (init === "identity" && square) for (let i = 0; i < n_in; i++) weights[W + i * n_in + i] += gain;
    }
  });
  if (!network.biases || !biasStd) return;
  for (const { b, n_out } of network.layers) for (let i = b; i < b + n_out; i++) network.weights[i] = biasStd * random.normal();
}

// Returns a matrix [rows, columns], by rows, whose shorter side is orthonormal (Gram and Schmidt, twice).
function orthogonal(rows, columns, random) {
  const turned = rows > columns, count = Math.min(rows, columns), length = Math.max(rows, columns), vectors = [];
  while (vectors.length < count) {
    const v = Float64Array.from({ length }, () => random.normal());
    for (let again = 0; again < 2; again++) {
      for (const u of vectors) {
        let along = 0;
        for (let i = 0; i < length; i++) along += u[i] * v[i];
        for (let i = 0; i < length; i++) v[i] -= along * u[i];
      }
    }
    const norm = Math.hypot(...v);
    vectors.push(v.map((one) => one / norm));
  }
  return Float64Array.from({ length: rows * columns }, (_, at) => {
    const i = Math.floor(at / columns), j = at % columns;
    return turned ? vectors[j][i] : vectors[i][j];
  });
}
