// Editors in place of blanks and of exercises' stubs. What a reader writes is judged by the course's own Python, in a
// worker, and kept in this browser; nothing is sent.
import { createEditor, defaultCommands, setIgnoreTab } from "./vendor/prism-code-editor.js";

const SECONDS = 10; // for an answer
const ANSWER = "depth-course-answer ";
const PAGE = location.pathname.split("/").slice(-2).join("/").replace(/\.html$/, ""); // such as exercises/01_slug
const LESSON = PAGE.split("/")[1].slice(0, 2);
const NOT_KEPT = "Your text is not kept: this browser does not allow it.";
const TOO_LONG = `There was no answer after ${SECONDS} seconds, so this Python was ended and begins anew. Your text is as it ` +
  "was. Does each loop of yours come nearer to its end, and print little?";
const LOST = "This Python stopped, and begins anew with your next try; your text is as it was. ";
const STARTING = "Starting Python: some seconds, and then no more on this page …";
const UNREACHED = "Python could not be loaded. Is there a network? Try again. ";

// --- the worker -----------------------------------------------------------------------------------------------

let python; // { worker, ready, waiting: by number, what an answer resolves }

function begin() {
  const worker = new Worker(new URL(`python/worker.js?lesson=${LESSON}`, import.meta.url), { type: "module" });
  const waiting = new Map(), mine = { worker, waiting, share: 0, loading() {} };
  mine.ready = new Promise((resolve, reject) => {
    worker.onerror = () => reject(new Error(UNREACHED));
    worker.onmessage = ({ data }) => {
      if (data.kind === "loading") mine.loading(mine.share = data.share);
      else if (data.kind === "ready") resolve();
      else if (data.number === undefined) reject(new Error(`${UNREACHED}(${data.said})`));
      else waiting.get(data.number)(data);
    };
  });
  mine.ready.catch(() => end(mine));
  python = mine;
}

function end(mine = python) {
  mine.worker.terminate();
  if (python === mine) python = undefined;
}

let number = 0, last = Promise.resolve();
// Return what the course's Python says, when it has said what was asked before: an endless loop is nobody else's.
function ask(call, given, told) {
  const said = last.then(() => asked(call, given, told));
  last = said.catch(() => {});
  return said;
}

// Raises an Error with a sentence for the reader where Python says nothing.
async function asked(call, given, told) {
  if (!python) begin();
  const mine = python;
  mine.loading = (share) => told(share < 1 ? "Loading Python: about 10 MB …" : STARTING, share < 1 ? share : undefined);
  mine.loading(mine.share);
  await mine.ready;
  told("Python is at work …", undefined);
  number += 1;
  let clock;
  const said = await new Promise((resolve, reject) => {
    mine.waiting.set(number, resolve);
    clock = setTimeout(() => {
      end(mine);
      begin(); // so that it is there again when the reader is
      reject(new Error(TOO_LONG));
    }, SECONDS * 1000);
    mine.worker.postMessage({ number, call, given });
  });
  clearTimeout(clock);
  if (said.kind === "judged") return said;
  end(mine);
  throw new Error(`${LOST}(${said.said})`);
}

// --- what is kept ---------------------------------------------------------------------------------------------

function kept(id) {
  try {
    return JSON.parse(localStorage.getItem(ANSWER + id)) ?? {};
  } catch {
    return {};
  }
}

function keep(id, what) {
  try {
    localStorage.setItem(ANSWER + id, JSON.stringify({ ...kept(id), ...what }));
    return true;
  } catch {
    return false;
  }
}

// --- an editor ------------------------------------------------------------------------------------------------

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const ROW = /^ {2}(\S.{8}) (.*(?:\n {12}.*)*)/; // a label and its text, as a check prints them, with lines below

