// A sheet to draw on: what is drawn is written, as a text of o, x and dots, into the text widget of the same name.
(function (sheet) {
  "use strict";
  const { id, side } = sheet;
  const LETTERS = ".ox", NAMES = ["erase", "blue circles", "orange squares"], COLOURS = ["#fff", "#0072B2", "#D55E00"];
  const SIZE = 384, CELL = SIZE / side;
  const root = document.getElementById(id);
  if (!root || root.firstChild) return;
  root.innerHTML = `<style>
      .drawing { max-width: ${SIZE + 4}px; padding: 8px; border-radius: 6px; background: #fff; color: #333;
        color-scheme: light; font: 14px/1.35 system-ui, Helvetica, Arial, sans-serif; }
      .drawing canvas { display: block; width: 100%; border: 1px solid #767676; cursor: crosshair; touch-action: none; }
      .drawing .row { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 6px 0; }
      .drawing label { display: inline-flex; gap: 5px; align-items: center; }
    </style><div class="drawing"><div class="row"></div>
    <canvas width="${SIZE}" height="${SIZE}" role="img" aria-label="a sheet to draw on; type into its text instead"></canvas>
    <div class="row"><button type="button">Clear</button><label><input type="checkbox">as text</label>
      <span role="status">Draw with the pointer held down.</span></div></div>`;
  const [canvas, clear, shown, said] = ["canvas", "button", "input[type=checkbox]", "[role=status]"]
    .map((what) => root.querySelector(what));
  const pen = canvas.getContext("2d"), kinds = root.querySelector(".row");
  let cells = new Array(side * side).fill(0), kind = 1, last = null, text = null;

  for (const one of [1, 2, 0]) {
    const label = document.createElement("label");
    label.innerHTML = `<input type="radio" name="${id}" ${one === kind ? "checked" : ""}>`;
    label.append(NAMES[one]);
    label.firstChild.addEventListener("change", () => (kind = one));
    kinds.append(label);
  }

  function mark(x, y, one) {
    pen.fillStyle = COLOURS[one];
    if (one === 2) return pen.fillRect(x + 2, y + 2, CELL - 4, CELL - 4);
    pen.beginPath();
    pen.arc(x + CELL / 2, y + CELL / 2, CELL / 2 - 2, 0, 7);
    pen.fill();
  }

  function show() {
    pen.clearRect(0, 0, SIZE, SIZE);
    pen.strokeStyle = "#e4e4e4";
    pen.beginPath();
    for (let at = CELL; at < SIZE; at += CELL) {
      pen.moveTo(at, 0);
      pen.lineTo(at, SIZE);
      pen.moveTo(0, at);
      pen.lineTo(SIZE, at);
    }
    pen.stroke();
    cells.forEach((one, at) => one && mark((at % side) * CELL, Math.floor(at / side) * CELL, one));
  }

  function write() {
    if (!text) return (said.textContent = "Run this cell to draw here.");
    const rows = Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side));
    text.value = rows.map((row) => row.map((one) => LETTERS[one]).join("")).join("\n");
    text.dispatchEvent(new Event("change", { bubbles: true }));
    const counts = [1, 2].map((one) => cells.filter((cell) => cell === one).length);
    said.textContent = `${counts[0]} blue, ${counts[1]} orange. ${counts.every(Boolean) ? "Go on to the next cell." : "Draw some of both."}`;
  }

  function read() {
    const rows = text.value.split("\n");
    cells = cells.map((_, at) => Math.max(0, LETTERS.indexOf((rows[Math.floor(at / side)]?.[at % side] ?? ".").toLowerCase())));
    show();
  }

  function place(event) {
    const frame = canvas.getBoundingClientRect();
    return [(event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height].map((part) => part * side);
  }

  function paint(event) {
    const [x, y] = place(event), [fromX, fromY] = last ?? [x, y], steps = Math.ceil(2 * Math.hypot(x - fromX, y - fromY)) || 1;
    for (let step = 0; step <= steps; step++) {
      const [column, row] = [fromX + ((x - fromX) * step) / steps, fromY + ((y - fromY) * step) / steps].map(Math.floor);
      if (Math.min(column, row) >= 0 && Math.max(column, row) < side) cells[row * side + column] = kind;
    }
    last = [x, y];
    show();
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
    paint(event);
  });
  canvas.addEventListener("pointermove", (event) => last && paint(event));
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, () => {
      if (last) write();
      last = null;
    });
  }
  clear.addEventListener("click", () => {
    cells.fill(0);
    show();
    write();
  });

  function connect() {
    const box = document.querySelector(`.${id}`), found = box?.querySelector("textarea");
    if (!found) return root.isConnected && setTimeout(connect, 200);
    text = found;
    const hide = () => (box.style.display = shown.checked ? "" : "none");
    text.style.fontFamily = "monospace";
    text.addEventListener("input", read);
    shown.addEventListener("change", hide);
    hide();
    if (text.value) read(); // else what was drawn before the text was found would be lost
  }

  show();
  connect();
})
