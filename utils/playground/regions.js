// The linear regions of a ReLU network of two inputs on the square [-half, half]², exactly: depth first, a polygon of
// one layer is cut by the creases of the units of the next, and its parts by those of these creases that still cross
// them. What counts as touching, and which unit cuts first, are as in utils/regions.py.
const TOLERANCE = 1e-11, ROUNDING = 16 * 2 ** -52;

// Returns [{x, y, map, pattern}]: a region's corners, the output map[0]·x + map[1]·y + map[2] on it, and which hidden
// units are on, layer by layer. At most `most` of them.
export function linearRegions(network, { half = 1, most = Infinity } = {}) {
  return new Walk(network, half, most).found;
}

export function countRegions(network, settings) {
  return linearRegions(network, settings).length;
}

class Walk {
  constructor(network, half, most) {
    Object.assign(this, { network, half, most, found: [], pattern: [] });
    this.corners = new Float64Array(2048); // a stack of polygons: x and y of each corner; computed on [-1, 1]²
    this.corners.set([-1, -1, 1, -1, 1, 1, -1, 1]);
    // For each layer, on the way to the current polygon: its units' preactivations as maps a·x + b·y + c (all a, all b,
    // all c), up to which size each is taken for zero, which units are on, and the maps that it hands on.
    this.levels = network.layers.map(({ n_in, n_out, W }) => {
      const norm = (unit) => Math.hypot(...network.weights.subarray(W + unit * n_in, W + (unit + 1) * n_in));
      const norms = new Float64Array(n_out).map((_, unit) => norm(unit)), tolerances = new Float64Array(n_out);
      const maps = new Float64Array(3 * n_out), next = new Float64Array(3 * n_out), on = new Uint8Array(n_out);
      return { norms, maps, tolerances, on, next };
    });
    this.inputs = Float64Array.of(half, 0, 0, half, 0, 0);
    const room = network.sizes.reduce((sum, width) => sum + width * (width + 2), 0);
    this.creases = new Int32Array(room); // a stack of lists of units
    this.descend(0, 0, 8, 0);
  }

  // Finds the regions of the polygon corners[first] to corners[end - 1], which no layer before l cuts any more. In
  // creases, what follows from `free` on may be overwritten.
  descend(l, first, end, free) {
    if (this.found.length >= this.most) return;
    this.compose(l);
    if (l === this.network.depth) {
      const [a, b, c] = this.levels[l].maps, { half, corners } = this, x = [], y = [];
      for (let v = first; v < end; v += 2) {
        x.push(corners[v] * half);
        y.push(corners[v + 1] * half);
      }
      this.found.push({ x, y, map: [a / half, b / half, c], pattern: this.pattern.slice() });
      return;
    }
    const { n_out } = this.network.layers[l];
    for (let i = 0; i < n_out; i++) this.creases[free + i] = i;
    this.cut(l, first, end, free, free + n_out);
  }

  // Writes the preactivations of layer l on the current polygon, and their tolerances.
  compose(l) {
    const { maps, tolerances, norms } = this.levels[l], { n_in, n_out, W, b } = this.network.layers[l];
    const { weights } = this.network, below = l ? this.levels[l - 1].next : this.inputs;
    let square = 0;
    for (let j = 0; j < 3 * n_in; j++) square += below[j] * below[j];
    const norm = Math.sqrt(square);
    for (let i = 0, at = W; i < n_out; i++) {
      const bias = weights[b + i];
      let x = 0, y = 0, constant = bias;
      for (let j = 0; j < n_in; j++, at++) {
        x += weights[at] * below[j];
        y += weights[at] * below[n_in + j];
        constant += weights[at] * below[2 * n_in + j];
      }
      maps[i] = x;
      maps[n_out + i] = y;
      maps[2 * n_out + i] = constant;
      tolerances[i] = TOLERANCE * (Math.abs(x) + Math.abs(y)) + ROUNDING * (norms[i] * norm + Math.abs(bias));
    }
  }

  // Cuts the polygon by those of layer l's units that cross it, all of them among creases[start] to creases[free - 1].
  cut(l, first, end, start, free) {
    const { maps, tolerances, on } = this.levels[l], { corners, creases } = this, width = on.length;
    let cuts = free;
    for (let at = start; at < free; at++) {
      const i = creases[at], a = maps[i], b = maps[width + i], c = maps[2 * width + i], tolerance = tolerances[i];
      let low = Infinity, high = -Infinity;
      for (let v = first; v < end; v += 2) {
        const z = a * corners[v] + b * corners[v + 1] + c;
        if (z < low) low = z;
        if (z > high) high = z;
      }
      if (low < -tolerance && high > tolerance) creases[cuts++] = i;
      else on[i] = Number(high > tolerance);
    }
    if (cuts === free) {
      this.handOn(l);
      this.descend(l + 1, first, end, free);
      return;
    }
    const middle = (free + cuts) >> 1, unit = creases[middle]; // creases are often sorted: no cutting slice by slice
    creases[middle] = creases[--cuts];
    const between = this.part(l, unit, first, end, end, 1), top = this.part(l, unit, first, end, between, -1);
    on[unit] = 0; // first what lies above: its parts are written on top of it
    this.cut(l, between, top, free, cuts);
    on[unit] = 1;
    this.cut(l, end, between, free, cuts);
  }

  // Writes the polygon's part on one side of a unit's crease, from `to` on, and returns where it ends. A corner within
  // the tolerance belongs to both sides.
  part(l, unit, first, end, to, side) {
    const { maps, tolerances } = this.levels[l], width = tolerances.length, tolerance = tolerances[unit];
    const a = maps[unit], b = maps[width + unit], c = maps[2 * width + unit];
    if (to + 2 * (end - first) > this.corners.length) {
      const { corners } = this;
      this.corners = new Float64Array(2 * corners.length);
      this.corners.set(corners);
    }
    const { corners } = this;
    for (let v = first; v < end; v += 2) {
      const w = v + 2 < end ? v + 2 : first, x0 = corners[v], y0 = corners[v + 1], x1 = corners[w], y1 = corners[w + 1];
      const z0 = a * x0 + b * y0 + c, z1 = a * x1 + b * y1 + c;
      if (side * z0 >= -tolerance) {
        corners[to++] = x0;
        corners[to++] = y0;
      }
      if (Math.min(z0, z1) < -tolerance && Math.max(z0, z1) > tolerance) {
        corners[to++] = (z0 * x1 - z1 * x0) / (z0 - z1); // the same bits whichever end comes first
        corners[to++] = (z0 * y1 - z1 * y0) / (z0 - z1);
      }
    }
    return to;
  }

  // Writes what layer l hands on where these of its units are on, and their pattern.
  handOn(l) {
    const { maps, on, next } = this.levels[l], width = on.length, pattern = [];
    for (let i = 0; i < width; i++) pattern.push(on[i] === 1);
    for (let i = 0, k = 0; k < 3; k++) for (let u = 0; u < width; u++, i++) next[i] = on[u] ? maps[i] : 0;
    if (this.network.hasSkip(l)) this.levels[l - 1].next.forEach((value, i) => { next[i] += value; });
    this.pattern[l] = pattern;
  }
}
