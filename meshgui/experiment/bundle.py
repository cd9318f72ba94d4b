"""A bundle: one zip file with an experiment, all that came of it, and what is needed to make it again.

It holds the experiment whole by itself, the seeds of every point, the versions of what made it, the results
and every replication as tables, and a store with exactly these replications. Whoever reads one takes it for a
stranger's: nothing is unpacked to the disk, only the members known here are looked at, and none is read
beyond a limit.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import platform
import shutil
import sqlite3
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from meshgui import __version__
from meshgui.engine.figures import FIGURES, Figures
from meshgui.engine.files import os_fault
from meshgui.engine.parts import Field, Part, printable
from meshgui.engine.scenario import LARGEST_FILE, ScenarioError
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Experiment, experiment_of
from meshgui.experiment.results import PointResult, results_of
from meshgui.experiment.results_csv import csv_of, number_of
from meshgui.experiment.run_spec import MODEL
from meshgui.experiment.store import RunRecord, Store

__all__ = [
    "Bundle",
    "BundleDifference",
    "BundleError",
    "BundledRun",
    "first_difference",
    "fit_to_bundle",
    "has_table_of",
    "is_bundle",
    "read_bundle",
    "versions_here",
    "write_bundle",
]

_FORMAT: Final = 1
_EXPERIMENT: Final = "experiment.json"
_POINTS: Final = "points.json"
_VERSIONS: Final = "versions.json"
_RESULTS: Final = "results.csv"
_REPLICATIONS: Final = "replications.csv"
_STORE: Final = "replications.db"
_README: Final = "README.txt"
_READ: Final = (_VERSIONS, _EXPERIMENT, _POINTS, _REPLICATIONS)
_WHEN: Final = (1980, 1, 1, 0, 0, 0)  # of every member: the same results make the same bytes
_PACKAGES: Final = ("numpy", "numba", "scipy", "pydantic")
_LARGEST: Final = 4 * LARGEST_FILE  # of a member that is read as a whole, unpacked
_LARGEST_TABLE: Final = 1 << 34  # bytes of replications, which are read line by line
_LONGEST_LINE: Final = 1 << 20
_LONGEST_TITLE: Final = 1000
_MOST_MEMBERS: Final = 1000
_PIECE: Final = 1 << 20
_OF_ZIP: Final = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What reading a damaged zip ends in."""


