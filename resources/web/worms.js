"use strict";
// Worms as strokes: the channels that packets hold, their flits, their heads, and what these wait for.

/** The shape of a stroke: its width in nodes, least pixels, taper, hole, level, whether it fades where small. */
const shape = (width, least = 1, taper = 0, hole = 0, level = 0, fades = 0) => [width, least, taper, hole, level, fades];
const BODY = shape(0.16, 1.3, 0, 0, 2), GRANTED = shape(0.06, 1, 0, 0, 2), CASING = 0.07, UNDER = -3, BEAD = shape(0.1, 2.2, 0, 0, 5, 1);
const HEAD = shape(0.32, 3, 1, 0, 7, 1), RING = shape(0.5, 4, 0, 0.74, 9, 1), WANTED = shape(0.08, 1.2, 0, 0, 6.5, 1);
const THIN_RING = shape(0.44, 4, 0, 0.86, 9, 1), THIN_WANTED = shape(0.035, 1, 0, 0, 6.5, 1), QUEUED = shape(0.15, 2, 0, 0, 4, 1);
const HEAD_REACH = 0.15, HEAD_CASING = 0.05, HEAD_ROOM = 0.24, CROWD = [8, 40], STUCK_HEAD = 0.78, STUCK_CASING = 0.4, MOVING_HEAD = 1.35;
const THREAD = shape(0.05, 1, 0, 0, 4.2), CIRCLE = shape(0.4, 4, 0, 0, -4);
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
    addBody(strokes, scene, worm, colour, dark);
    addFlits(strokes, scene, worm, dark);
    addHead(strokes, scene, worm, dark, step(theme.rgb.blocked), crowding);
  }
  addQueues(strokes, scene);
  if (scene.stuck) addCircle(strokes, scene);
  return strokes.sort((a, b) => a[3][4] - b[3][4]);
}

/** A look as wide as a lane is where links have several channels. */
const thinner = (run, look) => [look[0] * laneScale(run), ...look.slice(1)];

function wider(look, more, pixels, level) {
  return shape(look[0] + more, look[1] + pixels, look[2], look[3], level, look[5]);
}

/** The channels held, joined at the routers, with casings around them; thin where they are only granted. */
function addBody(strokes, scene, worm, colour, dark) {
  const { run, theme } = scene, { traffic } = run, { of } = traffic, scale = laneScale(run);
  let before = null;
  for (const row of worm.held) {
    const lane = traffic.lane(row), parts = laneParts(run, lane), link = lane[0] % WAYS < INJECT;
    const ahead = worm.head >= 0 ? row > worm.head : !worm.arrived, look = thinner(run, ahead ? GRANTED : BODY);
    for (const [a, b] of before ? [...parts, [before, parts[0][0]]] : parts) {
      strokes.push([a, b, theme.rgb.mesh_background, wider(look, CASING * scale, 0.7, UNDER)], [a, b, colour, look]);
    }
    if (of > 1 && link && !ahead) for (const [a, b] of parts) strokes.push([a, b, theme.threadOf(lane[1], of), thinner(run, THREAD)]);
    if (parts.length > 1) {
      for (const at of [parts[0][1], parts[1][0]]) for (const sign of SEAM_SIGNS[(lane[0] % WAYS) >> 1]) strokes.push([at, at, dark, wider(thinner(run, sign), 0, 0, 4.5)]);
    }
    before = parts.pop()[1];
  }
}

/** A band around the channels that close the circle of a deadlock. */
function addCircle(strokes, scene) {
  const { run, theme } = scene, parts = run.network.deadlock.lanes.map((lane) => laneParts(run, lane));
  const colour = mixed(theme.rgb.mesh_background, theme.rgb.blocked, 0.55);
  parts.forEach((here, place) => {
    const next = parts[(place + 1) % parts.length];
    for (const [a, b] of [...here, [here[here.length - 1][1], next[0][0]]]) strokes.push([a, b, colour, CIRCLE]);
  });
}

