"""A card with one line, in which a moment that has just been bookmarked gets its name."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.bookmarks import Bookmark, Bookmarks
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.line_card import LineCard

_LONGEST: Final = 200  # letters: tooltips show the name


class BookmarkCard(LineCard):
    """Names a bookmark; without a name, or with Escape, it keeps its time as its name."""

    def __init__(self, host: QWidget, bookmarks: Bookmarks, themes: ThemeManager) -> None:
        super().__init__(
            host,
            themes,
            tr("Name this moment"),
            tr("Name of the bookmark"),
            tr("Esc keeps the time as name."),
        )
        self.line.setMaxLength(_LONGEST)
        self._bookmarks = bookmarks
        self._bookmark: Bookmark | None = None

    def ask_about(self, bookmark: Bookmark) -> None:
        """Show the card with the name the bookmark has now, chosen."""
        self._bookmark = bookmark
        self.line.setText(bookmark.name)
        self.open()

    def take(self) -> None:
        """Give the bookmark the name that is typed."""
        name = self.line.text().strip()
        self.dismiss()
        if self._bookmark is not None and name:
            self._bookmarks.rename(self._bookmark, name)
