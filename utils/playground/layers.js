// What each layer makes of the plane, and how large signals and gradients are on their way.
import { drawPoints } from "./plane.js";
import { number, write } from "./drawing.js";

const LINES = 13, ALONG = 37, SHOWN = 250; // lines each way of the squared sheet, places on each; points

// Returns the sheet's places [lines, places, 2] as one list by rows, with as many of the points as are shown.
function places(half, { X, y }) {
  const at = (i, n) => half * ((2 * i) / (n - 1) - 1), all = [];
  for (const turned of [false, true]) {
    for (let i = 0; i < LINES; i++) {
      for (let j = 0; j < ALONG; j++) all.push(...(turned ? [at(j, ALONG), at(i, LINES)] : [at(i, LINES), at(j, ALONG)]));
    }
  }
  const n = Math.min(y.length, SHOWN);
  return { X: Float64Array.from([...all, ...X.subarray(0, 2 * n)]), grid: all.length / 2, y: y.subarray(0, n) };
}

// Sheets remember the two directions in which a layer's sheet was seen, so that it does not turn from frame to frame.
export class Sheets {
  constructor() {
    this.seen = [];
  }

  // Draws the plane, and what each hidden layer makes of it, side by side.
  draw(pen, width, height, { network, half, learnt, theme }) {
    const sheet = places(half, learnt), n = sheet.X.length / 2, count = network.depth + 1;
    const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt((count * width) / height)))), rows = Math.ceil(count / columns);
    const shares = [];
    network.forward(sheet.X, n);
    for (let l = 0; l < count; l++) {
      const flat = l ? this.seenFlat(network, l - 1, n, sheet.grid) : { flat: sheet.X, share: 1 };
      const box = Math.min(width / columns, height / rows);
      const left = ((l % columns) + 0.5) * (width / columns) - box / 2, top = Math.floor(l / columns) * (height / rows);
      drawSheet(pen, flat.flat, sheet, left, top, box, theme);
      const small = box < 110, name = l ? `layer ${l}` : "the plane";
      const share = l && network.layers[l - 1].n_out > 2 ? `: ${Math.floor(100 * flat.share)} %` : "";
      shares.push(name + share);
      if (box > 60) write(pen, small ? name : name + share, left + box / 2, top + 8, theme.ink, "center", small ? 10 : 12);
    }
    return `the squared plane in each layer; ${shares.join(", ")}`;
  }

  // Returns layer l's values along the two directions in which they vary most [n, 2], and how much of it they hold.
  seenFlat(network, l, n, grid) {
    const d = network.layers[l].n_out, H = network.h[l], mean = new Float64Array(d), C = new Float64Array(d * d);
    for (let p = 0; p < grid; p++) for (let i = 0; i < d; i++) mean[i] += H[p * d + i] / grid;
    for (let p = 0; p < grid; p++) {
      for (let i = 0; i < d; i++) {
        const own = H[p * d + i] - mean[i];
        if (own !== 0) for (let j = 0; j < d; j++) C[i * d + j] += (own * (H[p * d + j] - mean[j])) / grid;
      }
    }
    const rounds = this.seen[l]?.[0].length === d ? 4 : 60;
    if (rounds > 4) this.seen[l] = [0, 1].map((k) => Float64Array.from({ length: d }, (_, i) => Math.cos((i + 1) * (k + 1))));
    const axes = directions(C, d, this.seen[l], rounds);
    let all = 0;
    for (let i = 0; i < d; i++) all += C[i * d + i];
    const flat = new Float64Array(2 * n);
    for (let p = 0; p < n; p++) {
      for (let k = 0; k < 2; k++) for (let i = 0; i < d; i++) flat[2 * p + k] += axes[k][i] * (H[p * d + i] - mean[i]);
    }
    return { flat, share: all ? Math.min(1, (along(C, d, axes[0]) + along(C, d, axes[1])) / all) : 1 };
  }
}

const times = (C, d, v) => Float64Array.from({ length: d }, (_, i) => {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += C[i * d + j] * v[j];
  return sum;
});
const along = (C, d, v) => times(C, d, v).reduce((sum, one, i) => sum + one * v[i], 0);

