// What all views draw with: colours for light and dark pages, a canvas as sharp as the screen, numbers in words.
const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const CLASSES = ["#0072B2", "#E69F00"], CHOSEN = "#CC1F7A";
const LIGHT = {
  page: "#ffffff", ink: "#1d2330", quiet: "#566073", line: "#d5dbe5", classes: CLASSES, points: ["#005a8e", "#a86f00"],
  sides: ["#6a3fb5", "#00795a"], chosen: CHOSEN,
};
const DARK = {
  dark: true,
  page: "#171b22", ink: "#e8ecf3", quiet: "#aab4c5", line: "#3a4250", classes: CLASSES, points: ["#7cc4f2", "#ffc65c"],
  sides: ["#b99cf2", "#4fd0a5"], chosen: "#ff6fb5",
};
export const DASHES = [[], [6, 4]]; // of the two networks' lines

export function rgb(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

// A page says in its own way whether it is dark: the site, JupyterLab, VS Code, Colab; else the system does.
export function themeOf(root) {
  const said = root.closest("[data-theme]")?.dataset.theme, lab = document.body.dataset.jpThemeLight;
  const named = /vscode-(dark|light|high-contrast)/.exec(document.body.className)?.[1];
  let dark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (said === "dark" || said === "light") dark = said === "dark";
  else if (lab) dark = lab === "false";
  else if (root.closest("[theme=dark]")) dark = true;
  else if (named) dark = named !== "light";
  return dark ? DARK : LIGHT;
}

// Returns a canvas's pen with the size of its box in the page's pixels; cleared.
export function penOf(canvas, ratio) {
  const width = canvas.clientWidth, height = Math.round(width * ratio), dots = window.devicePixelRatio || 1;
  const pen = canvas.getContext("2d"), size = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

export function write(pen, text, x, y, colour, align = "center", size = 11, weight = 400) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.textAlign = align;
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

export function buttonOf(words, does, more = {}) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words, ...more });
  button.addEventListener("click", does);
  return button;
}

// To `digits` that count, with a true minus sign: "0.031", "1,230", "3.5 × 10²⁶".
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return "no number";
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) {
    const [front, power] = value.toExponential(1).split("e");
    const raised = [...String(Number(power))].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[one] ?? "⁻").join("");
    return `${front.replace("-", "−")} × 10${raised}`;
  }
  const round = size >= 1000 ? Math.round(value) : Number(value.toPrecision(digits));
  return round.toLocaleString("en", { maximumFractionDigits: 6 }).replace("-", "−");
}

export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`;
