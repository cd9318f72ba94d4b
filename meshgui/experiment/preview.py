"""Quick results of an experiment, first rough and then ever more precise, for curves that follow a slider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import look
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.simulation import simulate_figures
from meshgui.engine.scenario import Scenario
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult, PointState
from meshgui.experiment.run_spec import RunResult, figures_under_load

MOST_PREVIEWED: Final = 200  # points
_MOST_PROCESSORS: Final = 512  # 16×16 and 8×8×8 are below it
_MOST_JOBS: Final = 1000
_CYCLES_A_JOB: Final = 20  # of a steady load, for each job that another run would have


class PreviewPass(NamedTuple):
    """How far one pass over all points goes."""

    jobs: int  # of a run, at most
    runs: int  # of a point


PASSES: Final = (PreviewPass(100, 1), PreviewPass(_MOST_JOBS, 1), PreviewPass(_MOST_JOBS, 5))


class Preview(NamedTuple):
    """All points after a pass."""

    passed: PreviewPass
    points: list[PointResult]
    last: bool


def check_previewed(experiment: Experiment) -> None:
    """Raise FieldError where results could not follow a slider."""
    if len(experiment.points) > MOST_PREVIEWED:
        raise FieldError(
            tr("live curves have at most {MOST_PREVIEWED} points, but these have {points}").format(
                MOST_PREVIEWED=MOST_PREVIEWED, points=len(experiment.points)
            )
        )
    for point in experiment.points:
        machine = point.scenario.machine
        if machine.processors > _MOST_PROCESSORS:
            raise FieldError(
                tr("live curves need a mesh of at most {MOST_PROCESSORS} processors").format(
                    MOST_PROCESSORS=_MOST_PROCESSORS
                )
            )


def previews(experiment: Experiment) -> Iterator[Preview]:
    """Results after each pass; runs of a later pass add to those before it."""
    whole = experiment.target.model_copy(update={"least": PASSES[-1].runs, "most": PASSES[-1].runs})
    previewed = replace(experiment, target=whole)
    states: list[PointState] = []
    before = PreviewPass(0, 0)
    for one in PASSES:
        if one.jobs != before.jobs:
            states = [PointState(previewed, point) for point in experiment.points]
            before = PreviewPass(one.jobs, 0)
        for run in range(before.runs, one.runs):
            for state in states:
                scenario = _shortened(state.point.scenario, one.jobs)
                try:
                    state.take([(run, _result(scenario, experiment.seed + run))])
                except NetworkError as error:  # a deadlock
                    state.fail(run, str(error))
                look()
        before = one
        yield Preview(one, [state.result for state in states], one == PASSES[-1])


def _result(scenario: Scenario, seed: int) -> RunResult:
    load = figures_under_load(scenario, seed)
    if load is not None:
        return RunResult((load,), {}, 0.0)
    recording = simulate_figures(scenario, seed)
    if recording.deadlock is not None:
        raise NetworkError(recording.deadlock.words)
    figures, wall = figures_of(recording)
    return RunResult((figures,), wall, 0.0)


def _shortened(scenario: Scenario, jobs: int) -> Scenario:
    """The scenario with no more jobs than that, where they are drawn; or a steady load of fewer cycles."""
    workload, network = scenario.workload, scenario.network
    if network is not None and network.load is not None:
        cycles = min(network.load.cycles, jobs * _CYCLES_A_JOB)
        warm_up = network.load.warm_up * cycles // network.load.cycles
        load = network.load.model_copy(update={"cycles": cycles, "warm_up": warm_up})
        return scenario.model_copy(update={"network": network.model_copy(update={"load": load})})
    if workload.kind != "stochastic" or workload.jobs <= jobs:
        return scenario
    return scenario.model_copy(update={"workload": workload.model_copy(update={"jobs": jobs})})
