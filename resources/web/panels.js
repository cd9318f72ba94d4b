"use strict";
// The panels beside the mesh: queue, running jobs, the selected job, and the table of all jobs.

const SWATCH = 10, MOST_LISTED = 40, JOBS_A_PAGE = 100;
const byId = (id) => document.getElementById(id);

const NUMBER = String.raw`\(?\d(?:[\d.,]{0,30}\d)?\)?`, SIZE = new RegExp(String.raw`${NUMBER}(?:\s?[×–→]\s?${NUMBER})+`, "g");

/** A text whose sizes, boxes and ways keep their order among Arabic letters: 4×2 would be read as 2×4. */
function ordered(text) {
  return document.documentElement.dir === "rtl" ? String(text).replace(SIZE, "\u2066$&\u2069") : text;
}

/** An element with text, classes and other attributes; text is text, whatever it holds. */
function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = ordered(text);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A word of the page, with its marks filled in. */
function say(key, marks = {}) {
  return (page.words[key] || key).replace(/\{(\w+)\}/g, (whole, name) => (name in marks ? String(marks[name]) : whole));
}

function swatch(run, job) {
  const made = element("canvas", "", { class: "swatch", "aria-hidden": true }), context = made.getContext("2d");
  const tint = page.theme.tint(run, job), whole = [0, 0, SWATCH, SWATCH];
  made.width = made.height = SWATCH * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
  fillRect(context, whole, tint);
  hatch(context, whole, run, job, lineOn(tint));
  return made;
}

function jobCell(run, job) {
  const cell = element("td", "", { class: "name" });
  cell.append(swatch(run, job), String(run.jobs.numbers[job]));
  return cell;
}

function headRow(table, names) {
  const row = element("tr");
  for (const [name, kind] of names) row.append(element("th", say(name), { class: kind || "", scope: "col" }));
  table.tHead.replaceChildren(row);
}

function jobRow(run, job, cells) {
  const row = element("tr", "", { "data-job": job, tabindex: 0 });
  if (job === page.chosen) row.className = "selected";
  row.append(jobCell(run, job), ...cells.map(([text, kind]) => element("td", text, { class: kind || "" })));
  return row;
}

function showQueue(cursor, state) {
  const { run } = cursor, { jobs } = run, [waiting, running] = [byId("waiting"), byId("running")];
  if (page.headed !== run) {
    headRow(waiting, [["job"], ["size"], ["waits", "number"]]);
    headRow(running, [["job"], ["box"], ["left", "number"]]);
    page.headed = run;
  }
  fillRows(waiting.tBodies[0], state.queue, (job) => [run.sizeOf(job), clock(Math.max(cursor.time - jobs.arrivals[job], 0))]);
  fillRows(running.tBodies[0], state.running, (job) => [placeOf(run, job), clockOr(Math.max(jobs.leaves[job] - cursor.time, 0))]);
  listMore("waiting-more", state.queue.length, "nobody");
  listMore("running-more", state.running.length, "idle");
}

/** Fill a list of jobs in the rows that are there: while the page plays, little changes from frame to frame. */
function fillRows(body, jobs, textsOf) {
  const { run } = page.cursor, count = Math.min(jobs.length, MOST_LISTED);
  while (body.rows.length > count) body.lastChild.remove();
  while (body.rows.length < count) body.append(jobRow(run, jobs[body.rows.length], [[""], ["", "number"]]));
  for (let place = 0; place < count; place++) {
    const job = jobs[place], row = body.rows[place], [name, ...cells] = row.cells;
    const key = `${job} ${page.theme.name} ${page.runs.indexOf(run)}`;
    if (row.key !== key) {
      row.key = key;
      row.dataset.job = job;
      name.replaceChildren(swatch(run, job), String(run.jobs.numbers[job]));
    }
    row.classList.toggle("selected", job === page.chosen);
    textsOf(job).map(ordered).forEach((text, cell) => {
      if (cells[cell].textContent !== text) cells[cell].textContent = text;
    });
  }
}

function listMore(id, count, nothing) {
  byId(id).textContent = count ? (count > MOST_LISTED ? say("more", { count: count - MOST_LISTED }) : "") : say(nothing);
}

