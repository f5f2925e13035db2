// Points of two classes on the square [-1, 1]², as the lessons have them, and points that a reader draws.
import { Random } from "./random.js";

// Each gives the class of a point, or draws a point of a class.
const SHAPES = {
  line: { label: (x, y) => x + y > 0 },
  circle: { label: (x, y) => Math.hypot(x, y) > Math.sqrt(2 / Math.PI) },
  rings: { draw: (label, random) => polar(label ? 0.8 : 0.3, 2 * Math.PI * random.uniform()) },
  spirals: {
    draw: (label, random, { turns }) => {
      const along = Math.sqrt(random.uniform());
      return polar(0.08 + 0.87 * along, 2 * Math.PI * turns * along + (label ? Math.PI : 0));
    },
  },
  board: {
    label: (x, y, { folds }) => {
      const square = (one) => Math.floor(((one + 1) / 2) * 2 ** folds);
      return (square(x) + square(y)) % 2 !== 0;
    },
  },
};

const polar = (radius, angle) => [radius * Math.cos(angle), radius * Math.sin(angle)];

// Returns n points X, by rows, with their classes y, 0 or 1. noise: the standard deviation of what is added to a place
// after its class is known. drawn: [[x, y, class], …], points between which others are drawn.
export function points({ data = "board", n = 500, noise = 0, turns = 1.5, folds = 2, drawn = [], seed = 0 } = {}) {
  const random = new Random(seed), X = new Float64Array(2 * n), y = new Float64Array(n);
  const shape = SHAPES[data];
  for (let p = 0; p < n; p++) {
    let at, label;
    if (data === "drawn") {
      const [x0, y0, its] = drawn[random.below(drawn.length)];
      [at, label] = [[x0 + 0.03 * random.normal(), y0 + 0.03 * random.normal()], its];
    } else if (shape.draw) {
      label = p % 2;
      at = shape.draw(label, random, { turns });
    } else {
      at = [2 * random.uniform() - 1, 2 * random.uniform() - 1];
      label = Number(shape.label(...at, { folds }));
    }
    X[2 * p] = at[0] + noise * random.normal();
    X[2 * p + 1] = at[1] + noise * random.normal();
    y[p] = label;
  }
  return { X, y };
}
