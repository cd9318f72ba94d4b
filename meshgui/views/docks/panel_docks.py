"""The docks of the panels around the mesh: shows them, and enters and leaves perspectives."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, QPoint, QSettings, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QTabWidget, QWidget

from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.arrangement_reader import ReadArrangement, read_arrangement
from meshgui.model.document.perspective import Perspective, PerspectiveStack
from meshgui.views.docks.arranging import arrange, arrangement_of
from meshgui.views.docks.crowding import Crowding
from meshgui.views.docks.dock import DockTitles, in_front, make_dock
from meshgui.views.docks.hidden_panels import HiddenPanels
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.lecture_docks import LectureDocks
from meshgui.views.docks.lesson_docks import LessonDocks
from meshgui.views.docks.lone_columns import LoneColumns
from meshgui.views.docks.panel_commands import panel_commands
from meshgui.views.docks.panel_keys import enter, holds_keys, step
from meshgui.views.docks.panel_sizes import PanelSizes
from meshgui.views.docks.panel_spec import PanelSpec
from meshgui.views.docks.perspectives import (
    LECTURE,
    LESSON,
    LOOKED_AT,
    MESH,
    PAGE,
    only_the_mesh,
    only_the_page,
)
from meshgui.views.docks.small_room import SmallRoom
from meshgui.views.style.direction import columns
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.kept_place import WindowPlace, keep, kept, place_as_kept

W = TypeVar("W", bound=QWidget)
_KEY = "window/state"
_DOCKING = HostWindow.DockOption.AllowNestedDocks | HostWindow.DockOption.GroupedDragging


class PanelDocks(QObject):
    """The docks of a window, by name, and the perspectives that it is in, each over the one before."""

    menu_asked = Signal(QWidget, QPoint)  # the widget pointed at in a panel, and where on the screen
    text_enlarged = Signal(object)  # for the last row, by this many percent; with None as at the desk
    was_reset = Signal()
    covering_changed = Signal()  # a page has the window for itself now, or no longer
    bared = Signal(bool)  # whether nothing is to be around the mesh, or the meshes of a page, in a lecture

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self.window = window
        self.specs: dict[str, PanelSpec] = {}
        self.views: dict[str, QWidget] = {}  # what each record's factory has made
        self.docks: dict[str, QDockWidget] = {}
        self._covered: dict[str, str] = {}  # which panel was in front where one was shown over it
        self._titles = DockTitles(window, self.docks)
        self._titles.menu_asked.connect(self.menu_asked)
        self.bared.connect(self._titles.put_away)
        self._awaited = ""  # the panel that the keys go to once it has been made
        self._default_layout = Arrangement({})
        self._maximized = False  # whether the window is to be, once it is shown
        self.perspectives = PerspectiveStack()
        self._heights: dict[str, float] = {}  # of panels that know what they need
        self.network = False  # whether the scenario has one
        self._has_network: bool | None = None  # whether the docks are arranged for one
        self._network_wanted = True  # whether its panel was in front when the network went, as at first
        self.sizes = PanelSizes(window, self.docks, window.context.themes)
        self.room, self._lone = SmallRoom(self), LoneColumns(self)
        self.lesson, self.lecture = LessonDocks(self), LectureDocks(self, self._titles)
        window.setDockOptions(window.dockOptions() | _DOCKING)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    def commands(self) -> list[Command]:
        """Showing each panel, folding all, and the first layout."""
        return panel_commands(self, self.specs.values())

    # Building

    def build(self, specs: Sequence[PanelSpec]) -> None:
        """Make the panels, each in a dock at the place of its record."""
        self.specs = {spec.name: spec for spec in specs}
        for name, spec in self.specs.items():
            view = self.views[name] = spec.factory(self.window)
            dock = self.docks[name] = make_dock(spec, view, self.window, self.window.context.themes)
            self._titles.follow(dock)
            if isinstance(view, Deferred):
                view.came.connect(partial(self._come, name))
            if spec.place.least:  # with another tab in front its place is to have another height
                dock.visibilityChanged.connect(self.sizes.fit_soon)
            if spec.place.alone:
                dock.visibilityChanged.connect(self._lone.follow)
            self.window.addDockWidget(self.areas[spec.area], dock)
        for spec in specs:
            self._share_place(spec.place.behind, spec.name)
        for spec in specs:
            if spec.place.above:  # Qt splits a place for what comes below
                below, above = self.docks[spec.place.above], self.docks[spec.name]
                self.window.splitDockWidget(below, above, Qt.Orientation.Vertical)
                self.window.splitDockWidget(above, below, Qt.Orientation.Vertical)
            if spec.place.hidden:
                self.docks[spec.name].hide()
        self._crowding = Crowding(self.window)

    def _share_place(self, front: str, behind: str) -> None:
        if front:
            self.window.tabifyDockWidget(self.docks[front], self.docks[behind])
            self.docks[front].raise_()

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
        if (sheet := self.lecture.sheet(name)) is not None:
            sheet.show()
            self.lecture.share_room()
            return
        dock = self.docks[name]
        comes = dock.isHidden()
        front = [other for other, panel in self.docks.items() if panel is not dock and self.in_front(other)]
        self.room.leave_out(name)
        self._lone.leave_out(name)
        dock.show()
        dock.raise_()
        sharing = {other.objectName() for other in self.window.tabifiedDockWidgets(dock)}
        if covered := [other for other in front if other in sharing]:
            self._covered[name] = covered[0]
        if comes and name in self.room.set_aside.names and (folded := self.room.take_place(name)):
            self._covered[name] = folded
        if comes:  # Qt would give it what the others happen to leave
            self.sizes.fit_soon()
        if comes and self.presenting and not self.in_column_of(name):
            self.sizes.give_width(name)

    def in_column_of(self, name: str) -> list[str]:
        """The other panels that are shown on the same side of the mesh."""
        area, docks = self.window.dockWidgetArea, self.docks
        shown = [other for other in docks if not (docks[other].isHidden() or docks[other].isFloating())]
        return [other for other in shown if other != name and area(docks[other]) == area(docks[name])]

    def bring_forward(self, name: str) -> None:
        """Bring a dock in front of those in the same place, unless it is hidden."""
        if not self.docks[name].isHidden() and not self.in_front(name):
            self.docks[name].raise_()

    def toggle(self, name: str) -> None:
        """Show a dock, or hide it if it is visible."""
        if self.is_shown(name):
            if (sheet := self.lecture.sheet(name)) is not None:
                sheet.hide()
            else:
                self.hide(name)
            self.lecture.share_room()
        else:
            self.show(name)

    def hide(self, name: str) -> None:
        """Hide a dock, and have in front again what it was shown over."""
        self.docks[name].hide()
        if (covered := self._covered.pop(name, "")) in self.docks:
            if name in self.room.set_aside.names:
                self.show(covered)
            self.bring_forward(covered)

    def use(self, name: str) -> None:
        """Put the keys into a panel, shown if need be; if they are there already, hide it.

        A sheet takes no keys: it is shown or hidden.
        """
        dock = self.docks[name]
        if self.lecture.sheet(name) is not None:
            self.toggle(name)
        elif self.in_front(name) and holds_keys(dock):
            self.hide(name)
            step(self.window, [], 1)
        else:
            self.show(name)
            self._awaited = "" if enter(dock) else name

    def _come(self, name: str) -> None:
        """Put the keys into a panel that had not been made when they were asked for."""
        if name == self._awaited and self.in_front(name):
            enter(self.docks[name])
            self._awaited = ""

    def step_keys(self, way: int) -> None:
        """Take the keys to the next panel (1) or the previous one (-1); the mesh counts as one."""
        in_front = [dock for name, dock in self.docks.items() if self.in_front(name)]
        step(self.window, in_front, way)

    def in_front(self, name: str) -> bool:
        """Whether a dock is visible, and not behind another tab."""
        return in_front(self.docks[name])

    def is_shown(self, name: str) -> bool:
        """Whether a panel is in front, or its sheet is open."""
        return self.lecture.is_open(name) or self.in_front(name)

    def follow_network(self, has_network: bool) -> None:
        """Show the panel of the network if the scenario has one, in front: it is what is looked at then.

        Put behind another, it returns there for the next network, even after scenarios without one.
        """
        self.network = has_network
        [network] = (name for name, spec in self.specs.items() if spec.needs_network)
        has_room = network not in self.room.set_aside.names
        if not has_room:
            self.room.exchange_for_network(network)
        if has_network == self._has_network or self.folded or not has_room:
            return
        before, self._has_network = self._has_network, has_network
        self._lone.give_back_all()
        dock, front = self.docks[network], self.docks[self.specs[network].place.behind]
        if before and not has_network:
            self._network_wanted = self.in_front(network)
        dock.setVisible(has_network)
        if has_network and self.presenting:
            self.lecture.take_in(network)
        self._set_default_sizes()
        if has_network and self._network_wanted:
            self.sizes.settle()  # Qt raises no tab before it has its place
            dock.raise_()
        elif has_network and not front.isHidden():
            front.raise_()
        self._lone.follow()

    # Perspectives

    @property
    def folded(self) -> bool:
        """Whether all docks are folded away."""
        return self.perspectives.inside(MESH, LECTURE) or self.covered

    @property
    def covered(self) -> bool:
        """Whether a page has the window for itself."""
        return PAGE in self.perspectives

    @property
    def presenting(self) -> bool:
        """Whether the docks are arranged for a lecture."""
        return LECTURE in self.perspectives

    @property
    def bare(self) -> bool:
        """Whether a lecture shows only the mesh and what explains a step, or only the meshes of a page."""
        return self.presenting and self.perspectives.inside(MESH, PAGE if self.covered else LECTURE)

    def follow_bareness(self) -> None:
        """Say whether nothing is to be around the mesh."""
        self.bared.emit(self.bare)

    @property
    def desk(self) -> Arrangement:
        """How the docks are at the desk, also in a perspective."""
        return self.perspectives.at_the_desk(self.save())

    @property
    def unfolded(self) -> Arrangement:
        """How the docks are, or were before they were folded away or arranged for a lecture."""
        return self.perspectives.since(LESSON, self.save())

    def enter(self, perspective: Perspective) -> None:
        """Arrange the docks for a use of the window; `perspectives` has how they were."""
        self.lecture.give_room_back()
        self.restore_state(self.perspectives.enter(perspective, self.save()))

    def fold(self, kept: Collection[str] = ()) -> None:
        """Hide all docks but some."""
        self.enter(only_the_mesh(self.docks, kept))
        self.sizes.fit_soon()  # with none beside it Qt would give it what the mesh happens to leave

    def looked_at(self) -> list[str]:
        """The panels in front that can stay alone in a small window, first the one that does."""
        return [name for name in LOOKED_AT if self.in_front(name)]

    def unfold(self) -> None:
        """Have the panels around the mesh."""
        self.uncover()
        if self.folded:
            self.toggle_fold()

    def toggle_fold(self) -> None:
        """Hide all docks around the mesh, or restore them."""
        self.uncover()
        if not self.folded:
            self.fold()
        elif (before := self.perspectives.leave(MESH)) is not None:
            self.restore_state(before)
            self.sizes.fit()
            self.follow_network(self.network)
            self.lecture.share_room()
            self.expect_room()

    def expect_room(self) -> None:
        """See whether the window has room for the panels, once they have their sizes."""
        self._crowding.expect_panels()

    @property
    def areas(self) -> dict[str, Qt.DockWidgetArea]:
        """The sides of the mesh, by their names in records."""
        start, end = columns()
        return {"start": start, "end": end, "bottom": Qt.DockWidgetArea.BottomDockWidgetArea}

    def cover(self) -> None:
        """Leave the window to a page."""
        if not self.covered:
            self.enter(only_the_page(self.docks))
            self.covering_changed.emit()

    def uncover(self) -> None:
        """Have the panels beside the mesh again."""
        if (before := self.perspectives.leave(PAGE)) is None:
            return
        if self.presenting:
            self.restore_state(before)
            self.retitle()
            self.lecture.fit()
        else:
            self.expect_room()
            self.restore_state(before)
            self.sizes.fit()
        self.follow_network(self.network)
        self.lecture.share_room()
        self.covering_changed.emit()

    # Sizes and places

    def restore(self, settings: QSettings) -> str:
        """Put the docks where they were when the window was last closed; what could not be read."""
        self.retitle()
        self._default_layout = self.save()
        place_as_kept(self.window, settings, "window/geometry")
        # Qt gives a window that is to be maximized its docks again at each resize, with the corners they had.
        self._maximized = self.window.isMaximized()
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMaximized)
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
            self.window.setWindowState(self.window.windowState() | Qt.WindowState.WindowMaximized)

    def show_again(self, docks: Arrangement) -> None:
        """Unfold the docks, and put them where they were."""
        self.unfold()
        self.room.forget()
        self.restore_state(docks)
        self.sizes.fit()
        self.expect_room()

    def remember(self, settings: QSettings, place: WindowPlace) -> None:
        """Save the place of the window, and the arrangement at the desk."""
        place.keep(settings, "window/geometry")
        keep(settings, _KEY, self.desk.as_data())
        self.sizes.remember(settings)

    def save(self) -> Arrangement:
        """The arrangement of the docks, with those that are set aside for others in their places."""
        docks = arrangement_of(self.window)
        for panels in self._hidden_panels():
            docks = panels.brought_back(docks)
        return docks

    def _hidden_panels(self) -> list[HiddenPanels]:
        """What is set aside at the desk; all perspectives but that of a lesson show only what they name."""
        return [] if self.folded or self.presenting else [self.room.set_aside, *self._lone.set_aside]

    def restore_state(self, docks: Arrangement) -> None:
        """Put the docks where they were; one that has no place there goes where it first was."""
        self.follow_bareness()
        self._lone.forget()
        docks = docks.completed(self._default_layout)
        for panels in self._hidden_panels():
            docks = panels.taken_away(docks)
        arrange(self.window, docks)
        self._lone.follow()

    def reset(self) -> None:
        """Put every dock back where it first was."""
        self.perspectives.forget_others(LECTURE)
        self.room.forget()
        self.restore_state(self._default_layout)
        self._has_network, self._network_wanted = None, True
        self.follow_network(self.network)
        self.sizes.forget()
        self.expect_room()
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
        places = {name: spec.place for name, spec in self.specs.items()}
        sizes = {name: place.size(network=bool(self._has_network)) for name, place in places.items()}
        widths = {name: width for name, (width, _) in sizes.items() if width is not None}
        heights = {name: height for name, (_, height) in sizes.items() if height is not None} | self._heights
        for name, place in places.items():  # those of its place, also where it is there alone
            for lengths in (widths, heights):
                if place.behind in lengths:
                    lengths.setdefault(name, lengths[place.behind])
        least = {name: min(place.least, heights[name]) for name, place in places.items() if place.least}
        words = {name: place.words for name, place in places.items()}
        self.sizes.set_defaults(widths, heights, least, words, self._heights)


def _kept_arrangement(settings: QSettings, known: Collection[str]) -> ReadArrangement:
    """The arrangement of the last time; older versions kept Qt's bytes."""
    value = settings.value(_KEY)
    if value is None:
        return ReadArrangement(None, whole=True)
    return read_arrangement(value.data() if isinstance(value, QByteArray) else kept(settings, _KEY), known)
