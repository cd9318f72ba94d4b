"use strict";
// Draws a scene flat on a canvas, layer beside layer: where there is no WebGL 2, or by choice.

const FLAT_GAP = 0.06, FLAT_PLANE = 0.14, FLAT_MARGIN = 36, LAYER_GAP = 28;

/** How the layers lie beside each other with the largest cells. */
function flatLayout(run, width, height) {
  const [w, d, h] = run.shape;
  let best = null;
  for (let columns = 1; columns <= h; columns++) {
    const rows = Math.ceil(h / columns);
    const wide = width - 2 * FLAT_MARGIN - (columns - 1) * LAYER_GAP, high = height - 2 * FLAT_MARGIN - (rows - 1) * LAYER_GAP;
    const cell = Math.max(Math.min(wide / (columns * w), high / (rows * d)), 0.5);
    if (!best || cell > best.cell) {
      const left = (width - columns * w * cell - (columns - 1) * LAYER_GAP) / 2, top = (height - rows * d * cell - (rows - 1) * LAYER_GAP) / 2;
      best = { run, columns, cell, left, top };
    }
  }
  return best;
}

function layerCorner(layout, layer) {
  const [w, d] = layout.run.shape, row = Math.floor(layer / layout.columns), column = layer % layout.columns;
  return [layout.left + column * (w * layout.cell + LAYER_GAP), layout.top + row * (d * layout.cell + LAYER_GAP)];
}

/** The rectangle of some cells of a layer; y runs upwards. */
function cellRect(layout, layer, x, y, width, depth) {
  const [left, top] = layerCorner(layout, layer), { cell } = layout;
  return [left + x * cell, top + (layout.run.shape[1] - y - depth) * cell, width * cell, depth * cell];
}

function drawFlat(context, scene, width, height) {
  const layout = flatLayout(scene.run, width, height);
  context.fillStyle = scene.theme.hex.mesh_background;
  context.fillRect(0, 0, width, height);
  drawLayers(context, scene, layout);
  for (const { at, colour } of scene.tiles) fillRect(context, cellRect(layout, at[2], at[0] + FLAT_GAP / 2, at[1] + FLAT_GAP / 2, 1 - FLAT_GAP, 1 - FLAT_GAP), [...colour, 1]);
  drawFlatDots(context, scene, layout);
  const numbers = scene.boxes.flatMap((part) => drawFlatBox(context, scene, layout, part));
  if (!scene.network) numbers.forEach((number) => drawFlatNumber(context, number));
  scene.marks.forEach((mark) => drawFlatMark(context, scene, layout, mark).forEach((number) => drawFlatNumber(context, number)));
  drawFlatPath(context, scene, layout);
  if (scene.network) drawFlatNetwork(context, scene, layout);
  else drawFlatSeams(context, scene, layout);
  if (scene.network) numbers.forEach((number) => drawFlatCorner(context, scene, number));
  return layout;
}

function fillRect(context, [x, y, w, h], colour) {
  context.fillStyle = css(colour);
  context.fillRect(x, y, w, h);
}

function line(context, x, y, u, v) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(u, v);
  context.stroke();
}

function drawLayers(context, scene, layout) {
  const { run, theme } = scene, [w, d, h] = run.shape, { cell } = layout;
  const step = axisStep(Math.max(w, d), Math.max(w, d) * cell, 5);
  context.lineWidth = 1;
  context.textAlign = "center";
  for (let layer = 0; layer < h; layer++) {
    const [left, top, wide, high] = cellRect(layout, layer, 0, 0, w, d);
    context.strokeStyle = css([...theme.rgb.mesh_grid, scene.network ? 0.4 : 1]);
    for (let x = 0; x <= w; x = x === w ? w + 1 : Math.min(x + step, w)) line(context, left + x * cell, top, left + x * cell, top + high);
    for (let y = 0; y <= d; y = y === d ? d + 1 : Math.min(y + step, d)) line(context, left, top + high - y * cell, left + wide, top + high - y * cell);
    if (h > 1) {
      context.textAlign = "left";
      write(context, `z = ${layer}`, [left, top - LINE * 0.7], 12, theme.rgb.mesh_axis);
      context.textAlign = "center";
    }
    drawFlatAxes(context, scene, layout, layer, [left, top, wide, high]);
  }
}

/** Layers share the numbers on the left and below. */
function drawFlatAxes(context, scene, layout, layer, [left, top, wide, high]) {
  const { run, theme } = scene, [w, d, h] = run.shape, colour = theme.rgb.mesh_axis;
  const stepX = axisStep(w, w * layout.cell, 2 * LINE), stepY = axisStep(d, d * layout.cell, 2 * LINE);
  if (layer + layout.columns >= h) {
    for (let n = 0; n < w; n += stepX) write(context, String(n), [left + (n + 0.5) * layout.cell, top + high + LINE], 12, colour);
    write(context, "x", [left + wide + LINE * 0.7, top + high + LINE], 12, colour);
  }
  if (layer % layout.columns) return;
  for (let n = 0; n < d; n += stepY) write(context, String(n), [left - LINE, top + high - (n + 0.5) * layout.cell], 12, colour);
  write(context, "y", [left - LINE, top - LINE * 0.7], 12, colour);
}

