"""The file of the open scenario under the hands of others: it is said, asked about, and nothing is lost."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario, saving
from meshgui.model.document.examples import example
from meshgui.model.document.recovery import RecoveryFolder
from meshgui.views.window.autosave import Autosave
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, wait_for_run

CHANGED = "The file mine.meshgui.json has been changed since it was opened or saved here."
GONE = "The file mine.meshgui.json has been deleted or moved. The scenario now exists in this window only."


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of one's own, in a folder of its own."""
    (tmp_path / "work").mkdir()
    file = tmp_path / "work" / "mine.meshgui.json"
    write(file, "Mine")
    return file


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot, mine: Path) -> MainWindow:
    """A window on it."""
    assert window.files.open(mine)
    wait_for_run(window, qtbot)
    return window


def write(file: Path, title: str) -> None:
    """Write a scenario as another program does that replaces the file."""
    scenario = load_scenario(example("three-jobs-4x4x4")).model_copy(update={"title": title})
    for _ in saving(scenario, file):
        pass


def write_in_place(file: Path, title: str) -> None:
    """Write a scenario as another program does that writes over what was there."""
    write(file.with_name("other"), title)
    file.write_bytes(file.with_name("other").read_bytes())
    file.with_name("other").unlink()


def edit(window: MainWindow, title: str) -> None:
    """Change the title."""
    scenario = window.document.scenario
    window.document.edit(scenario.model_copy(update={"title": title}))


def press(window: MainWindow, words: str) -> None:
    """Press a button of the notice."""
    buttons = [button for row in window.notice._rows for button in row.buttons]
    next(button for button in buttons if button.text() == words).click()


@pytest.mark.parametrize("change", [write, write_in_place])
def test_a_change_by_another_program_is_said_as_it_happens(opened, qtbot, mine, change):
    """Also the second one, after the file is another; opened again, it is what is shown."""
    for title in ("Theirs", "Theirs again"):
        change(mine, title)
        qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
        assert opened.document.title != title
        press(opened, "Open it again")
        assert opened.document.title == title
        assert opened.notice.text == ""


def test_a_notice_goes_with_its_reason_and_comes_back_with_the_next_change_only(opened, qtbot, mine):
    """A dismissed one does not come back each time that the window is entered."""
    content = mine.read_bytes()
    write(mine, "Theirs")
    qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
    opened.notice.dismiss()
    QApplication.sendEvent(opened, QEvent(QEvent.Type.WindowActivate))
    assert opened.notice.text == ""
    write(mine, "Theirs again")
    qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
    # Written back as it was, the file needs no notice
    mine.write_bytes(content)
    qtbot.waitUntil(lambda: opened.notice.text == "")


def test_entering_the_window_is_enough_and_two_windows_hear_of_each_other(opened, mine, make_window, qtbot):
    """Where the system reports nothing, as for a folder in the network."""
    write(mine, "Theirs")
    QApplication.sendEvent(opened, QEvent(QEvent.Type.WindowActivate))
    assert opened.notice.text == CHANGED
    # As two processes do: the one that has saved hears nothing
    opened.notice.dismiss()
    second = make_window()
    assert second.files.open(mine)
    edit(second, "Second")
    second.commands.trigger("file.save")
    qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
    assert second.notice.text == ""


