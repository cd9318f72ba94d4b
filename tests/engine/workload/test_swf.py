"""Traces in the Standard Workload Format: what is read, what is left out, one line for every bad file."""

import gzip
import os
import threading
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.parts import LARGEST_NUMBER, LATEST
from meshgui.engine.basics.work import Work
from meshgui.engine.workload import swf
from meshgui.engine.workload.swf import MOST_PROCESSORS, TraceError, in_words, read_trace
from tests.traces import HEADER, line, trace_text


@pytest.fixture
def written(tmp_path):
    """Writes a trace."""

    def write(content, name="trace.swf"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def packed(text):
    """A text as gzip packs it at no particular time, so that a test's name does not change with the clock."""
    return gzip.compress(text.encode(), mtime=0)


def complaint(path):
    """The one line a file is refused with, after its name."""
    with pytest.raises(TraceError) as caught:
        read_trace(path)
    fault = caught.value
    assert fault.path == path
    assert str(fault) == f"{path}: {fault.message}"
    assert fault.message.isprintable()
    assert fault.in_folder == f"{path.name}: {fault.message}"
    return fault.message


def columns(trace):
    """The jobs as plain numbers."""
    parts = (trace.number, trace.submit, trace.run_time, trace.processors)
    return list(zip(*(part.tolist() for part in parts), strict=True))


def test_requested_processors_count_and_allocated_ones_where_nothing_was_requested(written):
    """Both or one are said; jobs by submission; lines are left out for one reason each, segments first."""
    text = trace_text(line(7, 3, 20, allocated=8, requested=5), line(8, 4, 0, allocated=2, requested=-1))
    assert columns(read_trace(written(text))) == [(7, 3, 20, 5), (8, 4, 0, 2)]
    text = trace_text(line(1, 9), line(2, 5), line(3, 9), line(4, 5), line(5, 0))
    assert read_trace(written(text)).number.tolist() == [5, 2, 4, 1, 3]
    trace = read_trace(
        written(
            trace_text(
                line(1, status=0),
                line(2, submit=-1),
                line(3, run=-1),
                line(4, allocated=-1),
                line(5, allocated=0, requested=0),
                *(line(1, submit=-1, status=status) for status in (2, 2, 3, 4)),
                line(6, status=5),
                line(7, status=-1),
            )
        )
    )
    assert trace.number.tolist() == [1, 6, 7]
    assert trace.left_out == {"segment": 4, "no submit time": 1, "no run time": 1, "no processors": 2}
    assert trace.jobs == 7
    assert in_words(trace.left_out) == (
        "8 (4 covering a segment of another line's job, 1 with no submit time, 1 with no run time,"
        " 2 with no processors)"
    )
    assert in_words({}) == "none"


def test_directives_keep_their_order_and_second_lines_and_a_packed_trace_is_known_by_its_first_bytes(written):
    """A web address begins no directive; packed under any name; lines may end as on any system."""
    header = (
        "\ufeff;Version: 2.2\r\n; Computer:  Intel  Test\r\n;\r\n; Note: one\r\n;       and more: of it\r\n"
        ";   http://example.org/\r\n;\r\n;   after a gap\r\n; Note: two\r\n; Queue: 0 batch\r\n"
        "; Queue: 1 night\r\n; Preemption:\r\n\r\n"
    )
    trace = read_trace(written(trace_text(line(), "; Note: late", header=header)))
    assert trace.header == (
        ("Version", "2.2"),
        ("Computer", "Intel Test"),
        ("Note", "one and more: of it http://example.org/"),
        ("Note", "two"),
        ("Queue", "0 batch"),
        ("Queue", "1 night"),
        ("Preemption", ""),
    )
    assert trace.directives("Queue") == ("0 batch", "1 night")
    assert trace.title == "Intel Test"
    text = trace_text(line(3, 1, 2, 5))
    small = written(packed(text), "packed.swf")
    plain = written(text, "plain.swf.gz")
    assert columns(read_trace(small)) == columns(read_trace(plain)) == [(3, 1, 2, 5)]
    assert read_trace(small).title == "Test Cube, Lecture Hall"
    text = HEADER + f"\n  {line(1, 0.5, 2.25)} 99 note\r\n\n{line(2, '1e3', '+7')}\r{line(3, 2000)}"
    assert columns(read_trace(written(text))) == [(1, 0.5, 2.25, 4), (2, 1000, 7, 4), (3, 2000, 10, 4)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (trace_text(line(), "1 2 3"), "line 6: expected 18 fields, got 3"),
        (trace_text(line(), "", line().replace("4", "four", 1)), "allocated processors: expected a number"),
        (trace_text(line(run="nan")), "line 5: run time: expected a number, got nan"),
        (trace_text(line(run="1_0")), "line 5: run time: expected a number, got 1_0"),
        (trace_text(line(run=10**13)), "line 5: run time: expected a number up to 1000000000000, got 1000"),
        (trace_text(line(run="1e999")), "line 5: run time: expected a number up to 1000000000000"),
        (trace_text(line(allocated=1.5)), "line 5: allocated processors: expected a whole number, got 1.5"),
        (trace_text(line(requested=1 << 25)), "requested processors: expected a number up to 16777216"),
        (trace_text(line(status=0.5)), "line 5: status: expected a whole number, got 0.5"),
        (trace_text("\x00\x01"), "line 5: expected 18 fields, got 1"),
        (b"\xff\xfe" + "1 2".encode("utf-16-le"), "line 1: expected 18 fields"),
        ("", "expected a trace in the Standard Workload Format, got an empty file"),
        (packed(""), "expected a trace in the Standard Workload Format, got an empty file"),
        (HEADER, "expected at least one job, but there is none"),
        (
            trace_text(line(run=-1), line(run=-1)),
            "expected at least one job, but none of 2 (2 with no run time) can be used",
        ),
        (packed(trace_text(line()))[:-9], "expected a complete gzip file"),
        (b"\x1f\x8b" + b"no more", "expected a complete gzip file"),
        (packed(trace_text(*[line()] * 99))[:40] + b"x" * 60, "expected a complete gzip file"),
    ],
    ids=lambda value: f"{len(value)} bytes" if isinstance(value, bytes) else repr(value)[:40],
)
def test_a_bad_file_is_one_line(written, content, expected):
    """With the number of the line in the file, if a line is at fault."""
    assert expected in complaint(written(content))


