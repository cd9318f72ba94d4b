"""Strategies in packages of their own, installed by pip: the window draws them, and outlives wrong ones."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import Role
from meshgui.model.moment.position import Position
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.stepping.selection import Selection
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.processes import finished
from tests.third_party import three_jobs
from tests.views.window.conftest import open_and_run, wait_for_run

NEVER_BACK = {"endless", "endless-log", "stuck-state"}


def be_patient(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Wait for a strategy as long as a slow machine takes, unless it never comes back."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "1.5" if name in NEVER_BACK else "100")


@pytest.fixture
def with_packages(third_party: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The packages on the path."""
    monkeypatch.syspath_prepend(third_party)
    strategies.cache_clear()
    yield
    strategies.cache_clear()


@pytest.fixture
def opened(
    with_packages: None, window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], MainWindow]:
    """Opens the window on a scenario with a third-party strategy, run to its end."""

    def open_it(name: str) -> MainWindow:
        be_patient(monkeypatch, name)
        assert window.files.open(three_jobs(tmp_path, name))
        wait_for_run(window, qtbot)
        return window

    return open_it


def scene_of(window: MainWindow):
    """What the mesh view draws."""
    assert window.time_cursor.view is not None
    return build_scene(window.time_cursor.view, Selection(), window.themes.theme)


@pytest.mark.parametrize(
    ("name", "title", "panels", "placed"),
    [
        ("near", "Near Fit", ["Distances", "Best so far"], (0, 3, 0, 4, 1, 1)),
        ("last", "Last Fit", [], (1, 0, 0, 4, 1, 1)),
    ],
)
def test_one_is_stepped_and_drawn(opened, name, title, panels, placed):
    """Its pseudo-code, its structures and its boxes appear; stepping through an attempt ends at its start."""
    window = opened(name)
    assert window.algorithm.title.text() == title
    assert [line.label for line in window.algorithm.code.lines] == [
        line.label for line in strategies()[name].lines
    ]
    recording = window.time_cursor.recording
    attempt = recording.attempts_of(2)[0]
    window.time_cursor.enter_attempt(attempt)
    assert window.algorithm.code.current == 0
    assert window.sentence.text.startswith("Job 2 (4×1): Is (")
    assert list(window.inspector.sections) == panels
    roles = set()
    for _ in range(1000):
        if window.time_cursor.position.attempt != attempt:
            break
        roles |= {mark.role for mark in scene_of(window).marks}
        last = scene_of(window).marks[0]
        window.time_cursor.next_step()
    assert window.time_cursor.position.attempt != attempt
    assert (last.role, tuple(last.box)) == (Role.PLACED, placed)
    assert roles >= {Role.TRIED, Role.PLACED}
    assert placed in {tuple(row) for row in scene_of(window).boxes.tolist()}


def test_it_stands_in_the_form_with_its_options(opened):
    """The form offers it, and builds its options from its model."""
    window = opened("near")
    window.panels.show("scenario")
    form = window.form.view
    assert form.document.edited == window.document.scenario
    assert form.document.edited.allocator.options.corner == "low"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("raises", "raises failed at job 1: ZeroDivisionError: by zero"),
        ("overlaps", "overlaps gave job 1 the box (0, 0, 0, 2, 2, 1), part of which is held already"),
        ("endless", "endless did not return from allocating for job 1 within 1.5 s"),
    ],
)
def test_one_that_goes_wrong_is_named_and_another_scenario_runs(
    with_packages, window, qtbot, tmp_path, monkeypatch, name, error
):
    """The run ends with one line above the mesh; what happened before can be seen, and the window works."""
    be_patient(monkeypatch, name)
    assert window.files.open(three_jobs(tmp_path, name))
    qtbot.waitUntil(lambda: window.notice.text != "")
    assert error in window.notice.text
    assert not window.runs.running
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert window.notice.text == ""


