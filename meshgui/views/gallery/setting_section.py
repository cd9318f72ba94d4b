"""One setting of a published result: its numbers, their chart, and a button that opens its scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from meshgui.catalogue.entries import CatalogueEntry, ResultPoint, Setting
from meshgui.catalogue.sources import cited
from meshgui.engine.basics.translation import tr
from meshgui.model.base.named import ids_in
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.number_columns import NUMBER_COLUMNS, NUMBER_GIVE_WAY, EntryNumber, NumberRows
from meshgui.model.studies.published_charts import Bar, PublishedChart
from meshgui.model.studies.published_scenarios import point_words, points_of, scenario_to_see
from meshgui.model.studies.published_tables import table_of
from meshgui.model.tables.tables import PlainTable
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    SelectableLabel,
    push_button,
    top,
)
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.name_lines import NameLegend
from meshgui.views.widgets.table_painting import RowLook
from meshgui.views.widgets.tool_button import tool_button

_MOST: Final = 16_777_215  # Qt: no limit
_NARROWEST: Final = 340  # of a chart beside the table; with less room it stands below
_CHART: Final = 280  # its height
_HIGHEST: Final = 380


class _NumberTable(DataTable[NumberRows]):
    """The numbers of a setting, in files with a row for each strategy of an order."""

    def tables(self) -> Sequence[PlainTable]:
        """The numbers as published and measured."""
        rows = self.source
        judged = [number.judged for number in rows.numbers] if rows is not None else []
        return () if rows is None else (table_of(rows.entry, judged, rows.title),)


class SettingSection(QWidget):
    """Shows the numbers of a setting; a number and its bar are highlighted together."""

    scenario_asked = Signal(object)  # a Scenario that is to be seen in the mesh

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        # Side by side its parts need more than there is left in a window made narrower.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._themes = themes
        self._entry: CatalogueEntry | None = None
        self._setting: Setting | None = None
        self._numbers: list[EntryNumber] = []
        self._charts: list[PublishedChart] = []
        self._shown = 0  # which chart
        self.selected: int | None = None  # a row of the table
        self._hovered: int | None = None
        self.what = SelectableLabel("lead")
        self.source = SelectableLabel("caption")
        self.names = NameLegend(themes)
        self.open = push_button(tr("Open as scenario"), "", self._open_first)
        self.more = tool_button(icons, "chevron-down", tr("Choose the strategy, and the load"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setAccessibleName(tr("Open another strategy or load"))
        self.menu = QMenu(self.more)
        self.more.setMenu(self.menu)
        self.table = _NumberTable(NUMBER_COLUMNS, themes, give_way=NUMBER_GIVE_WAY)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.look_with(lambda _rows, row: RowLook(row == self.selected, row == self._hovered))
        self.table.pointed.connect(self._pointed)
        self.table.chosen.connect(self.select)
        self.table.walked.connect(self.select)
        self.chart = ResultChart(themes)
        self.chart.picked.connect(self._picked)
        self.chart.pointed.connect(self._chart_pointed)
        self._lay_out()
        themes.changed.connect(self._arrange)

    def show_setting(
        self,
        entry: CatalogueEntry,
        setting: Setting,
        numbers: Sequence[EntryNumber],
        charts: Sequence[PublishedChart],
    ) -> None:
        """Show another setting, or the newest numbers of the same one."""
        if entry is self._entry and setting is self._setting and list(numbers) == self._numbers:
            return
        if entry is not self._entry or setting is not self._setting:
            self._entry, self._setting = entry, setting
            self.selected = self._hovered = None
            self._shown = 0
            self.what.setText(setting.what[:1].upper() + setting.what[1:])
            self.source.setText(cited(setting.source))
            self.names.show_names(filter(ids_in, map(strategy_name, setting.strategies)))
            self.table.setAccessibleName(tr("Numbers: {what}").format(what=setting.what))
            self._offer(entry, setting)
        self._numbers, self._charts = list(numbers), list(charts)
        self.table.show_rows(NumberRows(entry, setting, self._numbers))
        self.chart.setVisible(bool(charts))
        self._draw()
        self._arrange()

    def select(self, row: int) -> None:
        """Select a number, and show its chart with its bar highlighted."""
        self.selected = row
        number = self._numbers[row].row
        here = next((place for place, chart in enumerate(self._charts) if number in chart.rows), None)
        if here is not None:
            self._shown = here
            self._draw()
        self.table.refresh()

    # What is shown

    def _draw(self) -> None:
        if self._charts:
            chart = self._charts[self._shown].chart  # under the figure's name alone, and the names above
            self.chart.show_chart(replace(chart, title=chart.short_title, names=()), exported=chart)
            self._light(self.selected)

    def _light(self, row: int | None) -> None:
        """Highlight the bar of a number, if it is in the chart."""
        self.chart.point_to(None if row is None else self._bar_of(row))

    def _bar_of(self, row: int) -> Bar | None:
        number = self._numbers[row]
        named = number.judged.number.highest or number.judged.number.lowest
        return self._charts[self._shown].bar_of(number.row, *named[:1]) if self._charts else None

    def _pointed(self, row: int, _column: int) -> None:
        hovered = row if 0 <= row < len(self._numbers) else None
        if hovered != self._hovered:
            self._hovered = hovered
            self._light(self.selected if hovered is None else hovered)
            self.table.refresh()

    def _chart_pointed(self, _words: str) -> None:
        """Highlight in the table what is hovered in the chart; else the selection in the chart."""
        about = self.chart.pointed_at
        if about is None:
            self._hovered = None
            self._light(self.selected)
        elif isinstance(about, Bar):
            self._hovered = self._row_of(about)
        self.table.refresh()

    def _picked(self, _series: str, about: object) -> None:
        if isinstance(about, Bar) and (row := self._row_of(about)) is not None:
            self.select(row)

    def _row_of(self, bar: Bar) -> int | None:
        """The row of a bar; of several rows, the selected one."""
        rows = [row for row, number in enumerate(self._numbers) if number.row in bar.rows]
        return self.selected if self.selected in rows else next(iter(rows), None)

    # Scenarios

    def _offer(self, entry: CatalogueEntry, setting: Setting) -> None:
        points = points_of(entry, setting)
        self.open.setToolTip(
            tr("Open the first run of {point_words} in the mesh").format(point_words=point_words(points[0]))
        )
        self.more.setVisible(len(points) > 1)
        self.menu.clear()
        menus: dict[str, QMenu] = {}
        several = len({point.strategy for point in points}) > 1
        for point in points:
            menu, words = self.menu, point_words(point)
            if point.load is not None and several:
                if point.strategy not in menus:
                    menus[point.strategy] = self.menu.addMenu(strategy_name(point.strategy))
                menu, words = menus[point.strategy], tr("Load {load:g}").format(load=point.load)
            menu.addAction(words, partial(self._open, point))

    def _open_first(self) -> None:
        if self._entry is not None and self._setting is not None:
            self._open(points_of(self._entry, self._setting)[0])

    def _open(self, point: ResultPoint) -> None:
        if self._entry is not None:
            self.scenario_asked.emit(scenario_to_see(self._entry, point))

    # Looks

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put table and chart side by side where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        px = self._themes.px
        wanted = sum(map(self.table.needed, range(len(NUMBER_COLUMNS))))
        with_ids = wanted - self.table.needed(0) + self.table.needed(0, 1)
        chart = px(_NARROWEST + 32)
        beside = self.width() >= with_ids + chart
        wanted = wanted if self.width() >= wanted + chart else with_ids
        self.table.setMinimumWidth(wanted + px(16) if beside else 0)
        self.table.setMaximumWidth(wanted + px(16) if beside else _MOST)
        curves = any(number.judged.number.asked for number in self._numbers)  # say more than their long table
        stacked = QBoxLayout.Direction.BottomToTop if curves else QBoxLayout.Direction.TopToBottom
        self._pair.setDirection(QBoxLayout.Direction.LeftToRight if beside else stacked)
        row = self.table.verticalHeader().defaultSectionSize()
        height = self.table.horizontalHeader().height() + row * len(self._numbers) + 2
        self.table.setFixedHeight(height)
        self.chart.setFixedHeight(min(max(px(_CHART), height), px(_HIGHEST)) if beside else px(_CHART))

    def _lay_out(self) -> None:
        sizing = Sizing(self._themes, self)
        words = sizing.column(self.what, self.source, self.names)
        head = sizing.row((words, 1), top(self.open), top(self.more), spacing=4)
        self._pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._pair.addWidget(self.table, 2, Qt.AlignmentFlag.AlignTop)
        self._pair.addWidget(self.chart, 1, Qt.AlignmentFlag.AlignTop)
        sizing.column(head, self._pair, spacing=8, margins=(0, 16, 0, 8), on=self)
        sizing.spacing(self._pair, 12).call(self.chart.setMinimumWidth, 320)