// Return what a check prints as paragraphs and rows; the hint, wrapped for a notebook, is wrapped by the page instead.
function rowsOf(said) {
  const rows = [];
  for (let rest = said; rest;) {
    const row = rest.match(ROW), [text] = row ?? rest.match(/^.*(?:\n(?! {2}\S).*)*/);
    rest = rest.slice(text.length).replace(/^\n/, "");
    if (!row) {
      rows.push(element("pre", { textContent: text }));
      continue;
    }
    const label = row[1].trim(), below = row[2].replaceAll("\n            ", label === "hint" ? " " : "\n");
    rows.push(element("dl", {}, element("dt", { textContent: label }),
      element("dd", { className: label === "hint" ? "hint" : "", textContent: below, tabIndex: label === "hint" ? -1 : 0 })));
  }
  return rows;
}

const parts = new Map(); // by key of a blank, or id of an exercise

function write(place) {
  const { blank, exercise, draws } = place.dataset, id = blank ?? exercise;
  const stub = place.querySelector("pre").textContent.replace(/^# exercise .*\n/, "").trimEnd();
  const words = blank ? "Run" : "Check";
  const run = element("button", { type: "button", textContent: words, title: "Ctrl+Enter" });
  const again = element("button", { type: "button", className: "again", textContent: "Start again" });
  const status = element("p", { role: "status" }), bar = element("progress", { max: 1, hidden: true });
  const feedback = element("div", { className: "said", hidden: true });
  feedback.setAttribute("role", "group");
  feedback.setAttribute("aria-label", "what the check says");
  const box = element("div", { className: "editor" });
  place.replaceChildren(box, element("div", { className: "row" }, run, again, bar, status), feedback);
  if (draws !== undefined) place.append(element("p", { className: "still", textContent: "Its picture is in the notebook." }));
  const editor = createEditor(box, { language: "python", value: kept(id).text ?? stub, tabSize: 4, lineNumbers: false, wordWrap: false },
    defaultCommands());
  const area = editor.textarea;
  area.setAttribute("aria-label", `${blank ? "your lines" : `exercise ${id}`}, Python. Tab indents; Escape, then Tab, leaves`);
  area.spellcheck = false;
  area.addEventListener("focus", () => setIgnoreTab(false));
  box.addEventListener("keydown", (event) => { // before the editor hears it, which would begin a line
    if (event.key === "Escape") setIgnoreTab(true);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      judge();
    }
  }, true);
  let judged = kept(id).judged; // the text that the points are for
  const lastTime = () => {
    const { judged, points, of, right } = kept(id);
    if (judged !== editor.value) return "";
    return right ? "Right, last time." : points > 0 ? `Last time: ${points} of ${of} points.` : "";
  };
  editor.on("update", () => {
    if (editor.value !== judged) part.show("");
    if (editor.value === (kept(id).text ?? stub)) return;
    status.textContent = keep(id, { text: editor.value }) ? lastTime() : NOT_KEPT;
  });
  const part = {
    id,
    stub,
    get text() { return editor.value; },
    set text(text) { // as if typed, so that it can be undone
      area.focus();
      area.select();
      document.execCommand("insertText", false, text);
      if (editor.value !== text) editor.setOptions({ value: text });
    },
    get isWritten() { return editor.value.trimEnd() !== stub; },
    show(said) {
      feedback.replaceChildren(...rowsOf(said));
      feedback.classList.toggle("right", /^✓/m.test(said));
      feedback.hidden = !said;
    },
    adopt(text) { // of another tab
      const isHere = document.activeElement === area && document.hasFocus();
      if (!isHere && text !== editor.value) editor.setOptions({ value: text });
    },
  };

  function tell(said, share) { // without a share, the bar shows that something is going on
    status.textContent = said;
    bar.hidden = said === "";
    if (share === undefined) bar.removeAttribute("value");
    else bar.value = share;
  }

  async function judge() {
    if (run.ariaDisabled === "true") return;
    run.ariaDisabled = "true"; // and no more: it keeps the focus
    const text = editor.value;
    tell("Another check comes first …");
    try {
      const found = blank ? await ask("blank", [PAGE, id, text, isHeld(id)], tell)
        : await ask("exercise", [PAGE, id, answers()], tell);
      if (blank && found.right && found.whole) output(id)?.setAttribute("hidden", "");
      judged = text;
      part.show(found.said);
      const points = blank ? { right: found.right } : { points: found.points, of: found.of };
      tell(keep(id, { text: editor.value, judged, ...points }) ? "" : NOT_KEPT);
    } catch (error) {
      part.show("");
      tell(error.message);
    }
    bar.hidden = true;
    run.ariaDisabled = "false";
  }

  run.addEventListener("click", judge);
  again.addEventListener("click", () => {
    part.text = stub;
    part.show("");
  });
  status.textContent = lastTime();
  parts.set(id, part);
}

