"""Opens the SQLite file of a store, which may be a stranger's: nothing in it is run.

The tables of a store are always the same, so a file with any other, with a view or with a trigger is refused
before a statement of ours reads a row. What lies beside the file can be a stranger's as well: a journal names
a file that SQLite removes. A write-ahead log is part of the store: SQLite reads its pages in place of the
file's, the tables among them, so that the same checks are of both.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Final

from meshgui.engine.basics.files import is_plain_file
from meshgui.engine.basics.translation import tr

APPLICATION: Final = 0x4D475549  # "MGUI": what says that a file is one of these
VERSION: Final = 1
SCHEMA: Final = """
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
"""The text of every statement, with its comments, is in the file: it is the same in all stores there are."""

_AT_ONCE: Final = 0.1  # seconds to wait for another program: SQLite itself waits without noticing a signal
_LONGEST_STATEMENT: Final = 2000  # characters, of the file's or of ours
_STEPS: Final = 2000  # of SQLite, in which a few tables are read, and not thousands
_SIDES: Final = ("-journal", "-wal", "-shm")
_JOURNAL_MARK: Final = bytes.fromhex("d9d505f920a163d7")  # at the end of one that names another
_DEFENSIVE: Final = getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None)  # since Python 3.12


def connect(path: Path | None, *, read_only: bool) -> sqlite3.Connection:
    """A connection to a file, or to memory; an OSError with the reason where it is not to be opened."""
    if path is None:
        return sqlite3.connect(":memory:", isolation_level=None)
    _check_place(path)
    if not read_only:
        path.open("ab").close()  # SQLite does not say why it cannot be made or written
    how = "mode=ro" if read_only else "mode=rw"
    if read_only and not os.access(path.parent, os.W_OK) and not has_a_log(path):
        how += "&immutable=1"  # else SQLite would make its log there, even to read
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=_AT_ONCE, isolation_level=None)
    connection.text_factory = bytes.decode  # which says what is no text by a ValueError
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_STATEMENT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if _DEFENSIVE is not None:
        connection.setconfig(_DEFENSIVE)  # type: ignore[attr-defined,unused-ignore]
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _check_place(path: Path) -> None:
    """Refuse a device, a pipe, a link beside the store, and a journal that names another file."""
    if path.is_dir():
        raise IsADirectoryError(21, tr("expected a file, got a folder"), str(path))
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(2, tr("there is no folder {parent}").format(parent=path.parent), str(path))
    if path.exists() and not is_plain_file(path):
        raise OSError(22, tr("expected a plain file, not a pipe or device"), str(path))
    for side in (Path(f"{path.resolve()}{end}") for end in _SIDES):
        try:
            kind = side.lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(kind):
            raise OSError(22, tr("expected {name} beside it to be a plain file").format(name=side.name))
        if side.name.endswith("-journal") and (_names_a_file(side) or _claims_too_much(side, path)):
            raise OSError(22, tr("expected {name} beside it to be of this store").format(name=side.name))


def _names_a_file(journal: Path) -> bool:
    """Whether a journal ends as those of several databases do: with a file to remove after reading it."""
    with journal.open("rb") as file:
        file.seek(max(journal.stat().st_size - len(_JOURNAL_MARK), 0))
        return file.read(len(_JOURNAL_MARK)) == _JOURNAL_MARK


def _claims_too_much(journal: Path, path: Path) -> bool:
    """Whether a journal would make the file larger than both are, as SQLite does where it undoes a change."""
    with journal.open("rb") as file:
        header = file.read(28)
    if len(header) < 28:
        return False
    pages, _, size = struct.unpack(">III", header[16:])
    return bool(pages * size > journal.stat().st_size + _size_of(path))


def has_a_log(path: Path) -> bool:
    """Whether pages lie beside a store that SQLite moves into it where it is opened to be written."""
    return _size_of(path) > 0 and _log(path).exists()


def remove_new(path: Path) -> None:
    """Leave no empty file on a full disk, nor what SQLite has beside it."""
    for end in ("", "-wal", "-shm"):
        Path(f"{path.resolve()}{end}").unlink(missing_ok=True)


def _log(path: Path) -> Path:
    """The write-ahead log of a store, which lies beside the file and not beside links to it."""
    return Path(f"{path.resolve()}-wal")


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether there is nothing in the file yet."""
    return _tables(connection) == []


def has_our_tables(connection: sqlite3.Connection) -> bool:
    """Whether a file has the tables of a store, each word for word, and nothing else."""
    return _tables(connection) == _our_tables()


def _tables(connection: sqlite3.Connection) -> list[tuple[str, ...]] | None:
    """What a file says that it has; None where that takes more steps than a few tables do."""
    steps = []

    def stop() -> bool:
        steps.append(_STEPS)
        return True

    connection.set_progress_handler(stop, _STEPS)
    try:
        return sorted(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"), key=repr)
    except sqlite3.OperationalError:
        if steps:
            return None
        raise
    finally:
        connection.set_progress_handler(None, 0)


@cache
def _our_tables() -> list[tuple[str, ...]] | None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return _tables(connection)


def room_of(connection: sqlite3.Connection) -> int:
    """The bytes of a file's pages: what it holds fits into them, once."""
    pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    return pages * size


def is_cut_short(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether a file says that it has more pages than it has room for."""
    claimed, there = room_of(connection), 0
    for file in (_log(path), path):  # in the order in which another program moves pages
        with suppress(FileNotFoundError):
            there += file.stat().st_size
    return claimed > there
