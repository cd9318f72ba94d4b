"""The tables of jobs, packets and channels hold the figures of the run, and nothing shortened."""

import numpy as np
import pytest

from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.runs.measures import job_figures
from meshgui.model.channel_tables import CHANNEL_COLUMNS, PASSAGE_COLUMNS, ChannelRows, PassageRows
from meshgui.model.columns import SortOrder, export, rows_in_order
from meshgui.model.cursor import Cursor
from meshgui.model.job_tables import RUNNING_COLUMNS, WAITING_COLUMNS, JobRows, job_facts
from meshgui.model.network_tables import channel_figures, channel_now, channel_traffic, job_traffic, way_of
from meshgui.model.packet_states import states_at
from meshgui.model.packet_tables import CHAIN_COLUMNS, PACKET_COLUMNS, ChainRows, PacketRows
from meshgui.model.packet_way import WAY_COLUMNS, WayRows
from tests.networks import busy, three_in_a_row
from tests.runs import run_of

EAST = 2 * WAYS  # (2,0)→(3,0) on the 4×4 mesh


def view_of(recording, time):
    """The run at a time."""
    cursor = Cursor()
    cursor.show(recording)
    cursor.go_to_time(time)
    return cursor.view


def columns_of(table):
    """A table as columns by title."""
    rows = list(table.rows)
    return {name: [row[i] for row in rows] for i, name in enumerate(table.columns)}


def test_the_queue_is_whole_and_exact():
    """Every job that waits, in its order, with its wait to the last bit."""
    recording = run_of()
    view = view_of(recording, recording.end_time / 3)
    found, jobs = columns_of(export(WAITING_COLUMNS, JobRows.waiting(view))), recording.jobs
    queue = view.snapshot.queue.tolist()
    assert len(queue) > 10
    assert found["Job"] == queue
    assert found["Waited"] == [view.time - float(jobs.arrival[job]) for job in queue]
    assert found["Size"] == [describe_size(jobs.size(job), recording.mesh.dims) for job in queue]
    assert len(export(WAITING_COLUMNS, JobRows.waiting(view)).rows) == len(queue)


def test_the_running_jobs_leave_when_the_run_says():
    """What is left of each adds up to its finish."""
    recording = run_of()
    view = view_of(recording, recording.end_time / 3)
    found, figures = columns_of(export(RUNNING_COLUMNS, JobRows.running(view))), job_figures(recording)
    finish = dict(zip(figures.job.tolist(), figures.finish.tolist(), strict=True))
    assert found["Job"] == view.snapshot.running.tolist()
    assert found["Left"] == [finish[job] - view.time for job in found["Job"]]


def test_the_facts_of_a_finished_job_are_its_figures():
    """Arrival, wait, service and costs as the measures have them."""
    recording = run_of()
    figures = job_figures(recording)
    row = 100
    job = int(figures.job[row])
    facts = {(name, unit): value for name, value, unit in job_facts(view_of(recording, 1e9), job).rows}
    assert facts["Job", ""] == job
    assert facts["Waits", "time"] == figures.waiting[row]
    assert facts["Starts", "time"] == figures.start[row]
    assert facts["Finishes", "time"] == figures.finish[row]
    assert facts["Allocation", "operations"] == figures.operations[row]
    assert facts["Allocation", "seconds"] == figures.seconds[row]
    assert facts["Attempts", "attempts"] == figures.attempts[row]
    assert facts["Asks for", "processors"] == figures.asked[row]


def test_what_is_not_known_yet_is_empty():
    """A job that is still to come has neither start nor finish."""
    recording = run_of()
    last = len(recording.jobs) - 1
    facts = {(name, unit): value for name, value, unit in job_facts(view_of(recording, 0.0), last).rows}
    assert facts["Starts", "time"] is None
    assert facts["Finishes", "time"] is None
    assert facts["Allocation", "operations"] is None


