"""The web page of a run draws what the program draws: both pictures of a moment, pixel by pixel."""

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.solid.canvas import MeshGL
from tests.browser import Browser, browser_program
from tests.runs import cursor_in
from tests.views.mesh.hatch_reading import JOBS, SIDE, assert_hatched
from tests.views.mesh.mesh_fixtures import SIZES, SOLIDS, after_all_started, inside_attempt, pixels, place_of
from tests.views.mesh.network_fixtures import MEETING, network_cursor
from tests.web_pages import page_of

MOMENTS = {
    "boxes in 3D": lambda: after_all_started((4, 4, 4), SOLIDS),
    "boxes in 2D": lambda: after_all_started((8, 6), SIZES),
    "an attempt in 3D": lambda: inside_attempt((4, 4, 4), SOLIDS, "tbl"),
    "an attempt in 2D": lambda: inside_attempt((8, 6), SIZES, "tff"),
    "worms": lambda: network_cursor(MEETING, 12),
    "a torus": lambda: torus_cursor(20, (6, 5), RING, flits=16),
    "a torus in 3D": lambda: torus_cursor(
        18, (4, 4, 3), [[0, x, 1, 1, (x + 1) % 4, 3, 2, 0] for x in range(4)], flits=12, channels=2, buffer=2
    ),
    "a torus without a network": lambda: torus_cursor(0, (6, 5)),
    "a deadlock": lambda: torus_cursor(None, (6, 5), RING, flits=16),
    "four channels a link": lambda: torus_cursor(
        15, (6, 5), [*RING, *SPREAD], flits=12, channels=4, buffer=2, rings=False
    ),
    "a choice of ways": lambda: torus_cursor(
        14, (6, 5), [*RING, *SPREAD], flits=12, routing="odd-even", rings=False
    ),
    "worms in 3D": lambda: network_cursor([[0, 0, 0, 0, 3, 2, 2, 0]], 14, (4, 4, 3), ((4, 4, 3),)),
}
RING = [[0, x, 2, 0, (x + 2) % 6, 2, 0, 0] for x in range(6)]
SPREAD = [[0, x, 0, 0, 5 - x, 4, 0, 0] for x in range(6)]
FAR = 60  # of 255: what two ways to smooth an edge, or to set a letter, differ by stays below it mostly
MOST = 0.005  # the share of pixels that edges and letters may differ in


def torus_cursor(at, shape, packets=None, rings=True, **law):
    """A cursor at a cycle of a torus, or at its end, on which one job has all processors."""
    data = {
        "mesh": {"shape": list(shape), **({"wrap": [True] * len(shape)} if rings else {})},
        "allocator": {"name": "ff"},
        "workload": {"kind": "list", "jobs": [{"arrival": 0.0, "size": list(shape), "service": 1.0}]},
    }
    if packets is not None:
        data["network"] = {"pattern": "file", "packets": packets, **law}
        del data["workload"]["jobs"][0]["service"]
    recording = simulate(Scenario.model_validate(data))
    return cursor_in(recording, time=recording.end_time if at is None else at)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A headless Chromium."""
    program = browser_program()
    if program is None:
        pytest.skip("chromium is not installed")
    made = Browser(program, tmp_path_factory.mktemp("profile"))
    yield made
    made.end()


def of_the_page(browser, path, cursor, *, flat, dark):
    """The mesh as the page draws it at the cursor's moment, and its size there."""
    position = cursor.view.position
    moment = f"time: {cursor.view.time}" if cursor.view.between_events else f"position: {position.events}"
    if position.attempt is not None:
        moment += f", attempt: 0, step: {position.step}"
    attempts = [] if position.attempt is None else [cursor.recording.attempts[position.attempt].job]
    path.write_text(page_of(cursor.recording, jobs=attempts), encoding="utf-8")
    with browser.page(path, (1180, 760), dark=dark) as page:
        page.ask(f"page.flat = {str(flat).lower()}; page.cursor.go({{{moment}}}); drawNow()")
        width, height = page.ask("[byId('flat').clientWidth, byId('flat').clientHeight]")
        image = QImage.fromData(page.picture("#flat"))
    return image, QSize(width, height)


@pytest.mark.parametrize("kind", ["solid", "flat"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_page_draws_what_the_program_draws(browser, show, opengl, tmp_path, moment, kind):
    """Alike but for the rims of edges and letters, which two programs smooth each in its way."""
    cursor, dark = MOMENTS[moment](), moment.startswith("an attempt")
    shown, size = of_the_page(browser, tmp_path / "page.html", cursor, flat=kind == "flat", dark=dark)
    view = show(MeshGL if kind == "solid" else MeshFlat, cursor, mode="dark" if dark else "light")
    wanted = view.grab_image(size)
    ours, theirs = pixels(wanted), pixels(shown)
    assert ours.shape == theirs.shape
    legend = view.source.scene.legend
    kept = slice(40, None) if legend else slice(None)  # the page has it below the mesh
    far = np.abs(ours - theirs)[kept].max(axis=2) > FAR
    assert far.mean() < MOST


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_swatches_and_bars_of_the_page_are_hatched_as_in_the_program(browser, tmp_path, dark):
    """Each job's by itself, at the ten pixels of its list and in its lane."""
    cursor = after_all_started((12, 12), [(4, 4)] * len(JOBS))
    (path := tmp_path / "page.html").write_text(page_of(cursor.recording), encoding="utf-8")
    with browser.page(path, (1180, 760), dark=dark) as page:
        page.ask("page.cursor.go({time: 5}); drawNow()")
        lanes = pixels(QImage.fromData(page.picture("#lanes")))
        tops = page.ask("page.runs[0].lanes && Array.from(page.runs[0].lanes.of)")
        high = (len(lanes) - 4) / max(len(JOBS), 7)
        for job in JOBS:
            top = round(2 + tops[job] * high)
            assert_hatched(job, lanes[top + 1 : round(top + high) - 2, 60:110], least=0.7)
            page.ask(f"document.querySelector('header').replaceChildren(swatch(page.runs[0], {job}))")
            swatch = pixels(QImage.fromData(page.picture("header .swatch")))
            assert_hatched(job, swatch[1:-1, 1:-1], least=0.7)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_faint_boxes_of_the_page_are_hatched_as_strongly_as_in_the_program(browser, show, tmp_path, dark):
    """Where a network is shown: the lines that lie, of job 1, have the same colour on the same ground."""
    cursor = network_cursor([[0, 2, 0, 0, 3, 3, 0, 1]], 5.0, sizes=((2, 4), (2, 4)))
    shown, size = of_the_page(browser, tmp_path / "page.html", cursor, flat=True, dark=dark)
    view = show(MeshFlat, cursor, size.toTuple(), "dark" if dark else "light")
    middle = place_of(view, 1).toPoint()
    found = []
    for image in (view.grab_image(size), shown):
        part = pixels(image)[middle.y() + 24 :, middle.x() + 24 :][:SIDE, :SIDE].reshape(-1, 3)
        shades, counts = np.unique(part, axis=0, return_counts=True)
        found.append(shades[np.argsort(counts)[:-3:-1]])
    assert np.abs(found[0] - found[1]).max() <= 2
