"""Keeps copies of unsaved scenarios while a window is open, and offers those of a program that was killed."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer

from meshgui.engine.basics.sentences import listed
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import in_quotes
from meshgui.engine.scenario import ScenarioError
from meshgui.model.base.fault_report import FaultReport
from meshgui.model.document.document import DocumentState
from meshgui.model.document.recovery import RecoveryFolder, read_copy
from meshgui.views.faults.fault_dialog import FaultDialog
from meshgui.views.faults.session_folder import Ending, SessionFolder
from meshgui.views.style.direction import among_words
from meshgui.views.widgets.notice import NoticeAction, Topic
from meshgui.views.widgets.soon import soon
from meshgui.views.window.main_window import MainWindow

_DELAY: Final = 0.3  # seconds from an edit to its copy; more where writing takes long
_SHARE: Final = 20  # of the time, writing may take one part
_LEG: Final = 0.02  # seconds of writing before the window's events are handled


class Autosave(QObject):
    """Writes the copies of a window's unsaved scenarios, each program in a folder of its own.

    A lock in the folder says whether the program still runs. Closing the window removes the folder.
    """

    def __init__(self, folder: Path, window: MainWindow) -> None:
        super().__init__(window)
        self._folder, self._window = folder, window
        self._own: SessionFolder | None = None
        self._copies: RecoveryFolder | None = None
        self._left: list[SessionFolder] = []
        self._fault = ""  # why the last copies could not be written
        self._timer = QTimer(self, singleShot=True, interval=round(_DELAY * 1000))
        self._timer.timeout.connect(self._write_in_legs)
        self._writing: Generator[None, None, None] | None = None
        self._leg = QTimer(self, interval=0)  # between events, so that they are handled
        self._leg.timeout.connect(self._write_on)
        window.document.changed.connect(self._begin)
        window.document.draft_changed.connect(self._begin)
        window.scenarios.changed.connect(self._begin)
        window.painted.connect(lambda: soon(self, self.offer))  # once the first run has begun
        window.closed.connect(self.end)

    def watch(self) -> None:
        """Have the next start know how this program ends."""
        if (own := self._session()) is not None:
            own.watch()

    def write(self) -> str:
        """Write at once what is not written yet. The fault, if there is one."""
        self._begin_writing()
        while self._writing is not None:
            self._write_on()
        return self._fault

    def _write_in_legs(self) -> None:
        if self._writing is None:
            self._begin_writing()
        else:
            self._timer.start()  # first what is being written, or who types on would never have a copy

    def _begin_writing(self) -> None:
        self._stop_writing()
        if self._own is None and not any(state.modified for state in self._states):
            self._tell("")
            return
        if (own := self._session()) is None:
            self._tell(tr("{folder} cannot be written.").format(folder=among_words(self._folder)))
            return
        if self._copies is None:
            self._copies = RecoveryFolder(own.path)
        self._writing, self._took = self._copies.keeping(self._states), 0.0
        self._leg.start()

    def _write_on(self) -> None:
        """Write for a moment, and more after the events that wait."""
        begun = perf_counter()
        for _ in self._writing or ():
            if perf_counter() - begun >= _LEG:
                break
        else:
            self._stop_writing()
        self._took += perf_counter() - begun
        if self._writing is None:
            self._tell("" if self._copies is None else str(self._copies.fault or ""))
            self._timer.setInterval(round(max(_DELAY, self._took * _SHARE) * 1000))

    def _stop_writing(self) -> None:
        """Stop, and leave the old copy where the new one is not whole."""
        self._leg.stop()
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    def _tell(self, fault: str) -> None:
        """Say it when no copies can be written any more."""
        if fault and not self._fault:
            self._window.notice.tell(
                tr("No copy of unsaved changes can be kept: {fault}").format(fault=fault),
                topic=Topic.COPIES,
                lasting=True,
            )
        self._fault = fault

    def _session(self) -> SessionFolder | None:
        """The folder of this program, made at the first call that can."""
        if self._own is None:
            self._own = SessionFolder.begin(self._folder)
        return self._own

    def offer(self) -> None:
        """Say how the last program ended, if not by itself, and offer what it left."""
        self._left += SessionFolder.left_over(self._folder)
        endings = [ending for session in self._left if (ending := session.ending) is not None]
        crash = "\n".join(session.crash for session in self._left if session.crash)
        for session in self._left:
            session.forget_ending()
        files = self._files
        if not files:
            self._discard()
        if files:
            titles = [in_quotes(_title(file)) for file in files]
            said = tr("The program ended before changes were saved: {titles}.")
            if crash:
                said = tr("The program crashed before changes were saved: {titles}.")
            said = said.format(titles=listed(titles))
        elif crash:
            said = tr("The program crashed when it was last used. Nothing was left unsaved.")
        elif Ending.KILLED in endings:
            said = tr(
                "When it was last used, the program was ended from outside, "
                "perhaps because the machine ran out of memory."
            )
        else:
            return
        answers: list[NoticeAction] = []
        if files:
            answers.append((tr("Open"), tr("Open it with its changes, as it was left"), self._recover))
            answers.append((tr("Discard"), tr("Remove the changes for good"), self._discard_and_dismiss))
        if crash:
            hint = tr("Read what is known of the crash, and copy or save it")
            answers.append((tr("Report"), hint, lambda: self._report_crash(crash)))
        self._window.notice.tell(said, *answers, topic=Topic.LEFT, lasting=bool(answers))

    def end(self) -> None:
        """Remove the copies: the user has saved or discarded everything. What was not answered stays."""
        self._timer.stop()
        self._stop_writing()
        if self._own is not None:
            self._own.remove()
            self._own = self._copies = None
        for session in self._left:
            session.unlock()

    @property
    def _states(self) -> list[DocumentState]:
        return self._window.scenarios.states

    @property
    def _files(self) -> list[Path]:
        """The copies that other programs left."""
        return [file for session in self._left for file in RecoveryFolder(session.path).files()]

    def _begin(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _report_crash(self, crash: str) -> None:
        lead = tr("The program crashed when it was last used. This is what is known of it.")
        window = self._window
        dialog = FaultDialog(window.themes, window.settings, window, tr("Report of a crash"), lead)
        dialog.show_report(FaultReport().text({"Crash": crash}))
        dialog.show()

    def _recover(self) -> None:
        self._window.notice.withdraw(Topic.LEFT)
        for file in self._files:
            try:
                state = read_copy(file)
            except ScenarioError as error:
                said = tr("It cannot be opened: {error}").format(error=error)
                self._window.notice.tell(said, topic=Topic.LEFT)
                return
            self._window.scenarios.take_beside(state)
            self.write()  # before the old copy goes
            if self._copies is not None and self._copies.holds(state):
                file.unlink()
        for session in self._left:
            if RecoveryFolder(session.path).files():
                session.unlock()  # for the next start
            else:
                session.remove()
        self._left = []

    def _discard_and_dismiss(self) -> None:
        self._window.notice.withdraw(Topic.LEFT)
        self._discard()

    def _discard(self) -> None:
        for session in self._left:
            session.remove()
        self._left = []


def _title(file: Path) -> str:
    try:
        return read_copy(file).title
    except ScenarioError:
        return file.name
