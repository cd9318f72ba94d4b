"""The dock of a panel: it scrolls what has no room, says what the panel shows, and has a title or a tab."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QFrame,
    QMainWindow,
    QScrollArea,
    QTabBar,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.panel_spec import PanelSpec
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.tips import Tips

LEAST_HEIGHT: Final = 48
"""What is seen of a panel in the smallest window; beyond it the panel scrolls."""

_LEAST_WIDTH: Final = 72
_BUTTON = 20  # the height of those on a title


def make_dock(spec: PanelSpec, view: QWidget, window: QMainWindow, themes: ThemeManager) -> QDockWidget:
    """Put a panel into a dock."""
    dock = QDockWidget(spec.title, window)
    dock.setObjectName(spec.name)
    inside = view if isinstance(view, QScrollArea) else _Scrolled(view)
    sizing = Sizing(themes, dock).call(inside.setMinimumSize, _LEAST_WIDTH, LEAST_HEIGHT)
    for button in dock.findChildren(QAbstractButton):  # which Qt gives one height at every size of text
        sizing.call(button.setMinimumHeight, _BUTTON)
    dock.setWidget(inside)
    dock.setWhatsThis(spec.sentence)
    inside.setAccessibleName(spec.title)
    inside.setAccessibleDescription(spec.sentence)  # Qt passes on only the titles of docks themselves
    return dock


def scrolled_away(dock: QDockWidget) -> int:
    """The height that a dock lacks for the least that its panel needs; 0 where there is enough."""
    inside = dock.widget()
    if not isinstance(inside, QScrollArea) or (panel := inside.widget()) is None:
        return 0
    return max(panel.minimumSizeHint().height() - inside.viewport().height(), 0)


def in_front(dock: QDockWidget) -> bool:
    """Whether a dock is visible, and not behind another tab."""
    return dock.isVisible() and _in_sight(dock)


def _in_sight(widget: QWidget) -> bool:
    """Whether some of a widget is visible; a part of it that is painted whole hides what lies below it.

    Not by `findChildren`: the dock would keep all it has found for as long as it lives.
    """
    if not widget.visibleRegion().isEmpty():
        return True
    return any(_in_sight(child) for child in widget.children() if isinstance(child, QWidget))


class DockTitles(QObject):
    """Keeps titles and tabs of docks: those that share a place have tabs, which name them, and no titles."""

    menu_asked = Signal(QWidget, QPoint)  # the widget pointed at in a panel, and where on the screen

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._away = False
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.update)

    def follow(self, dock: QDockWidget) -> None:
        """Keep the title of a dock."""
        Tips(dock, partial(_words_of_title, dock))
        for change in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
            change.connect(self._update_soon)
        dock.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        dock.customContextMenuRequested.connect(partial(self._show_menu, dock))

    def _update_soon(self) -> None:
        """Update the titles once the docks have their places."""
        if not self._soon.isActive():
            self._soon.start()

    def put_away(self, away: bool) -> None:
        """Have no titles around the mesh, or have them again."""
        self._away = away
        self.update()

    def update(self) -> None:
        """Hide the title of docks that share a place: their tabs name them and can be dragged."""
        for dock in self._docks.values():
            shares = self._away or bool(self._window.tabifiedDockWidgets(dock))
            bare = shares and not dock.isFloating()
            title = dock.titleBarWidget()
            if bare and title is None:
                dock.setTitleBarWidget(QWidget(dock))
            elif not bare and title is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type] # None is the native one
                title.deleteLater()
        self._hide_stray_tabs()

    def _hide_stray_tabs(self) -> None:
        """Hide the tab bars over no dock: Qt leaves one behind where it puts a dock's place into another."""
        docks = self._docks.values()
        heads = {(d.x(), d.y(), d.width()) for d in docks if d.isVisible() and not d.isFloating()}
        says = {dock.windowTitle(): dock.whatsThis() for dock in docks}
        only_direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=only_direct):
            bar.setAccessibleName(tr("Panels"))
            bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # each panel has a key, and F6 goes round
            place = bar.geometry()
            if place.intersects(self._window.rect()):
                bar.setVisible((place.x(), place.bottom() + 1, place.width()) in heads)
            for tab in range(bar.count()):
                bar.setTabToolTip(tab, says.get(bar.tabText(tab), ""))

    def _show_menu(self, dock: QDockWidget, at: QPoint) -> None:
        """Show the context menu of a point of a panel; on its title, the list of panels."""
        place, inside, there = dock.childAt(at), dock.widget(), dock.mapToGlobal(at)
        if inside is not None and inside.geometry().contains(at):
            self.menu_asked.emit(place or dock, there)
        elif (menu := self._window.createPopupMenu()) is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(there)


def _words_of_title(dock: QDockWidget, at: QPointF) -> str:
    """What a panel shows, said over its title and not over what is in it."""
    return "" if dock.widget().geometry().contains(at.toPoint()) else dock.whatsThis()


class _Scrolled(QScrollArea):
    """A panel that scrolls where its dock is smaller than it can be."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self._view = view
        self._fits = False  # the panel into itself, at this moment
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(view)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Fit the panel once: where each size asks for another, Qt does so until the stack is full."""
        if self._fits:
            return False
        self._fits = True
        try:
            return super().eventFilter(watched, event)
        finally:
            self._fits = False

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the panel."""
        return self._view.sizeHint()
