"""Memory, handles and widgets stay level while one plays, scrubs and steps: the short form of `make soak`."""

import random
from collections.abc import Callable

import pytest

from meshgui.views.window.main_window import MainWindow
from tests.tools import tool

pytestmark = pytest.mark.own_window

soak = tool("soak")


def test_rounds_of_a_lecture_leave_nothing_behind(
    make_window: Callable[[], MainWindow], monkeypatch: pytest.MonkeyPatch
):
    """After the first two, which fill what is kept, no handle and no widget is added, and few bytes."""
    monkeypatch.setattr(soak, "_OPENED", ("three-jobs-4x4x4",))
    monkeypatch.setattr(soak, "_STEPS", 3)
    window, draw, levels = make_window(), random.Random(1), []
    for _ in range(4):
        soak.round_of(window, draw)
        levels.append(soak.level())
    assert soak.grown(levels) == []


def test_growth_is_seen():
    """Of each kind, once it goes on in the last quarter; what is kept from the first rounds is none."""
    level = soak.Level(1 << 29, 12, 500, 10**5)
    early = [level._replace(bytes_=0, handles=3, widgets=100)] * 2
    assert soak.grown([*early, *[level] * 6]) == []
    for part in ({"handles": 13}, {"widgets": 501}, {"bytes_": 1 << 30}):
        assert len(soak.grown([*early, *[level] * 4, *[level._replace(**part)] * 2])) == 1
