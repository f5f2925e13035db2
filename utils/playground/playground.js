// The playground: networks that train in front of a reader's eyes, and everything that can be changed about them.
import { linearRegions } from "./regions.js";
import { datasets, networkOf, released, served } from "./serving.js";
import { NAMES, balanced, drawnPoints, drawnText, inWords, ofSide, settled, sidesOf } from "./setting.js";
import { drawPlane, mostRegions, regionAt } from "./plane.js";
import { Sheets, drawTowers } from "./layers.js";
import { Course, drawLosses } from "./curves.js";
import { buttonOf, number, penOf, percent, themeOf } from "./drawing.js";
import { controls } from "./controls.js";
import { Bet, OPENING, Seeds } from "./bet.js";
import { asPyTorch } from "./pytorch.js";
import { STYLE } from "./style.js";
import { NOT_IT, Past, RULE, steeredInWords, steers } from "./steering.js";

const WHILE_TRAINING = 4000, AT_REST = 12000; // regions that are cut at most
// Of each view: its title, how high it is for its width, and what is to be seen.
const VIEWS = {
  plane: ["The function, with its linear regions", 1, "Click on a region: in all of it the same units are on. Thick line: where f = 0. ● class 0, ■ class 1."],
  layers: ["What each layer makes of the plane", 1,
    "Each hidden layer's values, along the two directions in which they vary most (%: how much of their variance these hold)."],
  towers: ["Signals and gradients", 0.75, "Each layer's preactivations, and the loss's gradient in them. The bottom row is layer 1."],
  losses: ["Losses", 0.62, "Logistic loss, on a logarithmic scale: thin lines on the points to learn, thick ones on new points. B is dashed."],
};
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Builds a playground inside `root`. spawn() returns a worker. What only the site has is in `where`: link(setting), an
// address that says it, and whether it is written into the page's own; and what there is to say of the one it came from.
export function mount(root, raw = {}, spawn, where = {}) {
  const { opens = "bet" in raw } = where, lab = new Playground(root, opens ? { ...OPENING, ...raw } : raw, where);
  served(spawn).then((port) => lab.connect(port, spawn));
  return lab;
}

class Playground {
  constructor(root, raw, where) {
    Object.assign(this, { where, port: null, id: 0, steps: 0, running: false, looking: false, views: [], brush: 0, past: new Past() });
    const { setting, refused } = settled(raw);
    this.setting = setting;
    root.innerHTML = `<div class="lab"><style>${STYLE}</style><div class="inside">
      <section class="bet" aria-label="a bet" hidden></section><section class="verdict" aria-label="how the bet came out" hidden></section>
      <div class="run row"><button class="main train" disabled></button><button class="one" disabled>1 step</button>
        <button class="again">Start again</button><button class="other">Other seed</button>
        <button class="seeds" disabled>20 seeds</button><button class="undo" hidden>Undo</button><output class="steps" aria-live="off"></output></div>
      <p class="said" role="status"></p><section class="many" aria-label="twenty seeds" hidden></section>
      <p class="rule quiet">${RULE}</p><div class="controls settings"></div><div class="views"></div>
      <div class="code"><details class="program"><summary>As PyTorch, and as a link</summary><div class="row which"></div><pre tabindex="0"></pre></details></div>
      </div></div>`;
    this.root = root.firstChild;
    this.at = (name) => this.root.querySelector(name);
    this.show = controls(this.at(".settings"), (part, alone) => this.change(part, alone));
    this.added = where.adds?.(this) ?? [];
    this.listen();
    this.layOut();
    this.at(".said").textContent = [...(where.says ?? []), ...refused].join(" ");
    this.seeds = new Seeds(this.at(".many"));
    this.begin();
    if (setting.bet && setting.against) this.bet = new Bet(this);
    this.opened = JSON.stringify(setting);
    new ResizeObserver(() => this.soon()).observe(this.root); // and where it leaves the page, or comes back
    this.paint();
  }

