"""A store of a stranger: nothing in it is run, its content is checked, and work on it can be stopped."""

import signal
import sqlite3
import struct
import tracemalloc
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment import grid, run_spec
from meshgui.experiment.plugin_runs import other_code
from meshgui.experiment.run_spec import RunResult
from meshgui.experiment.store import BadStoreError, RunFailure, RunRecord, Store, StoreError
from meshgui.experiment.store_file import connect
from tests.experiments import small_experiment
from tests.foreign_stores import (
    FOREIGN_SCHEMAS,
    change,
    log_of,
    with_endless_pages,
    with_journal_that_removes,
    with_pages_claimed,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound store in one file."""
    experiment, path = small_experiment("allocator.name=ff"), tmp_path / "store.db"
    with Store(path) as store:
        store.begin(experiment.id, experiment.as_data(), [point.spec for point in experiment.points])
        key = experiment.points[0].spec.key
        store.keep([RunRecord(key, seed, RunResult(({"a": 1.0},), {"b": 2.0}, 0.5)) for seed in range(20)])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path


@pytest.fixture
def key() -> str:
    """Of the work that the store has runs of."""
    return small_experiment("allocator.name=ff").points[0].spec.key


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("statements", FOREIGN_SCHEMAS.values(), ids=FOREIGN_SCHEMAS)
def test_a_store_with_other_tables_is_refused_before_it_is_read(path, statements, read_only):
    """Other views, triggers, tables, columns and indexes: one line, and the file stays as it is."""
    change(path, statements)
    before = path.read_bytes()
    with pytest.raises(BadStoreError, match=r"store\.db: expected (the tables of )?a store of MeshGUI, got"):
        Store(path, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [True, False])
def test_thousands_of_tables_are_refused_without_a_list_of_them(path, read_only):
    """After the steps that the tables of a store take."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50000)"
            " INSERT INTO sqlite_master"
            " SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n"
        )
    tracemalloc.start()
    with pytest.raises(BadStoreError, match="expected the tables of a store of MeshGUI, got others"):
        Store(path, read_only=read_only)
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()


def test_sqlite_trusts_neither_the_schema_nor_the_pages_of_a_file(path, interruptible):
    """No function of the schema runs; pages that lead to each other are left when their reader stops."""
    with closing(connect(path, read_only=True)) as connection:
        settings = [
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("trusted_schema", "cell_size_check")
        ]
    assert settings == [(0,), (1,)]


def test_work_without_an_end_ends_when_it_is_unwanted(path):
    """Pages that lead to each other are millions of rows; the window and Ctrl+C end their count."""
    with_endless_pages(path, "replications", copies=20, levels=12)
    looks = []

    def look(_):
        looks.append(1)
        if len(looks) >= 3:
            raise Stopped

    with Store(path, read_only=True) as store, Work(look).under_way(), pytest.raises(Stopped):
        [*store.keys_with_runs()]
    assert len(looks) == 4  # once more for what ended it


