"use strict";
// Buttons, keys and pointers.

/** What there is to choose from and has the same name in every language. */
function fillControls() {
  byId("speed").replaceChildren(...SPEEDS.map((speed) => element("option", `${speed}×`, { value: speed })));
  byId("speed").value = "1";
  const ownName = (name) => (name.length > 2 ? name : new Intl.DisplayNames([name], { type: "language" }).of(name));
  byId("language").replaceChildren(...Object.keys(page.content.tongues).map((name) => element("option", ownName(name), { value: name, lang: name })));
}

/** Words that a screen shows or reads of what can be pressed. */
function nameControls() {
  for (const part of document.querySelectorAll("[data-words]")) part.textContent = say(part.dataset.words);
  for (const part of document.querySelectorAll("[data-title]")) {
    part.title = say(part.dataset.title);
    part.setAttribute("aria-label", part.title);
  }
  for (const part of document.querySelectorAll("[data-label]")) part.setAttribute("aria-label", say(part.dataset.label));
  byId("keys-list").replaceChildren(...KEYS.flatMap(([key, words]) => [element("dt", key), element("dd", say(words))]));
  byId("made").textContent = say("made");
  const tabs = [...(page.content.lesson ? ["lesson"] : []), "algorithm", "queue", "job"];
  byId("tabs").replaceChildren(...tabs.map((name) => {
    const tab = element("button", say(name), { role: "tab", "data-tab": name });
    tab.addEventListener("click", () => showTab(name));
    return tab;
  }));
  showTab(page.tab || tabs[0]);
}

function showTab(name) {
  page.tab = name;
  for (const tab of byId("tabs").children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  for (const panel of document.querySelectorAll(".panel")) panel.classList.toggle("shown", panel.dataset.tab === name);
  if (page.scene) request();
}

function listen() {
  const { cursor, player } = page;
  const moves = { first: () => cursor.go({ position: cursor.run.first }), back: () => cursor.backward(), play: togglePlay, next: () => cursor.forward(), last: () => cursor.go({ time: cursor.run.end }) };
  for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", () => act(id, move));
  byId("speed").addEventListener("change", (event) => (player.speed = Number(event.target.value)));
  byId("attempts").addEventListener("change", (event) => goToAttempt(Number(event.target.value)));
  byId("jobs-button").addEventListener("click", () => page.sheet.open());
  byId("keys-button").addEventListener("click", () => byId("keys-sheet").showModal());
  byId("theme-button").addEventListener("click", switchTheme);
  byId("language").addEventListener("change", (event) => speak(event.target.value));
  byId("flat-button").addEventListener("click", switchFlat);
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => lookFrom(button.dataset.view));
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
  for (const table of ["waiting", "running", "jobs-table"]) for (const kind of ["click", "keydown"]) byId(table).addEventListener(kind, chooseRow);
  document.addEventListener("keydown", pressKey);
  addEventListener("hashchange", () => location.hash !== page.addressed && cursor.goTo(location.hash.slice(1)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    page.theme = page.themes[event.matches ? 1 : 0];
    applyTheme();
  });
  const rooms = new ResizeObserver(drawPictures);
  for (const name of ["flat", "overview"]) rooms.observe(byId(name));
  listenToMesh(byId("flat"));
}

/** A move by hand ends playing; playing itself does not. */
function act(id, move) {
  if (id !== "play") page.player.playing = false;
  move();
  request();
}

function togglePlay() {
  page.player.toggle();
  request();
}

function goToAttempt(place) {
  page.player.playing = false;
  if (place < 0) page.cursor.go({ position: page.cursor.position });
  else page.cursor.go({ position: page.cursor.run.attempts[place].position, attempt: place });
}

function chooseRow(event) {
  const row = event.target.closest("[data-job]");
  if (!row || (event.type === "keydown" && event.key !== "Enter")) return;
  const job = Number(row.dataset.job);
  choose(job === page.chosen ? -1 : job);
  byId("jobs-sheet").close();
}

