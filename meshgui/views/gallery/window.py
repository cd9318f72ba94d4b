"""The gallery of published results: the entries on the left, the chosen one on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings, QSize, Signal
from PySide6.QtGui import QShowEvent

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.catalogue.results_page import page
from meshgui.engine.basics.translation import tr
from meshgui.experiment.executors import Executor, ProcessPool
from meshgui.model.studies.gallery_session import EntryResults, GallerySession
from meshgui.views.batch.batch_window import BatchWindow
from meshgui.views.gallery.entry_list import EntryList
from meshgui.views.gallery.entry_page import EntryPage
from meshgui.views.gallery.run_bar import GalleryRunBar
from meshgui.views.gallery.worker import GalleryWorker
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.widgets.notice_place import NoticePlace
from meshgui.views.widgets.question import Question
from meshgui.views.widgets.tasks import Heard

_SIZE: Final = QSize(1480, 920)
_LEFT: Final = 320


class GalleryWindow(BatchWindow[GalleryWorker]):
    """Combines list, run bar and page, and gives the gallery's worker its orders."""

    scenario_asked = Signal(object)  # a Scenario that is to be seen in the mesh

    def __init__(
        self,
        themes: ThemeManager,
        icons: IconShelf,
        settings: QSettings,
        executor_for: Callable[[int], Executor] = ProcessPool,
    ) -> None:
        self.session = GallerySession(catalogue())
        super().__init__("gallery", self.session, themes, icons, settings)
        self._executor_for = executor_for
        self.setWindowTitle(tr("Published results – MeshGUI"))
        store = kept_or(settings, "gallery/store", "")
        if store and Path(store).is_file():
            self.session.use_store(Path(store))
        self.list = EntryList(themes)
        self.run_bar = GalleryRunBar(self.session, self.save_dialog, themes, icons)
        self.page = EntryPage(themes, icons)
        self.page.tools.addWidget(self.help)
        self.setTabOrder(self.page.export, self.help)  # beside it, though it is made later
        self._assemble(self.list, self.run_bar, self.run_bar.store, self.page, _SIZE, _LEFT)
        NoticePlace(self.notice, self, self.page, themes)
        self._connect()
        self.list.fill(self.session.results.values())

    # Runs

    def run_one(self) -> None:
        """Run the chosen entry."""
        if self.list.current:
            self._start((self.list.current,))

    def run_until_precise(self) -> None:
        """Run the chosen entry until its numbers are precise, however many runs that takes."""
        if self.list.current and not self.busy:
            self.session.ask_for_precision(self.list.current)
            self.run_bar.ask_for_all_runs()
            self._start((self.list.current,))

    def run_all(self) -> None:
        """Run all entries."""
        self._start(tuple(self.session.entries))

    def _start(self, names: tuple[str, ...]) -> None:
        workers = self.run_bar.processes
        if self.busy or self.session.moving or workers is None:
            return
        self.notice.clear()
        started_on_page = self.focusWidget() is self.page.precise
        entries = self.session.start(names)
        if started_on_page:  # its button goes; the focus goes where the run is held, not to what comes next
            self.run_bar.take_focus()
        self._show_state()
        self._worker().reproduce(entries, self.session.store, workers, quick=self.run_bar.quick)

    def _progressed(self, progress: ReproductionProgress, results: list[EntryResults]) -> None:
        self.session.report(progress, results)

    def _ended(self, whole: bool) -> None:
        del whole  # the list says it
        if self.busy:
            self.session.end()
            self._show_state()

    def _fail_runs(self, fault: str) -> None:
        self.session.end(fault)
        self._show_state()

    def _reset(self) -> None:
        self.session.unsaved = self.session.moving = False
        self.session.end()

    def _make_worker(self) -> tuple[GalleryWorker, tuple[Heard, ...]]:
        worker = GalleryWorker(self._executor_for)
        return worker, (
            (worker.read, self._take_reading),
            (worker.unread, self._show_unread),
            (worker.progressed, self._progressed),
        )

    # What is shown

    def _show_results(self, changed: Sequence[EntryResults]) -> None:
        self.list.update_with(changed)
        if self.list.current in {results.entry.id for results in changed}:
            self._show_entry(self.list.current)

    def _show_entry(self, name: str) -> None:
        running = name in self.session.running
        self.page.show_results(self.session.results[name], running=running, busy=self.busy and not running)

    def _show_state(self) -> None:
        running = self.list.current in self.session.running
        self.page.show_state(running=running, busy=self.busy and not running)

    # The store

    def _read_store(self) -> None:
        """Order the results of all entries from the store."""
        self.run_bar.store.error_line.say("")
        number = self.session.begin_reading()
        if self.session.store is None and self._tasks.latest is None:
            self.session.forget_results()
        else:
            entries = list(self.session.entries.values())
            self._worker().read_store(number, entries, self.session.store, quick=self.run_bar.quick)

    def _take_reading(self, number: int, results: list[EntryResults]) -> None:
        self.session.take_reading(number, results)

    def _show_unread(self, fault: str) -> None:
        self.run_bar.store.error_line.say(fault)
        self.session.forget_results()

    def _keep_in(self, path: Path) -> None:
        """Keep the runs in a file from now on, and copy those in memory there."""
        if self.session.unsaved:
            self.session.moving = True
            self.session.use_store(path)
            self._worker().move(list(self.session.entries.values()), path)
        else:
            self._use_store(path)

    def _moved(self, whole: bool) -> None:
        """Runs that the file could not take are shown from memory again."""
        moved = self.session.moving
        super()._moved(whole)
        if moved:
            self._use_store(self.session.store if whole else None)

    def _open_store(self, path: Path) -> None:
        if self.session.unsaved:
            self.closing.attempt(partial(self._replace_store, path))
        else:
            self._use_store(path)

    def _replace_store(self, path: Path) -> None:
        self.session.unsaved = False
        self._use_store(path)

    def _keep_in_memory(self) -> None:
        self._use_store(None)

    def _use_store(self, path: Path | None) -> None:
        self.session.use_store(path)
        keep(self._settings, "gallery/store", "" if path is None else str(path))
        self._read_store()

    # Exports

    def write_page(self) -> None:
        """Ask where to write the page of all entries with their results, and write it."""

        def content() -> bytes:
            return page(list(self.session.results.values()), quick=self.run_bar.quick).encode()

        self.exporter.write_file(tr("Published results"), tr("Markdown (*.md)"), content)

    def _fill_export_menu(self) -> None:
        menu, here = self.page.export_menu, self.page.shown
        menu.clear()
        pictures = [p for setting in here if not setting.chart.isHidden() for p in setting.chart.pictures()]
        menu.addAction(tr("Numbers of this entry as CSV…"), self._export_table)
        chart = menu.addAction(tr("Chart…"), lambda: self.exporter.ask_about(pictures))
        chart.setEnabled(bool(pictures))
        menu.addSeparator()
        menu.addAction(tr("Write page…"), self.write_page)

    def _export_table(self) -> None:
        for table in self.page.tables():
            self.exporter.export(table)

    # Opening and closing

    def _connect(self) -> None:
        bar = self.run_bar
        self.session.results_changed.connect(self._show_results)
        self.list.chosen.connect(self._show_entry)
        self.page.scenario_asked.connect(self.scenario_asked)
        self.page.precision_asked.connect(self.run_until_precise)
        self.page.export_menu.aboutToShow.connect(self._fill_export_menu)
        self.exporter.done.connect(self.session.say)
        bar.one_asked.connect(self.run_one)
        bar.all_asked.connect(self.run_all)
        bar.quick_changed.connect(self._read_store)
        entry = Command(
            "run.entry",
            tr("Run this entry"),
            tr("Make the missing runs of the chosen entry"),
            partial(self._start_or_resume, self.run_one),
            ("Ctrl+Return", "Ctrl+Enter"),  # the latter is the one of the number block
            "play",
            enabled_when=bar.may_start_or_resume,
        )
        every = Command(
            "run.all",
            tr("Run all"),
            tr("Make the missing runs of all entries"),
            self.run_all,
            ("Ctrl+Shift+Return",),
            "chevrons-right",
            enabled_when=bar.may_start,
        )
        self._publish(*commands_in(tr("Run"), entry, every))

    def questions(self) -> Iterator[Question]:
        if self.session.unsaved and not self.session.moving:
            more = tr("They are lost when the window is closed or another store is opened.")
            running = tr("Runs are being made; closing stops them. ") if self.busy else ""
            yield self._loss_question(tr("Keep the runs?"), running + more, tr("Discard them"))
        elif self.busy:
            yield self._stop_question(tr("Close the gallery?"), tr("Runs are being made."), self._kept)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Read the store: the runs in memory are gone since the window was closed."""
        super().showEvent(event)
        self.list.list.setFocus()
        if self._tasks.latest is None:
            self._read_store()
