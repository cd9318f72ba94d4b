"""The web page of a run in a real browser: it shows what the recording has, and does nothing else."""

import json
from functools import cache

import numpy as np
import pytest

import meshgui
from meshgui.engine.basics.translation import speaking, tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.export import web_page
from meshgui.model.export.web_lesson import lesson_page
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_answers import cut_of
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.model.moment.instant import Instant
from meshgui.model.moment.narration import narrate
from meshgui.model.scene import light
from meshgui.model.scene.camera import Camera, Pose
from meshgui.model.scene.space import Space
from meshgui.model.scene.theme_colours import DARK, LIGHT
from meshgui.model.stepping.bookmarks import instant_from, settled
from tests.browser import Browser, browser_program
from tests.networks import PAPERS_LAWS, busy, crowd, sent_on_torus
from tests.scenarios import SCHEDULERS, scenario, scenario_of
from tests.web_pages import page_of

SMALL_RUN = {
    "title": "<b>&",
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff"},
    "workload": {"kind": "stochastic", "jobs": 20, "load": 2.0},
}
ATTACKS = (
    "<script>hacked = 1</script>",
    "</script><script>hacked = 1</script>",
    "</title></head><body onload=hacked=1>",
    "<img src=x onerror=hacked=1>",
    "<svg onload=hacked=1>",
    "<svg><script>hacked=1</script></svg>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>",
    '" onmouseover="hacked=1" x="',
    "' autofocus onfocus='hacked=1",
    "<a href=javascript:hacked=1>here</a>",
    "[here](javascript:hacked=1)",
    "![picture](http://example.org/seen.png)",
    "<link rel=stylesheet href=http://example.org/a.css>",
    "<meta http-equiv=refresh content='0;url=http://example.org'>",
    "<base href=http://example.org/>",
    "<form action=http://example.org><input autofocus>",
    "<object data=http://example.org></object>",
    "--><script>hacked=1</script><!--",
    "$content ${content} {job} {{constructor.constructor('hacked=1')()}}",
    "<style>@import 'http://example.org/a.css'; * { display: none }</style>",
)


MADE = cache(page_of)  # a page of one recording is made once for all tests

WITHOUT_WEBGL = """
const usual = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind === "webgl2" ? null : usual.call(this, kind, ...rest);
};
"""


