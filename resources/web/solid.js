"use strict";
// Draws a scene with WebGL 2: instanced boxes, lines, dots and strokes, with the program's own shaders.

const GHOST = 0.22, EDGE_ON = 0.03, GRID_LINES = 16, NO_LINES = [0, 0, 0, 0];
const BOX = { corners: [], sizes: [3, 3, 4, 4, 1, 4] }, SEGMENT = { sizes: [3, 3, 4, 1] }, DOT = { sizes: [3, 4, 1] }, STROKE = { sizes: [3, 3, 4, 4, 2] };
for (let axis = 0; axis < 3; axis++) for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) BOX.corners.push(u, v, axis);
const QUAD = [0, -1, 1, -1, 1, 1, 0, -1, 1, 1, 0, 1];

/** A program with the buffers of what it draws: rows of numbers, one an instance. */
class Batch {
  constructor(gl, program, corners, size, sizes) {
    Object.assign(this, { gl, program, sizes, count: 0, corners: size ? corners.length / size : 0 });
    this.row = sizes.reduce((a, b) => a + b, 0);
    this.array = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    gl.bindVertexArray(this.array);
    if (size) {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, size, gl.FLOAT, false, 0, 0);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let at = 0;
    sizes.forEach((each, place) => {
      const number = place + (size ? 1 : 0);
      gl.enableVertexAttribArray(number);
      gl.vertexAttribPointer(number, each, gl.FLOAT, false, 4 * this.row, 4 * at);
      if (size) gl.vertexAttribDivisor(number, 1);
      at += each;
    });
  }

  fill(rows) {
    this.count = rows.length / this.row;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, new Float32Array(rows), this.gl.DYNAMIC_DRAW);
  }

  draw(values) {
    if (!this.count) return;
    const { gl } = this;
    this.program.use(values);
    gl.bindVertexArray(this.array);
    if (this.corners) gl.drawArraysInstanced(gl.TRIANGLES, 0, this.corners, this.count);
    else gl.drawArrays(gl.POINTS, 0, this.count);
  }
}

class Program {
  constructor(gl, [vertex, fragment]) {
    this.gl = gl;
    this.handle = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
    }
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.handle));
    this.places = new Map();
    for (let n = 0; n < gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS); n++) {
      const { name } = gl.getActiveUniform(this.handle, n);
      this.places.set(name, gl.getUniformLocation(this.handle, name));
    }
  }

  use(values) {
    const { gl } = this;
    gl.useProgram(this.handle);
    for (const [name, place] of this.places) {
      const value = values[name];
      if (typeof value === "number") gl.uniform1f(place, value);
      else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else if (value.length === 3) gl.uniform3fv(place, value);
      else gl.uniform2fv(place, value);
    }
  }
}

