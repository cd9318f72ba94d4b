"""`meshgui sweep`: a grid of runs over fields of a scenario, each made often enough to be precise."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from meshgui.cli import output, signals
from meshgui.cli.arguments import Parser, one_of, whole_number
from meshgui.cli.faults import BadUse, WorkFailed
from meshgui.cli.scenarios import read
from meshgui.engine.experiment.dask_cluster import DaskCluster, is_address
from meshgui.engine.experiment.executors import Executor, ExecutorError, InProcess, ProcessPool, cores
from meshgui.engine.experiment.fields import FieldError, axis_from
from meshgui.engine.experiment.grid import Experiment, Target, experiment_of
from meshgui.engine.experiment.results import PointResult
from meshgui.engine.experiment.store import Store, StoreError
from meshgui.engine.experiment.sweep import Progress, Sweep
from meshgui.engine.experiment.tables import csv_of
from meshgui.engine.figures import FIGURES
from meshgui.engine.files import os_fault, same_file, whole_file
from meshgui.engine.statistics import Estimate

__all__ = ["declare", "execute"]

_USUAL = Target()
_SHOWN = ("turnaround", "waiting", "utilization", "latency")


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument(
        "--vary",
        metavar="KEY=V1,V2",
        action="append",
        nargs="+",
        default=[],
        help="a field and its values, such as allocator.name=tbl,ff or workload.load=1,2.5; may be repeated",
    )
    parser.add_argument(
        "--precision", metavar="P", type=_share, default=_USUAL.precision,
        help="run each point until the half-widths of its intervals are below this share of the means (0.05)",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", metavar="C", type=_share, default=_USUAL.confidence, help="of the intervals (0.95)"
    )
    parser.add_argument(
        "--min-runs", metavar="N", type=_positive, help=f"the least runs of a point ({_USUAL.least})"
    )
    parser.add_argument(
        "--max-runs", metavar="N", type=_positive, help=f"the most runs of a point ({_USUAL.most})"
    )
    parser.add_argument(
        "--until", metavar="FIGURE", action="append", default=[],
        type=one_of(*(f.name for f in FIGURES.values() if not f.wall)),
        help="a figure whose precision counts (turnaround, utilization, latency); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", metavar="N", type=_positive, help="processes to work with (as many as there are cores)"
    )
    parser.add_argument(
        "--store", metavar="DB", type=Path,
        help="keep every run in this file, and go on with what is in it; without it nothing is kept",
    )  # fmt: skip
    parser.add_argument("--csv", metavar="OUT.csv", type=Path, help="write the results, a row a point")
    parser.add_argument(
        "--dask", metavar="ADDRESS", type=_address, help="work on a Dask cluster: tcp://HOST:PORT"
    )
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    experiment = _experiment(options)
    if options.csv is not None:
        for other, name in ((options.file, "the scenario itself"), (options.store, "the store")):
            if other is not None and same_file(options.csv, other):
                raise BadUse(f"{options.csv}: --csv: expected another file than {name}")
    if options.store is not None and same_file(options.store, options.file):
        raise BadUse(f"{options.store}: --store: expected another file than the scenario itself")
    with faults(), Store(options.store) as store:
        results = _swept(experiment, store, options)
    if options.csv is not None:
        _write(options.csv, csv_of(experiment, results))
    if options.json:
        output.write_json(as_json(experiment, results))
    else:
        output.write(_in_words(experiment, results))
    failed = [result for result in results if result.fault]
    if failed:
        first = f"{', '.join(failed[0].point.labels)}: {failed[0].fault}"
        raise WorkFailed(f"{options.file}: {len(failed)} of {len(results)} points failed: {first}")
    return 0


@contextmanager
def faults() -> Iterator[None]:
    """A block that sweeps, with its faults in the command line's terms."""
    try:
        yield
    except (StoreError, ExecutorError) as error:
        raise WorkFailed(str(error)) from None


