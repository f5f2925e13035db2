// What is looked up: the losses under the pointer, and the points that were held out.
import { NAMES } from "./setting.js";
import { number } from "./drawing.js";
import { lastOf, marginsOf } from "./curves.js";

// At which number of steps a place is, in a picture of this width.
function stepsAt(x, width, course) {
  const [left, right] = marginsOf(width);
  return ((x - left) / (width - left - right)) * lastOf(course);
}

// Returns what a course had seen nearest to a number of steps, in words.
export function lossesAt(course, steps) {
  if (!course.seen.length) return "";
  const far = (one) => Math.abs(one.steps - steps), near = course.seen.reduce((best, one) => (far(one) < far(best) ? one : best));
  return `At step ${number(near.steps, 9)}: ${near.sides.map(({ learnt, held }, side) => `${NAMES[side]} ${number(learnt)}, on new points ${number(held)}`).join("; ")}.`;
}

export function addLooking(lab) {
  const canvasOf = ({ target }) => target.closest?.("[data-view=losses].large canvas");
  const say = (event) => {
    const canvas = canvasOf(event);
    if (!canvas) return;
    const box = canvas.getBoundingClientRect(), words = canvas.parentElement.querySelector(".hovered") ?? document.createElement("p");
    words.className = "hovered quiet";
    canvas.after(words);
    words.textContent = lossesAt(lab.course, stepsAt(event.clientX - box.left, box.width, lab.course));
  };
  for (const event of ["pointermove", "pointerdown"]) lab.root.addEventListener(event, say);
  const label = document.createElement("label");
  label.className = "tick";
  label.innerHTML = '<input type="checkbox">show held-out points';
  lab.at(".data").after(label);
  const tick = label.firstChild;
  tick.addEventListener("input", () => {
    lab.shown = tick.checked ? "held" : "learnt";
    lab.soon();
  });
  return ({ data }) => { label.hidden = data === "none"; };
}