// The two leading eigenvectors, from those of the frame before (orthogonal iteration); zero where there is no second.
function directions(C, d, axes, rounds) {
  for (let round = 0; round < rounds; round++) {
    axes.forEach((axis, k) => {
      const next = times(C, d, axis);
      if (k) {
        const shared = next.reduce((sum, one, i) => sum + one * axes[0][i], 0);
        next.forEach((one, i) => { next[i] = one - shared * axes[0][i]; });
      }
      const norm = Math.hypot(...next);
      if (norm > 1e-12) axes[k] = next.map((one) => one / norm);
      else if (k && d === 1) axes[k] = next.fill(0);
    });
  }
  return axes;
}

function drawSheet(pen, flat, { grid, y }, left, top, box, theme) {
  let most = 1e-12;
  for (let i = 0; i < 2 * grid; i++) most = Math.max(most, Math.abs(flat[i]));
  const room = (box - 26) / 2, middle = [left + box / 2, top + 16 + room];
  const place = (x) => middle[0] + (x / most) * room, across = (x) => middle[1] - (x / most) * room;
  pen.beginPath();
  for (let p = 0; p < grid; p++) {
    const to = [place(flat[2 * p]), across(flat[2 * p + 1])];
    if (p % ALONG) pen.lineTo(...to);
    else pen.moveTo(...to);
  }
  pen.strokeStyle = theme.quiet;
  pen.lineWidth = 0.7;
  pen.stroke();
  drawPoints(pen, { X: flat.subarray(2 * grid), y }, place, across, box > 110 ? 2 : 1.2, theme);
}

// Returns the root mean square of each layer's preactivations, and of the loss's gradient in them, over the points.
export function sizesByLayer(network, { X, y }) {
  const n = Math.min(y.length, 200), outputs = network.forward(X, n);
  const d = Float64Array.from({ length: n }, (_, p) => 1 / (1 + Math.exp(-outputs[p])) - y[p]);
  network.backward(X, n, d);
  const size = (values, l) => {
    const all = n * network.layers[l].n_out;
    let sum = 0;
    for (let i = 0; i < all; i++) sum += values[i] * values[i];
    return Math.sqrt(sum / all);
  };
  return network.layers.map((_, l) => ({ signal: size(network.z[l], l), gradient: size(network.d[l], l) }));
}

const LOW = -4, HIGH = 2; // powers of ten that a tower shows

// Two towers, a bar for each layer from below: signals, and gradients as parts of the output's.
export function drawTowers(pen, width, height, { network, learnt, theme }, colour) {
  const sizes = sizesByLayer(network, learnt), small = width < 250, [foot, head, aside] = small ? [4, 18, 4] : [44, 24, 22];
  const step = Math.min(56, (height - foot - head) / sizes.length), ground = height - foot, tall = step * sizes.length;
  ["signal", "gradient"].forEach((name, tower) => {
    const left = tower * (width / 2) + aside, wide = width / 2 - aside - 14, middle = left + wide / 2;
    const at = (power) => left + ((power - LOW) / (HIGH - LOW)) * wide;
    write(pen, `${name}s`, middle, ground - tall - head / 2, theme.ink, "center", small ? 10 : 13, 600);
    for (let power = LOW; power <= HIGH; power += 2) {
      pen.fillStyle = power ? theme.line : theme.quiet;
      pen.fillRect(at(power) - 0.5, ground - tall, power ? 1 : 2, tall);
      if (!small) write(pen, power ? `10${power < 0 ? "⁻" : ""}${"⁰¹²³⁴"[Math.abs(power)]}` : "1", at(power), ground + 12, theme.quiet);
    }
    sizes.forEach((one, l) => {
      const power = Math.log10(tower ? one.gradient / sizes.at(-1).gradient : one.signal), y = ground - (l + 1) * step;
      const end = Math.min(HIGH, Math.max(LOW, Number.isNaN(power) ? LOW : power));
      pen.fillStyle = colour;
      pen.fillRect(Math.min(at(0), at(end)), y + step * 0.15, Math.max(2, Math.abs(at(end) - at(0))), step * 0.7);
      if (!small) write(pen, l === network.depth ? "f" : `${l + 1}`, left - 10, y + step / 2, theme.quiet);
    });
    if (!small) write(pen, tower ? "relative to f's" : "root mean square", middle, ground + 30, theme.quiet);
  });
  return ["signal", "gradient"].map((name) => `${name}s ${sizes.map((one) => number(one[name], 2)).join(", ")}`).join("; ");
}
