"""The gallery of published results: the entries at the left, the one looked at at the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMessageBox, QSplitter, QVBoxLayout, QWidget

from meshgui.catalogue.entries import CatalogueEntry, catalogue
from meshgui.catalogue.judging import judge
from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.catalogue.results_in_words import verdicts_in_words
from meshgui.catalogue.results_page import page
from meshgui.engine.files import os_fault, whole_file
from meshgui.experiment.executors import Executor, ProcessPool
from meshgui.views.exporting.exporter import Exporter
from meshgui.views.gallery.entry_list import EntryList
from meshgui.views.gallery.entry_page import EntryPage
from meshgui.views.gallery.run_bar import GalleryRunBar
from meshgui.views.gallery.worker import EntryResults, GalleryWorker
from meshgui.views.help.experiments_help import ExperimentsHelp
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.notice import Notice

__all__ = ["GalleryWindow"]

_SIZE: Final = QSize(1480, 920)
_LEFT: Final = 320
_FRAME: Final = QSize(16, 48)


class GalleryWindow(QWidget):
    """Puts list, run and page together, and is all that talks to the gallery's thread."""

    scenario_asked = Signal(object)  # a Scenario that is to be seen in the mesh

    def __init__(
        self,
        themes: ThemeManager,
        icons: IconShelf,
        settings: QSettings,
        executor_at: Callable[[int], Executor] = ProcessPool,
    ) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._themes, self._settings, self._executor_at = themes, settings, executor_at
        self._entries = catalogue()
        self._standings = {entry.id: _unknown(entry) for entry in self._entries.values()}
        self._thread: GalleryWorker | None = None
        self._ended_threads: list[GalleryWorker] = []  # told to end, and not gone yet
        self._looks = 0
        self._running: tuple[str, ...] = ()  # the entries that are run
        self._unkept = False  # whether memory alone has runs
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle("Published results – MeshGUI")
        self.notice = Notice(themes, icons)
        self.list = EntryList(themes)
        self.run_bar = GalleryRunBar(themes, icons, settings)
        self.page = EntryPage(themes, icons)
        self.help = ExperimentsHelp(self, themes, icons)
        self.page.tools.addWidget(self.help)
        self.exporter = Exporter(settings, themes, self)
        self._lay_out()
        self._connect()
        self._restore()
        self.list.fill(self._standings.values())
        self._show_idle()
        themes.changed.connect(self._wear)
        self._wear()

    # What the main window calls

    @property
    def busy(self) -> bool:
        """Whether runs are being made."""
        return bool(self._running)

    def standing(self, name: str) -> EntryResults:
        """How an entry stands."""
        return self._standings[name]

    def leave(self) -> bool:
        """Close with the program, if it may; whether it is closed."""
        if self.isVisible() and not self.close():
            return False
        self.end()
        return True

    def end(self) -> None:
        """Stop whatever is done, without a question."""
        self._running, self._unkept = (), False
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.end()
            if thread.isRunning():
                self._ended_threads.append(thread)

    def wait(self) -> None:
        """Stop, and return when every thread is gone."""
        self.end()
        for thread in self._ended_threads:
            thread.wait()

    # Runs

    def run_one(self) -> None:
        """Run the entry looked at."""
        if self.list.current:
            self._start((self.list.current,))

    def run_all(self) -> None:
        """Run all entries."""
        self._start(tuple(self._entries))

    def _start(self, names: tuple[str, ...]) -> None:
        workers = self.run_bar.processes
        if self._running or workers is None:
            return
        self._running = names
        self._unkept = self._unkept or self.run_bar.store.path is None
        self._looks += 1  # what was asked for before is not of interest any more
        self.notice.dismiss()
        asked_of_page = self.focusWidget() is self.page.run
        self.run_bar.show_start()
        if asked_of_page:  # its button goes; the focus goes where the run is held, not to what comes next
            self.run_bar.take_focus()
        self._show_state()
        entries = [self._entries[name] for name in names]
        self._worker().reproduce(entries, self.run_bar.store.path, workers, quick=self.run_bar.quick)

    def _progressed(self, progress: ReproductionProgress, standings: list[EntryResults]) -> None:
        if self._running:
            self.run_bar.show_progress(progress)
            self._take(standings)

    def _ended(self, whole: bool) -> None:
        del whole  # the list says it
        if self._running:
            self._stop_running()

    def _failed(self, fault: str) -> None:
        if self._running:
            self._stop_running()
            self.run_bar.show_fault(fault)
        else:
            self.notice.tell(fault)

    def _stop_running(self) -> None:
        self._running = ()
        self._show_idle()
        self._show_state()

    def _cancel(self) -> None:
        self.run_bar.show_stopping()
        self._worker().cancel()

    def _take(self, standings: Iterable[EntryResults]) -> None:
        """Show how some entries stand by now."""
        told = list(standings)
        self._standings |= {standing.entry.id: standing for standing in told}
        self.list.update_with(told)
        if self.list.current in {standing.entry.id for standing in told}:
            self._show_entry(self.list.current)

    def _show_entry(self, name: str) -> None:
        running = name in self._running
        self.page.show_standing(self._standings[name], running=running, busy=self.busy and not running)

    def _show_state(self) -> None:
        running = self.list.current in self._running
        self.page.show_state(running=running, busy=self.busy and not running)

    def _show_idle(self) -> None:
        numbers = [judged for standing in self._standings.values() for judged in standing.judged]
        self.run_bar.show_idle(f"Of {len(numbers)} numbers: {verdicts_in_words(numbers)}.")

    # The store

    def _look(self) -> None:
        """Find out how the entries stand by what the store has."""
        path = self.run_bar.store.path
        self.run_bar.store.complaint.say("")
        self._looks += 1
        if path is None and self._thread is None:
            self._take([_unknown(entry) for entry in self._entries.values()])
            self._show_idle()
        else:
            entries = list(self._entries.values())
            self._worker().look(self._looks, entries, path, quick=self.run_bar.quick)

    def _read(self, number: int, standings: list[EntryResults]) -> None:
        if number == self._looks:
            self._take(standings)
            self._show_idle()

    def _unread(self, fault: str) -> None:
        self.run_bar.store.complaint.say(fault)
        self._take([_unknown(entry) for entry in self._entries.values()])
        self._show_idle()

    def _keep_in(self, path: Path) -> None:
        """Keep the runs in a file from now on, and put those of memory there."""
        if self._unkept:
            self._worker().move(list(self._entries.values()), path)
        self._unkept = False
        self._use_store(path)

    def _open_store(self, path: Path) -> None:
        if not self._unkept or self._may_lose():
            self._unkept = False
            self._use_store(path)

    def _use_store(self, path: Path | None) -> None:
        self.run_bar.store.show_path(path)
        self._settings.setValue("gallery/store", "" if path is None else str(path))
        self._look()

    def _worker(self) -> GalleryWorker:
        """The gallery's thread, made when there is something for it to do."""
        if self._thread is None:
            thread = GalleryWorker(self._executor_at)
            thread.read.connect(self._read)
            thread.unread.connect(self._unread)
            thread.progressed.connect(self._progressed)
            thread.stuck.connect(self.run_bar.show_stuck)
            thread.ended.connect(self._ended)
            thread.failed.connect(self._failed)
            thread.finished.connect(partial(self._gone, thread))
            self._thread = thread
        return self._thread

    def _gone(self, thread: GalleryWorker) -> None:
        if thread in self._ended_threads:
            self._ended_threads.remove(thread)
        if thread is self._thread:  # it died of a fault of the program: nothing is made any more
            self._thread = None
            self._failed("The gallery's thread died of a fault in the program.")
        thread.deleteLater()

    # Exports

    def write_page(self) -> None:
        """Ask where, and write the page of all entries as they stand."""
        folder = str(self._settings.value("export/folder", ""))
        suggested = str(Path(folder) / "published-results.md")
        name, _ = QFileDialog.getSaveFileName(self, "Write the page", suggested, "Markdown (*.md)")
        if not name:
            return
        path = Path(name)
        try:
            with whole_file(path) as file:
                file.write(page(list(self._standings.values()), quick=self.run_bar.quick).encode())
        except OSError as error:
            self.notice.tell(f"{path} cannot be written: {os_fault(error)}.")
        else:
            self._say(f"The page is in {path}.")

    def _fill_export_menu(self) -> None:
        menu, here = self.page.export_menu, self.page.shown
        menu.clear()
        pictures = [setting.chart for setting in here if not setting.chart.isHidden()]
        menu.addAction("Numbers of this entry as CSV…", self._export_table)
        chart = menu.addAction("Chart…", lambda: self.exporter.ask_about(pictures))
        chart.setEnabled(bool(pictures))
        menu.addSeparator()
        menu.addAction("Write page…", self.write_page)

    def _export_table(self) -> None:
        for table in self.page.tables():
            self.exporter.export(table)

    def _say(self, words: str) -> None:
        if not self._running:
            self.run_bar.words.setText(words)

    # Looks and Qt's events

    def _lay_out(self) -> None:
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(self.run_bar)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.page)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.notice)
        whole.addWidget(self.splitter, 1)

    def _connect(self) -> None:
        bar = self.run_bar
        self.list.chosen.connect(self._show_entry)
        self.page.scenario_asked.connect(self.scenario_asked)
        self.page.run_asked.connect(self.run_one)
        self.page.export_menu.aboutToShow.connect(self._fill_export_menu)
        self.exporter.done.connect(self._say)
        self.exporter.failed.connect(self.notice.tell)
        bar.one_asked.connect(self.run_one)
        bar.all_asked.connect(self.run_all)
        bar.pause_asked.connect(lambda: self._worker().pause())
        bar.resume_asked.connect(lambda: self._worker().resume())
        bar.cancel_asked.connect(self._cancel)
        bar.again_asked.connect(lambda: self._worker().try_again())
        bar.quick_changed.connect(self._look)
        bar.store.created.connect(self._keep_in)
        bar.store.opened.connect(self._open_store)
        bar.store.forgotten.connect(lambda: self._use_store(None))
        for keys, act in (
            ("Ctrl+Return", self.run_one),
            ("Ctrl+Enter", self.run_one),  # the one of the number block
            ("Ctrl+Shift+Return", self.run_all),
            ("Ctrl+Shift+P", self.exporter.export_picture),
            ("Ctrl+Shift+T", self.exporter.export_table),
            ("Ctrl+Shift+C", self.exporter.copy_table),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self, act)

    def _may_lose(self) -> bool:
        """Whether runs that memory alone has may be given up: nobody minds, or they are in a file by then."""
        box = QMessageBox(self)
        box.setWindowTitle("Keep the runs?")
        box.setText("The runs are in memory only.")
        more = "They are lost when the window is closed or another store is opened."
        box.setInformativeText(("Runs are being made; closing stops them. " if self._running else "") + more)
        keep = box.addButton("Keep in a file…", QMessageBox.ButtonRole.AcceptRole)
        lose = box.addButton("Lose them", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
        keep.setEnabled(not self._running)
        box.setDefaultButton(lose if self._running else keep)
        box.exec()
        if box.clickedButton() is keep:
            return self.run_bar.store.ask_new() and not self._unkept
        return box.clickedButton() is lose

    def _may_close(self) -> bool:
        if self._unkept:
            return self._may_lose()
        if not self._running:
            return True
        box = QMessageBox(self)
        box.setWindowTitle("Close the gallery?")
        box.setText("Runs are being made.")
        box.setInformativeText("Every run made so far is kept in the store.")
        stop = box.addButton("Stop and close", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is stop

    def _wear(self) -> None:
        px = self._themes.px
        self._left.setMinimumWidth(px(300))
        if not self._restored:
            width = max(self.splitter.width(), self.width())
            self.splitter.setSizes([px(_LEFT), max(width - px(_LEFT), px(_LEFT))])

    def _restore(self) -> None:
        self._restored = False
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        geometry = self._settings.value("gallery/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        across = self._settings.value("gallery/across")
        if isinstance(across, QByteArray):
            self._restored = self.splitter.restoreState(across)
        store = str(self._settings.value("gallery/store", ""))
        if store and Path(store).is_file():
            self.run_bar.store.show_path(Path(store))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """What can be exported of what is under the pointer."""
        place = self.childAt(event.pos())
        if place is not None:
            self.exporter.show_menu(place, event.globalPos())

    def showEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        """Read how everything stands: what memory had is gone with the last closing."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.list.list.setFocus()
        if self._thread is None:
            self._look()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask where something would be lost; then stop, and remember how the window stood."""
        if not self._may_close():
            event.ignore()
            return
        self._settings.setValue("gallery/geometry", self.saveGeometry())
        self._settings.setValue("gallery/across", self.splitter.saveState())
        self.end()
        self._show_idle()
        super().closeEvent(event)


def _unknown(entry: CatalogueEntry) -> EntryResults:
    """An entry of which nothing has been run."""
    return EntryResults(entry, judge(entry, {}))
