"""The window, whose docks are tested."""

import pytest
from PySide6.QtCore import QSize

from tests.views.window.conftest import DESK, lecture, long_run, make_window, window  # noqa: F401 - fixtures


@pytest.fixture
def window_size() -> QSize:
    """All docks have room."""
    return DESK
