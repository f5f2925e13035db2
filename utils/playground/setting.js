// A playground's setting: one flat object, which also stands in the address and is what Python's playground() takes.

export const MOST_LAYERS = 8, MOST_UNITS = 64, NAMES = ["A", "B"];
// What can be set, in JSON, since Python reads it here. Those in EACH are of each network: one value, or a list of two.
const TABLES = {
  "EACH": ["activation", "init", "gain", "bias_std", "skips", "biases", "optimiser", "rate", "decay"],
  "DEFAULTS": {
    "data": "board", "folds": 2, "turns": 1.5, "noise": 0, "n": 1000, "drawn": "", "layers": [44], "against": [8, 8, 8],
    "activation": "relu", "init": "he", "gain": 1, "bias_std": 0, "skips": false, "biases": true, "optimiser": "adam",
    "rate": 0.01, "decay": 0, "batch": 32, "steps": 4000, "seed": 1, "hold": "parameters", "view": "plane", "half": 1,
    "bet": false
  },
  "CHOICES": {
    "data": ["line", "circle", "rings", "spirals", "board", "drawn", "none", "given"],
    "activation": ["relu", "tanh", "sigmoid", "linear"],
    "init": ["default", "he", "lecun", "xavier", "orthogonal", "identity"],
    "optimiser": ["adam", "sgd"], "hold": ["parameters", "arithmetic", "nothing"],
    "view": ["plane", "layers", "towers", "losses"]
  },
  "RANGES": {
    "folds": [1, 5, "whole"], "turns": [0.25, 4], "noise": [0, 0.5], "n": [10, 5000, "whole"], "gain": [0, 4],
    "bias_std": [0, 2], "rate": [0, 10], "decay": [0, 10], "batch": [1, 1000, "whole"], "steps": [1, 1000000, "whole"],
    "seed": [0, 99999, "whole"], "half": [0.1, 100]
  }
};
export const { EACH, DEFAULTS, CHOICES, RANGES } = TABLES;

// Returns a whole setting of what is there of one, and says of each thing that is none what was taken instead.
export function settled(raw) {
  const setting = { ...DEFAULTS }, refused = [];
  for (const [key, value] of Object.entries(raw)) {
    if (["weights", "given"].includes(key) && Array.isArray(value)) setting[key] = value;
    else if (!Object.hasOwn(DEFAULTS, key)) refused.push(`There is no “${key}” to set.`);
    else if (allows(key, value)) setting[key] = value;
    else refused.push(`${key} cannot be ${value}: taken instead, ${DEFAULTS[key]}.`);
  }
  if (setting.data === "given" && !setting.given) setting.data = DEFAULTS.data;
  for (const key of EACH) setting[key] = [setting[key]].flat();
  for (const key of EACH) if (setting[key].length === 1) setting[key].push(setting[key][0]);
  return { setting, refused };
}

function allows(key, value) {
  if (EACH.includes(key) && Array.isArray(value)) {
    return value.length <= 2 && value.length > 0 && value.every((one) => !Array.isArray(one) && allows(key, one));
  }
  if (key === "against" && value === null) return true;
  if (key === "layers" || key === "against") {
    return Array.isArray(value) && value.length <= MOST_LAYERS &&
      value.every((one) => Number.isInteger(one) && one >= 1 && one <= MOST_UNITS);
  }
  if (key in CHOICES) return CHOICES[key].includes(value);
  if (key in RANGES) {
    const [low, high, whole] = RANGES[key];
    return typeof value === "number" && value >= low && value <= high && (!whole || Number.isInteger(value));
  }
  return key === "drawn" ? /^([0-9a-z]{2}[01])*$/.test(value) : typeof value === typeof DEFAULTS[key];
}

// What is one network's own: {layers, activation, …}; side 1 is the one it is against.
export function ofSide(setting, side) {
  const own = Object.fromEntries(EACH.map((key) => [key, setting[key][side]]));
  return { ...own, layers: side ? setting.against : setting.layers };
}

export const sidesOf = (setting) => (setting.against ? [0, 1] : [0]);
export const sizesOf = (layers) => [2, ...layers, 1];