class BundleError(Exception):
    """A bundle that cannot be used: one line that names the file and says what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class BundledPoint(Part):
    """What a bundle says of a point."""

    values: dict[str, Any]
    work: Annotated[str, Field(max_length=100)]
    first_seed: Annotated[int, Field(ge=0, strict=True)]
    runs: Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
    precise: bool
    fault: str


class BundledRun(NamedTuple):
    """A run of a point, by the point's place and the run's seed."""

    point: int
    seed: int
    samples: tuple[Figures, ...]  # one, or one a batch


class BundleDifference(NamedTuple):
    """The first number of a bundle that did not come out again."""

    point: int
    seed: int
    figure: str  # empty if there is no such run at all
    batch: int | None
    bundled: float | None  # None where there is no such number
    found: float | None


@dataclass(frozen=True)
class Bundle:
    """A bundle that has been looked through."""

    path: Path
    experiment: Experiment
    points: tuple[BundledPoint, ...]
    versions: dict[str, str | int]

    @property
    def runs(self) -> int:
        """Replications in all."""
        return sum(point.runs for point in self.points)

    def replications(self) -> Iterator[BundledRun]:
        """Every one, point by point in order of seed; read as they are asked for."""
        with _opened(self.path) as archive, _member(archive, _REPLICATIONS, _LARGEST_TABLE) as file:
            yield from _rows(file, self)


def has_table_of(bundle: Bundle, store: Store) -> bool:
    """Whether the bundle's table of results follows from a store's runs."""
    wanted = csv_of(bundle.experiment, results_of(bundle.experiment, store))
    with _opened(bundle.path) as archive, _member(archive, _RESULTS, _LARGEST) as file:
        return file.read() == wanted


# Writing


def fit_to_bundle(experiment: Experiment) -> None:
    """See that an experiment needs no other file: that it makes the same points once it stands by itself.

    A file that a scenario names goes in as what was taken from it, so that neither the file nor what is taken
    from it can be varied any more.
    """
    data = experiment.as_data()
    if any(axis.key.endswith(".path") for axis in experiment.axes) or _names_a_file(data):
        raise BundleError("expected an experiment whose points name no other file")
    again = Experiment.from_data(data)
    for one, other in zip(experiment.points, again.points, strict=True):
        if one.spec != other.spec:
            raise BundleError(
                f"{', '.join(one.labels) or 'scenario'}: expected a point that needs no other file:"
                " what a file holds goes into a bundle as the scenario itself has it, and cannot be varied"
            )


def _names_a_file(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return isinstance(value.get("path"), str) or any(map(_names_a_file, value.values()))
    return isinstance(value, list) and any(map(_names_a_file, value))


def write_bundle(file: BinaryIO, experiment: Experiment, store: Store) -> None:
    """Put an experiment and what the store has of it into a file open for writing."""
    fit_to_bundle(experiment)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a zip needs to go back over what it wrote
        with tempfile.TemporaryFile() as whole:
            write_bundle(whole, experiment, store)
            whole.seek(0)
            shutil.copyfileobj(whole, file)
        return
    results = results_of(experiment, store)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, _README, _readme(experiment, results).encode())
        _put(archive, _VERSIONS, _json(versions_here()))
        _put(archive, _EXPERIMENT, _json(experiment.as_data()))
        _put(archive, _POINTS, _json([_about(experiment, result) for result in results]))
        _put(archive, _RESULTS, csv_of(experiment, results))
        with archive.open(_info(_REPLICATIONS), "w", force_zip64=True) as table:
            for line in _lines(experiment, results):
                table.write(line)
        with tempfile.TemporaryDirectory(prefix="meshgui-") as folder:
            path = Path(folder) / _STORE
            _copy(experiment, store, results, path)
            with path.open("rb") as kept, archive.open(_info(_STORE), "w", force_zip64=True) as member:
                while piece := kept.read(_PIECE):
                    member.write(piece)


def versions_here() -> dict[str, str | int]:
    """Of the program, its model, and all that figures may depend on."""
    return {
        "format": _FORMAT,
        "meshgui": __version__,
        "model": MODEL,
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
        "platform": platform.platform(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _WHEN)
    info.create_system = 3  # wherever it is made
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(_info(name), content)


def _json(data: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return (json.dumps(data, indent=1) + "\n").encode()


def _about(experiment: Experiment, result: PointResult) -> dict[str, Any]:
    values = dict(zip(experiment.keys, result.point.values, strict=True))
    return BundledPoint(
        values=values,
        work=result.point.spec.key,
        first_seed=experiment.seed,
        runs=result.runs,
        precise=result.precise,
        fault=result.fault,
    ).model_dump(mode="json")


def _lines(experiment: Experiment, results: Sequence[PointResult]) -> Iterator[bytes]:
    """The table of replications: a row a run, or a row a batch."""
    there = {name for result in results for sample in result.sampled for name in sample}
    names = sorted(there, key=_place)
    batched = experiment.batches is not None
    yield _line([*_heading(batched=batched), *names])
    for result in results:
        each = 1 if experiment.batches is None else experiment.batches.count
        for number, sample in enumerate(result.sampled):
            about = [str(result.point.index), str(experiment.seed + number // each)]
            batch = [str(number % each)] if batched else []
            cells = [number_of(sample[name]) if name in sample else "" for name in names]
            yield _line([*about, *batch, *cells])


def _heading(*, batched: bool) -> list[str]:
    return ["point", "seed", "batch"] if batched else ["point", "seed"]


def _place(name: str) -> tuple[int, str]:
    """Figures stand in the order in which they are always shown, the spread of each behind it."""
    order = list(FIGURES)
    base = name.split(".", maxsplit=1)[0]
    return (order.index(base) if base in FIGURES else len(order), name)


def _line(cells: list[str]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode()


def _copy(experiment: Experiment, store: Store, results: Sequence[PointResult], path: Path) -> None:
    """A store with exactly the replications that count."""
    with Store(path) as fresh:
        fresh.begin(experiment.id, experiment.as_data(), (result.point.spec for result in results))
        for result in results:
            key = result.point.spec.key
            kept = store.results(key, experiment.seed, result.runs) if result.runs else {}
            fresh.keep(RunRecord(key, seed, made) for seed, made in kept.items())
            for failure in store.failures(key) if result.fault else ():
                fresh.fail(failure)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE sweeps SET begun = ''")  # the same results make the same bytes
        connection.execute("PRAGMA journal_mode = DELETE")  # one file, and no others beside it
        connection.execute("VACUUM")


def _readme(experiment: Experiment, results: Sequence[PointResult]) -> str:
    runs = sum(result.runs for result in results)
    title = f"{printable(experiment.title)}\n\n" if experiment.title else ""
    return (
        f"{title}An experiment of MeshGUI {__version__}: {len(results)} points, {runs} runs.\n"
        "\n"
        "To run it again, give this file in place of a scenario:\n"
        "\n"
        "    meshgui sweep BUNDLE.zip\n"
        "\n"
        "To run it again and see whether every number of every run is the same to the last digit:\n"
        "\n"
        "    meshgui sweep BUNDLE.zip --check\n"
        "\n"
        f"{_EXPERIMENT}     the scenario, the fields varied and the precision asked for\n"
        f"{_POINTS}         every point: its values, first seed and number of runs; seeds follow one by one\n"
        f"{_VERSIONS}       what it was made with\n"
        f"{_RESULTS}         means with half-widths and relative errors, a row a point in order\n"
        f"{_REPLICATIONS}    every run with all its figures, all digits of them; points count from 0\n"
        f"{_STORE}     the same runs as a store: meshgui sweep … --store goes on from it\n"
    )


# Reading


def is_bundle(path: Path) -> bool:
    """Whether a file is a zip, going by how it begins; what is no plain file is none."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


