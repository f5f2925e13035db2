// What a reader changes a setting with.
import { CHOICES, MOST_LAYERS, MOST_UNITS, NAMES, RANGES, costOf, inWords, ofSide, relayered, sidesOf } from "./setting.js";
import { number } from "./drawing.js";

const LABELS = {
  board: "chessboard", drawn: "draw them", none: "no points", given: "yours", arithmetic: "arithmetic per step",
  relu: "ReLU", adam: "Adam", sgd: "SGD", default: "PyTorch's own", he: "He", lecun: "LeCun", xavier: "Xavier",
  identity: "near W = I",
};
const SQUARES = { 1: "2 × 2", 2: "4 × 4", 3: "8 × 8", 4: "16 × 16", 5: "32 × 32" };
const RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
const isThere = ({ data }) => data !== "none", isDrawn = ({ data }) => data !== "none" && data !== "given";
// key: [label, choices, or steps of a slider, or nothing: to tick, where it is of use]
const OF_DATA = {
  data: ["kind", CHOICES.data.filter((one) => one !== "given")],
  folds: ["squares", [1, 2, 3, 4, 5], ({ data }) => data === "board"],
  turns: ["turns", { low: 0.25, high: 4, step: 0.25 }, ({ data }) => data === "spirals"],
  noise: ["noise", { low: 0, high: 0.5, step: 0.01 }, isDrawn],
  n: ["how many", [20, 50, 100, 200, 500, 1000, 2000, 5000], isDrawn],
  batch: ["in a step (batch)", [1, 8, 16, 32, 64, 128], isThere],
  steps: ["steps", [500, 1000, 2000, 4000, 6000, 10000, 20000, 50000, 100000], isThere],
  seed: ["seed", { low: 0, high: 99, step: 1 }],
};
const OF_BOTH = { hold: ["hold equal", CHOICES.hold, ({ against }) => against] };
const UNFOLDED = { rate: ["learning rate", RATES] };
const OF_NETWORK = {
  activation: ["activation", CHOICES.activation],
  init: ["weights drawn", CHOICES.init],
  gain: ["gain", { low: 0, high: 3, step: 0.05 }],
  bias_std: ["biases drawn (deviation)", { low: 0, high: 1, step: 0.05 }, ({ biases }) => biases],
  optimiser: ["optimiser", CHOICES.optimiser],
  decay: ["weight decay", [0, 0.001, 0.01, 0.03, 0.1, 0.3, 1]],
  skips: ["skips: h + φ(Wh + b)"],
  biases: ["biases"],
};

function fieldHTML(key, [label, how], name) {
  const said = `data-key="${key}" aria-label="${label}${name}"`;
  if (!how) return `<label class="tick"><input type="checkbox" ${said}>${label}</label>`;
  if (!Array.isArray(how)) {
    return `<label><span>${label} <output></output></span><input type="range" min="${how.low}" max="${how.high}" step="${how.step}" ${said}></label>`;
  }
  return `<label>${label}<select ${said}></select></label>`;
}

// Fills `box` with controls; `changed(key, value)` hears of what is set. Returns what shows a setting.
function fields(box, all, name, changed) {
  box.innerHTML = Object.entries(all).map(([key, how]) => fieldHTML(key, how, name)).join("");
  const read = (input) => input.type === "checkbox" ? input.checked
    : key(input) in RANGES ? Number(input.value) : input.value;
  const key = (input) => input.dataset.key;
  box.addEventListener("input", ({ target }) => changed(key(target), read(target)));
  return (values) => {
    for (const input of box.querySelectorAll("[data-key]")) {
      const value = values[key(input)], [, how, useful] = all[key(input)];
      input.closest("label").hidden = useful ? !useful(values) : false;
      if (input.type === "checkbox") input.checked = value;
      else if (input.type === "range") {
        input.max = Math.max(how.high, value);
        input.value = value;
        input.previousElementSibling.querySelector("output").textContent = number(value);
      } else {
        input.value = value; // while it is open, a list must not be made anew
        if (input.value === `${value}`) continue;
        const choices = how.includes(value) ? how : [...how, value].sort((one, other) => one - other);
        const words = (one) => key(input) === "folds" ? SQUARES[one] : typeof one === "number" ? number(one) : LABELS[one] ?? one;
        input.replaceChildren(...choices.map((one) => new Option(words(one), one, false, one === value)));
      }
    }
  };
}

// Everything beside the pictures. `change(part, alone)` hears of what is to be set anew, and whether nothing follows.
export function controls(root, change) {
  root.innerHTML = `<div class="nets"></div>
    <fieldset><legend>Both</legend><button class="second"></button><div class="fields equal"></div>
    <div class="meter" role="img"></div></fieldset>
    <fieldset><legend>Points</legend><div class="fields data"></div>
    <div class="row brush" hidden><span class="quiet">Draw on the plane:</span></div></fieldset>`;
  const showData = fields(root.querySelector(".data"), OF_DATA, "", (key, value) => change({ [key]: value }));
  const [second, equal, meter, nets] = [".second", ".equal", ".meter", ".nets"].map((one) => root.querySelector(one));
  const showEqual = fields(equal, OF_BOTH, "", (key, value) => change({ [key]: value }));
  let now, before; // the second network that was there
  second.addEventListener("click", () => {
    before = now.against ?? before;
    change({ against: now.against ? null : before ?? now.layers });
  });
  const cards = NAMES.map((_, side) => card(nets, side, change, () => now));

  return (setting, theme) => {
    now = setting;
    showData(setting);
    root.querySelector(".brush").hidden = setting.data !== "drawn";
    second.textContent = setting.against ? "Only A" : "A second network beside it";
    showEqual(setting);
    showMeter(meter, setting, theme);
    cards.forEach((show) => show(setting, theme));
  };
}

