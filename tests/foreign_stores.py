"""Stores as a stranger could send them: with other tables, views, triggers, cells and pages."""

import random
import sqlite3
import struct
import tempfile
from contextlib import closing, suppress
from pathlib import Path

__all__ = ["FOREIGN_SCHEMAS", "change", "log_of", "spoil_store", "with_endless_pages"]
__all__ += ["with_journal_that_removes", "with_pages_claimed"]

_LEAF_BY_NUMBER = 13  # kinds of pages
_INNER, _INNER_BY_NUMBER = 2, 5
_ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT "
_SWEEPS = "CREATE {kind} sweeps AS {endless} '' AS id, '' AS title, '{{}}' AS body, '' AS begun FROM n"

FOREIGN_SCHEMAS = {
    "a view without end in place of a table": (
        "DROP TABLE sweeps",
        _SWEEPS.format(kind="VIEW", endless=_ENDLESS),
    ),
    "a view that reads itself": ("DROP TABLE sweeps", "CREATE VIEW sweeps AS SELECT * FROM sweeps"),
    "a view more": ("CREATE VIEW results AS SELECT * FROM sweeps",),
    "a trigger": (
        "CREATE TRIGGER t AFTER INSERT ON sweeps BEGIN DELETE FROM replications; END",
    ),
    "a table more": ("CREATE TABLE songs (title TEXT)",),
    "a table less": ("DROP TABLE failures",),
    "an index more": ("CREATE INDEX i ON sweeps (title)",),
    "an index on an expression": ("CREATE INDEX i ON sweeps (hex(title))",),
    "a column more": ("ALTER TABLE sweeps ADD COLUMN more TEXT",),
    "a computed column": ("ALTER TABLE sweeps ADD COLUMN more AS (hex(zeroblob(1000000)))",),
    "a column of another type": (
        "DROP TABLE sweeps",
        "CREATE TABLE sweeps (id TEXT PRIMARY KEY, title BLOB, body TEXT NOT NULL, begun TEXT NOT NULL)",
    ),
    "a column less": ("ALTER TABLE sweeps DROP COLUMN begun",),
    "a table of another name": ("ALTER TABLE failures RENAME TO other",),
    "a check": (
        "DROP TABLE failures",
        "CREATE TABLE failures (scenario TEXT, seed INTEGER, fault TEXT CHECK (randomblob(9) IS NOT NULL))",
    ),
    "a virtual table": ("CREATE VIRTUAL TABLE words USING fts4 (word)",),
    "many tables": tuple(f"CREATE TABLE t{n} (a, b, c)" for n in range(500)),
    "a long table": (f"CREATE TABLE long ({', '.join(f'c{n}' for n in range(1500))})",),
    "statistics": ("ANALYZE",),
}  # fmt: skip
"""Changes of a store's schema, each of which makes it a stranger's."""


