// What becomes of a training where something is changed: it goes on, or it starts again and can be brought back.
import { EACH, NAMES } from "./setting.js";
import { number } from "./drawing.js";

const STEERED = { rate: "learning rate", decay: "weight decay", batch: "batch" };
export const RULE = "Learning rate, weight decay and batch can be changed while it trains. Anything else starts it again with new weights; “Undo” brings the last network back.";
export const NOT_IT = {
  program: "# The network shown was steered while it trained. This program trains from the start, with the settings\n# as they are now: another network comes of it.\n",
  link: "It was steered while it trained: neither the program nor the link makes this network again.",
  seeds: "What is shown was steered while it trained. These train from the start, with the settings as they are now.",
};

export const steers = (part) => Object.keys(part).every((key) => key in STEERED);

// Says what is so from now on; `was` is the setting before.
export function steeredInWords(was, setting, part) {
  const news = Object.keys(part).flatMap((key) => EACH.includes(key)
    ? [0, 1].filter((side) => was[key][side] !== setting[key][side]).map((side) => `${STEERED[key]} of ${NAMES[side]} is ${number(setting[key][side])}`)
    : `${STEERED[key]} is ${number(setting[key])}`);
  const forgets = "batch" in part ? "they forget the old batches' noise in about 1,000 steps" : "they are means of gradients and their squares, and this does not enter them";
  return `From here on the ${news.join(", the ")}.${setting.optimiser.includes("adam") ? ` Adam keeps its moments: ${forgets}.` : ""}`;
}

const RUN = ["networks", "learnt", "held", "steps", "course", "last", "steered"];
// The training before this one. Of a slider that is moved, each place begins one: these are not kept.
export class Past {
  constructor() {
    Object.assign(this, { kept: null, changed: "" });
  }

  // Keeps what a lab has, if it is worth it, before it begins anew because `changed` was; returns whether.
  keep(lab, changed) {
    const same = changed === this.changed && lab.steps < lab.setting.steps / 10;
    this.changed = changed;
    if (!lab.steps || lab.burnt || same) return false;
    this.kept = { setting: lab.ran, ...Object.fromEntries(RUN.map((key) => [key, lab[key]])) };
    return true;
  }

  back() {
    const { kept } = this;
    Object.assign(this, { kept: null, changed: "" });
    return kept;
  }
}
