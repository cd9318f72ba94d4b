"""The window of a help page: strategy, network, experiments or program, beside another window."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.manual.help_pages import worked_example
from meshgui.views.help.help_page_view import HelpPageView
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, push_button

_SIZE = QSize(600, 720)

Topic = Literal["strategy", "network", "experiments", "comparison", "driving", "about"]


class HelpPage(NamedTuple):
    """A page of Markdown about a topic."""

    topic: Topic
    title: str
    text: str


class HelpWindow(QDialog):
    """Shows a page; the window below can be used meanwhile."""

    example_asked = Signal(str)  # a scenario as JSON

    def __init__(self, window: QWidget, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._themes = window, themes
        self._shown: HelpPage | None = None
        self._example: str | None = None
        self.page = HelpPageView(themes)
        self.page.setAccessibleName(tr("Page of help"))
        hint = tr("Open the scenario of this page; it is not saved anywhere")
        self.example_button = push_button(tr("Open the worked example"), hint, self._open_example)
        self.close_button = push_button(tr("Close"), tr("Close this page (Esc)"), self.close)
        for button in (self.example_button, self.close_button):
            button.setAutoDefault(False)
        sizing = Sizing(themes, self)
        foot = sizing.row(self.example_button, 1, self.close_button, spacing=8, margins=(12, 8, 12, 8))
        sizing.column((self.page, 1), hairline(), foot, on=self)
        as_panel(self)
        for key in ("F1", "Shift+F1", "Ctrl+Shift+F1", "Alt+F1", "Ctrl+Alt+H", "Ctrl+Shift+I"):
            QShortcut(QKeySequence(key), self, self.close)  # the key that opened it

    def shows(self, topic: Topic) -> bool:
        """Whether a page about this is open."""
        return self.isVisible() and self._shown is not None and self._shown.topic == topic

    def toggle(self, page: HelpPage) -> None:
        """Open a page, or close the window if it shows one about the same topic."""
        if self.shows(page.topic):
            self.close()
        else:
            self.show_page(page)
            self._open()

    def show_page(self, page: HelpPage) -> None:
        """Show a page from its start; the one shown already stays where it was read."""
        if page == self._shown:
            return
        self._shown, self._example = page, worked_example(page.text)
        self.setWindowTitle(tr("{page} – MeshGUI").format(page=page.title))
        self.page.show_written(page.text)
        self.example_button.setVisible(self._example is not None)

    def _open(self) -> None:
        """Open over the panels on the left."""
        if not self.isVisible():
            px = self._themes.px
            room = self._window.size() - QSize(px(32), px(96))
            self.resize(QSize(px(_SIZE.width()), px(_SIZE.height())).boundedTo(room))
            self.move(self._window.mapToGlobal(QPoint(px(16), px(72))))
            self.show()
        self.activateWindow()
        self.page.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _open_example(self) -> None:
        if self._example is not None:
            self.example_asked.emit(self._example)