@pytest.fixture
def interruptible():
    """A process that Ctrl+C interrupts; one that a shell has put in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_work_without_an_end_ends_by_a_signal(path, interruptible):
    """Ctrl+C arrives while SQLite is at work."""
    with_endless_pages(path, "replications", copies=20, levels=12)
    with (
        Store(path, read_only=True) as store,
        Work(lambda _: signal.raise_signal(signal.SIGINT)).under_way(),
        pytest.raises(KeyboardInterrupt),
    ):
        [*store.keys_with_runs()]


@pytest.mark.parametrize(
    ("table", "copies", "levels"),
    [*((each, 20, 12) for each in ("sweeps", "replications", "failures", "scenarios")), ("sweeps", 2, 1)],
)
def test_more_than_a_file_has_room_for_is_not_read(path, key, table, copies, levels):
    """A list of experiments without an end, or the same ones or runs again and again, are damage."""
    with Store(path) as store:
        store.fail(RunFailure(key, 30, "lost"))
    with_endless_pages(path, table, copies=copies, levels=levels)
    read = {"sweeps": Store.sweeps, "scenarios": lambda store: [*store.keys_with_runs()]}.get(
        table, lambda store: (store.results(key), store.failures(key))
    )
    with Store(path, read_only=True) as store, pytest.raises(BadStoreError, match="damaged"):
        read(store)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sweeps SET title = x'ff'",
        "UPDATE sweeps SET begun = x'05'",
        "UPDATE sweeps SET title = CAST(x'ff' AS TEXT)",
        "UPDATE sweeps SET body = '[]'",
        """UPDATE sweeps SET body = '{"axes": [1]}'""",
        "UPDATE sweeps SET body = '" + "[" * 5000 + "'",
        "UPDATE replications SET wall = '[1]'",
        "UPDATE replications SET wall = 'quick'",
        """UPDATE replications SET wall = '{"b": "x"}'""",
        "UPDATE replications SET wall = '{\"b\": 1" + "0" * 400 + "}'",
        "UPDATE replications SET seconds = 'x'",
        "UPDATE replications SET samples = 'x'",
        "UPDATE replications SET samples = x'0102'",
        "UPDATE replications SET layout = 5",
        """UPDATE layouts SET names = '{"a": 1}'""",
        "UPDATE layouts SET names = '[1]'",
        """UPDATE layouts SET names = '["=1+1"]'""",
    ],
)  # fmt: skip
def test_a_cell_of_another_kind_is_damage(path, key, statement):
    """Before it reaches who counts with it, or shows it."""
    change(path, (statement,))
    with Store(path, read_only=True) as store, pytest.raises(BadStoreError, match="damaged"):
        store.sweeps() if "sweeps" in statement else store.results(key)


def test_a_file_that_claims_to_be_larger_is_damaged(path):
    """Or a bound by its size would be none."""
    content = bytearray(path.read_bytes())
    content[28:32] = b"\x00\xff\xff\xff"
    path.write_bytes(content)
    with pytest.raises(BadStoreError, match="damaged"):
        Store(path, read_only=True)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_journal_beside_a_store_removes_no_file(path, tmp_path, read_only):
    """SQLite removes the file that a journal of several databases names, whatever it is."""
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    with_journal_that_removes(path, precious)
    with pytest.raises(StoreError, match=r"expected store\.db-journal beside it to be of this store"):
        Store(path, read_only=read_only)
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_lies_beside_a_store_is_a_plain_file(path, tmp_path, end):
    """SQLite would write through a link."""
    target = tmp_path / "target"
    target.write_text("mine")
    Path(f"{path}{end}").symlink_to(target)
    with pytest.raises(StoreError, match=rf"expected store\.db{end} beside it to be a plain file"):
        Store(path)
    assert target.read_text() == "mine"


def with_works(path, *bodies):
    """Put works into a store, each with a run."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for number, body in enumerate(bodies):
            connection.execute("INSERT INTO scenarios VALUES (?, ?)", (f" {number}", body))
            connection.execute(
                "INSERT INTO replications SELECT ?, seed, layout, samples, wall, seconds FROM replications"
                " WHERE seed = 0 LIMIT 1", (f" {number}",),
            )  # fmt: skip


def test_work_that_unpacks_out_of_proportion_is_passed_over(path, key):
    """A body of some kilobytes may hold gigabytes of blanks."""
    with_works(path, zlib.compress(b" " * (64 << 20), 9))
    with Store(path, read_only=True) as store:
        tracemalloc.start()
        assert len(list(store.works())) == 1
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
        tracemalloc.stop()


def test_works_unpack_to_no_more_than_a_bundle_all_together(path, monkeypatch):
    """Each within its proportion, thousands of them would be terabytes."""
    monkeypatch.setattr("meshgui.experiment.store_rows.MAX_BUNDLED_TEXT", 10 << 20)
    body = zlib.compress(b"{" + b" " * (3 << 20) + b"}", 9)
    with_works(path, *[body] * 50)
    with Store(path, read_only=True) as store:
        assert list(store.works()).count({}) == 3


