"""The rows of chosen points as Parquet: jobs, classes of jobs, packets, and the machine over time."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from meshgui.cli import output, signals
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.written_files import writing
from meshgui.engine.basics.files import whole_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate_figures
from meshgui.engine.runs.tables import table_of
from meshgui.experiment.fields import FieldError, axis_from, label_of
from meshgui.experiment.grid import Experiment, GridPoint
from meshgui.experiment.parquet import DataMissingError, ParquetFile, pyarrow
from meshgui.experiment.results import PointResult

_TABLES: Final = ("jobs", "by_size", "series")  # untranslated: names of folders, as is packets


def declare_tables(parser: Parser) -> None:
    """`--tables` and `--tables-of`."""
    parser.add_argument(
        "--tables",
        metavar="DIR",
        type=Path,
        help=tr(
            "write the jobs, the jobs by size, the packets and the course of every run as Parquet, a file "
            "for each point; needs the extra data"
        ),
    )
    parser.add_argument(
        "--tables-of",
        metavar="KEY=V1,V2",
        action="append",
        default=[],
        help=tr("only of points with these values of a varied field; may be repeated"),
    )


def chosen_points(experiment: Experiment, options: Namespace) -> set[int]:
    """The numbers of the points that tables are wanted of; faults are seen before the work."""
    if options.tables is None:
        if options.tables_of:
            raise UsageError(tr("meshgui sweep: --tables-of: expected --tables as well"))
        return set()
    try:
        pyarrow()
    except DataMissingError as error:
        raise WorkFailed(f"--tables: {error}") from None
    chosen = {point.index for point in experiment.points}
    for text in options.tables_of:
        try:
            chosen &= _points_with(experiment, text)
        except FieldError as error:
            said = tr("{file}: --tables-of: {error}").format(file=options.file, error=error)
            raise UsageError(said) from None
    if not chosen:
        raise UsageError(tr("{file}: --tables-of: no point has these values").format(file=options.file))
    return chosen


def _points_with(experiment: Experiment, text: str) -> set[int]:
    """The points whose value of a field is one of these."""
    wanted = axis_from(text)
    if wanted.key not in experiment.keys:
        raise FieldError(tr("expected a field that is varied"), wanted.key)
    place, labels = experiment.keys.index(wanted.key), set(map(label_of, wanted.values))
    return {point.index for point in experiment.points if label_of(point.values[place]) in labels}


def write_tables(
    folder: Path, experiment: Experiment, results: Sequence[PointResult], chosen: set[int]
) -> None:
    """Make the counted runs of these points again, and write what happened in them."""
    wanted = [result for result in results if result.point.index in chosen and result.runs]
    runs, done = sum(result.runs for result in wanted), 0
    with output.ProgressLine(tr("Writing"), "run") as shown, Work(signals.look).under_way():
        for result in wanted:
            with _files(folder, result.point) as files:
                for seed in range(experiment.seed, experiment.seed + result.runs):
                    recording = simulate_figures(result.point.scenario, seed)
                    about = _about(experiment, result.point, seed)
                    for name, columns in _columns(recording).items():
                        files[name].add(about | columns)
                    done += 1
                    shown.report(done, runs)


@contextmanager
def _files(folder: Path, point: GridPoint) -> Iterator[dict[str, ParquetFile]]:
    """The files of a point, all of them whole at the end or none there."""
    with writing(folder, tr("the tables")), ExitStack() as stack, ExitStack() as ends:
        files, packets = {}, ("packets",) if point.scenario.network is not None else ()
        for name in (*_TABLES, *packets):
            place = folder / name
            for made in (each for each in (folder, place) if not each.exists()):
                made.mkdir(parents=True)
                stack.callback(_remove_empty, made)
            file = stack.enter_context(whole_file(place / f"{point.index:04}.parquet"))
            files[name] = ParquetFile(file)
            ends.callback(files[name].close)
        yield files


def _remove_empty(folder: Path) -> None:
    """Remove a folder in which no file was written."""
    with suppress(OSError):
        folder.rmdir()


def _about(experiment: Experiment, point: GridPoint, seed: int) -> dict[str, Any]:
    """The columns that every row of a run begins with: text where a field has other values than numbers."""
    about: dict[str, Any] = {"point": point.index, "seed": seed}
    for axis, value, label in zip(experiment.axes, point.values, point.labels, strict=True):
        numbers = all(type(one) in {int, float} for one in axis.values)
        about[axis.key] = float(value) if numbers else label
    return about


def _columns(recording: Recording) -> dict[str, dict[str, Any]]:
    """The tables of a run under the names of the dictionary; utilisation and queue have the same times."""
    tables = {name: table_of(recording, name) for name in ("jobs", "by_size")}
    tables["series"] = table_of(recording, "utilisation") | table_of(recording, "queue")
    if recording.network is not None:
        tables["packets"] = table_of(recording, "packets")
    return tables
