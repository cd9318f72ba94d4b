"""Work survives a kill: copies while one edits, and at the next start the offer to open them."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLockFile, QSysInfo, Qt, QTimer
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario
from meshgui.model.document.document import Document, DocumentState
from meshgui.model.document.examples import example
from meshgui.model.document.recovery import RecoveryFolder, read_copy
from meshgui.views.faults.session_folder import SessionFolder
from meshgui.views.window import autosave
from meshgui.views.window.autosave import Autosave
from meshgui.views.window.main_window import MainWindow
from tests.crashes import full_disk
from tests.processes import ScopedProcess
from tests.views.scenario.driving import box
from tests.views.window.conftest import open_and_run, wait_for_run

Make = Callable[[], MainWindow]


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_others_cannot_look_into_the_folder_of_a_session(tmp_path):
    """Nor into that of all sessions, as an earlier version has left it, nor read what is in it."""
    parent = tmp_path / "recovery"
    parent.mkdir(mode=0o755)
    session = SessionFolder.begin(parent)
    session.watch()
    assert [folder.stat().st_mode & 0o077 for folder in (parent, session.path)] == [0, 0]
    assert {file.stat().st_mode & 0o077 for file in session.path.glob("*.txt")} == {0}
    session.remove()


TYPES_UNTIL_KILLED = """
import faulthandler
import sys
from pathlib import Path
from PySide6.QtCore import QSize, QTimer
from PySide6.QtTest import QTest
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.model.document.document import DocumentState
from meshgui.model.document.recovery import read_copy
from meshgui.views.mesh.solid import opengl
from meshgui.views.window import main_window, start
from meshgui.views.window.main_window import MainWindow

main_window.SIZE, opengl.SAMPLES = QSize(1366, 800), 0  # no picture is looked at
faulthandler.dump_traceback_later(240, exit=True)  # whoever reads what it prints would wait for ever
begin = MainWindow._begin

def type_on(window):
    begin(window)
    window.panels.show("scenario")
    line = window.panels.part("scenario")._title.line
    line.clear()
    timer = QTimer(window, interval=15)

    def type_one():
        QTest.keyClicks(line, "x")
        copies = Path(sys.argv[1]).glob("*/*.recovery.json")
        print(window.document.title, *(read_copy(copy).title for copy in copies), flush=True)

    timer.timeout.connect(type_one)
    timer.start()

MainWindow._begin = type_on
path = example("three-jobs-4x4x4")
start.open_window(DocumentState.read(path))
"""


def kill_while_typing(settings: Path, letters: int) -> list[str]:
    """Open the program in another process, kill it when its copy has some letters, and return all titles."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(settings)}
    program, kept = [sys.executable, "-c", TYPES_UNTIL_KILLED, str(recovery_folder(settings))], ""
    titles: list[str] = []
    with ScopedProcess(program, stdout=subprocess.PIPE, text=True, env=environment) as process:
        while len(kept) < letters:
            title, *copies = process.stdout.readline().split()
            titles, kept = [*titles, title], max(copies, key=len, default="")
        process.kill()
        titles += process.stdout.read().split()
    return titles


def recovery_folder(settings: Path) -> Path:
    """Where a program with these settings keeps its copies."""
    return settings / "MeshGUI" / "MeshGUI" / "recovery"


def answer(window: MainWindow, qtbot: QtBot, title: str) -> None:
    """Click a button of the notice."""
    button = next(b for b in window.notice.findChildren(QPushButton) if b.text() == title)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("letters", [5, 17, 31])
def test_what_was_typed_before_a_kill_is_offered_at_the_next_start(make_window, qtbot, tmp_path, letters):
    """One click opens it as it was last kept during the typing, unsaved; no copy is offered twice."""
    titles = kill_while_typing(tmp_path, letters)
    folder = recovery_folder(tmp_path)
    window = make_window()
    Autosave(folder, window).offer()
    assert window.notice.text.startswith("The program ended before changes were saved: “x")
    answer(window, qtbot, "Open")
    wait_for_run(window, qtbot)
    assert window.document.title in titles
    assert len(window.document.title) >= letters
    assert window.document.modified
    assert not window.notice.isVisible()
    second = make_window()
    Autosave(folder, second).offer()
    assert not second.notice.isVisible()  # the first window keeps it now
    window.closed.emit()
    assert list(folder.iterdir()) == []


def left_behind(folder: Path, name: str, view: Mapping[str, Any] | None = None) -> None:
    """Leave the copy of an edit in a folder whose program has gone."""
    document = Document()
    document.open(example("first-fit-16x16"), as_example=True)
    document.keep(view or {})
    document.change({**document.draft, "seed": 77})
    copies = RecoveryFolder(folder / name)
    copies.folder.mkdir(parents=True)
    copies.keep([document.state])
    with ScopedProcess([sys.executable, "-c", ""]) as ended:
        pass
    lines = (ended.pid, "python", QSysInfo.machineHostName())  # as Qt writes them
    (copies.folder / "lock").write_text("".join(f"{line}\n" for line in lines))


def test_several_scenarios_come_back_in_tabs(make_window, qtbot, tmp_path):
    """All that was left unsaved, beside what is open already."""
    folder = tmp_path / "recovery"
    for name in ("one", "two"):
        left_behind(folder, name)
    window = make_window()
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    Autosave(folder, window).offer()
    assert "“First Fit from above” and “First Fit from above”." in window.notice.text
    answer(window, qtbot, "Open")
    wait_for_run(window, qtbot)
    assert [state.modified for state in window.scenarios.states] == [False, True, True]
    assert window.document.draft["seed"] == 77


