"""The sizes of the panels: as the user drew them, less in a small window, and back when it grows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSettings, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStyle

from meshgui.model.document.arrangement_reader import read_lengths
from meshgui.views.style.fonts import line_share
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.kept_place import keep, kept

_MESH: Final = 1 / 3  # of the window's area at least, for the mesh
_MESH_LEAST: Final = 240  # pixels of its width where that cannot be had, as panels were opened all the same
_FIGURES: Final = 38  # the height of the row below the mesh, in the design's pixels
_ONE_ROW: Final = 620  # a narrower mesh has its controls in a row of their own
_NARROW: Final = 250  # the width of a column, and its share, before what lies below the mesh loses a row
_NARROWED: Final = 0.85
STRIP: Final = 134  # the height of what lies below the mesh, without its last row
_STRIPS: Final = (168, STRIP)  # with its last row first
_STRIP_MOST: Final = 0.44  # of the height
_COLUMNS: Final = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
_FEET: Final = (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner)
_BELOW: Final = Qt.DockWidgetArea.BottomDockWidgetArea
_OTHERS: Final = 0.2  # of a column at least, for each panel
_ORDINARY: Final = {"width": 300, "height": 160}  # of a panel without a size of its own
_KEY: Final = "window/panel-sizes"


class PanelSizes(QObject):
    """Sizes docks for the window's size, from what the user wishes, or a default, at 100 % of text size."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._docks, self._themes = window, docks, themes
        self._wishes: dict[str, dict[str, float]] = {"width": {}, "height": {}}
        self._defaults: dict[str, dict[str, float]] = {"width": {}, "height": {}}
        self._least: dict[str, float] = {}
        self._words: dict[str, float] = {}
        self._of_text: set[str] = set()
        self._pressed: dict[str, tuple[int, int]] | None = None
        self._scale = themes.scale
        self.active = True
        # the size of the window and of its text that the docks were put back for
        self._kept_for: tuple[QSize, float] | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.fit)
        for corner, area in zip(_FEET, _COLUMNS, strict=True):  # columns have the full height
            window.setCorner(corner, area)
        window.installEventFilter(self)
        themes.changed.connect(self._follow_scale)

    def set_defaults(
        self,
        width: Mapping[str, float],
        height: Mapping[str, float],
        least: Mapping[str, float],
        words: Mapping[str, float],
        of_text: Collection[str],
    ) -> None:
        """Set the sizes of panels that the user has not sized, those that some keep, and what words need.

        Those of a text are never higher than it.
        """
        self._defaults = {"width": dict(width), "height": dict(height)}
        self._least, self._words, self._of_text = dict(least), dict(words), {*of_text}
        self.fit_soon()

    def fit_soon(self) -> None:
        """Size the docks once those that have just been shown or hidden have their places."""
        self._soon.start()

    def forget(self) -> None:
        """Go back to the defaults."""
        self._wishes = {"width": {}, "height": {}}
        self.fit_soon()

    def remember(self, settings: QSettings) -> None:
        """Save the user's sizes."""
        keep(settings, _KEY, self._wishes)

    def restore(self, settings: QSettings) -> None:
        """Take the sizes that were saved."""
        saved = kept(settings, _KEY)
        for way in ("width", "height"):
            lengths = saved.get(way) if isinstance(saved, dict) else None
            rows = lengths.items() if isinstance(lengths, dict) else ()
            self._wishes[way] = {
                name: float(read[0])
                for name, size in rows
                if name in self._docks and (read := read_lengths([size], 1)) and read[0]
            }

    def resume(self, size: QSize) -> None:
        """Size the docks again: they have been put back as they were in a window of this size."""
        self.active = True
        self._kept_for = size, self._themes.scale
        self._fit_to_size()

    def _fit_to_size(self) -> None:
        """Size the docks for a window that may have another size.

        In one of the size that they were put back for they stay as they are. `fit` would move an edge where
        a panel came in front of others since: with its tab it needs another height.
        """
        if self._kept_for != (self._window.size(), self._themes.scale):
            self.fit()

    def fit(self) -> None:
        """Size the docks for the window as it is now."""
        # Before the window is shown its docks have no places yet, and Qt would leave stray tab bars behind.
        if not (self.active and self._window.isVisible()):
            return
        self._kept_for = None
        stacks = [self._stacked(area) for area in _COLUMNS]
        below = self._stacked(_BELOW)[:1]
        columns = [self._leading(stack) for stack in stacks if stack]
        widths, heights = self._beside_mesh(columns, below)
        self._resize(columns, widths, Qt.Orientation.Horizontal)
        self._resize(below, heights, Qt.Orientation.Vertical)
        self.settle()  # which gives the columns their heights
        for stack in stacks:
            if len(stack) > 1:
                room = sum(self._docks[name].height() for name in stack)
                heights = self._widened({name: self._wish("height", name) for name in stack}, room)
                shares = _shares(heights, room)
                if not self._wishes["height"]:
                    shares = _with_least(shares, self._least_heights(stack, room), room)
                self._resize(stack, shares, Qt.Orientation.Vertical)
        self.settle()

    def give_width(self, name: str) -> None:
        """Give a panel that has a column for itself its width, also while the others are sized elsewhere."""
        self.settle()
        self._resize([name], [self._wish("width", name)], Qt.Orientation.Horizontal)

    def _least_heights(self, stack: list[str], room: int) -> list[float]:
        """The heights that panels of a column keep; a text is whole if the others have theirs beside it."""
        lines = line_share(self._themes.text().pixelSize())
        least = {name: self._themes.px(lines * self._least.get(name, 0)) or _OTHERS * room for name in stack}
        for name in filter(self._is_kept, stack):
            spare = max(room - sum(least.values()), 0)
            least[name] = min(self._wish("height", name), least[name] + spare)
        return list(least.values())

    def _beside_mesh(self, columns: list[str], below: list[str]) -> tuple[list[float], list[float]]:
        """The widths of columns and the height of what lies below the mesh, which has its part of the window.

        What lies below gets lower first, then the columns narrower, then what lies below loses a row. Last
        the mesh is smaller: a column that is narrower still would cut its words.
        """
        px, window, centre = self._themes.px, self._window, self._centre()
        widths = [self._wish("width", name) for name in columns]
        narrow = [min(width, max(px(_NARROW), _NARROWED * width)) for width in widths]
        height = sum(self._wish("height", name) for name in below)
        wide = centre.width() + sum(self._docks[name].width() for name in columns)
        rows = 1 if wide - sum(narrow) >= px(_ONE_ROW) else 2
        high = max(self._height_of_middle(below) - rows * px(_FIGURES), 1)
        mesh = _MESH * window.width() * window.height()
        strip, room = height, float(wide)
        for least in _STRIPS:
            fitting = high - mesh / max(wide - sum(widths), 1)
            strip = max(min(height, fitting), min(height, px(least), _STRIP_MOST * high))
            room = wide - mesh / max(high - strip, 1)
            if sum(narrow) <= room:
                break
        if room < sum(narrow) * max((self._words.get(name, 1.0) for name in columns), default=1.0):
            room = max(room, min(sum(narrow), wide - _MESH_LEAST))
        if sum(widths) > room:
            widths = _with_least(_shrunk(widths, room), narrow, int(room))
        return widths, [strip] * len(below)

    def room_beside_mesh(self) -> float:
        """The width that a mesh of this height, which has its part of the window, leaves for a column."""
        high = max(self._centre().height() - self._themes.px(_FIGURES), 1)
        return self._window.width() * (1 - _MESH * self._window.height() / high) - self._separator()

    def _separator(self) -> int:
        extent = QStyle.PixelMetric.PM_DockWidgetSeparatorExtent
        return self._window.style().pixelMetric(extent, None, self._window)

    def _height_of_middle(self, below: list[str]) -> int:
        """The height for the mesh and what lies below it with its title or tabs."""
        if not below:
            return self._centre().height()
        foot = max(self._docks[name].geometry().bottom() for name in below)
        return foot + 1 - self._centre().y() - self._separator()

    def _centre(self) -> QRect:
        """The place of the mesh."""
        centre = self._window.centralWidget()
        return QRect() if centre is None else centre.geometry()

    def settle(self) -> None:
        """Give the docks their places now."""
        layout = self._window.layout()
        if layout is not None:
            layout.activate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the window's size, and note what the user draws between two docks."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Show}:
            self._fit_to_size()
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = self._sizes()
        elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            self._note(self._pressed)
            self._pressed = None
        return super().eventFilter(watched, event)

    def _note(self, before: dict[str, tuple[int, int]]) -> None:
        """Take as a wish each length that has changed since the press; the mesh keeps its part."""
        now = self._sizes()
        if now != before:
            self.fit_soon()
        for name, (width, height) in now.items():
            if name not in before:
                continue
            if width != before[name][0]:
                self._wishes["width"][name] = width / self._themes.scale
            if height != before[name][1]:
                self._wishes["height"][name] = height / self._themes.scale

    def _sizes(self) -> dict[str, tuple[int, int]]:
        return {name: (self._docks[name].width(), self._docks[name].height()) for name in self._shown()}

    def _shown(self) -> Iterator[str]:
        """The docks in the window, those in front of others in the same place."""
        whole = self._window.rect()
        for name, dock in self._docks.items():
            if dock.isVisible() and not dock.isFloating() and whole.intersects(dock.geometry()):
                yield name

    def _stacked(self, area: Qt.DockWidgetArea) -> list[str]:
        """The docks of an area from top to bottom; none where the user has put some side by side."""
        names = [n for n in self._shown() if self._window.dockWidgetArea(self._docks[n]) == area]
        if len({self._docks[name].x() for name in names}) > 1:
            return []
        return sorted(names, key=lambda name: self._docks[name].y())

    def _leading(self, stack: list[str]) -> str:
        """The dock whose width a column takes: the first that was given one by the user, or by default."""
        for lengths in (self._wishes["width"], self._defaults["width"]):
            for name in stack:
                if any(other in lengths for other in self._in_place_of(name)):
                    return name
        return stack[0]

    def _wish(self, way: str, name: str) -> float:
        """The length that a dock is to have, in pixels: that of any dock in its place, if it has none."""
        for lengths in (self._wishes[way], self._defaults[way]):
            for other in self._in_place_of(name):
                if other in lengths:
                    return lengths[other] * self._themes.scale
        return _ORDINARY[way] * self._themes.scale

    def _widened(self, heights: dict[str, float], room: float) -> list[float]:
        """The heights of a column; what is left over goes to panels whose height is not that of a text."""
        elastic = {name: height for name, height in heights.items() if not self._is_kept(name)}
        if (spare := room - sum(heights.values())) <= 0 or not elastic:
            return list(heights.values())
        factor = 1 + spare / sum(elastic.values())
        return [height * factor if name in elastic else height for name, height in heights.items()]

    def _is_kept(self, name: str) -> bool:
        """Whether a panel is to have no more than its default height."""
        return name in self._of_text and not self._wishes["height"]

    def _in_place_of(self, name: str) -> list[str]:
        """A dock and those behind it."""
        behind = self._window.tabifiedDockWidgets(self._docks[name])
        return [name, *(dock.objectName() for dock in behind)]

    def _resize(self, names: list[str], lengths: list[float], way: Qt.Orientation) -> None:
        docks = [self._docks[name] for name in names]
        now = [dock.width() if way == Qt.Orientation.Horizontal else dock.height() for dock in docks]
        wanted = [round(length) for length in lengths]
        if docks and now != wanted:
            self._window.resizeDocks(docks, wanted, way)

    def _follow_scale(self) -> None:
        if self._themes.scale != self._scale:
            self._scale = self._themes.scale
            self.fit()


