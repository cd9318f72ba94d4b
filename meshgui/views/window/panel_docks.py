"""The docks of the panels around the mesh: shows, folds, resizes and restores them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QFrame,
    QMainWindow,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QToolTip,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.arrangement_reader import ReadArrangement, read_arrangement
from meshgui.views.style.direction import columns, from_the_right
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.kept_place import WindowPlace, keep, kept, place_as_kept
from meshgui.views.window.arranging import arrange, arrangement_of
from meshgui.views.window.panel_sizes import PanelSizes

_KEY = "window/state"
_DOCKING = QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.GroupedDragging
_TALL_ENOUGH = 850
_NOT_FOR_THE_LAST_ROW = ("queue", "job", "why", "scenario", "stops", "notes", "lesson")
_BEHIND_THE_ALGORITHM = ("inspector", "network")
_LEAST = (72, 48)  # what is seen of a panel in the smallest window
_STRIP = 136
_BUTTON = 20  # the height of those on a title
_PRESENTED = 0.45  # of the width: the algorithm or the network beside the mesh
_ICONS = {
    "queue": "list-ordered",
    "job": "info",
    "scenario": "sliders-horizontal",
    "algorithm": "code",
    "inspector": "table",
    "timeline": "history",
    "plots": "chart-line",
    "network": "network",
    "why": "circle-question-mark",
}


_SAYS = {  # what each panel shows, in a sentence
    "queue": tr("The jobs that wait, the next one first, and those that run."),
    "job": tr("What is known of the selected job at this moment."),
    "algorithm": tr("The pseudo-code of the current allocation or release, and the current line."),
    "scenario": tr("Everything that the run depends on, to be edited."),
    "inspector": tr("What the strategy keeps: its lists, trees, maps and charts at this step."),
    "timeline": tr("The whole run over time: drag in it to go to a moment."),
    "plots": tr("Turnaround, utilisation and the cost of allocation over the run."),
    "network": tr("The packets under way, what they wait for, and how much each channel is used."),
    "why": tr("What stands in the way of a waiting job, and until when."),
    "stops": tr("Where the run stops by itself."),
    "notes": tr("What the author of the scenario says about it."),
    "lesson": tr("The step of the lesson, or the question of the exercise, that is open."),
}


class PanelDocks(QObject):
    """The docks of a window, by name."""

    menu_asked = Signal(QWidget, QPoint)  # the widget pointed at in a panel, and where on the screen

    was_reset = Signal()

    def __init__(self, window: QMainWindow, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._themes = window, themes
        self.docks: dict[str, QDockWidget] = {}
        self._retitling = QTimer(self)
        self._retitling.setSingleShot(True)
        self._retitling.timeout.connect(self.retitle)
        self._default_layout = Arrangement({})
        self._notes = 104.0  # the height of the notes, until they say theirs
        self._unfolded: Arrangement | None = None
        self._network_now = False  # whether the scenario has a network
        self._has_network: bool | None = None  # whether the docks are arranged for one
        self._network_wanted = False  # whether its panel was in front when the network went
        self.sizes = PanelSizes(window, self.docks, themes)
        window.setDockOptions(window.dockOptions() | _DOCKING)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        first, last = Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner
        if from_the_right():
            first, last = last, first
        window.setCorner(first, Qt.DockWidgetArea.BottomDockWidgetArea)
        window.setCorner(last, columns()[1])  # code and inspectors need more height

    def commands(self) -> list[Command]:
        """Showing each panel, folding all, and the first layout."""
        panels = (
            (
                f"panel.{name}",
                tr("{panel} panel").format(panel=dock.windowTitle()),
                tr("Show or hide the {panel} panel").format(panel=within(dock.windowTitle())),
                partial(self.toggle, name),
                (f"Ctrl+{number}",),
                _ICONS[name],
            )
            for number, (name, dock) in enumerate(self.docks.items(), start=1)
            if name in _ICONS  # others have commands of their own
        )
        return commands_in(
            tr("Panels"),
            *panels,
            None,
            (
                "panel.fold",
                tr("Only the mesh"),
                tr("Fold every panel away, or bring all back where they were"),
                self.toggle_fold,
                ("M",),
                "maximize",
            ),
            (
                "panel.reset",
                tr("Reset the panels"),
                tr("Put every panel back in its default place"),
                self.reset,
                ("Shift+M",),
                "undo-2",
            ),
            marks={
                "panel.fold": lambda: self._unfolded is not None,
                **{f"panel.{name}": partial(self.in_front, name) for name in self.docks},
            },
            synonyms={
                "panel.queue": tr("waiting jobs running list"),
                "panel.job": tr("facts details turnaround"),
                "panel.algorithm": tr("pseudo-code pseudocode program lines strategy steps"),
                "panel.scenario": tr("form edit settings fields workload"),
                "panel.inspector": tr("structures tables tree busy list free lists"),
                "panel.timeline": tr("gantt events bars playhead"),
                "panel.plots": tr(
                    "charts curves measures statistics graphs "
                    "turnaround utilisation operations allocation time latency blocking"
                ),
                "panel.why": tr("waiting blocked delay reason explanation"),
                "panel.network": tr("packets channels latency blocking"),
                "panel.fold": tr("hide show all panels maximize zen"),
                "panel.reset": tr("layout default docks restore arrange"),
            },
        )

    # Building

    def add(self, name: str, title: str, view: QWidget, area: Qt.DockWidgetArea) -> None:
        """Put a panel into a dock."""
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        inside = view if isinstance(view, QScrollArea) else _Scrolled(view)
        sizing = Sizing(self._themes, dock).call(inside.setMinimumSize, *_LEAST)  # beyond it they scroll
        for button in dock.findChildren(QAbstractButton):  # which Qt gives one height at every size of text
            sizing.call(button.setMinimumHeight, _BUTTON)
        dock.setWidget(inside)
        dock.setWhatsThis(_SAYS[name])
        inside.setAccessibleName(title)
        inside.setAccessibleDescription(_SAYS[name])  # Qt tells of docks themselves only their titles
        dock.installEventFilter(self)
        dock.topLevelChanged.connect(self._retitle_soon)
        dock.dockLocationChanged.connect(self._retitle_soon)
        dock.visibilityChanged.connect(self._retitle_soon)
        dock.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        dock.customContextMenuRequested.connect(partial(self._show_menu, dock))
        self._window.addDockWidget(area, dock)
        self.docks[name] = dock

    def arrange(self) -> None:
        """Put docks into one place as tabs, and hide those not shown at first."""
        self._tabify("timeline", "plots")
        self._tabify("algorithm", "scenario")
        self._tabify("inspector", "network")
        self._tabify("job", "why")
        if self._short:
            self._tabify("queue", "job")
        self._tabify("algorithm", "stops")
        down = Qt.Orientation.Vertical
        for upper, lower in (("queue", "notes"), ("notes", "queue")):  # the notes stand on top
            self._window.splitDockWidget(self.docks[upper], self.docks[lower], down)
        for name in ("scenario", "network", "stops", "notes", "lesson"):
            self.docks[name].hide()

    @property
    def _short(self) -> bool:
        """Whether the window opens on a screen with little height: there more panels share a place."""
        return self._window.height() < _TALL_ENOUGH

    def _tabify(self, front: str, *behind: str) -> None:
        """Put docks into one place as tabs, the first one in front."""
        for name in behind:
            self._window.tabifyDockWidget(self.docks[front], self.docks[name])
        self.docks[front].raise_()

    def _retitle_soon(self) -> None:
        """Update the titles once the docks have their places."""
        if not self._retitling.isActive():
            self._retitling.start()

    def retitle(self) -> None:
        """Hide the title of docks that share a place: their tabs name them and can be dragged."""
        for dock in self.docks.values():
            bare = bool(self._window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            title = dock.titleBarWidget()
            if bare and title is None:
                dock.setTitleBarWidget(QWidget(dock))
            elif not bare and title is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type] # None is the native one
                title.deleteLater()
        self._hide_stray_tabs()

    def _hide_stray_tabs(self) -> None:
        """Hide the tab bars over no dock: Qt leaves one behind where it puts a dock's place into another."""
        heads = {
            (d.x(), d.y(), d.width()) for d in self.docks.values() if d.isVisible() and not d.isFloating()
        }
        says = {dock.windowTitle(): dock.whatsThis() for dock in self.docks.values()}
        only_direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=only_direct):
            bar.setAccessibleName(tr("Panels"))
            place = bar.geometry()
            if place.intersects(self._window.rect()):
                bar.setVisible((place.x(), place.bottom() + 1, place.width()) in heads)
            for tab in range(bar.count()):
                bar.setTabToolTip(tab, says.get(bar.tabText(tab), ""))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Say over the title of a panel, and not over what is in it, what the panel shows."""
        if isinstance(event, QHelpEvent) and isinstance(watched, QDockWidget):
            inside = watched.widget()
            if event.type() == QEvent.Type.ToolTip and not inside.geometry().contains(event.pos()):
                QToolTip.showText(event.globalPos(), watched.whatsThis(), watched)
                return True
        return super().eventFilter(watched, event)

    def _show_menu(self, dock: QDockWidget, at: QPoint) -> None:
        """Show the context menu of a point of a panel; on its title, the list of panels."""
        place, inside, there = dock.childAt(at), dock.widget(), dock.mapToGlobal(at)
        if inside is not None and inside.geometry().contains(at):
            self.menu_asked.emit(place or dock, there)
        elif (menu := self._window.createPopupMenu()) is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(there)

    # Showing

    def show(self, name: str) -> None:
        """Show a dock in front."""
        alone = self.folded and self.docks[name].isHidden()
        self.docks[name].show()
        self.docks[name].raise_()
        if alone:
            self.sizes.fit_soon()  # with none beside it Qt would give it what the mesh happens to leave

    def bring(self, name: str, *, over: str, beside: str) -> None:
        """Bring a dock in front of another in the same place, unless it would cover a third."""
        dock = self.docks[name]
        behind = self._window.tabifiedDockWidgets(dock)
        if not dock.isHidden() and self.docks[over] in behind and self.docks[beside] not in behind:
            dock.raise_()

    def bring_forward(self, name: str) -> None:
        """Bring a dock in front of those in the same place, unless it is hidden."""
        if not self.docks[name].isHidden() and not self.in_front(name):
            self.docks[name].raise_()

    def toggle(self, name: str) -> None:
        """Show a dock, or hide it if it is visible."""
        if self.in_front(name):
            self.docks[name].hide()
        else:
            self.show(name)

    def in_front(self, name: str) -> bool:
        """Whether a dock is visible, and not behind another tab."""
        dock = self.docks[name]
        return dock.isVisible() and _in_sight(dock)

    def toggle_fold(self) -> None:
        """Hide all docks around the mesh, or restore them."""
        if self._unfolded is None:
            self._unfolded = self.save()
            for dock in self.docks.values():
                dock.hide()
        else:
            self.restore_state(self._unfolded)
            self._unfolded = None
            self.sizes.fit()
            self.follow_network(self._network_now)

    @property
    def folded(self) -> bool:
        """Whether all docks are folded away."""
        return self._unfolded is not None

    def follow_network(self, has_network: bool) -> None:
        """Show the network's panel if the scenario has a network; its tab starts in the background.

        For the next network, even after scenarios without one, the tab returns as it was.
        """
        self._network_now = has_network
        if has_network == self._has_network or self._unfolded is not None:
            return
        if self._has_network and not has_network:
            self._network_wanted = self.in_front("network")
        self._has_network = has_network
        self.docks["network"].setVisible(has_network)
        self._size()
        if not has_network:
            return
        if self._network_wanted:
            self.docks["network"].raise_()
        elif not self.docks["inspector"].isHidden():
            self.docks["inspector"].raise_()

    # Sizes and places

    def restore(self, settings: QSettings) -> str:
        """Put the docks where they were when the window was last closed; what could not be read."""
        self.retitle()
        self._default_layout = self.save()
        place_as_kept(self._window, settings, "window/geometry")
        read = _kept_arrangement(settings)
        if read.arrangement is not None:
            self.restore_state(read.arrangement)
        self.sizes.restore(settings)
        self._size()
        return read.fault

    @property
    def unfolded(self) -> Arrangement:
        """The arrangement of the docks, also while they are folded away."""
        return self.save() if self._unfolded is None else self._unfolded

    def show_again(self, docks: Arrangement) -> None:
        """Unfold the docks, and put them where they were."""
        if self._unfolded is not None:
            self.toggle_fold()
        self.restore_state(docks)
        self.sizes.fit()

    def remember(self, settings: QSettings, desk: tuple[WindowPlace, Arrangement] | None) -> None:
        """Save the arrangement: place and docks before presenter mode, or as they are without folding."""
        if self._unfolded is not None:
            self.toggle_fold()
        place, docks = desk or (WindowPlace.of(self._window), self.save())
        place.keep(settings, "window/geometry")
        keep(settings, _KEY, docks.as_data())
        self.sizes.remember(settings)

    def save(self) -> Arrangement:
        """The arrangement of the docks."""
        return arrangement_of(self._window)

    def restore_state(self, docks: Arrangement) -> None:
        """Put the docks where they were; one that has no place there goes where it first was."""
        arrange(self._window, docks.completed(self._default_layout))

    def reset(self) -> None:
        """Put every dock back where it first was."""
        self._unfolded = None
        self.restore_state(self._default_layout)
        self._has_network, self._network_wanted = None, False
        self.follow_network(self._network_now)
        self.sizes.forget()
        self.was_reset.emit()

    def present(self) -> None:
        """Put the algorithm and what else explains it into one place, what fits the scenario in front."""
        area = columns()[1]
        self.sizes.active = False
        for name in _NOT_FOR_THE_LAST_ROW:
            self.docks[name].hide()
        shown = [name for name in _BEHIND_THE_ALGORITHM if name != "network" or self._network_now]
        for name in ("algorithm", *shown):
            self.docks[name].setFloating(False)
            self._window.addDockWidget(area, self.docks[name])
            self.docks[name].show()
        self._tabify("algorithm", *shown)
        self.docks["network" if self._network_now else "algorithm"].raise_()
        self.show("timeline")
        self.retitle()

    def size_for_presenting(self) -> None:
        """Give the algorithm its share of the width, and leave the timeline a strip."""
        self._window.resizeDocks(
            [self.docks["algorithm"]], [round(_PRESENTED * self._window.width())], Qt.Orientation.Horizontal
        )
        self._window.resizeDocks([self.docks["timeline"]], [self._themes.px(_STRIP)], Qt.Orientation.Vertical)

    def end_presenting(self, desk: Arrangement, size: QSize) -> None:
        """Put the docks back as they were at the desk, to the pixel if the window has that size again."""
        self.restore_state(desk)
        self.retitle()  # docks that share a place again are lower without their titles
        self.sizes.settle()
        self.restore_state(desk)
        self.sizes.resume(size)

    def raise_floating(self) -> None:
        """Raise the restored floating panels, which open behind the window."""
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()

    def wish_for_notes(self, height: float) -> None:
        """Give the notes this height, in the design's pixels, unless the user has sized them."""
        self._notes = height
        self._size()

    def _size(self) -> None:
        """Set the sizes of panels that the user has not sized; a packet's way needs more room than tables."""
        right, (upper, lower) = (400, (320, 480)) if self._has_network else (340, (420, 380))
        heights = {"notes": self._notes, "queue": 320, "job": 280, "algorithm": upper, "inspector": lower}
        heights |= {"lesson": 900, "timeline": 178 if self._short else 220}
        self.sizes.set_defaults({"lesson": 340, "queue": 280, "algorithm": right}, heights)


class _Scrolled(QScrollArea):
    """A panel that scrolls where its dock is smaller than it can be."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self._view = view
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(view)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the panel."""
        return self._view.sizeHint()


def _kept_arrangement(settings: QSettings) -> ReadArrangement:
    """The arrangement of the last time; older versions kept Qt's bytes."""
    value = settings.value(_KEY)
    if value is None:
        return ReadArrangement(None, whole=True)
    return read_arrangement(value.data() if isinstance(value, QByteArray) else kept(settings, _KEY))


def _in_sight(widget: QWidget) -> bool:
    """Whether some of a widget is visible; a part of it that is painted whole hides what lies below it.

    Not by `findChildren`: the dock would keep all it has found for as long as it lives.
    """
    if not widget.visibleRegion().isEmpty():
        return True
    return any(_in_sight(child) for child in widget.children() if isinstance(child, QWidget))
