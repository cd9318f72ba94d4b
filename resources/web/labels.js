"use strict";
// Writes over the solid mesh: the numbers along its axes, and the number of each job on its boxes.

const FONT = "Inter, 'Noto Sans Arabic', system-ui, sans-serif";
const MOST_NUMBERS = 260, LINE = 15, LABEL_HALF = 12;
const SPOTS = [[0.5, 0.5], ...[0.2, 0.5, 0.8].flatMap((u) => [0.2, 0.5, 0.8].map((v) => [u, v])).filter(([u, v]) => u !== 0.5 || v !== 0.5)];

function writeLabels(context, scene, camera, width, height) {
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const onPage = ([x, y]) => [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  writeAxes(context, scene, camera, onPage, height);
  const numbers = scene.network ? cornerNumbers(context, scene, camera, onPage) : faceNumbers(context, scene, camera, onPage);
  for (const { at, text, size, colour } of numbers) write(context, text, at, size, colour, 600);
}

function write(context, text, [x, y], size, colour, weight = 400) {
  context.font = `${weight} ${size}px ${FONT}`;
  context.fillStyle = css(colour);
  context.fillText(text, x, y + size * 0.364); // half the height of a capital
}

// Axes

function writeAxes(context, scene, camera, onPage, height) {
  const { run, theme } = scene, size = spaceOf(run), colour = theme.rgb.mesh_axis;
  const middle = onPage(camera.project(size.map((side) => side / 2)));
  for (let axis = 0; axis < run.dims; axis++) {
    const edge = outerEdge(axis, run, size, camera, onPage);
    if (!edge) continue;
    const [from, to] = [0, size[axis]].map((at) => onPage(camera.project(edge.map((part, other) => (other === axis ? at : part)))));
    const way = [to[0] - from[0], to[1] - from[1]], long = Math.hypot(...way);
    if (long < 2 * LINE) continue;
    let across = [-way[1] / long, way[0] / long];
    if (across[0] * (from[0] - middle[0]) + across[1] * (from[1] - middle[1]) < 0) across = across.map((part) => -part);
    const out = across.map((part) => part * 1.15 * LINE), step = axisStep(run.shape[axis], long, 2 * LINE);
    const half = axis === 2 && run.dims === 2 ? PLATE / 2 : 0.5;
    for (let node = 0; node < run.shape[axis]; node += step) {
      const [x, y] = onPage(camera.project(edge.map((part, other) => (other === axis ? node + half : part))));
      if (y + out[1] >= LINE / 2 && y + out[1] <= height - LINE / 2) write(context, String(node), [x + out[0], y + out[1]], 12, colour);
    }
    const name = [0, 1].map((part) => to[part] + out[part] + (way[part] / long) * 1.1 * LINE);
    write(context, "xyz"[axis], name, 13, colour, 600);
  }
}

/** A corner of the edge along an axis where a face seen meets one turned away: the lowest or leftmost. */
function outerEdge(axis, run, size, camera, onPage) {
  const { back, right, up } = camera, [u, v] = [0, 1, 2].filter((other) => other !== axis);
  if (Math.abs(back[axis]) > 1 - EDGE_ON / 10) return null;
  const flat = run.dims === 2, across = flat || Math.min(Math.abs(back[u]), Math.abs(back[v])) < EDGE_ON;
  const lying = Math.abs(right[axis]) >= Math.abs(up[axis]);
  let best = null, least = 0;
  for (const [sideU, sideV] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    const [seenU, seenV] = [back[u] > 0 === Boolean(sideU), back[v] > 0 === Boolean(sideV)];
    if ((flat && ((u === 2 && sideU) || (v === 2 && sideV))) || !(across || seenU !== seenV)) continue;
    const corner = [0, 0, 0];
    corner[u] = sideU * size[u];
    corner[v] = sideV * size[v];
    corner[axis] = size[axis] / 2;
    const [x, y] = onPage(camera.project(corner)), depth = lying ? -y : x;
    if (best === null || depth < least) [best, least] = [corner, depth];
  }
  return best;
}

// Numbers of jobs

/** The boxes that bear a number: held, or placed by the attempt. */
function numbered(scene) {
  const held = scene.boxes.map((part) => ({ ...part, span: bounds(scene.run, part.box, GAP) }));
  const placed = scene.marks.filter((mark) => mark.role === PLACED && mark.job !== undefined);
  return [...held, ...placed.map((mark) => ({ ...mark, faded: false, span: markBounds(scene.run, mark) }))];
}

/** What can be read on a face of a job as the light shows it, or the text's colour where the job steps back. */
function numberColour(scene, part, camera, face) {
  if (part.faded || scene.network) return scene.theme.rgb.text;
  const { theme, run } = scene, upper = camera.back[face.axis] > 0, depth = camera.project(face.point)[2];
  return inkOn(new Light(camera, run).on(theme.tint(run, part.job), face.axis, upper, depth, theme.rgb.mesh_background));
}

function faceNumbers(context, scene, camera, onPage) {
  const all = numbered(scene), found = [];
  for (const part of all) {
    const text = String(scene.run.jobs.numbers[part.job]);
    let best = null;
    for (const spot of all.length <= 100 ? SPOTS : SPOTS.slice(0, 1)) {
      for (let axis = 0; axis < 3; axis++) {
        const face = faceAt(part.span, axis, spot, camera, onPage);
        if (!face || (best && face.room <= best.room)) continue;
        face.size = numberSize(context, text, face.room, face.room);
        if (face.size && inSight(all, part, face.point, axis, camera)) best = face;
      }
      if (best) break;
    }
    if (best) found.push({ at: best.at, room: best.room, text, size: best.size, colour: numberColour(scene, part, camera, best) });
  }
  return found.sort((a, b) => b.room - a.room).slice(0, MOST_NUMBERS);
}

/** A spot of a box's face across an axis, if that is turned to the eye: its place, and the room around it. */
function faceAt([low, high], axis, [u, v], camera, onPage) {
  const upper = camera.back[axis] > 0;
  if (upper ? camera.eye[axis] <= high[axis] : camera.eye[axis] >= low[axis]) return null;
  const [a, b] = [0, 1, 2].filter((other) => other !== axis), at = (x, y) => {
    const point = [0, 0, 0];
    point[axis] = upper ? high[axis] : low[axis];
    point[a] = low[a] + (high[a] - low[a]) * x;
    point[b] = low[b] + (high[b] - low[b]) * y;
    return point;
  };
  const point = at(u, v), place = onPage(camera.project(point));
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => onPage(camera.project(at(x, y))));
  let room = Infinity;
  corners.forEach((corner, n) => {
    const next = corners[(n + 1) % 4], side = [next[0] - corner[0], next[1] - corner[1]], long = Math.max(Math.hypot(...side), 1e-9);
    room = Math.min(room, (2 * Math.abs(side[0] * (place[1] - corner[1]) - side[1] * (place[0] - corner[0]))) / long);
  });
  return { point, axis, at: place, room };
}

