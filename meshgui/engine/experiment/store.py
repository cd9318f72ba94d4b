"""The store of an experiment: an SQLite file to which results go replication by replication.

What `keep` has returned from is on disk as one transaction: a program killed at any moment loses nothing of
it, and the file is never half-written. Readers and one writer may work at the same time (write-ahead log); a
second writer waits for its turn. A store is used by the thread that opened it.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from meshgui.engine.experiment.work import Made, Work
from meshgui.engine.files import os_fault
from meshgui.engine.parts import printable

__all__ = ["Failure", "Kept", "Store", "StoreError", "Sweep"]

_APPLICATION: Final = 0x4D475549  # "MGUI": what says that a file is one of these
_VERSION: Final = 1
_PATIENCE: Final = 10.0  # seconds to wait for another writer
_SCHEMA: Final = """
CREATE TABLE scenarios (
    hash TEXT PRIMARY KEY,
    body BLOB NOT NULL             -- the work as JSON, deflated
) WITHOUT ROWID;
CREATE TABLE replications (
    scenario TEXT NOT NULL REFERENCES scenarios (hash),
    seed INTEGER NOT NULL,
    samples TEXT NOT NULL,         -- JSON: a list of objects of figures, one or one a batch
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


class StoreError(Exception):
    """A store that cannot be used now: one line that names the file and says why."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class Kept(NamedTuple):
    """A replication to keep."""

    key: str
    seed: int
    made: Made


class Failure(NamedTuple):
    """A replication that could not be made."""

    key: str
    seed: int
    fault: str


class Sweep(NamedTuple):
    """An experiment of the store."""

    id: str
    title: str
    data: dict[str, Any]
    begun: str


class Store:
    """An open store; without a path it lives in memory and is gone with the program."""

    def __init__(
        self, path: Path | None = None, *, read_only: bool = False, patience: float = _PATIENCE
    ) -> None:
        self.path = path
        self._name = "the results" if path is None else str(path)
        with self._faults():
            self._connection = self._open(path, read_only=read_only, patience=patience)
        try:
            with self._faults():
                self._prepare(fresh=not read_only)
        except BaseException:
            self._connection.close()
            raise

    @staticmethod
    def _open(path: Path | None, *, read_only: bool, patience: float) -> sqlite3.Connection:
        if path is None:
            return sqlite3.connect(":memory:", isolation_level=None)
        if path.is_dir():
            raise IsADirectoryError(21, "expected a file, got a folder", str(path))
        if not path.absolute().parent.is_dir():
            raise FileNotFoundError(2, f"there is no folder {path.parent}", str(path))
        mode = "ro" if read_only else "rwc"
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None)

    def _prepare(self, *, fresh: bool) -> None:
        """See that the file is a store of a version known here; make an empty one into one."""
        run = self._connection.execute
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
            raise StoreError(f"{self._name}: expected a store of MeshGUI, got another database")
        version = run("PRAGMA user_version").fetchone()[0]
        if version != _VERSION:
            raise StoreError(f"{self._name}: expected a store of version {_VERSION}, got version {version}")
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

    def begin(self, sweep: str, data: dict[str, Any], works: Iterable[Work]) -> None:
        """Note an experiment and what its points run."""
        self.register(works)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO sweeps VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
                " SET title = excluded.title, body = excluded.body, begun = excluded.begun",
                (sweep, data["title"], json.dumps(data, sort_keys=True), now),
            )

    def register(self, works: Iterable[Work]) -> None:
        """Note what is going to be run; failures of before are forgotten, to be tried again."""
        rows = [(work.key, zlib.compress(work.text.encode())) for work in works]
        with self._writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO scenarios VALUES (?, ?)", rows)
            connection.executemany("DELETE FROM failures WHERE scenario = ?", [(key,) for key, _ in rows])

    def keep(self, made: Iterable[Kept]) -> None:
        """Put replications down, all or none; one that is there already stays as it is."""
        rows = [
            (key, seed, json.dumps(found.samples), json.dumps(found.wall), found.seconds)
            for key, seed, found in made
        ]
        with self._writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO replications VALUES (?, ?, ?, ?, ?)", rows)

    def fail(self, failure: Failure) -> None:
        """Note that a replication could not be made."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", failure)

    def forget(self, sweep: str) -> None:
        """Drop an experiment from the list; its replications stay."""
        with self._writing() as connection:
            connection.execute("DELETE FROM sweeps WHERE id = ?", (sweep,))

    # Reading

    def sweeps(self) -> list[Sweep]:
        """The experiments, the last begun first."""
        with self._faults():
            rows = self._connection.execute(
                "SELECT id, title, body, begun FROM sweeps ORDER BY begun DESC, id"
            ).fetchall()
        return [Sweep(id_, title, json.loads(body), begun) for id_, title, body, begun in rows]

    def kept(self, key: str, first: int = 0, most: int | None = None) -> dict[int, Made]:
        """The replications of a scenario by seed, in order; only those from `first` on, at most that many."""
        beyond = 2**63 - 1 if most is None else first + most - 1
        with self._faults():
            rows = self._connection.execute(
                "SELECT seed, samples, wall, seconds FROM replications"
                " WHERE scenario = ? AND seed BETWEEN ? AND ? ORDER BY seed",
                (key, first, min(beyond, 2**63 - 1)),
            ).fetchall()
        return {
            seed: Made(tuple(json.loads(samples)), json.loads(wall), seconds)
            for seed, samples, wall, seconds in rows
        }

    def failures(self, key: str) -> list[Failure]:
        """What could not be made of a scenario."""
        with self._faults():
            rows = self._connection.execute(
                "SELECT scenario, seed, fault FROM failures WHERE scenario = ? ORDER BY seed", (key,)
            ).fetchall()
        return [Failure(*row) for row in rows]

    def text(self, key: str) -> str | None:
        """The work behind a key."""
        with self._faults():
            row = self._connection.execute("SELECT body FROM scenarios WHERE hash = ?", (key,)).fetchone()
        return None if row is None else zlib.decompress(row[0]).decode()

    def count(self) -> int:
        """How many replications there are in all."""
        with self._faults():
            number: int = self._connection.execute("SELECT count(*) FROM replications").fetchone()[0]
        return number

    # Faults

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with self._faults():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back, as on a full disk
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self._name}: {_in_words(error)}") from error
        except OSError as error:
            raise StoreError(f"{self._name}: {os_fault(error)}") from error


def _in_words(error: sqlite3.Error) -> str:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return "the store is locked by another program: try again when that has ended"
    if primary == sqlite3.SQLITE_FULL:
        return "the disk is full; what the store holds is safe"
    if primary in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return "expected a store of MeshGUI, got a file that is none or is damaged"
    if primary in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY}:
        return f"the store could not be opened or written: {error}"
    return f"the store could not be used: {error}"
