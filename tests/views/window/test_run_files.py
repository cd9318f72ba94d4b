"""Files for other programs from the window: pages of the run and of the lesson, and a trace of the run."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from meshgui.engine.basics.work import Stopped
from meshgui.model.export.trace_events import trace_events
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from tests.views.window.conftest import open_and_run, wait_for_run
from tests.web_pages import content_of


@pytest.fixture
def out(tmp_path, monkeypatch):
    """The file that the user names."""
    path = tmp_path / "page.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    return path


def test_the_run_is_written_with_the_steps_of_the_selected_job(lecture, out):
    """Of all jobs that were tried those of one, where one is selected."""
    lecture.commands.trigger("file.web-page")
    (run,) = content_of(out.read_text("utf-8"))["runs"]
    assert len({attempt["job"] for attempt in run["attempts"]}) > 1
    lecture.selection.select(1)
    lecture.commands.trigger("file.web-page")
    (run,) = content_of(out.read_text("utf-8"))["runs"]
    assert {attempt["job"] for attempt in run["attempts"]} == {1}
    assert lecture.notice.text == "page.html was written."


def test_the_run_is_written_as_a_trace_of_events(lecture, out, monkeypatch):
    """The one that the command line writes; a run that is too large for viewers is refused in one line."""
    trace = out.with_suffix(".json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(trace), ""))
    lecture.commands.trigger("file.trace-events")
    assert trace.read_bytes() == b"".join(trace_events(lecture.time_cursor.recording))
    trace.write_text("old", "utf-8")
    monkeypatch.setattr("meshgui.model.export.trace_events.MOST_SLICES", 10)
    lecture.commands.trigger("file.trace-events")
    assert "expected at most 10 slices" in lecture.notice.text
    assert trace.read_text("utf-8") == "old"


@pytest.mark.parametrize(
    ("example", "of_run"), [("three-jobs-4x4x4", "from 0 to 8"), ("two-packets-meet-6x4", "to cycle 56")]
)
def test_files_are_named_after_the_scenario_and_its_time(window, qtbot, monkeypatch, example, of_run):
    """A page and a trace after the whole of the run; the time that a film shows is known at its end only."""
    names = []

    def ask(_window, _title, path, *_kinds):
        names.append(Path(path).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    open_and_run(window, qtbot, example)
    title = window.document.title
    for command in ("file.web-page", "file.trace-events", "file.record"):
        window.commands.trigger(command)
    page, trace, film = (name.removeprefix(f"{title}, ") for name in names)
    assert [page, trace, film] == [f"page {of_run}.html", f"trace {of_run}.json", "film.gif"]


def test_the_lesson_is_written_with_its_steps(window, qtbot, out):
    """Those of its file, each with its answer."""
    window.lessons.open(shipped_lessons()[1])
    wait_for_run(window, qtbot)
    window.commands.trigger("file.lesson-page")
    lesson = content_of(out.read_text("utf-8"))["lesson"]
    assert len(lesson["steps"]) == len(window.lessons.session.lesson.steps)
    assert lesson["told"]["en"]["steps"][0]["answer"] == "4 processors"


def test_without_a_run_or_a_lesson_it_is_said_what_to_do(window, out):
    """No name is asked for."""
    for command, said in (
        ("file.web-page", "open a scenario first"),
        ("file.trace-events", "open a scenario first"),
        ("file.lesson-page", "open one first"),
    ):
        window.commands.trigger(command)
        assert said in window.notice.text
        assert not out.exists()


def test_a_page_that_is_stopped_leaves_the_old_file(lecture, out, monkeypatch):
    """As every long export."""
    out.write_text("old", "utf-8")

    def stop(*_):
        raise Stopped

    monkeypatch.setattr("meshgui.model.export.web_run.narrate_with", stop)
    lecture.commands.trigger("file.web-page")
    assert out.read_text("utf-8") == "old"
    assert "not written" in lecture.sentence.text
