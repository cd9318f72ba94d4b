"""The strategy in the tool bar, with a menu of those that can run the same jobs at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario, ScenarioError, scenario_from
from meshgui.model.document import Document
from meshgui.views.style.direction import against_reading
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command, commands_in

__all__ = ["StrategySwitch"]


class StrategySwitch(QToolButton):
    """Runs the open scenario with another strategy; the cursor keeps its time."""

    refused = Signal(str)  # why a strategy cannot run the scenario

    def __init__(
        self, document: Document, run: Callable[[Scenario], object], icons: IconShelf, window: QWidget
    ) -> None:
        super().__init__(window)
        self._document, self._run = document, run
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(against_reading())  # the arrow behind the words
        self.setAutoRaise(True)
        icons.dress(self, "chevron-down")
        menu = _Strategies(self)
        menu.refused.connect(self._refuse)
        menu.setLayoutDirection(QGuiApplication.layoutDirection())
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        document.changed.connect(self._show_strategy)
        self._show_strategy()

    def commands(self) -> list[Command]:
        """Opening the menu."""
        return commands_in(
            tr("Run"),
            (
                "run.strategy",
                tr("Change the strategy…"),
                tr("Run the same jobs with another strategy, and stay at this moment"),
                self.open,
                ("Ctrl+Shift+A",),
                "code",
            ),
            synonyms={"run.strategy": tr("switch allocator algorithm compare other same jobs")},
        )

    def open(self) -> None:
        """Open the menu: below the button, or where that has no room in the middle of the window."""
        menu = self.menu()
        if self.isVisible():
            self.showMenu()
        elif self._document.scenario is not None and menu is not None:
            window = self.window()
            menu.popup(window.mapToGlobal(QPoint(window.width() // 3, window.height() // 8)))

    def run_with(self, name: str) -> None:
        """Run the same jobs with a strategy."""
        scenario = self._document.edited or self._document.scenario
        if scenario is None:
            return
        try:
            changed = scenario_from(scenario.model_dump(mode="json") | {"allocator": {"name": name}})
        except ScenarioError as error:
            self._refuse(name, error.message)
            return
        self._run(changed)

    def _fill(self) -> None:
        from meshgui.engine.allocation.registry import strategies  # noqa: PLC0415 - read at first use
        from meshgui.views.scenario.offered_kinds import refusal_of  # noqa: PLC0415 - likewise

        menu, scenario = self.menu(), self._document.scenario
        if menu is None or scenario is None:
            return
        menu.clear()
        for name, cls in strategies().items():
            refusal = refusal_of(cls, scenario.machine)
            action = QAction(f"{cls.title}  ({name})".replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(name == scenario.allocator.name)
            action.setEnabled(not refusal)
            action.setData((name, refusal))
            action.setToolTip(refusal or tr("Run the same jobs with {cls}").format(cls=cls.title))
            action.triggered.connect(partial(self._choose, name))
            menu.addAction(action)

    def _refuse(self, name: str, message: str) -> None:
        self.refused.emit(tr("{name} cannot run this scenario: {message}").format(name=name, message=message))

    def _choose(self, name: str, _checked: bool = False) -> None:
        if self._document.scenario is not None and name != self._document.scenario.allocator.name:
            self.run_with(name)

    def _show_strategy(self) -> None:
        scenario = self._document.scenario
        self.setEnabled(scenario is not None)
        self.setText(tr("Strategy") if scenario is None else scenario.allocator.name)
        hint = tr("The same jobs with another strategy, at the same moment (Ctrl+Shift+A)")
        self.setToolTip(tr("The strategy\n{hint}").format(hint=hint))


class _Strategies(QMenu):
    """A menu that says why when one that is off is clicked, where Qt's does nothing; keys pass it over."""

    refused = Signal(str, str)  # the id, and why

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Say why at the press: the release that opened the menu is none of a strategy."""
        action = self.actionAt(event.position().toPoint())
        if action is None or action.isEnabled():
            super().mousePressEvent(event)
            return
        name, why = action.data()
        self.close()
        self.refused.emit(name, why)
