"use strict";
// Puts the page together: its one cursor, what follows it, the keys, the address, light and dark.

const page = { words: {}, chosen: -1, view: "home", pose: null, flat: false };
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const KEYS = [["Space", "keyPlay"], ["← →", "keyStep"], ["Shift + ← →", "keyEvent"], ["Home End", "keyEnds"], ["+ −", "keySpeed"], ["V", "keyView"],
  ["F", "keyFlat"], ["D", "theme"], ["L", "keyLanguage"], ["T", "jobs"], ["?", "keys"], ["Esc", "keyEscape"]];

async function start() {
  const content = await readContent(byId("content").textContent);
  const [language] = Object.keys(content.tongues);
  Object.assign(page, { themes: content.palettes.map((palette) => new Theme(palette)), hatching: content.hatching, light: content.light, content, shaders: content.shaders });
  page.runs = content.runs.map((data) => new Run(data, language));
  page.cursor = new Cursor(page.runs[0]);
  page.player = new Player(page.cursor);
  page.timeline = new Timeline(page.cursor, byId("overview"), byId("lanes"));
  page.sheet = new JobSheet(page.cursor);
  page.theme = page.themes[matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0];
  makeRenderer();
  fillControls();
  speak(languageIn(location.hash) || language);
  listen();
  showRun();
  page.cursor.listeners.push(request);
  if (content.lesson) startLesson(content.lesson);
  page.cursor.goTo(location.hash.slice(1));
  applyTheme();
  drawNow();
}

/** Say everything on the page in one of its languages. */
function speak(language) {
  const { direction, point, words } = page.content.tongues[language], root = document.documentElement;
  Object.assign(page, { language, point, words, headed: null });
  Object.assign(root, { lang: language, dir: direction });
  byId("language").value = language;
  for (const run of page.runs) run.speak(language);
  nameControls();
  nameRun();
  if (page.lesson) page.lesson.speak(language);
  request();
}