/** Where a job is: its box, or of several the first and how many more there are. */
function placeOf(run, job) {
  const boxes = run.blocksOf(job);
  return boxes.length > 1 ? `${boxText(run, boxes[0])} +${boxes.length - 1}` : boxText(run, boxes[0]);
}

function boxText(run, box) {
  const corner = (far) => [0, 1, 2].slice(0, run.dims).map((axis) => (box[axis] + (far ? box[axis + 3] - 1 : 0)) % run.shape[axis]);
  return `(${corner(false)})–(${corner(true)})`;
}

function showJob(cursor) {
  const panel = byId("job"), { run } = cursor, job = page.chosen;
  if (job < 0) {
    const notes = run.notes ? [element("h2", say("notes")), ...blocksOf(run.notes)] : [];
    panel.replaceChildren(element("h2", say("job")), element("p", say("choose"), { class: "empty" }), ...notes);
    return;
  }
  const title = element("h2"), list = element("dl"), { jobs } = run;
  title.append(swatch(run, job), say("jobNumber", { job: jobs.numbers[job] }));
  const times = { start: jobs.startTimes[job], end: jobs.endTimes[job] };
  const facts = [["size", run.sizeOf(job)], ["state", say(stateOf(cursor, job))], ["arrives", clock(jobs.arrivals[job])], ["starts", clockOr(times.start)],
    ["ends", clockOr(times.end)], ["waited", clockOr(times.start - jobs.arrivals[job])], ["turnaround", clockOr(times.end - jobs.arrivals[job])],
    ["held", run.held[job] ? String(run.held[job]) : "–"], ["tries", String(jobs.attempts[job])]];
  for (const [name, text] of facts) list.append(element("dt", say(name)), element("dd", text));
  const boxes = run.blocksOf(job).slice(0, 12).map((box) => element("dd", boxText(run, box)));
  boxes.forEach((box, place) => list.append(element("dt", place ? "" : say(boxes.length > 1 ? "boxes" : "box")), box));
  panel.replaceChildren(title, list);
}

function clockOr(time) {
  return Number.isNaN(time) ? "–" : clock(time);
}

function stateOf(cursor, job) {
  const { arrived, started, ended } = cursor.run.jobs, { position } = cursor;
  if (arrived[job] >= position) return "toCome";
  if (ended[job] < position && cursor.run.jobs.hits?.[job]) return "hit";
  if (ended[job] < position) return started[job] < position ? "finished" : "rejected";
  return started[job] < position ? "runs" : "waiting";
}

/** All jobs, a page of them at a time: also for screen readers. */
class JobSheet {
  constructor(cursor) {
    this.cursor = cursor;
    this.begin = 0;
    byId("jobs-before").addEventListener("click", () => this.turn(-JOBS_A_PAGE));
    byId("jobs-after").addEventListener("click", () => this.turn(JOBS_A_PAGE));
  }

  open() {
    this.turn(0);
    byId("jobs-sheet").showModal();
  }

  turn(by) {
    const { run } = this.cursor, { jobs } = run, table = byId("jobs-table");
    this.begin = Math.min(Math.max(this.begin + by, 0), Math.max(Math.ceil(run.count / JOBS_A_PAGE) - 1, 0) * JOBS_A_PAGE);
    const end = Math.min(this.begin + JOBS_A_PAGE, run.count), rows = [];
    headRow(table, [["job"], ["size"], ["arrives", "number"], ["starts", "number"], ["ends", "number"], ["waited", "number"], ["held", "number"], ["box"]]);
    for (let job = this.begin; job < end; job++) {
      const [start, finish] = [jobs.startTimes[job], jobs.endTimes[job]];
      const numbers = [jobs.arrivals[job], start, finish, start - jobs.arrivals[job]].map((time) => [clockOr(time), "number"]);
      rows.push(jobRow(run, job, [[run.sizeOf(job)], ...numbers, [String(run.held[job]), "number"], [run.held[job] ? placeOf(run, job) : "–"]]));
    }
    table.tBodies[0].replaceChildren(...rows);
    byId("jobs-place").textContent = run.count ? `${this.begin + 1}–${end} / ${run.count}` : "0";
    byId("jobs-before").disabled = this.begin === 0;
    byId("jobs-after").disabled = end >= run.count;
  }
}
