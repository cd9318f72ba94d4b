"""Runs as objects: `run` makes one, and gives its figures, its tables, its moments and its steps."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.deadlock import Deadlock
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.engine.runs.stepped import stepped_attempt
from meshgui.engine.runs.table_dictionary import TABLES
from meshgui.engine.runs.tables import table_of
from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario, scenario_from
from meshgui.engine.scenario.models import LAST_SEED
from meshgui.engine.scenario.remarks import dropped_times
from meshgui.library.picture import page_of, picture_of
from meshgui.library.tables import ColumnTable, FigureRow

AnyScenario = Scenario | Mapping[str, Any] | str | PathLike[str]


class CodeStep(NamedTuple):
    """A step of an allocation attempt."""

    line: int  # of the pseudo-code, from 1
    label: str
    text: str  # of the line
    sentence: str  # what happens in this step
    marks: tuple[tuple[str, tuple[int, ...] | None], ...]  # roles, and boxes as x, y, z, w, d, h


class RunData:
    """A run that has been made: nothing of it changes."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    @property
    def scenario(self) -> Scenario:
        """What was run."""
        return self._recording.scenario

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""
        return self._recording.seed

    @cached_property
    def figures(self) -> FigureRow:
        """Every figure by its name in the dictionary."""
        figures, wall = figures_of(self._recording)
        found = figures | wall
        known = [name for name in NUMBERS if name in found]
        units = {name: NUMBERS[name].unit for name in known}
        return FigureRow({name: found[name] for name in known}, units)

    @property
    def deadlock(self) -> Deadlock | None:
        """Where the run stands still for ever: in which cycle, and which packets wait for each other."""
        return self._recording.deadlock

    @property
    def jobs(self) -> ColumnTable:
        """A row for a finished job."""
        return self._table("jobs")

    @property
    def boxes(self) -> ColumnTable:
        """A row for a box that a job got."""
        return self._table("boxes")

    @property
    def events(self) -> ColumnTable:
        """A row for an event, in order."""
        return self._table("events")

    @property
    def failures(self) -> ColumnTable:
        """A row for a box of processors that fails or is repaired, in order; none where nothing may fail."""
        return self._table("failures")

    @property
    def attempts(self) -> ColumnTable:
        """A row for a call of the allocator, in order."""
        return self._table("attempts")

    @property
    def packets(self) -> ColumnTable:
        """A row for a packet; none without a network."""
        return self._table("packets")

    @property
    def channels(self) -> ColumnTable:
        """A row for a channel that carried a flit, and a twentieth of the run; none without a network."""
        return self._table("channels")

    @property
    def utilisation(self) -> ColumnTable:
        """The machine over time: a row for a time at which something happens."""
        return self._table("utilisation")

    @property
    def queue(self) -> ColumnTable:
        """The queue over time: a row for a time at which something happens."""
        return self._table("queue")

    @property
    def by_size(self) -> ColumnTable:
        """A row for the jobs that ask for 1, 2, 3 to 4, 5 to 8, … processors."""
        return self._table("by_size")

    def at(self, time: float) -> Snapshot:
        """The machine when all that happens up to and at a time has happened."""
        if not (math.isfinite(time) and time >= 0):
            raise ValueError(tr("expected a time from 0, got {time}").format(time=time))
        return self._recording.snapshot(self._recording.position_at(time))

    def steps(self, job: int, attempt: int = -1) -> tuple[CodeStep, ...]:
        """The steps of an attempt to place a job: its last one, which placed it, unless another is named."""
        recording = self._recording
        if not 0 <= job < len(recording.jobs):
            most = len(recording.jobs) - 1
            raise ValueError(tr("expected a job from 0 to {most}, got {job}").format(most=most, job=job))
        attempts = recording.attempts_of(job)
        if not -len(attempts) <= attempt < len(attempts):
            said = tr("job {job} has {attempts} attempts: expected one of them, from 0, got {attempt}")
            raise ValueError(said.format(job=job, attempts=len(attempts), attempt=attempt))
        data = stepped_attempt(recording, attempts[attempt]).as_json()
        return tuple(_step(step) for step in data["steps"])

    def __repr__(self) -> str:
        jobs, seed = int(self.figures["jobs"]), self.seed
        mesh, name = self._recording.mesh.describe(), self.scenario.allocator.name
        return f"<Run: {mesh}, {name}, seed {seed}, {jobs} jobs finished>"  # untranslated

    def _repr_html_(self) -> str:
        """The run where nothing moves: its figures and curves."""
        return picture_of(self._recording, self.figures)

    def _repr_mimebundle_(self, **_which: object) -> dict[str, str]:
        """The run for a notebook: its web page, above its figures."""
        return {"text/plain": repr(self), "text/html": page_of(self._recording) + self._repr_html_()}

    def _table(self, name: str) -> ColumnTable:
        return self._tables.setdefault(name, None) or self._made(name)

    @cached_property
    def _tables(self) -> dict[str, ColumnTable | None]:
        return {}

    def _made(self, name: str) -> ColumnTable:
        units = {column.name: column.unit for column in TABLES[name].columns}
        made = self._tables[name] = ColumnTable(TABLES[name].title, table_of(self._recording, name), units)
        return made


def run(scenario: AnyScenario, *, seed: int | None = None) -> RunData:
    """Simulate a scenario, or the one in a file, to its end; with the seed given in place of its own."""
    if seed is not None and not (isinstance(seed, Integral) and 0 <= seed <= LAST_SEED):
        said = tr("expected a whole number from 0 to {last}, got {seed}").format(last=LAST_SEED, seed=seed)
        raise ScenarioError(said, ("seed",))
    of = scenario_of(scenario)
    warn_of_dropped_times(of)
    with long_calls():
        return RunData(Simulation(of, None if seed is None else int(seed)).run())


def warn_of_dropped_times(scenario: Scenario) -> None:
    """Warn where the times that a workload states do not say how long its jobs run."""
    for remark in dropped_times(scenario):
        warnings.warn(remark, stacklevel=3)


def load(path: str | PathLike[str]) -> Scenario:
    """The scenario in a file, NAME.meshgui.json."""
    return load_scenario(Path(path))


def scenario_of(given: AnyScenario) -> Scenario:
    """A scenario as it is, from plain data as in a file, or from a file."""
    if isinstance(given, Scenario):
        return given
    if isinstance(given, Mapping):
        return scenario_from({"meshgui": 1, **given})
    return load(given)


def _step(data: Mapping[str, Any]) -> CodeStep:
    marks = tuple(
        (mark["role"], None if mark["box"] is None else tuple(mark["box"])) for mark in data["marks"]
    )
    return CodeStep(data["line"], data["label"], data["text"], data["says"], marks)
