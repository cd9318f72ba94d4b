"use strict";
// The pseudo-code of the attempts on the page, line by line, and what the strategy keeps at each step.

/** Fill the choice of attempts once for a run. */
function fillAttempts(cursor) {
  const { run } = cursor, choice = byId("attempts");
  const entries = run.attempts.map((attempt, place) => [attempt, place]).filter(([attempt]) => attempt.steps.length);
  choice.replaceChildren(element("option", entries.length ? say("chooseAttempt") : say("noAttempt"), { value: -1 }));
  for (const [attempt, place] of entries) {
    const words = { job: attempt.job, time: clock(Math.max(run.timeOf(attempt.position), 0)), steps: attempt.steps.length };
    choice.append(element("option", say(["attemptWaits", "attemptPlaced", "attemptReserved"][attempt.outcome], words), { value: place }));
  }
  byId("code").replaceChildren(...run.lines.map(([text, indent]) => {
    const row = element("li", text);
    row.style.paddingInlineStart = `${34 + 14 * indent}px`;
    return row;
  }));
}

function showCode(cursor) {
  const step = cursor.shownStep, rows = byId("code").children;
  byId("attempts").value = String(cursor.attempt);
  const attempt = cursor.inside ? cursor.run.attempts[cursor.attempt] : null;
  const passed = new Set(attempt ? attempt.steps.slice(0, cursor.step + 1).map((each) => each.line) : []);
  for (let line = 0; line < rows.length; line++) {
    const now = step !== null && step.line === line;
    rows[line].className = now ? "now" : passed.has(line) ? "passed" : "";
    if (now) rows[line].setAttribute("aria-current", "step");
    else rows[line].removeAttribute("aria-current");
    if (now) keepInView(rows[line]);
  }
  showStructures(cursor, step);
}

/** Scroll the panel, never the page, so that an element is in view. */
function keepInView(row) {
  const panel = byId("algorithm"), [room, place] = [panel.getBoundingClientRect(), row.getBoundingClientRect()];
  if (!room.height || (place.top >= room.top && place.bottom <= room.bottom)) return;
  panel.scrollTop += place.top - room.top - room.height / 3;
}

function showStructures(cursor, step) {
  const where = byId("structures");
  if (!step) {
    where.replaceChildren(element("p", say(cursor.run.attempts.length ? "stepIn" : "noAttempt"), { class: "empty" }));
    return;
  }
  const attempt = cursor.run.attempts[cursor.attempt];
  const parts = [element("p", say("stepOf", { step: cursor.step + 1, steps: attempt.steps.length }), { class: "muted says" })];
  for (const [place, current] of step.panels) parts.push(...structure(cursor.run, cursor.run.panels[place], current));
  where.replaceChildren(...parts);
}

function structure(run, panel, current) {
  const title = element("h2", panel.title), empty = panel.kind === "table" ? !panel.rows.length : panel.kind === "tree" ? !panel.nodes.length : panel.kind === "chart" && !panel.curves.length;
  if (empty) return [title, element("p", panel.empty, { class: "empty" })];
  if (panel.kind === "table") return [title, tableOf(run, panel, current)];
  if (panel.kind === "tree") return [title, treeOf(run, panel, current)];
  if (panel.kind === "grid") return [title, gridOf(run, panel)];
  return [title, chartOf(panel)];
}

function tableOf(run, panel, current) {
  const wide = element("div", "", { class: "wide" }), table = element("table"), head = element("tr"), body = element("tbody");
  for (const name of panel.columns) head.append(element("th", name, { scope: "col" }));
  panel.rows.forEach((place, number) => {
    const row = element("tr", "", number === current ? { class: "current" } : {});
    for (const cell of run.rows[place]) row.append(cellOf(run, cell));
    body.append(row);
  });
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  wide.append(table);
  if (panel.more) wide.append(element("p", say("more", { count: panel.more }), { class: "muted more" }));
  return wide;
}

function cellOf(run, cell) {
  if (!Array.isArray(cell)) return element("td", cell === null ? "–" : cell);
  const made = element("td"), job = run.row.get(cell[1]);
  if (job !== undefined) made.append(swatch(run, job));
  made.append(cell[0]);
  return made;
}

/** A canvas that is drawn once it has its size. */
function picture(height, words, draw) {
  const canvas = element("canvas", "", { role: "img", "aria-label": words });
  canvas.style.height = `${height}px`;
  requestAnimationFrame(() => canvas.isConnected && draw(fitCanvas(canvas), page.theme));
  return canvas;
}

/** The numbers of a grid, layer by layer, in the colours of their meanings. */
function gridOf(run, panel) {
  const [w, d, h] = run.shape, meanings = new Map(panel.legend.map(([value, label, role]) => [value, { label, role }]));
  const columns = Math.min(h, Math.max(1, Math.round(Math.sqrt(h * 1.6)))), cell = Math.min(28, Math.floor((320 - 8 * (columns - 1)) / (columns * w)));
  const rows = Math.ceil(h / columns), side = Math.max(cell, 3), wide = element("div");
  wide.append(picture(rows * (d * side + 8), panel.title, ({ context }, theme) => {
    for (let node = 0; node < run.processors; node++) {
      const [x, y, z] = [node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))], value = panel.values[node], meaning = meanings.get(value);
      const left = (z % columns) * (w * side + 8) + x * side, top = Math.floor(z / columns) * (d * side + 8) + (d - 1 - y) * side;
      const colour = meaning ? meaningColour(theme, meaning.role) : panel.heat ? theme.heatOf(value, panel.heat[1], panel.heat[2]) : theme.rgb.panel;
      fillRect(context, [left, top, side - 1, side - 1], [...colour, 1]);
      context.textAlign = "center";
      if (!meaning && side >= 18) write(context, String(value), [left + side / 2, top + side / 2], 11, contrastInk(colour));
    }
  }));
  const list = element("p", "", { class: "muted" });
  for (const { label, role } of meanings.values()) {
    const sign = element("i", "", { class: "swatch" });
    sign.style.background = css(meaningColour(page.theme, role));
    list.append(sign, `${label}  `);
  }
  if (panel.heat) list.append(`${panel.heat[0]}: ${panel.heat[1]}–${panel.heat[2]}`);
  wide.append(list);
  return wide;
}

