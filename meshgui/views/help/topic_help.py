"""The help button, with its key, of a window with a page of its own."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.views.help.help_window import HelpPage, HelpWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager


class TopicHelp(QToolButton):
    """Opens and closes a page; it closes with the window."""

    def __init__(self, window: QWidget, themes: ThemeManager, icons: IconShelf, page: HelpPage) -> None:
        super().__init__()
        self._window, self._themes, self._page = window, themes, page
        words = tr("About {page}").format(page=within(page.title))
        self.setToolTip(f"{words} (F1)")
        self.setAccessibleName(words)
        icons.dress(self, "circle-question-mark")
        self.clicked.connect(self.toggle)
        QShortcut(QKeySequence("F1"), window, self.toggle)
        window.installEventFilter(self)
        Sizing(themes, self).icons(16, self)

    @cached_property
    def page(self) -> HelpWindow:
        """The help window, created at first use."""
        return HelpWindow(self._window, self._themes)

    def toggle(self) -> None:
        """Show the page, or close it."""
        self.page.toggle(self._page)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Close the page with the window."""
        if event.type() == QEvent.Type.Hide and watched is self._window and "page" in self.__dict__:
            self.page.close()
        return super().eventFilter(watched, event)