def test_a_jobs_messages_are_among_its_facts():
    """With a network, as far as they have come."""
    recording = busy()
    view = view_of(recording, recording.end_time)
    traffic = job_traffic(recording.network, 3, view.cycle)
    facts = {(name, unit): value for name, value, unit in job_facts(view, 3).rows}
    assert facts["Messages sent", "messages"] == traffic.sent > 0
    assert facts["Latency", "cycles, mean"] == traffic.latency
    served = recording.times[recording.ended[3]] - recording.times[recording.started[3]]
    assert facts["Service", "time"] == served


def test_packets_and_their_chain():
    """All packets in the order asked for; the chain from the last that waits to the one that moves."""
    recording = three_in_a_row()
    view = view_of(recording, 10.0)
    states = states_at(recording.network, view.network)
    packets = PacketRows(recording.network, states)
    order = rows_in_order(PACKET_COLUMNS, packets, SortOrder("packet", descending=True))
    found = columns_of(export(PACKET_COLUMNS, packets, order))
    assert found["Packet"] == [2, 1, 0]
    assert found["From → to"] == ["(0,0)→(3,0)", "(1,0)→(3,0)", "(2,0)→(3,0)"]
    assert found["State"][1] == "blocked by 0 at (2,0)→(3,0)"
    chain = columns_of(export(CHAIN_COLUMNS, ChainRows.of(recording.network, states, 2)))
    assert chain["Packet"] == [2, 1, 0]
    assert chain["Holds"] == [None, "(1,0)→(2,0)", "(2,0)→(3,0)"]


def test_a_packets_way_has_absolute_times():
    """Channel by channel as recorded, every packet in its way in a row of its own."""
    recording = three_in_a_row()
    found = columns_of(export(WAY_COLUMNS, WayRows(recording.network, 2, 10)))
    passages = way_of(recording.network, 2)
    assert found["Channel"] == [describe_channel(recording.mesh, p.channel) for p in passages]
    assert found["Asked"] == [p.asked for p in passages]
    assert found["Granted"] == [p.granted for p in passages]
    assert found["Left"] == [p.left for p in passages]
    assert found["Waited"] == [p.waited for p in passages]
    assert [by for by in found["By"] if by is not None] == [b for p in passages for b in p.blockers] == [1]


def test_channels_carry_what_was_counted():
    """All of them, in the order shown; the use is a share in full."""
    recording = busy()
    record, view = recording.network, view_of(recording, 300.0)
    figures, now = channel_figures(record, 0, 300), channel_now(record, view.network)
    channels = ChannelRows(record, figures, now)
    order = rows_in_order(CHANNEL_COLUMNS, channels, SortOrder("use", descending=True))
    found = columns_of(export(CHANNEL_COLUMNS, channels, order))
    assert len(found["Channel"]) == len(figures.channels)
    assert found["Use"] == figures.use[order].tolist()
    assert found["Flits"] == figures.flits[order].tolist()
    assert found["Waited"] == figures.waited[order].tolist()
    assert any(use not in {0.0, 1.0} and round(100 * use, 1) != 100 * use for use in found["Use"])
    held = [holder for holder in found["Held by"] if holder is not None]
    assert sorted(held) == sorted(now.holders[figures.channels][now.holders[figures.channels] >= 0].tolist())


@pytest.mark.parametrize("channel", [EAST, 9 * WAYS + 1])
def test_a_channels_passages_are_all_there(channel):
    """Every packet that passes it in the run, whether it has left it or not."""
    record = busy().network
    traffic = channel_traffic(record, channel)
    found = columns_of(export(PASSAGE_COLUMNS, PassageRows(record, traffic, 0)))
    assert found["Packet"] == traffic.packets.tolist()
    assert found["Granted"] == traffic.granted.tolist()
    left = [None if cycle == NEVER_YET else cycle for cycle in traffic.left.tolist()]
    assert found["Free again"] == left
    assert found["Held"] == [
        None if end is None else end - begin for begin, end in zip(found["Granted"], left, strict=True)
    ]
    assert np.array(found["Job"]).tolist() == record.jobs[traffic.packets].tolist()
