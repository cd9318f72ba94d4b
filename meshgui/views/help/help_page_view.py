"""A page of help as it is read: its JSON as tables, which can be copied as a program takes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QCursor, QGuiApplication

from meshgui.engine.basics.translation import tr
from meshgui.model.manual.json_tables import COPY, as_read, json_blocks
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.tips import show_tip


class HelpPageView(MarkdownView):
    """Shows a page of the program or of a strategy."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__(themes)
        self._blocks: list[str] = []
        self.anchorClicked.connect(self._copy)

    def show_written(self, page: str, pictures: Path | None = None) -> None:
        """Show a page as its file has it, from its start."""
        self._blocks = json_blocks(page)
        self.show_page(as_read(page), pictures)

    def _copy(self, link: QUrl) -> None:
        if link.scheme() == COPY:
            QGuiApplication.clipboard().setText(self._blocks[int(link.path())])
            show_tip(self, QCursor.pos(), tr("Copied"))
