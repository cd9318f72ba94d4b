"""The store of an experiment: an SQLite file to which results go replication by replication.

What `keep` has returned from is on disk as one transaction: a program killed at any moment loses nothing of
it, and the file is never half-written. Readers and one writer may work at the same time (write-ahead log); a
second writer waits for its turn, and can be interrupted meanwhile. A store is used by the thread that opened
it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar

from meshgui.engine.basics.files import is_plain_file, os_fault
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.run_spec import RunResult, RunSpec
from meshgui.experiment.samples import PackedSamples

__all__ = ["BadStoreError", "ExperimentRecord", "RunFailure", "RunRecord", "Store", "StoreError", "StoredRun"]

_APPLICATION: Final = 0x4D475549  # "MGUI": what says that a file is one of these
_VERSION: Final = 1
_PATIENCE: Final = 10.0  # seconds to wait for another writer
_AT_ONCE: Final = 0.1  # of them at a time: SQLite itself waits without noticing a signal
_PAUSE: Final = 0.02
_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_STORE: Final = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_DAMAGED: Final = tr("expected a store of MeshGUI, got a file that is none or is damaged")
_SCHEMA: Final = """
CREATE TABLE scenarios (
    hash TEXT PRIMARY KEY,
    body BLOB NOT NULL             -- the work as JSON, deflated
) WITHOUT ROWID;
CREATE TABLE layouts (
    id INTEGER PRIMARY KEY,        -- a hash of the names
    names TEXT NOT NULL            -- JSON: a list of figures
);
CREATE TABLE replications (
    scenario TEXT NOT NULL REFERENCES scenarios (hash),
    seed INTEGER NOT NULL,
    layout INTEGER NOT NULL REFERENCES layouts (id),
    samples BLOB NOT NULL,         -- its figures, eight bytes each, once or once a batch
    wall TEXT NOT NULL,            -- JSON: figures measured with a clock
    seconds REAL NOT NULL,
    PRIMARY KEY (scenario, seed)
) WITHOUT ROWID;
CREATE TABLE failures (
    scenario TEXT NOT NULL REFERENCES scenarios (hash),
    seed INTEGER NOT NULL,
    fault TEXT NOT NULL,
    PRIMARY KEY (scenario, seed)
) WITHOUT ROWID;
CREATE TABLE sweeps (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,            -- JSON: the experiment
    begun TEXT NOT NULL            -- when it was last begun, in UTC
);
"""

R = TypeVar("R")


class StoreError(Exception):
    """A store that cannot be used now: one line that names the file and says why."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class BadStoreError(StoreError):
    """A file that is no store, or a damaged one."""


class RunRecord(NamedTuple):
    """A replication to keep."""

    key: str
    seed: int
    result: RunResult


class StoredRun(NamedTuple):
    """The outcome of a replication, as it is stored."""

    samples: PackedSamples
    wall: Figures
    seconds: float


class RunFailure(NamedTuple):
    """A replication that could not be made."""

    key: str
    seed: int
    fault: str


class ExperimentRecord(NamedTuple):
    """An experiment of the store."""

    id: str
    title: str
    data: dict[str, Any]
    begun: str


