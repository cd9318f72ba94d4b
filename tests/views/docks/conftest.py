"""The window, whose docks are tested."""

from tests.views.window.conftest import lecture, long_run, make_window, window, window_size  # noqa: F401 - fixtures
