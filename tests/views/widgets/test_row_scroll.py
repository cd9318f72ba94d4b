"""What scrolls row by row lies on the ground of panels."""

from PySide6.QtWidgets import QWidget

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