class Store:
    """An open store; without a path it lives in memory and is gone with the program."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        read_only: bool = False,
        patience: float = _PATIENCE,
        waiting: Callable[[float], None] | None = None,
    ) -> None:
        """`waiting` is called repeatedly with the seconds for which another program has been waited for."""
        self.path = path
        self._name = tr("the results") if path is None else str(path)
        self._patience = patience
        self._waiting = waiting
        self._layouts: dict[int, tuple[str, ...]] = {}  # those read
        with self._faults():
            new = path is not None and not read_only and not path.exists()
            self._connection = self._open(path, read_only=read_only)
        try:
            with self._faults():
                self._patiently(lambda: self._prepare(fresh=not read_only))
        except BaseException:
            self._connection.close()
            if new:
                self._remove_new()
            raise

    @staticmethod
    def _open(path: Path | None, *, read_only: bool) -> sqlite3.Connection:
        if path is None:
            return sqlite3.connect(":memory:", isolation_level=None)
        if path.is_dir():
            raise IsADirectoryError(21, tr("expected a file, got a folder"), str(path))
        if not path.absolute().parent.is_dir():
            raise FileNotFoundError(
                2, tr("there is no folder {parent}").format(parent=path.parent), str(path)
            )
        if not read_only and (is_plain_file(path) or not path.exists()):
            path.open("ab").close()  # SQLite does not say why it cannot be made or written
        how = "mode=ro" if read_only else "mode=rw"
        if read_only and not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
            how += "&immutable=1"  # else SQLite would make its log there, even to read
        uri = f"{path.absolute().as_uri()}?{how}"
        return sqlite3.connect(uri, uri=True, timeout=_AT_ONCE, isolation_level=None)

    def _remove_new(self) -> None:
        """Leave no empty file on a full disk, nor what SQLite has beside it."""
        for end in ("", "-wal", "-shm"):
            Path(f"{self.path}{end}").unlink(missing_ok=True)

    def _prepare(self, *, fresh: bool) -> None:
        """See that the file is a store of a version known here; make an empty one into one."""
        run = self._connection.execute
        if self._connection.in_transaction:  # the last attempt met another program
            run("ROLLBACK")
        if fresh and not run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            run("PRAGMA journal_mode = WAL")
            run("BEGIN IMMEDIATE")  # another program may be making it as well
            if not run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in _SCHEMA.split(";"):
                    run(statement)
                run(f"PRAGMA application_id = {_APPLICATION}")
                run(f"PRAGMA user_version = {_VERSION}")
            run("COMMIT")
        if run("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise BadStoreError(
                tr("{name}: expected a store of MeshGUI, got another database").format(name=self._name)
            )
        version = run("PRAGMA user_version").fetchone()[0]
        if version != _VERSION:
            raise BadStoreError(
                tr("{name}: expected a store of version {VERSION}, got version {version}").format(
                    name=self._name, VERSION=_VERSION, version=version
                )
            )
        # Synced at checkpoints only: a killed program loses nothing, a power cut at most the last seconds.
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA foreign_keys = ON")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

    def begin(self, sweep: str, data: dict[str, Any], specs: Iterable[RunSpec]) -> None:
        """Note an experiment and what its points run."""
        self.register(specs)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO sweeps VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
                " SET title = excluded.title, body = excluded.body, begun = excluded.begun",
                (sweep, data["title"], json.dumps(data, sort_keys=True), now),
            )

    def register(self, specs: Iterable[RunSpec]) -> None:
        """Note what is going to be run; failures of before are forgotten, to be tried again."""
        rows = [(spec.key, zlib.compress(spec.text.encode())) for spec in specs]
        with self._writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO scenarios VALUES (?, ?)", rows)
            connection.executemany("DELETE FROM failures WHERE scenario = ?", [(key,) for key, _ in rows])

    def keep(self, made: Iterable[RunRecord], failed: Iterable[RunFailure] = ()) -> None:
        """Put replications down and note those that could not be made, all or nothing.

        A replication that is there already stays as it is.
        """
        layouts: dict[int, str] = {}
        rows = []
        for key, seed, found in made:
            packed = PackedSamples.of(found.samples)
            names = json.dumps(packed.names)
            layout = _hash_of(names)
            layouts[layout] = names
            rows.append((key, seed, layout, packed.to_bytes(), json.dumps(found.wall), found.seconds))
        with self._writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO layouts VALUES (?, ?)", layouts.items())
            connection.executemany("INSERT OR IGNORE INTO replications VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", failed)

    def fail(self, failure: RunFailure) -> None:
        """Note that a replication could not be made."""
        self.keep((), (failure,))

    def forget(self, sweep: str) -> None:
        """Drop an experiment from the list; its replications stay."""
        with self._writing() as connection:
            connection.execute("DELETE FROM sweeps WHERE id = ?", (sweep,))

    # Reading

    def sweeps(self) -> list[ExperimentRecord]:
        """The experiments, the last begun first."""
        with self._faults():
            rows = self._ask("SELECT id, title, body, begun FROM sweeps ORDER BY begun DESC, id").fetchall()
            return [ExperimentRecord(id_, title, json.loads(body), begun) for id_, title, body, begun in rows]

    def stored(self, key: str, first: int = 0, most: int | None = None) -> Iterator[tuple[int, StoredRun]]:
        """The replications of a scenario by seed, in order; only those from `first` on, at most that many."""
        beyond = 2**63 - 1 if most is None else min(first + most, 2**63) - 1
        with self._faults(), closing(
            self._ask(
                "SELECT seed, layout, samples, wall, seconds FROM replications"
                " WHERE scenario = ? AND seed BETWEEN ? AND ? ORDER BY seed",
                (key, first, beyond),
            )
        ) as rows:  # fmt: skip
            for seed, layout, samples, wall, seconds in rows:
                packed = PackedSamples.from_bytes(self._names_of(layout), samples)
                yield seed, StoredRun(packed, json.loads(wall), seconds)

    def results(self, key: str, first: int = 0, most: int | None = None) -> dict[int, RunResult]:
        """The same, as they were made."""
        return {
            seed: RunResult(stored.samples.rows(), stored.wall, stored.seconds)
            for seed, stored in self.stored(key, first, most)
        }

    def failures(self, key: str) -> list[RunFailure]:
        """What could not be made of a scenario."""
        with self._faults():
            rows = self._ask(
                "SELECT scenario, seed, fault FROM failures WHERE scenario = ? ORDER BY seed", (key,)
            ).fetchall()
        return [RunFailure(*row) for row in rows]

    def text(self, key: str) -> str | None:
        """The work behind a key."""
        with self._faults():
            row = self._ask("SELECT body FROM scenarios WHERE hash = ?", (key,)).fetchone()
            return None if row is None else zlib.decompress(row[0]).decode()

    def specs(self) -> list[RunSpec]:
        """What it has replications of."""
        with self._faults():
            rows = self._ask(
                "SELECT hash, body FROM scenarios WHERE hash IN (SELECT scenario FROM replications)"
            ).fetchall()
            return [RunSpec(key, zlib.decompress(body).decode()) for key, body in rows]

    def count(self) -> int:
        """How many replications there are in all."""
        with self._faults():
            number: int = self._ask("SELECT count(*) FROM replications").fetchone()[0]
        return number

    def _names_of(self, layout: int) -> tuple[str, ...]:
        if layout not in self._layouts:
            row = self._ask("SELECT names FROM layouts WHERE id = ?", (layout,)).fetchone()
            if row is None:
                raise ValueError(tr("expected the layout {layout}").format(layout=layout))
            self._layouts[layout] = tuple(json.loads(row[0]))
        return self._layouts[layout]

    # Faults

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with self._faults():
            self._ask("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back, as on a full disk
                    self._connection.execute("ROLLBACK")
                raise

    def _ask(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._patiently(lambda: self._connection.execute(statement, values))

    def _patiently(self, work: Callable[[], R]) -> R:
        """Do it, again and again while another program is at it."""
        begun = monotonic()
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if _primary(error) not in _BUSY or monotonic() >= begun + self._patience:
                    raise
                if self._waiting is not None:
                    self._waiting(monotonic() - begun)
                sleep(_PAUSE)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            kind = BadStoreError if _primary(error) in _NO_STORE else StoreError
            raise kind(f"{self._name}: {_in_words(error)}") from error
        except OSError as error:
            raise StoreError(f"{self._name}: {os_fault(error)}") from error
        except (ValueError, TypeError, zlib.error) as error:  # of what was read
            raise BadStoreError(f"{self._name}: {_DAMAGED}") from error


def _hash_of(names: str) -> int:
    return int.from_bytes(hashlib.sha256(names.encode()).digest()[:7], "big")


def _primary(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _in_words(error: sqlite3.Error) -> str:
    primary = _primary(error)
    if primary in _BUSY:
        return tr("the store is locked by another program: try again when that has ended")
    if primary == sqlite3.SQLITE_FULL:
        return tr("the disk is full; what the store holds is safe")
    if primary == sqlite3.SQLITE_IOERR:
        return tr(
            "the store could not be read or written ({error}): the disk may be full; what it holds is safe"
        ).format(error=error)
    if primary in _NO_STORE:
        return _DAMAGED
    if primary in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY}:
        return tr("the store could not be opened or written: {error}").format(error=error)
    return tr("the store could not be used: {error}").format(error=error)
