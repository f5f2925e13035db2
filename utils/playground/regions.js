// The linear regions of a ReLU network of two inputs on the square [-1, 1]², exactly: a polygon of one layer is cut by
// the crease of each unit of the next. The rules for what counts as touching are those of utils/regions.py.
const TOLERANCE = 1e-11, ROUNDING = 16 * 2 ** -52;

// Returns [{x, y, map, pattern}]: a region's corners, the output map[0]·x + map[1]·y + map[2] on it, and which hidden
// units are on, layer by layer. At most `most` of them; half is the square's half side.
export function linearRegions(network, { half = 1, most = Infinity } = {}) {
  const corners = { x: [-1, 1, 1, -1], y: [-1, -1, 1, 1] }, found = [];
  const identity = { a: [half, 0], b: [0, half], c: [0, 0] };
  descend(network, 0, corners, identity, [], found, most);
  for (const region of found) {
    region.x = region.x.map((one) => one * half);
    region.y = region.y.map((one) => one * half);
    region.map = [region.map[0] / half, region.map[1] / half, region.map[2]];
  }
  return found;
}

export function countRegions(network, settings) {
  return linearRegions(network, settings).length;
}

function descend(network, l, polygon, below, pattern, found, most) {
  if (found.length >= most) return;
  const maps = compose(network, l, below);
  if (l === network.depth) {
    found.push({ ...polygon, map: [maps.a[0], maps.b[0], maps.c[0]], pattern });
    return;
  }
  let cells = [{ polygon, on: new Array(network.layers[l].n_out) }];
  for (let i = 0; i < network.layers[l].n_out; i++) {
    const parts = [];
    for (const { polygon: one, on } of cells) {
      const z = one.x.map((x, v) => maps.a[i] * x + maps.b[i] * one.y[v] + maps.c[i]);
      const low = Math.min(...z), high = Math.max(...z), tolerance = maps.tolerance[i];
      if (low < -tolerance && high > tolerance) {
        for (const side of [1, -1]) {
          const state = on.slice();
          state[i] = side > 0;
          parts.push({ polygon: half(one, z, tolerance, side), on: state });
        }
      } else {
        on[i] = high > tolerance;
        parts.push({ polygon: one, on });
      }
    }
    cells = parts;
  }
  for (const { polygon: one, on } of cells) {
    descend(network, l + 1, one, passed(network, l, maps, below, on), [...pattern, on], found, most);
  }
}

// The preactivations of layer l as affine functions of x and y, and up to which size each is taken for zero.
function compose(network, l, below) {
  const { n_in, n_out, W, b } = network.layers[l], { weights } = network;
  const a = new Array(n_out), bb = new Array(n_out), c = new Array(n_out), tolerance = new Array(n_out);
  let square = 0;
  for (let j = 0; j < n_in; j++) square += below.a[j] ** 2 + below.b[j] ** 2 + below.c[j] ** 2;
  for (let i = 0; i < n_out; i++) {
    let [sa, sb, sc, norm] = [0, 0, weights[b + i], 0];
    for (let j = 0; j < n_in; j++) {
      const weight = weights[W + i * n_in + j];
      sa += weight * below.a[j];
      sb += weight * below.b[j];
      sc += weight * below.c[j];
      norm += weight * weight;
    }
    [a[i], bb[i], c[i]] = [sa, sb, sc];
    tolerance[i] = TOLERANCE * (Math.abs(sa) + Math.abs(sb)) +
      ROUNDING * (Math.sqrt(norm * square) + Math.abs(weights[b + i]));
  }
  return { a, b: bb, c, tolerance };
}

// What layer l hands on where these of its units are on.
function passed(network, l, maps, below, on) {
  const skip = network.hasSkip(l), next = (name) => maps[name].map((value, i) =>
    (on[i] ? value : 0) + (skip ? below[name][i] : 0));
  return { a: next("a"), b: next("b"), c: next("c") };
}

// The part of a polygon on one side of a unit's crease; a corner within the tolerance belongs to both.
function half(polygon, z, tolerance, side) {
  const x = [], y = [], n = z.length;
  for (let i = 0; i < n; i++) {
    if (side * z[i] >= -tolerance) {
      x.push(polygon.x[i]);
      y.push(polygon.y[i]);
    }
    const j = (i + 1) % n;
    if (Math.min(z[i], z[j]) < -tolerance && Math.max(z[i], z[j]) > tolerance) {
      x.push((z[i] * polygon.x[j] - z[j] * polygon.x[i]) / (z[i] - z[j]));
      y.push((z[i] * polygon.y[j] - z[j] * polygon.y[i]) / (z[i] - z[j]));
    }
  }
  return { x, y };
}
