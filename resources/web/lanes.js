"use strict";
// Where channels lie, in nodes: whole numbers are the middles of nodes.

const LANE = { 2: 0.15, 3: 0.11 }, ROUTER = 0.25, PORTS = [0.21, 0.36], SLIP = 0.055;
const SEAM = 0.47, BAND = { 2: [0.045, 0.255], 3: [0.03, 0.21] }, LANE_ROOM = 0.17;

/** The direction from the line between two nodes to the lane of a way, one long. */
function besideOf(dims, way) {
  const right = [[0, -1, 0], [1, 0, 0], [1, -1, 0]][way >> 1], sign = way % 2 ? -1 : 1;
  if (dims === 2) return right.map((part) => part * sign);
  return [right[0], right[1], way >> 1 < 2 ? -1 : 0].map((part) => (part * sign) / Math.SQRT2);
}

function offsetsOf(dims) {
  const corner = [1, 1, dims === 3 ? 1 : 0], offsets = [];
  WAY_STEPS.forEach((step, way) => {
    const beside = besideOf(dims, way).map((part) => part * LANE[dims]);
    offsets.push([plus(beside, step, ROUTER), plus(beside, step, 1 - ROUTER)]);
  });
  const [near, far] = PORTS.map((reach) => corner.map((part) => part * reach)), slip = [-SLIP, SLIP, 0];
  offsets.push([plus(far, slip), plus(near, slip)], [plus(near, slip, -1), plus(far, slip, -1)]);
  return offsets;
}

/** The parts of a channel with their ends: of one across a seam the half that leaves, and the one that comes in. */
function laneParts(run, [channel, virtual]) {
  const [w, d] = run.shape, node = Math.floor(channel / WAYS), way = channel % WAYS, axis = way >> 1;
  const place = [node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))], step = way % 2 ? -1 : 1;
  run.offsets = run.offsets || offsetsOf(run.dims);
  let ends = run.offsets[way].map((end) => plus(place, end));
  const of = run.traffic.of;
  if (of > 1 && way < INJECT) {
    const [low, high] = BAND[run.dims], more = low + ((high - low) * (virtual + 0.5)) / of - LANE[run.dims];
    ends = ends.map((end) => plus(end, besideOf(run.dims, way), more));
  }
  if (way >= INJECT || !run.rings[axis] || place[axis] !== (way % 2 ? 0 : run.shape[axis] - 1)) return [ends];
  const [from, to] = ends, out = [...from], back = [...to];
  out[axis] += step * (SEAM - ROUTER);
  back[axis] -= step * run.shape[axis];
  const comes = [...back];
  comes[axis] -= step * (SEAM - ROUTER);
  return [[from, out], [comes, back]];
}

/** The ends of a channel where it leads in: of one across a seam those of its second half. */
function laneEnds(run, lane) {
  return laneParts(run, lane).pop();
}

/** The share of their usual width that strokes have where a link has several channels. */
function laneScale(run) {
  const [low, high] = BAND[run.dims], { of } = run.traffic;
  return of === 1 ? 1 : Math.min(1, (high - low) / of / LANE_ROOM);
}

function portOf(run, node) {
  const [w, d] = run.shape, far = PORTS[1];
  return plus([node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))], [far, far, run.dims === 3 ? far : 0]);
}