def flat(browser, file, **options):
    """A page that draws its mesh flat, in a third of the time: for what has nothing to do with the mesh."""
    return browser.page(file, before=WITHOUT_WEBGL, **options)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A headless Chromium."""
    program = browser_program()
    if program is None:
        pytest.skip("chromium is not installed")
    made = Browser(program, tmp_path_factory.mktemp("profile"))
    yield made
    made.end()


@pytest.fixture
def written(tmp_path):
    """Writes the page of a recording into a file."""

    def write(recording, **parts):
        path = tmp_path / "page.html"
        path.write_text(MADE(recording, **parts), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def recording():
    """Sixty jobs on a small mesh of three dimensions."""
    return simulate(scenario((4, 3, 2), "tbl", jobs=60, load=4.0))


@pytest.mark.parametrize(
    "scheduler", [SCHEDULERS[0], SCHEDULERS[1], {"name": "ooo"}], ids=lambda each: each["name"]
)
def test_the_machine_is_that_of_the_recording_at_every_position(browser, written, scheduler):
    """Who runs, who waits and in what order, and how many processors are in use."""
    recording = simulate(scenario((4, 4), "gabl", jobs=40, load=5.0, scheduler=scheduler))
    with flat(browser, written(recording)) as page:
        shown = page.ask(
            "(() => { const run = page.cursor.run, all = [];"
            " for (let n = run.first; n <= run.last; n++) { const s = run.stateAt(n);"
            " all.push([s.running, s.queue, s.busy, run.busy[n], run.waiting[n]]); }"
            " return all; })()"
        )
    for position, (running, queue, *counts) in enumerate(shown):
        snapshot = recording.snapshot(position)
        assert (running, queue) == (snapshot.running.tolist(), snapshot.queue.tolist())
        assert counts == [snapshot.busy, snapshot.busy, len(snapshot.queue)]


def failing_run():
    """Boards of a small mesh that fail again and again, and jobs that are hit."""
    data = scenario((8, 8), "ff", jobs=40, load=2.0).model_dump(mode="json")
    machine = {"failures": {"between": 30.0, "repair": 5.0, "unit": [4, 4]}}
    return simulate(scenario_from(data | {"machine": machine}))


def test_the_timeline_has_the_share_that_is_down(browser, written, recording):
    """After each event as many as in the recording, hatched from the top; nothing where nothing fails."""
    failing = failing_run()
    colours = (
        "(() => { drawNow(); const still = page.timeline.still, c = still.getContext('2d'),"
        " [r, g, b] = page.theme.rgb.blocked.map((one) => 255 * one); let count = 0;"
        " const of = c.getImageData(0, 0, still.width, still.height).data;"
        " for (let at = 0; at < of.length; at += 4)"
        " if (Math.hypot(of[at] - r, of[at + 1] - g, of[at + 2] - b) < 60) count++;"
        " return count; })()"
    )
    with flat(browser, written(failing)) as page:
        down = page.ask("Array.from(page.cursor.run.down)")
        assert down[1:] == failing.down_steps().tolist()
        assert down[0] == 0 < max(down)
        assert page.ask(colours) > 100
        assert page.complaints == []
    with flat(browser, written(recording)) as page:
        assert page.ask("page.cursor.run.down") is None
        assert page.ask(colours) == 0


_ASKED = (
    "{cycles}.map((cycle) => {{ const t = page.cursor.run.traffic,"
    " now = t.at(cycle, page.cursor.run.positionAt(cycle)), of = (row) => t.lane(row);"
    " return {{ queued: now.queued, worms: now.worms.map((w) => [w.packet,"
    " w.flits.map(([f, row]) => [f, ...of(row)]), w.held.map(of), w.wanted]) }}; }})"
)
SHARED = [
    {"routing": "odd-even"},
    {"routing": "adaptive", "channels": 3, "buffer": 2},
    {"routing": "xy", "credit": 1},
    {"routing": "yx"},
]


@pytest.mark.parametrize("law", [None, *PAPERS_LAWS, *SHARED], ids=str)
def test_the_network_is_that_of_the_record_in_every_cycle(browser, written, law):
    """Where each flit is, which channels are held, and which heads wait for what."""
    recording = crowd() if law is None else busy(10, **law)
    cycles = list(range(0, int(recording.end_time), 1 + int(recording.end_time) // 120))
    with flat(browser, written(recording)) as page:
        shown = page.ask(_ASKED.format(cycles=json.dumps(cycles)))
    _compare_networks(recording, zip(cycles, shown, strict=True))


@pytest.mark.parametrize("channels", [1, 2])
def test_so_it_is_on_a_torus_up_to_a_deadlock(browser, written, channels):
    """Where the page says of the circle what the program says."""
    packets = [(n % 3, (n % 4, n // 4), ((n + 2) % 4, (n // 4 + n) % 4)) for n in range(16)]
    recording = sent_on_torus(*packets, flits=12, channels=channels, buffer=2)
    cycles = list(range(int(recording.end_time)))
    with flat(browser, written(recording)) as page:
        shown = page.ask(_ASKED.format(cycles=json.dumps(cycles)))
        page.key("End")
        page.ask("new Promise(requestAnimationFrame)")  # what has changed is drawn by then
        sentence = page.ask("document.getElementById('sentence').textContent")
    _compare_networks(recording, zip(cycles, shown, strict=True))
    assert (recording.deadlock is not None) == (channels == 1)
    assert ("Deadlock in cycle" in sentence) == (channels == 1)


def _compare_networks(recording, shown):
    record = recording.network
    for cycle, now in shown:
        here = recording.started[record.jobs] < recording.position_at(cycle)
        moment = record.at(cycle, here)
        assert now["queued"] == moment.queued.tolist()
        assert [worm[0] for worm in now["worms"]] == moment.packets.tolist()
        for packet, flits, held, wanted in now["worms"]:
            own, holds = moment.flit_packets == packet, moment.held_by == packet
            wants = moment.wanting == packet
            places = moment.flit_numbers[own], moment.flit_channels[own], moment.flit_virtual[own]
            assert flits == np.stack(places, axis=1).tolist()
            lanes = moment.held_channels[holds], moment.held_virtual[holds]
            assert held == np.stack(lanes, axis=1).tolist()
            asked = np.stack((moment.wanted_channels[wants], moment.wanted_virtual[wants]), axis=1)
            assert (wanted or []) == asked.tolist()


def test_keys_step_through_the_run_and_back(browser, written, recording):
    """Every step and event once, in order; the same ones in the reverse order."""
    with flat(browser, written(recording)) as page:
        walk = (
            "((move) => { const c = page.cursor, seen = [[c.position, c.attempt, c.step]];"
            " for (let n = 0; n < 150; n++) { move(c); seen.push([c.position, c.attempt, c.step]); }"
            " return seen; })"
        )
        there = page.ask(f"{walk}((cursor) => cursor.forward())")
        back = page.ask(f"{walk}((cursor) => cursor.backward())")
        assert back[::-1] == there
        assert any(attempt >= 0 for _, attempt, _ in there)
        page.key("ArrowRight")
        assert page.ask("[page.cursor.position, page.cursor.attempt, page.cursor.step]") == there[1]
        page.key("End")
        assert page.ask("page.cursor.time") == recording.end_time
        page.key("Home")
        assert page.ask("page.cursor.position") == 0
        page.key(" ", "Space")
        assert page.ask("page.player.playing") is True


def test_an_address_leads_to_each_step_and_needs_no_number_of_an_event(browser, written):
    """Steps are counted over all attempts of their time, as in a link to the window."""
    recording = simulate(scenario((4, 4), "gabl", jobs=12, load=6.0))
    path = written(recording, jobs=range(12))
    steps = [
        (n, step) for n in range(len(recording.attempts)) for step in range(len(recording.trace(n).steps))
    ]
    with flat(browser, path) as page:
        there = page.ask(
            f"{json.dumps(steps)}.map(([attempt, step]) => {{"
            " const cursor = page.cursor, { position } = cursor.run.attempts[attempt];"
            " cursor.go({ position, attempt, step }); const address = cursor.address();"
            " cursor.go({ position: 0 }); cursor.goTo(address);"
            " return [cursor.attempt, cursor.step, address, cursor.time]; })"
        )
    assert [tuple(place[:2]) for place in there] == steps
    for (attempt, step), (*_, address, time) in zip(steps, there, strict=True):
        assert "event" not in address
        number = int(address.rpartition("=")[2])
        found = settled(instant_from({"time": time, "step": number}), recording)
        assert found == Instant.in_attempt(recording, attempt, step)


def test_the_moment_stands_in_the_address(browser, written, recording):
    """Who opens the page with it sees the same time and step; what is no number is left out."""
    path = written(recording)
    number = next(n for n in range(len(recording.attempts)) if len(recording.trace(n).steps) > 2)
    position = recording.attempts[number].position
    time = float(recording.times[position - 1])
    with flat(browser, path, at=f"#t={time}&event={position}&step=3") as page:
        assert page.ask("[page.cursor.position, page.cursor.step, page.cursor.inside]") == [position, 2, True]
        page.ask("page.cursor.forward()")
        page.ask("drawNow()")
        assert page.ask("location.hash").startswith(f"#t={page.ask('page.cursor.time')}")
    with flat(browser, path, at="#t=bad&step=1e9&event=-4&x") as page:
        assert page.ask("page.cursor.position") == 0
        assert page.complaints == []


@pytest.mark.parametrize("place", range(0, len(ATTACKS), 5))
def test_a_hostile_scenario_is_shown_and_does_nothing(browser, written, place):
    """Twenty attacks in titles and notes: each is text on the page, and nothing is run or fetched."""
    for attack in ATTACKS[place : place + 5]:
        jobs = [{"arrival": 0, "size": [2, 2], "service": 1}]
        recording = simulate(scenario_of((4, 4), jobs, title=attack, notes=f"{attack}\n\n{attack}"))
        with flat(browser, written(recording)) as page:
            shown = page.ask("[document.getElementById('title').textContent, document.title, typeof hacked]")
            assert shown == [attack, attack, "undefined"]
            assert page.ask("document.querySelectorAll('iframe, img, link, object, form, base').length") == 0
            assert page.ask("document.scripts.length") == len(
                page.ask("[...document.scripts].map((s) => s.type)")
            )
            assert page.complaints == []


def test_nothing_that_text_could_become_code_by_is_in_the_page(written, recording):
    """No markup is made of text, and no text is run."""
    page = written(recording).read_text(encoding="utf-8")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "fetch(",
        "XMLHttp",
        "import(",
    ):
        assert word not in page


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_has_the_programs_colours_in_light_and_dark(browser, written, recording, dark):
    """As the system has it, and the other way round at a key."""
    with flat(browser, written(recording), dark=dark) as page:
        ground = "getComputedStyle(document.querySelector('.bar')).backgroundColor"
        for palette in (DARK, LIGHT) if dark else (LIGHT, DARK):
            numbers = [int(palette.panel[at : at + 2], 16) for at in (1, 3, 5)]
            assert page.ask(ground) == f"rgb({numbers[0]}, {numbers[1]}, {numbers[2]})"
            page.key("d")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (940, 680), (1280, 800)])
def test_nothing_is_cut_off_on_a_screen_of_any_size(browser, written, recording, size):
    """No button and no word lies beyond the screen, and the page itself does not scroll."""
    with browser.page(written(recording), size) as page:
        assert page.ask("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            *size
        ]
        outside = page.ask(
            "[...document.querySelectorAll('button, select, #sentence, #status, canvas')].filter((each) => {"
            " const r = each.getBoundingClientRect();"
            " return r.width && (r.left < 0 || r.right > innerWidth + 0.5); }).map((each) => each.id)"
        )
        assert outside == []
        beyond = (
            "(() => { const room = byId('overview').getBoundingClientRect(), within = (part) => {"
            " const r = part.getBoundingClientRect();"
            " return r.left >= room.left - 1 && r.right <= room.right + 1; };"
            " return [...byId('status').children, byId('play')].filter((part) => !within(part)).length; })()"
        )
        assert page.ask(beyond) == 0
        assert page.ask("document.querySelector('#flat').clientHeight") >= 100


def test_the_page_goes_without_webgl(browser, written, recording):
    """The mesh is then drawn flat, layer by layer, and a click selects a job all the same."""
    position = int(recording.started[20]) + 1
    job = int(recording.snapshot(position).running[0])
    x, y, z, *_ = recording.boxes_of(job)[0]
    with flat(browser, written(recording)) as page:
        page.ask(f"page.cursor.go({{position: {position}}}); drawNow()")
        assert page.ask("[page.flat, page.renderer]") == [True, None]
        page.ask(
            f"(() => {{ const [l, t, w, h] = cellRect(page.layout, {z}, {x}, {y}, 1, 1);"
            " clickMesh(l + w / 2, t + h / 2); })()"
        )
        assert page.ask("page.chosen") == job
        assert page.complaints == []


def test_an_old_browser_is_told_that_it_is_too_old(browser, written, recording):
    """Rather than an empty page."""
    fault = "document.getElementById('fault')"
    old, settled = "delete globalThis.DecompressionStream;", "page.ready.catch(() => 0)"
    with browser.page(written(recording), before=old, ready=settled) as page:
        assert page.ask(f"{fault}.checkVisibility()") is True
    with browser.page(written(recording)) as page:
        assert page.ask(f"{fault}.checkVisibility()") is False


def test_the_light_on_solid_boxes_is_the_programs(browser, tmp_path, recording, monkeypatch):
    """Where it is, how bright each face is, and how far the haze goes: also once its numbers change."""
    for name, value in {"AMBIENT": 0.5, "KEY": 0.4, "KEY_STANDS": (0.2, 0.9), "HAZE": 0.3}.items():
        for module in (light, web_page):
            monkeypatch.setattr(module, name, value)
    path = tmp_path / "page.html"
    path.write_text(page_of(recording), encoding="utf-8")
    with browser.page(path) as page:
        pose = page.ask("page.camera.pose")
        shown = page.ask(
            "(() => { const light = new Light(page.camera, page.scene.run);"
            " return [0, 1, 2].map((axis) => [false, true].map((upper) => light.depths.map("
            "(depth) => light.on([1, 1, 1], axis, upper, depth, [0, 0, 0])[0]))); })()"
        )
    whole = light.Light(Camera(Pose(**pose), 1.0), Space(recording.mesh))
    for axis, faces in enumerate(shown):
        for upper, (near, far) in zip((False, True), faces, strict=True):
            assert near == pytest.approx(whole.brightness(axis, upper=upper))
            assert far == pytest.approx((1 - light.HAZE) * near)


def test_a_click_on_a_solid_box_selects_its_job(browser, written, recording):
    """And a second one on the same box no job again."""
    position = int(recording.started[20]) + 1
    with browser.page(written(recording)) as page:
        page.ask(f"page.cursor.go({{position: {position}}}); drawNow()")
        click = (
            "(() => { const part = page.scene.boxes[0], [low, high] = bounds(page.scene.run, part.box, GAP),"
            " [x, y] = page.camera.project([(low[0] + high[0]) / 2, low[1], high[2]]), c = byId('flat');"
            " clickMesh((x + 1) / 2 * c.clientWidth, (1 - y) / 2 * c.clientHeight + 2); return part.job; })()"
        )
        job = page.ask(click)
        chosen = page.ask("page.chosen")
        assert chosen in recording.snapshot(position).running.tolist()
        assert chosen == job or len(recording.snapshot(position).running) > 1
        page.ask(click)
        assert page.ask("page.chosen") == -1


def test_a_run_in_which_nothing_runs_is_shown_too(browser, written):
    """A job that the machine cannot hold is rejected, and that was all."""
    recording = simulate(scenario_of((2, 3), [{"arrival": 0, "size": [3, 1], "service": 1}]))
    assert len(recording) == 2
    with browser.page(written(recording)) as page:
        page.key("End")
        page.key("ArrowLeft")
        page.ask("drawNow()")
        assert page.complaints == []


def test_a_picture_fits_its_room_when_a_long_sentence_takes_some_of_it(browser, written, recording):
    """In the very frame that shows the sentence: it was stretched until the next one."""
    room = "(() => { const c = byId('flat'); return [c.width, c.height, c.clientWidth, c.clientHeight]; })()"
    shown = "new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))"
    with browser.page(written(recording), (900, 700)) as page:
        before = page.ask(f"{shown}.then(() => {room})")
        page.ask(
            "page.cursor.run.sentences.fill('so '.repeat(200)); page.cursor.go({position: 3}); drawNow()"
        )
        after = page.ask(f"{shown}.then(() => {room})")
    assert after[3] < before[3]
    assert before[:2] == before[2:]
    assert after[:2] == after[2:]


def test_the_sentence_is_the_windows_at_every_event_and_step(browser, written, recording):
    """What stands below the mesh is what is read aloud, too."""
    with flat(browser, written(recording)) as page:
        for position in (0, 7, len(recording)):
            page.ask(f"page.cursor.go({{position: {position}}}); drawNow()")
            said = str(narrate(recording, recording.snapshot(position)))
            assert page.ask("[byId('sentence').textContent, byId('spoken').textContent]") == [said, said]


def test_the_page_can_be_read_in_another_language(browser, written, recording):
    """Words, sentences and steps change at once, at the same moment; Arabic is laid out from the right."""
    position = int(recording.attempts[next(iter(recording.attempts_of(3)))].position)
    of = "[root.lang, root.dir, byId('sentence').textContent, byId('play').ariaLabel]"
    with flat(browser, written(recording)) as page:
        page.ask("globalThis.root = document.documentElement")
        page.ask(f"page.cursor.go({{position: {position}}}); drawNow()")
        for name, direction in [("ar", "rtl"), ("de", "ltr"), ("en", "ltr")]:
            page.key("l")
            page.ask("drawNow()")
            with speaking(name):
                said = str(narrate(recording, recording.snapshot(position)))
                shown = page.ask(of)
                assert shown == [name, direction, page.ask(f"ordered({json.dumps(said)})"), tr("Play")]
                assert page.ask("byId('language').value") == name
            assert page.ask("page.cursor.position") == position
        page.ask("(speak('ar'), page.cursor.forward(), drawNow())")
        assert page.ask("location.hash.endsWith('&lang=ar')") is True
        outside = "[...document.querySelectorAll('button, select')].filter((each) => {"
        outside += " const r = each.getBoundingClientRect();"
        outside += " return r.width && (r.left < 0 || r.right > innerWidth + 0.5); }).map((each) => each.id)"
        assert page.ask(outside) == []
        assert page.complaints == []
    with browser.page(written(recording), (390, 844), at="#t=2&lang=ar") as page:
        assert page.ask("[document.documentElement.dir, document.documentElement.scrollWidth]") == [
            "rtl",
            390,
        ]


def test_a_run_in_a_notebook_is_its_page(browser, tmp_path):
    """In a frame that has no address of its own and may do nothing but run the page's scripts."""
    shown = meshgui.run(SMALL_RUN)
    path = tmp_path / "notebook.html"
    path.write_text(shown._repr_mimebundle_()["text/html"], encoding="utf-8")
    with browser.page(path, ready="1") as page:
        assert page.ask("document.querySelector('iframe').title") == "<b>&"
        page.ask_frame("page.ready")
        assert page.ask_frame("[page.cursor.run.count, page.cursor.run.title]") == [20, "<b>&"]
        page.ask_frame("act('next', () => page.cursor.forward()); drawNow()")
        assert page.ask_frame("byId('sentence').textContent") != ""
        assert page.complaints == []


