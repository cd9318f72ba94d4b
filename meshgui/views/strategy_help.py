"""The page about the strategy at work, or about the network, in a window of its own beside the main one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from meshgui.engine.allocation.base import Strategy
from meshgui.model.help_pages import help_page, network_page, worked_example
from meshgui.views.markdown_view import MarkdownView
from meshgui.views.theme import ThemeManager

__all__ = ["StrategyHelp"]

_SIZE = QSize(600, 720)


class StrategyHelp(QDialog):
    """Shows a page; the window below can be used meanwhile."""

    example_asked = Signal(str)  # a scenario as JSON

    def __init__(self, window: QWidget, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._themes = window, themes
        self._strategy: type[Strategy] | None = None
        self._about_network = False
        self._example: str | None = None
        self.page = MarkdownView(themes)
        self.example_button = QPushButton("Open the worked example")
        self.example_button.setToolTip("Open the scenario of this page; it is not saved anywhere")
        self.example_button.setAutoDefault(False)
        self.example_button.clicked.connect(self._open_example)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.example_button)
        self._foot.addStretch(1)
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.page, 1)
        column.addWidget(rule)
        column.addLayout(self._foot)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        for key in ("F1", "Shift+F1"):
            QShortcut(QKeySequence(key), self, self.close)  # the key that opened it
        themes.changed.connect(self._wear)
        self._wear()

    def toggle_strategy(self, strategy: type[Strategy] | None) -> None:
        """Open it on the page of a strategy, turn to that page, or close it."""
        if self.isVisible() and not self._about_network:
            self.close()
            return
        self._about_network = False
        if strategy is not None:
            self._show_strategy(strategy)
        self._open()

    def toggle_network(self) -> None:
        """Open it on the page about the network, turn to that page, or close it."""
        if self.isVisible() and self._about_network:
            self.close()
            return
        if not self._about_network:
            self._about_network, self._strategy = True, None
            self._show_page("The network", network_page())
        self._open()

    def follow(self, strategy: type[Strategy]) -> None:
        """Another strategy is at work: turn to its page where such a page is being read."""
        if self.isVisible() and not self._about_network:
            self._show_strategy(strategy)

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

    def _open(self) -> None:
        """Beside the panels about the algorithm."""
        if not self.isVisible():
            px = self._themes.px
            room = self._window.size() - QSize(px(32), px(96))
            self.resize(QSize(px(_SIZE.width()), px(_SIZE.height())).boundedTo(room))
            self.move(self._window.mapToGlobal(QPoint(px(16), px(72))))
            self.show()
        self.page.setFocus()

    def _open_example(self) -> None:
        if self._example is not None:
            self.example_asked.emit(self._example)

    def _wear(self) -> None:
        px = self._themes.px
        self._foot.setContentsMargins(px(12), px(8), px(12), px(8))
