"""Edits in the form are part of the document: marked, saved, asked about, undone and redone by keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.scenario.driving import box, choose, errors, retype, table
from tests.views.window.conftest import open_and_run, press, wait_for_run

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def edited(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with its form in front, on an example, in which the load has been typed and not run."""
    open_and_run(window, qtbot, "first-fit-16x16")
    press(qtbot, window, Qt.Key.Key_E, CONTROL)
    qtbot.waitUntil(lambda: window.form.made is not None)
    retype(qtbot, window.form.view, "workload.load", "3.5")
    return window


def load(window: MainWindow) -> float:
    """The load that is run."""
    return window.document.scenario.workload.load


def test_an_edit_that_was_not_run_is_marked_and_undone_without_a_run(edited, qtbot):
    """At the first key; the run that is shown is still the old one."""
    assert edited.windowTitle().endswith(" • – MeshGUI")
    assert " •" in edited.title._button.text()
    assert load(edited) != 3.5
    # The recording stays: it is of the scenario that undo goes back to
    recording, runs = edited.time_cursor.recording, []
    edited.runs.started.connect(lambda: runs.append(True))
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    handle_events()
    assert runs == []
    assert edited.time_cursor.recording is recording
    # Going back to the last run is an edit like others
    form = edited.form.view
    retype(qtbot, form, "workload.load", "3.5")
    qtbot.mouseClick(form.revert_button, Qt.MouseButton.LeftButton)
    assert edited.document.edited == edited.document.scenario
    assert edited.notice.text == "The edits since the last run are undone."
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    assert edited.notice.text == ""
    assert box(form, "workload.load").text() == "3.5"
    # By its button too; with the next edit there is nothing left that it would undo
    for typed, undone in (("4", True), ("5", False)):
        retype(qtbot, form, "workload.load", typed)
        qtbot.mouseClick(form.revert_button, Qt.MouseButton.LeftButton)
        assert box(form, "workload.load").text() != typed
        if undone:
            qtbot.mouseClick(edited.notice._rows[0].buttons[0], Qt.MouseButton.LeftButton)
            assert box(form, "workload.load").text() == typed
        else:
            retype(qtbot, form, "workload.load", "6")
        assert edited.notice.text == ""


def test_save_runs_the_edits_and_writes_them(edited, qtbot, tmp_path, monkeypatch):
    """Ctrl+S from within the field: the file, the run and the form say the same, and the mark goes."""
    target = tmp_path / "mine.meshgui.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    press(qtbot, edited, Qt.Key.Key_S, CONTROL)
    assert load_scenario(target).workload.load == 3.5
    assert load(edited) == 3.5
    assert "•" not in edited.windowTitle()
    wait_for_run(edited, qtbot)
    retype(qtbot, edited.form.view, "workload.load", "4")
    press(qtbot, edited, Qt.Key.Key_S, CONTROL)  # it has a place by now
    assert load_scenario(target).workload.load == 4
    wait_for_run(edited, qtbot)


@pytest.mark.parametrize(("key", "words"), [(Qt.Key.Key_S, "saved"), (Qt.Key.Key_R, "run")])
def test_a_wrong_edit_is_named_and_nothing_is_saved_or_run(edited, qtbot, tmp_path, key, words):
    """The old file stays, the sentence names the field, and the focus is in it, even from another panel."""
    target = tmp_path / "mine.meshgui.json"
    edited.document.save(target)
    old = target.read_bytes()
    retype(qtbot, edited.form.view, "workload.load", "-1")
    edited.panels.show("algorithm")
    edited.mesh.canvas.setFocus()
    press(qtbot, edited, key, CONTROL)
    assert edited.notice.text == f"Nothing was {words}. Load: Expected more than 0, got -1.0"
    assert target.read_bytes() == old
    assert edited.focusWidget() is box(edited.form.view, "workload.load")
    assert edited.focusWidget().isVisible()


def test_another_scenario_asks_about_edits_that_were_not_run(edited, qtbot, tmp_path, monkeypatch, answers):
    """Cancel leaves all as it was, Save keeps the edits, and the other scenario has no mark."""
    answers += ["Cancel", "Save"]
    edited.open_example(example("three-jobs-4x4x4"))
    assert box(edited.form.view, "workload.load").text() == "3.5"
    target = tmp_path / "mine.meshgui.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    open_and_run(edited, qtbot, "three-jobs-4x4x4")
    assert load_scenario(target).workload.load == 3.5
    assert edited.document.title == "Three jobs, step by step"
    assert "•" not in edited.windowTitle()
    assert answers == []


def test_quitting_asks_about_edits_that_were_not_run(edited, qtbot, answers):
    """Cancel and a save that is impossible keep the window open; Discard closes it."""
    answers += ["Cancel", "Save", "Discard"]

    def quit_and_answer() -> None:
        press(qtbot, edited, Qt.Key.Key_Q, CONTROL)
        qtbot.waitUntil(lambda: not edited.closing.under_way)

    quit_and_answer()
    assert edited.isVisible()
    retype(qtbot, edited.form.view, "workload.load", "x")
    quit_and_answer()
    assert edited.isVisible()
    assert "Nothing was saved. Load:" in edited.notice.text
    quit_and_answer()
    assert not edited.isVisible()


