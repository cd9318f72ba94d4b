"""A small run in which everything happens, and a cursor, a selection and a theme to look at it with."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import FollowingView
from tests.views.showing import shown

P = TypeVar("P")
T = TypeVar("T")


def simulated(allocator: str, shape: list[int], jobs: list[tuple[float, list[int], float]]) -> Recording:
    """The recording of a list of jobs: arrival, size, service."""
    listed = [{"arrival": arrival, "size": size, "service": service} for arrival, size, service in jobs]
    return simulate(
        scenario_from(
            {
                "meshgui": 1,
                "title": "A small run",
                "mesh": {"shape": shape},
                "allocator": {"name": allocator},
                "workload": {"kind": "list", "jobs": listed},
            }
        )
    )


@pytest.fixture(scope="session")
def run() -> Callable[..., Recording]:
    """Simulate a strategy on a mesh with listed jobs."""
    return simulated


@pytest.fixture(scope="session")
def small_run() -> Recording:
    """On a 4×4 mesh: job 0 starts, job 1 turned, and jobs 2 to 41 wait their turn."""
    queue = [(2.0 + n / 100, [3, 3], 1.0) for n in range(40)]
    return simulated("tbl", [4, 4], [(0.0, [4, 2], 5.0), (1.0, [2, 4], 9.0), *queue])


@pytest.fixture
def cursor() -> Cursor:
    """A cursor with nothing to look at yet."""
    return Cursor()


@pytest.fixture
def selection() -> Selection:
    """Nothing selected."""
    return Selection()


def seen_both_ways(go: Callable[[P], object], places: Iterable[P], seen: Callable[[], T]) -> list[T]:
    """What is seen at each of some places, which is the same on the way back."""
    found: list[tuple[P, T]] = []
    for place in places:
        go(place)
        found.append((place, seen()))
    for place, before in reversed(found):
        go(place)
        assert seen() == before
    return [before for _, before in found]


@pytest.fixture
def show(qtbot: QtBot, cursor: Cursor, selection: Selection, themes: ThemeManager) -> Callable[..., QWidget]:
    """Open a panel, as wide as a dock is."""

    def made(kind: type[FollowingView], width: int = 300, height: int = 600) -> QWidget:
        return shown(qtbot, kind(cursor, selection, themes), width, height)

    return made
