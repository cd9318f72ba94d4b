"""Tables as files, and as they are shown."""

import csv
import io
from itertools import islice

import numpy as np
import pytest

from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.basics.translation import speaking
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.runs.measures import JobFigures
from meshgui.model.jobs.job_tables import RUNNING_COLUMNS, WAITING_COLUMNS, JobRows, job_facts
from meshgui.model.moment.packet_states import states_at
from meshgui.model.network.channel_tables import CHANNEL_COLUMNS, PASSAGE_COLUMNS, ChannelRows, PassageRows
from meshgui.model.network.network_tables import (
    channel_figures,
    channel_now,
    channel_traffic,
    job_traffic,
    way_of,
)
from meshgui.model.network.packet_tables import CHAIN_COLUMNS, PACKET_COLUMNS, ChainRows, PacketRows
from meshgui.model.network.packet_way import WAY_COLUMNS, WayRows
from meshgui.model.tables.columns import Column, SortOrder, export, rows_in_order
from meshgui.model.tables.tables import (
    MOST_COPIED,
    LazyRows,
    PlainTable,
    TooLongError,
    csv_chunks,
    pasted,
    write_csv,
)
from tests.networks import busy, three_in_a_row
from tests.runs import cursor_in, run_of


def content(*rows, columns=()):
    """All of a table's CSV."""
    return b"".join(part for _, part in csv_chunks(PlainTable("t", columns, rows)))


def test_numbers_are_written_in_full_and_commas_quotes_and_line_ends_are_quoted():
    """A number read back is the same; after RFC 4180, in UTF-8, reading gives the same words."""
    numbers = (1 / 3, np.float64(0.1) * 3, np.int32(7), np.int64(2**60), 1e-300, None, float("nan"))
    titles, row, _ = content(numbers, columns=tuple("abcdefg")).decode().split("\r\n")
    assert titles == "a,b,c,d,e,f,g"
    cells = row.split(",")
    assert [float(cell) for cell in cells[:5]] == [float(number) for number in numbers[:5]]
    assert cells[2:4] == ["7", str(2**60)]
    assert cells[5:] == ["", ""]
    words = ("a,b", 'said "no"', "two\nlines", "(0,1)→(1,1)", "  spaces ", "")
    data = content(words, columns=("x, y", *"bcdef")).decode()
    assert data == '"x, y",b,c,d,e,f\r\n"a,b","said ""no""","two\nlines","(0,1)→(1,1)",  spaces ,\r\n'
    assert list(csv.reader(io.StringIO(data, newline="")))[1] == list(words)
    assert content(columns=("a", "b")) == b"a,b\r\n"
    with pytest.raises(ValueError, match="t: expected 2 cells, got 3"):
        content((1, 2, 3), columns=("a", "b"))


def test_a_cell_has_a_comma_in_german():
    """As the sentence and the clock beside it do; files keep the point."""
    column = Column("Left", lambda times, row: times[row], ".2f")
    with speaking("de"):
        assert column.cell_of([6.826], 0).text == "6,83"


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


EAST = 2 * WAYS  # (2,0)→(3,0) on the 4×4 mesh


def view_of(recording, time):
    """The run at a time."""
    return cursor_in(recording, time=time).view


def columns_of(table):
    """A table as columns by title."""
    rows = list(table.rows)
    return {name: [row[i] for row in rows] for i, name in enumerate(table.columns)}


def facts_of(view, job):
    """The facts of a job by name and unit."""
    return {(name, unit): value for name, value, unit in job_facts(view, job).rows}


def test_queue_and_running_jobs_are_whole_and_exact_and_channels_carry_what_was_counted():
    """In their order, with waits to the last bit; channels in the order shown, shares in full."""
    recording = run_of()
    view, jobs = view_of(recording, recording.end_time / 3), recording.jobs
    found = columns_of(export(WAITING_COLUMNS, JobRows.waiting(view)))
    queue = view.snapshot.queue.tolist()
    assert len(queue) > 10
    assert found["Job"] == queue
    assert found["Waited"] == [view.time - float(jobs.arrival[job]) for job in queue]
    assert found["Size"] == [describe_size(jobs.size(job), recording.mesh.dims) for job in queue]
    found, figures = columns_of(export(RUNNING_COLUMNS, JobRows.running(view))), JobFigures(recording)
    finish = dict(zip(figures.job.tolist(), figures.finish.tolist(), strict=True))
    assert found["Job"] == view.snapshot.running.tolist()
    assert found["Left"] == [finish[job] - view.time for job in found["Job"]]
    recording = busy()
    record, view = recording.network, view_of(recording, 300.0)
    figures, now = channel_figures(record, 0, 300), channel_now(record, view.network)
    channels = ChannelRows(record, figures, now)
    order = rows_in_order(CHANNEL_COLUMNS, channels, SortOrder("use", descending=True))
    found = columns_of(export(CHANNEL_COLUMNS, channels, order))
    assert len(found["Channel"]) == len(figures.channels)
    for title in ("Use", "Flits", "Waited"):
        assert found[title] == getattr(figures, title.lower())[order].tolist()
    assert any(use not in {0.0, 1.0} and round(100 * use, 1) != 100 * use for use in found["Use"])
    holders = now.holders[figures.channels]
    held = [holder for holder in found["Held by"] if holder is not None]
    assert sorted(held) == sorted(holders[holders >= 0].tolist())


