"""Tables as CSV: titles, numbers in full, quoting after RFC 4180, and one stroke at the end."""

import csv
import io
from itertools import islice

import numpy as np
import pytest

from meshgui.model.tables import (
    MOST_COPIED,
    LazyRows,
    PlainTable,
    TooLongError,
    csv_chunks,
    pasted,
    write_csv,
)


def content(*rows, columns=()):
    """All of a table's CSV."""
    return b"".join(part for _, part in csv_chunks(PlainTable("t", columns, rows)))


def test_numbers_are_written_in_full():
    """A number read back is the same number, whatever NumPy calls it; what there is not is empty."""
    numbers = (1 / 3, np.float64(0.1) * 3, np.int32(7), np.int64(2**60), 1e-300, None, float("nan"))
    titles, row, _ = content(numbers, columns=tuple("abcdefg")).decode().split("\r\n")
    assert titles == "a,b,c,d,e,f,g"
    cells = row.split(",")
    assert [float(cell) for cell in cells[:5]] == [float(number) for number in numbers[:5]]
    assert cells[2:4] == ["7", str(2**60)]
    assert cells[5:] == ["", ""]


def test_commas_quotes_and_line_ends_are_quoted():
    """After RFC 4180, in UTF-8: reading gives the same words; a table without rows is its titles."""
    words = ("a,b", 'said "no"', "two\nlines", "(0,1)→(1,1)", "  spaces ", "")
    data = content(words, columns=("x, y", *"bcdef")).decode()
    assert data == '"x, y",b,c,d,e,f\r\n"a,b","said ""no""","two\nlines","(0,1)→(1,1)",  spaces ,\r\n'
    assert list(csv.reader(io.StringIO(data, newline="")))[1] == list(words)
    assert content(columns=("a", "b")) == b"a,b\r\n"
    with pytest.raises(ValueError, match="t: expected 2 cells, got 3"):
        content((1, 2, 3), columns=("a", "b"))


def test_no_text_of_a_file_is_a_formula():
    """A spreadsheet computes none, also where semicolons part columns; numbers and ways stay as they are."""
    texts = ("=1+1", 'x;"=cmd|a!A1', "a\t@b", "-1.5e-07", "+x", "[1,-2,3]", "a. -2", "-1+cmd|a!A1")
    data = content(texts, columns=("=a", *"bcdefgh")).decode()
    titles, row = csv.reader(io.StringIO(data, newline=""))
    assert titles[0] == "'=a"
    assert row == ["'=1+1", "x;\"'=cmd|a!A1", "a\t'@b", *texts[3:7], "'-1+cmd|a!A1"]
    for delimiter in ";\t|":
        for line in csv.reader(io.StringIO(data, newline=""), delimiter=delimiter):
            assert not any(cell.startswith(("=", "@")) for cell in line)


def test_a_long_table_comes_in_parts_and_a_table_given_up_half_way_leaves_the_old_file(tmp_path):
    """Rows are made some at a time; stopped or failed, what was there stays."""
    made, count = [], 100_000

    def rows():
        for number in range(count):
            made.append(number)
            yield number, number / 7

    writing = write_csv(tmp_path / "t.csv", PlainTable("t", ("n", "share"), LazyRows(count, rows)))
    first = next(writing)
    assert first == len(made) < 10_000
    assert not (tmp_path / "t.csv").exists()
    assert list(islice(writing, 3))[-1] == len(made) == 4 * first
    *_, last = writing
    lines = (tmp_path / "t.csv").read_bytes().split(b"\r\n")
    assert (last, len(lines)) == (count, count + 2)
    assert float(lines[-2].split(b",")[1]) == (count - 1) / 7
    out = tmp_path / "t.csv"
    out.write_text("old")
    stopped = write_csv(out, PlainTable("t", ("n",), [(n,) for n in range(10_000)]))
    next(stopped)
    stopped.close()
    with pytest.raises(ValueError, match="expected 1 cells"):
        list(write_csv(out, PlainTable("t", ("n",), [(1,)] * 5000 + [(1, 2)])))
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_what_is_pasted_has_tabs():
    """Text with a tab or a line end in it is quoted; too many rows are refused in one sentence."""
    assert pasted(PlainTable("t", ("a", "b"), ((1.5, "x\ty"), (None, "z")))) == 'a\tb\n1.5\t"x\ty"\n\tz\n'
    rows = LazyRows(MOST_COPIED + 1, lambda: iter(()))
    with pytest.raises(TooLongError, match=r"100,001 rows, but at most 100,000 can be copied"):
        pasted(PlainTable("t", ("a",), rows))
    with pytest.raises(TooLongError, match="more than 100,000 rows"):
        pasted(PlainTable("t", ("a",), ((n,) for n in range(MOST_COPIED + 1))))