/** The renderer of one canvas; throws where WebGL 2 does not work. */
class Renderer {
  constructor(canvas, shaders) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    const program = (name) => new Program(gl, shaders[name]);
    const [box, segment, dots, stroke] = ["box", "segment", "dot", "stroke"].map(program);
    this.batches = Object.fromEntries([
      ...["solid", "glass", "covers"].map((name) => [name, new Batch(gl, box, BOX.corners, 3, BOX.sizes)]),
      ...["grid", "lines"].map((name) => [name, new Batch(gl, segment, QUAD, 2, SEGMENT.sizes)]),
      ...["free", "dots"].map((name) => [name, new Batch(gl, dots, [], 0, DOT.sizes)]),
      ...["links", "seams", "worms"].map((name) => [name, new Batch(gl, stroke, QUAD, 2, STROKE.sizes)]),
    ]);
  }

  /** Upload what does not change with the camera. */
  show(scene) {
    this.scene = scene;
    this.rows = solidRows(scene);
    this.batches.lines.fill(lineRows(scene));
    this.batches.dots.fill(scene.dots.filter((each) => each.marked).flatMap((each) => dotRow(scene, each)));
    this.batches.covers.fill(this.rows.glass.filter((row) => row.job).flatMap((row) => row.numbers));
    this.batches.worms.fill(scene.network ? wormRows(scene) : []);
  }

  draw(camera, pixel) {
    const { gl, scene, batches } = this, { theme, run } = scene;
    const [width, height] = [this.canvas.width, this.canvas.height], node = height / camera.pose.extent / pixel;
    const values = this.values(camera, [width, height], pixel);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...theme.rgb.mesh_background, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const towards = camera.back.map(Math.sign);
    const key = (row) => dot(row.numbers, towards) + dot(row.numbers.slice(3, 6), towards);
    gl.depthMask(false);
    batches.grid.fill(gridRows(scene, camera));
    batches.grid.draw({ ...values, strength: 1 });
    gl.depthMask(true);
    this.drawFree(camera, values, freeStrength(node));
    batches.solid.fill(this.rows.solid.sort((a, b) => key(b) - key(a)).flatMap((row) => row.numbers));
    batches.solid.draw(values);
    gl.depthMask(false);
    batches.dots.draw({ ...values, strength: 1, farthest: 0 });
    if (run.traffic && !scene.inside) this.drawLinks(camera, node, values);
    this.drawSeams(camera, values);
    const depth = (row) => dot(plus(row.numbers.slice(0, 3), row.numbers.slice(3, 6)), camera.back);
    batches.glass.fill(this.rows.glass.sort((a, b) => depth(a) - depth(b)).flatMap((row) => row.numbers));
    batches.glass.draw(values);
    this.drawWorms(values, run.dims === 2 && camera.straightDown);
    batches.lines.draw({ ...values, strength: 1 });
    gl.disable(gl.DEPTH_TEST);
    batches.lines.draw({ ...values, strength: GHOST });
  }

  values(camera, size, pixel) {
    const { scene } = this, { pen, strength, fine, wide } = page.hatching, light = new Light(camera, scene.run);
    return {
      matrix: camera.matrix, light: light.direction, ambient: page.light.ambient, key: page.light.key, eye: camera.eye, viewport: size, pixel,
      depths: light.depths, ground: scene.theme.rgb.mesh_background, least: 1.5 * pixel,
      haze: light.haze, reach: (pen * pixel + 1) / 2, strength, fine, wide, size: (size[1] * camera.distance) / camera.pose.extent,
    };
  }

  /** Free nodes where no job is in the picture: before or behind one they would seem to be inside it. */
  drawFree(camera, values, strength) {
    const { gl, scene, batches } = this;
    if (!strength) return;
    batches.free.fill(freeDots(scene, camera).flatMap((each) => dotRow(scene, each)));
    gl.colorMask(false, false, false, false);
    batches.covers.draw(values);
    gl.colorMask(true, true, true, true);
    gl.depthMask(false);
    gl.depthFunc(gl.LEQUAL);
    batches.free.draw({ ...values, strength, farthest: 1 });
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  drawLinks(camera, node, values) {
    const { run, theme } = this.scene, strength = linkStrength(run, node);
    if (!strength) return;
    const key = `${theme.name} ${linksApart(run, node)} ${camera.back.map((part) => (Math.abs(part) < EDGE_ON ? 0 : Math.sign(part)))}`;
    if (this.linked !== key || this.linkedRun !== run) {
      this.batches.links.fill(strokeRows(run, linksInTheOpen(run, idleLinks(run, theme, node), camera)));
      [this.linked, this.linkedRun] = [key, run];
    }
    this.batches.links.draw({ ...values, strength, core: 0 });
  }

  drawSeams(camera, values) {
    const { run, theme } = this.scene;
    if (!run.rings.some(Boolean)) return;
    this.batches.seams.fill(strokeRows(run, seamSigns(run, theme, (rows) => linksInTheOpen(run, rows, camera))));
    this.batches.seams.draw({ ...values, strength: 1, core: 0 });
  }

  /** First what is solid and hides what lies behind it, then soft rims; in one plane they need no depth. */
  drawWorms(values, inPlane) {
    const { gl, batches } = this;
    if (inPlane) {
      gl.disable(gl.DEPTH_TEST);
      batches.worms.draw({ ...values, strength: 1, core: 0 });
      gl.enable(gl.DEPTH_TEST);
      return;
    }
    gl.depthMask(true);
    batches.worms.draw({ ...values, strength: 1, core: 1 });
    gl.depthMask(false);
    batches.worms.draw({ ...values, strength: 1, core: 0 });
  }
}

/** The lowest and highest corner of a box of nodes in space, `gap` within its cells. */
function bounds(run, [x, y, z, w, d, h], gap) {
  const flat = run.dims === 2, height = flat ? PLATE : 1, up = flat ? gap * PLATE : gap;
  return [[x + gap, y + gap, z + up], [x + w - gap, y + d - gap, z + h - 1 + height - up]];
}

/** The lines of a job's hatching as two families; one alone comes twice, none as zeros. */
function families(run, job) {
  const lines = job === undefined ? [] : page.hatching.patterns[run.jobs.hatches[job]];
  return lines.length ? [...lines, ...lines].slice(0, 2).flat() : NO_LINES;
}

function solidRows(scene) {
  const solid = [], glass = [];
  for (const part of scene.boxes) {
    const [low, high] = bounds(scene.run, part.box, GAP);
    const row = { numbers: [...low, ...high, ...part.fill, ...part.edge, part.width, ...families(scene.run, part.job)], job: true };
    (part.fill[3] < 1 ? glass : solid).push(row);
  }
  for (const mark of scene.marks) {
    const [low, high] = markBounds(scene.run, mark);
    (mark.fill[3] < 1 ? glass : solid).push({ numbers: [...low, ...high, ...mark.fill, ...mark.edge, 0, ...families(scene.run, mark.job)] });
  }
  for (const { at, colour } of scene.tiles) {
    const low = [at[0] + GAP / 2, at[1] + GAP / 2, at[2]], high = [at[0] + 1 - GAP / 2, at[1] + 1 - GAP / 2, at[2] + TILE];
    solid.push({ numbers: [...low, ...high, ...colour, 1, 0, 0, 0, 0, 0, ...NO_LINES] });
  }
  return { solid, glass };
}

