"""The docks of the panels around the mesh: shows them, and enters and leaves perspectives."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, QPoint, QSettings, QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QTabWidget, QWidget

from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.arrangement_reader import ReadArrangement, read_arrangement
from meshgui.model.document.perspective import Perspective, PerspectiveStack
from meshgui.views.docks.arranging import arrange, arrangement_of
from meshgui.views.docks.crowding import Crowding
from meshgui.views.docks.dock import DockTitles, in_front, make_dock, scrolled_away
from meshgui.views.docks.hidden_panels import HiddenPanels
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_commands import panel_commands
from meshgui.views.docks.panel_keys import enter, holds_keys, step
from meshgui.views.docks.panel_sizes import PanelSizes
from meshgui.views.docks.panel_spec import Mode, PanelSpec
from meshgui.views.docks.perspectives import (
    LECTURE,
    LESSON,
    LOOKED_AT,
    MESH,
    PAGE,
    ROOMS,
    WindowRoom,
    lecture,
    lesson,
    only_the_mesh,
    only_the_page,
)
from meshgui.views.docks.sheets import Sheets
from meshgui.views.style.direction import columns
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.kept_place import WindowPlace, keep, kept, place_as_kept
from meshgui.views.widgets.soon import soon

W = TypeVar("W", bound=QWidget)
_KEY = "window/state"
_DOCKING = HostWindow.DockOption.AllowNestedDocks | HostWindow.DockOption.GroupedDragging
_TALL_ENOUGH = 850  # pixels: in lower windows the text of a lesson has its column for itself
_STEPS = "algorithm"  # what is looked at where there is no network
_HOST = "inspector"  # behind which panels lie while a lesson is read in a low window
_PRESENTED = 0.45  # of the width: what explains a step, beside the mesh
_STRIP = 168  # the height of the time while presenting, with all its rows


class PanelDocks(QObject):
    """The docks of a window, by name, and the perspectives that it is in, each over the one before."""

    menu_asked = Signal(QWidget, QPoint)  # the widget pointed at in a panel, and where on the screen
    text_enlarged = Signal(object)  # for the last row, by this many percent; with None as at the desk
    was_reset = Signal()
    lesson_ended = Signal()
    covering_changed = Signal()  # a page has the window for itself now, or no longer

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window, self._themes = window, window.context.themes
        self._specs: dict[str, PanelSpec] = {}
        self.views: dict[str, QWidget] = {}  # what each record's factory has made
        self.docks: dict[str, QDockWidget] = {}
        self._covered: dict[str, str] = {}  # which panel was in front where one was shown over it
        self._titles = DockTitles(window, self.docks)
        self._titles.menu_asked.connect(self.menu_asked)
        self._default_layout = Arrangement({})
        self._maximized = False  # whether the window is to be, once it is shown
        self._perspectives = PerspectiveStack()
        self._crowded = HiddenPanels()  # for lack of room
        self._below: dict[str, HiddenPanels] = {}  # by the panel that has its column for itself
        self._without_time = False  # whether a lecture has no room for it
        self._heights: dict[str, float] = {}  # of panels that know what they need
        self._network_now = False  # whether the scenario has a network
        self._has_network: bool | None = None  # whether the docks are arranged for one
        self._folded_for = False  # whether for one with a network
        self._network_wanted = True  # whether its panel was in front when the network went, as at first
        self.sizes = PanelSizes(window, self.docks, self._themes)
        self._sheets = Sheets(window, self.docks, self._titles, self.sizes)
        window.setDockOptions(window.dockOptions() | _DOCKING)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    def commands(self) -> list[Command]:
        """Showing each panel, folding all, and the first layout."""
        return panel_commands(self, self._specs.values())

    # Building

    def build(self, specs: Sequence[PanelSpec]) -> None:
        """Make the panels, each in a dock at the place of its record."""
        self._specs = {spec.name: spec for spec in specs}
        for name, spec in self._specs.items():
            view = self.views[name] = spec.factory(self._window)
            dock = self.docks[name] = make_dock(spec, view, self._window, self._themes)
            self._titles.follow(dock)
            if spec.place.least:  # with another tab in front its place is to have another height
                dock.visibilityChanged.connect(self.sizes.fit_soon)
            if spec.place.alone:
                dock.visibilityChanged.connect(self._follow_alone)
            self._window.addDockWidget(self._areas[spec.area], dock)
        for spec in specs:
            self._share_place(spec.place.behind, spec.name)
        for spec in specs:
            if spec.place.above:  # Qt splits a place for what comes below
                below, above = self.docks[spec.place.above], self.docks[spec.name]
                self._window.splitDockWidget(below, above, Qt.Orientation.Vertical)
                self._window.splitDockWidget(above, below, Qt.Orientation.Vertical)
            if spec.place.hidden:
                self.docks[spec.name].hide()
        self._crowding = Crowding(self._window)

    def _share_place(self, front: str, behind: str) -> None:
        if front:
            self._window.tabifyDockWidget(self.docks[front], self.docks[behind])
            self.docks[front].raise_()

    @property
    def _low(self) -> bool:
        """Whether the window has little height."""
        return self._window.height() < _TALL_ENOUGH

    def retitle(self) -> None:
        """Hide the title of docks that share a place."""
        self._titles.update()

    def view(self, kind: type[W]) -> W:
        """The panel of a kind, or what is of this kind in one of them."""
        panels = [view for view in self.views.values() if isinstance(view, kind)]
        inside = (found for dock in self.docks.values() if (found := dock.findChild(kind)) is not None)
        return panels[0] if panels else next(inside)

    def part(self, name: str) -> QWidget:
        """A panel, which is created now where that was put off."""
        view = self.views[name]
        return view.view if isinstance(view, Deferred) else view

    # Showing

    def show(self, name: str) -> None:
        """Show a dock in front, or while presenting its sheet."""
        if (sheet := self._sheet(name)) is not None:
            sheet.show()
            self._share_with_sheets()
            return
        dock = self.docks[name]
        comes = dock.isHidden()
        front = [other for other, panel in self.docks.items() if panel is not dock and self.in_front(other)]
        self._crowded = self._crowded.without(name)
        self._below = {above: hidden.without(name) for above, hidden in self._below.items()}
        dock.show()
        dock.raise_()
        sharing = {other.objectName() for other in self._window.tabifiedDockWidgets(dock)}
        if covered := [other for other in front if other in sharing]:
            self._covered[name] = covered[0]
        if comes and name in self._crowded.names:
            self._take_place(name)
        if comes and (self.folded or self._crowded.names):
            self.sizes.fit_soon()  # with none beside it Qt would give it what the mesh happens to leave

    def _take_place(self, name: str) -> None:
        """Fold what is in the column of a panel: a small window has no room for both."""
        for other in self._in_column_of(name):
            if other != LESSON:
                self.docks[other].hide()
                self._covered[name] = other

    def _in_column_of(self, name: str) -> list[str]:
        """The other panels that are shown on the same side of the mesh."""
        area, docks = self._window.dockWidgetArea, self.docks
        shown = [other for other in docks if not (docks[other].isHidden() or docks[other].isFloating())]
        return [other for other in shown if other != name and area(docks[other]) == area(docks[name])]

    def bring_forward(self, name: str) -> None:
        """Bring a dock in front of those in the same place, unless it is hidden."""
        if not self.docks[name].isHidden() and not self.in_front(name):
            self.docks[name].raise_()

    def toggle(self, name: str) -> None:
        """Show a dock, or hide it if it is visible."""
        if self.is_shown(name):
            if (sheet := self._sheet(name)) is not None:
                sheet.hide()
            else:
                self.hide(name)
            self._share_with_sheets()
        else:
            self.show(name)

    def hide(self, name: str) -> None:
        """Hide a dock, and have in front again what it was shown over."""
        self.docks[name].hide()
        if (covered := self._covered.pop(name, "")) in self.docks:
            if name in self._crowded.names:
                self.show(covered)
            self.bring_forward(covered)

    def use(self, name: str) -> None:
        """Put the keys into a panel, shown if need be; if they are there already, hide it.

        A sheet takes no keys: it is shown or hidden.
        """
        dock = self.docks[name]
        if self._sheet(name) is not None:
            self.toggle(name)
        elif self.in_front(name) and holds_keys(dock):
            self.hide(name)
            step(self._window, [], 1)
        else:
            self.show(name)
            enter(dock)

    def step_keys(self, way: int) -> None:
        """Take the keys to the next panel (1) or the previous one (-1); the mesh counts as one."""
        in_front = [dock for name, dock in self.docks.items() if self.in_front(name)]
        step(self._window, in_front, way)

    def in_front(self, name: str) -> bool:
        """Whether a dock is visible, and not behind another tab."""
        return in_front(self.docks[name])

    # Sheets

    def _sheet(self, name: str) -> QWidget | None:
        """What stands for a panel while presenting, if anything does."""
        return self._sheets.of(self._specs[name]) if self.presenting and not self.covered else None

    def is_shown(self, name: str) -> bool:
        """Whether a panel is in front, or its sheet is open."""
        return self._sheets.is_open(name) or self.in_front(name)

    def close_sheets(self) -> bool:
        """Close every sheet; whether any was open."""
        closed = self._sheets.close()
        self._share_with_sheets()
        return closed

    def _share_with_sheets(self) -> None:
        if self.presenting and not self.folded:
            self._sheets.share_room()

    def follow_network(self, has_network: bool) -> None:
        """Show the panel of the network if the scenario has one, in front: it is what is looked at then.

        Put behind another, it returns there for the next network, even after scenarios without one.
        """
        self._network_now = has_network
        [network] = (name for name, spec in self._specs.items() if spec.needs_network)
        if network in self._crowded.names:
            self._exchange_kept(network)
        if has_network == self._has_network or self.folded or network in self._crowded.names:
            return
        before, self._has_network = self._has_network, has_network
        self._give_back_all()
        dock, front = self.docks[network], self.docks[self._specs[network].place.behind]
        if before and not has_network:
            self._network_wanted = self.in_front(network)
        dock.setVisible(has_network)
        self._set_default_sizes()
        if has_network and self._network_wanted:
            self.sizes.settle()  # Qt raises no tab before it has its place
            dock.raise_()
        elif has_network and not front.isHidden():
            front.raise_()
        self._follow_alone()

    def _exchange_kept(self, network: str) -> None:
        """Have the panel that fits the scenario in a small window, if it shows that of the one before."""
        if self.folded or self.presenting or self._folded_for == self._network_now:
            return
        self._folded_for = self._network_now
        before, after = (_STEPS, network) if self._network_now else (network, _STEPS)
        if not self.docks[before].isHidden():
            self.docks[before].hide()
            self.show(after)

    # Perspectives

    @property
    def folded(self) -> bool:
        """Whether all docks are folded away."""
        return self._perspectives.inside(MESH, LECTURE) or self.covered

    @property
    def covered(self) -> bool:
        """Whether a page has the window for itself."""
        return PAGE in self._perspectives

    @property
    def presenting(self) -> bool:
        """Whether the docks are arranged for a lecture."""
        return LECTURE in self._perspectives

    @property
    def desk(self) -> Arrangement:
        """How the docks are at the desk, also in a perspective."""
        return self._perspectives.at_the_desk(self.save())

    @property
    def unfolded(self) -> Arrangement:
        """How the docks are, or were before they were folded away or arranged for a lecture."""
        return self._perspectives.since(LESSON, self.save())

    def _enter(self, perspective: Perspective) -> None:
        self._sheets.give_room_back()
        self.restore_state(self._perspectives.enter(perspective, self.save()))

    def fold(self, kept: Collection[str] = ()) -> None:
        """Hide all docks but some."""
        self._enter(only_the_mesh(self.docks, kept))
        self.sizes.fit_soon()  # with none beside it Qt would give it what the mesh happens to leave

    def looked_at(self) -> list[str]:
        """The panels in front that can stay alone in a small window, first the one that does."""
        return [name for name in LOOKED_AT if self.in_front(name)]

    def toggle_fold(self) -> None:
        """Hide all docks around the mesh, or restore them."""
        self.uncover()
        if not self.folded:
            self.fold()
        elif (before := self._perspectives.leave(MESH)) is not None:
            self.restore_state(before)
            self.sizes.fit()
            self.follow_network(self._network_now)
            self._share_with_sheets()
            self._crowding.expect_panels()

    @property
    def crowded(self) -> bool:
        """Whether the window has no room for all panels."""
        return bool(self._crowded.names)

    def make_room(self, room: WindowRoom) -> list[str]:
        """Fold what a window has no room for, and have the others back; the names of what was folded."""
        whole, self._crowded = self.save(), HiddenPanels()
        self.restore_state(whole)
        self.sizes.settle()
        self.follow_network(self._network_now)
        kept = self._kept_in(room)
        names = [*self.docks] if not room.areas else [name for name in self.docks if name not in kept]
        back = [name for name in names if not self.docks[name].isHidden()]
        back.sort(key=lambda name: (self.docks[name].x(), self.docks[name].y()))
        hidden = [name for name in back if name not in kept]
        if names:
            self._folded_for = self._network_now
            front = [name for name in back if self.in_front(name)]
            whole, self._crowded = self.save(), HiddenPanels(*map(frozenset, (names, hidden, back, front)))
            self.restore_state(whole)
        self.sizes.fit()
        return hidden

    def _kept_in(self, room: WindowRoom) -> set[str]:
        """The panels that a window has room for; the text of a lesson has that of those about time."""
        looked_at = self.looked_at()
        if not room.areas:
            return {*looked_at[: room.panels]}
        areas = {self._areas[area] for area in room.areas}
        if len(areas) < len(self._areas) and LESSON in looked_at:
            areas.discard(self._areas["bottom"])
        at = self._window.dockWidgetArea
        has_room = (name for name, dock in self.docks.items() if dock.isFloating() or at(dock) in areas)
        return {*has_room, *([LESSON] if LESSON in looked_at else [])}

    @property
    def _areas(self) -> dict[str, Qt.DockWidgetArea]:
        start, end = columns()
        return {"start": start, "end": end, "bottom": Qt.DockWidgetArea.BottomDockWidgetArea}

    def has_place(self, name: str) -> bool:
        """Whether a panel is shown, or would be if there were room."""
        return name in self._crowded.back or not self.docks[name].isHidden()

    def give_place(self, name: str, shown: bool) -> None:
        """Show a panel, or hide it; one that has no room is shown when there is some."""
        self._crowded = self._crowded.where_wanted(name, shown)
        self.docks[name].setVisible(shown and name not in self._crowded.names)

    # A column for one panel

    def _follow_alone(self) -> None:
        """Give a panel that has its column for itself this column, or what is below it its place again."""
        soon(self, self._share_columns)

    def _share_columns(self) -> None:
        if self.folded or self.presenting or self._window.isMinimized():
            return
        for name, spec in self._specs.items():
            in_front = spec.place.alone and self.in_front(name)
            if in_front and name not in self._below:
                mates = {dock.objectName() for dock in self._window.tabifiedDockWidgets(self.docks[name])}
                below = [other for other in self._in_column_of(name) if other not in mates]
                front = [other for other in below if self.in_front(other)]
                self._below[name] = HiddenPanels(hidden=frozenset(below), front=frozenset(front))
                for other in below:
                    self.docks[other].hide()
                self.sizes.fit_soon()
            elif not in_front and name in self._below:
                self._give_back(name)

    def _give_back_all(self) -> None:
        for name in [*self._below]:
            self._give_back(name)

    def _give_back(self, name: str) -> None:
        taken = self._below.pop(name)
        for below in taken.hidden:
            self.docks[below].show()
        for below in taken.front & taken.hidden:
            self.docks[below].raise_()
        self.sizes.fit_soon()

    def cover(self) -> None:
        """Leave the window to a page."""
        if not self.covered:
            self._enter(only_the_page(self.docks))
            self.covering_changed.emit()

    def uncover(self) -> None:
        """Have the panels beside the mesh again."""
        if (before := self._perspectives.leave(PAGE)) is None:
            return
        if self.presenting:
            self.restore_state(before)
            self.retitle()
            self.size_for_presenting()
        else:
            self._crowding.expect_panels()
            self.restore_state(before)
            self.sizes.fit()
        self.follow_network(self._network_now)
        self._share_with_sheets()
        self.covering_changed.emit()

    def begin_lesson(self) -> None:
        """Make room for a lesson, and put the panels back as they were when its dock is closed."""
        self.uncover()
        if self.folded:
            self.toggle_fold()
        if self.crowded:
            self.make_room(ROOMS[0])
        dock = self.docks[LESSON]
        if dock.isHidden() and not self._window.isFullScreen():
            host = self.docks[_HOST]
            beside = host.isVisible() and not host.isFloating()
            self._enter(lesson(self._in_first_column(), _HOST if beside else "", low=self._low))
            dock.visibilityChanged.connect(self._follow_lesson, Qt.ConnectionType.UniqueConnection)
        self.show(LESSON)
        self.sizes.fit()
        self._crowding.expect_panels()

    def show_step(self, names: Collection[str]) -> None:
        """Bring the panels of a step of a lesson to the front; in a low window only those are shown."""
        if self._low and not self._window.isFullScreen() and LESSON in self._perspectives:
            for name in {*self._of(Mode.LESSON)} - {*names}:
                self.docks[name].hide()
        for name in names:
            self.show(name)
        self.sizes.fit()

    def end_lesson(self) -> None:
        """Put the panels back as they were before the lesson."""
        if (before := self._perspectives.leave(LESSON)) is not None:
            self._crowded = HiddenPanels()
            self.restore_state(before)
            self._crowding.expect_panels()
            self.lesson_ended.emit()

    def _of(self, mode: Mode) -> list[str]:
        return [name for name, spec in self._specs.items() if mode in spec.modes]

    def _in_first_column(self) -> list[str]:
        """The panels of lessons that stand where one begins to read."""
        docks = [self.docks[name] for name in self._of(Mode.LESSON)]
        area = columns()[0]
        return [
            dock.objectName()
            for dock in docks
            if not dock.isFloating() and self._window.dockWidgetArea(dock) == area
        ]

    def _follow_lesson(self) -> None:
        """See whether the dock was closed: folded panels and a full screen hide it as well."""
        soon(self, self._end_if_closed)

    def _end_if_closed(self) -> None:
        hidden = self.docks[LESSON].isHidden() and LESSON not in self._crowded.hidden
        if hidden and not self.folded and not self._window.isFullScreen():
            self.end_lesson()

    def present(self, *, low: bool) -> None:
        """Arrange the docks for a lecture; on a low screen without the time."""
        self.sizes.active = False
        self._without_time = low
        covered = self.covered
        before = self._perspectives.leave(PAGE) or self.save()
        now = self._perspectives.enter(self._lecture(), before)
        self.restore_state(self._perspectives.enter(only_the_page(self.docks), now) if covered else now)
        self.retitle()

    def size_for_presenting(self) -> None:
        """Give what explains a step its share of the width, and leave the time a strip."""
        if self.covered:
            return
        perspective = self._lecture()
        self._size_beside(perspective.rows[0][0])
        if self._without_time:
            return
        strip, height = self.docks[perspective.front[-1]], self._themes.px(_STRIP)
        self._window.resizeDocks([strip], [height], Qt.Orientation.Vertical)
        self.sizes.settle()
        if missing := scrolled_away(strip):  # to the tab above it
            self._window.resizeDocks([strip], [height + missing], Qt.Orientation.Vertical)

    def _lecture(self) -> Perspective:
        return lecture(self._specs.values(), network=self._network_now, low=self._without_time)

    def fold_for_presenting(self) -> None:
        """Leave beside the mesh only what explains a step."""
        kept = self.looked_at()[:1]
        self.fold(kept)
        if kept:
            self.retitle()
            self._size_beside(*kept)

    def _size_beside(self, name: str) -> None:
        """Give a panel its share of the width for presenting."""
        width = round(_PRESENTED * self._window.width())
        self._window.resizeDocks([self.docks[name]], [width], Qt.Orientation.Horizontal)

    def leave_lecture(self) -> Arrangement:
        """Arrange the docks for a lecture no longer; how they were before, for `end_presenting`."""
        self._sheets.close()
        self._sheets.forget_room()
        covered = self.covered
        before = self._perspectives.leave(LECTURE) or self.desk
        return self._perspectives.enter(only_the_page(self.docks), before) if covered else before

    def end_presenting(self, before: Arrangement, size: QSize) -> None:
        """Put the docks back as they were at the desk, to the pixel if the window has that size again."""
        self.restore_state(before)
        self.retitle()  # docks that share a place again are lower without their titles
        self.sizes.settle()
        self.restore_state(before)
        self.sizes.resume(size)

    # Sizes and places

    def restore(self, settings: QSettings) -> str:
        """Put the docks where they were when the window was last closed; what could not be read."""
        self.retitle()
        self._default_layout = self.save()
        place_as_kept(self._window, settings, "window/geometry")
        # Qt gives a window that is to be maximized its docks again at each resize, with the corners they had.
        self._maximized = self._window.isMaximized()
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMaximized)
        read = _kept_arrangement(settings, self.docks)
        if read.arrangement is not None:
            self.restore_state(read.arrangement)
        self.sizes.restore(settings)
        self._set_default_sizes()
        return read.fault

    def maximize_as_kept(self) -> None:
        """Maximize the window that is just being shown, if it was when it was last closed."""
        if self._maximized:
            self._maximized = False
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowMaximized)

    def show_again(self, docks: Arrangement) -> None:
        """Unfold the docks, and put them where they were."""
        self.uncover()
        if self.folded:
            self.toggle_fold()
        self._crowded = HiddenPanels()
        self.restore_state(docks)
        self.sizes.fit()
        self._crowding.expect_panels()

    def remember(self, settings: QSettings, place: WindowPlace) -> None:
        """Save the place of the window, and the arrangement at the desk."""
        place.keep(settings, "window/geometry")
        keep(settings, _KEY, self.desk.as_data())
        self.sizes.remember(settings)

    def save(self) -> Arrangement:
        """The arrangement of the docks, with those that are set aside for others in their places."""
        docks = arrangement_of(self._window)
        for taken in self._hidden_for_others():
            docks = taken.brought_back(docks)
        return docks

    def _hidden_for_others(self) -> list[HiddenPanels]:
        """What is set aside at the desk; all perspectives but that of a lesson show only what they name."""
        return [] if self.folded or self.presenting else [self._crowded, *self._below.values()]

    def restore_state(self, docks: Arrangement) -> None:
        """Put the docks where they were; one that has no place there goes where it first was."""
        self._below = {}
        docks = docks.completed(self._default_layout)
        for taken in self._hidden_for_others():
            docks = taken.taken_away(docks)
        arrange(self._window, docks)
        self._follow_alone()

    def reset(self) -> None:
        """Put every dock back where it first was."""
        self._perspectives.forget_others(LECTURE)
        self._crowded = HiddenPanels()
        self.restore_state(self._default_layout)
        self._has_network, self._network_wanted = None, True
        self.follow_network(self._network_now)
        self.sizes.forget()
        self._crowding.expect_panels()
        self.was_reset.emit()

    def raise_floating(self) -> None:
        """Raise the restored floating panels, which open behind the window."""
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()

    def wish_for(self, name: str, height: float) -> None:
        """Give a panel this height, in the design's pixels, unless the user has sized it."""
        self._heights[name] = height
        self._set_default_sizes()

    def _set_default_sizes(self) -> None:
        """Set the sizes of panels that the user has not sized; a packet's way needs more room than tables."""
        places = {name: spec.place for name, spec in self._specs.items()}
        sizes = {name: place.size(network=bool(self._has_network)) for name, place in places.items()}
        widths = {name: width for name, (width, _) in sizes.items() if width is not None}
        heights = {name: height for name, (_, height) in sizes.items() if height is not None} | self._heights
        least = {name: min(place.least, heights[name]) for name, place in places.items() if place.least}
        self.sizes.set_defaults(widths, heights, least, self._heights)


def _kept_arrangement(settings: QSettings, known: Collection[str]) -> ReadArrangement:
    """The arrangement of the last time; older versions kept Qt's bytes."""
    value = settings.value(_KEY)
    if value is None:
        return ReadArrangement(None, whole=True)
    return read_arrangement(value.data() if isinstance(value, QByteArray) else kept(settings, _KEY), known)
