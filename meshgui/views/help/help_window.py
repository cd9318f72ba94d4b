"""The page about strategy, network, experiments or scenario, in a window of its own beside another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from meshgui.engine.allocation.base import Strategy
from meshgui.model.help_pages import (
    experiments_page,
    help_page,
    network_page,
    scenario_page,
    worked_example,
)
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, push_button

__all__ = ["StrategyHelp"]

_SIZE = QSize(600, 720)
_NOTES_WIDTH = 360  # the panels at the left are not much narrower

General = Literal["network", "experiments"]
Topic = Literal["strategy", "scenario"] | General

_GENERAL: Final[Mapping[General, tuple[str, Callable[[], str]]]] = {
    "network": ("The network", network_page),
    "experiments": ("Experiments", experiments_page),
}
"""Pages that are the same whatever is open: the title of each, and what reads it."""


class StrategyHelp(QDialog):
    """Shows a page; the window below can be used meanwhile."""

    example_asked = Signal(str)  # a scenario as JSON

    def __init__(self, window: QWidget, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._themes = window, themes
        self._strategy: type[Strategy] | None = None
        self._topic: Topic = "strategy"
        self._example: str | None = None
        self.page = MarkdownView(themes)
        hint = "Open the scenario of this page; it is not saved anywhere"
        self.example_button = push_button("Open the worked example", hint, self._open_example)
        self.close_button = push_button("Close", "Close this page (Esc)", self.close)
        for button in (self.example_button, self.close_button):
            button.setAutoDefault(False)
        sizing = Sizing(themes, self)
        self._foot = sizing.row(self.example_button, 1, self.close_button, spacing=8, margins=(12, 8, 12, 8))
        sizing.column((self.page, 1), hairline(), self._foot, on=self)
        as_panel(self)
        for key in ("F1", "Shift+F1", "Ctrl+F1"):
            QShortcut(QKeySequence(key), self, self.close)  # the key that opened it

    @property
    def tells_of_scenario(self) -> bool:
        """Whether a scenario's notes are being read."""
        return self.isVisible() and self._topic == "scenario"

    def toggle_strategy(self, strategy: type[Strategy] | None) -> None:
        """Open it on the page of a strategy, turn to that page, or close it."""
        if self._leaves("strategy"):
            return
        self._topic = "strategy"
        if strategy is not None:
            self._show_strategy(strategy)
        self._open()

    def toggle_general(self, topic: General) -> None:
        """Open it on the page about the network or experiments, turn to that page, or close it."""
        if self._leaves(topic):
            return
        if self._topic != topic:
            self._topic, self._strategy = topic, None
            title, page = _GENERAL[topic]
            self._show_page(title, page())
        self._open()

    def toggle_scenario(self, title: str, notes: str) -> None:
        """Open it on a scenario's notes, turn to them, or close it."""
        if not self._leaves("scenario"):
            self._show_scenario(title, notes)
            self._open()

    def tell(self, title: str, notes: str) -> None:
        """Show a scenario's notes without being asked: the keyboard stays with the window below."""
        self._show_scenario(title, notes)
        self._open(asked=False)

    def follow(self, strategy: type[Strategy]) -> None:
        """Another strategy is at work: turn to its page where such a page is being read."""
        if self.isVisible() and self._topic == "strategy":
            self._show_strategy(strategy)

    def follow_scenario(self, title: str, notes: str) -> None:
        """Another scenario is on the table: turn to its notes where notes are read; close if it has none."""
        if self.tells_of_scenario and notes:
            self._show_scenario(title, notes)
        elif self.tells_of_scenario:
            self.close()

    def _leaves(self, topic: Topic) -> bool:
        """Close it where this is what is being read; whether it was."""
        return self.isVisible() and self._topic == topic and self.close()

    def _show_scenario(self, title: str, notes: str) -> None:
        self._topic, self._strategy = "scenario", None
        self._show_page(title, scenario_page(title, notes))

    def _show_strategy(self, strategy: type[Strategy]) -> None:
        """Show the page of a strategy; the one shown already stays where it was read."""
        if strategy is not self._strategy:
            self._strategy = strategy
            self._show_page(strategy.title, help_page(strategy))

    def _show_page(self, title: str, page: str) -> None:
        self._example = worked_example(page)
        self.setWindowTitle(f"{title} – MeshGUI")
        self.page.show_page(page)
        self.example_button.setVisible(self._example is not None)

    def _open(self, *, asked: bool = True) -> None:
        """Over the panels at the left; notes that open by themselves leave the keyboard where it is."""
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not asked)
        if not self.isVisible():
            px = self._themes.px
            room = self._window.size() - QSize(px(32), px(96))
            self.resize(self._size().boundedTo(room))
            self.move(self._window.mapToGlobal(QPoint(px(16), px(72))))
            self.show()
        if asked:
            self.activateWindow()
            self.page.setFocus()

    def _size(self) -> QSize:
        """A page is as large as it is; notes are as tall as they need, and leave the mesh in sight."""
        px = self._themes.px
        if self._topic != "scenario":
            return QSize(px(_SIZE.width()), px(_SIZE.height()))
        width, foot = px(_NOTES_WIDTH), self._foot.sizeHint().height()
        return QSize(width, min(self.page.height_at(width) + foot + px(8), px(_SIZE.height())))

    def _open_example(self) -> None:
        if self._example is not None:
            self.example_asked.emit(self._example)
