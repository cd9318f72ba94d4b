"""The dock of notes is as high as they are, at every size of text."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton

from tests.views.window.conftest import open_and_run, settle


@pytest.fixture
def window_size() -> QSize:
    """With more height than the panels ask for."""
    return QSize(1800, 1140)


@pytest.fixture
def noted(window, qtbot):
    """A window on a scenario with two lines of notes."""
    opened = open_and_run(window, qtbot, "first-fit-16x16")
    settle(opened, qtbot)
    return opened


def unused(window) -> int:
    """The height in the dock of notes that they do not need."""
    panel = window.panels.docks["notes"].widget().widget()
    return panel.height() - panel.sizeHint().height()


def test_notes_take_no_more_height_than_they_need(noted, themes, qtbot):
    """What a large window has beyond the wishes of its panels goes to lists, not to notes."""
    assert 0 <= unused(noted) <= themes.px(12)


def test_the_button_that_folds_notes_grows_with_the_text(noted, themes):
    """Its icon is as large as those beside it."""
    button = noted.panels.docks["notes"].findChild(QToolButton)
    small = button.iconSize().width()
    themes.set_scale(2.0)
    assert button.iconSize().width() == 2 * small