def test_the_table_of_jobs_says_what_the_recording_has(browser, written, recording):
    """For screen readers, too: a table with a head, and a row for each job."""
    with flat(browser, written(recording)) as page:
        page.key("t")
        heads = page.ask("[...document.querySelectorAll('#jobs-table th')].map((each) => each.textContent)")
        rows = page.ask(
            "[...document.querySelectorAll('#jobs-table tbody tr')].map((r) => r.cells[2].textContent)"
        )
    assert heads[:2] == [tr("Job"), tr("Size")]
    assert rows == [f"{time:.2f}" for time in recording.jobs.arrival.tolist()]


SEEN = "(id) => document.getElementById(id).checkVisibility()"
"""Whether a part of the page is in sight."""


def lesson_in(path, lesson):
    """A lesson as a page in a file."""
    path.write_bytes(b"".join(lesson_page(lesson)))
    return path


def in_sight(page):
    """The parts of the page that may show an answer, as far as they are in sight."""
    page.ask("drawNow()")
    seen = page.ask(f"['waiting', 'code', 'overview', 'lanes'].filter({SEEN})")
    said = page.ask("document.getElementById('sentence').textContent")
    return {*seen, *({"sentence"} if said != tr("Hidden until you have answered.") else ())}


@pytest.mark.parametrize("number", [2, 4, 9, 17])
def test_a_page_of_a_lesson_hides_what_the_window_hides(browser, tmp_path, number):
    """The run ends where the question cuts it off, until it is answered, and is whole then."""
    lesson = load_lesson(shipped_lessons()[number - 1])
    parts = {"queue": ["waiting"], "algorithm": ["code"], "sentence": ["sentence"]}
    parts["timeline"] = ["overview", "lanes"]
    everything = {name for names in parts.values() for name in names}
    with flat(browser, lesson_in(tmp_path / "lesson.html", lesson)) as page:
        for place, step in enumerate(lesson.steps):
            page.ask(f"page.lesson.go({place})")
            if not step.asks:
                assert in_sight(page) == everything
                continue
            predict, whole = step.moment.predict, simulate(lesson.scenario(place))
            cut = cut_of(predict, step.moment, whole)
            covered = {name for part in predict.hidden for name in parts.get(part, ())}
            assert in_sight(page) == everything - covered
            assert page.ask("document.getElementById('status').children.length") == (
                1 if "readout" in predict.hidden else 3
            )
            assert page.ask("document.getElementById('jobs-button').disabled") == (
                "scenario" in predict.hidden
            )
            assert page.ask("document.getElementById('attempts').disabled") == ("timeline" in predict.hidden)
            page.key("End")
            known = len(whole) if cut is None else cut.position
            assert page.ask("page.cursor.position") == known
            page.ask("page.lesson.close({ said: 'itIs' })")
            assert in_sight(page) == everything
            assert page.ask("page.cursor.run.last") == len(whole)
            assert page.ask("document.getElementById('attempts').disabled") is False
        assert page.complaints == []


