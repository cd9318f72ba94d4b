"""The window whose run is stepped through, and a cursor with what shows it."""

from tests.views.timeline.conftest import cursor, recording, selection, shown  # noqa: F401 - fixtures
from tests.views.window.conftest import lecture, long_run, make_window, window, window_size  # noqa: F401 - likewise
