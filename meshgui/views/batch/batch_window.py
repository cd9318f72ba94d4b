"""The window shell of experiments and gallery: parts, worker, opening and closing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMessageBox, QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.manual.help_pages import experiments_page
from meshgui.model.studies.batch_session import BatchSession, Phase
from meshgui.views.batch.run_bar import RunBar
from meshgui.views.batch.store_chooser import StoreChooser
from meshgui.views.batch.store_worker import StoreWorker
from meshgui.views.batch.study_window import StudyWindow
from meshgui.views.help.help_window import HelpPage
from meshgui.views.help.topic_help import TopicHelp
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import widget_of
from meshgui.views.widgets.question import AnswerButton, Question
from meshgui.views.widgets.tasks import Heard, Tasks

W = TypeVar("W", bound=StoreWorker)

_LEFT_LEAST: Final = 300

_ROLE: Final = QMessageBox.ButtonRole


class BatchWindow(StudyWindow, Generic[W]):
    """The form of the runs on the left, results on the right, and one worker that makes the runs.

    A subclass makes its parts, passes them to `_assemble`, and says what its worker is.
    """

    def __init__(
        self, name: str, session: BatchSession, themes: ThemeManager, icons: IconShelf, settings: QSettings
    ) -> None:
        super().__init__(name, themes, icons, settings)
        self._session = session
        self._tasks = Tasks[None, W](self)
        self.help = TopicHelp(
            self, themes, icons, HelpPage("experiments", tr("Experiments"), experiments_page())
        )

    @property
    def busy(self) -> bool:
        """Whether runs are being made."""
        return self._session.busy

    def questions(self) -> Iterator[Question]:
        """What would be lost if the window closed now; runs on their way to a file would not be."""
        raise NotImplementedError

    def writing(self) -> str:
        """What is being written by itself."""
        store = self._session.store
        if not self._session.moving or store is None:
            return ""
        return tr("copying the runs to {path}").format(path=store.name)

    def end(self) -> None:
        """Stop all work, without a question."""
        self._reset()
        self._tasks.end_all()

    # The worker

    def _make_worker(self) -> tuple[W, tuple[Heard, ...]]:
        """Create a worker; with it what hears the signals that only it has."""
        raise NotImplementedError

    def _ended(self, whole: bool) -> None:
        """Handle the end of the runs; not `whole` if they were cancelled."""
        raise NotImplementedError

    def _failed(self, fault: str) -> None:
        """Report a fault of the runs, or of something else."""
        if self.busy:
            self._fail_runs(fault)
        else:
            self.notice.tell(fault)

    def _fail_runs(self, fault: str) -> None:
        """Handle a fault that ended the runs."""
        raise NotImplementedError

    def _reset(self) -> None:
        """Reset the session."""
        raise NotImplementedError

    def _worker(self) -> W:
        """The worker, created at the first order."""
        if (worker := self._tasks.latest) is not None:
            return worker
        worker, heard = self._make_worker()
        return self._tasks.start(
            None,
            worker,
            (worker.waiting, self._session.wait_for_store),
            (worker.stuck, self._session.get_stuck),
            (worker.ended, self._ended),
            (worker.failed, self._failed),
            (worker.broke, self._break_off),
            (worker.moved, self._moved),
            *heard,
        )

    def _break_off(self) -> None:
        self._abandon_orders()
        self._moved(False)
        self._failed(tr("An internal error ended this work."))

    def _abandon_orders(self) -> None:
        """Wait for no more answers of the worker."""

    def _moved(self, whole: bool) -> None:
        self._session.end_move(whole=whole)

    def _pause_or_resume(self) -> None:
        self._session.toggle_pause()
        if self._session.paused:
            self._worker().pause()
        else:
            self._worker().resume()

    def _start_or_resume(self, start: Callable[[], None]) -> None:
        """Continue runs that are paused, or start some."""
        if self._session.may_resume:
            self._pause_or_resume()
        else:
            start()

    def _cancel(self) -> None:
        self._session.stop()
        self._worker().cancel()

    def _try_again(self) -> None:
        self._session.retry()
        self._worker().try_again()

    # Parts

    def _assemble(
        self,
        left: QWidget,
        run_bar: RunBar,
        store: StoreChooser,
        right: QWidget,
        size: QSize,
        left_width: int,
    ) -> None:
        """Lay out the parts, and restore the layout of the window."""
        sizing = Sizing(self._themes, self)
        self._store, self._left_width = store, left_width
        beside = widget_of(sizing.column((left, 1), run_bar))
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(beside)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        sizing.column((self.splitter, 1), on=self)
        run_bar.pause_asked.connect(self._pause_or_resume)
        run_bar.cancel_asked.connect(self._cancel)
        run_bar.again_asked.connect(self._try_again)
        store.created.connect(self._keep_in)
        store.opened.connect(self._open_store)
        store.forgotten.connect(self._keep_in_memory)
        self._restore(size)
        self.splitter.splitterMoved.connect(self._keep_division)  # by hand
        sizing.call(beside.setMinimumWidth, _LEFT_LEAST).rule(self._divide)

    def _keep_in(self, path: Path) -> None:
        """Keep the runs in a file from now on, and copy those in memory there."""
        raise NotImplementedError

    def _open_store(self, path: Path) -> None:
        """Show the content of a file."""
        raise NotImplementedError

    def _keep_in_memory(self) -> None:
        """Keep the runs in memory from now on."""
        raise NotImplementedError

    # Questions

    @property
    def _kept(self) -> str:
        """What is kept of runs that are stopped."""
        if self._session.phase is Phase.STUCK:
            return tr("The store failed: runs that it could not take are lost.")
        return tr("Every run made so far is kept in the store.")

    def _stop_question(self, title: str, text: str, more: str) -> Question:
        """Whether the runs may be stopped to close the window."""
        stop = AnswerButton(tr("Stop and close"), _ROLE.DestructiveRole, loses=True)
        go_on = AnswerButton(tr("Keep running"), _ROLE.RejectRole, lambda: False)
        return Question((self, "stop", more), self, title, text, more, (stop, go_on), default=1)

    def _loss_question(self, title: str, more: str, lose: str) -> Question:
        """Whether runs in memory may be given up, or are to be kept in a file."""
        keep = AnswerButton(
            tr("Keep in a file…"), _ROLE.AcceptRole, self._store.ask_new, enabled=not self.busy
        )
        give_up = AnswerButton(lose, _ROLE.DestructiveRole, loses=True)
        cancel = AnswerButton(tr("Cancel"), _ROLE.RejectRole, lambda: False)
        text, default = tr("The runs are in memory only."), 2 if self.busy else 0
        answers = keep, give_up, cancel
        return Question((self, "lose"), self, title, text, more, answers, default)

    # Opening and closing

    def _divide(self) -> None:
        if not self._divided:
            width = max(self.splitter.width(), self.width())
            usual, least = self._themes.px(self._left_width), self._themes.px(_LEFT_LEAST)
            left = max(min(usual, width * 2 // 5), least)
            self.splitter.setSizes([left, max(width - left, left)])

    def _keep_division(self) -> None:
        self._divided = True

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Divide another width, unless that is the user's choice by now."""
        super().resizeEvent(event)
        self._divide()

    def _forget(self) -> None:
        """Clear the window when it is closed."""

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop, and save the layout of the window, once nothing would be lost."""
        if not self.closing.allows(event):
            return
        self._remember()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        self.end()
        self._forget()
        super().closeEvent(event)
