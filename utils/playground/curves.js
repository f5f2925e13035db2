// Losses while a network trains, and the errors of several seeds.
import { DASHES, write, number } from "./drawing.js";
import { NAMES } from "./setting.js";

const MOST = 600; // places of a curve: of more, one stays in each of half as many equal parts of the steps

// What was seen of the training so far: for each side, steps with the losses on both sets of points.
export class Course {
  constructor() {
    this.seen = [];
  }

  add(steps, sides) {
    if (this.seen.at(-1)?.steps === steps) return;
    this.seen.push({ steps, sides: sides.map(({ learnt, held }) => ({ learnt: learnt.loss, held: held.loss })) });
    if (this.seen.length <= MOST) return;
    const part = (one) => Math.floor((one.steps / steps) * (MOST / 2));
    this.seen = this.seen.filter((one, i, all) => part(one) !== part(all[i - 1] ?? { steps: -steps }));
  }
}

export const marginsOf = (width) => (width < 340 ? [4, 4, 6, 4] : [48, 16, 30, 34]); // left, right, above, below
export const lastOf = (course) => Math.max(100, course.seen.at(-1)?.steps ?? 0);

// Learnt points are thin, held-out ones thick; network B is dashed.
export function drawLosses(pen, width, height, course, theme) {
  const small = width < 340, [left, right, top, foot] = marginsOf(width);
  const values = course.seen.flatMap(({ sides }) => sides.flatMap(({ learnt, held }) => [learnt, held]))
    .filter((one) => one > 0 && Number.isFinite(one)).map(Math.log10);
  const low = Math.min(-0.5, ...values) - 0.05, high = Math.max(0, ...values) + 0.05;
  const last = lastOf(course), at = (steps) => left + (steps / last) * (width - left - right);
  const across = (loss) => {
    const part = (Math.log10(Math.max(loss, 1e-9)) - low) / (high - low);
    return height - foot - Math.min(1, Math.max(0, part)) * (height - foot - top);
  };
  const ticks = [];
  for (let power = Math.floor(low); power <= high; power++) {
    for (const digit of high - low < 2 ? [1, 2, 5] : [1]) ticks.push(digit * 10 ** power);
  }
  for (const tick of ticks.filter((one) => Math.log10(one) > low && Math.log10(one) < high)) {
    pen.fillStyle = theme.line;
    pen.fillRect(left, across(tick), width - left - right, 1);
    if (!small) write(pen, number(tick, 1).replace("1.0 × ", ""), left - 6, across(tick), theme.quiet, "right");
  }
  for (let side = 0; side < (course.seen[0]?.sides.length ?? 0); side++) {
    for (const [kind, wide] of [["learnt", 1], ["held", 2.6]]) {
      pen.beginPath();
      course.seen.forEach(({ steps, sides }, i) => {
        if (i) pen.lineTo(at(steps), across(sides[side][kind]));
        else pen.moveTo(at(steps), across(sides[side][kind]));
      });
      pen.setLineDash(DASHES[side]);
      pen.strokeStyle = theme.sides[side];
      pen.lineWidth = small ? wide / 2 : wide;
      pen.stroke();
    }
    pen.setLineDash([]);
    if (!small) {
      const x = left + 6 + side * 60;
      pen.fillStyle = theme.sides[side];
      pen.fillRect(x, 13, 12, 4);
      write(pen, NAMES[side], x + 18, 15, theme.ink, "left");
    }
  }
  if (!small) {
    write(pen, "0", left, height - 18, theme.quiet);
    write(pen, number(last), width - right, height - 18, theme.quiet, "right");
    write(pen, "steps", (left + width) / 2, height - 18, theme.quiet);
  }
  return course.seen.at(-1)?.sides.map(({ learnt, held }, side) => `${NAMES[side]}: loss ${number(learnt)}, on new points ${number(held)}`).join("; ") ?? "no losses yet";
}

// Errors of all seeds, a row for each network: circles are A's, squares B's, and a bar for the median's interval.
export function drawSeeds(pen, width, height, errors, theme) {
  const most = Math.max(0.01, ...errors.flat()), left = 28, wide = width - left - 20, foot = 22;
  const at = (share) => left + (share / most) * wide;
  const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2].find((one) => most / one <= 6);
  for (let tick = 0; tick <= most; tick += step) {
    pen.fillStyle = theme.line;
    pen.fillRect(at(tick), 0, 1, height - foot);
    write(pen, `${number(100 * tick, 2)} %`, at(tick), height - foot / 2, theme.quiet);
  }
  errors.forEach((all, side) => {
    const y = ((side + 0.5) * (height - foot)) / errors.length, { low, high, middle } = medianOf(all);
    write(pen, NAMES[side], 4, y, theme.ink, "left", 14, 600);
    pen.fillStyle = theme.sides[side];
    pen.globalAlpha = 0.25;
    if (Number.isFinite(low)) pen.fillRect(at(low), y - 14, Math.max(2, at(high) - at(low)), 28);
    pen.globalAlpha = 1;
    pen.fillRect(at(middle) - 1.5, y - 14, 3, 28);
    all.forEach((share, i) => {
      const [x, up] = [at(share), y + ((i * 7) % 19) - 9];
      pen.beginPath();
      if (side) pen.rect(x - 3, up - 3, 6, 6);
      else pen.arc(x, up, 3.4, 0, 7);
      pen.fill();
    });
  });
}

// The median, and between which of the sorted values it lies with at least 95 % (the sign test's interval).
export function medianOf(values) {
  const sorted = Float64Array.from(values).sort(), n = sorted.length;
  const middle = (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2;
  let rank = 0, fewer = 0.5 ** n, one = fewer; // the chance of at most `rank` on one side
  while (fewer <= 0.025 && rank < n) {
    rank += 1;
    one *= (n - rank + 1) / rank;
    fewer += one;
  }
  return rank ? { middle, low: sorted[rank - 1], high: sorted[n - rank] } : { middle, low: -Infinity, high: Infinity };
}