def read_bundle(path: Path) -> Bundle:
    """The bundle in a file."""
    with _opened(path) as archive:
        about = _parsed(archive, _VERSIONS, path)
        if not isinstance(about, dict) or about.get("format") != _FORMAT:
            found = about.get("format") if isinstance(about, dict) else None
            raise BundleError(
                f"{path}: {_VERSIONS}: expected a bundle of version {_FORMAT}, got {_shown(found)}"
            )
        experiment = _experiment(_parsed(archive, _EXPERIMENT, path), path)
        points = _points(_parsed(archive, _POINTS, path), path)
        if len(points) != len(experiment.points):
            raise BundleError(
                f"{path}: {_POINTS}: expected {len(experiment.points)} points, got {len(points)}"
            )
        with _member(archive, _REPLICATIONS, _LARGEST_TABLE):
            pass
        versions = {str(key): value if isinstance(value, int) else str(value) for key, value in about.items()}
        return Bundle(path, experiment, points, versions)


def first_difference(bundle: Bundle, store: Store) -> BundleDifference | None:
    """Where what a store has of the bundle's experiment is not what the bundle has; None if nowhere."""
    experiment = bundle.experiment
    at, kept = -1, {}
    for replication in bundle.replications():
        if replication.point != at:
            at = replication.point
            key = experiment.points[at].spec.key
            kept = store.results(key, experiment.seed, bundle.points[at].runs)
        made = kept.get(replication.seed)
        if made is None:
            return BundleDifference(at, replication.seed, "", None, None, None)
        if len(made.samples) != len(replication.samples):
            return BundleDifference(at, replication.seed, "", None, None, None)
        for number, (old, new) in enumerate(zip(replication.samples, made.samples, strict=True)):
            batch = None if experiment.batches is None else number
            for name in sorted({*old, *new}, key=_place):
                if not _same(old.get(name), new.get(name)):
                    return BundleDifference(at, replication.seed, name, batch, old.get(name), new.get(name))
    return None


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or (math.isnan(one) and math.isnan(other))


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip, with all that may be wrong with one in one sentence."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            names = [info.filename for info in members]
            if len(members) > _MOST_MEMBERS:
                raise BundleError(f"{path}: expected a bundle of MeshGUI, got a zip of {len(members)} files")
            for name in _READ:
                if names.count(name) != 1:
                    found = "none" if name not in names else "several"
                    raise BundleError(f"{path}: expected a bundle of MeshGUI with one {name}, got {found}")
            yield archive
    except OSError as error:
        raise BundleError(f"{path}: {os_fault(error)}") from None
    except _OF_ZIP as error:
        raise BundleError(f"{path}: expected a whole bundle of MeshGUI, got a damaged one: {error}") from None


