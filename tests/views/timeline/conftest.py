"""A run, a cursor and a selection, and the light theme, for the views of time."""

import pytest

from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from tests.runs import run_of
from tests.views import showing


@pytest.fixture
def recording():
    """A thousand jobs."""
    return run_of()


@pytest.fixture
def cursor():
    """A cursor without a recording."""
    return Cursor()


@pytest.fixture
def selection():
    """Nothing selected."""
    return Selection()


@pytest.fixture
def shown(qtbot, themes, cursor, selection):
    """Makes a view and shows it."""

    def show(make, width=1280, height=184):
        return showing.shown(qtbot, make(cursor, selection, themes), width, height)

    return show
