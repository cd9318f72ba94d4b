"""Pages in Markdown as they are drawn."""

import pytest
from PySide6.QtGui import QTextFormat
from pytestqt.qtbot import QtBot

from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.theme import SIZES, ThemeManager

PAGE = "# Title\n\nSome *words* and `code`.\n\n## Part\n\n```json\n{\n  1\n}\n```\n\nThe end.\n"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_markdown_wears_the_theme(qtbot: QtBot, themes: ThemeManager, mode: str):
    """Headings by the one scale of type, code in the monospace face on its own ground."""
    themes.set_mode("dark" if mode == "dark" else "light")
    view = MarkdownView(themes)
    qtbot.addWidget(view)
    view.show_page(PAGE)
    blocks = {}
    block = view.document().begin()
    while block.isValid():
        blocks[block.text()] = block
        block = block.next()
    title, code = blocks["Title"].begin().fragment(), blocks["  1"].begin().fragment()
    assert title.charFormat().font().pixelSize() == SIZES["title"]
    assert not title.charFormat().intProperty(QTextFormat.Property.FontSizeAdjustment)
    assert code.charFormat().font().family() == themes.mono().family()
    assert blocks["  1"].blockFormat().background().color() == themes.theme.colour("hover")
    assert view.verticalScrollBar().value() == 0