def test_each_recovered_scenario_opens_at_the_moment_of_its_copy(make_window, qtbot, tmp_path):
    """Also one in a tab that was put aside before its run had come so far."""
    folder = tmp_path / "recovery"
    left_behind(folder, "one", {"time": 3.0})
    left_behind(folder, "two", {"time": 5.0})
    window = make_window()
    Autosave(folder, window).offer()
    answer(window, qtbot, "Open")
    shown = set()
    for place in (1, 0):
        window.scenarios.show(place)
        qtbot.waitUntil(lambda: bool(window.time_cursor.time > 0))
        shown.add(window.time_cursor.time)
    assert shown == {3.0, 5.0}


def test_discarding_removes_the_copies_but_not_those_of_a_program_that_runs(make_window, qtbot, tmp_path):
    """They are not offered again; copies of another window on the same settings are its own."""
    folder = tmp_path / "recovery"
    left_behind(folder, "dead")
    window = make_window()
    Autosave(folder, window).offer()
    assert "“First Fit" in window.notice.text
    answer(window, qtbot, "Discard")
    assert list(folder.iterdir()) == []
    assert window.document.scenario is None
    # Another program is at work there
    other = folder / "other"
    other.mkdir(parents=True)
    (other / "1.recovery.json").touch()
    lock = QLockFile(str(other / "lock"))
    assert lock.lock()
    window = make_window()
    Autosave(folder, window).offer()
    assert not window.notice.isVisible()
    assert (other / "1.recovery.json").exists()
    lock.unlock()


def test_an_offer_without_an_answer_is_made_again(make_window, qtbot, tmp_path):
    """It stays while a scenario is opened and run, and for the next start after the window is closed."""
    folder = tmp_path / "recovery"
    left_behind(folder, "dead")
    first = make_window()
    Autosave(folder, first).offer()
    open_and_run(first, qtbot, "three-jobs-4x4x4")
    assert first.notice.asks
    first.close()
    second = make_window()
    Autosave(folder, second).offer()
    answer(second, qtbot, "Open")
    wait_for_run(second, qtbot)
    second.panels.show("scenario")
    assert box(second.form.view, "seed").text() == "77"


def test_a_copy_that_cannot_be_replaced_is_kept(make_window, qtbot, tmp_path):
    """With a full disk the window says so once, and what was recovered is there at the next start too."""
    folder = tmp_path / "recovery"
    left_behind(folder, "dead")
    window = make_window()
    keeping = Autosave(folder, window)
    keeping.offer()
    with full_disk():
        answer(window, qtbot, "Open")
        wait_for_run(window, qtbot)
        assert "No copy of unsaved changes can be kept" in window.notice.text
        assert "no space left on device" in window.notice.text
        window.notice.dismiss()
        keeping.write()
        assert not window.notice.isVisible()
        assert (folder / "dead" / "1.recovery.json").exists()
    keeping.write()
    second = make_window()
    Autosave(folder, second).offer()
    assert "“First Fit from above”" in second.notice.text


def long_edit(window: MainWindow) -> None:
    """Edit a scenario with 20,000 jobs, which is not run."""
    scenario = load_scenario(example("three-jobs-4x4x4"))
    data = scenario.model_dump(mode="json")
    jobs = data["workload"]["jobs"]
    data["workload"]["jobs"] = [{**jobs[0], "arrival": row} for row in range(20_000)]
    window.document.show(DocumentState(scenario))
    window.document.change(data)


def while_written(window: MainWindow, folder: Path, act: Callable[[], object]) -> QTimer:
    """Call something between events whenever a part of a copy lies in the folder."""
    events = QTimer(window, interval=0)
    events.timeout.connect(lambda: any(folder.glob("*/.meshgui-*")) and act())
    events.start()
    return events


def test_a_long_copy_is_written_between_events(make_window, qtbot, tmp_path, monkeypatch):
    """Until it is whole there is none; edits meanwhile do not keep it from being finished."""
    monkeypatch.setattr(autosave, "_LEG", 0.0)
    folder = tmp_path / "recovery"
    window = make_window()
    keeping = Autosave(folder, window)
    keeping.watch()
    copy, seen = next(folder.iterdir()) / "1.recovery.json", []
    events = while_written(window, folder, lambda: seen.append(copy.exists()))
    events.timeout.connect(window.document.draft_changed.emit)
    long_edit(window)
    qtbot.waitUntil(copy.exists)
    events.stop()
    assert len(seen) > 10
    assert not any(seen)
    assert keeping.write() == ""
    assert read_copy(copy).edited == window.document.edited
    window.closed.emit()


def test_closing_while_a_copy_is_written_leaves_nothing(make_window, qtbot, tmp_path, monkeypatch):
    """Neither the folder nor a part of the copy."""
    monkeypatch.setattr(autosave, "_LEG", 0.0)
    folder, left = tmp_path / "recovery", []
    window = make_window()
    Autosave(folder, window).watch()

    def close() -> None:
        window.closed.emit()
        left.append(list(folder.iterdir()))

    while_written(window, folder, close)
    long_edit(window)
    qtbot.waitUntil(lambda: bool(left))
    assert left == [[]]


def test_a_full_disk_leaves_no_folder_for_each_attempt(tmp_path):
    """A folder finds room where its lock does not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        assert SessionFolder.begin(tmp_path / "recovery") is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list((tmp_path / "recovery").iterdir()) == []