function drawFlatDots(context, scene, layout) {
  const faint = freeStrength(layout.cell);
  for (const { at, colour, size, marked } of scene.dots) {
    const strength = marked ? 1 : faint;
    if (!strength) continue;
    const [x, y] = cellRect(layout, at[2], at[0] + 0.5, at[1] + 0.5, 0, 0);
    context.fillStyle = css([colour[0], colour[1], colour[2], colour[3] * strength]);
    context.beginPath();
    context.arc(x, y, Math.max(size * layout.cell, 1) / 2, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawFlatBox(context, scene, layout, part) {
  const [x, y, z, w, d, h] = part.box, { run, theme } = scene, ink = theme.ink(run, part.job), numbers = [];
  for (let layer = z; layer < z + h; layer++) {
    const rect = cellRect(layout, layer, x + FLAT_GAP, y + FLAT_GAP, w - 2 * FLAT_GAP, d - 2 * FLAT_GAP);
    fillRect(context, rect, part.fill);
    hatch(context, rect, run, part.job, lineOn(part.fill, theme.rgb.mesh_background));
    context.strokeStyle = css(part.edge);
    context.lineWidth = part.width;
    context.strokeRect(...rect);
    numbers.push({ rect, text: String(run.jobs.numbers[part.job]), ink: part.faded ? theme.rgb.text : ink });
  }
  return numbers;
}

function drawFlatNumber(context, { rect: [x, y, w, h], text, ink }) {
  const size = numberSize(context, text, w, h);
  if (!size) return;
  context.font = `600 ${size}px ${FONT}`;
  write(context, text, [x + w / 2, y + h / 2], size, ink, 600);
}

function drawFlatCorner(context, scene, { rect: [x, y, w, h], text, ink }) {
  const room = Math.max(0.6 * Math.min(w, h), Math.min(w, h, 20));
  if (room < 20) return;
  const size = [12, 13, 15, 18, 24][[30, 44, 80, 160].filter((limit) => room >= limit).length];
  context.font = `600 ${size}px ${FONT}`;
  const wide = context.measureText(text).width;
  if (wide + 6 > w) return;
  context.strokeStyle = css([...scene.theme.rgb.mesh_background, 0.85]);
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x + 4 + wide / 2, y + 1 + size * 0.97);
  context.fillStyle = css(ink);
  context.fillText(text, x + 4 + wide / 2, y + 1 + size * 0.97);
}

function drawFlatMark(context, scene, layout, mark) {
  const [x, y, z, w, d, h] = mark.box, numbers = [];
  for (let layer = z; layer < z + h; layer++) {
    const plane = mark.role === BORDER;
    const rect = cellRect(layout, layer, plane ? x + w / 2 - FLAT_PLANE : x, y, plane ? 2 * FLAT_PLANE : w, d);
    fillRect(context, rect, mark.fill);
    if (mark.job !== undefined) hatch(context, rect, scene.run, mark.job, lineOn(mark.fill));
    context.strokeStyle = css(mark.edge);
    context.lineWidth = mark.width;
    context.setLineDash(mark.role === PROHIBITED ? [4 * mark.width, 2 * mark.width] : []);
    context.strokeRect(...rect);
    context.setLineDash([]);
    const [left, top, wide, high] = rect;
    if (mark.role === BLOCKED || mark.role === DOWN) {
      line(context, left, top, left + wide, top + high);
      line(context, left, top + high, left + wide, top);
    }
    if (mark.role === PLACED && mark.job !== undefined) numbers.push({ rect, text: String(scene.run.jobs.numbers[mark.job]), ink: scene.theme.ink(scene.run, mark.job) });
  }
  return numbers;
}

function drawFlatPath(context, scene, layout) {
  const { path, theme } = scene;
  if (!path) return;
  context.strokeStyle = css([...theme.rgb.text, PATH * 0.6]);
  context.lineWidth = 1.5;
  for (let at = 0; at + 5 < path.length; at += 3) {
    if (path[at + 2] !== path[at + 5]) continue;
    const [x, y] = cellRect(layout, Math.round(path[at + 2]), path[at] + 0.5, path[at + 1] + 0.5, 0, 0);
    const [u, v] = cellRect(layout, Math.round(path[at + 5]), path[at + 3] + 0.5, path[at + 4] + 0.5, 0, 0);
    line(context, x, y, u, v);
  }
}

/** The job under a point of the flat mesh, or -1. */
function pickFlat(scene, layout, x, y) {
  for (const part of scene.boxes) {
    for (let layer = part.box[2]; layer < part.box[2] + part.box[5]; layer++) {
      const [left, top, wide, high] = cellRect(layout, layer, part.box[0], part.box[1], part.box[3], part.box[4]);
      if (x >= left && x < left + wide && y >= top && y < top + high) return part.job;
    }
  }
  return -1;
}