const output = (key) => document.querySelector(`.output[data-of="${key}"]`); // what the page's own line printed
const isHeld = (key) => output(key)?.closest("[data-held]") != null; // it would answer a prediction

const answers = () => Object.fromEntries([...parts.values()].filter((one) => one.isWritten).map((one) => [one.id, cellOf(one)]));
const cellOf = (part) => `# exercise ${part.id}\n${part.text}`;

for (const place of document.querySelectorAll(".write")) write(place);
addEventListener("storage", ({ key, newValue }) => {
  if (key?.startsWith(ANSWER) && newValue) parts.get(key.slice(ANSWER.length))?.adopt(JSON.parse(newValue).text);
});

// --- the notebook ---------------------------------------------------------------------------------------------

const FIRST_LINE = /^\s*#\s*exercise\s+(\d\d\.\d+)\s*\n/i;
const sourceOf = (cell) => [cell.source].flat().join("");

async function download(status) {
  const answer = await fetch(location.pathname.replace(/\.html$/, ".ipynb")).catch(() => ({ ok: false }));
  if (!answer.ok) {
    status.textContent = "The notebook could not be loaded. Is there a network? Try again.";
    return;
  }
  const notebook = await answer.json(), written = answers();
  for (const cell of notebook.cells) {
    const id = cell.cell_type === "code" && sourceOf(cell).match(FIRST_LINE)?.[1];
    if (id in written) cell.source = written[id];
  }
  const file = new Blob([JSON.stringify(notebook, null, 1) + "\n"], { type: "application/x-ipynb+json" });
  const link = element("a", { href: URL.createObjectURL(file), download: `${PAGE.split("/")[1]}.ipynb` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  status.textContent = "It runs in the course's folder, or in Colab beside depth-course.zip.";
}

async function open(file, status) {
  let cells = [];
  try {
    cells = JSON.parse(await file.text()).cells.filter((cell) => cell.cell_type === "code").map(sourceOf);
  } catch {}
  const found = cells.map((text) => [text.match(FIRST_LINE)?.[1], text.replace(FIRST_LINE, "").trimEnd()]);
  const mine = found.filter(([id]) => parts.has(id)), written = mine.filter(([id, text]) => text !== parts.get(id).stub);
  const lost = written.filter(([id, text]) => parts.get(id).isWritten && parts.get(id).text !== text).map(([id]) => id);
  if (lost.length && !confirm(`Replace what stands here for ${lost.join(", ")}?`)) return;
  for (const [id, text] of written) parts.get(id).text = text;
  status.textContent = !mine.length
    ? `${file.name} is no notebook of this lesson's exercises: no code cell begins with "# exercise ${LESSON}.…".`
    : `Here now, of ${file.name}: ${written.map(([id]) => id).join(", ") || "nothing, since nothing in it is written yet"}.`;
}

if (PAGE.startsWith("exercises/") && parts.size) {
  const status = element("p", { role: "status" });
  const save = element("button", { type: "button", textContent: "Download my notebook" });
  const file = element("input", { type: "file", accept: ".ipynb", hidden: true });
  const load = element("button", { type: "button", className: "again", textContent: "Open a notebook here" });
  save.addEventListener("click", () => download(status));
  load.addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    if (file.files.length) await open(file.files[0], status);
    file.value = "";
  });
  const whole = element("div", { className: "whole row" }, save, load, file, status);
  document.querySelector("article").append(whole);
}
