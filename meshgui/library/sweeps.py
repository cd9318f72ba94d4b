"""Sweeps as objects: `sweep` runs a grid of scenarios, and gives means, replications and differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import ValidationError

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.parts import complaint_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.batches import Batches
from meshgui.experiment.differences import Baseline, PairedDifferences, baseline_from, paired_differences
from meshgui.experiment.executors import MOST_WORKERS, InProcess, ProcessPool
from meshgui.experiment.fields import FieldAxis, text_of
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.experiment.results import PointResult
from meshgui.experiment.results_csv import figure_names
from meshgui.experiment.statistics import Estimate
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.library.runs import AnyScenario, scenario_of, warn_of_dropped_times
from meshgui.library.tables import Column, ColumnTable

_USUAL: Final = Target()
_ARGUMENTS: Final = {"least": "min_runs", "most": "max_runs", "figures": "until"}


class SweepData:
    """A sweep that has been made: nothing of it changes."""

    def __init__(
        self, experiment: Experiment, results: Sequence[PointResult], baseline: Baseline | None
    ) -> None:
        self._experiment, self._results, self._baseline = experiment, results, baseline

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that were varied."""
        return self._experiment.keys

    @cached_property
    def table(self) -> ColumnTable:
        """A row for a point: its values, its runs, and each figure with half its interval and its error."""
        results = self._results
        columns = self._values(results) | {
            "runs": np.array([result.runs for result in results]),
            "precise": np.array([result.precise for result in results]),
            "fault": np.array([result.fault for result in results], dtype=np.str_),
        }
        units: dict[str, str] = {}
        for name in figure_names(results):
            found = [result.estimates.get(name) for result in results]
            columns[name] = _column(found, "mean")
            columns[f"{name}_half_width"] = _column(found, "half_width")
            columns[f"{name}_relative_error"] = _column(found, "relative_error")
            units |= {name: NUMBERS[name].unit, f"{name}_half_width": NUMBERS[name].unit}
            units[f"{name}_relative_error"] = "share"
        return ColumnTable(tr("Points"), columns, units)

    @cached_property
    def replications(self) -> ColumnTable:
        """A row for a run, or for a batch of one: its point, its values, its seed and its figures."""
        batches = self._experiment.batches
        rows = [(result, number) for result in self._results for number in range(len(result.sampled))]
        seeds = [self._experiment.seed + (0 if batches else number) for _, number in rows]
        columns = {"point": np.array([result.point.index for result, _ in rows])}
        columns |= self._values([result for result, _ in rows]) | {"seed": np.array(seeds)}
        if batches is not None:
            columns["batch"] = np.array([number for _, number in rows])
        names = figure_names(self._results)
        for name in names:
            columns[name] = np.array([result.sampled[number].get(name, np.nan) for result, number in rows])
        return ColumnTable(tr("Replications"), columns, {name: NUMBERS[name].unit for name in names})

    @cached_property
    def differences(self) -> ColumnTable:
        """How far every point is above the one with the baseline's value: runs in pairs, with intervals."""
        found = self._paired
        results = [result for result in self._results if result.point.index in found.others]
        columns = self._values(results) | {"pairs": np.array([found.pairs(result) for result in results])}
        units: dict[str, str] = {}
        for name in figure_names(self._results):
            estimates = [found.of(result, name) for result in results]
            columns[f"{name}_difference"] = _column(estimates, "mean")
            columns[f"{name}_difference_half_width"] = _column(estimates, "half_width")
            units |= {f"{name}_difference{part}": NUMBERS[name].unit for part in ("", "_half_width")}
        return ColumnTable(tr("Differences from {value}").format(value=found.label), columns, units)

    def __repr__(self) -> str:
        runs = sum(result.runs for result in self._results)
        points, keys = len(self._results), ", ".join(self.keys)
        return f"<Sweep over ({keys}): {points} points, {runs} runs>"  # untranslated

    def _repr_html_(self) -> str:
        """The points for a notebook."""
        wanted = self._experiment.target.wanted(self._experiment.scenario)
        names = [*self.keys, "runs", *(f"{name}{part}" for name in wanted for part in ("", "_half_width"))]
        shown = {name: self.table[name] for name in names if name in self.table}
        return ColumnTable(self.table.title, shown, self.table.units)._repr_html_()

    @property
    def _paired(self) -> PairedDifferences:
        if self._baseline is None:
            raise ValueError(tr("expected a field that is varied: there is nothing to compare with"))
        return paired_differences(self._experiment, self._results, self._baseline)

    def _values(self, results: Sequence[PointResult]) -> dict[str, Column]:
        """The values of the fields varied; of a field that is no number, as `--vary` reads them."""
        columns: dict[str, Column] = {}
        for place, axis in enumerate(self._experiment.axes):
            values = [result.point.values[place] for result in results]
            numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in axis.values)
            columns[axis.key] = np.array(values if numbers else list(map(text_of, values)))
        return columns


