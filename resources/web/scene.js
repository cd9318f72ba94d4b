"use strict";
// What is to be drawn of a moment, for the solid and the flat mesh alike: boxes, dots, marks, in a theme's colours.

const GAP = 0.07, MARK_GAP = 0.03, PLACED_GAP = 0.005, PLANE_HALF = 0.12, TILE = 0.04;
const GLASS = { 2: 0.6, 3: 0.32 }, BEHIND_WORMS = { 2: 0.26, 3: 0.1 }, CHOSEN_GLASS = 1.8, GLASS_EDGE = 0.6;
const DIMMED = 0.62, EDGE = 0.45, FREE_DOT = [0.55, 0.11], ROUTER_DOT = 0.12, HEAT_DOT = 0.36, PATH = 0.6, PATH_BEHIND = 0.25;
const [TRIED, CANDIDATE, PROHIBITED, BORDER, BLOCKED, PLACED, DOWN] = [1, 2, 3, 4, 5, 6, 7];
const MARK_LOOKS = { // token, opacity of the fill, of the outline, its width
  [TRIED]: ["base", 0.06, 0.9, 2], [CANDIDATE]: ["candidate", 0.34, 1, 2.5], [PROHIBITED]: ["prohibited", 0.26, 0.9, 1.5],
  [BORDER]: ["border_plane", 0.55, 1, 2.5], [BLOCKED]: ["blocked", 0.7, 1, 3], [DOWN]: ["muted", 0.3, 0.9, 1.5],
};
const GRID_DOTS = { [CANDIDATE]: ["candidate", 1, 0.3], [PROHIBITED]: ["prohibited", 0.7, 0.17], [BORDER]: ["border_plane", 0.9, 0.2] };
const ROLE_WORDS = { [TRIED]: "tried", [CANDIDATE]: "candidate", [PROHIBITED]: "prohibited", [BORDER]: "border", [BLOCKED]: "blocked", [PLACED]: "placed" };

const mixed = (a, b, share) => a.map((part, place) => part + (b[place] - part) * share);
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
const css = ([r, g, b, a = 1]) => `rgba(${Math.round(r * 255)},${Math.round(g * 255)},${Math.round(b * 255)},${a})`;

/** Black or white: the one with more contrast on a ground. */
function inkOn(ground) {
  const [red, green, blue] = ground.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  return light * light < 1.05 * 0.05 ? [1, 1, 1] : [0, 0, 0];
}

/** The colour of the lines of a job's hatching on a fill: not what letters on it have; as faint over a ground as it is. */
function lineOn(fill, ground = fill) {
  const [red, green, blue, alpha = 1] = fill, towards = inkOn([red, green, blue]).map((part) => 1 - part);
  return [...mixed(ground.slice(0, 3), towards, alpha), page.hatching.strength];
}

/** Draw the hatching of a job over a rectangle, if it is large enough; one line of each family goes through a place. */
function hatch(context, [x, y, w, h], run, job, colour, through = [x + w / 2, y + h / 2]) {
  const { patterns, pen, fine, wide } = page.hatching, side = Math.min(w, h), at = through.map((part) => Math.floor(part) + 0.5);
  const pitch = side >= wide[0] ? wide[1] : side >= fine[0] ? fine[1] : 0;
  if (!pitch) return;
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = css(colour);
  context.lineWidth = pen;
  context.beginPath();
  for (const [across, down] of patterns[run.jobs.hatches[job]]) {
    const squared = across * across + down * down, far = w + h, middle = [x + w / 2 - at[0], y + h / 2 - at[1]];
    const [from, reach] = [across * middle[0] + down * middle[1], (Math.abs(across) * w + Math.abs(down) * h) / 2];
    for (let n = Math.ceil((from - reach) / pitch); n <= (from + reach) / pitch; n++) {
      const aside = (n * pitch - from) / squared, [u, v] = [x + w / 2 + across * aside, y + h / 2 + down * aside];
      context.moveTo(u - down * far, v + across * far);
      context.lineTo(u + down * far, v - across * far);
    }
  }
  context.stroke();
  context.restore();
}

/** How bright the faces of boxes are, and how far those far away fade into the ground: as in the program. */
class Light {
  constructor(camera, run) {
    const { right, up, haze } = page.light, towards = plus(plus(camera.back, camera.right, right), camera.up, up), long = Math.hypot(...towards);
    const depths = cornersOf([0, 0, 0], spaceOf(run)).map((corner) => camera.project(corner)[2]);
    this.direction = towards.map((part) => part / long);
    this.depths = [Math.min(...depths), Math.max(...depths)];
    this.haze = run.dims === 2 ? 0 : haze;
  }

