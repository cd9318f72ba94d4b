"""`meshgui sweep`: a grid of runs over fields of a scenario, each made often enough to be precise."""

from __future__ import annotations

import math
import os
from argparse import ArgumentTypeError, Namespace
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from meshgui.cli import output, signals
from meshgui.cli.arguments import Parser
from meshgui.cli.batches import batches_of, declare_batches
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.scenarios import read, remark_dropped_times, saying_if_stopped
from meshgui.cli.sweep_check import check_fit, checked
from meshgui.cli.sweep_tables import chosen_points, declare_tables, write_tables
from meshgui.cli.sweep_words import results_as_json, results_in_words
from meshgui.cli.workers import (
    at_work,
    declare_store,
    declare_workers,
    faults,
    positive,
    progress_note,
    remark_place,
)
from meshgui.cli.written_files import wanted_file, writing
from meshgui.engine.basics.files import same_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Work
from meshgui.engine.runs.dictionary import compared, no_such_figure
from meshgui.engine.scenario.files import files_named
from meshgui.experiment.bundle import Bundle, is_bundle, read_bundle
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.differences import baseline_from, differences_of
from meshgui.experiment.fields import FieldError, axis_from
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.experiment.plugin_runs import other_code
from meshgui.experiment.results import PointResult
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Shard, Sweep

_USUAL: Final = Target()
_OF_AN_EXPERIMENT: Final = (
    "vary", "precision", "confidence", "min_runs", "max_runs", "until", "batches", "warm_up",
)  # fmt: skip
"""The options a bundle has settled already."""


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "file", metavar="FILE", type=Path, help=tr("a scenario, NAME.meshgui.json, or a bundle to run again")
    )
    parser.add_argument(
        "--vary",
        metavar="KEY=V1,V2",
        action="append",
        nargs="+",
        default=[],
        help=tr(
            "a field and its values: allocator.name=tbl,ff or mesh.shape=8x8,16x16 or workload.load=1..5/0.5"
            " (from 1 to 5 in steps of 0.5); may be given several times, for a grid"
        ),
    )
    parser.add_argument(
        "--precision", metavar="P", type=_share,
        help=tr("run each point until the half-widths of its intervals are below this share of the means "
"({precision})").format(precision=_USUAL.precision),
    )  # fmt: skip
    parser.add_argument(
        "--confidence",
        metavar="C",
        type=_share,
        help=tr("of the intervals ({confidence})").format(confidence=_USUAL.confidence),
    )
    parser.add_argument(
        "--min-runs",
        metavar="N",
        type=positive,
        help=tr("the minimum number of runs per point ({least})").format(least=_USUAL.least),
    )
    parser.add_argument(
        "--max-runs",
        metavar="N",
        type=positive,
        help=tr("the maximum number of runs per point ({most})").format(most=_USUAL.most),
    )
    parser.add_argument(
        "--until", metavar="FIGURE", action="append", default=[],
        type=_figure,
        help=tr("a figure whose precision counts (turnaround, utilization, latency); may be repeated"),
    )  # fmt: skip
    declare_batches(parser, tr("make one long run of each point instead and cut it into N batches"))
    declare_workers(parser)
    declare_store(parser)
    parser.add_argument(
        "--shard", metavar="I/N", type=_shard,
        help=tr("only every Nth point, from the Ith on, so that N computers make all of them, each into a "
                "store of its own; `meshgui store merge` joins these"),
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="KEY=VALUE",
        help=tr("also report how far every point is above the one with this value of a varied field, for "
                "example allocator.name=ff: differences of runs with the same seeds, with their own "
                "intervals"),
    )  # fmt: skip
    parser.add_argument(
        "--csv", metavar="OUT.csv", type=Path, help=tr("write the results, one row per point")
    )
    declare_tables(parser)
    parser.add_argument(
        "--bundle", metavar="OUT.zip", type=Path,
        help=tr("write one file with the experiment, every run and all that is needed to repeat them"),
    )  # fmt: skip
    parser.add_argument(
        "--check",
        action="store_true",
        help=tr("run a bundle again and report whether every number is the same"),
    )
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    bundle = _bundle(options)
    experiment = _experiment(options) if bundle is None else bundle.experiment
    _check_files(options)
    experiment = _with_baseline(experiment, options)
    _check_shard(experiment, options)
    chosen = chosen_points(experiment, options)
    if options.bundle is not None:
        check_fit(experiment, options.file)
    remark_place(options.store)
    remark_dropped_times(experiment.scenario, options.file)
    if options.check and bundle is not None:
        with faults(), Store() as store:
            _swept(experiment, store, options)
            return checked(bundle, store, as_json=options.json)
    with ExitStack() as stack:
        stack.enter_context(saying_if_stopped(options.file, options.store))
        table = stack.enter_context(wanted_file(options.csv, tr("the results")))
        zipped = stack.enter_context(wanted_file(options.bundle, tr("the bundle")))
        with faults(), Store(options.store) as store:
            if made := other_code(experiment, store):
                said = tr("{store}: runs of other code are not used{made}")
                output.complain(said.format(store=options.store, made=made))
            results = _swept(experiment, store, options)
            differences = differences_of(experiment, results)
            if zipped is not None:
                with writing(options.bundle, tr("the bundle")):
                    write_bundle(zipped, experiment, store)
        if chosen:
            write_tables(options.tables, experiment, results, chosen)
        if table is not None:
            with writing(options.csv, tr("the results")):
                table.write(csv_of(experiment, results, differences))
    if options.json:
        output.write_json(results_as_json(experiment, results, differences))
    else:
        output.write(results_in_words(experiment, results, differences))
    failed = [result for result in results if result.fault]
    if failed:
        first = ": ".join(filter(None, (", ".join(failed[0].point.labels), failed[0].fault)))
        raise WorkFailed(
            tr("{file}: {failed} of {results} points failed: {first}").format(
                file=options.file, failed=len(failed), results=len(results), first=first
            )
        )
    return 0