@contextmanager
def _member(archive: zipfile.ZipFile, name: str, most: int) -> Iterator[BinaryIO]:
    """A member open for reading; its size is refused before anything of it is unpacked."""
    info = archive.getinfo(name)
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BundleError(f"{archive.filename}: {name}: expected it stored or deflated")
    if info.flag_bits & 1:
        raise BundleError(f"{archive.filename}: {name}: expected it without a password")
    if info.file_size > most:
        raise BundleError(f"{archive.filename}: {name}: expected at most {most} bytes, got {info.file_size}")
    with archive.open(info) as file:
        yield file  # type: ignore[misc]  # it is one, but for its name


def _parsed(archive: zipfile.ZipFile, name: str, path: Path) -> Any:  # noqa: ANN401 - any JSON value
    with _member(archive, name, _LARGEST) as file:
        content = file.read(_LARGEST + 1)
    try:
        return json.loads(content)
    except RecursionError:
        raise BundleError(f"{path}: {name}: expected JSON nested less deeply") from None
    except ValueError as error:
        raise BundleError(f"{path}: {name}: expected JSON: {error}") from None


def _experiment(data: Any, path: Path) -> Experiment:  # noqa: ANN401 - any JSON value
    try:
        found = Experiment.from_data(data)
        if not isinstance(found.title, str) or len(found.title) > _LONGEST_TITLE:
            raise BundleError(f"{path}: {_EXPERIMENT}: title: expected a text")
        return experiment_of(found.scenario, found.axes, found.target, found.batches, found.title)
    except (FieldError, ScenarioError) as error:
        raise BundleError(f"{path}: {_EXPERIMENT}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"{path}: {_EXPERIMENT}: {place}: {first['msg'].lower()}") from None
    except (KeyError, TypeError, AttributeError):
        raise BundleError(f"{path}: {_EXPERIMENT}: expected an experiment, got something else") from None


def _points(data: Any, path: Path) -> tuple[BundledPoint, ...]:  # noqa: ANN401 - any JSON value
    try:
        return TypeAdapter(tuple[BundledPoint, ...]).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"{path}: {_POINTS}: {place}: {first['msg'].lower()}") from None


def _rows(file: BinaryIO, bundle: Bundle) -> Iterator[BundledRun]:
    """The replications of the table, seen to be those that the points are said to have."""
    experiment, path = bundle.experiment, f"{bundle.path}: {_REPLICATIONS}"
    table = _cells(file, path)
    heading = next(table, [])
    expected = _heading(batched=experiment.batches is not None)
    begin = len(expected)
    names = heading[begin:]
    if heading[:begin] != expected or len({*names}) != len(names):
        raise BundleError(f"{path}: expected the columns of a bundle, got others")
    each = 1 if experiment.batches is None else experiment.batches.count
    for index, point in enumerate(bundle.points):
        for seed in range(point.first_seed, point.first_seed + point.runs):
            samples = []
            for _ in range(each):
                row = next(table, [])
                if len(row) != len(heading) or row[:2] != [str(index), str(seed)]:
                    raise BundleError(f"{path}: expected the run of point {index} with seed {seed} next")
                samples.append(_figures(names, row[begin:], path))
            yield BundledRun(index, seed, tuple(samples))
    if next(table, None) is not None:
        raise BundleError(f"{path}: expected {bundle.runs} runs, got more")


def _figures(names: list[str], cells: list[str], path: str) -> Figures:
    try:
        return {name: float(cell) for name, cell in zip(names, cells, strict=True) if cell}
    except ValueError:
        raise BundleError(f"{path}: expected numbers, got {_shown(cells)}") from None


def _cells(file: BinaryIO, path: str) -> Iterator[list[str]]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")

    def lines() -> Iterator[str]:
        while line := text.readline(_LONGEST_LINE):
            if len(line) >= _LONGEST_LINE:
                raise BundleError(f"{path}: expected lines of less than {_LONGEST_LINE} letters")
            yield line

    try:
        yield from csv.reader(lines(), strict=True)
    except csv.Error as error:
        raise BundleError(f"{path}: expected comma-separated values: {error}") from None


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"
