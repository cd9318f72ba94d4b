"""`meshgui [FILE|LINK …]`: the window, perhaps at a moment."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from meshgui.cli import signals
from meshgui.cli.arguments import Parser, time, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.gui_packages import require_gui
from meshgui.engine.basics.garbage import loading
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.document.document import DocumentState
from meshgui.model.document.moment_link import is_link, read_link
from meshgui.model.lessons.lesson_files import LessonError, is_lesson
from meshgui.views.offscreen.screen import missing_screen


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help=tr(
            "a scenario, NAME.meshgui.json, a meshgui:// link to a moment, or a lesson, NAME.lesson.md; "
            "further scenarios open in tabs"
        ),
    )
    parser.add_argument("--at", metavar="T", type=time, help=tr("open it at this time of its run"))
    parser.add_argument("--job", metavar="K", type=whole_number, help=tr("with this job selected"))
    parser.add_argument(
        "--step",
        metavar="N",
        type=whole_number,
        help=tr("at this step, from 1, of an allocation made at that time"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    lessons = [name for name in options.files if is_lesson(Path(name))]
    if len(lessons) > 1:
        raise UsageError(tr("meshgui: expected one lesson, got {lessons}").format(lessons=len(lessons)))
    lesson = _lesson(lessons[0]) if lessons else None
    opened = [_read(name) for name in options.files if name not in lessons]
    view = _moment(options)
    if view and not opened:
        raise UsageError(tr("meshgui: expected a FILE with --at, --job and --step"))
    if options.step is not None and options.at is None:
        raise UsageError(tr("meshgui: expected --at T with --step"))
    require_gui(tr("the window"))
    fault = missing_screen()
    if fault is not None:
        raise WorkFailed(tr("{fault} (meshgui render draws a picture without one)").format(fault=fault))
    try:
        with loading():
            from meshgui.views.style.plain_imports import restore_imports  # noqa: PLC0415 - as below

            restore_imports()
            from meshgui.views.window.start import open_window  # noqa: PLC0415 - Qt, only for a window
    except ImportError as error:
        raise WorkFailed(
            tr("Qt could not be loaded: {error} (meshgui doctor says more)").format(error=error)
        ) from None
    signals.leave_alone()
    if opened:
        opened[0].look_from(view)
    return open_window(*opened, lesson=lesson)


def _lesson(name: str) -> Path:
    """The file of a lesson that can be read."""
    from meshgui.model.lessons.lesson import load_lesson  # noqa: PLC0415 - scenarios are opened without it

    try:
        return load_lesson(Path(name)).path
    except LessonError as error:
        raise UsageError(tr("meshgui: {error}").format(error=error)) from None


def _read(name: str) -> DocumentState:
    """The scenario in a file or a link, with what a window shows of it."""
    if name.startswith("file:"):  # as desktops name the files that are clicked
        name = unquote(urlsplit(name).path)
        name = name.removeprefix("/") if os.name == "nt" else name
    try:
        return read_link(name) if is_link(name) else DocumentState.read(Path(name))
    except ScenarioError as error:
        raise UsageError(str(error)) from None


def _moment(options: Namespace) -> dict[str, Any]:
    """The moment in the options, which goes before that of the file."""
    view: dict[str, Any] = {}
    if options.at is not None:
        view = {"time": options.at, "events": None, "attempt": None, "release": None, "step": options.step}
    if options.job is not None:
        view["selection"] = {"job": options.job}
    return view