def test_one_that_never_ends_can_be_stopped(with_packages, window, qtbot, tmp_path, monkeypatch):
    """The button that stops a run need not wait for the strategy; what was before that time is shown."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "600")
    assert window.files.open(three_jobs(tmp_path, "endless"))
    qtbot.waitUntil(
        lambda: window.time_cursor.recording is not None and len(window.time_cursor.recording) == 2
    )
    window.runs.cancel()
    qtbot.waitUntil(lambda: not WorkThread.under_way())


NO_STEPS = {
    "raises-log": "raises-log failed at job 2: KeyError: 'log'",
    "gabbles": "gabbles logged at job 2 the line 7: expected one from 0 to 1",
    "mumbles": "mumbles failed at job 2: KeyError: 'whatever'",
    "changes-its-mind": "changes-its-mind answered differently when asked for job 2 again",
    "shows-rubbish": "shows-rubbish shows an inspection, panels, rows, cells: expected text, got 1",
    "endless-log": "endless-log did not return from running trace for job",
    "stuck-state": "stuck-state did not return from running replay for job 0",
}


def test_one_that_cannot_be_stepped_leaves_the_rest_to_see(opened, qtbot, subtests):
    """Inside an attempt the sentence says what is wrong; events are still walked through, there and back."""
    for name, error in NO_STEPS.items():
        with subtests.test(name):
            window = opened(name)
            walk_through(window, error)
            open_and_run(window, qtbot, "three-jobs-4x4x4")


def walk_through(window: MainWindow, error: str) -> None:
    """Step through a run there and back, with an attempt of which only the error is seen."""
    recording = window.time_cursor.recording
    window.time_cursor.enter_attempt(recording.attempts_of(2)[0])
    assert error in window.sentence.text
    seen = [window.time_cursor.position]
    for _ in range(60):
        window.time_cursor.next_step()
        window.time_cursor.next_decision()
        seen.append(window.time_cursor.position)
    assert seen[-1] == Position(len(recording))
    for _ in range(150):
        window.time_cursor.previous_step()
    assert window.time_cursor.position == Position(0)
    window.time_cursor.go_to_time(2.5)
    assert scene_of(window).boxes[0].tolist() == [0, 0, 0, 3, 3, 1]


_SPINS = """
import sys
from pathlib import Path
from time import monotonic, sleep
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from meshgui.model.document.examples import example
from meshgui.model.base.recent import RecentFiles
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from meshgui.views.style.theme import ThemeManager

def wait_for(done):
    end = monotonic() + 60
    while not done():
        assert monotonic() < end
        application.processEvents()
        sleep(0.01)

folder = Path(sys.argv[1])
application = QApplication([])
settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
window = MainWindow(ThemeManager(application, "light"), settings, RecentFiles(folder))
window.show()
window.files.open(folder / "spins.meshgui.json")
wait_for(lambda: window.notice.text != "")
print(window.notice.text)
window.files.open(example("three-jobs-4x4x4"), as_example=True)
wait_for(lambda: window.time_cursor.recording is not None and window.time_cursor.recording.complete)
print(len(window.time_cursor.recording), "events")
window.close()
WorkThread.end_all()
"""


@pytest.mark.kernel
def test_a_kernel_that_never_ends_keeps_neither_the_window_nor_the_program(third_party, tmp_path):
    """Its thread is left behind; another scenario runs, the window closes, and the process ends."""
    three_jobs(tmp_path, "spins")
    done = subprocess.run(
        [sys.executable, "-c", _SPINS, str(tmp_path)],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(third_party), *sys.path]), "QT_QPA_PLATFORM": "offscreen"}
        | {"MESHGUI_STRATEGY_SECONDS": "1.5", "QT_LOGGING_RULES": "*.warning=false"},
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert "spins did not return from allocating for job 1 within 1.5 s" in said[0]
    assert said[1] == "9 events"


def test_one_is_rendered(third_party, tmp_path):
    """`meshgui render` draws the mesh with its boxes."""
    out = tmp_path / "near.png"
    command = ["render", str(three_jobs(tmp_path, "near")), "--at", "2", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(third_party), *sys.path])}
    environment["QT_QPA_PLATFORM"] = "offscreen"
    done = finished([*command, "--size", "400x300"], environment)
    assert done.returncode == 0, done.stderr
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (400, 300)
    colours = {picture.pixel(x, y) for x in range(0, 400, 4) for y in range(0, 300, 4)}
    assert len(colours) > 3