  connect(port, spawn) {
    Object.assign(this, { port, spawn, steps: 0 }); // what it had, another worker had
    this.past.back();
    this.left = new AbortController();
    const how = { passive: true, capture: true, signal: this.left.signal };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.wake(), how);
    for (const event of ["scroll", "click"]) addEventListener(event, () => this.wake(), how);
    port.onmessage = ({ data }) => this.looked(data);
    for (const button of this.root.querySelectorAll(".bet button, .train, .one, .seeds")) button.disabled = false;
    this.begin();
  }

  // Once it has left the page, as where a cell is run again, nothing of it goes on.
  leave() {
    if (!this.port) return;
    this.left.abort();
    this.bet?.close();
    this.seeds.clear();
    released(this.port);
    Object.assign(this, { port: null, away: true, running: false });
  }

  listen() {
    const click = (name, does) => this.at(name).addEventListener("click", does);
    click(".train", () => (this.running ? this.stop() : this.train()));
    click(".one", () => this.train({ until: this.steps + 1 }));
    click(".again", () => {
      this.at(".said").textContent = "";
      this.begin(false, "again");
    });
    click(".undo", () => this.undo());
    click(".other", () => this.change({ seed: (this.setting.seed + 1) % 100 }));
    click(".seeds", () => this.seeds.run(this));
    const brush = this.at(".brush");
    ["blue circles", "orange squares", "rub out"].forEach((name, at) => {
      brush.append(buttonOf(name, () => {
        this.brush = at;
        brush.querySelectorAll("button").forEach((one, i) => { one.ariaPressed = i === at; });
      }, { ariaPressed: at === 0 }));
    });
  }

  // --- what is set ---------------------------------------------------------------------------------------------

  // alone: whatever is to be held equal, the other network stays.
  change(part, alone = false) {
    const { setting } = this, was = setting.against;
    this.bet?.close();
    this.seeds.clear();
    if (steers(part) && this.steps && !this.changed && !this.burnt) return this.steer(part);
    const all = alone ? part : balanced(setting, part);
    Object.assign(setting, all, { chosen: null });
    if ("layers" in all || "data" in all) setting.weights = null;
    const follower = "layers" in part ? "against" : "layers";
    this.at(".said").textContent = follower in all && !(follower in part)
      ? `${NAMES[Number("layers" in part)]} has ${inWords(all[follower])} now, to cost the same: see “hold equal”.` : "";
    this.address();
    if (Boolean(was) !== Boolean(setting.against)) this.layOut();
    this.paint();
    this.changed = Object.keys(part).join(); // a drag changes it many times between two frames
  }

  steer(part) {
    const { setting } = this, was = this.ran;
    Object.assign(setting, part);
    Object.assign(this, { steered: true, ran: structuredClone(setting) });
    this.port.postMessage({ do: "steer", setting });
    this.at(".said").textContent = steeredInWords(was, setting, part);
    this.address();
    this.paint();
  }

  undo() {
    const { setting } = this, { setting: before, ...run } = this.past.back();
    this.bet?.close();
    this.seeds.clear();
    Object.assign(setting, before, { view: setting.view, chosen: null });
    Object.assign(this, run, { ran: before, running: false, changed: "", burnt: false, cuts: [], sheets: [new Sheets(), new Sheets()] });
    this.tell({ do: "undo" });
    this.layOut();
    this.at(".said").textContent = `The last network is back, with its ${number(this.steps)} steps. It goes on from there.`;
    this.say();
    this.paint();
    this.at(".train").focus(); // the button that was clicked is gone
  }

  paint() {
    const theme = themeOf(this.root);
    this.theme = theme;
    for (const name of ["page", "ink", "quiet", "line"]) this.root.style.setProperty(`--${name}`, theme[name]);
    this.root.style.setProperty("--accent", theme.sides[0]);
    this.root.style.colorScheme = theme.dark ? "dark" : "light";
    const draws = this.setting.data === "drawn", rests = this.setting.data === "none";
    this.root.classList.toggle("draws", draws);
    this.root.classList.toggle("rests", rests);
    if (rests && ["towers", "losses"].includes(this.setting.view)) this.enlarge("plane");
    const kinds = new Set(drawnPoints(this.setting.drawn).map(([, , label]) => label)).size;
    this.at(".brush span").textContent = kinds > 1 ? "Draw on the plane:" : kinds ? "All that is drawn is of one kind. Draw some of the other:"
      : "Draw points of both kinds on the plane (until then it is a disc):";
    this.root.lastElementChild.classList.toggle("single", !this.setting.against);
    this.show(this.setting, theme);
    for (const show of this.added) show(this.setting);
    this.program();
    this.soon();
  }

  program() {
    const which = this.at(".which"), sides = sidesOf(this.setting);
    this.side = Math.min(this.side ?? 0, sides.length - 1);
    which.replaceChildren(...sides.map((side) => buttonOf(`PyTorch for ${NAMES[side]}`, () => {
      this.side = side;
      this.program();
      which.children[side].focus(); // it is another one now
    }, { ariaPressed: side === this.side })));
    const text = (this.steered ? NOT_IT.program : "") + asPyTorch(this.setting, this.side), { link } = this.where;
    const copy = (words, what) => {
      const button = buttonOf(words, () => {
        const say = (said) => () => { button.textContent = said; };
        (navigator.clipboard?.writeText(what) ?? Promise.reject()).then(say("Copied"), say("Not allowed here: copy it by hand"));
      });
      which.append(button);
    };
    copy("Copy the program", text);
    if (link) copy("Copy a link to this setting", link(this.setting, this.steered));
    if (this.steered) which.append(NOT_IT.link);
    this.at(".program pre").textContent = text;
  }

  // --- training ------------------------------------------------------------------------------------------------

  // Everything from the start: points, weights, steps.
  begin(goesOn = false, why = this.changed) {
    const { setting, steered } = this, keep = this.past.keep(this, why), { learnt, held } = datasets(setting);
    if (keep) this.at(".said").append(` It starts again. “Undo” brings the network with ${number(this.steps)} steps back.`);
    this.networks = sidesOf(setting).map((side) => networkOf(setting, side));
    Object.assign(this, { learnt, held, steps: 0, running: false, changed: "", steered: false, burnt: false, ran: structuredClone(setting), course: new Course(), last: null, cuts: [], sheets: [new Sheets(), new Sheets()] });
    this.tell({ do: "begin", setting, keep });
    if (steered) {
      this.program();
      this.address();
    }
    if (goesOn && setting.data !== "none") this.train();
    this.say();
    this.soon();
  }

  // A training that is over before one has looked shows nothing: it takes ten seconds, or a second for 1,000 steps.
  train({ until = (Math.floor(this.steps / this.setting.steps) + 1) * this.setting.steps, pace = Math.max(1000, this.setting.steps / 10) } = {}) {
    this.running = true;
    this.tell({ do: "go", until, pace });
    this.say();
  }

  stop() {
    this.running = false;
    this.tell({ do: "stop" });
    this.say();
  }

  // Of what was asked for before, the answer is out of date: that a network rests, say, which now begins to train.
  tell(what) {
    this.port?.postMessage(what);
    this.id += 1;
    this.looking = false;
    this.look();
  }

  look() {
    if (this.looking || !this.port) return;
    this.looking = true;
    this.port.postMessage({ do: "look", id: this.id });
  }

  looked(data) {
    if (data.is !== "look" || data.id !== this.id) return;
    Object.assign(this, { looking: false, steps: data.steps, last: data.sides });
    data.sides.forEach(({ weights }, side) => this.networks[side].weights.set(weights));
    this.course.add(data.steps, data.sides);
    this.cuts = this.cuts.map((cut) => cut && { ...cut, old: true });
    const ended = this.running && !data.running;
    if (data.sides.some(({ weights }) => !weights.every(Number.isFinite))) this.burst();
    else if (ended) this.running = false;
    this.say();
    this.soon();
    if (ended) this.bet?.ended();
  }

  burst() {
    Object.assign(this, { running: false, burnt: true });
    this.port.postMessage({ do: "stop" });
    this.at(".said").textContent = "A network's weights have grown beyond all numbers. Take a smaller learning rate or gain, and start again.";
    this.bet?.ended();
  }

  say() {
    const train = this.at(".train"), { setting } = this;
    train.textContent = this.running ? "Pause" : `Train ${number(setting.steps)} steps`;
    this.at(".undo").hidden = !this.past.kept;
    this.at(".steps").textContent = `${this.steps.toLocaleString("en")} steps`;
    this.bet?.progress();
  }

  // --- what is seen --------------------------------------------------------------------------------------------

  layOut() {
    const { setting } = this, box = this.at(".views");
    this.views = Object.entries(VIEWS).map(([view, [title, ratio, note]]) => {
      const figure = document.createElement("figure"), count = view === "losses" ? 1 : sidesOf(setting).length;
      figure.className = "view";
      figure.dataset.view = view;
      figure.style.setProperty("--count", count);
      figure.innerHTML = `<button>${title}</button><p class="quiet">${note}</p><div class="pair">` +
        '<div><figcaption></figcaption><canvas></canvas><div class="readout" aria-live="polite"></div></div>'.repeat(count) + "</div>";
      const choose = () => {
        if (setting.view === view) return;
        this.enlarge(view);
        figure.scrollIntoView({ block: "nearest" });
      };
      figure.querySelector("button").addEventListener("click", choose);
      figure.querySelector(".pair").addEventListener("click", () => matchMedia("(hover: hover)").matches && choose());
      const canvases = [...figure.querySelectorAll("canvas")];
      canvases.forEach((canvas, side) => {
        Object.assign(canvas, { role: "img", ariaLabel: title });
        if (view === "plane") this.listenTo(canvas, side);
      });
      return { view, figure, ratio, captions: [...figure.querySelectorAll("figcaption")], panes: canvases.map((canvas) => ({ canvas, due: 0 })) };
    });
    box.replaceChildren(...this.views.map(({ figure }) => figure));
    this.enlarge(setting.view);
  }

  enlarge(view) {
    this.setting.view = view;
    for (const { figure, panes } of this.views) {
      const chosen = figure.dataset.view === view;
      figure.classList.toggle("large", chosen);
      figure.querySelector("button").ariaPressed = chosen;
      for (const pane of panes) pane.due = 0;
      if (figure.dataset.view === "plane") for (const canvas of figure.querySelectorAll("canvas")) canvas.tabIndex = chosen ? 0 : -1;
    }
    this.address();
    this.soon();
  }

  // Safari refuses an address that is changed a hundred times in half a minute, as by a slider.
  address() {
    clearTimeout(this.written);
    const { link, written } = this.where, write = () => history.replaceState(null, "", link(this.setting, this.steered).replace(/.*#/, "#"));
    if (written) this.written = setTimeout(write, 200);
  }

  soon() {
    for (const { panes } of this.views) for (const pane of panes) pane.old = true;
    this.wake();
  }

  wake() {
    this.frame ??= requestAnimationFrame((now) => this.draw(now));
  }

  // Draws what has changed; what takes long is drawn less often, and what is small not with every frame.
  draw(now) {
    this.frame = null;
    if (!this.root.isConnected) return this.leave();
    if (this.away) served(this.spawn).then((port) => this.connect(port, this.spawn));
    this.away = false;
    if (this.changed) this.begin(this.running);
    if (themeOf(this.root) !== this.theme) this.paint(); // a page's switch was clicked
    const limit = performance.now() + 12;
    let waits = false;
    for (const { view, figure, ratio, panes, captions } of this.views) {
      const large = figure.classList.contains("large");
      panes.forEach((pane, side) => {
        if (!pane.old) return;
        const began = performance.now(), rests = still.matches && this.running;
        if (now < pane.due || began > limit) {
          waits = true;
          return;
        }
        const { top, bottom, width } = pane.canvas.getBoundingClientRect();
        if (!width || bottom < 0 || top > innerHeight) return; // until it is scrolled to
        pane.old = false;
        this.drawInto(view, pane.canvas, ratio, side);
        this.caption(view, captions[side], side);
        const cost = performance.now() - began;
        pane.due = now + (rests ? 1000 : large ? 0.8 * cost : Math.max(100, 5 * cost));
      });
    }
    if (this.running && !still.matches) this.look();
    else if (this.running) {
      this.later ??= setTimeout(() => {
        this.later = null;
        this.look();
      }, 1000);
    }
    if (waits) this.wake();
  }

  drawInto(view, canvas, ratio, side) {
    const { pen, width, height } = penOf(canvas, ratio), { theme, setting, shown = "learnt" } = this;
    const network = this.networks[side], what = { network, learnt: this[view === "plane" ? shown : "learnt"], theme, half: setting.half };
    if (view !== "plane") canvas.style.height = `${height}px`; // a plane is a square before it is drawn, too
    let words;
    if (view === "plane") {
      const { regions } = this.cut(side), chosen = this.chosenIn(side);
      drawPlane(pen, width, { ...what, regions, chosen });
      words = this.counted(side);
    } else if (view === "layers") words = this.sheets[side].draw(pen, width, height, what);
    else if (view === "towers") words = drawTowers(pen, width, height, what, theme.sides[side]);
    else words = drawLosses(pen, width, height, this.course, theme);
    canvas.ariaLabel = view === "losses" ? words : `${NAMES[side]}: ${words}`;
  }

  // The regions of a network as it is now; null where it has none, or too many.
  cut(side) {
    const network = this.networks[side], kept = this.cuts[side];
    if (kept && !kept.old && (kept.regions || this.running || kept.rested)) return kept;
    if (this.running && kept?.most && performance.now() < kept.until) return kept;
    const most = this.running ? WHILE_TRAINING : AT_REST, began = performance.now();
    const all = network.activation === "relu" || !network.depth ? linearRegions(network, { half: this.setting.half, most }) : null;
    this.cuts[side] = { regions: all && all.length < most ? all : null, most: all && all.length >= most ? most : null, rested: !this.running };
    this.cuts[side].until = performance.now() + 20 * (performance.now() - began); // there may be fewer by then
    return this.cuts[side];
  }

  // What a reader has chosen on a network's plane, with the region it lies in.
  chosenIn(side) {
    const { chosen } = this.setting;
    if (!chosen || chosen.side !== side) return null;
    return { ...chosen, region: this.cuts[side]?.regions && regionAt(this.cuts[side].regions, chosen.x, chosen.y) };
  }

  caption(view, caption, side) {
    const name = view === "losses" ? "" : NAMES[side];
    const own = this.bet ? `, ${inWords(ofSide(this.setting, side).layers)}` : "";
    caption.textContent = view === "plane" ? `${name}${own}: ${this.counted(side)}` : name;
    const { region, x, y } = (view === "plane" && this.chosenIn(side)) || {};
    const readout = caption.parentElement.lastElementChild;
    readout.replaceChildren(...(region ? this.regionInWords(region, x, y) : []));
  }

  counted(side) {
    const { activation, depth, sizes } = this.networks[side], { regions, most } = this.cut(side);
    const count = regions ? `${number(regions.length, 9)} linear ${regions.length === 1 ? "region" : "regions"} in this square`
      : most ? `more than ${number(most)} regions` : activation === "linear" ? "one affine map" : `no regions: ${activation} has no creases`;
    const bound = activation === "relu" && depth && !this.bet ? `; a network of this shape has at most ${number(mostRegions(sizes.slice(1, -1)))}` : "";
    return `${count}${bound}.${this.last && this.steps ? ` Misses ${percent(this.last[side].held.wrong)} of new points.` : ""}`;
  }

  regionInWords({ map, pattern }, x, y) {
    const [a, b, c] = map, signed = (one) => `${one < 0 ? "−" : "+"} ${number(Math.abs(one))}`;
    const said = document.createElement("div"), units = document.createElement("div");
    said.textContent = `At (${number(x, 2)}, ${number(y, 2)}): f = ${number(a)} x₁ ${signed(b)} x₂ ${signed(c)} in the whole region. On ●, off ○:`;
    units.className = "pattern";
    units.textContent = pattern.map((layer) => layer.map((on) => (on ? "●" : "○")).join("")).join(" | ");
    return [said, units];
  }

  // A click or a tap chooses a region, or draws; so do the arrow keys, and Enter.
  listenTo(canvas, side) {
    const { setting } = this, chosen = () => this.views.length && setting.view === "plane";
    const placed = (event) => {
      const box = canvas.getBoundingClientRect(), part = (one, low, high) => 2 * Math.min(1, Math.max(0, (one - low) / (high - low))) - 1;
      return [setting.half * part(event.clientX, box.left, box.right), setting.half * part(event.clientY, box.bottom, box.top)];
    };
    let drawing = false;
    canvas.addEventListener("pointerdown", (event) => {
      if (!chosen()) return;
      drawing = setting.data === "drawn";
      if (drawing) canvas.setPointerCapture(event.pointerId);
      this.choose(side, ...placed(event), drawing);
    });
    canvas.addEventListener("pointermove", (event) => drawing && this.choose(side, ...placed(event), true));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drawing = false; });
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Enter: [0, 0] }[event.key];
      if (!by || !chosen()) return;
      event.preventDefault();
      const { x, y } = setting.chosen?.side === side ? setting.chosen : { x: 0, y: 0 }, far = (event.shiftKey ? 0.2 : 0.02) * setting.half;
      const inside = (one) => Math.min(setting.half, Math.max(-setting.half, one));
      this.choose(side, inside(x + by[0] * far), inside(y + by[1] * far), event.key === "Enter" && setting.data === "drawn");
    });
  }

  choose(side, x, y, draws) {
    const { setting } = this;
    if (draws) {
      const kept = drawnPoints(setting.drawn).filter(([x0, y0]) => this.brush < 2 || Math.hypot(x0 - x, y0 - y) > 0.08);
      const drawn = drawnText(this.brush < 2 ? [...kept, [x, y, this.brush]] : kept);
      if (drawn !== setting.drawn) this.change({ drawn });
    }
    if (!draws) setting.chosen = { side, x, y };
    this.say();
    this.soon();
  }
}
