"""The exports of the experiment window: its chart, its points, all its figures, and its bundle."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.experiment.results_csv import csv_of
from meshgui.model.studies.experiment_charts import Results
from meshgui.model.studies.experiment_session import ExperimentSession
from meshgui.views.experiment.results import ExperimentResults
from meshgui.views.exporting.exporter import Exporter
from meshgui.views.style.direction import among_words
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import menu_button

_BUNDLE: Final = tr("Bundle…")
_BUNDLE_LATER: Final = tr("Bundle… (once the experiment has stopped)")


class ExperimentExports(QObject):
    """The export button with its menu, and the sentence that reports an export.

    A bundle is read from the store, which belongs to the experiment's thread: it is only ordered here, and
    cannot be while a sweep occupies that thread. All else is what the window shows, at any time.
    """

    bundle_asked = Signal(object, object)  # an Experiment and a Path

    def __init__(
        self,
        exporter: Exporter,
        results: ExperimentResults,
        session: ExperimentSession,
        themes: ThemeManager,
        icons: IconShelf,
    ) -> None:
        super().__init__(results)
        self._results, self._session = results, session
        self._awaited: Path | None = None  # a bundle that is being written
        self.exporter = exporter
        hint = tr("Write the chart, tables or a bundle")
        self.button, self.menu = menu_button(icons, "download", tr("Export"), hint)
        self.menu.aboutToShow.connect(self._fill)
        self.exporter.done.connect(self._say)
        Sizing(themes, self).icons(16, self.button)

    @property
    def said(self) -> str:
        """The report of the last export."""
        return self._results.heading.said

    @property
    def writing(self) -> str:
        """The bundle that is being written, in words."""
        return "" if self._awaited is None else tr("Writing {path}").format(path=self._awaited.name)

    def write_figures(self) -> None:
        """Ask where, and write every figure of every point, as a sweep on the command line does."""
        found = self._results.results
        if found is not None:
            title = tr("{title}, all figures").format(title=_title(found))
            content = partial(csv_of, found.experiment, found.points, self._results.differences)
            self.exporter.write_file(title, tr("CSV (*.csv)"), content)

    def ask_bundle(self) -> None:
        """Ask where to write the bundle, and order it."""
        found = self._results.results
        if found is None:
            return
        path = self.exporter.ask_where(_title(found), tr("Bundles (*.zip)"))
        if path is None:
            return
        self._awaited = path
        self._say(tr("Writing {path}.").format(path=among_words(path.name)))
        self.bundle_asked.emit(found.experiment, path)

    def bundle_written(self, path: Path, fault: str) -> None:
        """Report that a bundle is written, or why not."""
        if path == self._awaited:
            self._awaited = None
        self._say("")
        if fault:
            self.exporter.fail(fault)
        else:
            self.exporter.say_written(path)

    def forget(self) -> None:
        """Await no bundle any more, and clear the report."""
        self._awaited = None
        self._say("")

    def _fill(self) -> None:
        results, menu = self._results, self.menu
        there = results.results is not None
        menu.clear()
        chart = menu.addAction(tr("Chart…"), partial(self.exporter.ask_about, results.chart.pictures()))
        chart.setEnabled(not results.chart.chart.is_empty)
        menu.addSeparator()
        menu.addAction(tr("Points as CSV…"), self._export_points).setEnabled(there)
        menu.addAction(tr("All figures as CSV…"), self.write_figures).setEnabled(there)
        menu.addSeparator()
        busy = self._session.busy
        bundle = menu.addAction(_BUNDLE_LATER if busy else _BUNDLE, self.ask_bundle)
        bundle.setEnabled(there and not busy and self._awaited is None)

    def _export_points(self) -> None:
        for table in self._results.table.tables():
            self.exporter.export(table)

    def _say(self, words: str) -> None:
        self._results.heading.say(words)


def _title(results: Results) -> str:
    return tr_page(results.experiment.title) or tr("Untitled")
