"""Reads and runs a scenario for a command, with the faults of either in the command line's terms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from meshgui.cli.faults import Interrupted, UsageError, WorkFailed
from meshgui.cli.output import BETWEEN, ProgressLine, complain, complain_of_cache
from meshgui.cli.signals import is_interrupt, look
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import duration
from meshgui.engine.basics.work import Progress, RunError, Work
from meshgui.engine.runs.expectation import LONG, Pace, expectation
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario
from meshgui.engine.scenario.remarks import dropped_times


def read(path: Path) -> Scenario:
    """The scenario in a file."""
    try:
        return load_scenario(path)
    except ScenarioError as error:
        raise UsageError(str(error)) from None


def remark_dropped_times(scenario: Scenario, file: Path) -> None:
    """Say where the times that a workload states do not say how long its jobs run."""
    for remark in dropped_times(scenario):
        complain(tr("meshgui: {file}: {remark}").format(file=file, remark=remark))


def recorded(simulation: Simulation) -> Recording:
    """Run to the end, with progress; what is out of proportion is said before, or as soon as it shows."""
    expected = expectation(simulation.scenario, simulation.jobs)
    expected.require()
    if expected.large:
        complain(tr("meshgui: the run may take up to {words}; Ctrl+C stops it").format(words=expected.words))
    pace = None if expected.large else Pace()
    with ProgressLine(tr("Simulating"), "job") as line:

        def hear(progress: Progress) -> None:
            nonlocal pace
            seconds = None if pace is None else pace.seconds(progress.done, progress.of)
            if seconds is not None and seconds > LONG:
                pace = None  # said once
                said = tr("meshgui: the run will take about {duration}; Ctrl+C stops it")
                line.complain(said.format(duration=duration(seconds)))
            line.hear(progress)

        complain_of_cache(line)
        return simulation.run(Work(hear, between=BETWEEN))


@contextmanager
def working_on(path: Path) -> Iterator[None]:
    """A block that has strategies at work, each call in its own time; `path` is what their faults name."""
    try:
        with long_calls(), Work(look).under_way():
            yield
    except RunError as error:
        raise WorkFailed(f"{path}: {error}") from None


@contextmanager
def saying_if_stopped(of: Path | str, store: Path | None = None) -> Iterator[None]:
    """A block that Ctrl+C ends with a line on what it is `of`, or on the store that has what was done."""
    try:
        yield
    except BaseException as error:
        if not is_interrupt(error):
            raise
        said = tr("{file}: stopped before the end").format(file=of)
        if store is not None:
            said = tr("{store}: stopped; the same command continues from here").format(store=store)
        raise Interrupted(said) from None