def test_a_line_s_number_counts_all_that_was_before(written, monkeypatch):
    """Whichever block of the file it lies in."""
    monkeypatch.setattr(swf, "_BLOCK", 150)
    lines = [line(number, number, 5, requested=2) for number in range(1, 30)]
    path = written(trace_text(*lines))
    assert len(read_trace(path)) == 29
    first = path.read_text().splitlines().index(lines[0].rstrip("\n")) + 1
    assert f"line {first + 25}:" in complaint(written(trace_text(*lines[:25], "1 2 x\n", *lines[25:])))
    assert f"line {first + 29}: expected 18 fields" in complaint(written(trace_text(*lines, "end")))


def test_what_is_no_file_is_one_line(tmp_path):
    """A folder, nothing at all, a name no system takes."""
    assert "no such file" in complaint(tmp_path / "none.swf")
    assert complaint(tmp_path) == "expected a trace in the Standard Workload Format: is a directory"

    with pytest.raises(TraceError, match="null"):
        read_trace(tmp_path / "a\0b")


def test_a_file_the_system_refuses_is_one_line_and_what_unpacks_without_end_is_stopped(written, monkeypatch):
    """In the system's own words; the size that counts is the unpacked one, however long a line is."""
    path = written(trace_text(line()))

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert complaint(path) == "expected a trace in the Standard Workload Format: permission denied"
    monkeypatch.undo()
    monkeypatch.setattr(swf, "MAX_TRACE", 1 << 20)
    path = written(gzip.compress((line() + "\n").encode() * 200_000))
    assert path.stat().st_size < 1 << 20
    assert complaint(path) == "expected a trace of at most 1 MiB, unpacked"
    monkeypatch.undo()
    assert complaint(written(gzip.compress(b"1 " * (2 << 20)))) == "expected lines of at most 1 MiB"
    header = b"; Note: x\n" * 200_000
    assert complaint(written(gzip.compress(header))) == "expected a header of at most 1 MiB"


def test_a_trace_is_read_once_until_it_changes(written, monkeypatch):
    """Known by path, size and time of the last change; a bad one is not read again either."""
    reads = Counter()
    opened = swf.open_input

    def counted(path):
        reads[path] += 1
        return opened(path)

    monkeypatch.setattr(swf, "open_input", counted)
    path = written(trace_text(line()))
    assert read_trace(path) is read_trace(path)
    assert reads[path] == 1
    path.write_text(trace_text(line(), "1"))
    assert complaint(path) == complaint(path) == "line 6: expected 18 fields, got 1"
    assert reads[path] == 2
    path.write_text(trace_text(line(1), line(2)))
    assert len(read_trace(path)) == 2


