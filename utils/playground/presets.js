// The settings with which the lessons' pages open the playground, in a menu, each with its sentence.
import { settled } from "./setting.js";

export const PRESETS = {
  "01_universal_approximation": ["01: three units fence in a disc", { data: "circle", layers: [3], against: null },
    "Three units fence in a disc. Take one away, then add some: which shapes can so few creases enclose?"],
  "03_hierarchical_features": ["03: what each layer makes of a spiral", { data: "spirals", turns: 1, layers: [8, 8, 8, 8], against: null, skips: true, init: "identity", view: "layers" },
    "Four layers pull two spirals apart. Train them, and watch the squared sheet; then take a layer or the skips away."],
  "04_depth_efficiency": ["04: the regions of one layer", { data: "none", layers: [24], against: null, bias_std: 0.5 },
    "Nothing is trained: 24 units cut the square at random. Compare the number of regions with the most that there could be."],
  "05a_theory_against_measurement": ["05: order and chaos in eight layers", { data: "none", layers: [64], against: [64, 64, 64, 64, 64, 64, 64, 64], hold: "nothing", activation: "tanh", init: "lecun", gain: 3 },
    "Nothing is trained: one layer and eight, with random weights. Drag both gains, and see how wrinkled each function becomes."],
  "06_initialization": ["06: signals through eight layers", { data: "circle", layers: [32, 32, 32, 32, 32, 32, 32, 32], against: null, init: "lecun", gain: 1, view: "towers" },
    "The towers show how large signals and gradients are in each of eight layers. Find the gain that keeps both upright."],
  "07_when_depth_hurts": ["07: eight layers, without skips and with them", { data: "spirals", layers: [12, 12, 12, 12, 12, 12, 12, 12], against: [12, 12, 12, 12, 12, 12, 12, 12], skips: [false, true], hold: "nothing", init: "default", steps: 2000, view: "losses" },
    "Both networks have eight layers and PyTorch's own weights; only B has skips. Train them, and compare the losses."],
  "08_design_studio": ["08: your own design for a spiral", { data: "spirals", layers: [8], against: [4, 2], hold: "nothing", activation: "tanh" },
    "How few parameters does a network need to miss fewer than 3 of 100 new points of the spirals? Change both, and compare."],
};

// Adds the menu to a lab; at(path) is an address on the site.
export function addPresets(lab, at) {
  const box = document.createElement("div"), whole = Object.values(PRESETS).map(([, raw]) => settled(raw).setting);
  box.className = "presets row";
  box.innerHTML = '<label>A setting of a lesson: <select aria-label="a setting of a lesson"></select></label><p></p>';
  const [menu, words] = [box.querySelector("select"), box.lastChild];
  menu.append(new Option("choose one", ""), ...Object.entries(PRESETS).map(([stem, [title]]) => new Option(title, stem)));
  menu.addEventListener("input", () => {
    if (!menu.value) return;
    lab.change({ ...settled(PRESETS[menu.value][1]).setting, weights: null }, true);
    lab.layOut();
  });
  lab.at(".rule").before(box);
  // It says what is set, however it came to be: by the menu, by an address, by undo.
  return (setting) => {
    const now = whole.findIndex((one) => Object.keys(one).every((key) => key === "view" || JSON.stringify(one[key]) === JSON.stringify(setting[key])));
    menu.value = Object.keys(PRESETS)[now] ?? "";
    words.replaceChildren();
    if (now < 0) return;
    const link = Object.assign(document.createElement("a"), { href: at(`notebooks/${menu.value}.html`), textContent: `Lesson ${menu.value.slice(0, 2)}` });
    words.append(`${PRESETS[menu.value][2]} `, link);
  };
}