export function inWords(layers) {
  if (layers.length < 2) return layers.length ? `one layer of ${layers[0]}` : "no hidden layer";
  const same = layers.every((one) => one === layers[0]);
  return same ? `${layers.length} layers of ${layers[0]}` : `layers of ${layers.join(", ")}`;
}

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
// Two networks in a sentence, whose second half leaves out what the first has said.
export function shapesInWords(a, b) {
  const same = (layers) => layers.length > 0 && layers.every((one) => one === layers[0]);
  const own = (layers) => same(layers) ? `${COUNTS[layers.length]} hidden layer${layers.length > 1 ? "s" : ""} of ${layers[0]} unit${layers[0] > 1 ? "s" : ""}`
    : layers.length ? `hidden layers of ${layers.join(", ")} units` : "no hidden layer";
  return `Network A has ${own(a)}, network B ${same(a) && same(b) ? `${COUNTS[b.length]} of ${b[0]}` : own(b)}.`;
}

// Parameters, or the multiplications of a step: forward, for the weights' gradient, and for the layer's below.
function cost(layers, hold, { biases = true, batch = 1 } = {}) {
  const sizes = sizesOf(layers);
  return sizes.slice(1).reduce((sum, width, l) => sum + (hold === "arithmetic"
    ? batch * width * sizes[l] * (l ? 3 : 2) : width * (sizes[l] + (biases ? 1 : 0))), 0);
}

export function costOf(setting, side) {
  const { layers, biases } = ofSide(setting, side);
  return cost(layers, setting.hold, { biases, batch: setting.batch });
}

// Returns as many layers whose cost is as near to the wanted as equal widths, and then single units, come.
function layersOfCost(count, wanted, hold, how) {
  const off = (layers) => Math.abs(cost(layers, hold, how) - wanted);
  const nearest = (all) => all.reduce((best, one) => (off(one) < off(best) ? one : best));
  if (!count) return [];
  let layers = nearest(Array.from({ length: MOST_UNITS }, (_, i) => new Array(count).fill(i + 1)));
  for (let l = count - 1; l >= 0; l--) {
    const changed = [-1, 0, 1].map((by) => layers.with(l, layers[l] + by));
    layers = nearest([layers, ...changed.filter((one) => one[l] >= 1 && one[l] <= MOST_UNITS)]);
  }
  return layers;
}

// Where a network is changed, the other one follows: returns what is to be changed in all.
export function balanced(setting, part) {
  const next = { ...setting, ...part }, changed = "against" in part ? 1 : 0;
  const moves = ["layers", "against", "hold", "biases"].some((key) => key in part);
  if (!next.against || next.hold === "nothing" || !moves || costOf(next, 0) === costOf(next, 1)) return part;
  const follower = changed ? "layers" : "against", { biases } = ofSide(next, 1 - changed), how = { biases, batch: next.batch };
  return { ...part, [follower]: layersOfCost(next[follower].length, costOf(next, changed), next.hold, how) };
}

// Returns what is to be changed where a network gets another number of layers: nothing of the other one. Where their cost
// is held equal, the layers' widths make it so.
export function relayered(setting, side, count) {
  const [own, other] = side ? ["against", "layers"] : ["layers", "against"], layers = setting[own], { biases } = ofSide(setting, side);
  const held = setting[other] && setting.hold !== "nothing", last = layers.at(-1) ?? 8;
  return { [own]: held ? layersOfCost(count, costOf(setting, 1 - side), setting.hold, { biases, batch: setting.batch })
    : Array.from({ length: count }, (_, l) => layers[l] ?? last) };
}

// Points drawn by hand are three letters each: a place in 36 × 36 cells, from the left and from below, and a class.
export const CELLS = 36;
export function drawnPoints(text) {
  const at = (letter) => (2 * (parseInt(letter, CELLS) + 0.5)) / CELLS - 1;
  return (text.match(/.../g) ?? []).map((one) => [at(one[0]), at(one[1]), Number(one[2])]);
}
export function drawnText(places) {
  const letter = (one) => Math.min(CELLS - 1, Math.max(0, Math.floor(((one + 1) / 2) * CELLS))).toString(CELLS);
  return [...new Map(places.map(([x, y, label]) => [letter(x) + letter(y), label]))].flat().join("");
}