/** Whether no other box lies before a point of a box, nor before the ends of a number there. */
function inSight(all, own, point, axis, camera) {
  if (camera.straightDown) return all.every((part) => part === own || !covers(part, own));
  const aside = camera.right.map((part, other) => (other === axis ? 0 : part)), share = Math.max(dot(aside, camera.right), 0.1);
  const reach = (LABEL_HALF * camera.pose.extent) / camera.pixels / share;
  return [-reach, reach].every((side) => {
    const end = plus(point, aside, side), way = plus(end, camera.eye, -1);
    return all.every((part) => part === own || part.job === own.job || !hits(part.span, camera.eye, way));
  });
}

/** Whether a box that was placed lies over a held one, seen from above. */
function covers(part, own) {
  return part.role === PLACED && [0, 1].every((axis) => part.box[axis] < own.box[axis] + own.box[axis + 3] && own.box[axis] < part.box[axis] + part.box[axis + 3]);
}

/** Whether the way from a point, up to its end, passes a box. */
function hits([low, high], from, way) {
  let enter = 0, leave = 0.9999;
  for (let axis = 0; axis < 3; axis++) {
    const step = Math.abs(way[axis]) < 1e-12 ? 1e-12 : way[axis], one = (low[axis] - from[axis]) / step, two = (high[axis] - from[axis]) / step;
    enter = Math.max(enter, Math.min(one, two));
    leave = Math.min(leave, Math.max(one, two));
  }
  return enter < leave;
}

/** With worms inside the jobs each number stands in the upper left of its box. */
function cornerNumbers(context, scene, camera, onPage) {
  const found = [];
  for (const part of numbered(scene)) {
    const text = String(scene.run.jobs.numbers[part.job]), points = cornersOf(...part.span).map((corner) => onPage(camera.project(corner)));
    const [wide, high] = [0, 1].map((axis) => Math.max(...points.map((p) => p[axis])) - Math.min(...points.map((p) => p[axis])));
    const room = Math.min(wide, high), size = [12, 13, 15, 18, 24][[30, 44, 80, 160].filter((limit) => 0.4 * room >= limit).length];
    if (Math.max(0.62 * size * text.length, size) > room - 4) continue;
    const corner = points.reduce((best, point) => (point[0] + point[1] < best[0] + best[1] ? point : best));
    const at = [corner[0] + 0.31 * size * text.length + 4, corner[1] + size * 0.364 + 4];
    found.push({ at, text, size, colour: scene.theme.rgb.text });
  }
  return found;
}

/** The job under a point of the solid mesh, or -1. */
function pickSolid(scene, camera, x, y) {
  const way = camera.ray(x, y).map((part) => part * 1e4);
  let nearest = Infinity, job = -1;
  for (const part of scene.boxes) {
    const [low, high] = bounds(scene.run, part.box, GAP);
    if (!hits([low, high], camera.eye, way)) continue;
    const depth = dot(plus(plus(low, high).map((side) => side / 2), camera.eye, -1), camera.back) * -1;
    if (depth < nearest) [nearest, job] = [depth, part.job];
  }
  return job;
}
