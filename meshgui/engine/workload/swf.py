"""Reads traces of real machines in the Standard Workload Format, version 2.2, plain or gzipped.

A line is a job: 18 numbers, -1 where nothing is known. Lines that begin with a semicolon are comments; those
above the first job are the header, directives such as `; Computer: Intel iPSC/860`.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.compiled_work import run_interruptible
from meshgui.engine.basics.files import InputFileError, open_input, os_fault
from meshgui.engine.basics.limits import (
    MAX_TRACE,
    MAX_TRACE_HEADER,
    MAX_TRACE_LINE,
    UNPACKED_RATIO,
    max_unpacked,
)
from meshgui.engine.basics.parts import LARGEST_NUMBER, LATEST, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.basics.work import Work, current, report

MOST_PROCESSORS: Final = 1 << 24  # of a job; the largest machines there are have fewer

_FIELDS: Final = (
    *(tr("job number"), tr("submit time"), tr("wait time"), tr("run time"), tr("allocated processors")),
    *(tr("CPU time used"), tr("memory used"), tr("requested processors"), tr("requested time")),
    *(tr("requested memory"), "status", "user", "group", "executable", "queue", "partition"),
    *(tr("preceding job"), tr("think time")),
)
_KEPT: Final = (
    *(tr("job number"), tr("submit time"), tr("run time"), tr("allocated processors")),
    *(tr("requested processors"), "status", tr("requested time")),
)
_TIMES: Final = (tr("submit time"), tr("run time"), tr("requested time"))
"""They may have fractions; the others that are kept may not."""
_PLACES: Final = tuple(_FIELDS.index(name) for name in _KEPT)
_SEGMENTS: Final = (2, 3, 4)  # their job has a line of its own, with the status 0 or 1
_SEGMENT: Final = "segment"
COMPLETED: Final = 1
CANCELLED: Final = 5

_BLOCK: Final = 1 << 18  # read at once: some hundredths of a second
_MANY: Final = 100_000  # jobs, which are put in order in a twentieth of a second
_CACHED: Final = 4
_GZIPPED: Final = b"\x1f\x8b"
_MARK: Final = b"\xef\xbb\xbf"  # some programs begin text with it

_COMMENT: Final = re.compile(rb"(?m)^[ \t]*;.*$")
_PLAIN: Final = re.compile(rb"[-+0-9.eE \t\n]*")
# Possessive: a line of digits with a letter behind is tried once, not in every way to cut it.
_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?", re.ASCII)
# Indented further, or with a word before its colon that continues (http://…), a line belongs to the last.
_DIRECTIVE: Final = re.compile(r";[ \t]?([A-Za-z][A-Za-z0-9_]*)[ \t]*:(?:\s+(.*))?$")


class TraceError(InputFileError):
    """A trace that cannot be used."""


@dataclass(frozen=True, eq=False)
class WorkloadTrace:
    """The usable jobs of a trace in order of submission, what its header says, and what was left out."""

    header: tuple[tuple[str, str], ...]  # in the order of the file; a key may come several times
    number: Ints
    submit: Floats
    run_time: Floats
    processors: Ints  # requested, or allocated where nothing is known of a request
    left_out: Mapping[str, int]  # lines, by the reason why
    requested_time: Floats  # not a number where nothing is known of it
    status: Ints  # as in the file; -1 where nothing is known of it

    def __len__(self) -> int:
        return len(self.number)

    @property
    def jobs(self) -> int:
        """All jobs of the trace, usable or not."""
        others = sum(count for reason, count in self.left_out.items() if reason != _SEGMENT)
        return len(self) + others

    def directives(self, key: str) -> tuple[str, ...]:
        """All that the header says under a key."""
        return tuple(value for name, value in self.header if name == key)

    @property
    def title(self) -> str:
        """The computer and where it stood, as far as the header says so."""
        keys = ("Computer", "Installation")  # untranslated: keys of the header
        said = [value for key in keys for value in self.directives(key)[:1]]
        return ", ".join(filter(None, said))


def read_trace(path: Path) -> WorkloadTrace:
    """The trace in a file. While the file stays as it is, it is read once."""
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    found = _read(os.fspath(path), state.st_size, state.st_mtime_ns)
    if isinstance(found, TraceError):
        raise TraceError(found.path, found.message)
    return found


def in_words(left_out: Mapping[str, int], number: Callable[[int], str] = str) -> str:
    """What was left out and why, as in `3 (2 with no run time, 1 with no processors)`."""
    if not left_out:
        return tr("none")
    reasons = ", ".join(f"{number(count)} {_REASONS[reason]}" for reason, count in left_out.items())
    return f"{number(sum(left_out.values()))} ({reasons})"


@lru_cache(_CACHED)
def _read(path: str, size: int, changed: int) -> WorkloadTrace | TraceError:
    """The trace, or why there is none: a bad file is not read again either."""
    del size, changed  # they stand for the content
    try:
        return _from_file(Path(path))
    except TraceError as error:
        return error


def _from_file(path: Path) -> WorkloadTrace:
    parts: list[Floats] = []
    left_out: Counter[str] = Counter()
    header = _Header(path)
    try:
        with open_input(path) as file:
            packed = file.peek(2)[:2] == _GZIPPED  # type: ignore[attr-defined]  # it is buffered
            size = os.fstat(file.fileno()).st_size
            taken = 0
            for line, block in _blocks(path, gzip.GzipFile(fileobj=file) if packed else file):
                taken += len(block)
                if packed and taken > max_unpacked(file.tell(), MAX_TRACE):  # before it is parsed
                    said = tr("expected a trace, which unpacks to at most {ratio} times its size")
                    raise TraceError(path, said.format(ratio=UNPACKED_RATIO))
                header.take(block)
                parts.append(_usable(_numbers(path, line, block), left_out))
                report(file.tell(), size, path.name)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise TraceError(path, tr("expected a complete gzip file, got a damaged one")) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    if not parts:
        raise TraceError(path, tr("expected a trace in the Standard Workload Format, got an empty file"))
    reasons = {reason: left_out[reason] for reason in _REASONS if left_out[reason]}
    if not any(map(len, parts)):
        lines = (
            tr("none of {in_words} can be used").format(in_words=in_words(reasons))
            if reasons
            else tr("there is none")
        )
        raise TraceError(path, tr("expected at least one job, but {lines}").format(lines=lines))
    put_in_order, reading = partial(_in_order, parts), current() or Work()
    many = sum(map(len, parts)) >= _MANY
    with Work(lambda _: reading.report(size, size, path.name)).under_way():
        columns = run_interruptible(put_in_order, lambda: None) if many else put_in_order()
    known, requested_time, status = columns[:4], *columns[4:]
    return WorkloadTrace(header.directives(), *known, reasons, requested_time, status)


def _in_order(parts: list[Floats]) -> tuple[Ints, Floats, Floats, Ints, Floats, Ints]:
    """The numbers, submit and run times, processors, requested times and statuses of jobs, by submit time."""
    rows = np.concatenate(parts)
    rows = rows[np.argsort(rows[:, 1], kind="stable")]
    requested = np.where(rows[:, 6] > 0, rows[:, 6], np.nan)
    times = rows[:, 1].copy(), rows[:, 2].copy()
    return rows[:, 0].astype(np.int64), *times, _asked(rows), requested, rows[:, 5].astype(np.int64)


def _unreadable(path: Path, error: OSError | ValueError) -> TraceError:
    fault = os_fault(error) if isinstance(error, OSError) else str(error)
    said = tr("expected a trace in the Standard Workload Format: {fault}")
    return TraceError(path, said.format(fault=fault))


def _blocks(path: Path, file: BinaryIO | gzip.GzipFile) -> Iterator[tuple[int, bytes]]:
    """Whole lines, as many as fit into a block, with the number of the first."""
    line, taken, rest = 1, 0, b""
    while block := file.read(_BLOCK):
        taken += len(block)
        if taken > MAX_TRACE:
            said = tr("expected a trace of at most {LARGEST} MiB, unpacked")
            raise TraceError(path, said.format(LARGEST=MAX_TRACE >> 20))
        block = rest + (block.removeprefix(_MARK) if taken == len(block) else block)
        end = block.rfind(b"\n") + 1
        lines, rest = block[:end], block[end:]
        if len(rest) > MAX_TRACE_LINE:
            said = tr("expected lines of at most {LONGEST_LINE} MiB")
            raise TraceError(path, said.format(LONGEST_LINE=MAX_TRACE_LINE >> 20))
        if lines:
            lines = _with_plain_ends(lines)
            yield line, lines
            line += lines.count(b"\n")
    if rest:
        yield line, _with_plain_ends(rest)


def _with_plain_ends(lines: bytes) -> bytes:
    return lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in lines else lines


class _Header:
    """The comments above the first job."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._said: list[tuple[str, list[str]]] = []
        self._open = False  # whether the next line may continue the last directive
        self._over = False
        self._taken = 0

    def take(self, block: bytes) -> None:
        """Read directives from more lines, up to the first job."""
        lines = iter(io.BytesIO(block))
        while not self._over and (raw := next(lines, None)) is not None:
            self._taken += len(raw)
            if self._taken > MAX_TRACE_HEADER:
                said = tr("expected a header of at most {LARGEST_HEADER} MiB")
                raise TraceError(self._path, said.format(LARGEST_HEADER=MAX_TRACE_HEADER >> 20))
            self._take_line(_text(raw.strip()))

    def directives(self) -> tuple[tuple[str, str], ...]:
        """Keys and values; a continued value on one line."""
        return tuple((key, printable(" ".join(" ".join(value).split()))) for key, value in self._said)

    def _take_line(self, line: str) -> None:
        if not line.startswith(";"):
            self._over = bool(line)
        elif found := _DIRECTIVE.match(line):
            self._said.append((found[1], [found[2] or ""]))
            self._open = True
        elif not line.strip("; \t"):
            self._open = False
        elif self._open:
            self._said[-1][1].append(line.lstrip("; \t"))


