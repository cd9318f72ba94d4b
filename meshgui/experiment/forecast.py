"""Estimates before an experiment is begun how many runs it takes, and about how long."""

from __future__ import annotations

import math
from time import monotonic
from typing import NamedTuple

from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import Imprecision, PointState, states_of
from meshgui.experiment.store import RunRecord, Store
from meshgui.experiment.task import outcome_of


class StoppedTrial(NamedTuple):
    """A trial that was stopped before one run was made."""

    after: float  # seconds
    run: float | None = None  # seconds of a run, going by the jobs that had ended; None where none had


class Forecast(NamedTuple):
    """Runs and time that are still to come."""

    points: int
    kept: int  # replications counted that the store has
    least: int  # runs still to make if every point is precise at once
    most: int  # and if none ever is
    likely: int  # going by how far the runs there are scatter; the least where nothing is known
    seconds: float | None  # for the likely ones; None where nothing is known of any point
    imprecise: Imprecision | None = None  # of the points of which the most runs were made
    cut: StoppedTrial | None = None  # the trial that the time goes by, where no run is known


def forecast(
    experiment: Experiment, store: Store, workers: int = 1, cut: StoppedTrial | None = None
) -> Forecast:
    """From what the store has; a point of which nothing is known is taken for one like the others.

    Where nothing is known of any, a trial that was cut says what there is to say.
    """
    states = states_of(experiment, store)
    target = experiment.target
    of_a_run = [state.result.seconds for state in states if state.counted]
    if of_a_run:
        cut = None
    usual = math.fsum(of_a_run) / len(of_a_run) if of_a_run else None if cut is None else cut.run
    seconds = 0.0
    for state in states:
        if state.open and usual is not None:
            seconds += (state.needed() - state.counted) * (state.result.seconds if state.counted else usual)
    return Forecast(
        len(states),
        sum(state.counted for state in states),
        sum(max(0, state.target.least - state.counted) for state in states if state.open),
        sum(state.target.most - state.counted for state in states if state.open),
        sum(state.needed() - state.counted for state in states if state.open),
        None if usual is None else seconds / workers,
        Imprecision.of((state.result for state in states if state.decided), target),
        cut,
    )


def run_trial(experiment: Experiment, store: Store, seconds: float) -> StoppedTrial | None:
    """Make the first replication of a few points spread over the grid, for about that long, and keep them.

    How far a run was that was stopped is the answer.
    """
    states = [state for state in states_of(experiment, store) if state.open]
    _make_known(experiment, store)
    left = seconds
    for state in _spread(states):
        if left <= 0:
            return None
        if state.has(0):
            continue
        work, begun = Work(), monotonic()
        try:
            outcome = outcome_of(0, state.point.spec.text, experiment.seed, work)
        except Stopped:
            after, (ended, jobs, *_) = monotonic() - begun, work.progress
            return StoppedTrial(after, after * jobs / ended if ended else None)
        if outcome.result is not None:
            store.keep([RunRecord(state.point.spec.key, experiment.seed, outcome.result)])
            left -= outcome.result.seconds
    return None


def _make_known(experiment: Experiment, store: Store) -> None:
    """Have the store know the points, but not list the experiment: perhaps it is never begun."""
    if all(sweep.id != experiment.id for sweep in store.sweeps()):
        store.begin(experiment.id, experiment.as_data(), (point.spec for point in experiment.points))
        store.forget(experiment.id)


def _spread(states: list[PointState]) -> list[PointState]:
    """The first, the last and the one in the middle."""
    if len(states) <= 3:
        return states
    return [states[0], states[-1], states[len(states) // 2]]