function markBounds(run, mark) {
  const [x, y, z, w, d, h] = mark.box, gap = mark.role === PLACED ? PLACED_GAP : MARK_GAP, height = run.dims === 2 ? PLATE : 1;
  const low = [x + gap, y + gap, z + gap], high = [x + w - gap, y + d - gap, z + h - 1 + height - gap];
  if (mark.role === BORDER) {
    const middle = (low[0] + high[0]) / 2;
    [low[0], high[0]] = [middle - PLANE_HALF, middle + PLANE_HALF];
  }
  return [low, high];
}

const EDGES = [], DIAGONALS = [];
for (let a = 0; a < 8; a++) for (let b = a + 1; b < 8; b++) {
  const apart = a ^ b;
  if ((apart & (apart - 1)) === 0) EDGES.push([a, b]);
  else if (apart !== 7) DIAGONALS.push([a, b]);
}

/** Outlines of marks and of the selected job, and the path, as segments. */
function lineRows(scene) {
  const rows = [];
  for (const mark of scene.marks) {
    const corners = cornersOf(...markBounds(scene.run, mark));
    const between = mark.role === BLOCKED || mark.role === DOWN ? [...EDGES, ...DIAGONALS] : EDGES;
    for (const [a, b] of between) for (const [from, to] of mark.role === PROHIBITED ? dashes(corners[a], corners[b]) : [[corners[a], corners[b]]]) rows.push(...from, ...to, ...mark.edge, mark.width);
  }
  for (const part of scene.boxes.filter((each) => each.job === scene.chosen)) {
    const corners = cornersOf(...bounds(scene.run, part.box, GAP));
    for (const [a, b] of EDGES) rows.push(...corners[a], ...corners[b], ...scene.theme.rgb.accent, 1, 3);
  }
  rows.push(...pathRows(scene));
  return rows;
}

function dashes(from, to) {
  const way = plus(to, from, -1), count = Math.max(Math.round(Math.hypot(...way) * 3), 1), pitch = 1 / (count - 1 + 0.6);
  return Array.from({ length: count }, (_, n) => [plus(from, way, pitch * n), plus(from, way, pitch * (n + 0.6))]);
}

function pathRows(scene) {
  const { path, run, theme, held } = scene, rows = [];
  if (!path) return rows;
  const [width, depth] = run.shape, lift = run.dims === 2 ? PLATE + MARK_GAP : 0.5;
  const places = [];
  for (let at = 0; at < path.length; at += 3) places.push([path[at], path[at + 1], path[at + 2]]);
  const busy = places.map(([x, y, z]) => held[(Math.floor(z) * depth + Math.floor(y)) * width + Math.floor(x)] >= 0);
  for (let n = 0; n + 1 < places.length; n++) {
    const [from, to] = [places[n], places[n + 1]].map(([x, y, z]) => [x + 0.5, y + 0.5, z + lift]);
    rows.push(...from, ...to, ...theme.rgb.text, PATH * (busy[n] || busy[n + 1] ? PATH_BEHIND : 1), 1.5);
  }
  return rows;
}

function dotRow(scene, { at, colour, size }) {
  return [at[0] + 0.5, at[1] + 0.5, at[2] + (scene.run.dims === 2 ? PLATE / 2 : 0.5), ...colour, size];
}

/** Of a 3D mesh only the free nodes on the walls turned away: all others would lie over them. */
function freeDots(scene, camera) {
  const free = scene.dots.filter((each) => !each.marked), { run } = scene;
  const open = run.processors <= 64 && (scene.network || !scene.boxes.length);
  if (run.dims === 2 || open) return free;
  const on = (at, axis) => Math.abs(camera.back[axis]) > EDGE_ON && at[axis] === (camera.back[axis] > 0 ? 0 : run.shape[axis] - 1);
  return free.filter(({ at }) => on(at, 0) || on(at, 1) || on(at, 2));
}

/** The lines between nodes on the faces at the back. */
function gridRows(scene, camera) {
  const { run, theme } = scene, size = spaceOf(run), rows = [], alpha = run.dims === 2 && run.traffic && !scene.inside ? 0.4 : 1;
  for (let normal = 0; normal < 3; normal++) {
    if (Math.abs(camera.back[normal]) < EDGE_ON || (run.dims === 2 && normal !== 2)) continue;
    const at = camera.back[normal] > 0 || run.dims === 2 ? 0 : size[normal];
    for (const across of [0, 1, 2].filter((axis) => axis !== normal)) {
      const along = 3 - normal - across, step = run.dims === 2 ? 1 : axisStep(run.shape[across], GRID_LINES, 1);
      for (let place = 0; place <= run.shape[across]; place = Math.min(place + step, run.shape[across]) + (place === run.shape[across] ? 1 : 0)) {
        const from = [0, 0, 0], to = [0, 0, 0];
        from[normal] = to[normal] = at;
        from[across] = to[across] = across === 2 && place === run.shape[2] ? size[2] : place;
        to[along] = size[along];
        rows.push(...from, ...to, ...theme.rgb.mesh_grid, alpha, 1);
      }
    }
  }
  return rows;
}
