// Predictions without a kernel: a reader commits to a choice, the answer opens with what is said of it, and the
// browser remembers it (localStorage; nothing is sent). What is said stands in the page, folded below each answer.
// What would give an answer away is held back until it is open, with a prediction or without.
// The browser remembers answers in a reader's own words as well.
const KEPT = "depth-course-predictions";
const HOME = document.currentScript.src; // in _static

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // no storage, or something else's
  }
}

function keep(key, choice) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [key]: choice }));
    return true;
  } catch {} // a prediction is still answered
}

function paragraph(first, rest) {
  const said = document.createElement("p"), bold = document.createElement("b");
  bold.textContent = first;
  said.append(...(first ? [bold, " "] : []), rest);
  return said;
}

const ANSWERS = "details[data-answers]", isWaiting = (answer) => !("opened" in answer.dataset);
const answerOf = (form) => document.querySelector(`${ANSWERS}[data-answers="${form.dataset.prediction}"]`);
const answersIn = (part) => [part, ...part.querySelectorAll("details")].filter((one) => one.matches(ANSWERS));
const UNWRITTEN = "form[data-words]:not([data-read-on])"; // the next section has the course's own words
const isLast = (section) => /What you can now say/.test(section.querySelector("h2")?.textContent);

function settle(form, number) {
  const key = form.dataset.prediction, predicted = form.dataset.kind === "prediction";
  const answer = answerOf(form);
  const choices = [...answer.querySelectorAll(`ol[data-prediction="${key}"] > li`)];
  const words = (li) => [li.querySelector("b").textContent, li.querySelector("span").textContent];
  const [chosen, sentence] = words(choices[number]);
  const isRight = choices[number].dataset.right === "yes";
  const [right, why] = words(choices.find((li) => li.dataset.right === "yes"));
  const said = document.createElement("div"), quoted = `"${chosen}"`, answered = `The answer is "${right}".`;
  said.className = "prediction-said";
  if (predicted) {
    said.append(paragraph(isRight ? `You said ${quoted}, and that is the answer.` : `You said ${quoted}. ${answered}`, sentence));
    if (!isRight) said.append(paragraph("", why));
  } else {
    said.append(paragraph(isRight ? "Yes." : "No.", sentence));
    if (!isRight) said.append(paragraph(answered, why));
  }
  form.dataset.settled = "";
  form.querySelectorAll("input").forEach((input, at) => {
    input.checked = at === number;
    input.disabled = true;
  });
  answer.querySelector("summary").after(said);
  answer.querySelector("summary span").remove();
  answer.open = true;
  return answer.querySelector("summary");
}

// Within a section: from a form on its outputs, but for the answer's own line, and after the answer all.
function hold(section) {
  const before = section.previousElementSibling;
  let held = before?.querySelector("[data-together]") != null && answersIn(before).some(isWaiting) ||
    before?.querySelector(UNWRITTEN) != null;
  let asked = false;
  for (const part of section.children) {
    const waiting = answersIn(part).filter(isWaiting), isOutput = part.matches(".output");
    part.toggleAttribute("data-held", !part.matches("h2, h3") && (held || (asked && isOutput && !waiting.length)));
    for (const answer of answersIn(part)) answer.toggleAttribute("data-holds", waiting.includes(answer));
    if (isOutput) {
      for (const one of part.children) one.toggleAttribute("data-held", waiting.length > 0 && !waiting.includes(one));
    }
    const form = [part, ...part.querySelectorAll("form")].find((one) => one.matches("form[data-prediction]"));
    if (form) asked = isWaiting(answerOf(form));
    if (answersIn(part).length) asked = false;
    held ||= waiting.length > 0;
  }
}

function holdAll() {
  const sections = [...document.querySelectorAll("article section section")];
  const waits = [...document.querySelectorAll(ANSWERS)].some(isWaiting);
  for (const section of sections) {
    hold(section);
    if (!isLast(section)) continue;
    const early = section.querySelector(".early");
    early?.toggleAttribute("hidden", !waits);
    for (const part of section.children) {
      part.toggleAttribute("data-held", waits && !early?.open && !part.matches("h2, .early"));
    }
  }
}

for (const section of document.querySelectorAll("article section section")) {
  if (!isLast(section)) continue;
  const early = document.createElement("details");
  early.className = "early";
  early.innerHTML = "<summary>Some answers above are not open yet. Show it anyway.</summary>";
  early.addEventListener("toggle", holdAll);
  section.querySelector("h2").after(early);
}

for (const form of document.querySelectorAll("form[data-prediction]")) {
  const key = form.dataset.prediction, inputs = [...form.querySelectorAll("input")];
  const number = inputs.findIndex((input) => input.value === kept()[key]);
  form.querySelector("button").disabled = false;
  if (number >= 0) settle(form, number);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if ("settled" in form.dataset) return;
    const number = inputs.findIndex((input) => input.checked);
    keep(key, inputs[number].value);
    const summary = settle(form, number);
    form.querySelector("[role=status]").textContent = "Committed. The answer is open, below.";
    summary.focus({ preventScroll: true });
    offerToForget();
  });
}