_VALUES = st.one_of(st.integers(-1, 40), st.sampled_from([0.5, 2.25, 1e6]))
_LINES = st.lists(
    st.tuples(
        st.integers(-1, 99), _VALUES, _VALUES, st.integers(-1, 9), st.integers(-1, 9), st.integers(-1, 5)
    ),
    max_size=12,
)


@given(_LINES, st.booleans())
def test_both_ways_of_reading_agree(tmp_path_factory, lines, wordy):
    """All lines at once, and one by one as soon as one has something to pass over; neither loses a job."""
    expected = []
    for number, submit, run, allocated, requested, status in lines:
        asked = requested if requested > 0 else allocated
        if status not in {2, 3, 4} and submit >= 0 and run >= 0 and asked > 0:
            expected.append((number, submit, run, asked))
    texts = [line(*values) + (" and a word" if wordy else "") for values in lines]
    path = tmp_path_factory.mktemp("read") / "a.swf"
    path.write_text(trace_text(*texts), encoding="utf-8")
    if not expected:
        assert complaint(path).startswith("expected at least one job")
        return
    trace = read_trace(path)
    assert columns(trace) == sorted(expected, key=lambda job: job[1])
    assert sum(trace.left_out.values()) == len(lines) - len(expected)


def test_a_header_may_begin_with_words_and_be_in_old_letters(written):
    """What is before the first directive belongs to none; of Latin-1 no control characters are kept."""
    text = "; A log of a machine\n; Computer: X\n;   and its brother\n;\n; kept at home\n; Note: none\n"
    trace = read_trace(written(text + line(1, 0, 5, requested=2)))
    assert trace.directives("Computer") == ("X and its brother",)
    assert trace.directives("Note") == ("none",)
    text = trace_text(line(), header="; Installation: Université \x1b[31m\n").encode("latin-1")
    assert read_trace(written(text)).title == "Université \\x1b[31m"


def test_reading_says_how_far_it_is_and_can_be_ended(written):
    """After every block of at most a quarter of a megabyte, packed or not; nothing of it is kept."""
    assert swf._BLOCK <= 1 << 18
    text = trace_text(*[line()] * 20_000)
    for path in (written(text), written(gzip.compress(text.encode(), 0), "packed.swf")):
        shares = []
        with Work(lambda progress, shares=shares: shares.append(progress.share)).under_way():
            read_trace(path)
        assert len(shares) >= 3
        assert shares == sorted(shares)
        assert 0 < shares[0] < 0.9 <= shares[-1] <= 1
        assert shares[-1] == 1.0  # the last block
        os.utime(path, ns=(0, 0))  # as if it were another, which is read again
        with pytest.raises(KeyboardInterrupt), Work(end).under_way():
            read_trace(path)
        assert len(read_trace(path)) == 20_000


def end(_):
    """End a reading at its first piece."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("over", [0, 1])
def test_a_line_of_just_the_longest_length_is_read(written, monkeypatch, over):
    """One letter more is refused."""
    monkeypatch.setattr(swf, "_BLOCK", 64)
    monkeypatch.setattr(swf, "MAX_TRACE_LINE", 256)
    path = written("; " + "x" * (254 + over))
    fault = "expected lines of at most 0 MiB" if over else "expected at least one job, but there is none"
    assert complaint(path) == fault


@pytest.mark.parametrize(
    ("name", "place", "largest"),
    [
        ("job number", "number", LARGEST_NUMBER),
        ("submit time", "submit", LATEST),
        ("allocated processors", "allocated", MOST_PROCESSORS),
    ],
)
def test_a_number_of_just_the_largest_value_is_read(written, name, place, largest):
    """More is refused; times and processors have bounds of their own, below zero, too."""
    for allowed in (largest, -largest):
        trace = read_trace(written(trace_text(line(), line(**{place: allowed}))))
        assert trace.jobs == 2
    for more in (largest + 2, -largest - 2):
        fault = complaint(written(trace_text(line(), line(**{place: more}))))
        assert f"{name}: expected a number up to {largest}, got {more}" in fault


def test_putting_a_million_lines_in_order_is_looked_at(written, monkeypatch):
    """As it takes longer than what is said after each block."""
    path = written(trace_text(*(line(number, 10 - number) for number in range(5))))
    begun, looked = threading.Event(), threading.Event()
    put_in_order = swf._in_order

    def waiting(parts):
        begun.set()
        assert looked.wait(60)
        return put_in_order(parts)

    def look(progress):
        if begun.is_set() and progress.share == 1:
            looked.set()

    monkeypatch.setattr(swf, "_in_order", waiting)
    monkeypatch.setattr(swf, "_MANY", 5)
    with Work(look).under_way():
        assert read_trace(path).submit.tolist() == [6, 7, 8, 9, 10]
