"""Writes a bundle: an experiment, what a store has of it, and what is needed to make it again."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sqlite3
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, Final

from meshgui import __version__
from meshgui.engine.basics.limits import max_unpacked
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.experiment.bundle_format import (
    EXPERIMENT,
    POINTS,
    README,
    REPLICATIONS,
    RESULTS,
    STORE,
    VERSIONS,
    BundledPoint,
    BundleError,
    figure_order,
    table_heading,
    versions_here,
)
from meshgui.experiment.differences import differences_of
from meshgui.experiment.grid import Experiment
from meshgui.experiment.limits import MAX_BUNDLED_TEXT
from meshgui.experiment.results import PointResult, results_of
from meshgui.experiment.results_csv import csv_of, number_of
from meshgui.experiment.store import RunRecord, Store

_WHEN: Final = (1980, 1, 1, 0, 0, 0)  # of every member: the same results make the same bytes
_PIECE: Final = 1 << 20


def fit_to_bundle(experiment: Experiment) -> None:
    """See that an experiment needs no other file: that it makes the same points once it stands by itself.

    A file that a scenario names goes in as what was taken from it, so that neither the file nor what is taken
    from it can be varied any more.
    """
    data = experiment.as_data()
    if any(axis.key.endswith(".path") for axis in experiment.axes) or _names_a_file(data):
        raise BundleError(tr("expected an experiment whose points name no other file"))
    again = Experiment.from_data(data)
    for one, other in zip(experiment.points, again.points, strict=True):
        if one.spec != other.spec:
            raise BundleError(
                tr(
                    "{value}: expected a point that needs no other file: a bundle stores what the "
                    "scenario's own files hold, so they cannot be varied"
                ).format(value=", ".join(one.labels) or tr("scenario"))
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
        _put(archive, README, _readme(experiment, results).encode())
        _put(archive, VERSIONS, _json(versions_here(experiment.plugins)))
        _put(archive, EXPERIMENT, _json(experiment.as_data()))
        _put(archive, POINTS, _json([_about(experiment, result) for result in results]))
        _put(archive, RESULTS, csv_of(experiment, results, differences_of(experiment, results)))
        with archive.open(_info(REPLICATIONS), "w", force_zip64=True) as table:
            for line in _lines(experiment, results):
                table.write(line)
        with tempfile.TemporaryDirectory(prefix="meshgui-") as folder:
            path = Path(folder) / STORE
            _copy(experiment, store, results, path)
            with path.open("rb") as kept, archive.open(_info(STORE), "w", force_zip64=True) as member:
                while piece := kept.read(_PIECE):
                    member.write(piece)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _WHEN)
    info.create_system = 3  # wherever it is made
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = _info(name)
    if len(content) > max_unpacked(len(zlib.compress(content)), MAX_BUNDLED_TEXT):
        info.compress_type = zipfile.ZIP_STORED  # what shrinks to nearly nothing is refused when it is read
    archive.writestr(info, content)


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
    names = sorted(there, key=figure_order)
    batched = experiment.batches is not None
    yield _line([*table_heading(batched=batched), *names])
    for result in results:
        each = 1 if experiment.batches is None else experiment.batches.count
        for number, sample in enumerate(result.sampled):
            about = [str(result.point.index), str(experiment.seed + number // each)]
            batch = [str(number % each)] if batched else []
            cells = [number_of(sample[name]) if name in sample else "" for name in names]
            yield _line([*about, *batch, *cells])


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
    return tr(
        "{title}An experiment of MeshGUI {version}: {results} points, {runs} runs.\n\n"
        "To run it again, give this file in place of a scenario:\n\n    meshgui sweep BUNDLE.zip\n\n"
        "To run it again and see whether every number of every run is the same to the last digit:\n\n    "
        "meshgui sweep BUNDLE.zip --check\n\n"
        "{EXPERIMENT}     the scenario, the fields varied and the precision asked for\n"
        "{POINTS}         every point: its values, first seed and number of runs; seeds are consecutive\n"
        "{VERSIONS}       what it was made with\n"
        "{RESULTS}         means with half-widths and relative errors, one row per point, in order\n"
        "{REPLICATIONS}    every run with all its figures, with all digits; points count from 0\n"
        "{STORE}     the same runs as a store: meshgui sweep … --store continues from it\n"
    ).format(
        title=title,
        version=__version__,
        results=len(results),
        runs=runs,
        EXPERIMENT=EXPERIMENT,
        POINTS=POINTS,
        VERSIONS=VERSIONS,
        RESULTS=RESULTS,
        REPLICATIONS=REPLICATIONS,
        STORE=STORE,
    )
