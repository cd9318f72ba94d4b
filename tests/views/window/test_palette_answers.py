"""What the palette finds beside the commands: strategies, jobs, times, and commands by other words."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, wait_for_run


@pytest.fixture
def loaded(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with a run of a thousand jobs."""
    return open_and_run(window, qtbot, "tbl-under-load")


def search(window: MainWindow, words: str) -> list[str]:
    """The titles that the palette finds."""
    if not window.palette_sheet.isVisible():
        window.palette_sheet.open()
    window.palette_sheet.search.setText(words)
    return [command.title for command in window.palette_sheet.commands()]


def test_a_strategy_is_found_and_runs_the_same_jobs(loaded: MainWindow, qtbot: QtBot):
    """By its id or a word of its title; the edit can be undone, and the moment stays."""
    loaded.time_cursor.go_to_time(20)
    jobs = loaded.time_cursor.recording.jobs.arrival.copy()
    assert search(loaded, "run first fit")[0].startswith("Run with ")
    found = search(loaded, "run with bl")
    loaded.palette_sheet.search.setText(next(title for title in found if title.startswith("Run with bl:")))
    QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
    wait_for_run(loaded, qtbot)
    assert loaded.document.scenario.allocator.name == "bl"
    assert (loaded.time_cursor.recording.jobs.arrival == jobs).all()
    assert loaded.time_cursor.time == 20
    assert loaded.document.history.last.words == "change of strategy"
    loaded.commands.trigger("edit.undo")
    assert loaded.document.scenario.allocator.name == "tbl"


def test_what_has_just_the_name_that_is_typed_comes_first(loaded: MainWindow):
    """Before scenarios, lessons and strategies that have it in their titles."""
    for words in ("gabl", "GABL", "Greedy Available Busy List"):
        assert search(loaded, words)[0].startswith("Run with gabl: "), words
    assert len(search(loaded, "gabl")) > 2


def test_a_strategy_that_cannot_use_the_mesh_says_so(loaded: MainWindow):
    """The scenario stays, and the notice names the strategy and the reason."""
    title = next(title for title in search(loaded, "run with 2dbs"))
    loaded.palette_sheet.search.setText(title)
    QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
    assert loaded.document.scenario.allocator.name == "tbl"
    assert loaded.notice.isVisible()


def test_a_job_is_found_by_its_number(loaded: MainWindow):
    """Its arrival, start and end, with their times; Enter goes there and selects it."""
    for words in ("17", "job 17", "#17", "j17"):
        titles = [title for title in search(loaded, words) if title.startswith("Job 17 ")]
        assert [title.split(",")[0] for title in sorted(titles)] == [
            "Job 17 arrives",
            "Job 17 finishes",
            "Job 17 starts",
        ]
        loaded.palette_sheet.search.setText(f"{words} starts" if " " not in words else "17")
        loaded.palette_sheet.dismiss()


def test_going_to_a_job_selects_it(loaded: MainWindow):
    """The cursor stands just after the event."""
    found = {c.id: c for c in _answers(loaded, "17")}
    assert {"job.17.arrives", "job.17.starts", "job.17.finishes", "time.at"} <= set(found)
    found["job.17.starts"].run()
    recording = loaded.time_cursor.recording
    assert loaded.selection.job == 17
    assert loaded.time_cursor.position.events == recording.started[17] + 1


def test_a_time_is_found(loaded: MainWindow):
    """As one writes it; Enter goes there."""
    for words in ("12.4", "t 12.4", "time 12,4", "t=12.4", "at 12.4", "go to 12.4"):
        loaded.time_cursor.go_to_time(0.0)
        assert "Go to time 12.4" in search(loaded, words)
        QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
        assert loaded.time_cursor.time == pytest.approx(12.4), words


def test_what_the_run_does_not_have_is_not_found(loaded: MainWindow):
    """A job beyond the last, a time after the end."""
    assert search(loaded, "job 1000") == []
    assert search(loaded, "t 99999") == []


def test_a_command_is_found_by_other_words(window: MainWindow):
    """One types the word one knows."""
    for words, title in (
        ("dark mode", "Light or dark"),
        ("shortcuts", "Keys"),
        ("screenshot", "Save a picture of the mesh…"),
        ("pseudocode", "Algorithm panel"),
        ("gantt", "Timeline panel"),
        ("lecture", "Presenter mode"),
        ("exit", "Quit"),
        ("sweep", "Experiment…"),
        ("csv", "Export table as CSV…"),
        ("rewind", "Go to the start"),
        ("zoom in", "Closer"),
        ("2d", "Flat or solid"),
        ("literature", "Published results…"),
        ("version", "About MeshGUI"),
        ("start page", "Welcome page"),
    ):
        assert title in search(window, words)[:3], words


def _answers(window: MainWindow, words: str):
    """The commands that the palette finds."""
    search(window, words)
    found = window.palette_sheet.commands()
    window.palette_sheet.dismiss()
    return found


def test_what_shows_a_figure_is_found_by_its_name(loaded: MainWindow):
    """Plots, windows with the figures of runs, and what stops at one: not only a lesson about it."""
    assert {"Breakpoints and bookmarks", "Experiment…", "Compare runs…"} <= set(search(loaded, "fragment"))
    assert "Plots panel" in search(loaded, "utilisation")


def test_a_name_typed_whole_finds_no_letters_here_and_there(loaded: MainWindow):
    """GABL's letters stand in the title of another strategy, too."""
    found = search(loaded, "gabl")
    assert "Run with gabl: Greedy Available Busy List" in found
    assert all("gabl" in title.casefold() for title in found)
    assert "Copy table" not in search(loaded, "tbl")
    assert "Step by event" in search(loaded, "sbe")  # initials