  /** A colour as a face across an axis shows it, the upper one or the lower, at a depth. */
  on(colour, axis, upper, depth, ground) {
    const { ambient, key } = page.light, brightness = Math.min(1, ambient + key * Math.max(this.direction[axis] * (upper ? 1 : -1), 0));
    const [near, far] = this.depths, away = (depth - near) / Math.max(far - near, 1e-9);
    return mixed(colour.map((part) => part * brightness), ground, this.haze * Math.min(Math.max(away, 0), 1));
  }
}

/** The colours of a theme as numbers; `tints` are those of jobs, `inks` those of letters on them. */
class Theme {
  constructor(palette) {
    this.name = palette.name;
    this.hex = palette.tokens;
    this.rgb = Object.fromEntries(Object.entries(palette.tokens).map(([token, hex]) => [token, rgb(hex)]));
    this.tints = palette.tints.map(rgb);
    this.tintHex = palette.tints;
    this.inks = this.tints.map(inkOn);
    this.heat = palette.heat.map(rgb);
    this.threads = palette.threads.map(rgb);
  }

  tint(run, job) {
    return this.tints[run.jobs.tints[job] % this.tints.length];
  }

  ink(run, job) {
    return this.inks[run.jobs.tints[job] % this.inks.length];
  }

  /** The colour of a virtual channel, on a scale from the first of a link to the last. */
  threadOf(virtual, of) {
    return this.threads[Math.round((virtual / Math.max(of - 1, 1)) * (this.threads.length - 1))];
  }

  heatOf(value, low, high) {
    const share = Math.min(Math.max((value - low) / Math.max(high - low, 1), 0), 1);
    return this.heat[Math.round(share * (this.heat.length - 1))];
  }
}

/** Everything to draw of a cursor's moment; `chosen` is the selected job, or -1. */
function buildScene(cursor, theme, chosen) {
  const run = cursor.run, state = run.stateAt(cursor.position), step = cursor.shownStep;
  const network = run.traffic && !cursor.inside ? run.traffic.at(Math.floor(cursor.time), cursor.position) : null;
  const stuck = network && run.network.deadlock && cursor.time >= run.network.deadlock.cycle;
  const scene = { run, state, theme, chosen, stuck, inside: cursor.inside, network, boxes: [], marks: [], tiles: [], dots: [] };
  const opacity = cursor.inside ? GLASS[run.dims] : network ? BEHIND_WORMS[run.dims] : 1;
  for (const job of state.running) for (const box of run.boxesOf(job)) scene.boxes.push(dressed(scene, job, box, opacity));
  for (const box of state.down) scene.marks.push(marked(theme, DOWN, box));
  if (step) addMarks(scene, cursor, step);
  const held = new Int32Array(run.processors).fill(-1);
  scene.boxes.forEach((part, row) => fillCells(held, run, part.box, row));
  for (const box of state.down) fillCells(held, run, box, scene.boxes.length);
  scene.held = held;
  addDots(scene, step);
  scene.path = step && step.path !== undefined ? run.paths[step.path] : null;
  return scene;
}

function dressed(scene, job, box, opacity) {
  const { theme, run, chosen } = scene, back = job !== chosen;
  let fill = theme.tint(run, job);
  if (chosen >= 0 && back && opacity === 1 && scene.state.running.includes(chosen)) fill = mixed(fill, theme.rgb.mesh_background, DIMMED);
  const edge = back ? [...mixed(fill, theme.rgb.base, EDGE), opacity < 1 && scene.network ? GLASS_EDGE : 1] : [...theme.rgb.accent, 1];
  const alpha = opacity < 1 && !back && scene.network ? opacity * CHOSEN_GLASS : opacity;
  return { job, box, fill: [...fill, alpha], edge, width: back ? 1 : 3, faded: alpha < 1 || (chosen >= 0 && back) };
}

function fillCells(cells, run, [x, y, z, w, d, h], value) {
  const [width, depth] = run.shape;
  for (let c = z; c < z + h; c++) for (let b = y; b < y + d; b++) cells.fill(value, (c * depth + b) * width + x, (c * depth + b) * width + x + w);
}

