// Where the opening bet leads: to single changes of it, each a bet of its own.
import { Bet, OPENING } from "./bet.js";
import { settled } from "./setting.js";

const CHANGES = {
  "One change: He's weights": { init: ["he", "he"] }, "One change: a board of 2 × 2": { folds: 1 },
  "One change: both at a rate of 0.003": { rate: [0.003, 0.003] },
};

export function betOn(lab, setting, words) {
  if (lab.running) lab.stop();
  Object.assign(lab.setting, setting);
  lab.layOut();
  lab.change({ folds: setting.folds }); // anything: it begins anew
  lab.bet = new Bet(lab, words);
  lab.bet.box.firstChild.focus(); // the button that was clicked is gone
}

// Returns words, and what begins the bet, for each change; none where a lab did not open with the opening bet.
export function leads(lab) {
  const { setting } = settled({ ...OPENING, bet: true });
  if (lab.opened !== JSON.stringify(setting)) return [];
  return Object.entries(CHANGES).map(([words, change]) => [words, () => {
    betOn(lab, { ...setting, ...change }, `${words.replace("One change", "One change of the first bet")}.`);
  }]);
}
