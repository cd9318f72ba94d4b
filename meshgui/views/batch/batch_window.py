"""The window shell of experiments and gallery: parts, worker, opening and closing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QEventLoop, QSettings, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMessageBox, QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.batch_session import BatchSession
from meshgui.model.help_pages import experiments_page
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
from meshgui.views.widgets.question import ask

__all__ = ["BatchWindow"]

W = TypeVar("W", bound=StoreWorker)

_LEFT_LEAST: Final = 300

_ROLE: Final = QMessageBox.ButtonRole
_KEEP: Final = tr("Keep in a file…")


class BatchWindow(StudyWindow, Generic[W]):
    """The form of the runs at the left, results at the right, and one worker that makes the runs.

    A subclass makes its parts, passes them to `_assemble`, and says what its worker is.
    """

    def __init__(
        self, name: str, session: BatchSession, themes: ThemeManager, icons: IconShelf, settings: QSettings
    ) -> None:
        super().__init__(name, themes, icons, settings)
        self._session, self._icons = session, icons
        self._worker_now: W | None = None
        self._ending_workers: list[W] = []
        self._move_end = QEventLoop(self)
        self.help = TopicHelp(
            self, themes, icons, HelpPage("experiments", tr("Experiments"), experiments_page())
        )

    @property
    def busy(self) -> bool:
        """Whether runs are being made."""
        return self._session.busy

    def may_close(self) -> bool:
        """Whether the window may close: nothing would be lost, or the user accepts that."""
        raise NotImplementedError

    def leave(self) -> bool:
        """Close with the program, if it may; whether it is closed."""
        if self.isVisible() and not self.close():
            return False
        self.end()
        return True

    def end(self) -> None:
        """Stop all work, without a question."""
        self._reset()
        worker, self._worker_now = self._worker_now, None
        if worker is not None:
            worker.end()
            if worker.isRunning():
                self._ending_workers.append(worker)

    def wait(self) -> None:
        """Stop, and return when every thread is gone."""
        self.end()
        for worker in self._ending_workers:
            worker.wait()

    # The worker

    def _make_worker(self) -> W:
        """Create a worker and connect the signals that only it has."""
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

    # Slots of the window, as signals of another thread would call a plain object in that thread.

    def _wait_for_store(self) -> None:
        self._session.wait_for_store()

    def _get_stuck(self, fault: str) -> None:
        self._session.get_stuck(fault)

    def _worker(self) -> W:
        """The worker, created at the first order."""
        if self._worker_now is None:
            worker = self._worker_now = self._make_worker()
            worker.waiting.connect(self._wait_for_store)
            worker.stuck.connect(self._get_stuck)
            worker.ended.connect(self._ended)
            worker.failed.connect(self._failed)
            worker.broke.connect(self._break_off)
            worker.moved.connect(self._moved)
            worker.finished.connect(partial(self._worker_ended, worker))
        return self._worker_now

    def _worker_ended(self, worker: W) -> None:
        if worker in self._ending_workers:
            self._ending_workers.remove(worker)
        worker.deleteLater()

    def _break_off(self) -> None:
        self._abandon_orders()
        self._moved(False)
        self._failed(tr("A fault in the program ended this work."))

    def _abandon_orders(self) -> None:
        """Wait for no more answers of the worker."""

    def _moved(self, whole: bool) -> None:
        self._session.end_move(whole=whole)
        self._move_end.quit()

    def _pause_or_resume(self) -> None:
        self._session.toggle_pause()
        if self._session.paused:
            self._worker().pause()
        else:
            self._worker().resume()

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
        sizing.column(self.notice, (self.splitter, 1), on=self)
        run_bar.pause_asked.connect(self._pause_or_resume)
        run_bar.cancel_asked.connect(self._cancel)
        run_bar.again_asked.connect(self._try_again)
        store.created.connect(self._keep_in)
        store.opened.connect(self._open_store)
        store.forgotten.connect(self._keep_in_memory)
        self._restore(size)
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

    def _add_shortcuts(self, *shortcuts: tuple[str, Callable[[], object]]) -> None:
        """Bind the window's own keys, and those of every such window."""
        for keys, act in (
            *shortcuts,
            ("Ctrl+Shift+P", self.exporter.export_picture),
            ("Ctrl+Shift+T", self.exporter.export_table),
            ("Ctrl+Shift+C", self.exporter.copy_table),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self, act)

    # Questions

    def _may_stop(self, title: str, text: str, more: str) -> bool:
        """Whether the runs may be stopped to close the window."""
        stop, go_on = tr("Stop and close"), tr("Keep running")
        buttons = {stop: _ROLE.DestructiveRole, go_on: _ROLE.RejectRole}
        return ask(self, title, text, more, buttons, go_on) == stop

    def _may_lose(self, title: str, more: str, lose: str) -> bool:
        """Whether runs in memory may be given up: the user accepts it, or they are in a file by then."""
        cancel = tr("Cancel")
        buttons = {_KEEP: _ROLE.AcceptRole, lose: _ROLE.DestructiveRole, cancel: _ROLE.RejectRole}
        text, default = tr("The runs are in memory only."), cancel if self.busy else _KEEP
        answer = ask(self, title, text, more, buttons, default, disabled=_KEEP if self.busy else "")
        return self._store.ask_new() and self._is_kept() if answer == _KEEP else answer == lose

    def _is_kept(self) -> bool:
        """Wait until the runs in memory are in the file, handling events meanwhile; whether they are."""
        if self._session.moving:  # the answer is handled in this very loop, never before it
            self._move_end.exec()
        return not self._session.unsaved

    # Opening and closing

    def _divide(self) -> None:
        if not self._divided:
            width, left = max(self.splitter.width(), self.width()), self._themes.px(self._left_width)
            self.splitter.setSizes([left, max(width - left, left)])

    def _forget(self) -> None:
        """Clear the window when it is closed."""

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask if runs would be lost; then stop, and save the layout of the window."""
        if not self.may_close():
            event.ignore()
            return
        self._remember()
        self.end()
        self._forget()
        super().closeEvent(event)
