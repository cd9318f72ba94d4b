"use strict";
// The timeline: the whole run with the processors in use, to be dragged, and the jobs around now on their lanes.

const LANE_MOST = 7, EVENTS_SHOWN = 44;

class Timeline {
  constructor(cursor, overview, lanes) {
    Object.assign(this, { cursor, overview, lanes });
    for (const [canvas, timeAt] of [[overview, (x) => this.timeInOverview(x)], [lanes, (x) => this.timeInLanes(x)]]) this.listen(canvas, timeAt);
  }

  listen(canvas, timeAt) {
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.held = { timeAt: canvas === this.lanes ? this.fixed(event) : timeAt };
      this.cursor.go({ time: this.held.timeAt(event.offsetX) });
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.held && canvas.hasPointerCapture(event.pointerId)) this.cursor.go({ time: this.held.timeAt(event.offsetX) });
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.held = null));
  }

  /** The lanes keep still while they are dragged. */
  fixed() {
    const [from, to] = this.span();
    this.kept = [from, to];
    return (x) => from + ((to - from) * x) / this.lanes.clientWidth;
  }

  timeInOverview(x) {
    const { begin, end } = this.cursor.run;
    return begin + (end - begin) * Math.min(Math.max(x / this.overview.clientWidth, 0), 1);
  }

  timeInLanes(x) {
    const [from, to] = this.span();
    return from + ((to - from) * x) / this.lanes.clientWidth;
  }

  /** The times that the lanes show: so many events around now. */
  span() {
    if (this.held && this.kept) return this.kept;
    this.kept = null;
    const { run, time } = this.cursor, whole = Math.max(run.end - run.begin, 1e-9);
    const wide = Math.min((whole * EVENTS_SHOWN) / Math.max(run.last - run.first, 1), whole);
    const from = Math.min(Math.max(time - wide / 2, run.begin), run.end - wide);
    return [from, from + wide];
  }

  draw(theme, chosen) {
    if (this.overview.hidden) return;
    this.drawOverview(theme);
    if (this.lanes.clientWidth) this.drawLanes(theme, chosen);
    const { run, time } = this.cursor;
    this.overview.setAttribute("aria-valuemin", run.begin);
    this.overview.setAttribute("aria-valuemax", run.end);
    this.overview.setAttribute("aria-valuenow", time);
    this.overview.setAttribute("aria-valuetext", clock(time));
  }

  drawOverview(theme) {
    const { run, time } = this.cursor, { context, width, height } = fitCanvas(this.overview);
    const key = `${theme.name} ${width} ${height} ${devicePixelRatio}`;
    if (this.key !== key || this.drawn !== run) {
      this.still = this.curve(run, theme, width, height);
      [this.key, this.drawn] = [key, run];
    }
    context.clearRect(0, 0, width, height);
    context.drawImage(this.still, 0, 0, width, height);
    const x = ((time - run.begin) / Math.max(run.end - run.begin, 1e-9)) * width;
    nowLine(context, theme, Math.min(Math.max(x, 1), width - 1), height);
  }

  /** The curve of the processors in use, as a picture: it does not change. */
  curve(run, theme, width, height) {
    const still = document.createElement("canvas");
    still.width = Math.max(width * devicePixelRatio, 1);
    still.height = Math.max(height * devicePixelRatio, 1);
    const context = still.getContext("2d");
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = theme.hex.window;
    context.fillRect(0, 0, width, height);
    const whole = Math.max(run.end - run.begin, 1e-9), times = run.events.times, places = Math.max(Math.round(width), 1);
    context.beginPath();
    context.moveTo(0, height);
    let event = 0;
    for (let x = 0; x <= places; x++) {
      const until = run.begin + (whole * x) / places;
      let sum = run.busy[event], count = 1;
      while (event < times.length && times[event] <= until) (sum += run.busy[++event]), count++;
      context.lineTo(x, height - (sum / count / run.processors) * (height - 4));
    }
    context.lineTo(width, height);
    context.fillStyle = mixHex(theme, "window", "accent", 0.3);
    context.fill();
    context.strokeStyle = mixHex(theme, "window", "accent", 0.7);
    context.lineWidth = 1;
    context.stroke();
    if (run.down) this.hangDown(context, run, theme, places, height);
    return still;
  }

  /** The share of processors that are down, hatched, from the top of their use: the most in each column. */
  hangDown(context, run, theme, places, height) {
    const whole = Math.max(run.end - run.begin, 1e-9), times = run.events.times, room = height - 4;
    context.save();
    context.beginPath();
    let event = 0;
    for (let x = 0; x < places; x++) {
      const until = run.begin + (whole * (x + 1)) / places;
      let most = run.down[event];
      while (event < times.length && times[event] <= until) most = Math.max(most, run.down[++event]);
      if (most) context.rect(x, 4, 1, Math.max((most / run.processors) * room, 3));
    }
    context.clip();
    context.beginPath();
    for (let x = -height; x < places; x += 4) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.strokeStyle = theme.hex.blocked;
    context.stroke();
    context.restore();
  }

  drawLanes(theme, chosen) {
    const { run, time } = this.cursor, { context, width, height } = fitCanvas(this.lanes), [from, to] = this.span();
    const x = (when) => ((when - from) / (to - from)) * width;
    run.lanes = run.lanes || lanesOf(run);
    context.fillStyle = theme.hex.window;
    context.fillRect(0, 0, width, height);
    const room = height - 4, high = Math.max(room / Math.max(run.lanes.count, LANE_MOST), 2);
    context.textAlign = "left";
    context.font = `600 11px ${FONT}`;
    for (let job = 0; job < run.count; job++) {
      const lane = run.lanes.of[job], begin = run.jobs.startTimes[job];
      if (lane < 0 || begin > to) continue;
      const end = Number.isNaN(run.jobs.endTimes[job]) ? run.end : run.jobs.endTimes[job];
      if (end < from) continue;
      const left = Math.max(x(begin), -2), right = Math.min(x(end), width + 2), top = 2 + lane * high;
      const bar = [left, top, Math.max(right - left - 1, 1), Math.max(high - 1, 1)], alpha = chosen >= 0 && job !== chosen ? 0.4 : 1;
      const fill = [...theme.tint(run, job), alpha];
      fillRect(context, bar, fill);
      hatch(context, bar, run, job, lineOn(fill, theme.rgb.window), [x(0), top + bar[3] / 2]);
      if (run.jobs.hits && run.jobs.hits[job]) {
        context.fillStyle = theme.hex.blocked;
        context.fillRect(right - 3, top, 3, high);
      }
      const text = String(run.jobs.numbers[job]);
      if (high >= 12 && right - left > 8 * text.length + 6) {
        context.fillStyle = css(theme.ink(run, job));
        context.fillText(text, Math.max(left, 0) + 4, top + high / 2 + 3.5);
      }
    }
    nowLine(context, theme, x(time), height);
  }
}

/** A lane for each job, so that none lies over another. */
function lanesOf(run) {
  const order = Array.from({ length: run.count }, (_, job) => job).filter((job) => !Number.isNaN(run.jobs.startTimes[job]));
  order.sort((a, b) => run.jobs.started[a] - run.jobs.started[b]);
  const of = new Int32Array(run.count).fill(-1), free = [];
  for (const job of order) {
    let lane = free.findIndex((position) => position <= run.jobs.started[job]);
    if (lane < 0) lane = free.length;
    free[lane] = run.jobs.ended[job];
    of[job] = lane;
  }
  return { of, count: free.length };
}

function mixHex(theme, a, b, share) {
  return css(mixed(theme.rgb[a], theme.rgb[b], share));
}

function nowLine(context, theme, x, height) {
  context.fillStyle = theme.hex.accent;
  context.fillRect(Math.round(x) - 1, 0, 2, height);
}

/** A canvas with as many pixels as the screen has, and its context in pixels of the page. */
function fitCanvas(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight, ratio = devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height };
}

/** A time with two places, as the window has it. */
function clock(time) {
  return time.toFixed(2).replace(".", page.point);
}
