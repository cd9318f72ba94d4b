"""The list of a combo box shows every line whole."""

import pytest
from PySide6.QtCore import Qt

from meshgui.model.bookmarks import Bookmarks
from meshgui.model.breakpoints import Breakpoints
from meshgui.model.cursor import Cursor
from meshgui.views.panels.stops import StopsPanel


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_list_shows_all_of_its_lines(qtbot, themes, scale, high_contrast):
    """That of what to stop at has fourteen, the last of which Qt cuts by two pixels."""
    themes.set_high_contrast(high_contrast)
    themes.set_scale(scale)
    panel = StopsPanel(Cursor(), Breakpoints(), Bookmarks(), themes)
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.mouseClick(panel.kind, Qt.MouseButton.LeftButton)
    view = panel.kind.view()
    qtbot.waitUntil(view.isVisible)
    last = view.visualRect(view.model().index(panel.kind.count() - 1, 0))
    assert view.verticalScrollBar().maximum() == 0
    assert last.bottom() <= view.viewport().rect().bottom()
    panel.kind.hidePopup()
