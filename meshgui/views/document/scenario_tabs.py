"""The tabs of the open scenarios, and of a page such as a comparison, above the mesh once there are two."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import Document
from meshgui.views.document.open_scenarios import TABS, OpenScenarios
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import literal
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.tool_button import tool_button

_SIDE: Final = QTabBar.ButtonPosition.RightSide


class ScenarioTabs(QTabBar):
    """One tab a scenario, with a dot if it is not saved, and one for a page; × or the middle button closes.

    The page is shown in place of the scenario, and left as soon as another scenario is opened.
    """

    page_shown = Signal(bool)  # the page is in sight now, or no longer
    page_closed = Signal()

    def __init__(
        self, scenarios: OpenScenarios, document: Document, themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__()
        self._scenarios, self._icons = scenarios, icons
        self._page: QWidget | None = None  # the × of the page's tab
        self._in_sight = False  # whether the page is shown
        self._away = False
        self._sizing = Sizing(themes, self)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Open scenarios"))
        self.currentChanged.connect(self._show)
        self.tabMoved.connect(self._move)
        scenarios.changed.connect(self._fill)
        document.opened.connect(self._fill)
        document.changed.connect(self._name)
        document.draft_changed.connect(self._name)
        self._fill()

    def commands(self) -> list[Command]:
        """Going from one tab to the next, and closing it."""
        return commands_in(
            TABS,
            Command(
                "file.next",
                tr("Next scenario"),
                tr("Show the scenario of the next tab, at the moment where it was left"),
                partial(self.show_next, 1),
                ("Ctrl+Tab", "Ctrl+PgDown"),
                "chevrons-right",
            ),
            Command(
                "file.previous",
                tr("Previous scenario"),
                tr("Show the scenario of the previous tab, at the moment where it was left"),
                partial(self.show_next, -1),
                ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
                "chevrons-left",
            ),
        ) + commands_in(
            tr("File"),
            Command(
                "file.close-scenario",
                tr("Close the scenario"),
                tr("Close the scenario and its tab; the last one leaves the welcome page"),
                lambda: self._close(self.currentIndex()),
                ("Ctrl+W",),
                "x",
            ),
        )

    def show_next(self, step: int) -> None:
        """Show the next tab, or the one before; after the last comes the first."""
        self.setCurrentIndex((self.currentIndex() + step) % self.count())

    def put_away(self, away: bool) -> None:
        """Have no tabs above the mesh, or have them again."""
        self._away = away
        self._show_if_many()

    def _show_if_many(self) -> None:
        self.setVisible(self.count() > 1 and not self._away)

    @property
    def page(self) -> int:
        """The place of the page's tab; -1 without a page."""
        return next((at for at in range(self.count()) if self._is_page(at)), -1)

    def show_page(self, title: str, hint: str) -> None:
        """Show the page, in the tab that it has already or in a new one."""
        if self._page is None:
            with QSignalBlocker(self):
                place = self._add(tr("Close the comparison"))
            self._page = self.tabButton(place, _SIDE)
        place = self.page
        self.setTabText(place, literal(title))
        self.setTabToolTip(place, hint)
        self._show_if_many()
        self.setCurrentIndex(place)

    def close_page(self) -> None:
        """Close the page's tab, and show the scenario that it stood for."""
        if self._page is None:
            return
        self._leave_page()
        with QSignalBlocker(self):
            self.removeTab(self.page)
            self._page = None
            self.setCurrentIndex(self._index(self._scenarios.shown))
        self._show_if_many()
        self.page_closed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Close the tab under the middle button."""
        place = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and place >= 0:
            self._close(place)
        else:
            super().mouseReleaseEvent(event)

    def _is_page(self, at: int) -> bool:
        return self._page is not None and self.tabButton(at, _SIDE) is self._page

    def _index(self, place: int) -> int:
        """The tab of a scenario, by its place among them."""
        return [at for at in range(self.count()) if not self._is_page(at)][place]

    def _place(self, index: int) -> int:
        """The place of a tab's scenario among them."""
        return sum(not self._is_page(at) for at in range(index))

    def _show(self, index: int) -> None:
        before, self._in_sight = self._in_sight, self._is_page(index)
        if before != self._in_sight:
            self.page_shown.emit(self._in_sight)
        if not self._in_sight:
            self._scenarios.show(self._place(index))

    def _leave_page(self) -> None:
        """Show the scenario again if the page was shown in its place."""
        if self._is_page(self.currentIndex()):
            self.setCurrentIndex(self._index(self._scenarios.shown))

    def _move(self, before: int, after: int) -> None:
        """Follow a scenario's tab that was dragged to another place."""
        pages = [self._is_page(at) for at in range(self.count())]
        if not pages.pop(after):
            self._scenarios.move(pages[:before].count(False), pages[:after].count(False))

    def _close(self, index: int) -> None:
        if self._is_page(index):
            self.close_page()
        else:
            self._scenarios.close(self._place(index))

    def _fill(self) -> None:
        """Have a tab for each scenario, and the one that is shown in front."""
        with QSignalBlocker(self):
            while self._place(self.count()) > len(self._scenarios):
                self.removeTab(self._index(-1))
            while self._place(self.count()) < len(self._scenarios):
                self._add(tr("Close this scenario"))
        self._leave_page()
        with QSignalBlocker(self):
            self.setCurrentIndex(self._index(self._scenarios.shown))
        self._name()
        self._show_if_many()

    def _add(self, hint: str) -> int:
        place = self.addTab("")
        button = tool_button(self._icons, "x", hint)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(partial(self._close_at, button))
        self._sizing.icons(12, button).call(button.setFixedSize, 20, 20).rule(self._measure, button)
        self.setTabButton(place, _SIDE, button)
        return place

    def _measure(self) -> None:
        """Have the tabs as high as their buttons are now: Qt measures them with the letters, before these."""
        QApplication.sendEvent(self, QEvent(QEvent.Type.FontChange))

    def _close_at(self, button: object, _checked: bool = False) -> None:
        self._close(next(at for at in range(self.count()) if self.tabButton(at, _SIDE) is button))

    def _name(self) -> None:
        for place, state in enumerate(self._scenarios.states):
            if place < self._place(self.count()):
                index = self._index(place)
                title = literal(f"{state.title}{' •' if state.modified else ''}")
                if title != self.tabText(index):
                    self.setTabText(index, title)
                    self.setTabToolTip(index, state.title)
