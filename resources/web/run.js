"use strict";
// What the page was given: JSON and typed arrays in one compressed piece.

const [ARRIVE, START, FINISH, REJECT, RESERVE, MOVE, FAIL, REPAIR, KILL] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ARRAYS = { f8: Float64Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, u1: Uint8Array };

/** The bytes of text in base64. */
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  return bytes;
}

/** Unpack the content of the page: its header, in which each array is where its place was. */
async function readContent(text) {
  const packed = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = await new Response(packed).arrayBuffer();
  const length = new DataView(whole).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 8, length)));
  return withArrays(header, whole, 8 + length);
}

function withArrays(part, whole, begin) {
  for (const [key, value] of Object.entries(part)) {
    if (value === null || typeof value !== "object") continue;
    if (value.kind in ARRAYS && "at" in value) part[key] = new ARRAYS[value.kind](whole, begin + value.at, value.count);
    else if (!Array.isArray(value)) withArrays(value, whole, begin);
    else if (key === "runs") value.forEach((run) => withArrays(run, whole, begin));
  }
  return part;
}

/** A run: its columns, and the state of the machine at any position. */
class Run {
  constructor(data, language) {
    Object.assign(this, data);
    this.speak(language);
    this.count = this.jobs.numbers.length;
    const [w, d, h] = this.shape;
    this.processors = w * d * h;
    this.held = new Int32Array(this.count);
    for (let job = 0; job < this.count; job++) for (const box of this.boxesOf(job)) this.held[job] += box[3] * box[4] * box[5];
    this.row = new Map(Array.from(this.jobs.numbers, (number, row) => [number, row]));
    this.curves();
    this.attemptsAt = new Map();
    this.attempts.forEach((attempt, place) => {
      const there = this.attemptsAt.get(attempt.position) || [];
      this.attemptsAt.set(attempt.position, [...there, place]);
    });
    this.traffic = this.network ? new Traffic(this) : null;
  }

  /** Say everything in a language: names, sentences, lines, and the steps of attempts. */
  speak(language) {
    Object.assign(this, this.told[language]);
  }

  /** Processors in use and jobs waiting after each event of the page, from its first position on. */
  curves() {
    const { kinds, jobs } = this.events, first = this.stateAt(this.first);
    this.busy = new Int32Array(kinds.length + 1);
    this.waiting = new Int32Array(kinds.length + 1);
    this.busy[0] = first.busy;
    this.waiting[0] = first.queue.length;
    this.down = this.downCurve();
    for (let place = 0; place < kinds.length; place++) {
      const size = jobs[place] < 0 ? 0 : this.held[jobs[place]], kind = kinds[place];
      this.busy[place + 1] = this.busy[place] + (kind === START ? size : kind === FINISH || kind === KILL ? -size : 0);
      this.waiting[place + 1] = this.waiting[place] + (kind === ARRIVE || (kind === KILL && this.jobs.hits[jobs[place]] === 1) ? 1 : kind === START || kind === REJECT ? -1 : 0);
    }
  }

  /** How many processors are down after each event of the page, from its first position on; null where none ever is. */
  downCurve() {
    if (!this.outages) return null;
    const curve = new Int32Array(this.events.kinds.length + 1);
    let change = -1;
    for (let place = 0; place < curve.length; place++) {
      const before = change;
      while (this.outages.positions[change + 1] <= this.first + place) change++;
      const boxes = place && change === before ? null : this.downAt(this.first + place);
      curve[place] = boxes ? boxes.reduce((sum, box) => sum + box[3] * box[4] * box[5], 0) : curve[place - 1];
    }
    return curve;
  }

  /** The time of a position: that of the event that leads to it. */
  timeOf(position) {
    return position > this.first ? this.events.times[position - this.first - 1] : this.before;
  }

  /** The position when all events up to and at a time have happened. */
  positionAt(time) {
    const times = this.events.times;
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return this.first + low;
  }

  boxesOf(job) {
    const { first, boxes } = this.jobs, found = [];
    for (let row = first[job]; row < first[job + 1]; row++) found.push(boxes.subarray(6 * row, 6 * row + 6));
    return found;
  }

  /** What a job holds, a box across seams as one that goes beyond the mesh. */
  blocksOf(job) {
    const boxes = this.boxesOf(job);
    if (!this.across || boxes.length < 2) return boxes;
    const length = (axis) => {
      const parts = new Map(boxes.map((box) => [box[axis], box[axis + 3]]));
      return Array.from(parts.values()).reduce((all, size) => all + size, 0);
    };
    return [[...boxes[0].slice(0, 3), length(0), length(1), length(2)]];
  }

  sizeOf(job) {
    return Array.from(this.jobs.sizes.subarray(3 * job, 3 * job + this.dims)).join("×");
  }

  /** The machine after that many events. */
  stateAt(position) {
    const { arrived, started, ended, reserved, numbers } = this.jobs;
    const running = [], queue = [];
    let busy = 0;
    for (let job = 0; job < this.count; job++) {
      if (started[job] < position && ended[job] >= position) {
        running.push(job);
        busy += this.held[job];
      } else if (arrived[job] < position && started[job] >= position && ended[job] >= position) queue.push(job);
    }
    const ranks = this.ranksAt(position);
    queue.sort((a, b) => ranks(a) - ranks(b) || numbers[a] - numbers[b]);
    const kept = queue.filter((job) => reserved[job] < position).sort((a, b) => reserved[a] - reserved[b]);
    return { position, running, queue, reserved: kept, busy, down: this.downAt(position) };
  }

  /** The boxes of processors that are down after that many events. */
  downAt(position) {
    if (!this.outages) return [];
    const { positions, first, boxes } = this.outages;
    let change = positions.length - 1;
    while (change >= 0 && positions[change] > position) change--;
    const found = [];
    for (let row = first[change]; change >= 0 && row < first[change + 1]; row++) found.push(boxes.subarray(6 * row, 6 * row + 6));
    return found;
  }

  ranksAt(position) {
    const { positions, jobs, ranks } = this.ranks, latest = new Map();
    for (let change = 0; change < positions.length && positions[change] <= position; change++) latest.set(jobs[change], ranks[change]);
    return (job) => (latest.has(job) ? latest.get(job) : this.jobs.ranks[job]);
  }
}
