"""The store: what is kept is there, whole and exact; what could not be kept waits for another try."""

import errno
import math
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.work import Work
from meshgui.experiment.executors import InProcess
from meshgui.experiment.results import results_of
from meshgui.experiment.run_spec import RunResult
from meshgui.experiment.samples import PackedSamples, SampleTable
from meshgui.experiment.store import RunFailure, RunRecord, Store, StoreError
from meshgui.experiment.sweep import Sweep
from tests.experiments import numbers_of, plain, small_experiment
from tests.stores import runs_in

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")
numbers = st.floats(allow_nan=False)


def begun(path):
    """An experiment and a store that knows it."""
    experiment = small_experiment(*AXES)
    store = Store(path)
    store.begin(experiment.id, experiment.as_data(), [point.spec for point in experiment.points])
    return experiment, store


@given(
    rows=st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=4),
    wall=st.dictionaries(st.text(max_size=5), numbers, max_size=2),
    seconds=st.floats(0, 1e6),
)
def test_a_replication_comes_back_to_the_last_digit(rows, wall, seconds):
    """Samples, wall times and seconds, whatever numbers they are."""
    experiment, store = begun(None)
    run = RunResult(tuple(dict(zip("abc", row, strict=True)) for row in rows), wall, seconds)
    with store:
        key = experiment.points[0].spec.key
        store.keep([RunRecord(key, 7, run)])
        assert store.results(key) == {7: run}
        assert list(store.results(key, 8)) == list(store.results(key, 0, 7)) == []
        assert list(store.results(key, 7, 1)) == [7]


def made(**figures):
    """A run with these figures."""
    return RunResult((figures,), {}, 0.5)


def test_a_replication_that_is_there_stays_as_it_is():
    """Brought once more by another sweep, it changes nothing."""
    experiment, store = begun(None)
    key = experiment.points[0].spec.key
    with store:
        store.keep([RunRecord(key, 1, made(a=1.0))])
        store.keep([RunRecord(key, 1, made(a=2.0)), RunRecord(key, 2, made(b=2.0))])
        assert store.results(key) == {1: made(a=1.0), 2: made(b=2.0)}
        assert runs_in(store) == 2


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), numbers, min_size=1), min_size=1, max_size=8))
def test_a_table_has_the_figures_that_every_row_has(rows):
    """Column by column what plain dictionaries say, also for who held it before figures were dropped."""
    table, common, seen = SampleTable(), list(rows[0]), []
    for count, row in enumerate(rows, 1):
        table = table.add(PackedSamples.of((row,)))
        common = [name for name in common if name in row]
        if not common:
            return
        assert list(table.names) == common
        seen.append((table, table.names, count))
    for held, names, count in seen:
        if held.names == names:  # nobody adds to a table that figures were dropped from
            assert all(list(held.column(n, count)) == [row[n] for row in rows[:count]] for n in names)


def test_rows_with_no_figure_in_common_have_none():
    """However many follow; the least significant byte comes first, and half a row is refused."""
    table = SampleTable()
    for name in "abab":
        table = table.add(PackedSamples.of(({name: 1.0},)))
    assert table.names == ()
    packed = PackedSamples.of(({"a": 1.0, "b": -2.0},))
    assert packed.to_bytes() == b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0"
    assert PackedSamples.from_bytes(("a", "b"), packed.to_bytes()) == packed
    for names, content in ((("a", "b"), packed.to_bytes()[:8]), (("a",), b"123"), ((), bytes(8))):
        with pytest.raises(ValueError):
            PackedSamples.from_bytes(names, content)
    with pytest.raises(ValueError):
        PackedSamples.of(({"a": 1.0}, {"a": 1.0, "b": 1.0}))


@pytest.mark.parametrize("pages", [0, 1, 3])
def test_what_did_not_fit_is_kept_in_memory_and_written_later(tmp_path, pages):
    """The file may not grow beyond some pages: a fault, nothing lost; with room `run` continues."""
    path, experiment = tmp_path / "store.db", small_experiment(*AXES)
    with Store(path) as store:
        sweep = Sweep(experiment, store, InProcess())
        [size] = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {size + pages}")
        with pytest.raises(StoreError, match=r"store\.db: the disk is full; what the store holds is safe"):
            sweep.run()
        known, made = runs_in(store), sweep.progress.completed
        assert made > known
        with pytest.raises(StoreError, match="the disk is full"):  # still so, and still nothing lost
            sweep.run()
        assert (runs_in(store), sweep.progress.completed) == (known, made)
        store._connection.execute("PRAGMA max_page_count = 100000")
        sweep.run()
        assert runs_in(store) == sweep.progress.completed
        assert plain(sweep.results) == plain(results_of(experiment, store)) == numbers_of(experiment)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("pragma", ["journal_mode", "application_id"])
