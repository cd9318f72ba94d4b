"""The results of an experiment: a chart of one figure above, the table of all points below, linked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.scenario import Scenario
from meshgui.experiment.differences import Baseline, PairedDifferences, paired_differences
from meshgui.experiment.fields import label_of
from meshgui.model.base.list_item import ListItem
from meshgui.model.base.named import id_of
from meshgui.model.charts.charts import ChartData
from meshgui.model.fields.names import value_words
from meshgui.model.studies.experiment_charts import (
    ChartChoice,
    Comparison,
    Results,
    chart_of,
    comparison_of,
    figures_there,
    is_numeric,
    usual_across,
    usual_held,
)
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.experiment.result_table import ResultTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, label, push_button, scrolls_alone, text_button, widget_of
from meshgui.views.widgets.flow_row import FlowRow
from meshgui.views.widgets.labels import ElidedLabel, Heading
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.row_scroll import RowScroll

NOTHING: Final = tr("Choose fields to vary on the left, and press Start.")
READY: Final = tr("Press Start: curves appear here as the runs finish.")
RUNNING: Final = tr("The first runs are under way: curves appear here as they finish.")

_TABLE_LEAST: Final = 96


class ExperimentResults(QWidget):
    """Charts and the table of one experiment, and of another one beside it."""

    opened = Signal(object)  # the scenario of a point, with the seed of its first run
    compare_asked = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.results: Results | None = None  # what is shown
        self._other: Results | None = None
        self._beside: Comparison | None = None
        self._baseline: Baseline | None = None  # the points that all are set beside, if any
        self._words: Mapping[str, str] = {}
        self._running = False
        self._figure = "turnaround"
        self._across = ""
        self._held: dict[str, int] = {}
        self._axes: tuple[object, ...] = ()
        as_panel(self)
        self.slices: dict[str, ListButton] = {}
        self._make_tools()
        self.chart = ResultChart(themes)
        self.chart.setAccessibleName(tr("Chart of the results"))
        self.chart.picked.connect(self._picked)
        self.chart.pointed.connect(self._chart_pointed)
        self.heading = Heading(tr("Points"), themes)
        self.table = ResultTable(themes)
        self.table.point_hovered.connect(self._table_pointed)
        self.table.opened.connect(self._open_point)
        self._lay_out()
        self.clear(NOTHING)

    # What is shown

    def clear(self, words: str) -> None:
        """Show no results, but what to do next, or what is under way."""
        self.results = None
        self._running = False
        self.chart.show_chart(ChartData("", "", "", empty=words))
        self.table.show_results(None, self._figure, self._words)
        self.heading.show_count("")
        self._offer()

    def show_results(self, results: Results, words: Mapping[str, str], *, running: bool = False) -> None:
        """Show the present results; figure, axis and slices stay as chosen where possible."""
        self.results, self._words, self._running = results, words, running
        axes = tuple((axis.key, tuple(map(label_of, axis.values))) for axis in results.experiment.axes)
        if axes != self._axes:
            self._axes = axes
            keys = results.experiment.keys
            self._across = self._across if self._across in keys else usual_across(results.experiment.axes)
            self._held = usual_held(results.experiment.axes, self._across)
            self._baseline = None
        there = figures_there(results.points)
        if there and self._figure not in there:
            self._figure = there[0]
        self._beside = None if self._other is None else comparison_of(results, self._other)
        self._offer()
        self._draw()

    def show_above(self, widget: QWidget) -> None:
        """Put a widget between the choosers and the chart."""
        self._above.addWidget(widget)

    def compare(self, other: Results | None) -> None:
        """Draw another experiment's results over these, or remove them."""
        self._other = other
        self._beside = None
        if other is not None and self.results is not None:
            self._beside = comparison_of(self.results, other)
        self._offer()
        self._draw()

    def shown(self) -> ChartChoice:
        """The figure, axis and slices that are drawn."""
        return ChartChoice(
            self._figure,
            self._across,
            dict(self._held),
            "log" if self.log_x.isChecked() else "linear",
            "log" if self.log_y.isChecked() else "linear",
        )

    @property
    def differences(self) -> PairedDifferences | None:
        """The differences that are shown."""
        results = self.results
        if results is None or self._baseline is None:
            return None
        return paired_differences(results.experiment, results.points, self._baseline)

    # Drawing

    def _draw(self) -> None:
        results = self.results
        if results is None:
            return
        shown, differences = self.shown(), self.differences
        self.published.setVisible(bool(results.published))
        self.published.setEnabled(differences is None)
        chart = chart_of(
            results,
            shown,
            self._words,
            beside=self._beside,
            differences=differences,
            published=self.published.isChecked(),
        )
        self.chart.show_chart(chart)
        self.table.show_results(
            results,
            self._figure,
            self._words,
            running=self._running,
            beside=self._beside,
            differences=differences,
        )
        runs = sum(point.runs for point in results.points)
        self.heading.show_count(
            tr(", ").join(
                (count_of(len(results.points), "point", apart=True), count_of(runs, "run", apart=True))
            )
        )

    def _offer(self) -> None:
        """Fill every chooser; one whose lines stay the same is not filled again."""
        results = self.results
        there = [] if results is None else figures_there(results.points)
        figures = [ListItem(name, FIGURES[name].title, "", FIGURES[name].help) for name in there]
        self.figure.offer(figures)
        self.figure.choose((self._figure,))
        self.figure.setEnabled(bool(there))
        axes = () if results is None else results.experiment.axes
        fields = [ListItem(axis.key, self._words.get(axis.key, axis.key)) for axis in axes]
        self.across.offer(fields)
        self.across.choose((self._across,))
        self.across.setEnabled(len(axes) > 1)
        curves = any(axis.key == self._across and is_numeric(axis) for axis in axes)
        self.log_x.setEnabled(curves)
        self.log_y.setEnabled(bool(there) and self._baseline is None)
        self._offer_baselines()
        self._offer_slices()
        self.compare_button.setText(tr("Compare with…") if self._other is None else tr("Stop comparing"))
        self.compare_button.setEnabled(results is not None)
        self.compared.setHidden(self._other is None)
        self.compared.setText(
            "" if self._other is None else tr("dashed: {name}").format(name=self._other.name)
        )

    def _offer_baselines(self) -> None:
        """Offer the means, and differences to those of a strategy or another value without order."""
        results = self.results
        axes = () if results is None else results.experiment.axes
        lines = [ListItem(None, tr("mean"), "", tr("The mean of every point"))] if axes else []
        for axis in axes:
            if len(axis.values) > 1 and not is_numeric(axis):
                lines += [
                    ListItem(
                        Baseline(axis.key, place),
                        f"− {value_words(axis.key, value)}",
                        "",
                        tr(
                            "How far every mean is above that of {label_of}, from runs of the same jobs"
                        ).format(label_of=value_words(axis.key, value)),
                        brief=f"− {label_of(value)}",
                    )
                    for place, value in enumerate(axis.values)
                ]
        self.baseline.offer(lines)
        self.baseline.choose((self._baseline,))
        self.baseline.setVisible(len(lines) > 1)

    def _offer_slices(self) -> None:
        """Offer, for each other field, a series for each of its values or one fixed value."""
        results = self.results
        others = [] if results is None else [
            axis
            for axis in results.experiment.axes
            if axis.key != self._across and len(axis.values) > 1
        ]  # fmt: skip
        keys = [axis.key for axis in others]
        if keys != list(self.slices):
            for button in self.slices.values():
                self._slice_row.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.slices.clear()
            for key in keys:
                button = ListButton(self._themes)
                button.edited.connect(lambda key=key: self._slice_chosen(key))
                self.slices[key] = button
                self._slice_row.add(button, 1)
                Sizing(self._themes, button).call(button.setMinimumWidth, 128).call(
                    button.setMaximumWidth, 320
                )
        for axis in others:
            name = self._words.get(axis.key, axis.key)
            labels = [value_words(axis.key, value) for value in axis.values]
            button = self.slices[axis.key]
            button.setAccessibleName(name)
            button.offer(
                [
                    ListItem(-1, tr("each value"), short=tr("{name}: each").format(name=name)),
                    *(
                        ListItem(i, words, short=f"{name}: {words}", brief=f"{name}: {id_of(words)}")
                        for i, words in enumerate(labels)
                    ),
                ]
            )
            button.choose((self._held.get(axis.key, -1),))
        self._slices.setVisible(bool(others))

    # Choosing

    def _figure_chosen(self) -> None:
        self._figure = str(self.figure.values()[0])
        self._draw()

    def _baseline_chosen(self) -> None:
        [chosen] = self.baseline.values()
        self._baseline = chosen if isinstance(chosen, Baseline) else None
        self._offer()
        self._draw()

    def _across_chosen(self) -> None:
        if self.results is not None:
            self._across = str(self.across.values()[0])
            self._held = usual_held(self.results.experiment.axes, self._across)
            self._offer()
            self._draw()

    def _slice_chosen(self, key: str) -> None:
        [place] = self.slices[key].values()
        if place == -1:
            self._held.pop(key, None)
        elif isinstance(place, int):
            self._held[key] = place
        self._draw()

    def _compare_clicked(self) -> None:
        if self._other is None:
            self.compare_asked.emit()
        else:
            self.compare(None)

    # Linking

    def _chart_pointed(self, _words: str) -> None:
        about = self.chart.pointed_at
        self.table.point_to(about[1] if isinstance(about, tuple) and about[0] == "point" else None)

    def _table_pointed(self, point: int | None) -> None:
        self.chart.point_to(None if point is None else ("point", point))

    def _picked(self, _series: str, about: Hashable) -> None:
        if not isinstance(about, tuple):
            return
        kind, index = about
        if kind == "point":
            self.table.select(index)
            self._open_point(index)
        elif kind == "beside" and self._other is not None:
            self._open(self._other, index)

    def _open_point(self, index: int) -> None:
        if self.results is not None:
            self._open(self.results, index)

    def _open(self, results: Results, index: int) -> None:
        point = next(result.point for result in results.points if result.point.index == index)
        values = zip(results.experiment.keys, point.values, strict=True)
        labels = [id_of(value_words(key, value)) for key, value in values]
        self.opened.emit(_titled(point.scenario, results.experiment.scenario.title, labels))

    # Looks

    def _make_tools(self) -> None:
        themes = self._themes
        self.figure = ListButton(themes, empty=tr("Figure"))
        self.figure.setAccessibleName(tr("Figure"))
        self.figure.edited.connect(self._figure_chosen)
        self.baseline = ListButton(themes, empty=tr("mean"))
        self.baseline.setAccessibleName(tr("Mean or difference"))
        self.baseline.edited.connect(self._baseline_chosen)
        self.across = ListButton(themes, empty=tr("One point"))
        self.across.setAccessibleName(tr("Across"))
        self.across.edited.connect(self._across_chosen)
        hints = tr("A logarithmic horizontal axis"), tr("A logarithmic vertical axis")
        self.log_x = text_button(tr("log x"), hints[0], self._draw, checkable=True)
        self.log_y = text_button(tr("log y"), hints[1], self._draw, checkable=True)
        for toggle, hint in zip((self.log_x, self.log_y), hints, strict=True):
            toggle.setAccessibleName(hint)
        self.published = QCheckBox(tr("Published values"))
        self.published.setToolTip(tr("Show published values in the chart"))
        self.published.setChecked(True)
        self.published.clicked.connect(self._draw)
        self.published.hide()
        self.compare_button = push_button(
            tr("Compare with…"),
            tr("Show the results of another store in the chart, dashed"),
            self._compare_clicked,
        )
        self.compared = ElidedLabel(themes, "caption", "muted")  # may be cut: the legend has the name as well

    def _lay_out(self) -> None:
        sizing = Sizing(self._themes, self)
        self._above = sizing.column()
        self.tools = FlowRow()  # the window adds its buttons
        over = widget_of(sizing.row(label(tr("over"), "muted"), (self.across, 1), spacing=8))
        for part, stretch in ((self.figure, 3), (self.baseline, 1), (over, 2), (self.log_x, 0)):
            self.tools.add(part, stretch)
        for part in (self.log_y, self.published, self.compared, self.compare_button):
            self.tools.add(part)
        sizing.spacing(self.tools, 8).margins(self.tools, 12, 8, 12, 0)
        self._slice_row = FlowRow()
        self._slice_row.add(label(tr("with"), "muted"))
        sizing.spacing(self._slice_row, 8).margins(self._slice_row, 12, 0, 12, 0)
        self._slices = widget_of(self._slice_row)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        above = sizing.column(self.tools, self._slices, self._above, (self.chart, 1), spacing=8)
        below = sizing.column(self.heading, (self.table, 1))
        self._parts = widget_of(above), widget_of(below)
        for part in self._parts:
            self.splitter.addWidget(part)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self._scroll = RowScroll(self.splitter)
        sizing.column(scrolls_alone(self._scroll), on=self)
        sizing.call(self.figure.setMinimumWidth, 128).call(self.across.setMinimumWidth, 88)
        sizing.call(self.baseline.setMinimumWidth, 72)
        self.splitter.installEventFilter(self)
        sizing.rule(self._fit_table)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll around the whole table where chart and table do not both have their least."""
        super().resizeEvent(event)
        self._fit_table()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look again at the room of the table where another part needs another."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_table()
        return super().eventFilter(watched, event)

    def _fit_table(self) -> None:
        least = self._themes.px(_TABLE_LEAST)
        needed = sum(part.minimumSizeHint().height() for part in self._parts) - self.table.minimumHeight()
        scrolls = needed + least > self.height()
        self.table.show_all_rows(scrolls)
        if not scrolls:
            self.table.setMinimumHeight(least)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as its parts can be, and high enough for a chart: the rest is scrolled to."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        return QSize(self.splitter.minimumSizeHint().width() + bar, self._themes.px(240))


def _titled(scenario: Scenario, title: str, labels: Sequence[str]) -> Scenario:
    """Name the scenario of a point after it."""
    words = ": ".join(filter(None, (title, tr(", ").join(labels))))
    return scenario.model_copy(update={"title": words[:200]})
