"""Reads a bundle as a stranger's: nothing is unpacked to the disk.

Only the members known here are looked at, and none is read beyond a limit.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

from pydantic import FailFast, Field, TypeAdapter, ValidationError

from meshgui.engine.basics.files import open_input, os_fault, read_at_most
from meshgui.engine.basics.json_text import JsonError, read_json
from meshgui.engine.basics.limits import max_json_memory, max_unpacked
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.runs.figures import Figures
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.bundle_format import (
    EXPERIMENT,
    FORMAT,
    POINTS,
    REPLICATIONS,
    RESULTS,
    VERSIONS,
    BundledPoint,
    BundledRun,
    BundleError,
    table_heading,
)
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Experiment, experiment_from
from meshgui.experiment.limits import (
    MAX_BUNDLED_FILES,
    MAX_BUNDLED_LINE,
    MAX_BUNDLED_TABLE,
    MAX_BUNDLED_TEXT,
    MAX_POINTS,
)

_READ: Final = (VERSIONS, EXPERIMENT, POINTS, REPLICATIONS)
_Points = Annotated[tuple[BundledPoint, ...], FailFast(), Field(max_length=MAX_POINTS)]
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
        with _opened(self.path) as archive, _member(archive, REPLICATIONS, MAX_BUNDLED_TABLE) as file:
            yield from _rows(file, self)

    def results_table(self) -> bytes:
        """The table of results."""
        with _opened(self.path) as archive, _member(archive, RESULTS, MAX_BUNDLED_TEXT) as file:
            return file.read()


def is_bundle(path: Path) -> bool:
    """Whether a file is a zip, going by how it begins; only a plain file can be one."""
    try:
        with open_input(path) as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


def read_bundle(path: Path) -> Bundle:
    """The bundle in a file."""
    with _opened(path) as archive:
        about = _parsed(archive, VERSIONS, path)
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            found = about.get("format") if isinstance(about, dict) else None
            raise BundleError(
                tr("{path}: {VERSIONS}: expected a bundle of version {FORMAT}, got {shown}").format(
                    path=path, VERSIONS=VERSIONS, FORMAT=FORMAT, shown=_shown(found)
                )
            )
        points = _points(_parsed(archive, POINTS, path), path)
        experiment = _experiment(_parsed(archive, EXPERIMENT, path), path, len(points))
        with _member(archive, REPLICATIONS, MAX_BUNDLED_TABLE):
            pass
        versions = {str(key): value if isinstance(value, int) else str(value) for key, value in about.items()}
        return Bundle(path, experiment, points, versions)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip, with all that may be wrong with one in one sentence."""
    try:
        with open_input(path) as file, zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            names = [info.filename for info in members]
            if len(members) > MAX_BUNDLED_FILES:
                raise BundleError(
                    tr("{path}: expected a bundle of MeshGUI, got a zip of {members} files").format(
                        path=path, members=len(members)
                    )
                )
            for name in _READ:
                if names.count(name) != 1:
                    found = tr("none") if name not in names else tr("several")
                    raise BundleError(
                        tr("{path}: expected a bundle of MeshGUI with one {name}, got {found}").format(
                            path=path, name=name, found=found
                        )
                    )
            if sum(info.compress_size for info in members) > os.fstat(file.fileno()).st_size:
                raise zipfile.BadZipFile(tr("its files are longer than the bundle"))
            yield archive
    except OSError as error:
        raise BundleError(f"{path}: {os_fault(error)}") from None
    except _OF_ZIP as error:
        raise BundleError(
            tr("{path}: expected a whole bundle of MeshGUI, got a damaged one: {error}").format(
                path=path, error=shortened(str(error))
            )
        ) from None


@contextmanager
def _member(archive: zipfile.ZipFile, name: str, most: int) -> Iterator[BinaryIO]:
    """A member open for reading; its size is refused before anything of it is unpacked."""
    if name not in archive.namelist():
        raise BundleError(
            tr("{filename}: expected a bundle of MeshGUI with one {name}, got none").format(
                filename=archive.filename, name=name
            )
        )
    info = archive.getinfo(name)
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BundleError(
            tr("{filename}: {name}: expected it stored or deflated").format(
                filename=archive.filename, name=name
            )
        )
    if info.flag_bits & 1:
        raise BundleError(
            tr("{filename}: {name}: expected it without a password").format(
                filename=archive.filename, name=name
            )
        )
    most = max_unpacked(info.compress_size, most)
    if info.file_size > most:
        raise BundleError(
            tr("{filename}: {name}: expected at most {most} bytes, got {file_size}").format(
                filename=archive.filename, name=name, most=most, file_size=info.file_size
            )
        )
    with archive.open(info) as file:
        yield file  # type: ignore[misc]  # it is one, but for its name


