"""The list of a combo box shows every line whole."""

import pytest
from PySide6.QtCore import Qt

from meshgui.model.bookmarks import Bookmarks
from meshgui.model.breakpoints import Breakpoints
from meshgui.model.cursor import Cursor
from meshgui.views.panels.stops import StopsPanel
from tests.views.showing import shown


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_list_shows_all_of_its_lines(qtbot, themes, scale, high_contrast):
    """Below the focus' thicker frame Qt makes that of breakpoints two pixels too low, and cuts the last."""
    themes.set_high_contrast(high_contrast)
    themes.set_scale(scale)
    panel = shown(qtbot, StopsPanel(Cursor(), Breakpoints(), Bookmarks(), themes), 300, 500)
    panel.activateWindow()
    panel.kind.setFocus()
    qtbot.waitUntil(panel.kind.hasFocus)
    qtbot.mouseClick(panel.kind, Qt.MouseButton.LeftButton)
    view = panel.kind.view()
    qtbot.waitUntil(view.isVisible)
    edges, lines = view.contentsMargins(), range(panel.kind.count())
    room = view.window().height() - 2 * view.y() - edges.top() - edges.bottom()
    assert room >= sum(view.sizeHintForRow(line) for line in lines)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() == 0)
    panel.kind.hidePopup()