def test_run_again_runs_the_edits_and_undo_runs_it_as_it_was(edited, qtbot):
    """Ctrl+R and Ctrl+Return show what the form says."""
    before = load(edited)
    press(qtbot, edited, Qt.Key.Key_R, CONTROL)
    wait_for_run(edited, qtbot)
    assert load(edited) == 3.5
    # While the run shows what the form says, undo and redo keep it so, from the mesh as well
    press(qtbot, edited, Qt.Key.Key_Return, CONTROL)
    wait_for_run(edited, qtbot)
    edited.mesh.canvas.setFocus()
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    assert load(edited) == before
    wait_for_run(edited, qtbot)
    press(qtbot, edited, Qt.Key.Key_Y, CONTROL)
    assert load(edited) == 3.5
    wait_for_run(edited, qtbot)


def undo_title(window: MainWindow) -> str:
    """The words of the menu."""
    return window.commands.action("edit.undo").text()


def test_undo_names_its_edit_and_leads_back_to_its_field(edited, qtbot):
    """Ctrl+Z in a field undoes the document's last edit, not the letters of that field."""
    form = edited.form.view
    retype(qtbot, form, "seed", "77")
    choose(qtbot, form, "scheduler", "ssd")
    assert undo_title(edited) == "Undo change of scheduler"
    retype(qtbot, form, "workload.load", "4")
    assert undo_title(edited) == "Undo change of load"
    form.findChild(QWidget, "title").setFocus()
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    assert box(form, "workload.load").text() == "3.5"
    assert edited.focusWidget() is box(form, "workload.load")
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    assert box(form, "seed").text() == "1"
    assert edited.focusWidget() is box(form, "seed")
    press(qtbot, edited, Qt.Key.Key_Z, CONTROL)
    assert edited.document.edited == edited.document.scenario
    assert "•" not in edited.windowTitle()
    assert undo_title(edited) == "Undo"
    assert not edited.commands.action("edit.undo").isEnabled()
    assert edited.commands.action("edit.redo").text() == "Redo change of load"
    for key, modifiers in ((Qt.Key.Key_Z, CONTROL | SHIFT), (Qt.Key.Key_Y, CONTROL)):
        press(qtbot, edited, key, modifiers)
    assert (box(form, "workload.load").text(), box(form, "seed").text()) == ("3.5", "77")


def test_rows_and_pastes_are_undone(lecture, qtbot):
    """A paste, a removal and a cell of the table of jobs, each by Ctrl+Z from the table itself."""
    press(qtbot, lecture, Qt.Key.Key_E, CONTROL)
    form = lecture.form.view
    jobs = table(form)
    QGuiApplication.clipboard().setText("2,1,1,1,3\n4,2,2,2,1\n")
    jobs.table.setFocus()
    press(qtbot, lecture, Qt.Key.Key_V, CONTROL)
    assert undo_title(lecture) == "Undo adding 2 jobs"
    qtbot.keyClick(jobs.table, Qt.Key.Key_Home)
    qtbot.keyClick(jobs.table, Qt.Key.Key_Delete)
    assert undo_title(lecture) == "Undo removing a job"
    jobs.table.setCurrentIndex(jobs.rows.index(1, 2))
    qtbot.keyClick(jobs.table, Qt.Key.Key_F2)
    cell = lecture.focusWidget()
    cell.selectAll()
    qtbot.keyClicks(cell, "9")
    assert undo_title(lecture) == "Undo change of service of job 1"
    qtbot.keyClick(cell, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: lecture.focusWidget() is jobs.table)
    assert jobs.table.currentIndex().row() == 1
    press(qtbot, lecture, Qt.Key.Key_Z, CONTROL)
    assert len(jobs.rows.rows()) == 5
    press(qtbot, lecture, Qt.Key.Key_Z, CONTROL)
    assert lecture.document.edited == lecture.document.scenario
    assert errors(form) == {}


def test_the_palette_says_what_undo_will_undo_and_an_experiment_takes_the_edits(edited, qtbot):
    """As the menu does; a few letters of the edit and Enter undo it."""
    press(qtbot, edited, Qt.Key.Key_K, CONTROL)
    palette = edited.palette_sheet
    qtbot.keyClicks(palette.search, "undo load")
    assert palette._command(palette._found.shown()[0]).title == "Undo change of load"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert edited.document.edited == edited.document.scenario
    # An experiment takes edits that are not run as well; wrong ones are named in its place
    retype(qtbot, edited.form.view, "workload.load", "x")
    edited.commands.trigger("run.experiment")
    assert edited.notice.text.startswith("No experiment was opened. Load:")
    retype(qtbot, edited.form.view, "workload.load", "3.5")
    edited.commands.trigger("run.experiment")
    assert edited.studies.experiment.scenario.workload.load == 3.5
    edited.studies.experiment.close()