function meaningColour(theme, role) {
  const token = { [CANDIDATE]: "candidate", [PROHIBITED]: "prohibited", [BORDER]: "border_plane", [BLOCKED]: "mesh_edge", [PLACED]: "accent" }[role];
  return token ? theme.rgb[token] : theme.rgb.free;
}

function contrastInk([r, g, b]) {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.45 ? [0, 0, 0] : [1, 1, 1];
}

/** A tree, parents over their children, as wide as its leaves need. */
function treeOf(run, panel, current) {
  const node = Math.max(40, ...panel.nodes.map(([, , label]) => (label.length > 5 ? 5 * label.length + 12 : 40)));
  const places = treePlaces(panel.nodes, node), width = Math.max(...places.map((place) => place.x)) + node / 2 + 4, levels = Math.max(...places.map((place) => place.level)) + 1;
  const wide = element("div", "", { class: "wide" }), canvas = picture(levels * 44 + 8, panel.title, ({ context }, theme) => {
    panel.nodes.forEach(([parent], place) => {
      if (parent < 0) return;
      context.strokeStyle = theme.hex.outline;
      context.lineWidth = 1;
      line(context, places[parent].x, places[parent].level * 44 + 22, places[place].x, places[place].level * 44 + 22);
    });
    panel.nodes.forEach((each, place) => drawTreeNode(context, theme, run, each, { ...places[place], width: node }, place === current));
  });
  canvas.style.width = `${width}px`;
  wide.append(canvas);
  return wide;
}

function drawTreeNode(context, theme, run, [, kind, label, above, , job], { x, level, width }, current) {
  const y = level * 44 + 22, row = run.row.get(job === null ? -1 : job);
  const fill = row !== undefined ? theme.tint(run, row) : theme.rgb[["tree_free", "tree_busy", "tree_inner", "panel", "candidate", "panel"][kind]];
  const whole = [x - width / 2, y - 11, width, 22];
  context.fillStyle = css(fill);
  context.beginPath();
  context.roundRect(...whole, 11);
  context.fill();
  if (row !== undefined) {
    context.save();
    context.clip();
    hatch(context, whole, run, row, lineOn(fill));
    context.restore();
  }
  context.strokeStyle = theme.hex[current ? "accent" : kind === 5 ? "prohibited" : "outline"];
  context.lineWidth = current ? 3 : 1;
  context.beginPath();
  context.roundRect(...whole, 11);
  context.stroke();
  context.textAlign = "center";
  write(context, label, [x, y], label.length > 5 ? 9 : 11, row !== undefined ? inkOn(fill) : contrastInk(fill));
  if (above) write(context, above, [x, y - 17], 9, theme.rgb.muted);
}

function treePlaces(nodes, width) {
  const children = nodes.map(() => []), places = nodes.map(() => ({ x: 0, level: 0 })), roots = [];
  nodes.forEach(([parent], place) => (parent < 0 ? roots : children[parent]).push(place));
  let next = width / 2 + 4;
  const lay = (place, level) => {
    for (const child of children[place]) lay(child, level + 1);
    const ends = children[place].length ? [children[place][0], children[place][children[place].length - 1]].map((child) => places[child].x) : null;
    places[place] = { level, x: ends ? (ends[0] + ends[1]) / 2 : next };
    if (!ends) next += width + 8;
  };
  roots.forEach((root) => lay(root, 0));
  return places;
}

function chartOf(panel) {
  const xs = panel.curves.flatMap((curve) => curve[1]), ys = panel.curves.flatMap((curve) => curve[2]);
  const [left, right, top] = [Math.min(...xs), Math.max(...xs), Math.max(...ys, 1e-9)];
  return picture(150, `${panel.title}: ${panel.y} / ${panel.x}`, ({ context, width, height }, theme) => {
    const x = (value) => 34 + ((value - left) / Math.max(right - left, 1e-9)) * (width - 44), y = (value) => height - 30 - (value / top) * (height - 44);
    context.strokeStyle = theme.hex.outline;
    context.lineWidth = 1;
    line(context, 34, height - 30, width - 8, height - 30);
    line(context, 34, 8, 34, height - 30);
    panel.curves.forEach(([, px, py, steps, current], place) => {
      context.strokeStyle = css(theme.tints[place % 16]);
      context.lineWidth = current ? 3 : 1.5;
      context.beginPath();
      px.forEach((value, n) => {
        if (n && steps) context.lineTo(x(value), y(py[n - 1]));
        context[n ? "lineTo" : "moveTo"](x(value), y(py[n]));
      });
      context.stroke();
    });
    for (const [label, value] of panel.signs) {
      context.strokeStyle = theme.hex.accent;
      line(context, x(value), 8, x(value), height - 30);
      write(context, label, [x(value), 8], 10, theme.rgb.text);
    }
    context.textAlign = "left";
    write(context, `${panel.x}: ${left.toPrecision(3)} – ${right.toPrecision(3)}`, [34, height - 10], 11, theme.rgb.muted);
    context.textAlign = "right";
    write(context, top.toPrecision(3), [30, 12], 11, theme.rgb.muted);
  });
}
