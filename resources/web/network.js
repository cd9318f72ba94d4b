"use strict";
// The network at the end of a cycle, from the times of headers or of all flits; as in the program.

const WAYS = 8, INJECT = 6, EJECT = 7, NO_TIME = Infinity;
const WAY_STEPS = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/** All packets of a run, and where their flits are in any cycle. */
class Traffic {
  constructor(run) {
    Object.assign(this, run.network);
    this.run = run;
    this.count = this.numbers.length;
    this.reach = Math.floor((this.flits - 1) / this.buffer);
    this.channels = new Int32Array(this.gaps.length);
    if (this.routes) [this.first, this.channels] = [this.routes.first, this.routes.channels];
    else this.layRoutes();
    this.addTimes();
    this.injected = new Float64Array(this.count);
    this.delivered = new Float64Array(this.count);
    for (let packet = 0; packet < this.count; packet++) {
      const first = this.first[packet], last = this.first[packet + 1] - 1;
      this.injected[packet] = this.sent[packet] + (this.ports ? this.grantedAt(first) : 0);
      this.delivered[packet] = this.sent[packet] + this.flitEnters(last, last, this.flits - 1);
    }
  }

  /** The channels of every route on a mesh: x first, then y, then z. */
  layRoutes() {
    const [w, d] = this.run.shape, strides = [1, w, w * d], ends = this.ports ? 2 : 0;
    const place = (node) => [node % w, Math.floor(node / w) % d, Math.floor(node / (w * d))];
    this.first = new Int32Array(this.count + 1);
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
    }
  }

  /** When headers, and where they do not decide all flits, enter each buffer, since each packet was sent. */
  addTimes() {
    this.entered = new Float64Array(this.gaps.length);
    for (let packet = 0; packet < this.count; packet++) {
      let since = 0, known = true;
      for (let row = this.first[packet]; row < this.first[packet + 1]; row++) {
        known = known && this.gaps[row] > 0;
        since += this.gaps[row];
        this.entered[row] = known ? since : NO_TIME;
      }
    }
    if (!this.moved) return;
    this.moves = new Float64Array(this.gaps.length * this.flits);
    for (let row = 0; row < this.gaps.length; row++) {
      let since = this.entered[row];
      for (let flit = 0; flit < this.flits; flit++) {
        const gap = flit ? this.moved.behind[row * (this.flits - 1) + flit - 1] : 1;
        since = gap ? since + (flit ? gap : 0) : NO_TIME;
        this.moves[row * this.flits + flit] = since;
      }
    }
    this.wants = new Map();
    this.moved.wanting.forEach((row, place) => this.wants.set(row, [...(this.wants.get(row) || []), [this.moved.wanted[place], this.moved.numbers[place]]]));
  }

  /** When a header is granted the channel of a row, and when it asks for it, since the packet was sent. */
  grantedAt(row) {
    if (!this.moved) return this.entered[row] - this.cycles;
    return this.moved.granted[row] < 0 ? NO_TIME : this.moved.granted[row];
  }

  askedAt(row, first) {
    if (row === first) return 0;
    return this.moved ? this.moves[(row - 1) * this.flits + this.moved.asking] + this.moved.delay : this.entered[row - 1] + this.pause;
  }

  /** The channel of a row, and its number among those of its link. */
  lane(row) {
    return [this.channels[row], this.moved ? this.moved.virtual[row] : 0];
  }

  /** When flit `flit` enters the buffer of a row of a route that ends at `end`, since the packet was sent. */
  flitEnters(row, end, flit) {
    if (this.moves) return this.moves[row * this.flits + flit];
    let latest = 0;
    for (let ahead = row; ahead <= Math.min(row + Math.floor(flit / this.buffer), end); ahead++) {
      latest = Math.max(latest, this.entered[ahead] + (flit - (ahead - row) * this.buffer) * this.cycles);
    }
    return latest;
  }

  /** When the tail leaves the buffer of a row. */
  tailLeaves(row, end) {
    if (this.moves) return this.moves[(Math.min(row + 1, end) + 1) * this.flits - 1];
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
    const blocked = worms.filter((worm) => worm.wanted).length;
    this.latest = { cycle, position, worms, queued, blocked };
    return this.latest;
  }

  worm(packet, cycle) {
    const first = this.first[packet], end = this.first[packet + 1] - 1, since = cycle - this.sent[packet];
    const flits = [], held = [];
    let at = end, wanted = null;
    for (let flit = 0; flit < this.flits; flit++) {
      while (at >= first && this.flitEnters(at, end, flit) > since) at--;
      if (at < first) break;
      if (at < end) flits.push([flit, at]);
    }
    for (let row = first; row <= end; row++) {
      const granted = this.grantedAt(row), asked = this.askedAt(row, first);
      if (granted <= since && this.tailLeaves(row, end) > since) held.push(row);
      if (asked <= since && granted > since && row - first >= (this.ports ? 1 : 0)) wanted = this.moved ? this.wants.get(row) : [this.lane(row)];
    }
    const arrived = this.entered[end] <= since;
    return { packet, flits, held, wanted, head: flits.length && flits[0][0] === 0 ? flits[0][1] : -1, arrived };
  }
}
