"""The tabs of the open scenarios, above the mesh once there are two."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import Document
from meshgui.views.document.open_scenarios import OpenScenarios
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import literal
from meshgui.views.widgets.tool_button import tool_button


class ScenarioTabs(QTabBar):
    """One tab a scenario, with a dot if it is not saved; its × or the middle button closes it."""

    def __init__(
        self, scenarios: OpenScenarios, document: Document, themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__()
        self._scenarios, self._icons = scenarios, icons
        self._sizing = Sizing(themes, self)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Open scenarios"))
        self.currentChanged.connect(scenarios.show)
        self.tabMoved.connect(scenarios.move)
        scenarios.changed.connect(self._fill)
        document.changed.connect(self._name)
        document.draft_changed.connect(self._name)
        self._fill()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Close the tab under the middle button."""
        place = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and place >= 0:
            self._scenarios.close(place)
        else:
            super().mouseReleaseEvent(event)

    def _fill(self) -> None:
        with QSignalBlocker(self):
            while self.count() > len(self._scenarios):
                self.removeTab(self.count() - 1)
            while self.count() < len(self._scenarios):
                self._add()
            self.setCurrentIndex(self._scenarios.shown)
        self._name()
        self.setVisible(self.count() > 1)

    def _add(self) -> None:
        place = self.addTab("")
        button = tool_button(self._icons, "x", tr("Close this scenario"))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(partial(self._close_at, button))
        self._sizing.icons(12, button).call(button.setFixedSize, 20, 20)
        self.setTabButton(place, QTabBar.ButtonPosition.RightSide, button)

    def _close_at(self, button: object, _checked: bool = False) -> None:
        side = QTabBar.ButtonPosition.RightSide
        place = next(place for place in range(self.count()) if self.tabButton(place, side) is button)
        self._scenarios.close(place)

    def _name(self) -> None:
        for place, state in enumerate(self._scenarios.states):
            title = literal(f"{state.title}{' •' if state.modified else ''}")
            if place < self.count() and title != self.tabText(place):
                self.setTabText(place, title)
                self.setTabToolTip(place, state.title)
