// A network's function on the plane: its values, all linear regions of a ReLU network, the boundary, and the points.
import { rgb } from "./drawing.js";

const CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]];

// Returns the outputs of a network on side × side places, row by row from below, in the middle of their cells.
export function outputsOnGrid(network, side, half) {
  const X = new Float64Array(2 * side * side);
  for (let row = 0, at = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      X[at++] = half * ((2 * column + 1) / side - 1);
      X[at++] = half * ((2 * row + 1) / side - 1);
    }
  }
  return network.forward(X, side * side).slice(0, side * side);
}

// Draws into a square of `size` pixels whose lower left corner is the point (−half, −half).
export function drawPlane(pen, size, { network, regions, half, learnt, chosen, theme }) {
  const side = size > 250 ? 72 : 36, place = (x) => ((x / half + 1) / 2) * size, across = (y) => size - place(y);
  const values = outputsOnGrid(network, side, half);
  pen.drawImage(shades(values, side, theme), 0, 0, size, size);
  if (regions) {
    outline(pen, regions, place, across);
    pen.strokeStyle = theme.ink;
    pen.globalAlpha = regions.length > 600 ? 0.35 : 0.6;
    pen.lineWidth = regions.length > 600 ? 0.5 : 1;
    pen.stroke();
    pen.globalAlpha = 1;
  }
  pen.beginPath();
  for (const [x, y, z] of regions ? corners(regions) : squares(values, side, half)) crossing(pen, x, y, z, place, across);
  pen.strokeStyle = theme.ink;
  pen.lineWidth = size > 250 ? 3 : 2;
  pen.stroke();
  pen.drawImage(pointsOf(learnt, size, place, across, theme), 0, 0, size, size);
  if (chosen) mark(pen, chosen, place, across, theme);
}

function shades(values, side, theme) {
  const image = new ImageData(side, side), classes = theme.classes.map(rgb), page = rgb(theme.page);
  for (let at = 0; at < values.length; at++) {
    const p = 1 / (1 + Math.exp(-values[at])), colour = classes[p > 0.5 ? 1 : 0], much = 0.6 * Math.abs(2 * p - 1);
    const row = side - 1 - Math.floor(at / side), to = 4 * (row * side + (at % side));
    for (let i = 0; i < 3; i++) image.data[to + i] = page[i] + (colour[i] - page[i]) * (much || 0);
    image.data[to + 3] = 255;
  }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

function outline(pen, regions, place, across) {
  pen.beginPath();
  for (const { x, y } of regions) {
    pen.moveTo(place(x[0]), across(y[0]));
    for (let i = 1; i < x.length; i++) pen.lineTo(place(x[i]), across(y[i]));
    pen.closePath();
  }
}

// The corners of polygons with the output there: of regions, or of the squares between places of a grid.
function* corners(regions) {
  for (const { x, y, map } of regions) yield [x, y, Array.from(x, (one, i) => map[0] * one + map[1] * y[i] + map[2])];
}

function* squares(values, side, half) {
  const middle = (i) => half * ((2 * i + 1) / side - 1);
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      yield [CORNERS.map(([i]) => middle(column + i)), CORNERS.map(([, j]) => middle(row + j)),
        CORNERS.map(([i, j]) => values[(row + j) * side + column + i])];
    }
  }
}

// Where the output is 0 within a polygon.
function crossing(pen, x, y, z, place, across) {
  let started = false;
  for (let i = 0; i < z.length; i++) {
    const j = (i + 1) % z.length;
    if (z[i] > 0 === z[j] > 0) continue;
    const part = z[i] / (z[i] - z[j]), to = [place(x[i] + part * (x[j] - x[i])), across(y[i] + part * (y[j] - y[i]))];
    if (started) pen.lineTo(...to);
    else pen.moveTo(...to);
    started = !started;
  }
}

const pictures = new WeakMap(); // of points, which stay while a network learns

function pointsOf(learnt, size, place, across, theme) {
  const all = pictures.get(learnt) ?? new Map(), kept = all.get(size);
  if (kept?.theme === theme) return kept.canvas;
  if (all.size > 3) all.clear(); // of a window that is drawn larger, each size
  const canvas = document.createElement("canvas"), dots = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
  canvas.width = canvas.height = Math.round(size * dots);
  pen.scale(dots, dots);
  drawPoints(pen, learnt, place, across, size > 250 ? (learnt.y.length > 400 ? 2 : 2.8) : 1.2, theme);
  pictures.set(learnt, all.set(size, { theme, canvas }));
  return canvas;
}

// Class 0 are circles, class 1 squares.
export function drawPoints(pen, { X, y }, place, across, radius, theme) {
  for (const label of [0, 1]) {
    pen.beginPath();
    for (let p = 0; p < y.length; p++) {
      if (y[p] !== label) continue;
      const [left, top] = [place(X[2 * p]), across(X[2 * p + 1])];
      if (label) pen.rect(left - radius, top - radius, 2 * radius, 2 * radius);
      else {
        pen.moveTo(left + radius, top);
        pen.arc(left, top, radius, 0, 7);
      }
    }
    pen.fillStyle = theme.points[label];
    pen.fill();
    pen.strokeStyle = theme.page;
    pen.lineWidth = radius / 4;
    pen.stroke();
  }
}

function mark(pen, { region, x, y }, place, across, theme) {
  if (region) {
    outline(pen, [region], place, across);
    for (const [colour, width] of [[theme.page, 6], [theme.chosen, 3]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
    }
  }
  pen.beginPath();
  pen.arc(place(x), across(y), 5, 0, 7);
  pen.fillStyle = theme.chosen;
  pen.fill();
  pen.strokeStyle = theme.page;
  pen.lineWidth = 2;
  pen.stroke();
}

// Which of the regions a point lies in: they are convex.
export function regionAt(regions, px, py) {
  return regions.find(({ x, y }) => {
    let [left, right] = [true, true];
    for (let i = 0; i < x.length; i++) {
      const j = (i + 1) % x.length, side = (x[j] - x[i]) * (py - y[i]) - (y[j] - y[i]) * (px - x[i]);
      left &&= side >= 0;
      right &&= side <= 0;
    }
    return left || right;
  });
}

// At most so many regions has any ReLU network of these hidden widths with two inputs (Montúfar 2017): a layer cuts
// each piece, whose image has d dimensions, into at most Σ C(n, j) with j ≤ d ≤ 2.
export function mostRegions(layers) {
  let most = 1, dimensions = 2;
  for (const n of layers) {
    most *= 1 + n + (dimensions > 1 ? (n * (n - 1)) / 2 : 0);
    dimensions = Math.min(dimensions, n);
  }
  return most;
}