def _shrunk(lengths: list[float], room: float) -> list[float]:
    """Lengths that fit into a room, each less by the same share if need be."""
    share = min(1.0, room / sum(lengths)) if lengths else 1.0
    return [length * share for length in lengths]


def _shares(lengths: list[float], room: int) -> list[float]:
    """Whole lengths in the same proportions that fill a room to the pixel."""
    edges = [round(edge * room / sum(lengths)) for edge in accumulate(lengths, initial=0.0)]
    return [float(after - before) for before, after in pairwise(edges)]


def _with_least(lengths: list[float], least: list[float], room: int) -> list[float]:
    """The lengths with none below its least, and the others shorter in the same proportion.

    Where that is more than there is the largest gives way: it loses the smallest part of what it shows.
    """
    largest = least.index(max(least))
    floors = list(least)
    floors[largest] = min(floors[largest], max(room - (sum(least) - floors[largest]), _OTHERS * room))
    floors = _shrunk(floors, room)
    fixed: set[int] = set()
    while low := {at for at in range(len(lengths)) if at not in fixed and lengths[at] < floors[at]}:
        fixed |= low
        rest = sum(length for at, length in enumerate(lengths) if at not in fixed)
        share = (room - sum(floors[at] for at in fixed)) / rest if rest else 0.0
        lengths = [floors[at] if at in fixed else length * share for at, length in enumerate(lengths)]
    return _shares(lengths, room)
