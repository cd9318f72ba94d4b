"""The store of an experiment: an SQLite file to which results go replication by replication.

What `keep` has returned from is on disk as one transaction: a program killed at any moment loses nothing of
it, and the file is never half-written. Readers and one writer may work at the same time (write-ahead log); a
second writer waits for its turn, and can be interrupted meanwhile. A store is used by the thread that opened
it. The file may be a stranger's: what is read of it is checked, fits into the file once, and can be stopped.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar

from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import look
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.run_spec import RunResult, RunSpec
from meshgui.experiment.samples import PackedSamples
from meshgui.experiment.store_file import (
    APPLICATION,
    SCHEMA,
    VERSION,
    connect,
    has_a_log,
    has_our_tables,
    is_cut_short,
    is_empty,
    remove_new,
    room_of,
)
from meshgui.experiment.store_place import journal_mode
from meshgui.experiment.store_rows import figures_from, names_from, rows_by_seed, works_from

_PATIENCE: Final = 10.0  # seconds to wait for another writer
_PAUSE: Final = 0.02
_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_STORE: Final = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_TOOBIG}
_BETWEEN_LOOKS: Final = 10_000  # steps of SQLite, of which a row takes about ten
_LARGEST_CELL: Final = 2**31 - 1  # bytes, as SQLite has it, when written
_DAMAGED: Final = tr("expected a store of MeshGUI, got another file or a damaged one")
_KEYS: Final = "SELECT hash FROM scenarios WHERE hash IN (SELECT scenario FROM replications)"
_WORKS: Final = "SELECT body FROM scenarios WHERE hash IN (SELECT scenario FROM replications)"
_WORK: Final = f"{_WORKS} AND hash = ?"  # untranslated: SQL
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
        self._keeping = False  # what is on its way into the file is not given up
        with self._faults():
            if path is not None and not read_only and has_a_log(path):
                self._look_first(path)
            begun = None if path is None or read_only or path.exists() else path
            self._connection = connect(path, read_only=read_only)
        try:
            with self._faults():
                self._patiently(lambda: self._prepare(fresh=not read_only))
        except BaseException:
            self._connection.close()
            if begun is not None:
                remove_new(begun)
            raise

    def _prepare(self, *, fresh: bool) -> None:
        """See that the file is a store of a version known here; make an empty one into one."""
        run = self._connection.execute
        if self._connection.in_transaction:  # the last attempt met another program
            run("ROLLBACK")
        if fresh and is_empty(self._connection):
            run(f"PRAGMA journal_mode = {journal_mode(self.path)}")
            run("BEGIN IMMEDIATE")  # another program may be making it as well
            if is_empty(self._connection):
                for statement in SCHEMA.split(";"):
                    run(statement)
                run(f"PRAGMA application_id = {APPLICATION}")
                run(f"PRAGMA user_version = {VERSION}")
            run("COMMIT")
        self._check(self._connection)
        self._connection.set_progress_handler(self._look, _BETWEEN_LOOKS)
        # Synced at checkpoints only: a killed program loses nothing, a power cut at most the last seconds.
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA foreign_keys = ON")

    def _look_first(self, path: Path) -> None:
        """Check a store with a log as it is; the log of one that is opened to be written is moved into it."""
        with closing(connect(path, read_only=True)) as connection:
            if not self._patiently(lambda: is_empty(connection)):  # another program may be making it
                self._patiently(lambda: self._check(connection))

    def _check(self, connection: sqlite3.Connection) -> None:
        """See that a file is a store of a version known here."""
        run = connection.execute
        if run("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise BadStoreError(
                tr("{name}: expected a store of MeshGUI, got another database").format(name=self._name)
            )
        version = run("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise BadStoreError(
                tr("{name}: expected a store of version {VERSION}, got version {version}").format(
                    name=self._name, VERSION=VERSION, version=version
                )
            )
        if not has_our_tables(connection):
            raise BadStoreError(
                tr("{name}: expected the tables of a store of MeshGUI, got others").format(name=self._name)
            )
        if self.path is not None and is_cut_short(connection, self.path):
            raise BadStoreError(f"{self._name}: {_DAMAGED}")

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

    def begin(self, sweep: str, data: dict[str, Any], specs: Iterable[RunSpec], begun: str = "") -> None:
        """Note an experiment and what its points run; begun now, or as another store says."""
        self.register(specs)
        now = begun or datetime.now(UTC).isoformat(timespec="seconds")
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
        self._keeping = True
        try:
            with self._writing() as connection:
                connection.executemany("INSERT OR IGNORE INTO layouts VALUES (?, ?)", layouts.items())
                connection.executemany("INSERT OR IGNORE INTO replications VALUES (?, ?, ?, ?, ?, ?)", rows)
                connection.executemany("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", failed)
        finally:
            self._keeping = False

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
            found: dict[str, ExperimentRecord] = {}
            for row in self._rows("SELECT id, title, body, begun FROM sweeps"):
                record = _record(*row)
                if record.id in found:  # of its pages one leads back to another
                    raise ValueError(_DAMAGED)
                found[record.id] = record
        by_id = sorted(found.values(), key=lambda record: record.id)
        return sorted(by_id, key=lambda record: record.begun, reverse=True)

    def stored(self, key: str, first: int = 0, most: int | None = None) -> Iterator[tuple[int, StoredRun]]:
        """The replications of a scenario by seed, in order; only those from `first` on, at most that many."""
        beyond = 2**63 - 1 if most is None else min(first + most, 2**63) - 1
        with self._faults(), closing(
            self._rows(
                "SELECT seed, layout, samples, wall, seconds FROM replications"
                " WHERE scenario = ? AND seed BETWEEN ? AND ? ORDER BY seed",
                (key, first, beyond),
            )
        ) as rows:  # fmt: skip
            for seed, layout, samples, wall, seconds in rows_by_seed(rows):
                packed = PackedSamples.from_bytes(self._names_of(layout), samples)
                yield seed, StoredRun(packed, figures_from(wall), float(seconds))

    def results(self, key: str, first: int = 0, most: int | None = None) -> dict[int, RunResult]:
        """The same, as they were made."""
        return {
            seed: RunResult(stored.samples.rows(), stored.wall, stored.seconds)
            for seed, stored in self.stored(key, first, most)
        }

    def failures(self, key: str) -> list[RunFailure]:
        """What could not be made of a scenario."""
        with self._faults():
            rows = self._rows("SELECT seed, fault FROM failures WHERE scenario = ? ORDER BY seed", (key,))
            return [RunFailure(key, seed, str(fault)) for seed, fault in rows_by_seed(rows)]

    def keys_with_runs(self) -> Iterator[str]:
        """The keys of the works that it has replications of."""
        with self._faults():
            for (key,) in self._rows(_KEYS):
                yield key

    def works(self, key: str = "") -> Iterator[dict[str, Any]]:
        """These works, or that of one key, as plain data, as far as a store of this size may hold them."""
        with self._faults():
            yield from works_from(self._rows(_WORK, (key,)) if key else self._rows(_WORKS))

    def _names_of(self, layout: int) -> tuple[str, ...]:
        if layout not in self._layouts:
            row = next(self._rows("SELECT names FROM layouts WHERE id = ?", (layout,)), None)
            if row is None:
                raise ValueError(_DAMAGED)
            self._layouts[layout] = names_from(row[0])
        return self._layouts[layout]

    # Faults

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with self._faults():
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_CELL)
            self._ask("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back, as on a full disk
                    self._connection.execute("ROLLBACK")
                raise

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Generator[tuple[Any, ...], None, None]:
        """The rows of an answer. A damaged file could give the same page for ever."""
        left = room = room_of(self._connection)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(room, _LARGEST_CELL))
        for row in self._ask(statement, values):
            left -= sum(len(cell) if isinstance(cell, str | bytes) else 1 for cell in row)
            if left < 0:
                raise ValueError(_DAMAGED)
            yield row

    def _look(self) -> bool:
        """Called by SQLite while it works: what this raises, or a signal meanwhile, ends that."""
        if not self._keeping:
            look()
        return False

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
            if _primary(error) == sqlite3.SQLITE_INTERRUPT:
                look()  # which has ended it, unless Ctrl+C did
                raise KeyboardInterrupt from None
            kind = BadStoreError if _primary(error) in _NO_STORE else StoreError
            raise kind(f"{self._name}: {_in_words(error)}") from error
        except OSError as error:
            raise StoreError(f"{self._name}: {os_fault(error)}") from error
        except (ValueError, TypeError, OverflowError, RecursionError) as error:  # of what was read
            raise BadStoreError(f"{self._name}: {_DAMAGED}") from error


def _record(id_: str, title: str, body: str, begun: str) -> ExperimentRecord:
    data = json.loads(body)
    axes = data.get("axes", []) if isinstance(data, dict) else None  # a later version may have none
    texts = all(isinstance(text, str) for text in (id_, title, begun))
    if not texts or not isinstance(axes, list) or not all(isinstance(axis, dict) for axis in axes):
        raise ValueError(_DAMAGED)
    return ExperimentRecord(id_, title, data, begun)


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
