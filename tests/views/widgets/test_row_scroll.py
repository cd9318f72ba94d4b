"""What scrolls row by row: where it ends, and on what ground it lies."""

from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from meshgui.views.widgets.row_scroll import RowScroll
from tests.views.conftest import handle_events


def test_what_scrolls_lies_on_the_ground_of_panels(qtbot, themes):
    """The content paints none of its own over it, as Qt has it do by itself."""
    scroll = RowScroll(QWidget())
    qtbot.addWidget(scroll)
    scroll.resize(80, 80)
    scroll.show()
    handle_events()
    assert scroll.grab().toImage().pixelColor(40, 40).name() == themes.theme.panel


def test_it_ends_between_rows_where_only_lines_of_words_need_more(qtbot):
    """Words that wrap say how high they are at one width only: their least height knows nothing of it."""
    content = QWidget()
    words, button = QLabel("word " * 60, wordWrap=True), QPushButton("Last")
    column = QVBoxLayout(content)
    column.addWidget(words)
    column.addWidget(button)
    scroll = RowScroll(content)
    qtbot.addWidget(scroll)
    scroll.resize(200, 80)
    scroll.show()
    handle_events()
    scroll.resize(200, button.geometry().center().y())
    handle_events()
    assert scroll.verticalScrollBar().maximum() > 0
    assert content.minimumSizeHint().height() <= scroll.height()
    assert button.visibleRegion().isEmpty()
