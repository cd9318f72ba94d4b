"""The live plots over a run's time: turnaround, utilisation, the cost of allocation, and the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.list_item import ListItem
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.model.timeline.plot_data import PlotData, plot_data, run_title
from meshgui.model.timeline.plot_kinds import NETWORK_PLOTS, PLOTS
from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.charts.chart_style import COMPACT
from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import HEAD, titled_picture
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, ThemeManager
from meshgui.views.widgets.building import as_panel, label
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.segmented import Segmented

_COLUMNS: Final = 2  # of plots side by side
_PLOT_ROOM: Final = QSize(450, 220)  # of each plot, if all are shown side by side
_LEAST_WIDTH: Final = 380
_LEAST_HEIGHT: Final = 56  # of a plot, which the lowest strip below a mesh has beside its names
_MARGIN: Final = 12
_LEAST_PICTURE: Final = QSize(320, 160)
_ALONE: Final = QSize(720, 400)  # a picture of one plot among several
_LOW: Final = 240  # a lower panel has no room for the name of the axis of time
_STRIP: Final = 160  # a lower panel has the choice beside the plot, with the unit, and no legend
_HEAD: Final = 36  # the height of the choice above plots
_REST_MS: Final = 300  # between two updates of a run in progress


class PlotsView(QWidget):
    """Shows one plot, or all of them where there is room, with a line at the present moment."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__()
        self._cursor, self._selection, self._themes = cursor, selection, themes
        self._recording: Recording | None = None
        self._data: PlotData | None = None
        self.setAccessibleName(tr("Plots"))
        as_panel(self)
        self._with_network = False
        kinds = (*PLOTS, *NETWORK_PLOTS)
        self.chooser = Segmented([(chart.title, chart.help) for chart in kinds], themes)
        self.chooser.chosen.connect(self._arrange)
        self.choice = ListButton(themes)  # in place of names that have no room beside each other
        self.choice.setAccessibleName(tr("Plot"))
        self.choice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # beside the summary
        self.choice.edited.connect(self._choose_listed)
        self._summary = ElidedLabel(themes)
        self._summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._empty = label(tr("Figures of the jobs appear here as they finish."), "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._canvas = pg.GraphicsLayoutWidget(self)
        for part in (self._canvas, self._canvas.viewport()):
            part.setAccessibleName(tr("Plots"))
        self._canvas.accessible_role = QAccessible.Role.Graphic
        self._canvas.setFrameShape(pg.GraphicsLayoutWidget.Shape.NoFrame)
        self._canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._all_charts = [LivePlot(kind, self._picked) for kind in kinds]
        self._arranged: tuple[list[LivePlot], bool, bool] = [], False, False  # the plots in sight, how low
        sizing = Sizing(themes, self).call(self.setMinimumWidth, _LEAST_WIDTH)
        self._unit = ElidedLabel(themes, "caption", "muted")  # in place of the legend
        head = self.chooser, self.choice, (self._summary, 1), self._unit, 0
        self._head: QBoxLayout = sizing.row(*head, spacing=8)
        parts = self._head, (self._canvas, 1), (self._empty, 1)
        self._column: QBoxLayout = sizing.column(*parts, spacing=4, margins=(_MARGIN, 4, _MARGIN, 4), on=self)
        sizing.call(self._canvas.ci.layout.setSpacing, 12)
        self._canvas.ci.layout.setContentsMargins(0, 0, 0, 0)
        self._canvas.ci.setMinimumSize(0, 0)  # else it stays as high as a plot whose legend is not yet set
        self._canvas.ci.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # each plot turns itself
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._follow)
        follow(self, cursor.changed, lambda _change: self._follow())
        follow(self, selection.changed, lambda _changes: self._show_selection())
        themes.changed.connect(self._apply_theme)
        self._offer_choices()
        self._apply_theme()
        self._show_emptiness()

    @property
    def charts(self) -> list[LivePlot]:
        """The plots of the run: those of the network only if it has one."""
        return self._all_charts if self._with_network else self._all_charts[: len(PLOTS)]

    @property
    def shown(self) -> list[LivePlot]:
        """The plots in sight."""
        return self._arranged[0]

    def choose(self, index: int) -> None:
        """Show a plot: turnaround, utilisation, operations, time, latency, blocking, under way, from 0."""
        self._refresh()  # the network's plots exist only if the run has one
        self.chooser.choose(index)
        self._arrange()

    def pictures(self) -> Sequence[Picture]:
        """All visible plots as one picture, and each of several as a picture of its own."""
        self._refresh()
        shown, size = self.shown, self._canvas.size() / self._themes.scale
        if self._recording is None or not shown:
            return ()
        alone = [self._picture([chart], _ALONE) for chart in shown] if len(shown) > 1 else []
        return self._picture(shown, size.expandedTo(_LEAST_PICTURE) + QSize(0, HEAD)), *alone

    def picture_at(self, point: QPoint) -> Picture | None:
        """The picture of the plot at a point of the panel; None where it is the only one, or none."""
        if len(self.shown) < 2:
            return None
        at = self._canvas.mapToScene(self._canvas.mapFrom(self, point))
        found = (chart for chart in self.shown if chart.plot.sceneBoundingRect().contains(at))
        return next((self._picture([chart], _ALONE) for chart in found), None)

    def _picture(self, plots: Sequence[LivePlot], size: QSize) -> Picture:
        """Some plots as charts: the visible part of time and the ringed dots, without the present's line."""
        several, whose = len(plots) > 1, "" if self._recording is None else run_title(self._recording)
        title = tr("Plots") if several else plots[0].kind.title
        columns = _COLUMNS if several else 1
        rows = -(-len(plots) // columns)
        charts = [plot.chart(plot.kind.title if several else "") for plot in plots]

        def draw(painter: QPainter, room: QRectF, dress: Dress) -> None:
            wide, high = room.width() / columns, room.height() / rows
            for index, (chart, view) in enumerate(charts):
                row, column = divmod(index, columns)
                cell = QRectF(room.left() + column * wide, room.top() + row * high, wide, high)
                paint_chart(painter, cell, chart, dress.theme, view=view, style=COMPACT)

        return titled_picture(title, size, draw, whose if several else f"{title}: {whose}")

    def tables(self) -> Sequence[PlainTable]:
        """The figures of each visible plot."""
        self._refresh()
        return tuple(chart.run.table() for chart in self.shown if chart.run is not None)

    def menu_entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Show the whole run again."""
        return ((tr("Show the whole run"), self.fit),) if self._recording is not None else ()

    # Following

    def _follow(self) -> None:
        if not self.isVisible():
            return
        recording = self._cursor.recording
        if recording is self._recording:
            self._move()
            return
        known = self._recording
        goes_on = recording and known and recording.is_of_run(known) and not known.over
        if goes_on and self._rest.isActive():
            return
        self._rest.start()
        self._refresh()

    def _refresh(self) -> None:
        """Read the recording as it is now."""
        recording = self._cursor.recording
        if recording is not self._recording:
            self._recording = recording
            self._data = plot_data(recording) if recording is not None else None
            self._show_emptiness()
            self._offer(recording is not None and recording.network is not None)
            self._feed()
        self._move()

    def _offer(self, with_network: bool) -> None:
        """Offer the plots of the network, or withdraw them."""
        if with_network == self._with_network:
            return
        self._with_network = with_network
        if self.chooser.index >= len(self.charts):
            self.chooser.choose(0)
        self._offer_choices()
        self._arrange()

    def _offer_choices(self) -> None:
        for index in range(len(self._all_charts)):
            self.chooser.button(index).setVisible(index < len(self.charts))
        self.choice.offer(
            [ListItem(at, chart.kind.title, hint=chart.kind.help) for at, chart in enumerate(self.charts)]
        )

    def _choose_listed(self) -> None:
        (index,) = self.choice.values()
        self.chooser.button(int(str(index))).click()

    def _feed(self) -> None:
        """Give the visible plots the data if they do not have it."""
        for chart in self.shown:
            if chart.data is not self._data:
                chart.show_data(self._data)

    def _move(self) -> None:
        """Move the line to the present, and update the summary beside the choices."""
        data = self._data
        if data is None:
            return
        time, events = self._cursor.time, self._cursor.position.events
        for chart in self.shown:
            chart.show_now(time)
        single = self.shown[0].run if len(self.shown) == 1 else None
        finished = tr("{finished_by} jobs finished").format(finished_by=data.finished_after(events))
        self._summary.say(*(single.wordings(time, events) if single else (finished, "")))
        self._canvas.setAccessibleDescription(self._summary.text())
        self._unit.setText(self.shown[0].unit)

    def _show_selection(self) -> None:
        if self.isVisible():
            for chart in self.shown:
                chart.point_out(self._selection.job, self._selection.packet)

    def _picked(self, job: int, packet: int | None) -> None:
        if packet is None:
            self._selection.select(job)
        else:
            self._selection.select_packet(packet, job)

    def _show_emptiness(self) -> None:
        empty = self._recording is None
        self._empty.setVisible(empty)
        self._canvas.setVisible(not empty)
        self._summary.setVisible(not empty)

    # Arrangement and theme

    def _arrange(self, *_chosen: int) -> None:
        """Show one plot, or all of them in two columns."""
        rows = -(-len(self.charts) // _COLUMNS)
        room = QSize(
            self._themes.px(_COLUMNS * _PLOT_ROOM.width()), self._themes.px(rows * _PLOT_ROOM.height())
        )
        all_fit = self.width() >= room.width() and self.height() >= room.height()
        wanted = self.charts if all_fit else [self.charts[self.chooser.index]]
        low, beside = (not all_fit and self.height() < self._themes.px(least) for least in (_LOW, _STRIP))
        self._show_chooser(choosable=not all_fit, beside=beside)
        if (wanted, low, beside) == self._arranged:
            return
        self._arranged = wanted, low, beside
        self._canvas.clear()
        for index, chart in enumerate(wanted):
            chart.titled, chart.low, chart.lowest = all_fit, low, beside
            self._canvas.addItem(chart.plot, row=index // _COLUMNS, col=index % _COLUMNS)
        self._paint_charts()
        self._feed()
        self._move()
        self._show_selection()

    def _show_chooser(self, *, choosable: bool, beside: bool) -> None:
        """Show the names of the plots in a row, or where they have no room there or beside them in a list."""
        room = self.width() - self._themes.px(2 * _MARGIN)
        listed = beside or self.chooser.sizeHint().width() > room
        self.chooser.setVisible(choosable and not listed)
        self.choice.setVisible(choosable and listed)
        self.choice.choose((self.chooser.index,))
        widest = min(max(self.choice.width_for(chart.kind.title) for chart in self.charts), room)
        self.choice.setFixedWidth(widest)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._column.setDirection(across if beside else down)
        self._head.setDirection(down if beside else across)
        side = Qt.AlignmentFlag.AlignLeft if beside else Qt.AlignmentFlag.AlignRight
        self._summary.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self._head.setStretchFactor(self._summary, int(not beside))
        self._head.setStretch(self._head.count() - 1, int(beside))
        self._unit.setVisible(beside)
        for words in (self._summary, self._unit):
            words.setMaximumWidth(widest if beside else room)
        self._canvas.setMinimumHeight(self._themes.px(_LEAST_HEIGHT + (_HEAD if beside else 0)))

    def _paint_charts(self) -> None:
        theme = self._themes.theme
        self._canvas.setBackground(theme.panel)
        font = self._themes.text("caption")
        for chart in self._all_charts:
            chart.apply_theme(theme, font, self._themes.scale)

    def _apply_theme(self) -> None:
        self._arrange()
        self._paint_charts()

    def fit(self) -> None:
        """Show the whole run again."""
        for chart in self.shown:
            chart.fit()

    # The widget's own life

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit more or fewer plots."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Draw what changed while hidden."""
        super().showEvent(event)
        self._refresh()
        self._show_selection()