/** The language that an address asks for, if the page has it. */
function languageIn(address) {
  const asked = /(?:^#?|&)lang=([a-z-]+)/.exec(address);
  return asked && Object.hasOwn(page.content.tongues, asked[1]) ? asked[1] : "";
}

function startLesson(lesson) {
  byId("page").classList.add("taught");
  byId("lesson").hidden = false;
  page.lesson = new LessonPanel(lesson, byId("lesson"), showStep);
  page.lesson.speak(page.language);
  const asked = /(?:^|&)part=(\d+)/.exec(location.hash);
  page.lesson.go(asked ? Number(asked[1]) - 1 : 0);
}

/** Whether the question of a lesson hides a part of the page. */
function hides(part) {
  return Boolean(page.lesson) && page.lesson.hides(part);
}

/** Cover what would show the answer to an open question. */
function showCovers() {
  for (const name of ["queue", "job", "algorithm"]) {
    byId(name).classList.toggle("covered", hides(name));
    byId(name).dataset.cover = say("hidden");
  }
  byId("structures").hidden = hides("inspector");
  byId("cover").hidden = !(byId("overview").hidden = byId("lanes").hidden = hides("timeline") || hides("plots"));
  byId("jobs-button").disabled = hides("scenario");
  byId("attempts").disabled = hides("timeline"); // it names what comes next
}

/** Show the moment of a step of the lesson, or so much of it as its question leaves. */
function showStep(step) {
  const { pose, view } = page, { shape } = page.cursor.run;
  page.player.playing = false;
  if (step.run !== null && page.runs[step.run] !== page.cursor.run) {
    page.cursor.show(page.runs[step.run]);
    showRun();
    if (String(page.cursor.run.shape) === String(shape)) Object.assign(page, { pose, view });
  }
  if (step.run !== null) {
    page.chosen = step.job === null ? -1 : page.cursor.run.row.get(step.job) ?? -1;
    page.cursor.go(step.moment);
  }
  request();
}

/** What changes with the run that is shown. */
function showRun() {
  const { run } = page.cursor;
  Object.assign(page, { chosen: -1, pose: null, view: run.dims === 2 ? "top" : "home" });
  byId("mesh").classList.toggle("stepped", run.attempts.some((attempt) => attempt.steps.length));
  nameRun();
}

function nameRun() {
  const { run } = page.cursor, { lesson, title } = page.content;
  byId("title").textContent = (lesson ? lesson.told[page.language].title : title || run.title) || say("untitled");
  byId("about").textContent = ordered(`${run.strategy} · ${run.discipline} · ${run.shape.slice(0, run.dims).join("×")}`);
  fillAttempts(page.cursor);
}

function makeRenderer() {
  try {
    page.renderer = new Renderer(byId("solid"), page.shaders);
  } catch {
    page.renderer = null;
    page.flat = true;
    byId("flat-button").hidden = true;
    for (const button of document.querySelectorAll("[data-view]")) button.hidden = true;
  }
}

/** Ask for a picture of what is so now, in the next frame. */
function request() {
  page.changed = true;
  if (!page.waiting) page.waiting = requestAnimationFrame(frame);
}

function frame(now) {
  page.waiting = 0;
  const begin = performance.now();
  if (page.player.frame(now)) request();
  if (page.changed) drawNow();
  page.spent = performance.now() - begin;
}

function drawNow() {
  page.changed = false;
  const { cursor, theme } = page;
  const cycle = cursor.run.traffic ? Math.floor(cursor.time) : 0;
  const key = [page.runs.indexOf(cursor.run), cursor.position, cursor.attempt, cursor.step, cycle, page.chosen, theme.name].join(" ");
  if (page.sceneKey !== key) [page.sceneKey, page.scene] = [key, buildScene(cursor, theme, page.chosen)];
  showCovers();
  drawPictures();
  showWords();
  showQueue(cursor, page.scene.state);
  showJob(cursor);
  showCode(cursor);
  showLegend();
  keepAddress();
}

/** Once more within the same frame where a sentence of two lines leaves less room. */
function drawPictures() {
  if (!page.scene) return;
  drawMesh();
  page.timeline.draw(page.theme, page.chosen);
}

function drawMesh() {
  const { context, width, height } = fitCanvas(byId("flat"));
  context.clearRect(0, 0, width, height);
  if (!width || !height) return;
  byId("solid").hidden = page.flat;
  if (page.flat) {
    page.layout = drawFlat(context, page.scene, width, height);
    return;
  }
  const canvas = byId("solid"), size = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  page.camera = currentCamera(width, height);
  if (page.uploaded !== page.scene) page.renderer.show((page.uploaded = page.scene));
  page.renderer.draw(page.camera, devicePixelRatio);
  writeLabels(context, page.scene, page.camera, width, height);
}

function currentCamera(width, height) {
  const { run } = page.cursor, pose = page.pose || fitted(VIEWS[page.view], spaceOf(run), run.dims, width, height);
  const camera = new Camera(pose, width / Math.max(height, 1), Math.hypot(...spaceOf(run)) * 2);
  camera.pixels = height;
  return camera;
}

/** The words that a moment has: the sentence, and the numbers of the machine. */
function showWords() {
  const { cursor, scene } = page, { run } = cursor, sentence = byId("sentence");
  sentence.textContent = hides("sentence") ? say("hidden") : ordered(sentenceOf(cursor));
  if (!page.player.playing) byId("spoken").textContent = sentence.textContent;
  byId("flat").setAttribute("aria-label", sentence.textContent);
  const facts = [["t", clock(cursor.time)], [say("inUse"), `${Math.round((100 * scene.state.busy) / run.processors)} %`], [say("waiting"), String(scene.state.queue.length)]];
  byId("status").replaceChildren(...(hides("readout") ? facts.slice(0, 1) : facts).map(([name, value]) => {
    const part = element("span", `${name} `);
    part.append(element("b", value));
    return part;
  }));
  byId("play-icon").setAttribute("href", page.player.playing ? "#sign-pause" : "#sign-play");
  byId("play").setAttribute("aria-label", say(page.player.playing ? "pause" : "play"));
}

function sentenceOf(cursor) {
  const { run } = cursor, step = cursor.shownStep, network = page.scene.network;
  if (step) return step.says;
  if (page.scene.stuck) return run.network.deadlock.says;
  if (network && cursor.time > run.timeOf(cursor.position) && cursor.position > run.first) {
    return say("cycle", { cycle: network.cycle, moving: network.worms.length, blocked: network.blocked, queued: network.queued.length });
  }
  return run.sentences[cursor.position - run.first];
}

function showLegend() {
  byId("legend").replaceChildren(...legendOf(page.cursor, page.theme).map(({ words, fill, edge, dashed, job }) => {
    const row = element("li"), sign = job === undefined ? element("i") : swatch(page.cursor.run, job);
    sign.style.background = css(fill);
    sign.style.borderColor = css(edge);
    sign.style.borderStyle = dashed ? "dashed" : "solid";
    row.append(sign, say(words));
    return row;
  }));
}

/** The moment stands in the address, so that it can be sent; a page inside another one has none of its own. */
function keepAddress() {
  const part = page.lesson ? `&part=${page.lesson.place + 1}` : "", own = Object.keys(page.content.tongues)[0];
  const address = `#${page.cursor.address()}${part}${page.language === own ? "" : `&lang=${page.language}`}`;
  if (page.player.playing || page.timeline.held || address === location.hash || location.protocol === "about:") return;
  page.addressed = address;
  history.replaceState(null, "", address);
}

function applyTheme() {
  document.documentElement.dataset.theme = page.theme.name;
  request();
}

function choose(job) {
  page.chosen = job;
  request();
}
