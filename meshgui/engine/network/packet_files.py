"""Reads and writes CSV files of explicit packets and their results."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.files import InputFileError, os_fault, read_input
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_PACKET_FILE
from meshgui.engine.basics.parts import LARGEST_NUMBER, LATEST
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import shortened
from meshgui.engine.basics.work import report
from meshgui.engine.network.spec import fault_of_packet

COLUMNS: Final = ("time", "sx", "sy", "sz", "dx", "dy", "dz")
JOB: Final = "job"  # optional column, 0 if it is absent
OUTCOMES: Final = ("injected", "delivered", "latency", "blocked")
_ROWS_AT_ONCE: Final = 1 << 16
_PIECE: Final = 1 << 18  # letters read at once: some hundredths of a second
_LINES: Final = 1 << 12  # likewise, one by one
_PLAIN: Final = re.compile(r"\s*[-+0-9][-+0-9, \t\r\n]*", re.ASCII)  # whole numbers, and at least one


class PacketFileError(InputFileError):
    """A file of packets that cannot be used."""


def read_packets(path: Path, most: int, optional: tuple[str, ...] = (JOB,)) -> Ints:
    """The packets of a file as rows `[n, 8]`: time, source, target, job; its columns may have any order.

    `optional` columns are read if present; all other columns are ignored.
    """
    text = _text(path)
    names = [name.strip(' \r"').lower() for name in text.partition("\n")[0].split(",")]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise PacketFileError(
            path,
            tr_n(
                "line 1: expected the column {names} in a heading {heading}",
                "line 1: expected the columns {names} in a heading {heading}",
                len(missing),
                names=", ".join(missing),
                heading=",".join(COLUMNS),
            ),
        )
    twice = next((name for name in (*COLUMNS, *optional) if names.count(name) > 1), None)
    if twice is not None:
        raise PacketFileError(path, tr("line 1: expected the column {twice} once").format(twice=twice))
    places = [names.index(name) for name in (*COLUMNS, *optional) if name in names]
    rows = _all_at_once(path, text, len(names), places)
    if rows is None:
        rows = _line_by_line(path, text, names, places)
    if not len(rows):
        raise PacketFileError(path, tr("expected at least one packet below the heading"))
    if len(rows) > most:
        said = tr("expected at most {most} packets, got {rows}")
        raise PacketFileError(path, said.format(most=most, rows=len(rows)))
    whole = np.zeros((len(rows), len(COLUMNS) + 1), dtype=np.int64)
    whole[:, : rows.shape[1]] = rows
    return whole


def check_packets(path: Path, rows: Ints, mesh: Mesh) -> None:
    """Whether all packets of a file can be sent on a mesh."""
    times, sources, targets = rows[:, 0], rows[:, 1:4], rows[:, 4:7]
    extents = np.array(mesh.extents)
    on = ((rows[:, 1:7] >= 0) & (rows[:, 1:7] < np.tile(extents, 2))).all(axis=1)
    doubtful = np.flatnonzero(~on | (sources == targets).all(axis=1) | (times < 0) | (times > LATEST))
    for row in doubtful[:1].tolist():
        fault = fault_of_packet(tuple(rows[row, :7].tolist()), mesh)
        said = tr("line {line_of}: {fault}")
        raise PacketFileError(path, said.format(line_of=line_of(path, row), fault=fault))


def line_of(path: Path, packet: int) -> int:
    """The line of a file that has one of its packets; packets are counted from 0."""
    reader = csv.reader(io.StringIO(_text(path)))
    ends = [reader.line_num for number, values in enumerate(reader) if number and not _blank(values)]
    return ends[packet]


def _text(path: Path) -> str:
    try:
        content = read_input(path, MAX_PACKET_FILE)
        if content is None:
            said = tr("expected a file of at most {LARGEST} MiB")
            raise PacketFileError(path, said.format(LARGEST=MAX_PACKET_FILE >> 20))
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PacketFileError(path, tr("expected comma-separated text in UTF-8")) from None
    except (OSError, ValueError) as error:
        raise PacketFileError(path, os_fault(error) if isinstance(error, OSError) else str(error)) from None
    return text if "\n" in text else text.replace("\r", "\n")  # as some programs end lines


def write_packets(file: BinaryIO, rows: Ints, outcomes: Ints) -> None:
    """Write packets and their results, in the order of the packets; those that are -1 stay empty."""
    table = np.concatenate((rows[:, : len(COLUMNS)], outcomes), axis=1)
    file.write((",".join((*COLUMNS, *OUTCOMES)) + "\n").encode())
    lines: Iterator[str]
    for begin in range(0, len(table), _ROWS_AT_ONCE):
        part = table[begin : begin + _ROWS_AT_ONCE]
        if (part >= 0).all():
            lines = (",".join(map(str, row)) for row in part.tolist())
        else:
            lines = (",".join(str(n) if n >= 0 else "" for n in row) for row in part.tolist())
        file.write(("\n".join(lines) + "\n").encode())


def _all_at_once(path: Path, text: str, width: int, places: list[int]) -> Ints | None:
    """The numbers of a file without faults, parsed by NumPy; None if there is any fault."""
    parts = [np.empty((0, len(places)), dtype=np.int64)]
    begin = text.find("\n") + 1 or len(text)
    while begin < len(text):
        end = text.find("\n", begin + _PIECE) + 1 or len(text)
        rows = _numbers_in(text[begin:end], width)
        if rows is None:
            return None
        parts.append(rows[:, places])
        report(end, len(text), path.name)
        begin = end
    return np.concatenate(parts)


def _numbers_in(lines: str, width: int) -> Ints | None:
    if lines.isspace():
        return np.empty((0, width), dtype=np.int64)
    if not _PLAIN.fullmatch(lines):  # NumPy crashes over some letters; before 2.4 it took fractions
        return None
    try:
        rows = np.loadtxt(io.StringIO(lines), delimiter=",", dtype=np.int64, ndmin=2, comments=None)
    except (ValueError, OverflowError):
        return None
    return None if rows.shape[1] != width or np.abs(rows).max() > LARGEST_NUMBER else rows


def _line_by_line(path: Path, text: str, names: list[str], places: list[int]) -> Ints:
    """The numbers of a file, with an error for the first faulty line."""
    rows = []
    source = io.StringIO(text)
    reader = csv.reader(source)
    try:
        for values in reader:
            number = reader.line_num
            if not number % _LINES:
                report(source.tell(), len(text), path.name)
            if number > 1 and not _blank(values):
                rows.append(_numbers(path, number, names, values, places))
    except csv.Error as error:  # an endless value, usually after a surplus quotation mark
        said = tr("line {line_num}: expected comma-separated text: {error}")
        raise PacketFileError(path, said.format(line_num=reader.line_num, error=error)) from None
    return np.array(rows, dtype=np.int64).reshape(-1, len(places))


def _blank(values: list[str]) -> bool:
    return not values or (len(values) == 1 and not values[0].strip())


def _numbers(path: Path, line: int, names: list[str], values: list[str], places: list[int]) -> list[int]:
    if len(values) != len(names):
        said = tr("line {line}: expected {names} values, got {values}")
        raise PacketFileError(path, said.format(line=line, names=len(names), values=len(values)))
    return [_whole(path, line, names[i], values[i]) for i in places]


def _whole(path: Path, line: int, name: str, text: str) -> int:
    digits = text.strip()
    plain = digits.removeprefix("-").removeprefix("+")
    if not (plain.isascii() and plain.isdigit()):
        shown = shortened(digits, 30) or tr("nothing")
        said = tr("line {line}: {name}: expected a whole number, got {shown}")
        raise PacketFileError(path, said.format(line=line, name=name, shown=shown))
    if len(plain) > 16 or abs(int(digits)) > LARGEST_NUMBER:
        said = tr("line {line}: {name}: expected a number up to {LARGEST_NUMBER}")
        raise PacketFileError(path, said.format(line=line, name=name, LARGEST_NUMBER=LARGEST_NUMBER))
    return int(digits)