def sweep(
    scenario: AnyScenario,
    vary: Mapping[str, Iterable[Any]],
    *,
    precision: float = _USUAL.precision,
    confidence: float = _USUAL.confidence,
    min_runs: int | None = None,
    max_runs: int | None = None,
    until: str | Sequence[str] = (),
    batches: int | None = None,
    warm_up: int = 0,
    jobs: int = 1,
    store: str | PathLike[str] | None = None,
    against: Mapping[str, Any] | None = None,
) -> SweepData:
    """Run a scenario with every combination of values, each until its figures are precise.

    `vary` has fields and their values, as `{"allocator.name": ["ff", "tbl"]}`. `jobs` is how many processes
    make the runs, `store` a file that keeps them, and `against` the value that the differences are from, as
    `{"allocator.name": "ff"}`: the first one of the first field unless it is given. The other arguments are
    options of `meshgui sweep`.
    """
    least = min_runs if min_runs is not None else min(_USUAL.least, max_runs or _USUAL.least)
    most = max_runs if max_runs is not None else max(_USUAL.most, least)
    if not (isinstance(jobs, int) and 1 <= jobs <= MOST_WORKERS):
        said = tr("jobs: expected a whole number from 1 to {most}, got {jobs}")
        raise ValueError(said.format(most=MOST_WORKERS, jobs=jobs))
    try:
        target = Target(
            precision=precision,
            confidence=confidence,
            least=least,
            most=most,
            figures=tuple(dict.fromkeys([until] if isinstance(until, str) else until)),
        )
    except ValidationError as error:
        found = complaint_of(error, {})
        name = str(found.path[0]) if found.path else ""
        raise ValueError(f"{_ARGUMENTS.get(name, name)}: {found.message}") from None
    axes = tuple(_axis(key, values) for key, values in vary.items())
    cut = None if batches is None else Batches(count=batches, warm_up=warm_up)
    experiment = experiment_of(scenario_of(scenario), axes, target, cut)
    warn_of_dropped_times(experiment.scenario)
    if jobs != 1:
        _refuse_registered(experiment)
    baseline = _baseline(experiment, against)
    executor = InProcess() if jobs == 1 else ProcessPool(jobs)
    try:
        with long_calls(), Store(None if store is None else Path(store)) as kept:
            running = Sweep(experiment, kept, executor)
            running.run()
            return SweepData(experiment, running.results, baseline)
    finally:
        executor.close()


def _axis(key: str, values: Iterable[Any]) -> FieldAxis:
    """A field with its values; text is no list of them, though it has letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(tr("{key}: expected a list of values, got {values}").format(key=key, values=values))
    try:
        return FieldAxis(key=key, values=tuple(map(_plain, values)))
    except ValidationError as error:
        raise ValueError(f"{key}: {complaint_of(error, {}).message}") from None


def _refuse_registered(experiment: Experiment) -> None:
    here = strategies().registered
    for point in experiment.points:
        if (name := point.scenario.allocator.name) in here:
            said = tr("{name} is registered in this process alone: expected jobs=1, or a package that has it")
            raise ValueError(said.format(name=name))


def _baseline(experiment: Experiment, against: Mapping[str, Any] | None) -> Baseline | None:
    if against is not None:
        if len(against) != 1:
            raise ValueError(tr("expected one field and its value in against"))
        [(key, value)] = against.items()
        return baseline_from(experiment, f"{key}={text_of(_plain(value))}")
    return Baseline(experiment.axes[0].key, 0) if experiment.axes else None


def _column(found: Sequence[Estimate | None], name: str) -> Column:
    """A part of estimates; NaN where it is not known."""
    values = [np.nan if one is None else getattr(one, name) for one in found]
    column = np.array(values, dtype=np.float64)
    column[~np.isfinite(column)] = np.nan
    return column


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A value of Python or NumPy as JSON has it."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return list(map(_plain, value)) if isinstance(value, tuple) else value