def _text(raw: bytes) -> str:
    """A comment as text: names of places and people, in UTF-8 or in what was common before."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _numbers(path: Path, line: int, block: bytes) -> Floats:
    """The fields `_KEPT` of each job, in that order."""
    body = _COMMENT.sub(b"", block)
    if not body or body.isspace():
        return np.empty((0, len(_KEPT)))
    rows = _all_at_once(body)
    return _line_by_line(path, line, body) if rows is None else rows


def _all_at_once(body: bytes) -> Floats | None:
    """The numbers of lines without faults; None where something is not as it should be."""
    if not _PLAIN.fullmatch(body):  # NumPy crashes over some letters
        return None
    try:
        rows = np.loadtxt(io.StringIO(body.decode("ascii")), ndmin=2, comments=None)
    except (ValueError, OverflowError):
        return None
    if rows.shape[1] < len(_FIELDS):
        return None
    kept: Floats = rows[:, _PLACES]
    whole = [column for column, name in enumerate(_KEPT) if name not in _TIMES]
    sound = (np.abs(kept) <= [_largest(name) for name in _KEPT]).all()
    return kept if sound and (kept[:, whole] == np.rint(kept[:, whole])).all() else None


def _line_by_line(path: Path, line: int, body: bytes) -> Floats:
    """The same, with a complaint about the first line that has something else."""
    rows = []
    for number, raw in enumerate(body.split(b"\n"), line):
        if values := raw.decode("utf-8", "replace").split():
            if len(values) < len(_FIELDS):
                said = tr("line {number}: expected {FIELDS} fields, got {values}")
                raise TraceError(path, said.format(number=number, FIELDS=len(_FIELDS), values=len(values)))
            fields = dict(zip(_FIELDS, values, strict=False))
            for name, text in fields.items():
                if fault := _fault(name, text):
                    got = shortened(text, 30)
                    said = tr("line {number}: {name}: expected {fault}, got {got}")
                    raise TraceError(path, said.format(number=number, name=name, fault=fault, got=got))
            rows.append([float(fields[name]) for name in _KEPT])
    return np.array(rows, dtype=np.float64).reshape(-1, len(_KEPT))


def _fault(name: str, text: str) -> str:
    """What was expected of a field, if it is something else."""
    if not _NUMBER.fullmatch(text):
        return tr("a number")
    if name not in _KEPT:
        return ""
    number = float(text)
    if abs(number) > _largest(name):
        return tr("a number up to {largest}").format(largest=_largest(name))
    return "" if name in _TIMES or number.is_integer() else tr("a whole number")


def _largest(name: str) -> int:
    return LATEST if name in _TIMES else MOST_PROCESSORS if "processors" in name else LARGEST_NUMBER


_REASONS: Final = {  # and what they are called beside a number
    _SEGMENT: tr("covering a segment of another line's job"),
    "no submit time": tr("with no submit time"),
    "no run time": tr("with no run time"),
    "no processors": tr("with no processors"),
}


def _asked(rows: Floats) -> Ints:
    """How many processors each job asks for; 0 where nothing is known."""
    allocated, requested = rows[:, 3], rows[:, 4]
    asked: Ints = np.maximum(np.where(requested > 0, requested, allocated), 0).astype(np.int64)
    return asked


def _usable(rows: Floats, left_out: Counter[str]) -> Floats:
    """The rows that are jobs one can run; the others are counted, each for the first reason that holds."""
    faults = (np.isin(rows[:, 5], _SEGMENTS), rows[:, 1] < 0, rows[:, 2] < 0, _asked(rows) == 0)
    good = np.full(len(rows), True)
    for reason, fault in zip(_REASONS, faults, strict=True):
        left_out[reason] += int((good & fault).sum())
        good &= ~fault
    usable: Floats = rows[good]
    return usable
