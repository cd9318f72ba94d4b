"""The rows of chosen points of a sweep as Parquet."""

import errno
import json
import os
import sys

import numpy as np
import pytest

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.tables import table_of
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.parquet import ParquetFile
from tests.cli.conftest import is_one_line
from tests.experiments import SMALL

TALKING = {**SMALL, "network": {"pattern": "one-to-all", "messages": 3}}
VARY = ("--vary", "allocator.name=ff,gabl", "workload.load=0.5,1", "--max-runs", 2, "--jobs", 1)


@pytest.fixture
def swept(here, tmp_path):
    """Sweeps with tables; the folder of these."""

    def call(*words, data=TALKING):
        (tmp_path / "it.meshgui.json").write_text(json.dumps(data))
        done = here("sweep", tmp_path / "it.meshgui.json", *VARY, "--tables", tmp_path / "rows", *words)
        return done, tmp_path / "rows"

    return call


def read(path):
    """The rows of a file."""
    return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()


def test_every_run_s_jobs_packets_and_course_are_there(swept):
    """A file for each point; the columns of jobs are those of a run's table, behind what was varied."""
    pytest.importorskip("pyarrow", reason="the extra data is not installed")
    done, folder = swept("--tables-of", "allocator.name=gabl")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")) == [
        *(
            f"{name}/000{point}.parquet"
            for name in ("by_size", "jobs", "packets", "series")
            for point in (2, 3)
        )
    ]
    rows = read(folder / "jobs" / "0003.parquet")
    of = scenario_from({**TALKING, "allocator": {"name": "gabl"}})
    assert {row["seed"] for row in rows} == {7, 8}
    assert {(row["point"], row["allocator.name"], row["workload.load"]) for row in rows} == {(3, "gabl", 1.0)}
    recording = simulate(of, 8)
    for table in ("jobs", "by_size", "packets"):
        of_seed = [row for row in read(folder / table / "0003.parquet") if row["seed"] == 8]
        for name, values in table_of(recording, table).items():
            if name != "seconds":  # of this machine
                assert np.array_equal(np.array([row[name] for row in of_seed]), values, equal_nan=True), name
    series = [row for row in read(folder / "series" / "0003.parquet") if row["seed"] == 8]
    for name, values in (table_of(recording, "utilisation") | table_of(recording, "queue")).items():
        assert [row[name] for row in series] == values.tolist(), name


def test_without_a_network_there_are_no_packets(swept):
    """And without a choice there is a file for every point."""
    pytest.importorskip("pyarrow", reason="the extra data is not installed")
    done, folder = swept(data=SMALL)
    assert done.returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["by_size", "jobs", "series"]
    assert len(list((folder / "jobs").iterdir())) == 4


def test_on_a_full_disk_no_empty_folder_is_left(swept, monkeypatch, tmp_path):
    """One line; a folder that was there stays."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(ParquetFile, "add", fail_as_a_full_disk)
    done, folder = swept()
    assert (done.returncode, is_one_line(done.stderr), folder.exists()) == (1, True, False)
    (folder / "jobs").mkdir(parents=True)
    swept()
    assert [path.name for path in folder.iterdir()] == ["jobs"]


def test_a_disk_that_is_full_at_the_end_of_a_point_leaves_none_of_its_tables(swept, monkeypatch):
    """Not even the one that was whole."""
    pytest.importorskip("pyarrow")
    close, closed = ParquetFile.close, []

    def fail_at_the_last(file):
        close(file)
        closed.append(file)
        if len(closed) == 4:
            fail_as_a_full_disk()

    monkeypatch.setattr(ParquetFile, "close", fail_at_the_last)
    done, folder = swept()
    assert (done.returncode, is_one_line(done.stderr), folder.exists()) == (1, True, False)


def fail_as_a_full_disk(*_):
    """Fail."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_without_pyarrow_it_is_one_line_before_the_work(swept, monkeypatch):
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done, folder = swept()
    said = "meshgui: --tables: expected the package pyarrow: pip install meshgui[data]\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--tables-of", "workload.load=3"), "--tables-of: no point has these values"),
        (("--tables-of", "seed=3"), "--tables-of: seed: expected another field"),
        (("--tables-of", "mesh.shape=4x4"), "--tables-of: mesh.shape: expected a field that is varied"),
        (("--tables-of", "load"), "--tables-of: expected KEY=V1,V2"),
    ],
)
def test_a_wrong_choice_is_one_line(swept, monkeypatch, words, expected):
    """Before the work."""
    monkeypatch.setitem(sys.modules, "pyarrow", sys)  # it is not used yet
    done, folder = swept(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert expected in done.stderr
    assert not folder.exists()


def test_a_choice_without_tables_is_refused(here, tmp_path):
    """There would be nothing to choose of."""
    (tmp_path / "it.meshgui.json").write_text(json.dumps(SMALL))
    done = here("sweep", tmp_path / "it.meshgui.json", *VARY, "--tables-of", "workload.load=1")
    assert (done.returncode, done.stderr) == (2, "meshgui sweep: --tables-of: expected --tables as well\n")
