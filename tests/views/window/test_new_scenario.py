"""A new scenario in the window of a laptop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from meshgui.views.widgets.row_scroll import RowScroll
from tests.views.window.conftest import press, settle


@pytest.fixture
def window_size():
    """A laptop's."""
    return QSize(1366, 768)


def test_the_form_of_a_new_scenario_begins_at_its_top(window, qtbot):
    """The title has the keys, and what is above it is in sight."""
    press(qtbot, window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    settle(window, qtbot)
    title = QApplication.focusWidget()
    assert title.text() == window.context.document.title
    scroll = next(each for each in window.findChildren(RowScroll) if each.isAncestorOf(title))
    assert scroll.verticalScrollBar().value() == 0
