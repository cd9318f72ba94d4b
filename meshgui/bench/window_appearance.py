"""Times what changes the whole window, from its command to the end of the last paint."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Final, NamedTuple

from meshgui.bench.window_paints import LastPaint, repainted, timed, window_on
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.views.window.main_window import MainWindow

_SCENARIO: Final = "gabl-16x16"
_OTHER: Final = "first-fit-16x16"
_ALL_PANELS: Final = ("scenario", "plots", "algorithm")  # the last two share places with the first
_ROUNDS: Final = 5
_COMMANDS: Final = (
    ("window.theme", tr("light to dark or back")),
    ("window.presenter", tr("into or out of presenter mode")),
)


class AppearanceFigures(NamedTuple):
    """Milliseconds, each a median: from a command to the end of its last paint; painting all of it."""

    changes: list[tuple[str, float]]
    repaint: float
    window: str


def appearance_figures() -> AppearanceFigures:
    """Times each command in a window in which every panel has been used."""
    changes = []
    with window_on(_SCENARIO, 20.0) as (window, painted):
        for panel in _ALL_PANELS:
            window.panels.show(panel)
            repainted(painted, window)
        for command, what in _COMMANDS:
            taken = [timed(painted, partial(window.commands.trigger, command)) for _ in range(2 * _ROUNDS)]
            changes.append((what, median(taken[2:])))  # the first ones also load icons
        changes.append((tr("from one scenario's tab to another"), _tab_switch(window, painted)))
        repaints = [repainted(painted, window) for _ in range(_ROUNDS)]
    return AppearanceFigures(changes, median(repaints), tr("1600×1000, every panel used"))


def _tab_switch(window: MainWindow, painted: LastPaint) -> float:
    """Milliseconds from one of two open scenarios to the other, each in the middle of its run."""
    window.commands.trigger("file.welcome")
    scenario = load_scenario(example(_OTHER))
    window.document.take(scenario, None)
    window.time_cursor.show(simulate(scenario))
    window.time_cursor.go_to_time(20.0)
    repainted(painted, window)
    return median(timed(painted, partial(window.commands.trigger, "file.next")) for _ in range(2 * _ROUNDS))