/** The flits behind the head: beads in each buffer, or a bar where beads would run together. */
function addFlits(strokes, scene, worm, colour) {
  const { run } = scene, { traffic } = run, { buffer } = traffic, buffers = new Map(), look = thinner(run, BEAD);
  for (const [flit, row] of worm.flits) buffers.set(row, [...(buffers.get(row) || []), flit]);
  for (const [row, flits] of buffers) {
    const [from, to] = laneEnds(run, traffic.lane(row)), way = plus(from, to, -1), long = Math.max(Math.hypot(...way), 1e-6);
    const head = flits[0] === 0 ? 1 : 0, taken = head ? Math.min(HEAD_ROOM, 0.6 * long) : 0;
    const spacing = Math.min((long - taken) / Math.max(buffer - head, 1), APART), beads = flits.length - head;
    if (!beads) continue;
    if (1 / buffer < BAR_BELOW) strokes.push([plus(to, way, taken / long), plus(to, way, (taken + beads * spacing) / long), colour, look]);
    else for (let n = 0; n < beads; n++) {
      const at = plus(to, way, (taken + n * spacing) / long);
      strokes.push([at, at, colour, shape(Math.min(look[0], 0.85 * spacing), ...BEAD.slice(1))]);
    }
  }
}

/** An arrow where the header is; in a ring where it is blocked, with dashes over the channel it waits for. */
function addHead(strokes, scene, worm, colour, red, crowd) {
  const { run, theme } = scene, { traffic } = run, { sources } = traffic, stuck = worm.wanted !== null, scale = laneScale(run);
  let spot = stuck ? portOf(run, sources[worm.packet]) : null;
  if (worm.head >= 0) {
    const [from, to] = laneEnds(run, traffic.lane(worm.head)), along = plus(to, from, -1), long = Math.max(Math.hypot(...along), 1e-9);
    const way = along.map((part) => part / long), size = scale * (stuck ? 1 - (1 - STUCK_HEAD) * crowd : 1 + (MOVING_HEAD - 1) * crowd);
    const casing = scale * HEAD_CASING * (stuck ? 1 - (1 - STUCK_CASING) * crowd : 1), reach = HEAD_REACH * size;
    const [back, front] = [plus(to, way, -reach), plus(to, way, reach)];
    strokes.push([plus(back, way, -casing), plus(front, way, 2 * casing), theme.rgb.mesh_background, shape(HEAD[0] * size + 4 * casing, 5, 1, 0, 3, 1)]);
    strokes.push([back, front, colour, shape(HEAD[0] * size, ...HEAD.slice(1))]);
    if (stuck) strokes.push([to, to, red, thinner(run, RING.map((part, place) => part + (THIN_RING[place] - part) * crowd))]);
    spot = to;
  }
  if (!stuck) return;
  const look = thinner(run, WANTED.map((part, place) => part + (THIN_WANTED[place] - part) * crowd)), dashes = [];
  for (const lane of worm.wanted) {
    const parts = laneParts(run, lane), begin = parts[0][0], count = parts.length > 1 ? 1 : 3;
    dashes.push([plus(spot, plus(begin, spot, -1), 0.55), begin]);
    for (const [from, to] of parts) for (let n = 0; n < count; n++) dashes.push([plus(from, plus(to, from, -1), (n + 0.2) / count), plus(from, plus(to, from, -1), (n + 0.7) / count)]);
  }
  for (const [a, b] of dashes) strokes.push([a, b, theme.rgb.mesh_background, wider(look, CASING * (1 - crowd), 1 - crowd, 6)], [a, b, red, look]);
}

/** A dot at each processor where packets wait, in the colour of the first. */
function addQueues(strokes, scene) {
  const { run, theme, network } = scene, traffic = run.traffic, first = new Map();
  const waiting = [...network.queued, ...network.worms.filter((worm) => worm.wanted && worm.head < 0).map((worm) => worm.packet)];
  for (const packet of waiting.sort((a, b) => a - b)) if (!first.has(traffic.sources[packet])) first.set(traffic.sources[packet], packet);
  for (const [node, packet] of first) {
    const at = portOf(run, node);
    strokes.push([at, at, theme.tint(run, traffic.jobs[packet]), QUEUED]);
  }
}