@pytest.mark.parametrize(
    "body",
    [
        b"no deflated text",
        zlib.compress(b"{")[:-2],
        *map(zlib.compress, (b"\xff", b"no JSON", b"[]", b"[" * 5000 + b"]" * 5000, b'{"plugins": 1}')),
        zlib.compress(b'{"plugins": {"strategy gabl": []}}'),
    ],
)
def test_damaged_work_is_passed_over(path, body, monkeypatch):
    """Where runs of other code are looked for, it is other work."""
    with_works(path, body)
    for module in (run_spec, grid):
        monkeypatch.setattr(module, "plugins_of", lambda _: {"strategy ff": "1"})
    with Store(path, read_only=True) as store:
        made = other_code(small_experiment("allocator.name=ff"), store)
    assert made == " (made with strategy ff unknown, here 1)"


def test_a_journal_that_would_make_the_store_larger_is_refused(path):
    """SQLite would give the file the size that the journal names, before anything of it is read."""
    before = path.stat().st_size
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1234, 200_000_000, 512, 4096)
    Path(f"{path}-journal").write_bytes(header.ljust(512, b"\0") + b"\0" * 16)
    with pytest.raises(StoreError, match=r"expected store\.db-journal beside it to be of this store"):
        Store(path)
    assert path.stat().st_size == before


@pytest.mark.parametrize("read_only", [True, False])
def test_a_log_beside_a_store_is_part_of_it(path, read_only):
    """SQLite reads its pages in place of those of the file; the same checks are of both."""
    Path(f"{path}-wal").write_bytes(log_of(path, "UPDATE sweeps SET title = 'from the log'"))
    with Store(path, read_only=read_only) as store:
        assert [sweep.title for sweep in store.sweeps()] == ["from the log"]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_log_with_other_tables_is_refused_and_stays_a_log(path, read_only):
    """It would be moved into the store where that is closed by who may write it."""
    log = Path(f"{path}-wal")
    log.write_bytes(log_of(path, "CREATE VIEW results AS SELECT * FROM sweeps"))
    before = path.read_bytes(), log.read_bytes()
    with pytest.raises(BadStoreError, match="expected the tables of a store of MeshGUI, got others"):
        Store(path, read_only=read_only)
    assert (path.read_bytes(), log.read_bytes()) == before


@pytest.mark.parametrize("read_only", [True, False])
def test_a_log_that_claims_a_larger_store_is_damage(path, read_only):
    """Or a bound by the size of the store would be none."""
    log = with_pages_claimed(log_of(path, "PRAGMA user_version = 1"), 200_000_000)  # it has the first page
    Path(f"{path}-wal").write_bytes(log)
    with pytest.raises(BadStoreError, match="damaged"):
        Store(path, read_only=read_only)


def test_a_log_makes_a_store_no_larger_than_it_is_itself(path):
    """It says how many pages the store has after it, to which SQLite would extend the file."""
    log = Path(f"{path}-wal")
    log.write_bytes(with_pages_claimed(log_of(path, "UPDATE sweeps SET title = 'x'"), 200_000_000))
    before = path.stat().st_size
    with Store(path) as store:
        assert [sweep.title for sweep in store.sweeps()] == ["x"]
    assert path.stat().st_size <= before + 100_000


@pytest.mark.parametrize("there", [False, True])
def test_a_log_without_a_store_is_none(tmp_path, there):
    """What was left of another store goes where a new one begins."""
    path = tmp_path / "new.db"
    if there:
        path.touch()
    Path(f"{path}-wal").write_bytes(b"what was left" * 500)
    with Store(path) as store:
        assert store.sweeps() == []


def test_a_store_behind_a_link_has_its_log_beside_the_file(path, tmp_path):
    """Made there, or with a part still in the log; a new one has a log before it has tables."""
    (tmp_path / "in").mkdir()
    (tmp_path / "new.db").symlink_to("in/new.db")
    with Store(tmp_path / "new.db") as store:
        assert store.sweeps() == []
    assert (tmp_path / "in" / "new.db").exists()
    Path(f"{path}-wal").write_bytes(
        log_of(path, "INSERT INTO sweeps VALUES ('x', hex(zeroblob(9999)), '{}', '')")
    )
    (tmp_path / "linked.db").symlink_to(path)
    for read_only in (True, False):
        with Store(tmp_path / "linked.db", read_only=read_only) as store:
            assert len(store.sweeps()) == 2
    path = tmp_path / "made.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("PRAGMA user_version = 0")
        assert Path(f"{path}-wal").exists()
        with Store(path) as store:
            assert store.sweeps() == []
