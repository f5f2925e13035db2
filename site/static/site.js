// Predictions without a kernel: a reader commits to a choice, the answer opens with what is said of it, and the
// browser remembers it (localStorage; nothing is sent). What is said stands in the page, folded below each answer.
const KEPT = "depth-course-predictions";

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
  } catch {} // it is still answered
}

function paragraph(first, rest) {
  const said = document.createElement("p"), bold = document.createElement("b");
  bold.textContent = first;
  said.append(bold, " ", rest);
  return said;
}

function settle(form, number) {
  const key = form.dataset.prediction;
  const answer = document.querySelector(`details[data-answers="${key}"]`);
  const choices = [...answer.querySelectorAll(`ol[data-prediction="${key}"] > li`)];
  const words = (li) => [li.querySelector("b").textContent, li.querySelector("span").textContent];
  const [chosen, sentence] = words(choices[number]);
  const isRight = choices[number].dataset.right === "yes";
  const said = document.createElement("div");
  said.className = "prediction-said";
  said.append(paragraph("You predicted:", chosen),
    paragraph(isRight ? "That is what came out." : "That is not what came out.", sentence));
  if (!isRight) {
    const [right, why] = words(choices.find((li) => li.dataset.right === "yes"));
    said.append(paragraph("Right is:", `${right}. ${why}`));
  }
  form.dataset.settled = "";
  form.querySelectorAll("input").forEach((input, at) => {
    input.checked = at === number;
    input.disabled = true;
  });
  answer.querySelector("summary").after(said);
  answer.querySelector("summary span").remove();
  answer.open = true;
}

// What follows an answer in its section would give it away: it waits until the answer is opened, with a prediction or
// without.
function hold(section) {
  let held = false;
  for (const part of section.children) {
    part.toggleAttribute("data-held", held);
    for (const answer of [part, ...part.querySelectorAll("details")]) {
      if (!answer.matches("details[data-answers]")) continue;
      const holds = !("opened" in answer.dataset) && !answer.previousElementSibling?.matches("form");
      answer.toggleAttribute("data-holds", holds);
      held ||= holds;
    }
  }
}

for (const form of document.querySelectorAll("form[data-prediction]")) {
  const key = form.dataset.prediction, inputs = [...form.querySelectorAll("input")];
  const number = inputs.findIndex((input) => input.value === kept()[key]);
  if (number >= 0) settle(form, number);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if ("settled" in form.dataset) return;
    const number = inputs.findIndex((input) => input.checked);
    keep(key, inputs[number].value);
    settle(form, number);
    form.querySelector("[role=status]").textContent = "Committed. The answer is open, below.";
  });
}

for (const answer of document.querySelectorAll("details[data-answers]")) {
  const section = answer.closest("section");
  if (answer.open) answer.dataset.opened = "";
  answer.addEventListener("toggle", () => {
    answer.dataset.opened = "";
    hold(section);
  });
  hold(section);
}

function showTarget() { // of a link into what waits
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let held; (held = target?.closest("[data-held]")); ) {
    held.closest("section:not([data-held])").querySelectorAll("details[data-answers]")
      .forEach((answer) => { answer.dataset.opened = ""; });
    hold(held.closest("section:not([data-held])"));
    target.scrollIntoView();
  }
}
addEventListener("hashchange", showTarget);
showTarget();

if (Object.keys(kept()).length) {
  const forget = document.createElement("button");
  forget.className = "forget";
  forget.textContent = "Forget my predictions";
  forget.addEventListener("click", () => {
    localStorage.removeItem(KEPT);
    location.reload();
  });
  document.querySelector("footer, main")?.append(forget);
}