def test_a_store_that_cannot_be_begun_leaves_no_file(tmp_path, monkeypatch, pragma):
    """On a full disk it would be empty, or have a head alone; a file that was there stays."""

    class Full(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement.startswith(f"PRAGMA {pragma}"):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *words, **more: connect(*words, factory=Full, **more))
    path = tmp_path / "store.db"
    with pytest.raises(StoreError, match="disk is full"):
        Store(path)
    assert list(tmp_path.iterdir()) == []
    path.touch()
    with pytest.raises(StoreError, match="disk is full"):
        Store(path)
    assert path in tmp_path.iterdir()


def test_what_met_a_lock_is_kept_in_memory_and_written_later(tmp_path, monkeypatch):
    """Another program has the store in the middle of a sweep: the same, and readers are never kept out."""
    path, experiment = tmp_path / "store.db", small_experiment(*AXES)
    with Store(path, patience=0.2) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        sweep = Sweep(experiment, store, InProcess())

        def hear(_):
            if sweep.progress.completed >= 3 and not other.in_transaction:
                other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(StoreError, match=r"store\.db: the store is locked by another program"):
            sweep.run(Work(hear))
        known = runs_in(store)
        assert known < sweep.progress.completed
        assert len(store.sweeps()) == 1
        other.execute("ROLLBACK")
        sweep.run()
        assert runs_in(store) == sweep.progress.completed
        assert plain(sweep.results) == numbers_of(experiment)


def test_a_failure_that_could_not_be_noted_is_noted_later(tmp_path):
    """What is known to be impossible waits in memory as well."""
    path, experiment = tmp_path / "store.db", small_experiment("allocator.name=ff")

    class Never(InProcess):
        def outcomes(self, seconds):
            return [outcome._replace(result=None, fault="lost") for outcome in super().outcomes(seconds)]

    with Store(path, patience=0.0) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        sweep = Sweep(experiment, store, Never())
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError):
            sweep.run()
        other.execute("ROLLBACK")
        sweep.run()
        key = experiment.points[0].spec.key
        assert store.failures(key) == [RunFailure(key, 7, "lost")]
        assert plain(results_of(experiment, store)) == plain(sweep.results)
        assert sweep.results[0].fault == "seed 7: lost"


def test_what_arrived_is_kept_when_a_sweep_is_interrupted(tmp_path, monkeypatch):
    """An interrupt costs nothing; a read-only disk is read without a log, and says why it is not written."""
    experiment = small_experiment("allocator.name=ff")
    with Store(tmp_path / "store.db") as store:
        sweep, keep, calls = Sweep(experiment, store, InProcess()), store.keep, []

        def interrupted(made, failed):
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
            keep(made, failed)

        store.keep = interrupted
        with pytest.raises(KeyboardInterrupt):
            sweep.run()
        assert runs_in(store) == sweep.progress.completed == 2
    path = tmp_path / "alone" / "store.db"
    path.parent.mkdir()
    experiment, store = begun(path)
    store.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Store(path, read_only=True) as reader:
        assert [found.id for found in reader.sweeps()] == [experiment.id]
        assert [*path.parent.iterdir()] == [path]

    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StoreError, match=r"store\.db: read-only file system"):
        Store(path)


def test_a_name_that_is_too_long_is_said_and_a_read_only_store_cannot_be_written(tmp_path):
    """As wherever a store cannot be made; it can be read while another process writes it."""
    with pytest.raises(StoreError, match="x: file name too long"):
        Store(tmp_path / ("x" * 300))
    path = tmp_path / "store.db"
    experiment, store = begun(path)
    with store, Store(path, read_only=True) as reader:
        key = experiment.points[0].spec.key
        store.keep([RunRecord(key, 1, made(a=math.pi))])
        assert reader.results(key)[1].samples == ({"a": math.pi},)
        with pytest.raises(StoreError, match=r"store\.db: the store could not be opened or written"):
            reader.forget(experiment.id)