def test_saving_over_a_change_is_asked_about(opened, mine, answers, monkeypatch):
    """It is cancelled, or the old version is kept, or replaced by the user's word."""
    edit(opened, "Ours")
    write(mine, "Theirs")
    answers += ["Cancel", "Save anyway"]
    opened.commands.trigger("file.save")
    assert load_scenario(mine).title == "Theirs"
    assert opened.document.modified
    opened.commands.trigger("file.save")
    assert load_scenario(mine).title == "Ours"
    assert [*zip(answers.asked, answers.offered, strict=True)] == [
        (CHANGED, {"Save as…", "Save anyway", "Cancel"})
    ] * 2
    edit(opened, "Ours again")
    opened.commands.trigger("file.save")  # without a question
    assert load_scenario(mine).title == "Ours again"
    assert opened.notice.text == ""
    # Saving elsewhere keeps both, and is enough to open another scenario
    edit(opened, "Ours")
    write(mine, "Theirs")
    other = mine.with_name("other.meshgui.json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    answers += ["Save", "Save as…"]
    assert opened.files.may_leave()
    assert load_scenario(mine).title == "Theirs"
    assert load_scenario(other).title == "Ours"
    assert opened.document.path == other


def test_an_unchanged_scenario_can_be_read_again_unless_the_file_is_none(opened, mine, answers, qtbot):
    """With unsaved changes it is not offered, as they would be lost."""
    write(mine, "Theirs")
    answers.append("Open it again")
    opened.commands.trigger("file.save")
    assert opened.document.title == load_scenario(mine).title == "Theirs"
    assert "Open it again" in answers.offered[0]
    # A file that is no longer a scenario is said, and what is open stays
    mine.write_text("half of")
    qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
    press(opened, "Open it again")
    assert "expected JSON" in opened.notice.text
    assert opened.document.title == "Theirs"


def test_unsaved_changes_are_asked_about_before_the_file_is_read_again(opened, qtbot, mine, answers):
    """Cancelled, all stays as it is, the notice too."""
    edit(opened, "Ours")
    write(mine, "Theirs")
    qtbot.waitUntil(lambda: opened.notice.text == CHANGED)
    answers += ["Cancel", "Discard"]
    press(opened, "Open it again")
    assert (opened.document.title, opened.notice.text) == ("Ours", CHANGED)
    press(opened, "Open it again")
    assert (opened.document.title, opened.notice.text) == ("Theirs", "")


@pytest.mark.parametrize("gone", ["deleted", "moved", "with its folder"])
def test_a_removed_file_is_said_and_its_scenario_is_not_lost(opened, qtbot, mine, answers, gone):
    """Closing asks, though nothing was edited; it can be written again at once."""
    if gone == "deleted":
        mine.unlink()
    elif gone == "moved":
        mine.rename(mine.with_name("moved"))
    else:
        mine.parent.rename(mine.parent.with_name("elsewhere"))  # which the system does not report
        QApplication.sendEvent(opened, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(lambda: opened.notice.text == GONE)
    assert opened.document.modified
    assert "•" in opened.windowTitle()
    answers.append("Cancel")
    opened.close()
    qtbot.waitUntil(lambda: not opened.closing.under_way)
    assert opened.isVisible()
    assert answers.asked[0] == "The file of “Mine” has been deleted or moved."
    mine.parent.mkdir(exist_ok=True)
    press(opened, "Save")
    assert load_scenario(mine).title == "Mine"
    assert opened.notice.text == ""
    assert not opened.document.modified


def test_two_tabs_on_one_file_hear_of_each_other(opened, qtbot, mine, answers):
    """When the other one is shown again; the notice belongs to its tab."""
    opened.scenarios.open_empty()
    assert opened.files.open(mine)
    edit(opened, "Second")
    opened.commands.trigger("file.save")
    assert opened.notice.text == ""
    opened.scenarios.show(0)
    assert opened.notice.text == CHANGED
    answers.append("Cancel")
    opened.commands.trigger("file.save")
    assert load_scenario(mine).title == "Second"
    opened.scenarios.show(1)
    assert opened.notice.text == ""


def test_a_removed_file_of_a_tab_behind_is_asked_about_as_the_window_closes(opened, qtbot, mine, answers):
    """Its tab is shown with the question."""
    opened.scenarios.open_empty()
    open_and_run(opened, qtbot, "three-jobs-4x4x4")
    mine.unlink()
    answers.append("Cancel")
    opened.close()
    qtbot.waitUntil(lambda: not opened.closing.under_way)
    assert opened.isVisible()
    assert opened.scenarios.shown == 0
    assert answers.asked[0] == "The file of “Mine” has been deleted or moved."


def test_a_recovered_scenario_whose_file_has_changed_since_is_asked_about(
    opened, make_window, tmp_path, mine, answers
):
    """As if the window had been open all the time."""
    edit(opened, "Ours")
    session = tmp_path / "recovery" / "session"
    session.mkdir(parents=True)
    RecoveryFolder(session).keep(opened.scenarios.states)
    write(mine, "Theirs")
    second = make_window()
    autosave = Autosave(tmp_path / "recovery", second)
    autosave.offer()
    press(second, "Open")
    assert second.document.title == "Ours"
    assert second.notice.text == CHANGED
    answers.append("Cancel")
    second.commands.trigger("file.save")
    assert answers.asked[0] == CHANGED
    assert load_scenario(mine).title == "Theirs"


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links")
def test_a_file_behind_a_link_is_followed(window, qtbot, mine, tmp_path):
    """Where its folder is another: it is replaced there."""
    link = tmp_path / "mine.meshgui.json"
    link.symlink_to(mine)
    assert window.files.open(link)
    wait_for_run(window, qtbot)
    for title in ("Theirs", "Theirs again"):
        write(mine, title)
        qtbot.waitUntil(lambda: window.notice.text == CHANGED)
        window.notice.dismiss()


def test_a_name_without_its_ending_replaces_no_other_file(opened, mine, answers, monkeypatch):
    """The dialog has asked about the name as it was typed."""
    other = mine.with_name("other.meshgui.json")
    write(other, "Theirs")
    typed = str(mine.with_name("other"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (typed, ""))
    answers += ["No", "Yes"]
    assert not opened.files.save_as()
    assert load_scenario(other).title == "Theirs"
    assert opened.files.save_as()
    assert load_scenario(other).title == "Mine"
    assert answers.asked == ["other.meshgui.json already exists. Replace it?"] * 2
