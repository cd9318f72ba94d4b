"""Writes the run or the lesson that a window shows for other programs: browsers, and viewers of traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Stopped
from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.clock_words import over_time
from meshgui.views.exporting.exportable import EXPORTS
from meshgui.views.style.direction import among_words
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context

if TYPE_CHECKING:
    from meshgui.model.lessons.lesson import Lesson
    from meshgui.views.exporting.exporter import Exporter


class RunFiles:
    """The commands that write such files; what they need is loaded at first use."""

    def __init__(
        self,
        exporter: Callable[[], Exporter],
        context: Context,
        lesson: Callable[[], Lesson | None],
    ) -> None:
        self._exporter, self._context, self._lesson = exporter, context, lesson

    def commands(self) -> list[Command]:
        """Writing the run as a page or as a trace, and the lesson as a page."""
        return commands_in(
            EXPORTS,
            Command(
                "file.web-page",
                tr("Web page…"),
                tr("Write the run as a page for any browser, with the steps of the selected job"),
                self.export_run,
                ("Ctrl+Alt+W",),
                "code",
                synonyms=tr("html browser share publish"),
            ),
            Command(
                "file.lesson-page",
                tr("Lesson as a web page…"),
                tr("Write the lesson that is open, its steps and answers, as a web page"),
                self.export_lesson,
                ("Ctrl+Alt+Shift+W",),
                "list-ordered",
                synonyms=tr("html browser share publish course"),
            ),
            Command(
                "file.trace-events",
                tr("Trace of events…"),
                tr("Write the run for viewers such as ui.perfetto.dev: jobs on processors, queue, use"),
                self.export_trace,
                ("Ctrl+Alt+E",),
                "activity",
                synonyms=tr("perfetto chrome tracing json gantt share"),
            ),
        )

    def export_run(self) -> None:
        """Ask for a file, and write the run as a page."""
        job = self._context.selection.job
        self._write_run(
            tr("page", "of a run"), tr("Web page (*.html)"), lambda recording: _page(recording, job)
        )

    def export_trace(self) -> None:
        """Ask for a file, and write the run as a trace."""
        self._write_run(tr("trace", "of events"), tr("Trace of events (*.json)"), _trace)

    def _write_run(self, what: str, kind: str, pieces: Callable[[Recording], Iterator[bytes]]) -> None:
        recording, exporter = self._context.cursor.recording, self._exporter()
        if recording is None:
            exporter.fail(tr("There is no run to export: open a scenario first."))
            return
        path = exporter.ask_where(over_time(what, recording), kind, self._context.document.title)
        if path is not None:
            self.write(path, lambda: pieces(recording))

    def export_lesson(self) -> None:
        """Ask for a file, and write the lesson that is open."""
        lesson, exporter = self._lesson(), self._exporter()
        if lesson is None:
            exporter.fail(tr("There is no lesson to export: open one first."))
        elif (path := exporter.ask_where(lesson.title, tr("Web page (*.html)"))) is not None:
            self.write(path, lambda: _lesson_page(lesson))

    def write(self, path: Path, pieces: Callable[[], Iterator[bytes]]) -> None:
        """Write a file and report it or the error; where it is stopped the old file stays."""
        from meshgui.views.widgets.file_progress import writing_progress  # noqa: PLC0415 - at first use

        exporter = self._exporter()
        try:
            with writing_progress(exporter.window, path.name), whole_file(path) as file:
                file.writelines(pieces())
        except Stopped:
            exporter.done.emit(tr("{path} was not written.").format(path=among_words(path.name)))
        except OSError as error:
            exporter.fail(
                tr("{path} cannot be written: {fault}.").format(path=among_words(path), fault=os_fault(error))
            )
        except ValueError as error:  # a lesson with a fault, a job with too many steps, too large a run
            exporter.fail(
                tr("{path} cannot be written: {fault}.").format(path=among_words(path), fault=error)
            )
        else:
            exporter.say_written(path)


def _page(recording: Recording, job: int | None) -> Iterator[bytes]:
    from meshgui.model.export.web_page import run_page  # noqa: PLC0415 - at first use
    from meshgui.model.export.web_run import WebSpan  # noqa: PLC0415
    from meshgui.model.export.web_steps import attempts_of_jobs, usual_attempts  # noqa: PLC0415

    span = WebSpan.of(recording)
    chosen = [] if job is None else attempts_of_jobs(recording, span.first, span.last, [job])
    return run_page(recording, span, chosen or usual_attempts(recording, span.first, span.last))


def _trace(recording: Recording) -> Iterator[bytes]:
    from meshgui.model.export.trace_events import trace_events  # noqa: PLC0415 - at first use

    return trace_events(recording)


def _lesson_page(lesson: Lesson) -> Iterator[bytes]:
    from meshgui.model.export.web_lesson import lesson_page  # noqa: PLC0415 - at first use
    from meshgui.model.lessons.lesson_check import check_lesson  # noqa: PLC0415

    _, faults = check_lesson(lesson.path)
    if faults:
        raise ValueError(str(faults[0]).rstrip("."))
    return lesson_page(lesson)
