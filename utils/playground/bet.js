// A bet on two networks, and the same again with twenty seeds.
import { drawSeeds, medianOf } from "./curves.js";
import { NAMES, costOf, inWords, shapesInWords, sidesOf } from "./setting.js";
import { buttonOf, number, penOf, percent } from "./drawing.js";
import { released, served } from "./serving.js";
import { NOT_IT } from "./steering.js";

const SECONDS = 10, SEEDS = 20, SAME = 0.01 + 1e-9; // of the show; of the repetition; as a share, however it is rounded
const POINTS = {
  line: "the two sides of a line", circle: "a disc and what is around it", rings: "two rings", spirals: "two spirals",
  board: "a chessboard", drawn: "the points that were drawn", given: "your points",
};
export const OPENING = { init: "default", rate: [0.03, 0.01] }; // what the playground opens with

export class Bet {
  constructor(lab, words = "Place your bet.") {
    Object.assign(this, { lab, box: lab.at(".bet"), below: lab.at(".verdict"), state: "asked" });
    const { setting } = lab, { layers: a, against: b, rate: [rate, other] } = setting;
    const costs = sidesOf(setting).map((side) => costOf({ ...setting, hold: "parameters" }, side));
    const cost = costs[0] === costs[1] ? `${number(costs[0])} parameters each` : `${costs.map((one) => number(one)).join(" and ")} parameters`;
    const shape = (layers, other) => (layers.length > other.length ? "the deep one" : layers.length < other.length ? "the wide one" : inWords(layers));
    this.choices = [`A, ${shape(a, b)}`, `B, ${shape(b, a)}`, "about the same: within 1 in 100"];
    this.box.innerHTML = `<p tabindex="-1"><b></b> Two networks have ${cost}. ${shapesInWords(a, b)}
      Each learns from ${number(setting.n)} points of ${POINTS[setting.data]}${setting.data === "board" ? ` of ${2 ** setting.folds} × ${2 ** setting.folds} squares` : ""}, in ${number(setting.steps)} steps at a learning
      rate of ${number(rate)}${rate === other ? "" : ` for A and ${number(other)} for B`}.
      <b>Which one then misses fewer new points?</b></p><div class="row answers"><span class="yours">Your bet:</span></div>`;
    this.below.innerHTML = '<p class="outcome" role="status"></p><div class="row next"></div>';
    this.box.querySelector("b").textContent = words;
    this.box.hidden = false;
    this.below.hidden = true;
    this.choices.forEach((choice, at) => this.button(".answers", choice, () => this.place(at), "main"));
    this.skip = this.button(".answers", "No bet: show everything", () => {
      this.close();
      lab.at(".train").focus();
    });
    this.outcome = this.below.firstChild;
    lab.root.classList.remove("placed");
    lab.root.classList.add("asking");
  }

  button(where, words, does, className = "") {
    const button = buttonOf(words, does, { className, disabled: !this.lab.port });
    (this.box.querySelector(where) ?? this.below.querySelector(where)).append(button);
    return button;
  }

  place(at) {
    const { lab } = this;
    if (this.state !== "asked") return;
    Object.assign(this, { state: "running", at });
    this.box.querySelectorAll(".answers button").forEach((button, i) => {
      button.disabled = i !== at; // the other keeps the focus
      button.ariaPressed = i === at;
    });
    this.skip.remove();
    this.bar = this.below.lastChild.appendChild(Object.assign(document.createElement("progress"), { max: 1, value: 0, ariaLabel: "steps" }));
    this.below.hidden = false;
    lab.root.classList.add("placed");
    // What is above and below the pictures has its room from now on, so that neither moves them.
    if (this.box.getBoundingClientRect().top < 0 || this.below.getBoundingClientRect().bottom > innerHeight) this.box.scrollIntoView();
    lab.train({ until: lab.setting.steps, pace: lab.setting.steps / SECONDS });
  }

  progress() {
    if (this.state === "running") this.bar.value = this.lab.steps / this.lab.setting.steps;
  }

  ended() {
    if (this.state !== "running") return;
    this.state = "done";
    const wrong = this.lab.last.map(({ held }) => held.wrong), apart = wrong[0] - wrong[1];
    const right = Math.abs(apart) <= SAME ? 2 : apart > 0 ? 1 : 0;
    this.outcome.textContent = `A misses ${percent(wrong[0])} of ${number(this.lab.held.y.length)} new points, B ${percent(wrong[1])}. ` +
      `You bet on “${this.choices[this.at]}”: ${this.at === right ? "so it came out, this time." : `this time it was “${this.choices[right]}”.`} ` +
      "One run is one draw of points and weights.";
    this.bar.remove();
    this.button(".next", `Again with ${SEEDS} seeds`, () => this.lab.seeds.run(this.lab), "main");
    this.lab.where.leads?.(this.lab).forEach(([words, bets]) => this.button(".next", words, bets));
    this.button(".next", "Show everything", ({ target }) => {
      this.leave();
      target.remove();
      this.lab.at(".train").focus();
    });
  }

