// Shows the film that utils/player.py hands over, in each element that waits for it.
(function (film) {
  "use strict";
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const SOLID = film.low.length === 3, BINS = SOLID ? 5 : 1; // of depth, drawn from the farthest to the nearest
  const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif", SMALL = `12px ${FONT}`;
  const MOVING = 0.75; // of a frame's time, then it rests
  const MARKERS = [
    "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z", "M-.9 -.9H.9V.9H-.9Z", "M0 -1.2L1.1 .8H-1.1Z", "M0 -1.3L1.3 0L0 1.3L-1.3 0Z",
    "M0 1.2L1.1 -.8H-1.1Z", "M-1.2 -.4H-.4V-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2Z", "M-.6 -1.2H.6V1.2H-.6Z",
    "M-1.2 -.6H1.2V.6H-1.2Z",
  ]; // and dashes, one for each colour
  const DASHES = ["", "7 5", "9 4 2 4", "2 5", "12 3", "3 3", "9 3 2 3 2 3", ""];
  const ICONS = { play: "M5 3L16 9.5L5 16Z", pause: "M5 3H8.5V16H5ZM11 3H14.5V16H11Z" };
  const STYLE = `
    .film, .film * { box-sizing: border-box; }
    .film { max-width: 720px; padding: 12px 14px 8px; border-radius: 6px; background: #fff; color: #333;
      color-scheme: light; font: 14px/1.35 ${FONT}; }
    .film .names, .film .row { display: flex; align-items: center; gap: 4px 18px; flex-wrap: wrap; }
    .film .names span { display: inline-flex; align-items: center; gap: 7px; }
    .film .row { gap: 10px; flex-wrap: nowrap; min-height: 42px; }
    .film .row label { display: flex; flex: 1; align-items: center; gap: 8px; min-width: 0; }
    .film canvas { display: block; width: 100%; margin: 4px 0; touch-action: pan-y; }
    .film input { flex: 1; min-width: 40px; height: 28px; margin: 0; accent-color: ${film.colours[0]}; cursor: pointer; }
    .film .label { max-width: 45%; overflow-wrap: anywhere; font-weight: 600; }
    .film button { flex: none; width: 38px; height: 38px; padding: 0; border: 0; border-radius: 50%;
      background: ${film.colours[0]}; color: #fff; cursor: pointer; }
    .film svg { display: block; margin: auto; }
    .film :focus-visible { outline: 3px solid ${film.colours[0]}; outline-offset: 2px; }`;
  const last = film.labels.length - 1, stops = [...film.labels.keys()].filter((at) => film.labels[at]);
  const after = (at) => stops.find((stop) => stop > at) ?? last;
  const before = (at) => stops.filter((stop) => stop < at).pop() ?? 0;
  const nearest = (at) => stops.reduce((best, stop) => (Math.abs(stop - at) <= Math.abs(best - at) ? stop : best));
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  function start(root) {
    root.dataset.ready = "yes";
    const box = document.createElement("div"), picture = root.querySelector("img");
    const angle = (name, most) => `<label>${name} <input class="${name}" type="range" min="-${most}" max="${most}"
      step="5" value="${film.angles[name]}"></label>`;
    box.className = "film";
    box.innerHTML = `<style>${STYLE}</style><div class="names"></div><canvas role="img" tabindex="0"></canvas>
      <div class="row"><button type="button"><svg width="19" height="19" aria-hidden="true"><path fill="currentColor"/></svg></button>
      <input class="time" type="range" min="0" max="${last}" step="any" value="0" aria-label="frame">
      <span class="label"></span></div>
      ${SOLID ? `<div class="row">${angle("turn", 180)}${angle("tilt", 90)}</div>` : ""}`;
    const [names, canvas, button, time, label] = [".names", "canvas", "button", ".time", ".label"]
      .map((what) => box.querySelector(what));
    for (const named of film.names) {
      names.insertAdjacentHTML("beforeend", `<span>${sample(named)}</span>`);
      names.lastChild.append(named.name);
    }
    canvas.setAttribute("aria-label", picture.alt);
    label.style.minWidth = `min(45%, ${0.56 * Math.max(...film.labels.map((one) => one.length))}em)`;
    picture.replaceWith(box);

    const draw = drawer(canvas), angles = { ...film.angles };
    let position = 0, goal = null, from = 0, began = 0; // goal: the frame to stop at, null where nothing moves

    function show() {
      const icon = goal === null ? "play" : "pause";
      time.value = position;
      label.textContent = film.labels[nearest(position)];
      time.setAttribute("aria-valuetext", label.textContent);
      button.setAttribute("aria-label", icon);
      button.querySelector("path").setAttribute("d", ICONS[icon]);
      draw(position, angles);
    }

    function jump(to) {
      goal = null;
      position = still.matches ? nearest(to) : clamp(to, 0, last);
      show();
    }

    function run(to) {
      if (goal === null) requestAnimationFrame(tick);
      [goal, from, began] = [to, position, performance.now()];
    }

    function tick(now) {
      if (goal === null) return;
      if (goal === position || !box.isConnected) return jump(position);
      const next = goal > from ? after(from) : before(from);
      const all = goal > from ? next - before(next) : after(next) - next; // frames from one stop to the next
      const part = clamp(((now - began) / (1000 * film.seconds)) * (all / Math.abs(next - from)), 0, 1);
      const eased = still.matches ? 0 : Math.min(1, part / MOVING);
      position = part === 1 ? next : from + (next - from) * eased * eased * (3 - 2 * eased);
      if (part === 1) [from, began] = [next, now];
      show();
      requestAnimationFrame(tick);
    }

    function step(by) {
      if ([before(position), after(position)].includes(goal)) position = goal; // held down, a key does not wait
      const to = by > 0 ? after(position) : before(position);
      if (still.matches) jump(to);
      else run(to);
    }

    function toggle() {
      if (goal !== null) return jump(position);
      if (position === last) position = 0;
      run(last);
    }

    const keys = {
      " ": toggle, ArrowRight: () => step(1), ArrowUp: () => step(1), ArrowLeft: () => step(-1),
      ArrowDown: () => step(-1), Home: () => jump(0), End: () => jump(last),
    };
    box.addEventListener("keydown", (event) => {
      if (![time, canvas].includes(event.target) || !keys[event.key] || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    button.addEventListener("click", toggle);
    time.addEventListener("input", () => jump(Number(time.value)));
    if (SOLID) letTurn(box, canvas, angles, show);
    new ResizeObserver(show).observe(box);
    show();
  }

  function sample({ kind, style }) {
    const colour = film.colours[style];
    const line = `<path d="M0 7H26" stroke="${colour}" stroke-width="2" stroke-dasharray="${DASHES[style]}"/>`;
    const square = `<path d="M6 1H20V13H6Z" fill="${colour}" fill-opacity=".3" stroke="${colour}"/>`;
    const marker = `<path transform="translate(13 7) scale(5)" d="${MARKERS[style]}" fill="${colour}"/>`;
    return `<svg width="26" height="14" aria-hidden="true">${{ lines: line, polygons: square, points: marker }[kind]}</svg>`;
  }

  function letTurn(box, canvas, angles, show) {
    const sliders = ["turn", "tilt"].map((name) => box.querySelector(`.${name}`));
    for (const slider of sliders) {
      slider.addEventListener("input", () => {
        angles[slider.className] = Number(slider.value);
        show();
      });
    }
    let held = null;
    canvas.style.cursor = "grab";
    canvas.addEventListener("pointerdown", (event) => {
      held = event;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) return;
      angles.turn = ((angles.turn + (event.clientX - held.clientX) / 2 + 540) % 360) - 180;
      angles.tilt = clamp(angles.tilt + (event.clientY - held.clientY) / 2, -90, 90);
      held = event;
      for (const slider of sliders) slider.value = angles[slider.className];
      show();
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (held = null));
  }

  function decoded(shape) {
    const axes = film.low.length, n = shape.items * shape.vertices, level = (at) => LETTERS.indexOf(shape.data[at]);
    const values = Float32Array.from({ length: shape.data.length / 2 }, (_, i) => {
      const part = (64 * level(2 * i) + level(2 * i + 1)) / 4095;
      return film.low[i % axes] + part * (film.high[i % axes] - film.low[i % axes]);
    });
    const [x, y, bin] = [new Float32Array(n), new Float32Array(n), new Float32Array(n)];
    return { ...shape, values, x, y, bin, groups: Array.from(shape.groups, Number) };
  }

  function drawer(canvas) {
    const pen = canvas.getContext("2d"), sprites = new Map(), draws = { points, lines, polygons };
    const panels = film.panels.map((panel) => ({ ...panel, shapes: panel.shapes.map(decoded) }));
    const top = film.panels[0].title ? 26 : 8, below = film.axes[0] ? 42 : 28;
    const [left, right, bottom] = SOLID ? [4, 4, 4] : [film.axes[1] ? 64 : 46, 14, below];
    let dots = 1; // of the screen, in one of the page's

    return function draw(position, angles) {
      const width = canvas.clientWidth, n = panels.length, least = SOLID ? 165 : 200;
      const columns = width < least * n ? Math.ceil(n / 2) : n;
      if (!width) return;
      const room = width / columns - left - right, high = Math.min(room * film.ratio, 400), row = high + top + bottom;
      const wide = film.equal ? high / film.ratio : room, height = Math.round(row * Math.ceil(n / columns));
      const size = [width, height].map((one) => Math.round(one * window.devicePixelRatio));
      if (canvas.width !== size[0] || canvas.height !== size[1]) {
        [canvas.width, canvas.height] = size;
        canvas.style.height = `${height}px`;
        sprites.clear();
      }
      dots = window.devicePixelRatio;
      pen.setTransform(dots, 0, 0, dots, 0, 0);
      pen.clearRect(0, 0, width, height);
      panels.forEach((panel, at) => {
        const x = (at % columns) * (width / columns) + left + (room - wide) / 2, y = Math.floor(at / columns) * row + top;
        const place = SOLID ? inSpace(x, y, wide, high, angles) : inPlane(x, y, wide, high);
        write(panel.title, x + wide / 2, y - 14, "center", `600 13px ${FONT}`);
        if (SOLID) cube(place);
        else axes(x, y, wide, high, place);
        pen.save();
        pen.beginPath();
        pen.rect(x - 1, y - 1, wide + 2, high + 2);
        pen.clip();
        for (const shape of panel.shapes) {
          move(shape, position, place);
          draws[shape.kind](shape);
        }
        pen.restore();
      });
    };

    function inPlane(x, y, width, height) {
      const [[x0, x1], [y0, y1]] = film.view;
      return (a, b) => [x + ((a - x0) / (x1 - x0)) * width, y + ((y1 - b) / (y1 - y0)) * height, 0];
    }

    function inSpace(x, y, width, height, angles) {
      const radius = Math.hypot(...film.view.map(([low, high]) => (high - low) / 2));
      const middle = film.view.map(([low, high]) => (low + high) / 2), scale = Math.min(width, height) / 2 / radius;
      const [turn, tilt] = [angles.turn, angles.tilt].map((degrees) => (degrees * Math.PI) / 180);
      return (a, b, c) => {
        const [p, q, r] = [a - middle[0], b - middle[1], c - middle[2]];
        const across = Math.cos(turn) * p - Math.sin(turn) * q, away = Math.sin(turn) * p + Math.cos(turn) * q;
        const above = Math.cos(tilt) * r + Math.sin(tilt) * away, near = Math.sin(tilt) * r - Math.cos(tilt) * away;
        const bin = clamp(Math.floor((BINS * (near / radius + 1)) / 2), 0, BINS - 1);
        return [x + width / 2 + scale * across, y + height / 2 - scale * above, bin];
      };
    }

    function move({ values, frames, x, y, bin }, position, place) {
      const axes = film.low.length, frame = frames > 1 ? Math.floor(position) : 0, part = frames > 1 ? position % 1 : 0;
      const one = frame * x.length * axes, other = part ? one + x.length * axes : one;
      const value = (at) => values[one + at] + part * (values[other + at] - values[one + at]);
      for (let i = 0; i < x.length; i++) {
        [x[i], y[i], bin[i]] = place(value(i * axes), value(i * axes + 1), SOLID && value(i * axes + 2));
      }
    }

    function fromFarToNear(paint) {
      for (let bin = 0; bin < BINS; bin++) {
        const near = SOLID ? bin / (BINS - 1) : 1;
        pen.globalAlpha = 0.4 + 0.6 * near;
        paint(bin, near);
      }
      pen.globalAlpha = 1;
    }

    function points({ x, y, bin, groups, styles }) {
      const radius = x.length > 800 ? 2.4 : x.length > 200 ? 3.2 : 4.4;
      fromFarToNear((wanted, near) => {
        const marks = styles.map((style) => sprite(style, radius * (0.6 + 0.4 * near)));
        const size = marks[0].width / dots;
        for (let i = 0; i < x.length; i++) {
          if (bin[i] === wanted) pen.drawImage(marks[groups[i]], x[i] - size / 2, y[i] - size / 2, size, size);
        }
      });
    }

    function sprite(style, radius) {
      const key = `${style} ${radius}`;
      if (!sprites.has(key)) {
        const mark = document.createElement("canvas"), marker = new Path2D(MARKERS[style]);
        mark.width = mark.height = Math.ceil((2.8 * radius + 2) * dots);
        const own = mark.getContext("2d");
        own.setTransform(radius * dots, 0, 0, radius * dots, mark.width / 2, mark.width / 2);
        [own.fillStyle, own.strokeStyle, own.lineWidth] = [film.colours[style], "#fff", (radius > 2.5 ? 0.8 : 0.4) / radius];
        own.fill(marker);
        own.stroke(marker);
        sprites.set(key, mark);
      }
      return sprites.get(key);
    }

    function lines({ x, y, bin, groups, styles, vertices }) {
      pen.lineJoin = pen.lineCap = "round";
      fromFarToNear((wanted, near) => {
        pen.lineWidth = 1 + near;
        styles.forEach((style, group) => {
          pen.beginPath();
          groups.forEach((own, item) => {
            let open = false;
            for (let i = item * vertices; own === group && i < (item + 1) * vertices - 1; i++) {
              if (bin[i] === wanted && !open) pen.moveTo(x[i], y[i]);
              if (bin[i] === wanted) pen.lineTo(x[i + 1], y[i + 1]);
              open = bin[i] === wanted;
            }
          });
          pen.strokeStyle = film.colours[style];
          pen.setLineDash(DASHES[style].split(" ").filter(Boolean).map(Number));
          pen.stroke();
        });
      });
      pen.setLineDash([]);
    }

    function polygons({ x, y, groups, styles, vertices }) {
      pen.lineWidth = 1;
      groups.forEach((group, item) => {
        pen.beginPath();
        for (let i = item * vertices; i < (item + 1) * vertices; i++) pen.lineTo(x[i], y[i]);
        pen.closePath();
        pen.fillStyle = pen.strokeStyle = film.colours[styles[group]];
        pen.globalAlpha = 0.3;
        pen.fill();
        pen.globalAlpha = 0.8;
        pen.stroke();
      });
      pen.globalAlpha = 1;
    }

    function write(text, x, y, align = "center", font = SMALL) {
      [pen.font, pen.textAlign, pen.textBaseline, pen.fillStyle] = [font, align, "middle", "#333"];
      pen.fillText(text, x, y);
    }

    function rule(colour, x0, y0, x1, y1) {
      [pen.strokeStyle, pen.lineWidth] = [colour, 1];
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    }

    function axes(x, y, width, height, place) {
      let free = -Infinity;
      pen.font = SMALL;
      for (const [value, text] of film.ticks[0]) {
        const at = place(value, 0)[0], half = pen.measureText(text).width / 2;
        rule("#eee", at, y, at, y + height);
        if (at - half < free) continue;
        write(text, at, y + height + 12);
        free = at + half + 6;
      }
      free = Infinity;
      for (const [value, text] of film.ticks[1]) {
        const at = place(0, value)[1];
        rule("#eee", x, at, x + width, at);
        if (at > free) continue;
        write(text, x - 6, at, "right");
        free = at - 14;
      }
      rule("#999", x, y, x, y + height);
      rule("#999", x, y + height, x + width, y + height);
      write(film.axes[0], x + width / 2, y + height + 30);
      pen.save();
      pen.translate(x - 52, y + height / 2);
      pen.rotate(-Math.PI / 2);
      write(film.axes[1], 0, 0);
      pen.restore();
    }

    function cube(place) {
      const corner = (bits) => place(...film.view.map((range, axis) => range[(bits >> axis) & 1])).slice(0, 2);
      for (let bits = 0; bits < 8; bits++) {
        for (const bit of [1, 2, 4]) if (!(bits & bit)) rule("#ddd", ...corner(bits), ...corner(bits | bit));
      }
    }
  }

  for (const root of document.querySelectorAll(`[data-player="${film.id}"]`)) if (!root.dataset.ready) start(root);
})