def _parsed(archive: zipfile.ZipFile, name: str, path: Path) -> Any:  # noqa: ANN401 - any JSON value
    with _member(archive, name, MAX_BUNDLED_TEXT) as file:
        content = read_at_most(file, MAX_BUNDLED_TEXT) or b""  # `_member` has refused what is larger
    try:
        return read_json(content, most=max_json_memory(archive.getinfo(name).compress_size))
    except JsonError as error:
        raise BundleError(f"{path}: {name}: {error}") from None


def _check_size(found: Experiment, path: Path, points: int) -> None:
    """Compare the number of points with that of the fields, before all of them are made."""
    size = math.prod(len(axis.values) for axis in found.axes)
    if points != size <= MAX_POINTS:
        raise BundleError(
            tr("{path}: {POINTS}: expected {points} points, got {points2}").format(
                path=path, POINTS=POINTS, points=size, points2=points
            )
        )


def _experiment(data: Any, path: Path, points: int) -> Experiment:  # noqa: ANN401 - any JSON value
    try:
        return experiment_from(data, lambda found: _check_size(found, path, points))
    except (FieldError, ScenarioError) as error:
        raise BundleError(f"{path}: {EXPERIMENT}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"{path}: {EXPERIMENT}: {place}: {first['msg'].lower()}") from None
    except (KeyError, TypeError, AttributeError):
        raise BundleError(
            tr("{path}: {EXPERIMENT}: expected an experiment, got something else").format(
                path=path, EXPERIMENT=EXPERIMENT
            )
        ) from None


def _points(data: Any, path: Path) -> tuple[BundledPoint, ...]:  # noqa: ANN401 - any JSON value
    try:
        return TypeAdapter(_Points).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"{path}: {POINTS}: {place}: {first['msg'].lower()}") from None


def _rows(file: BinaryIO, bundle: Bundle) -> Iterator[BundledRun]:
    """The replications of the table, seen to be those that the points are said to have."""
    experiment, path = bundle.experiment, f"{bundle.path}: {REPLICATIONS}"
    table = _cells(file, path)
    heading = next(table, [])
    expected = table_heading(batched=experiment.batches is not None)
    begin = len(expected)
    names = heading[begin:]
    if heading[:begin] != expected or len({*names}) != len(names):
        raise BundleError(tr("{path}: expected the columns of a bundle, got others").format(path=path))
    each = 1 if experiment.batches is None else experiment.batches.count
    for index, point in enumerate(bundle.points):
        for seed in range(point.first_seed, point.first_seed + point.runs):
            samples = []
            for _ in range(each):
                row = next(table, [])
                if len(row) != len(heading) or row[:2] != [str(index), str(seed)]:
                    raise BundleError(
                        tr("{path}: expected the run of point {index} with seed {seed} next").format(
                            path=path, index=index, seed=seed
                        )
                    )
                samples.append(_figures(names, row[begin:], path))
            yield BundledRun(index, seed, tuple(samples))
    if next(table, None) is not None:
        raise BundleError(tr("{path}: expected {runs} runs, got more").format(path=path, runs=bundle.runs))


def _figures(names: list[str], cells: list[str], path: str) -> Figures:
    try:
        return {name: float(cell) for name, cell in zip(names, cells, strict=True) if cell}
    except ValueError:
        raise BundleError(
            tr("{path}: expected numbers, got {shown}").format(path=path, shown=_shown(cells))
        ) from None


def _cells(file: BinaryIO, path: str) -> Iterator[list[str]]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")

    def lines() -> Iterator[str]:
        while line := text.readline(MAX_BUNDLED_LINE):
            if len(line) >= MAX_BUNDLED_LINE:
                raise BundleError(
                    tr("{path}: expected lines of less than {LONGEST_LINE} characters").format(
                        path=path, LONGEST_LINE=MAX_BUNDLED_LINE
                    )
                )
            yield line

    try:
        yield from csv.reader(lines(), strict=True)
    except csv.Error as error:
        raise BundleError(
            tr("{path}: expected comma-separated values: {error}").format(path=path, error=error)
        ) from None


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return shortened(json.dumps(value, default=str))