def _experiment(options: Namespace) -> Experiment:
    scenario = read(options.file)
    least = (
        options.min_runs
        if options.min_runs is not None
        else min(_USUAL.least, options.max_runs or _USUAL.least)
    )
    most = options.max_runs if options.max_runs is not None else max(_USUAL.most, least)
    if most < least:
        raise BadUse(f"meshgui sweep: --max-runs: expected at least --min-runs ({least}), got {most}")
    try:
        target = Target(
            precision=options.precision,
            confidence=options.confidence,
            least=least,
            most=most,
            figures=tuple(options.until),
        )
        axes = tuple(axis_from(text) for texts in options.vary for text in texts)
        return experiment_of(scenario, axes, target)
    except FieldError as error:
        raise BadUse(f"{options.file}: --vary: {error}") from None
    except ValidationError as error:
        raise BadUse(f"meshgui sweep: {error.errors()[0]['msg']}") from None


def _swept(experiment: Experiment, store: Store, options: Namespace) -> list[PointResult]:
    executor = executor_of(options)
    try:
        sweep = Sweep(experiment, store, executor)
        with output.Progress("Sweeping", "runs") as shown:

            def report(progress: Progress) -> bool:
                left = progress.seconds_left
                shown.note = "" if left is None else f", {in_words(left)} left"
                shown.note = f", {executor.note}" if executor.note else shown.note
                return shown(progress.done, progress.needed)

            sweep.run(report)
        return sweep.results
    finally:
        executor.close()


def executor_of(options: Namespace) -> Executor:
    """Who works, as asked for: a cluster, this process alone, or processes."""
    if options.dask is not None:
        return DaskCluster(options.dask)
    workers = options.jobs or cores()
    return InProcess(_look) if workers == 1 else ProcessPool(workers)


def _look() -> bool:
    signals.look()
    return True


def in_words(seconds: float) -> str:
    """A time that is left, as people say it."""
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    if seconds < 90 * 60:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def as_json(experiment: Experiment, results: Sequence[PointResult]) -> dict[str, Any]:
    """The results as data."""
    return {
        "title": experiment.title,
        "id": experiment.id,
        "target": experiment.target.model_dump(mode="json"),
        "points": [
            {
                "values": dict(zip(experiment.keys, result.point.values, strict=True)),
                "runs": result.runs,
                "precise": result.precise,
                "fault": result.fault or None,
                "figures": {name: _as_json(e) for name, e in (result.estimates | result.wall).items()},
            }
            for result in results
        ],
    }


def _as_json(found: Estimate) -> dict[str, float | None]:
    error, half = found.relative_error, found.half_width
    return {
        "mean": found.mean,
        "half_width": half if math.isfinite(half) else None,
        "relative_error": error if math.isfinite(error) else None,
    }


def _in_words(experiment: Experiment, results: Sequence[PointResult]) -> str:
    shown = [
        name for name in (*_SHOWN, *experiment.target.figures) if any(name in r.estimates for r in results)
    ]
    shown = list(dict.fromkeys(shown))
    heading = (*experiment.keys, *shown, "runs", "")
    rows = [
        (
            *result.point.labels,
            *(_shown(name, result.estimates.get(name)) for name in shown),
            str(result.runs),
            _verdict(result),
        )
        for result in results
    ]
    share, sure = experiment.target.precision, experiment.target.confidence
    note = f"Means with {sure:.4g} intervals; the target is {share:.4g} of the mean."
    return "\n".join([output.columns([heading, *rows]), "", note])


def _shown(name: str, found: Estimate | None) -> str:
    if found is None:
        return "–"
    scale, unit = (100, " %") if FIGURES[name].percent else (1, "")
    half = found.half_width * scale
    return (
        f"{found.mean * scale:.5g} ± {half:.2g}{unit}"
        if math.isfinite(half)
        else f"{found.mean * scale:.5g}{unit}"
    )


def _verdict(result: PointResult) -> str:
    if result.fault:
        return f"failed: {result.fault}"
    return "" if result.precise else "not precise"


def _write(path: Path, content: bytes) -> None:
    try:
        with whole_file(path) as file:
            file.write(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkFailed(f"{path}: the results could not be written: {os_fault(error)}") from None


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1:
        raise ArgumentTypeError(f"expected a number between 0 and 1, got {text}")
    return value


def _address(text: str) -> str:
    if not is_address(text):
        raise ArgumentTypeError(f"expected tcp://HOST:PORT, got {text}")
    return text


def _positive(text: str) -> int:
    if not 1 <= (number := whole_number(text)) <= 1_000_000:
        raise ArgumentTypeError(f"expected a whole number from 1 to 1000000, got {text}")
    return number