function switchTheme() {
  page.theme = page.themes[page.theme === page.themes[0] ? 1 : 0];
  applyTheme();
}

function switchFlat() {
  if (!page.renderer) return;
  page.flat = !page.flat;
  byId("flat-button").setAttribute("aria-pressed", String(page.flat));
  request();
}

function lookFrom(view) {
  Object.assign(page, { view, pose: null, flat: !page.renderer });
  byId("flat-button").setAttribute("aria-pressed", "false");
  request();
}

function switchLanguage() {
  const names = Object.keys(page.content.tongues);
  speak(names[(names.indexOf(page.language) + 1) % names.length]);
}

function changeSpeed(by) {
  const at = Math.min(Math.max(SPEEDS.indexOf(page.player.speed) + by, 0), SPEEDS.length - 1);
  page.player.speed = SPEEDS[at];
  byId("speed").value = String(SPEEDS[at]);
}

function pressKey(event) {
  const typing = event.target.closest("select, input, dialog[open]");
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
  if (event.key === " " && event.target.closest("button")) return;
  const { cursor } = page, views = Object.keys(VIEWS);
  const step = (way) => (way > 0 ? (event.shiftKey ? cursor.nextEvent() : cursor.forward()) : event.shiftKey ? cursor.previousEvent() : cursor.backward());
  const keys = {
    " ": togglePlay, ArrowRight: () => act("", () => step(1)), ArrowLeft: () => act("", () => step(-1)),
    Home: () => act("", () => cursor.go({ position: cursor.run.first })), End: () => act("", () => cursor.go({ time: cursor.run.end })),
    "+": () => changeSpeed(1), "-": () => changeSpeed(-1), v: () => lookFrom(views[(views.indexOf(page.view) + 1) % views.length]), f: switchFlat, d: switchTheme, l: switchLanguage,
    t: () => byId("jobs-button").click(), "?": () => byId("keys-sheet").showModal(), Escape: () => choose(-1),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!(key in keys)) return;
  event.preventDefault();
  keys[key]();
}

/** Drag to turn the mesh, with two fingers or Shift to move it, wheel or pinch to zoom, click to select a job. */
function listenToMesh(canvas) {
  const fingers = new Map();
  let apart = 0, far = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    apart = 0;
    if (fingers.size === 1) far = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const [x, y] = fingers.get(event.pointerId), [right, down] = [event.offsetX - x, event.offsetY - y];
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    far += Math.abs(right) + Math.abs(down);
    if (page.flat || far < 4) return;
    const pose = page.camera.pose, high = canvas.clientHeight;
    if (fingers.size > 1) {
      const [a, b] = [...fingers.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      page.pose = moved(apart ? zoomed(pose, Math.min(Math.max(now / apart, 0.5), 2)) : pose, -right / high / 2, down / high / 2);
      apart = now;
    } else if (event.shiftKey || page.cursor.run.dims === 2) page.pose = moved(pose, -right / high, down / high);
    else page.pose = turned(pose, -right * 0.4, down * 0.4);
    request();
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => {
    if (kind === "pointerup" && fingers.size === 1 && far < 4) clickMesh(event.offsetX, event.offsetY);
    fingers.delete(event.pointerId);
  });
  canvas.addEventListener("wheel", (event) => {
    if (page.flat) return;
    event.preventDefault();
    const [x, y] = [event.offsetX / canvas.clientWidth - 0.5, 0.5 - event.offsetY / canvas.clientHeight];
    page.pose = zoomed(page.camera.pose, Math.exp(-event.deltaY * 0.0015), x * page.camera.aspect, y);
    request();
  }, { passive: false });
}

function clickMesh(x, y) {
  const canvas = byId("flat"), { scene } = page;
  const job = page.flat ? pickFlat(scene, page.layout, x, y) : pickSolid(scene, page.camera, (2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight);
  choose(job === page.chosen ? -1 : job);
}

page.ready = start();
page.ready.catch(() => (byId("fault").hidden = false));