def test_the_facts_of_a_finished_job_are_its_figures_and_a_jobs_messages_are_among_its_facts():
    """As the measures have them; of a job to come they are empty; messages as far as they have come."""
    recording = run_of()
    figures, row = JobFigures(recording), 100
    facts = facts_of(view_of(recording, 1e9), int(figures.job[row]))
    to_come = facts_of(view_of(recording, 0.0), len(recording.jobs) - 1)
    for fact, column in (
        (("Job", ""), figures.job),
        (("Waits", "time"), figures.waiting),
        (("Starts", "time"), figures.start),
        (("Finishes", "time"), figures.finish),
        (("Overhead", "operations"), figures.operations),
        (("Overhead", "seconds"), figures.seconds),
        (("Attempts", "attempts"), figures.attempts),
        (("Asks for", "processors"), figures.processors),
    ):
        assert facts[fact] == column[row], fact
    for fact in (("Starts", "time"), ("Finishes", "time"), ("Overhead", "operations")):
        assert to_come[fact] is None, fact
    recording = busy()
    view = view_of(recording, recording.end_time)
    traffic, facts = job_traffic(recording.network, 3, view.cycle), facts_of(view, 3)
    assert facts["Messages sent", "messages"] == traffic.sent > 0
    assert facts["Latency", "cycles, mean"] == traffic.latency
    served = recording.times[recording.ended[3]] - recording.times[recording.started[3]]
    assert facts["Service", "time"] == served


def test_packets_and_their_chain_and_a_packets_way_has_absolute_times():
    """In the order asked for; the chain to the one that moves; channel by channel as recorded."""
    recording = three_in_a_row()
    view = view_of(recording, 10.0)
    states = states_at(recording.network, view.network)
    packets = PacketRows(recording.network, states)
    order = rows_in_order(PACKET_COLUMNS, packets, SortOrder("packet", descending=True))
    found = columns_of(export(PACKET_COLUMNS, packets, order))
    assert found["Packet"] == [2, 1, 0]
    assert found["From → to"] == ["(0,0)→(3,0)", "(1,0)→(3,0)", "(2,0)→(3,0)"]
    assert found["State"][1] == "blocked by 0 at (2,0)→(3,0)"
    chain = columns_of(export(CHAIN_COLUMNS, ChainRows(recording.network, states, view.chain_of(2))))
    assert chain["Packet"] == [2, 1, 0]
    assert chain["Holds"] == [None, "(1,0)→(2,0)", "(2,0)→(3,0)"]
    recording = three_in_a_row()
    found = columns_of(export(WAY_COLUMNS, WayRows(recording.network, 2, 10)))
    passages = way_of(recording.network, 2)
    assert found["Channel"] == [describe_channel(recording.mesh, p.channel) for p in passages]
    for title in ("Asked", "Granted", "Left", "Waited"):
        assert found[title] == [getattr(p, title.lower()) for p in passages]
    assert [by for by in found["By"] if by is not None] == [b for p in passages for b in p.blockers] == [1]


@pytest.mark.parametrize("channel", [EAST, 9 * WAYS + 1])
def test_a_channels_passages_are_all_there(channel):
    """Every packet that passes it in the run, whether it has left it or not."""
    record = busy().network
    traffic = channel_traffic(record, channel)
    found = columns_of(export(PASSAGE_COLUMNS, PassageRows(record, traffic, 0)))
    left = [None if cycle == NEVER_YET else cycle for cycle in traffic.left.tolist()]
    held = [None if end is None else end - begin for begin, end in zip(traffic.granted, left, strict=True)]
    assert found["Packet"] == traffic.packets.tolist()
    assert found["Granted"] == traffic.granted.tolist()
    assert (found["Free again"], found["Held"]) == (left, held)
    assert found["Job"] == record.jobs[traffic.packets].tolist()
