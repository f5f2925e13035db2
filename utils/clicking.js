// Clicks on the picture of a live figure are written, as "x, y", into the text widget of the same name.
(function (axes) {
  "use strict";
  const { id, place: [left, bottom, width, height], bounds: [horizontal, vertical] } = axes;
  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  const STEPS = 100; // small steps from one side to the other

  const spread = ([low, high], part) => low + part * (high - low);
  const within = ([low, high], value) => Math.min(Math.max(value, low), high);

  function write(text, x, y) {
    text.value = [within(horizontal, x), within(vertical, y)].map((value) => Number(value.toPrecision(3))).join(", ");
    text.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function clicked(event, picture, text) {
    // The picture keeps its shape in the middle of a frame that may have another one.
    const frame = picture.getBoundingClientRect();
    const scale = Math.min(frame.width / picture.naturalWidth, frame.height / picture.naturalHeight);
    const [wide, high] = [scale * picture.naturalWidth, scale * picture.naturalHeight];
    const across = ((event.clientX - frame.left - (frame.width - wide) / 2) / wide - left) / width;
    const up = (1 - (event.clientY - frame.top - (frame.height - high) / 2) / high - bottom) / height;
    if (across >= 0 && across <= 1 && up >= 0 && up <= 1) write(text, spread(horizontal, across), spread(vertical, up));
  }

  function pressed(event, text) {
    const move = KEYS[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = text.value.replaceAll("−", "-").split(",").map(Number), far = (event.shiftKey ? 10 : 1) / STEPS;
    if (!Number.isFinite(x + y)) return;
    write(text, x + move[0] * far * (horizontal[1] - horizontal[0]), y + move[1] * far * (vertical[1] - vertical[0]));
  }

  function connect() {
    const box = document.querySelector(`.${id}`);
    const text = box?.querySelector("input"), picture = box?.closest(".widget-vbox")?.querySelector("img");
    if (!text || !picture) return document.getElementById(id) && setTimeout(connect, 200);
    picture.style.cursor = "crosshair";
    picture.tabIndex = 0;
    picture.dataset.lmSuppressShortcuts = "true"; // JupyterLab would go to the next cell
    picture.setAttribute("aria-label", "a picture to click on; the arrow keys move the point, and it can be typed");
    picture.addEventListener("click", (event) => clicked(event, picture, text));
    picture.addEventListener("keydown", (event) => pressed(event, text));
  }

  connect();
})