def test_questions_of_a_page_are_answered_as_in_the_window(browser, tmp_path):
    """By keys: a wrong answer may be tried again, a guess may not; hints lead to the answer."""
    lesson = load_lesson(shipped_lessons()[1])

    def type_in(answer):
        page.ask("document.querySelector('#lesson input').focus()")
        page.call("Input.insertText", text=answer)
        page.key("Enter")

    def said(part):
        return page.ask(f"document.querySelector('#lesson .{part}')?.textContent ?? ''")

    def press(word):
        page.ask(f"document.querySelector('#lesson [data-does={word}]').click()")

    with flat(browser, lesson_in(tmp_path / "lesson.html", lesson)) as page:
        assert page.ask("page.lesson.lesson.steps.length") == len(lesson.steps)
        type_in("x")
        assert said("verdict") == "Type a number, for example 12 or 3.5."
        page.ask("document.querySelector('#lesson input').value = ''")
        type_in("6")
        assert said("verdict") == "✗ Not quite. Try again, or take a hint."
        page.ask("document.querySelector('#lesson input').value = ''")
        type_in("4,0")
        assert said("answer") == "✓ Right."
        assert "as many as the next job asks for" in said("question")
        page.ask("page.lesson.go(1)")
        page.ask("drawNow()")
        assert page.ask("[page.cursor.time, page.chosen, location.hash]") == [2, 7, "#t=2&part=2"]
        for _ in range(3):
            press("hint")
        assert "It can start once job 3 has left." in said("question")
        rows = "[...document.querySelectorAll('#running tbody tr')]"
        left = page.ask(f"{rows}.map((row) => row.cells[2].textContent)")
        assert left == ["4.00", "6.00", "7.00"]  # what the answer follows from
        press("showAnswer")
        assert said("answer") == "It is 8."
        page.ask("page.lesson.go(5)")
        type_in("80 %")
        assert said("answer") == "✗ Not quite: it is 44.41 %."
        press("askAgain")
        assert page.ask("page.lesson.hides('timeline')")
        page.ask("page.lesson.go(1)")
        assert said("answer") == "It is 8."
        assert page.complaints == []


def test_a_hostile_lesson_is_shown_and_does_nothing(browser, tmp_path):
    """Its text is paragraphs and lists of words, whatever they contain."""
    moment = {
        "scenario": "three-jobs-4x4x4",
        "time": 0,
        "predict": {"question": ATTACKS[0], "of": "now free", "explain": "\n\n".join(ATTACKS)},
    }
    text = "\n\n".join(("# Title", "## Step", *ATTACKS, f"```moment\n{json.dumps(moment)}\n```"))
    source, path = tmp_path / "own.lesson.md", tmp_path / "lesson.html"
    source.write_text(text, encoding="utf-8")
    path.write_bytes(b"".join(lesson_page(load_lesson(source))))
    with flat(browser, path) as page:
        page.ask("page.lesson.close({ said: 'itIs' })")
        shown = page.ask("document.getElementById('lesson').textContent")
        for attack in (ATTACKS[0], ATTACKS[5], ATTACKS[19].replace("*", "")):
            assert attack in shown.replace("*", "")
        assert page.ask("typeof hacked") == "undefined"
        assert (
            page.ask("document.querySelectorAll('#lesson :is(a, img, iframe, script, form, style)').length")
            == 0
        )
        assert page.complaints == []