# The experiment


def _bundle(options: Namespace) -> Bundle | None:
    """The bundle that is to be run again, if the file is one."""
    if not is_bundle(options.file):
        if options.check:
            raise UsageError(
                tr("{file}: --check: expected a bundle, which `sweep --bundle` writes").format(
                    file=options.file
                )
            )
        return None
    for name in _OF_AN_EXPERIMENT:
        if getattr(options, name) not in (None, []):
            raise UsageError(
                tr("{file}: --{replace}: cannot be combined with a bundle, which has its own").format(
                    file=options.file, replace=name.replace("_", "-")
                )
            )
    if options.check:
        if options.against is not None:
            raise UsageError(
                tr("meshgui sweep: --check: cannot be combined with --against: no results are shown")
            )
        for name in ("store", "csv", "bundle"):
            if getattr(options, name) is not None:
                raise UsageError(
                    tr(
                        "meshgui sweep: --check: cannot be combined with --{name}: every run is "
                        "repeated, and none is kept"
                    ).format(name=name)
                )
    with faults():
        bundle = read_bundle(options.file)
        if options.check:
            for _ in bundle.replications():  # that it is whole is seen before the work begins
                signals.look()
    return bundle


def _experiment(options: Namespace) -> Experiment:
    scenario = read(options.file)
    batches = batches_of(options, "sweep")
    if batches is not None:
        for option in ("min_runs", "max_runs"):
            if getattr(options, option) is not None:
                name = option.replace("_", "-")
                raise UsageError(
                    tr(
                        "meshgui sweep: --{name}: cannot be combined with --batches, which makes one "
                        "run per point"
                    ).format(name=name)
                )
    least = (
        options.min_runs
        if options.min_runs is not None
        else min(_USUAL.least, options.max_runs or _USUAL.least)
    )
    most = options.max_runs if options.max_runs is not None else max(_USUAL.most, least)
    if most < least:
        raise UsageError(
            tr("meshgui sweep: --max-runs: expected at least --min-runs ({least}), got {most}").format(
                least=least, most=most
            )
        )
    try:
        target = Target(
            precision=_USUAL.precision if options.precision is None else options.precision,
            confidence=_USUAL.confidence if options.confidence is None else options.confidence,
            least=least,
            most=most,
            figures=tuple(dict.fromkeys(options.until)),
        )
    except ValidationError as error:
        raise UsageError(tr("meshgui sweep: {complaint}").format(complaint=_complaint(error))) from None
    try:
        axes = tuple(axis_from(text) for texts in options.vary for text in texts)
        return experiment_of(scenario, axes, target, batches)
    except FieldError as error:
        option = "--vary: " if options.vary else "--batches: " if options.batches else ""
        raise UsageError(f"{options.file}: {option}{error}") from None


def _with_baseline(experiment: Experiment, options: Namespace) -> Experiment:
    """The experiment with what `--against` names, or as its bundle has it."""
    if options.against is None:
        return experiment
    try:
        baseline_from(experiment, options.against)
    except FieldError as error:
        raise UsageError(tr("{file}: --against: {error}").format(file=options.file, error=error)) from None
    return replace(experiment, against=options.against)


def _check_shard(experiment: Experiment, options: Namespace) -> None:
    """Refuse what needs all points where only some are made."""
    if options.shard is None:
        return
    needing = {"check": options.check, "bundle": options.bundle is not None, "against": experiment.against}
    for name, given in needing.items():
        if given:
            said = tr(
                "meshgui sweep: --shard: cannot be combined with --{name}, which needs all points: use it "
                "with the store that `meshgui store merge` makes"
            )
            raise UsageError(said.format(name=name))
    if options.store is None:
        raise UsageError(tr("meshgui sweep: --shard: expected --store, which is what is merged"))


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"--{first['loc'][0]}: {first['msg'].lower().replace('input should be', 'expected')}"


def _check_files(options: Namespace) -> None:
    """Each file another one than the others and than the one that is read."""
    known: list[tuple[str, Path]] = [(tr("the file itself"), options.file)]
    known += ((tr("one that it names"), path) for path in files_named(options.file))
    for option, path in (("--store", options.store), ("--csv", options.csv), ("--bundle", options.bundle)):
        if path is None:
            continue
        for name, other in known:
            if same_file(path, other) or os.path.realpath(path) == os.path.realpath(other):
                raise UsageError(
                    tr("{path}: {option}: expected another file than {name}").format(
                        path=path, option=option, name=name
                    )
                )
        known.append((tr("that of {option}").format(option=option), path))


# The work


def _swept(experiment: Experiment, store: Store, options: Namespace) -> list[PointResult]:
    with at_work(str(options.file), options, _most(experiment)) as executor:
        sweep = Sweep(experiment, store, executor, options.shard)
        with output.ProgressLine(tr("Sweeping"), "run") as shown:

            def hear(progress: Progress) -> None:
                shown.note = progress_note(executor, sweep.progress.seconds_left)
                shown.hear(progress)

            output.complain_of_cache(shown)
            sweep.run(Work(hear, between=output.BETWEEN))
    return sweep.results


def _most(experiment: Experiment) -> int:
    """How many runs there can be."""
    return sum(experiment.target.most if point.drawn else 1 for point in experiment.points)


# Arguments


def _figure(text: str) -> str:
    if text not in compared():
        raise ArgumentTypeError(no_such_figure(text))
    return text


def _shard(text: str) -> Shard:
    try:
        return Shard.of_text(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1:
        raise ArgumentTypeError(tr("expected a number between 0 and 1, got {text}").format(text=text))
    return value
