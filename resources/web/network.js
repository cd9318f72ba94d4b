"use strict";
// The network at the end of a cycle, from header times alone, and worms as strokes; as in the program.

const WAYS = 8, INJECT = 6, EJECT = 7, NO_TIME = Infinity;
const WAY_STEPS = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
const LANE = { 2: 0.15, 3: 0.11 }, ROUTER = 0.25, PORTS = [0.21, 0.36], SLIP = 0.055;

/** All packets of a run, and where their flits are in any cycle. */
class Traffic {
  constructor(run) {
    Object.assign(this, run.network);
    this.run = run;
    this.count = this.numbers.length;
    this.reach = Math.floor((this.flits - 1) / this.buffer);
    this.layRoutes();
    this.injected = new Float64Array(this.count);
    this.delivered = new Float64Array(this.count);
    for (let packet = 0; packet < this.count; packet++) {
      const first = this.first[packet], last = this.first[packet + 1] - 1;
      this.injected[packet] = this.sent[packet] + (this.ports ? this.entered[first] - this.cycles : 0);
      this.delivered[packet] = this.sent[packet] + this.entered[last] + (this.flits - 1) * this.cycles;
    }
  }

  /** The channels of every route: x first, then y, then z. */
  layRoutes() {
    const [w, d] = this.run.shape, strides = [1, w, w * d], ends = this.ports ? 2 : 0;
    const place = (node) => [node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))];
    this.first = new Int32Array(this.count + 1);
    this.channels = new Int32Array(this.gaps.length);
    this.entered = new Float64Array(this.gaps.length);
    let at = 0;
    for (let packet = 0; packet < this.count; packet++) {
      let here = this.sources[packet];
      const target = this.targets[packet], from = place(here), to = place(target);
      if (ends) this.channels[at++] = here * WAYS + INJECT;
      for (let axis = 0; axis < 3; axis++) {
        const gap = to[axis] - from[axis];
        for (let hop = 0; hop < Math.abs(gap); hop++) {
          this.channels[at++] = here * WAYS + 2 * axis + (gap < 0 ? 1 : 0);
          here += gap > 0 ? strides[axis] : -strides[axis];
        }
      }
      if (ends) this.channels[at++] = here * WAYS + EJECT;
      this.first[packet + 1] = at;
      let since = 0, known = true;
      for (let row = this.first[packet]; row < at; row++) {
        known = known && this.gaps[row] > 0;
        since += this.gaps[row];
        this.entered[row] = known ? since : NO_TIME; // since the packet was sent
      }
    }
  }

  /** When flit `flit` enters the buffer of a row of a route that ends at `end`, since the packet was sent. */
  flitEnters(row, end, flit) {
    let latest = 0;
    for (let ahead = row; ahead <= Math.min(row + Math.floor(flit / this.buffer), end); ahead++) {
      latest = Math.max(latest, this.entered[ahead] + (flit - (ahead - row) * this.buffer) * this.cycles);
    }
    return latest;
  }

  /** When the tail leaves the buffer of a row. */
  tailLeaves(row, end) {
    const begin = Math.min(row + 1, end), farthest = Math.min(begin + this.reach, end), step = this.buffer * this.cycles;
    let latest = 0;
    for (let ahead = step <= this.cycles ? farthest : begin; ahead <= farthest; ahead++) latest = Math.max(latest, this.entered[ahead] - (ahead - begin) * step);
    return this.entered[farthest] === NO_TIME ? NO_TIME : latest + (this.flits - 1) * this.cycles;
  }

  /** The network at the end of a cycle, after so many events: worms, and packets that wait at processors. */
  at(cycle, position) {
    if (this.latest && this.latest.cycle === cycle && this.latest.position === position) return this.latest;
    const worms = [], queued = [], { started } = this.run.jobs;
    for (let packet = 0; packet < this.count; packet++) {
      if (this.sent[packet] > cycle || this.delivered[packet] <= cycle || started[this.jobs[packet]] >= position) continue;
      if (this.injected[packet] > cycle) queued.push(packet);
      else worms.push(this.worm(packet, cycle));
    }
    const blocked = worms.filter((worm) => worm.wanted >= 0).length;
    this.latest = { cycle, position, worms, queued, blocked };
    return this.latest;
  }

  worm(packet, cycle) {
    const first = this.first[packet], end = this.first[packet + 1] - 1, since = cycle - this.sent[packet];
    const flits = [], held = [];
    let at = end, wanted = -1;
    for (let flit = 0; flit < this.flits; flit++) {
      while (at >= first && this.flitEnters(at, end, flit) > since) at--;
      if (at < first) break;
      if (at < end) flits.push([flit, at]);
    }
    for (let row = first; row <= end; row++) {
      const granted = this.entered[row] - this.cycles, asked = row === first ? 0 : this.entered[row - 1] + this.pause;
      if (granted <= since && this.tailLeaves(row, end) > since) held.push(row);
      if (asked <= since && granted > since && row - first >= (this.ports ? 1 : 0)) wanted = this.channels[row];
    }
    const arrived = this.entered[end] <= since;
    return { packet, flits, held, wanted, head: flits.length && flits[0][0] === 0 ? flits[0][1] : -1, arrived };
  }
}

