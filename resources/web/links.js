"use strict";
// Idle links, and strokes of the network in space and on the flat canvas.

const LINK = shape(0.022), LINK_STRENGTH = { 2: 0.55, 3: 0.3 }, LANES_APART = { 2: 56, 3: 110 }, LINK_SEEN = { 2: [6, 18], 3: [18, 48] };
const SEAM_SIGNS = [[shape(0.12, 3, 0, 0, 1)], [shape(0.15, 4, 0, 0.58, 1)], [shape(0.19, 6, 0, 0.72, 1), shape(0.07, 2, 0, 0, 1)]], SIGN_STRENGTH = { 2: 1, 3: 0.6 };

/** The opacity of idle links where a node is this many pixels wide. */
function linkStrength(run, node, dims = run.dims) {
  const sides = run.shape, rows = sides.reduce((sum, side) => sum + (side > 1 ? run.processors / side : 0), 0);
  if (dims === 3 && rows > 800) return 0;
  const [begin, full] = LINK_SEEN[dims];
  return Math.min(Math.max((node - begin) / (full - begin), 0), 1);
}

function linksApart(run, node) {
  return node >= LANES_APART[run.dims] && 2 * run.dims * run.processors * run.traffic.of <= 20000;
}

/** Every link by itself, or one line through each row of nodes where both directions cannot be told apart. */
function idleLinks(run, theme, node) {
  const colour = [...theme.rgb.mesh_edge, LINK_STRENGTH[run.dims]], strokes = [], [w, d] = run.shape, sides = run.shape;
  if (linksApart(run, node)) {
    for (let place = 0; place < run.processors; place++) {
      const at = [place % w, Math.floor(place / w) % d, Math.floor(place / (w * d))];
      WAY_STEPS.forEach((step, way) => {
        const beyond = plus(at, step);
        if (!beyond.every((part, axis) => run.rings[axis] || (part >= 0 && part < sides[axis]))) return;
        for (let virtual = 0; virtual < run.traffic.of; virtual++) for (const part of laneParts(run, [place * WAYS + way, virtual])) strokes.push([...part, colour, LINK]);
      });
    }
    return strokes;
  }
  return linkRows(run, colour);
}

/** One line through each row of nodes; of a ring it reaches the seam. */
function linkRows(run, colour) {
  const strokes = [], sides = run.shape;
  for (let axis = 0; axis < run.dims; axis++) {
    const [a, b] = [0, 1, 2].filter((other) => other !== axis);
    for (let u = 0; u < sides[a] && sides[axis] > 1; u++) for (let v = 0; v < sides[b]; v++) {
      const from = [0, 0, 0];
      [from[a], from[b]] = [u, v];
      const to = from.map((part, other) => (other === axis ? sides[axis] - 1 : part)), more = run.rings[axis] ? SEAM : 0;
      from[axis] -= more;
      to[axis] += more;
      strokes.push([from, to, colour, LINK]);
    }
  }
  return strokes;
}

/** The signs at both ends of each row that is a ring, of the rows that are seen. */
function seamSigns(run, theme, seen = (rows) => rows) {
  if (!run.rings.some(Boolean)) return [];
  const colour = [...theme.rgb.mesh_axis, SIGN_STRENGTH[run.dims]];
  return seen(linkRows(run, colour)).flatMap(([from, to]) => {
    const axis = [0, 1, 2].find((each) => to[each] > from[each]);
    return run.rings[axis] ? [from, to].flatMap((at) => SEAM_SIGNS[axis].map((sign) => [at, at, colour, sign])) : [];
  });
}

/** In a large 3D mesh only the links on the walls turned away: all others would lie over them. */
function linksInTheOpen(run, strokes, camera) {
  if (run.dims === 2 || run.processors <= 64) return strokes;
  const walls = [0, 1, 2].filter((axis) => Math.abs(camera.back[axis]) > EDGE_ON).map((axis) => [axis, camera.back[axis] > 0 ? 0 : run.shape[axis] - 1]);
  return strokes.filter(([from, to]) => walls.some(([axis, at]) => Math.round(from[axis]) === at && Math.round(to[axis]) === at));
}