def change(path: Path, statements: tuple[str, ...]) -> None:
    """Change a store that is there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.set_progress_handler(lambda: True, 100_000)  # it may be without an end already
        connection.execute("BEGIN")
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")


def with_endless_pages(path: Path, table: str, copies: int = 200, levels: int = 6) -> None:
    """Make a table a tree whose nodes have the same child in every place: copies ** levels times its rows."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        [root] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    content = bytearray(path.read_bytes())
    start, leaf = (root - 1) * size, _first_leaf(content, root, size)
    by_number = leaf[0] == _LEAF_BY_NUMBER
    key = b"\x01" if by_number else _first_cell(leaf)
    content += leaf
    for child in range(pages + 1, pages + 1 + levels):
        content += _node(size, child, key, min(copies, size // (len(key) + 8)), by_number=by_number)
    content[start : start + size] = content[-size:]
    content[28:32] = struct.pack(">I", len(content) // size)
    path.write_bytes(content)


def _first_leaf(content: bytearray, number: int, size: int) -> bytes:
    """The first leaf below a page: how many pages a table takes is not always the same."""
    page = bytes(content[(number - 1) * size : number * size]).ljust(size, b"\0")
    if page[0] not in (_INNER, _INNER_BY_NUMBER):
        return page
    [at] = struct.unpack(">H", page[12:14])
    return _first_leaf(content, *struct.unpack(">I", page[at : at + 4]), size)


def _first_cell(leaf: bytes) -> bytes:
    """The first record of a leaf of an index, with its length before it."""
    [at] = struct.unpack(">H", leaf[8:10])
    length, head = (leaf[at], 1) if leaf[at] < 128 else ((leaf[at] & 127) * 128 + leaf[at + 1], 2)
    return leaf[at : at + head + length]


def _node(size: int, child: int, key: bytes, copies: int, *, by_number: bool) -> bytes:
    """An inner node of which every entry leads to the same child."""
    page, cell = bytearray(size), struct.pack(">I", child) + key
    begin = size - copies * len(cell)
    page[0:12] = struct.pack(">BHHHBI", _INNER_BY_NUMBER if by_number else _INNER, 0, copies, begin, 0, child)
    for number in range(copies):
        at = begin + number * len(cell)
        page[12 + 2 * number : 14 + 2 * number] = struct.pack(">H", at)
        page[at : at + len(cell)] = cell
    return bytes(page)


def with_journal_that_removes(path: Path, victim: Path) -> None:
    """Leave a journal beside a store that SQLite takes for one of several files, and then removes a file."""
    mark = bytes.fromhex("d9d505f920a163d7")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    head = mark + struct.pack(">IIIII", 0, 1, path.stat().st_size // size, 512, size)
    name = bytes(victim)
    check = sum(letter if letter < 128 else letter - 256 for letter in name) & 0xFFFFFFFF
    end = struct.pack(">I", 0x40000000 // size + 1) + name + struct.pack(">II", len(name), check) + mark
    Path(f"{path}-journal").write_bytes(head.ljust(512, b"\0") + end)


def log_of(path: Path, *statements: str) -> bytes:
    """The write-ahead log of a change of a store that keeps one, and to which it is not made."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "store.db"
        copy.write_bytes(path.read_bytes())
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
            return Path(f"{copy}-wal").read_bytes()


def with_pages_claimed(log: bytes, pages: int) -> bytes:
    """The same log of a store that would have that many pages after it, with the sums that SQLite expects."""
    size, order = int.from_bytes(log[8:12], "big"), ">" if log[3] & 1 else "<"

    def summed(content: bytes, one: int, two: int) -> tuple[int, int]:
        words = struct.unpack(f"{order}{len(content) // 4}I", content)
        for first, second in zip(words[::2], words[1::2], strict=True):
            one = (one + first + two) & 0xFFFFFFFF
            two = (two + second + one) & 0xFFFFFFFF
        return one, two

    claimed, sums = [log[:32]], summed(log[:24], 0, 0)
    for at in range(32, len(log), 24 + size):
        place, after, *salts = struct.unpack(">IIII", log[at : at + 16])
        page, head = log[at + 24 : at + 24 + size], struct.pack(">II", place, pages if after else 0)
        if place == 1:
            page = page[:28] + struct.pack(">I", pages) + page[32:]
        sums = summed(page, *summed(head, *sums))
        claimed += [head, struct.pack(">IIII", *salts, *sums), page]
    return b"".join(claimed)


_CELLS = {
    "scenarios": ("hash", "body"),
    "layouts": ("names",),
    "replications": ("seed", "layout", "samples", "wall", "seconds"),
    "failures": ("seed", "fault"),
    "sweeps": ("id", "title", "body", "begun"),
}
_ODD_CELLS = (
    *("zeroblob(3000000)", "x'ff'", "''", "'{}'", "'[]'", "'{\"a\": [1]}'", "'[1, 2]'"),
    *("CAST(x'ff' AS TEXT)", "'" + "9" * 5000 + "'", "'a' || char(0) || 'b'", "'" + "[" * 5000 + "'"),
    *("1", "-1", "1.5", "9223372036854775807", "9e999", "'1e999'"),
    *("'{\"axes\": [{}]}'", "'{\"axes\": [1]}'", "'{\"axes\": [], \"scenario\": {}}'"),
)  # fmt: skip


def spoil_store(content: bytes, draw: random.Random) -> bytes:
    """A store with other tables, with odd values in its cells, without an end, or with spoilt pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        path.write_bytes(content)
        with suppress(sqlite3.Error, struct.error, TypeError, ValueError, IndexError):  # where it is too odd
            for _ in range(draw.randint(1, 3)):
                _spoil_once(path, draw)
            if draw.random() < 0.3:  # last, as SQLite itself would not come back from some changes
                table = draw.choice(list(_CELLS))
                with_endless_pages(path, table, draw.choice((2, 20, 200)), draw.randint(1, 12))
        return path.read_bytes()


def _spoil_once(path: Path, draw: random.Random) -> None:
    table = draw.choice(list(_CELLS))
    match draw.randrange(4):
        case 0:
            change(path, draw.choice(list(FOREIGN_SCHEMAS.values())))
        case 1 | 2:
            column, value = draw.choice(_CELLS[table]), draw.choice(_ODD_CELLS)
            change(path, (f"UPDATE OR REPLACE {table} SET {column} = {value}",))  # noqa: S608 - names of ours
        case _:
            pages = bytearray(path.read_bytes())
            for _ in range(draw.choice((1, 4, 100))):
                at = draw.randrange(len(pages))
                near = bytes(pages[at - 4 : at]) or bytes(4)
                pages[at : at + 4] = draw.choice((draw.randbytes(4), bytes(4), near))
            path.write_bytes(pages)
