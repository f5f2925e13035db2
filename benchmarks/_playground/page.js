// What the page of the benchmark asks workers for, and what it draws.
import { Network } from "/playground/network.js";
import { linearRegions } from "/playground/regions.js";

const PIXELS = 700;
const canvas = Object.assign(document.createElement("canvas"), { width: PIXELS, height: PIXELS });
const pen = document.body.appendChild(canvas).getContext("2d");

const spawn = () => new Worker("/worker.js", { type: "module" });
export const worker = spawn();

// What a worker answers; what it says before goes to `said`.
export const ask = (asked, task, said) => new Promise((resolve, reject) => {
  asked.onmessage = ({ data }) => (data.done ? resolve(data.value) : said(data));
  asked.onerror = ({ message }) => reject(new Error(message));
  asked.postMessage(task);
});

function draw(regions) {
  const at = (one) => (one + 1) * (PIXELS / 2);
  pen.clearRect(0, 0, PIXELS, PIXELS);
  for (const { x, y, map } of regions) {
    pen.fillStyle = map[2] > 0 ? "#cfe8ff" : "#ffe3c2";
    pen.beginPath();
    for (let v = 0; v < x.length; v++) pen.lineTo(at(x[v]), at(y[v]));
    pen.closePath();
    pen.fill();
    pen.stroke();
  }
}

// Milliseconds in which a network's regions are cut, and in which they are drawn until the canvas has its pixels.
export function regions(hidden, seed) {
  const network = new Network({ sizes: [2, ...hidden, 1], init: "default", gain: Math.sqrt(6), seed });
  const began = performance.now(), found = linearRegions(network), cut = performance.now();
  draw(found);
  pen.getImageData(0, 0, 1, 1);
  return { regions: found.length, cut: cut - began, drawn: performance.now() - cut };
}

// One network is trained in the worker, and its regions are cut and drawn in each frame of the page.
export async function live(milliseconds) {
  const network = new Network({ sizes: [2, 8, 8, 8, 1] }), times = [];
  let going = true;
  const frame = (now) => {
    times.push(now);
    draw(linearRegions(network));
    if (going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const speed = await ask(worker, { task: "live", milliseconds }, ({ weights }) => network.weights.set(weights));
  going = false;
  const gaps = times.slice(1).map((one, i) => one - times[i]);
  return { speed, frames: (1000 * gaps.length) / (times.at(-1) - times[0]), longest: Math.max(...gaps) };
}

// Seconds in which as many workers as there are cores train both networks of the opening bet with each seed.
export async function bet(seeds, count) {
  const began = performance.now(), workers = Array.from({ length: navigator.hardwareConcurrency }, spawn);
  let seed = 0;
  await Promise.all(workers.map(async (one) => {
    while (seed < seeds) await ask(one, { task: "seed", seed: seed++, count });
    one.terminate();
  }));
  return { seconds: (performance.now() - began) / 1000, workers: workers.length };
}
