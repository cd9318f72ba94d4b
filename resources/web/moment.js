"use strict";
// Where the page looks: a time, a position, and perhaps a step of an attempt that was made there.

/** The place that is shown. Every move goes through `go`, which tells those who listen. */
class Cursor {
  constructor(run) {
    this.listeners = [];
    this.show(run);
  }

  show(run) {
    this.run = run;
    this.time = run.begin;
    this.position = run.first;
    this.attempt = -1; // its place among the attempts of the page
    this.step = 0;
  }

  get inside() {
    return this.attempt >= 0;
  }

  /** The step that is shown, if there is one. */
  get shownStep() {
    return this.inside ? this.run.attempts[this.attempt].steps[this.step] : null;
  }

  go({ time, position, attempt = -1, step = 0 }) {
    const run = this.run;
    if (position === undefined) {
      this.time = Math.min(Math.max(time, run.begin), run.end);
      this.position = run.positionAt(this.time);
    } else {
      this.position = Math.min(Math.max(position, run.first), run.last);
      this.time = Math.max(run.timeOf(this.position), run.begin);
    }
    this.attempt = attempt;
    this.step = step;
    for (const listener of this.listeners) listener();
  }

  /** One step on: through the attempts made here, then to the next event. */
  forward() {
    const { run, position } = this, here = this.stepped(position);
    if (this.inside) {
      if (this.step + 1 < run.attempts[this.attempt].steps.length) return this.go({ position, attempt: this.attempt, step: this.step + 1 });
      const next = here[here.indexOf(this.attempt) + 1];
      if (next !== undefined) return this.go({ position, attempt: next });
    } else if (here.length && this.time <= Math.max(run.timeOf(position), run.begin)) return this.go({ position, attempt: here[0] });
    return this.nextEvent();
  }

  /** One step back, in the reverse order. */
  backward() {
    const { run, position } = this;
    if (this.inside) {
      if (this.step > 0) return this.go({ position, attempt: this.attempt, step: this.step - 1 });
      const here = this.stepped(position), before = here[here.indexOf(this.attempt) - 1];
      return before === undefined ? this.go({ position }) : this.goToEnd(position, before);
    }
    if (this.time > Math.max(run.timeOf(position), run.begin)) {
      const here = this.stepped(position);
      return here.length ? this.goToEnd(position, here[here.length - 1]) : this.go({ position });
    }
    if (position <= run.first) return undefined;
    const there = this.stepped(position - 1);
    return there.length ? this.goToEnd(position - 1, there[there.length - 1]) : this.go({ position: position - 1 });
  }

  nextEvent() {
    if (this.position < this.run.last) this.go({ position: this.position + 1 });
    else if (this.time < this.run.end) this.go({ time: this.run.end });
  }

  previousEvent() {
    const here = this.inside || this.time > this.run.timeOf(this.position);
    if (here || this.position > this.run.first) this.go({ position: here ? this.position : this.position - 1 });
  }

  goToEnd(position, attempt) {
    this.go({ position, attempt, step: this.run.attempts[attempt].steps.length - 1 });
  }

  /** The attempts made at a position that can be stepped. */
  stepped(position) {
    return (this.run.attemptsAt.get(position) || []).filter((place) => this.run.attempts[place].steps.length);
  }

  /** The moment as an address has it: `t=12.5`, with `step`, or else `event` where several share the time. */
  address() {
    const words = [`t=${this.time}`];
    if (this.inside) words.push(`step=${this.stepNumber()}`);
    else if (this.run.positionAt(this.time) !== this.position) words.push(`event=${this.position}`);
    return words.join("&");
  }

  /** The attempts made at the time of a position, up to it, that can be stepped. */
  steppedAtTime(position) {
    const { run } = this, found = [];
    for (let at = position; at >= run.first && run.timeOf(at) === run.timeOf(position); at--) found.unshift(...this.stepped(at));
    return found;
  }

  /** The number of the step among all steps of this time, from 1. */
  stepNumber() {
    const here = this.steppedAtTime(this.position);
    const before = here.slice(0, here.indexOf(this.attempt));
    return before.reduce((sum, place) => sum + this.run.attempts[place].steps.length, 0) + this.step + 1;
  }

  /** Go where an address leads; what cannot be read is left out. */
  goTo(address) {
    const words = new Map(address.split("&").map((word) => word.split("=")));
    const [time, event, step] = ["t", "event", "step"].map((name) => (words.has(name) ? Number(words.get(name)) : NaN));
    const { run } = this;
    if (!Number.isFinite(time)) return;
    const within = Number.isInteger(event) && event >= run.first && event <= run.last;
    const last = within ? event : run.positionAt(Math.min(Math.max(time, run.begin), run.end));
    let left = step;
    for (const attempt of Number.isInteger(step) && step > 0 ? this.steppedAtTime(last) : []) {
      const { position, steps } = run.attempts[attempt];
      if (left <= steps.length) return this.go({ position, attempt, step: left - 1 });
      left -= steps.length;
    }
    this.go(within ? { position: event } : { time });
  }
}

/** Plays a run: so many seconds of the run for each that passes. */
class Player {
  constructor(cursor) {
    this.cursor = cursor;
    this.playing = false;
    this.speed = 1;
    this.before = 0;
  }

  /** The time of the run that passes in a second at speed 1: two events, or with a network twelve cycles. */
  get pace() {
    const { run } = this.cursor;
    if (run.traffic) return 12;
    return Math.max(run.end - run.begin, 1e-9) / Math.max(run.last - run.first, 1) * 2;
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.cursor.time >= this.cursor.run.end) this.cursor.go({ time: this.cursor.run.begin });
    this.before = 0;
  }

  /** Move on to the time of a frame; whether anything moved. */
  frame(now) {
    if (!this.playing) return false;
    const passed = this.before ? Math.min(now - this.before, 100) / 1000 : 0;
    this.before = now;
    if (passed) this.cursor.go({ time: this.cursor.time + passed * this.speed * this.pace });
    if (this.cursor.time >= this.cursor.run.end) this.playing = false;
    return true;
  }
}
