"""Opens the window and runs the program until it is closed."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6 import QtCore
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication

from meshgui.engine.basics.kernel_cache import cache_fault, shipped_folder
from meshgui.engine.basics.translation import tr
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import DocumentState
from meshgui.views.faults.fault_watch import FaultWatch
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import Mode, ThemeManager
from meshgui.views.widgets.kept_place import kept_or
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.autosave import Autosave
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.preparation_note import PreparationNote, wants_preparation
from meshgui.views.window.program_end import ProgramEnd
from meshgui.views.window.settings_file import SettingsWatch, guard_dialogs, open_settings

_WAIT: Final = 0.2  # seconds for work beside the window to end
_left: list[QApplication] = []


def open_window(*opened: DocumentState, lesson: Path | None = None) -> int:
    """Open the window, on scenarios and a lesson if there are some; the program's exit status."""
    application = qt_application()
    places = QSettings.Format.IniFormat, QSettings.Scope.UserScope
    settings, damage = open_settings(QSettings(*places, "MeshGUI", "MeshGUI"))
    damage = " ".join(filter(None, (damage, guard_dialogs())))
    themes = ThemeManager(application, _mode(kept_or(settings, "window/theme", "")))
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation))
    window = MainWindow(themes, settings, RecentFiles(folder))
    if damage:
        window.notice.tell(damage, lasting=True)
    if shipped_folder() is None and (fault := cache_fault()):
        window.notice.tell(f"{fault}.", lasting=True)
    kept = SettingsWatch(settings, partial(window.notice.tell, lasting=True))
    autosave = Autosave(folder / "recovery", window)
    autosave.watch()
    faults = FaultWatch(themes, settings, window, autosave.write, lambda: _details(window))
    faults.goes_on.connect(lambda: _tell_of_a_fault_that_goes_on(window))
    faults.begin()
    for first in opened[:1]:
        window.files.take(first)
    window.painted.connect(lambda: _open_in_tabs(window, opened[1:]))
    if lesson is not None:
        window.painted.connect(partial(window.lessons.open, lesson))
    note = PreparationNote()
    window.bars.add_sign(note)
    window.panels.text_enlarged.connect(lambda percent: note.present(on=percent is not None))
    if os.environ.get("MESHGUI_BENCH_FIRST_PAINT"):
        window.painted.connect(_report_and_leave)
    elif wants_preparation():
        window.painted.connect(note.begin)
        window.search.may_compile = lambda: note.pending
    application.aboutToQuit.connect(_end_work)
    end = ProgramEnd(window, autosave.write)
    end.watch(application)
    gc.freeze()  # modules and the window stay: the first search for garbage need not go through them
    window.show()
    try:
        status = application.exec()
    finally:
        end.end()
        faults.end()
        note.end()
    kept.write(_complain)
    _end_work()  # again, for what a timer began as the loop ended
    if WorkThread.are_at_work():
        _leave_behind(application)
    return end.status or status


def _end_work() -> None:
    WorkThread.end_all(within=_WAIT)


def _leave_behind(application: QApplication) -> None:
    """Have Qt not be taken apart, which would abort: the command ends at once while a thread is at work."""
    _left.append(application)
    atexit.unregister(getattr(QtCore, "__moduleShutdown"))


def _open_in_tabs(window: MainWindow, further: Sequence[DocumentState]) -> None:
    """Open the other scenarios, each in a tab of its own."""
    for each in further:
        window.scenarios.take_beside(each)


def _report_and_leave() -> None:
    """Report the first paint to the process that measures the start."""
    os.write(1, b"painted\n")
    os._exit(0)


def _complain(words: str) -> None:
    """Say something once the window is gone."""
    if sys.stderr is not None:
        with suppress(OSError):  # the terminal is gone
            sys.stderr.write(tr("meshgui: {fault}").format(fault=words) + "\n")


def _details(window: MainWindow) -> dict[str, str]:
    """What a report of a fault says beside the fault."""
    scenario = window.document.scenario
    return {"Scenario": "" if scenario is None else scenario.model_dump_json(indent=2)}


def _mode(value: str) -> Mode:
    return "light" if value == "light" else "dark" if value == "dark" else "system"


def _tell_of_a_fault_that_goes_on(window: MainWindow) -> None:
    said = tr("The reported error keeps recurring. Save your work and restart MeshGUI.")
    window.notice.tell(said, lasting=True)