// Where channels lie

function offsetsOf(dims) {
  const right = [[0, -1, 0], [1, 0, 0], [1, -1, 0]].map((way, axis) => (dims === 3 && axis < 2 ? [way[0], way[1], -1] : way));
  const long = LANE[dims] / (dims === 3 ? Math.SQRT2 : 1), corner = [1, 1, dims === 3 ? 1 : 0], offsets = [];
  WAY_STEPS.forEach((step, way) => {
    const beside = right[way >> 1].map((part) => part * long * (way % 2 ? -1 : 1));
    offsets.push([plus(beside, step, ROUTER), plus(beside, step, 1 - ROUTER)]);
  });
  const [near, far] = PORTS.map((reach) => corner.map((part) => part * reach)), slip = [-SLIP, SLIP, 0];
  offsets.push([plus(far, slip), plus(near, slip)], [plus(near, slip, -1), plus(far, slip, -1)]);
  return offsets;
}

/** The two ends of a channel, in nodes: whole numbers are the middles of nodes. */
function channelEnds(run, channel) {
  const [w, d] = run.shape, node = Math.floor(channel / WAYS), place = [node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))];
  run.offsets = run.offsets || offsetsOf(run.dims);
  return run.offsets[channel % WAYS].map((end) => plus(place, end));
}

function portOf(run, node) {
  const [w, d] = run.shape, far = PORTS[1];
  return plus([node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))], [far, far, run.dims === 3 ? far : 0]);
}

/** The shape of a stroke: its width in nodes, least pixels, taper, hole, level, whether it fades where small. */
const shape = (width, least = 1, taper = 0, hole = 0, level = 0, fades = 0) => [width, least, taper, hole, level, fades];
const BODY = shape(0.16, 1.3, 0, 0, 2), GRANTED = shape(0.06, 1, 0, 0, 2), CASING = 0.07, UNDER = -3, BEAD = shape(0.1, 2.2, 0, 0, 5, 1);
const HEAD = shape(0.32, 3, 1, 0, 7, 1), RING = shape(0.5, 4, 0, 0.74, 9, 1), WANTED = shape(0.08, 1.2, 0, 0, 6.5, 1);
const THIN_RING = shape(0.44, 4, 0, 0.86, 9, 1), THIN_WANTED = shape(0.035, 1, 0, 0, 6.5, 1), QUEUED = shape(0.15, 2, 0, 0, 4, 1);
const HEAD_REACH = 0.15, HEAD_CASING = 0.05, HEAD_ROOM = 0.24, CROWD = [8, 40], STUCK_HEAD = 0.78, STUCK_CASING = 0.4, MOVING_HEAD = 1.35;
const BAR_BELOW = 0.11, APART = 0.13, DARKER = 0.52;

/** All strokes of a moment of the network, lower levels first: [start, end, colour, look]. */
function wormStrokes(scene) {
  const { run, theme, network } = scene, strokes = [], traffic = run.traffic;
  const crowding = Math.min(Math.max((network.blocked - CROWD[0]) / (CROWD[1] - CROWD[0]), 0), 1);
  for (const worm of network.worms) {
    let colour = theme.tint(run, traffic.jobs[worm.packet]);
    const back = scene.chosen >= 0 && traffic.jobs[worm.packet] !== scene.chosen;
    const step = (part) => (back ? mixed(part, theme.rgb.mesh_background, DIMMED) : part);
    const dark = step(mixed(colour, theme.rgb.base, DARKER));
    colour = step(colour);
    addBody(strokes, scene, worm, colour);
    addFlits(strokes, scene, worm, dark);
    addHead(strokes, scene, worm, dark, step(theme.rgb.blocked), crowding);
  }
  addQueues(strokes, scene);
  return strokes.sort((a, b) => a[3][4] - b[3][4]);
}

function wider(look, more, pixels, level) {
  return shape(look[0] + more, look[1] + pixels, look[2], look[3], level, look[5]);
}