/** Strokes as rows for their shader; of a 2D mesh they lie on its top. */
function strokeRows(run, strokes) {
  const lift = run.dims === 2 ? PLATE + MARK_GAP : 0.5, rows = new Float32Array(strokes.length * 16);
  strokes.forEach(([from, to, colour, look], place) => {
    rows.set([from[0] + 0.5, from[1] + 0.5, from[2] + lift, to[0] + 0.5, to[1] + 0.5, to[2] + lift], 16 * place);
    rows.set([colour[0], colour[1], colour[2], colour.length > 3 ? colour[3] : 1, ...look], 16 * place + 6);
  });
  return rows;
}

function wormRows(scene) {
  return strokeRows(scene.run, wormStrokes(scene));
}

/** Draw links and worms on the layers of the flat canvas. */
function drawFlatNetwork(context, scene, layout) {
  const { run, theme } = scene, strength = linkStrength(run, layout.cell, 2);
  const place = ([x, y, z]) => cellRect(layout, Math.round(z), x + 0.5, y + 0.5, 0, 0);
  for (const [from, to, colour, look] of strength ? idleLinks(run, theme, layout.cell) : []) {
    if (Math.round(from[2]) === Math.round(to[2])) drawStroke(context, layout.cell, place(from), place(to), [colour[0], colour[1], colour[2], colour[3] * strength], look);
  }
  drawFlatSeams(context, scene, layout);
  for (const [from, to, colour, look] of wormStrokes(scene)) {
    const level = Math.round(from[2]) === Math.round(to[2]);
    drawStroke(context, layout.cell, place(from), level ? place(to) : place(from), colour, look);
    if (!level) drawStroke(context, layout.cell, place(to), place(to), colour, look);
  }
}

function drawFlatSeams(context, { run, theme }, layout) {
  const place = ([x, y, z]) => cellRect(layout, Math.round(z), x + 0.5, y + 0.5, 0, 0);
  for (const [at, , colour, look] of seamSigns(run, theme)) drawStroke(context, layout.cell, place(at), place(at), colour, look);
}

function drawStroke(context, cell, [x, y], [u, v], [r, g, b, a = 1], [width, least, taper, hole, , fades]) {
  const wanted = width * cell, wide = Math.max(wanted, least);
  const alpha = fades ? a * Math.min(Math.max((2 * wanted) / least - 0.7, 0), 1) : a;
  if (alpha <= 0) return;
  context.strokeStyle = context.fillStyle = css([r, g, b, alpha]);
  if (taper) drawArrow(context, [x, y], [u, v], wide);
  else if (hole) {
    context.lineWidth = (1 - hole) * Math.max(wide / 2, 6);
    context.beginPath();
    context.arc(x, y, Math.max((wide - context.lineWidth) / 2, 0), 0, 2 * Math.PI);
    context.stroke();
  } else {
    context.lineWidth = wide;
    context.lineCap = "round";
    line(context, x, y, u + 0.01, v);
    context.lineCap = "butt";
  }
}

/** A triangle from its base to its point; it keeps its form if it is small. */
function drawArrow(context, [x, y], [u, v], width) {
  const reach = Math.hypot(u - x, v - y), along = reach > 1e-3 ? [(u - x) / reach, (v - y) / reach] : [0, -1];
  const more = Math.max(0.475 * width - reach / 2, 0), side = [(-along[1] * width) / 2, (along[0] * width) / 2];
  const from = [x - along[0] * more, y - along[1] * more], to = [u + along[0] * more, v + along[1] * more];
  context.beginPath();
  context.moveTo(from[0] + side[0], from[1] + side[1]);
  context.lineTo(from[0] - side[0], from[1] - side[1]);
  context.lineTo(...to);
  context.fill();
}
