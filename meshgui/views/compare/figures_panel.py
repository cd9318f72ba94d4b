"""What is known of the compared runs as a whole: lines over each other, and the table of measures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.model.base.list_item import ListItem
from meshgui.model.comparison.comparison import RunComparison
from meshgui.model.comparison.comparison_tables import (
    COMPARED_PLOTS,
    DIFFERENCE,
    UNIT,
    VALUE,
    MeasureRows,
    RunLine,
    comparison_chart,
    measure_columns,
    moment_lines,
)
from meshgui.model.tables.columns import GiveWay
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, widget_of
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.list_popup import ListButton


class MeasureTable(DataTable[MeasureRows]):
    """The measures, a row each, with whole names.

    Where they have no room the units go, then digits that few need, then the names of the runs, of which the
    ids are left, and at last the differences; the values of many runs scroll.
    """

    def __init__(self, themes: ThemeManager) -> None:
        digits, last = GiveWay((VALUE, DIFFERENCE)), GiveWay((DIFFERENCE,), hide=True)
        super().__init__((), themes, give_way=(GiveWay((UNIT,), hide=True), digits, GiveWay(), last))
        self.placeholder = tr("The measures appear here as the runs end.")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Measures"))

    @property
    def width_of_few(self) -> int:
        """The width of names and values; 0 where more runs make it scroll."""
        columns = self.rows.columns
        if self.source is None or not columns[0].shrinks:
            return 0
        needs = (
            self.needed(i, brief=True)
            for i, column in enumerate(columns)
            if column.id not in {UNIT, DIFFERENCE}
        )
        return self.width() - self.room + sum(needs)


class FiguresPanel(QWidget):
    """A plot, which is chosen over it, and the table below."""

    def __init__(self, comparison: RunComparison, themes: ThemeManager) -> None:
        super().__init__()
        self._comparison = comparison
        self._columns: tuple[str, ...] = ()
        as_panel(self)
        self.chooser = ListButton(themes)
        self.chooser.setAccessibleName(tr("Plot"))
        self.chooser.edited.connect(self.show_plot)
        self.chart = ResultChart(themes)
        self.table = MeasureTable(themes)
        self.note = ElidedLabel(themes)
        sizing = Sizing(themes, self)
        head = sizing.row((self.chooser, 1), 2, spacing=8, margins=(12, 6, 12, 0))
        plots = widget_of(sizing.column(head, (self.chart, 1)))
        under = sizing.row((self.note, 1), margins=(12, 6, 12, 2))
        measures = widget_of(sizing.column(under, (self.table, 1)))
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        for part in (plots, measures):
            self.splitter.addWidget(part)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([500, 500])
        sizing.column((self.splitter, 1), on=self)
        sizing.call(self.chart.setMinimumSize, 200, 120).call(self.table.setMinimumSize, 160, 60)
        self._offer()

    @property
    def title(self) -> str:
        """What is compared, for the titles of pictures and files."""
        runs = self._comparison.runs
        scenario = next((tr_page(run.scenario.title) for run in runs if run.scenario is not None), "")
        return tr(", ").join(filter(None, (scenario, *(run.name for run in runs))))

    def show_runs(self) -> None:
        """Show other runs, or what is known of them now."""
        self._offer()
        self.show_plot()
        runs = self._comparison.runs
        known = tuple(None if run.measures is None else run.measures.figures for run in runs)
        names = tuple(run.name for run in runs)
        if self._columns != names:
            self._columns = names
            self.table.show_columns(measure_columns(names, [run.full_name for run in runs]))
        self.table.show_rows(
            MeasureRows(tr("Measures of {title}").format(title=self.title), names, known)
            if any(known)
            else None
        )
        jobs = (
            tr("the same jobs in all runs")
            if self._comparison.same_jobs
            else tr("each run has jobs of its own")
        )
        self.note.setText(tr("Measures of whole runs: {jobs}").format(jobs=jobs))

    def show_plot(self) -> None:
        """Show the plot that is chosen, with what is known of the runs."""
        plot = next(plot for plot in COMPARED_PLOTS if plot.field in self.chooser.values())
        lines = self._lines()
        whole = comparison_chart(plot, lines, self.title)
        self.chart.show_chart(replace(whole, title="", short_title=""), whole)  # the list above names it
        self.chart.setAccessibleName(whole.title)
        self.show_moment()

    def show_moment(self) -> None:
        """Move the lines of the present moment."""
        self.chart.show_cursors(*moment_lines(self._lines()))

    def _lines(self) -> list[RunLine]:
        return [
            RunLine(run.name, run.measures, run.cursor.time, run.full_name) for run in self._comparison.runs
        ]

    def _offer(self) -> None:
        """Offer the plots of the network only if some run has one."""
        network = any(
            run.scenario is not None and run.scenario.network is not None for run in self._comparison.runs
        )
        plots = [plot for plot in COMPARED_PLOTS if network or not plot.network]
        self.chooser.offer([ListItem(plot.field, plot.title, hint=plot.help) for plot in plots])
        if not self.chooser.values():
            self.chooser.choose((plots[0].field,))