/** The channels held, joined at the routers, with casings around them; thin where they are only granted. */
function addBody(strokes, scene, worm, colour) {
  const { run, theme } = scene, { channels } = run.traffic;
  let before = null;
  for (const row of worm.held) {
    const [from, to] = channelEnds(run, channels[row]);
    const ahead = worm.head >= 0 ? row > worm.head : !worm.arrived, look = ahead ? GRANTED : BODY;
    for (const [a, b] of before ? [[from, to], [before, from]] : [[from, to]]) {
      strokes.push([a, b, theme.rgb.mesh_background, wider(look, CASING, 0.7, UNDER)], [a, b, colour, look]);
    }
    before = to;
  }
}

/** The flits behind the head: beads in each buffer, or a bar where beads would run together. */
function addFlits(strokes, scene, worm, colour) {
  const { run } = scene, { channels, buffer } = run.traffic, buffers = new Map();
  for (const [flit, row] of worm.flits) buffers.set(row, [...(buffers.get(row) || []), flit]);
  for (const [row, flits] of buffers) {
    const [from, to] = channelEnds(run, channels[row]), way = plus(from, to, -1), long = Math.max(Math.hypot(...way), 1e-6);
    const head = flits[0] === 0 ? 1 : 0, taken = head ? Math.min(HEAD_ROOM, 0.6 * long) : 0;
    const spacing = Math.min((long - taken) / Math.max(buffer - head, 1), APART), beads = flits.length - head;
    if (!beads) continue;
    if (1 / buffer < BAR_BELOW) strokes.push([plus(to, way, taken / long), plus(to, way, (taken + beads * spacing) / long), colour, BEAD]);
    else for (let n = 0; n < beads; n++) {
      const at = plus(to, way, (taken + n * spacing) / long);
      strokes.push([at, at, colour, shape(Math.min(BEAD[0], 0.85 * spacing), ...BEAD.slice(1))]);
    }
  }
}

/** An arrow where the header is; in a ring where it is blocked, with dashes over the channel it waits for. */
function addHead(strokes, scene, worm, colour, red, crowd) {
  const { run, theme } = scene, { channels, sources } = run.traffic, stuck = worm.wanted >= 0;
  let spot = stuck ? portOf(run, sources[worm.packet]) : null;
  if (worm.head >= 0) {
    const [from, to] = channelEnds(run, channels[worm.head]), along = plus(to, from, -1), long = Math.max(Math.hypot(...along), 1e-9);
    const way = along.map((part) => part / long), size = stuck ? 1 - (1 - STUCK_HEAD) * crowd : 1 + (MOVING_HEAD - 1) * crowd;
    const casing = HEAD_CASING * (stuck ? 1 - (1 - STUCK_CASING) * crowd : 1), reach = HEAD_REACH * size;
    const [back, front] = [plus(to, way, -reach), plus(to, way, reach)];
    strokes.push([plus(back, way, -casing), plus(front, way, 2 * casing), theme.rgb.mesh_background, shape(HEAD[0] * size + 4 * casing, 5, 1, 0, 3, 1)]);
    strokes.push([back, front, colour, shape(HEAD[0] * size, ...HEAD.slice(1))]);
    if (stuck) strokes.push([to, to, red, RING.map((part, place) => part + (THIN_RING[place] - part) * crowd)]);
    spot = to;
  }
  if (!stuck) return;
  const [from, to] = channelEnds(run, worm.wanted), way = plus(to, from, -1), look = WANTED.map((part, place) => part + (THIN_WANTED[place] - part) * crowd);
  const parts = [0, 1, 2].map((n) => [plus(from, way, (n + 0.2) / 3), plus(from, way, (n + 0.7) / 3)]);
  parts.push([plus(spot, plus(from, spot, -1), 0.55), from]);
  for (const [a, b] of parts) strokes.push([a, b, theme.rgb.mesh_background, wider(look, CASING * (1 - crowd), 1 - crowd, 6)], [a, b, red, look]);
}

/** A dot at each processor where packets wait, in the colour of the first. */
function addQueues(strokes, scene) {
  const { run, theme, network } = scene, traffic = run.traffic, first = new Map();
  const waiting = [...network.queued, ...network.worms.filter((worm) => worm.wanted >= 0 && worm.head < 0).map((worm) => worm.packet)];
  for (const packet of waiting.sort((a, b) => a - b)) if (!first.has(traffic.sources[packet])) first.set(traffic.sources[packet], packet);
  for (const [node, packet] of first) {
    const at = portOf(run, node);
    strokes.push([at, at, theme.tint(run, traffic.jobs[packet]), QUEUED]);
  }
}
