"""What an experiment will take, told before it is begun: how many runs, and about how long."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from meshgui.engine.experiment.executors import InProcess, Task
from meshgui.engine.experiment.grid import Experiment
from meshgui.engine.experiment.results import PointState, states_of
from meshgui.engine.experiment.store import Kept, Store

__all__ = ["Forecast", "forecast", "pilot"]


class Forecast(NamedTuple):
    """Runs and time that are still to come."""

    points: int
    kept: int  # replications counted that the store has
    least: int  # runs still to make if every point is precise at once
    most: int  # and if none ever is
    likely: int  # going by how far the runs there are scatter; the least where nothing is known
    seconds: float | None  # for the likely ones; None where nothing is known of any point
    imprecise: int = 0  # points of which the most runs were made without getting as precise as wanted
    precision: float = 0.0  # that was wanted


def forecast(experiment: Experiment, store: Store, hands: int = 1) -> Forecast:
    """From what the store has; a point of which nothing is known is taken for one like the others."""
    states = states_of(experiment, store)
    target = experiment.target
    of_a_run = [state.result.seconds for state in states if state.counted]
    usual = math.fsum(of_a_run) / len(of_a_run) if of_a_run else None
    seconds = 0.0
    for state in states:
        if state.open and usual is not None:
            seconds += (state.needed() - state.counted) * (state.result.seconds if state.counted else usual)
    return Forecast(
        len(states),
        sum(state.counted for state in states),
        sum(max(0, target.least - state.counted) for state in states if state.open),
        sum(target.most - state.counted for state in states if state.open),
        sum(state.needed() - state.counted for state in states if state.open),
        None if usual is None else seconds / hands,
        sum(state.decided and not state.result.precise for state in states),
        target.precision,
    )


def pilot(
    experiment: Experiment, store: Store, seconds: float, look: Callable[[], bool] | None = None
) -> None:
    """Make the first replication of a few points spread over the grid, for about that long, and keep them.

    `look` is asked now and then, and False stops it with Cancelled; what has been made is kept.
    """
    states = [state for state in states_of(experiment, store) if state.open]
    _make_known(experiment, store)
    maker = InProcess(look)
    left = seconds
    for state in _spread(states):
        if left <= 0:
            return
        if state.has(0):
            continue
        maker.submit(Task(0, state.point.work, experiment.seed))
        [outcome] = maker.outcomes(0)
        if outcome.made is None:
            continue
        store.keep([Kept(state.point.work.key, experiment.seed, outcome.made)])
        left -= outcome.made.seconds


def _make_known(experiment: Experiment, store: Store) -> None:
    """Have the store know the points, but not list the experiment: perhaps it is never begun."""
    if all(sweep.id != experiment.id for sweep in store.sweeps()):
        store.begin(experiment.id, experiment.as_data(), (point.work for point in experiment.points))
        store.forget(experiment.id)


def _spread(states: list[PointState]) -> list[PointState]:
    """The first, the last and the one in the middle."""
    if len(states) <= 3:
        return states
    return [states[0], states[-1], states[len(states) // 2]]
