"""Writes the run or the lesson that a window shows as a web page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Stopped
from meshgui.engine.runs.recording import Recording
from meshgui.views.exporting.commands import WindowExports
from meshgui.views.exporting.exportable import EXPORTS
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context

if TYPE_CHECKING:
    from meshgui.model.lessons.lesson import Lesson


class WebPages:
    """The commands that write web pages; what they need is loaded at first use."""

    def __init__(
        self,
        exports: WindowExports,
        context: Context,
        lesson: Callable[[], Lesson | None],
    ) -> None:
        self._exports, self._context, self._lesson = exports, context, lesson

    def commands(self) -> list[Command]:
        """Writing the run, and the lesson, as a page."""
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
        )

    def export_run(self) -> None:
        """Ask for a file, and write the run."""
        recording, job = self._context.cursor.recording, self._context.selection.job
        if recording is None:
            self._exports.exporter.fail(tr("There is no run to export: open a scenario first."))
            return
        path = self._ask(self._context.document.title)
        if path is not None:
            self.write(path, lambda: self._run(recording, job))

    def export_lesson(self) -> None:
        """Ask for a file, and write the lesson that is open."""
        lesson = self._lesson()
        if lesson is None:
            self._exports.exporter.fail(tr("There is no lesson to export: open one first."))
            return
        path = self._ask(lesson.title)
        if path is not None:
            self.write(path, lambda: _lesson(lesson))

    def write(self, path: Path, pieces: Callable[[], Iterator[bytes]]) -> None:
        """Write a page and report its file or the error; where it is stopped the old file stays."""
        from meshgui.views.widgets.file_progress import writing_progress  # noqa: PLC0415 - at first use

        exporter = self._exports.exporter
        try:
            with writing_progress(exporter.window, path.name), whole_file(path) as file:
                file.writelines(pieces())
        except Stopped:
            exporter.done.emit(tr("The page was not written."))
        except OSError as error:
            exporter.fail(tr("{path} cannot be written: {fault}.").format(path=path, fault=os_fault(error)))
        except ValueError as error:  # a lesson with a fault, a job with too many steps
            exporter.fail(tr("The page cannot be written: {error}.").format(error=error))
        else:
            exporter.say_written(path)

    def _ask(self, title: str) -> Path | None:
        return self._exports.exporter.ask_where(title, tr("Web page (*.html)"))

    def _run(self, recording: Recording, job: int | None) -> Iterator[bytes]:
        from meshgui.model.export.web_page import run_page  # noqa: PLC0415 - at first use
        from meshgui.model.export.web_run import WebSpan  # noqa: PLC0415
        from meshgui.model.export.web_steps import attempts_of_jobs, usual_attempts  # noqa: PLC0415

        span = WebSpan.of(recording)
        chosen = [] if job is None else attempts_of_jobs(recording, span.first, span.last, [job])
        return run_page(recording, span, chosen or usual_attempts(recording, span.first, span.last))


def _lesson(lesson: Lesson) -> Iterator[bytes]:
    from meshgui.model.export.web_lesson import lesson_page  # noqa: PLC0415 - at first use
    from meshgui.model.lessons.lesson_check import check_lesson  # noqa: PLC0415

    _, faults = check_lesson(lesson.path)
    if faults:
        raise ValueError(str(faults[0]).rstrip("."))
    return lesson_page(lesson)