function addMarks(scene, cursor, step) {
  const { theme, run } = scene, row = run.row.get(run.attempts[cursor.attempt].job);
  for (const [role, ...box] of step.marks) {
    if (!(role in ROLE_WORDS) || box[3] * box[4] * box[5] === 0) continue;
    if (role === PLACED) {
      const fill = row === undefined ? theme.rgb.accent : theme.tint(run, row);
      scene.marks.push({ role, box, fill: [...fill, 1], edge: [...theme.rgb.accent, 1], width: 3, job: row });
      continue;
    }
    scene.marks.push(marked(theme, role, box));
  }
}

function marked(theme, role, box) {
  const [token, fill, edge, width] = MARK_LOOKS[role];
  return { role, box, fill: [...theme.rgb[token], fill], edge: [...theme.rgb[token], edge], width };
}

/** A dot for each free node and for each number of the strategy's that has a meaning; tiles for heat in 2D. */
function addDots(scene, step) {
  const { run, theme, held, network } = scene, [width, depth] = run.shape;
  const panels = step ? step.panels.map(([place]) => run.panels[place]) : [];
  const grid = panels.find((panel) => panel.kind === "grid"), heat = step && step.heat !== undefined ? run.panels[step.heat] : null;
  const roles = new Map(grid ? grid.legend.map(([value, , role]) => [value, role]) : []);
  const named = new Set(heat ? heat.legend.map(([value]) => value) : []);
  for (let node = 0; node < run.processors; node++) {
    const at = [node % width, Math.floor(node / width) % depth, Math.floor(node / (width * depth))];
    const warm = heat && heat.heat && held[node] < 0 && !named.has(heat.values[node]);
    const colour = warm ? theme.heatOf(heat.values[node], heat.heat[1], heat.heat[2]) : null;
    const look = grid ? GRID_DOTS[roles.get(grid.values[node])] : undefined;
    if (warm && run.dims === 2) scene.tiles.push({ at, colour });
    if (warm && run.dims === 3) scene.dots.push({ at, colour: [...colour, 1], size: HEAT_DOT, marked: true });
    else if (look) scene.dots.push({ at, colour: [...theme.rgb[look[0]], look[1]], size: look[2], marked: true });
    else if (held[node] < 0) scene.dots.push({ at, colour: [...theme.rgb.mesh_edge, FREE_DOT[0]], size: FREE_DOT[1], marked: false });
    else if (network) scene.dots.push({ at, colour: [...theme.rgb.mesh_edge, FREE_DOT[0]], size: ROUTER_DOT, marked: true });
  }
}

/** What colours and outlines mean in all steps of the attempt that is shown, so that the legend stays. */
function legendOf(cursor, theme) {
  const broken = cursor.run.downAt(cursor.position).length > 0, entries = [];
  if (broken) entries.push({ words: "down", ...marked(theme, DOWN, null), dashed: false });
  if (!cursor.inside) return entries;
  const { run } = cursor, attempt = run.attempts[cursor.attempt], roles = new Set();
  for (const step of attempt.steps) for (const [role] of step.marks) roles.add(role);
  for (const role of [TRIED, CANDIDATE, PROHIBITED, BORDER, BLOCKED, PLACED].filter((each) => roles.has(each))) {
    const row = run.row.get(attempt.job);
    const [token, fill, edge] = MARK_LOOKS[role] || ["accent", 1, 1];
    const colour = role === PLACED && row !== undefined ? theme.tint(run, row) : theme.rgb[token];
    entries.push({ words: ROLE_WORDS[role], fill: [...colour, fill], edge: [...theme.rgb[token], edge], dashed: role === PROHIBITED, job: role === PLACED ? row : undefined });
  }
  return entries;
}

/** The opacity of free nodes where a node has this many pixels: many small dots make a moiré. */
function freeStrength(pixels) {
  return Math.min(Math.max((pixels - 9) / 9, 0), 1);
}

/** The step between numbers on an axis at which they are `least` pixels apart in a room. */
function axisStep(nodes, room, least) {
  let step = 1;
  while (nodes > step && (room / nodes) * step < least) step *= 2;
  return step;
}

/** The size of a job's number on a face, or 0 without room. */
function numberSize(context, text, width, height) {
  const room = Math.min(width, height), limits = [30, 44, 80, 160];
  const usual = [12, 13, 15, 18, 24][limits.filter((limit) => room >= limit).length];
  const pixels = Math.floor(Math.min((width - 1) / (0.62 * text.length), (height - 1) / 0.73, usual));
  return pixels < 8 ? 0 : pixels;
}