  // The verdict stays.
  leave() {
    this.box.hidden = true;
    this.lab.root.classList.remove("asking", "placed");
    this.lab.soon();
  }

  // A setting that is changed is no longer the one of the bet.
  close() {
    if (this.state === "done") this.outcome.append(" Since then something was changed.");
    else this.below.hidden = true;
    this.state = "closed";
    this.lab.bet = null;
    this.leave();
  }
}

// The same setting with new points and new weights, once for each of twenty seeds.
export class Seeds {
  constructor(box) {
    this.box = box;
    box.innerHTML = `<div class="row"><b></b><progress max="${SEEDS}" value="0" aria-label="seeds"></progress></div><canvas role="img"></canvas><p role="status"></p>`;
    [this.title, this.bar, this.canvas, this.said] = ["b", "progress", "canvas", "p"].map((one) => box.querySelector(one));
    this.ports = [];
  }

  async run(lab) {
    this.clear();
    const { setting, theme } = lab, run = (this.current = {}), errors = sidesOf(setting).map(() => []);
    const shared = lab.port instanceof MessagePort, count = shared ? 1 : Math.min(4, navigator.hardwareConcurrency || 2);
    if (lab.running) lab.stop();
    this.box.hidden = false;
    this.title.textContent = `${SEEDS} seeds, ${number(setting.steps)} steps each`;
    this.said.textContent = this.not = lab.steered ? NOT_IT.seeds : "";
    this.canvas.ariaLabel = this.title.textContent;
    this.box.scrollIntoView({ block: "nearest" });
    const ports = await Promise.all(Array.from({ length: count }, () => served(shared ? () => { throw new Error("slices"); } : lab.spawn)));
    if (this.current !== run) return ports.forEach(released);
    this.ports = ports;
    ports.forEach((port, which) => {
      port.onmessage = ({ data }) => {
        if (data.is !== "trial" || this.current !== run) return;
        data.wrong.forEach((share, side) => { errors[side][data.seed - setting.seed - 1] = share; });
        const done = errors.map((all) => all.filter((one) => one !== undefined));
        this.bar.value = done[0].length;
        this.draw(done, theme);
        if (done[0].length === SEEDS) this.end(errors);
      };
      const seeds = Array.from({ length: SEEDS }, (_, i) => setting.seed + 1 + i).filter((_, i) => i % count === which);
      port.postMessage({ do: "trial", setting, seeds });
    });
  }

  draw(errors, theme) {
    const { pen, width } = penOf(this.canvas, 0), height = 24 + 44 * errors.length, dots = window.devicePixelRatio || 1;
    this.canvas.style.height = `${height}px`;
    this.canvas.height = height * dots;
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    drawSeeds(pen, width, height, errors, theme);
  }

  end(errors) {
    const said = (values) => {
      const { middle, low, high } = medianOf(values), part = (one) => number(Number((100 * one).toFixed(6)), 2);
      return `${part(middle)} [${part(low)}, ${part(high)}]`;
    };
    const medians = errors.map((all, side) => `${NAMES[side]} ${said(all)}`).join(", ");
    let text = `In a hundred new points it misses, median of ${SEEDS} seeds [with its 95 % interval]: ${medians}.`;
    if (errors.length > 1) {
      const apart = errors[0].map((one, i) => one - errors[1][i]), { low, high } = medianOf(apart);
      const verdict = low > 0 ? "B misses fewer, and twenty seeds are enough to say so" : high < 0 ? "A misses fewer, and twenty seeds are enough to say so" : "this interval holds 0, so twenty seeds are not enough to say which misses fewer";
      text += ` A − B, seed by seed: ${said(apart)}: ${verdict}.`;
    }
    this.said.textContent = `${text} ${this.not ?? ""}`;
    this.canvas.ariaLabel = text;
    this.bar.hidden = true;
    this.release();
  }

  release() {
    this.ports.forEach(released);
    this.ports = [];
  }

  clear() {
    this.current = null;
    this.release();
    this.box.hidden = true;
    this.said.textContent = "";
    Object.assign(this.bar, { hidden: false, value: 0 });
  }
}