for (const form of document.querySelectorAll("form[data-words]")) {
  const key = `words ${form.dataset.words}`, area = form.querySelector("textarea");
  const status = form.querySelector("[role=status]"), skip = form.querySelector("[type=button]");
  const readOn = () => {
    form.dataset.readOn = "";
    skip.hidden = true;
    holdAll();
  };
  area.value = kept()[key] ?? "";
  if (area.value) readOn();
  for (const button of form.querySelectorAll("button")) button.disabled = false;
  skip.addEventListener("click", readOn);
  form.addEventListener("input", () => { status.textContent = ""; }); // what now stands there is not kept yet
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = area.value.trim();
    status.textContent = !text ? "Write first." : keep(key, text) ? "Kept in this browser. Nothing is sent."
      : "Nothing is kept here: this browser does not allow it.";
    if (text) readOn();
    offerToForget();
  });
}

for (const answer of document.querySelectorAll(ANSWERS)) {
  if (answer.open) answer.dataset.opened = "";
  answer.addEventListener("toggle", () => {
    answer.dataset.opened = "";
    holdAll();
  });
}
holdAll();

function showTarget() { // of a link into what is held back
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = target?.closest("[data-held]") && target.closest("section");
  if (!section) return;
  for (const one of [section.previousElementSibling, section]) {
    if (one) for (const answer of answersIn(one)) answer.dataset.opened = "";
    for (const form of one?.querySelectorAll(UNWRITTEN) ?? []) form.dataset.readOn = "";
  }
  const early = section.querySelector(".early");
  if (early) early.open = true;
  holdAll();
  target.scrollIntoView({ behavior: "instant" });
}
addEventListener("hashchange", showTarget);
showTarget();
addEventListener("beforeprint", () => {
  for (const answer of document.querySelectorAll(ANSWERS)) answer.open = true;
});

const ANSWER = "depth-course-answer ";
function written() { // the keys of what was written into editors
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(ANSWER));
  } catch {
    return [];
  }
}

function offerToForget() {
  if (document.querySelector(".forget") || !(Object.keys(kept()).length || written().length)) return;
  const forget = document.createElement("button");
  forget.className = "forget";
  forget.textContent = "Forget what I predicted and wrote";
  forget.addEventListener("click", () => {
    if (!confirm("Forget what you predicted and wrote in all lessons, your answers to exercises too?")) return;
    for (const key of [KEPT, ...written()]) localStorage.removeItem(key);
    location.reload();
  });
  document.querySelector("footer, main")?.append(forget);
}
offerToForget();

// Blanks and exercises become editors where the site is served; a page that is opened as a file may load no Python.
if (document.querySelector(".write")) {
  if (location.protocol === "file:") {
    const said = document.createElement("p");
    said.className = "still";
    said.append("Opened as a file, this page cannot load Python. To write in it, run ", Object.assign(document.createElement("code"), {
      textContent: "python -m http.server -d _site" }), " in the course's folder, and open http://localhost:8000.");
    document.querySelector("article h1").after(said);
  } else {
    import(new URL("editors.js", HOME));
  }
}
if (navigator.serviceWorker) navigator.serviceWorker.register(new URL("../service-worker.js", HOME)).catch(() => {});

// On the page of all pages, each lesson has what is solved of its exercises.
if (/contents\.html$/.test(location.pathname)) {
  const solved = written().filter((key) => {
    const { points, of } = JSON.parse(localStorage[key]);
    return of > 0 && points === of;
  });
  for (const link of document.querySelectorAll('article a[href*="/notebooks/"]:not([href*="#"])')) {
    const lesson = link.getAttribute("href").match(/\d\d_/)?.[0].replace("_", "."); // an excursion has none
    const ids = solved.map((key) => key.slice(ANSWER.length)).filter((id) => id.startsWith(lesson)).sort();
    if (ids.length) link.after(` · solved: ${ids.join(", ")}`);
  }
}

// Where a table is narrow, each cell says which column it is of.
for (const table of document.querySelectorAll("article table")) {
  // An empty name is a td there.
  const names = [...table.querySelectorAll("thead tr > *")].map((one) => one.textContent.trim());
  for (const row of table.querySelectorAll("tbody tr")) {
    [...row.children].forEach((cell, at) => { if (at && names[at] && cell.textContent.trim()) cell.dataset.label = names[at]; });
  }
}

// What is wider than its place is moved by keyboard, too; what is not is no stop on the way.
const moved = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const one of document.querySelectorAll("article :is(pre, .table-wrapper, .output, .film)")) moved.observe(one);