function showMeter(meter, setting, theme) {
  const all = sidesOf(setting).map((side) => costOf(setting, side)), most = Math.max(...all);
  const unit = setting.hold === "arithmetic" ? "multiplications a step" : "parameters";
  const near = all.length > 1 && Math.min(...all) > 0.95 * most;
  const said = all.length < 2 ? "" : all[0] === all[1] ? "equal" : near ? "nearly equal" : "not equal";
  meter.innerHTML = all.map((one, side) => `<b>${NAMES[side]}</b><i style="width:${Math.max(1, (100 * one) / most)}%;--own:${theme.sides[side]}"></i>
    <span>${number(one)}</span>`).join("") + `<span></span><span>${unit}</span><b>${said}</b>`;
  meter.ariaLabel = `${all.map((one, side) => `${NAMES[side]} ${number(one)}`).join(", ")} ${unit} ${said}`;
}

// One network: its layers as columns of units, to be clicked on, and how it is trained.
function card(nets, side, change, current) {
  const box = document.createElement("fieldset");
  box.innerHTML = `<legend></legend><div class="diagram"></div>
    <div class="row"><button class="less">− layer</button><button class="more">+ layer</button></div>
    <div class="fields unfolded"></div>
    <details><summary>Activation, weights, optimiser</summary><div class="fields"></div></details>`;
  nets.append(box);
  const [legend, diagram, less, more] = ["legend", ".diagram", ".less", ".more"].map((one) => box.querySelector(one));
  const own = side ? "against" : "layers", layers = () => current()[own], set = (all) => change({ [own]: all });
  const shows = [[".unfolded", UNFOLDED], ["details .fields", OF_NETWORK]].map(([where, all]) => fields(box.querySelector(where), all, ` of ${NAMES[side]}`,
    (key, value) => change({ [key]: current()[key].with(side, value) })));
  for (const [button, by] of [[less, -1], [more, 1]]) {
    button.addEventListener("click", () => change(relayered(current(), side, layers().length + by), true));
  }
  const columns = [];

  return (setting, theme) => {
    const all = setting[own];
    box.hidden = !all;
    if (!all) return;
    legend.textContent = `${NAMES[side]}: ${inWords(all)}`;
    less.disabled = !all.length;
    more.disabled = all.length >= MOST_LAYERS;
    while (columns.length < all.length) columns.push(column(side, columns.length, (l, units) => set(layers().with(l, units))));
    const ends = ["x₁ x₂", "f"].map((text) => Object.assign(document.createElement("span"), { textContent: text }));
    const shown = columns.slice(0, all.length);
    if (diagram.querySelectorAll("canvas").length !== all.length) diagram.replaceChildren(ends[0], ...shown.map((one) => one.canvas), ends[1]);
    shown.forEach((one, l) => one.show(all[l], theme));
    for (const one of shows) one(ofSide(setting, side));
  };
}

const ACROSS = 4, UP = MOST_UNITS / ACROSS, FOOT = 14 / 166; // units in a column's row; rows; the number's part below

// A layer: a slider that is clicked on, or moved with the arrow keys.
function column(side, l, changed) {
  const canvas = document.createElement("canvas");
  let units = 1, held = false, colours;
  canvas.tabIndex = 0;
  Object.assign(canvas, { role: "slider", ariaLabel: `units of layer ${l + 1} of ${NAMES[side]}`, ariaValueMin: 1,
    ariaValueMax: MOST_UNITS, ariaOrientation: "vertical" });
  const set = (wanted) => {
    const to = Math.min(MOST_UNITS, Math.max(1, wanted));
    if (to !== units) changed(l, to);
  };
  const at = (event) => {
    const box = canvas.getBoundingClientRect(), part = (low, high, one) => Math.min(0.999, Math.max(0, (one - low) / (high - low)));
    const row = Math.floor(UP * part(box.bottom - FOOT * box.height, box.top, event.clientY)), place = Math.floor(ACROSS * part(box.left, box.right, event.clientX));
    set(row * ACROSS + place + 1);
  };
  canvas.addEventListener("pointerdown", (event) => {
    held = true;
    canvas.setPointerCapture(event.pointerId);
    at(event);
  });
  canvas.addEventListener("pointermove", (event) => held && at(event));
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = false; });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 8, PageDown: -8, Home: -MOST_UNITS, End: MOST_UNITS }[event.key];
    if (!by) return;
    event.preventDefault();
    set(units + by);
  });

  function show(count, theme) {
    [units, colours] = [count, theme];
    canvas.ariaValueNow = units;
    canvas.ariaValueText = `${units} units`;
    const [wide, high, dots] = [40, 166, 2], pen = canvas.getContext("2d");
    [canvas.width, canvas.height] = [wide * dots, high * dots];
    pen.scale(dots, dots);
    for (let i = 0; i < MOST_UNITS; i++) {
      const x = ((i % ACROSS) + 0.5) * (wide / ACROSS), y = high - 14 - (Math.floor(i / ACROSS) + 0.5) * ((high - 14) / UP);
      pen.beginPath();
      pen.arc(x, y, i < units ? 4 : 1.2, 0, 7);
      pen.fillStyle = i < units ? colours.sides[side] : colours.quiet;
      pen.fill();
    }
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillStyle = colours.ink;
    pen.fillText(units, wide / 2, high - 2);
  }
  return { canvas, show };
}
