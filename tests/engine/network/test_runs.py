"""Runs of jobs that send messages against a naive event loop on top of the naive network."""

from dataclasses import asdict
from functools import cache
from math import ceil, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.network.traffic import departures
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scheduling.disciplines import EasyBackfilling
from tests.properties.networks import OLDER, node_of, outcomes
from tests.scale import cases
from tests.scenarios import jobs_of, scenario_of
from tests.twins import TWINS
from tests.twins.channels import ChannelNetwork
from tests.twins.network import FlitNetwork
from tests.twins.patterns import ROUNDS, beginnings, rounds
from tests.twins.talking_jobs import Event, Machine, TalkingJob

STRATEGIES = [  # contiguous and not, of which some give more than is asked for
    ("ff", {}),
    ("tbl", {}),
    ("gabl", {}),
    ("mbs", {}),
    ("mbs", {"mapping": "row-major"}),
    ("paging", {}),
    ("paging", {"size_index": 1}),
    ("random", {}),
]
DEEP_TOO = {"ff", "tbl", "gabl", "random"}
QUEUES = [{"name": "fcfs"}, {"name": "ssd"}, {"name": "sjf"}]
LAWS = st.sampled_from(
    [
        {},
        {"flits": 1, "routing_delay": 0},
        {"flits": 3, "routing_delay": 1, "buffer": 2},
        {"flits": 4, "buffer": 5, "routing_delay": 2, "switching": "virtual-cut-through"},
        {"flits": 2, "buffer": 2, "routing_delay": 0, "switching": "store-and-forward"},
        {"flits": 3, "routing_delay": 2, "per_hop": "flit", "ports": "free"},
        {"flits": 4, "routing_delay": 1, "buffer": 2, "per_hop": "flit"},
        {"ports": "free"},
        {"flits": 3, "channels": 2, "buffer": 2, "routing_delay": 1},
        {"flits": 4, "channels": 3, "routing": "negative-first", "routing_delay": 0},
        {"flits": 2, "credit": 1, "routing": "yx", "buffer": 2},
        {"flits": 3, "routing": "adaptive", "routing_delay": 1},
        {"flits": 3, "routing": "negative-first", "routing_delay": 1, "per_hop": "flit", "ports": "free"},
    ]
)
DRAWS = 0x6D657368  # a run's messages are drawn by its seed, this and the job: the same in every version


def talking(
    shape, jobs, name="gabl", pattern="random", scheduler=None, options=None, seed=1, wrap=(), **network
):
    """A scenario of listed jobs `(arrival, size, messages)`; a fourth number is a stated service time."""
    fields = ("arrival", "size", "messages", "service")
    rows = [
        {field: value for field, value in zip(fields, job, strict=False) if value is not None} for job in jobs
    ]
    return scenario_of(
        shape,
        rows,
        name,
        options,
        scheduler=scheduler or {"name": "fcfs"},
        network={"pattern": pattern, **network},
        seed=seed,
        mesh={"shape": list(shape), "wrap": list(wrap)},
    )


@st.composite
def crowds(draw):
    """Jobs that come close together on a small mesh, between cycles and at them."""
    name, options = draw(st.sampled_from(STRATEGIES))
    shapes = [(4, 4), (5, 3), (8, 2)] if name not in DEEP_TOO else [(4, 4), (5, 3), (3, 2, 2), (2, 2, 4)]
    shape = (4, 4) if name == "paging" else draw(st.sampled_from(shapes))
    pattern = draw(st.sampled_from([*sorted(ROUNDS), "file"]))
    own = pattern == "file"
    jobs = draw(_talkers(shape, own, pattern in {"fft", "fft-longest-first", "multigrid"}))
    if own:
        rows = draw(_packets(shape, len(jobs)))
        packets = {"packets": [[time, *s, *d, job] for time, s, d, job in rows]}
    else:
        packets = {}
    law = draw(LAWS)
    ringed = law.get("routing", "xy") != "negative-first" and draw(st.booleans())
    wrap = [ringed and side >= 3 for side in shape]
    law |= {
        "startup": draw(st.sampled_from([0, 0, 1, 3])),
        "between_sends": draw(st.sampled_from([0, 2, 40])),
    }
    law |= {"barrier": draw(st.sampled_from(["stage", "iteration"]))}
    queue, seed = draw(st.sampled_from(QUEUES)), draw(st.integers(0, 3))
    return talking(shape, jobs, name, pattern, queue, options, seed, wrap, **packets, **law)


@cache  # to make a Hypothesis strategy takes longer than to draw from it
def _talkers(shape, own, powers):
    sides = [
        st.sampled_from([p for p in (1, 2, 4) if p <= n]) if powers else st.integers(1, n) for n in shape
    ]
    arrivals = st.one_of(st.integers(0, 30), st.floats(0, 30, allow_nan=False))
    job = st.tuples(arrivals, st.tuples(*sides), st.none() if own else st.integers(1, 25))
    return st.lists(job, min_size=1, max_size=7)


@cache
def _packets(shape, jobs):
    node = st.tuples(*(st.integers(0, n - 1) for n in (*shape, 1)[:3]))
    row = st.tuples(st.integers(0, 12), node, node, st.integers(0, jobs - 1))
    return st.lists(row.filter(lambda row: row[1] != row[2]), max_size=12)


def machine_of(of):
    """The naive machine of a scenario, its jobs in order of arrival."""
    network, mesh = of.network, of.machine
    jobs = []
    for job in sorted(of.workload.jobs, key=lambda job: job.arrival):
        number, size = len(jobs), job.extents
        own = None
        if network.pattern == "file":
            own = [(row[0], row[1:4], row[4:7]) for row in network.packets if row[7] == number]
            said, messages = [], len(own)
        else:
            chance = np.random.default_rng(np.random.SeedSequence((of.seed, DRAWS, number))).random
            waits = network.barrier == "iteration"
            said = rounds(network.pattern, prod(size), job.messages, chance, by_iteration=waits)
            messages = job.messages
        rank = {"fcfs": 0, "easy": 0, "ssd": messages, "sjf": prod(size)}[of.scheduler.name]
        computing, alone = computing_of(of, number, prod(size), job)
        jobs.append(TalkingJob(job.arrival, size, rank, said, own, job.service or 0.0, computing, alone))
    options = of.allocator.options.model_dump(exclude_unset=True)
    twin = TWINS[of.allocator.name].make(mesh.extents, mesh.dims == 2, options)
    twin.rings = mesh.rings
    law = asdict(network.law)
    if network.law.headers_decide and not mesh.wrap:
        flits = FlitNetwork(mesh.extents, *(law[name] for name in OLDER))
    else:
        flits = ChannelNetwork(mesh.extents, **law, wrap=mesh.rings)
    return Machine(
        jobs, twin, flits, network.startup, network.between_sends, of.seed, of.scheduler.name == "easy"
    )


def computing_of(of, number, n, job):
    """The cycles that a job computes before each of its rounds, and alone."""
    network = of.network
    if network.compute is None:
        return None, 0
    by_iteration = network.barrier == "iteration"
    begins = beginnings(network.pattern, n, job.messages, by_iteration=by_iteration)
    if network.compute.kind != "stated":
        each = int(jobs_of(of, of.seed).computing[number])
        return [each * first for first in begins], each
    time, count = round(job.service), sum(begins)
    shares = iter([time * (i + 1) // count - time * i // count for i in range(count)])
    return [next(shares) if first else 0 for first in begins], time


def told(recording):
    """The events with the boxes of those that start."""
    lines = []
    for index in range(len(recording)):
        event = recording.event(index)
        starts = event.kind == EventKind.START
        boxes = tuple(map(tuple, recording.boxes_of(event.job))) if starts else ()
        lines.append(Event(event.time, event.kind.name.lower(), event.job, boxes))
    return lines


@pytest.mark.kernel
@cases(250)
@given(of=crowds())
def test_the_run_is_the_naive_event_loops(of):
    """Every start, its boxes, every finish and every packet, whatever pattern, strategy, queue and law."""
    recording, machine = simulate(of), machine_of(of)
    assert told(recording) == machine.run()
    record = recording.network
    delivered = machine.network.delivered()
    assert record.arrived.tolist() == list(delivered)
    assert outcomes(record) == [tuple(delivery) for delivery in delivered.values()]
    deadlock = None if recording.deadlock is None else recording.deadlock.cycle
    assert deadlock == machine.network.deadlock
    assert recording.complete == (deadlock is None)
    assert record.jobs.tolist() == machine.owners
    extents = of.machine.extents
    assert [packet.ends for packet in machine.network.packets] == [
        (node_of(extents, source), node_of(extents, target))
        for source, target in zip(record.sources.tolist(), record.targets.tolist(), strict=True)
    ]


@cases(60)
@given(of=crowds(), stops=st.integers(1, 40))
def test_watching_and_stopping_change_nothing(of, stops):
    """A run looked into on the way comes to the same; one that is stopped is the beginning of it."""
    whole = simulate(of)
    seen = []
    simulation = Simulation(of)

    def hear(_):
        partial = simulation.recording()
        if partial.network is not None and len(partial.network):
            seen.append(partial.network.at(int(simulation.now)).packets.tolist())
        if len(seen) >= stops:
            raise Stopped

    try:
        simulation.run(Work(hear))
    except Stopped:
        assert len(seen) >= stops
    begun = told(simulation.recording())
    assert begun == told(whole)[: len(begun)]
    assert told(Simulation(of, record=False).run()) == told(whole)


@cases(60)
@given(of=crowds())
def test_a_job_ends_when_its_last_message_arrives(of):
    """No earlier, no later; with nothing to send, at the moment it starts."""
    recording = simulate(of)
    record = recording.network
    for job in range(len(recording.jobs)):
        start, finish = (float(recording.times[at[job]]) for at in (recording.started, recording.ended))
        mine = np.flatnonzero(record.jobs == job)
        assert finish == (record.delivered[mine].max() if len(mine) else start)
        if len(mine):
            assert record.sent[mine].min() >= ceil(start) + of.network.startup
            assert len(mine) == recording.jobs.messages[job]


def test_messages_leave_with_the_next_whole_cycle():
    """A job that starts at 2.5 sends from cycle 3 on; a barrier takes no time of its own."""
    for at, cycle in [(2.5, 3), (3.0, 3), (0.0, 0), (1e-9, 1)]:
        recording = simulate(talking((2, 1), [(at, (2, 1), 1)]))
        assert recording.network.sent.tolist() == [cycle]
        assert recording.end_time == cycle + recording.scenario.network.law.unblocked(1)
    recording = simulate(talking((2, 1), [(0, (2, 1), 6)], pattern="n-body"))
    each = recording.scenario.network.law.unblocked(1)
    assert recording.network.sent.tolist() == [0, 0, each, each, 2 * each, 2 * each]
    assert recording.end_time == 3 * each


def test_between_iterations_only_all_stages_leave_at_once():
    """n-body of four: two shifts and the way home in one cycle, the next iteration when all have arrived."""
    recording = simulate(talking((4, 1), [(0, (4, 1), 20)], pattern="n-body", barrier="iteration"))
    first = int(recording.network.delivered[:12].max())
    assert recording.network.sent.tolist() == [0] * 12 + [first] * 8
    staged = simulate(talking((4, 1), [(0, (4, 1), 20)], pattern="n-body"))
    assert recording.network.sources.tolist() == staged.network.sources.tolist()
    assert recording.network.targets.tolist() == staged.network.targets.tolist()
    assert recording.end_time < staged.end_time


def test_a_single_processor_sends_nothing():
    """Whatever its quota: it ends as it starts, and who waits for it starts at that moment."""
    jobs = [(1, (2, 1), 3), (2, (1, 1), 9), (2, (1, 1), 9)]
    recording = simulate(talking((2, 1), jobs, "ff"))
    end = recording.network.delivered.max()
    later = [(event.time, event.kind, event.job) for event in told(recording) if event.job > 0]
    assert later[2:] == [
        (end, "start", 1), (end, "start", 2), (end, "finish", 1), (end, "finish", 2),
    ]  # fmt: skip
    assert recording.network.jobs.tolist() == [0, 0, 0]


def test_a_processor_is_busy_before_each_of_its_own_messages():
    """`startup` cycles each, one after another by time and then as listed; others send beside it."""
    times, sources = np.array([0, 0, 7, 1, 0]), np.array([4, 4, 4, 4, 2])
    assert departures(times, sources, 0, 0).tolist() == [0, 0, 7, 1, 0]
    assert departures(times, sources, 3, 0).tolist() == [3, 6, 12, 9, 3]
    assert departures(np.array([5, 5]), np.array([1, 1]), 2, 0).tolist() == [7, 9]
    assert departures(np.array([9, 0]), np.array([1, 1]), 2, 0).tolist() == [11, 2]
    assert departures(times, sources, 0, 4).tolist() == [0, 4, 12, 8, 0]
    assert departures(times, sources, 3, 4).tolist() == [3, 10, 24, 17, 3]


def test_a_job_begins_to_send_whenever_another_one_last_sent_from_its_processors():
    """Two jobs of two processors, one after the other on the same ones, with 100 cycles between sends."""
    jobs = [(0, (2, 1), 3), (1, (2, 1), 3)]
    recording = simulate(talking((2, 1), jobs, "ff", "all-to-all", between_sends=100))
    [then] = [event.time for event in told(recording) if (event.kind, event.job) == ("finish", 0)]
    assert 100 < then < 200
    assert recording.network.sent.tolist() == [0, 0, 100, then, then, then + 100]


@pytest.mark.parametrize("law", [{"startup": 3}, {"between_sends": 5}, {"startup": 1, "between_sends": 2}])
def test_a_want_of_room_for_packets_delays_no_message(law, monkeypatch):
    """Room for one packet at first, and for as many as there are: what is sent when is the same."""
    of = talking((4, 4), [(0, (4, 2), 40), (0, (4, 2), 30), (3, (4, 4), 50)], "ff", "all-to-all", **law)
    whole = simulate(of).network.sent.tolist()
    monkeypatch.setattr("meshgui.engine.network.traffic._FIRST_PACKETS", 1)
    monkeypatch.setattr("meshgui.engine.network.traffic._FIRST_HOPS", 1)
    assert simulate(of).network.sent.tolist() == whole


def test_out_of_a_slow_job_grows_the_waiting_of_others():
    """Contention feeds back: with the same jobs, more messages make the run longer and the waits as well."""
    jobs = [(n, (4, 4), None) for n in range(6)]
    few, many = (simulate(talking((4, 4), jobs, messages=mean)) for mean in (2.0, 50.0))
    assert many.end_time > 2 * few.end_time
    assert few.jobs.messages.tolist() != many.jobs.messages.tolist()


def test_explicit_packets_leave_when_their_job_does_and_a_job_without_any_ends_at_once():
    """From the job's start, of job 0 unless named, at any node, `startup` after each other."""
    packets = [[4, 0, 0, 0, 3, 0, 0], [0, 3, 3, 0, 0, 3, 0, 1], [2, 1, 1, 0, 1, 2, 0, 0]]
    of = talking((4, 4), [(0, (4, 4), None), (1.5, (1, 1), None)], "ff", "file", packets=packets)
    recording = simulate(of)
    record = recording.network
    first = [row for row in told(recording) if row.job == 0 and row.kind == "finish"]
    assert record.jobs.tolist() == [0, 0, 1]
    assert record.sent.tolist() == [4, 2, first[0].time]
    assert recording.jobs.messages.tolist() == [2, 1]
    assert first[0].time == 4 + of.network.law.unblocked(3)
    packets = [[4, 0, 0, 0, 3, 0, 0], [4, 0, 0, 0, 0, 3, 0], [0, 1, 1, 0, 1, 2, 0]]
    recording = simulate(talking((4, 4), [(0, (4, 4), None)], "ff", "file", packets=packets, startup=5))
    assert recording.network.sent.tolist() == [9, 14, 5]
    of = talking(
        (2, 2), [(3, (1, 1), None), (1, (2, 1), None)], "ff", "file", packets=[[0, 0, 0, 0, 1, 1, 0]]
    )
    recording = simulate(of)
    finishes = {row.job: row.time for row in told(recording) if row.kind == "finish"}
    assert finishes == {0: 1 + of.network.law.unblocked(2), 1: 3}


HOPEFUL = st.lists(
    st.tuples(
        st.one_of(st.integers(0, 150), st.floats(0, 150, allow_nan=False)),
        st.tuples(st.integers(1, 4), st.integers(1, 4)),
        st.integers(1, 20),
        st.one_of(st.sampled_from([0, 1, 10, 100, 1000]), st.floats(0, 300, allow_nan=False)),
    ),
    min_size=1,
    max_size=10,
)


@st.composite
def hopeful_crowds(draw, name, options=None, scheduler="fcfs"):
    """Jobs that state how long they run and are nearly always wrong, by much or little, either way."""
    jobs = draw(HOPEFUL)
    pattern = draw(st.sampled_from(["random", "n-body", "all-to-all"]))
    return talking((4, 4), jobs, name, pattern, {"name": scheduler}, options, draw(st.integers(0, 3)))


@pytest.mark.kernel
@cases(120)
@given(data=st.data(), name=st.sampled_from(["ff", "tff", "gabl"]))
def test_easy_plans_with_what_is_stated_however_wrong(data, name):
    """A job that should have ended may end at any moment: the plan says now, and the naive loop agrees."""
    of = data.draw(hopeful_crowds(name, scheduler="easy"))
    machine = machine_of(of)
    assert told(simulate(of)) == machine.run()


def test_a_job_that_overruns_does_not_starve_the_head_of_the_queue():
    """Later jobs fill in until the head's planned start: however late it gets, none goes before it then."""
    late = (0, (4, 3), 200, 100)
    head = (1, (4, 4), 1, 10)
    crowd = [(at, (4, 1), 1, 30) for at in range(2, 400, 5)]
    recording = simulate(talking((4, 4), [late, head, *crowd], "ff", scheduler={"name": "easy"}))
    starts = {row.job: row.time for row in told(recording) if row.kind == "start"}
    ends = {row.job: row.time for row in told(recording) if row.kind == "finish"}
    assert ends[0] > 100 + 100  # it runs for more than twice as long as it said
    filled_in = {job: time for job, time in starts.items() if job > 1 and time < starts[1]}
    assert filled_in
    assert max(filled_in.values()) + 30 <= 100
    assert starts[1] == max(ends[0], *(ends[job] for job in filled_in))


def test_the_plan_goes_with_the_time_while_a_job_is_late():
    """What states no time never ends after the head's start; the plan is no appointment."""
    jobs = [(0, (4, 3), 50, 10), (1, (4, 4), 1, 10), (2.0, (1, 1), 3, 100), (60.0, (4, 1), 1, 0)]
    recording = simulate(talking((4, 4), jobs, "ff", scheduler={"name": "easy"}))
    starts = {row.job: row.time for row in told(recording) if row.kind == "start"}
    assert starts[3] == 60.0 < starts[1] < starts[2]
    jobs = [(0, (4, 3), 1, 1000), (1, (4, 4), 1, 10), (2, (4, 1), 1, 2000)]
    recording = simulate(talking((4, 4), jobs, "ff", scheduler={"name": "easy"}))
    starts = {row.job: row.time for row in told(recording) if row.kind == "start"}
    assert starts[1] == recording.network.delivered[0] < 100
    assert starts[2] > starts[1]


def test_the_queue_is_served_when_a_job_arrives_or_finishes_and_at_no_barrier(monkeypatch):
    """A job has its stages to itself: the discipline is called where machine or queue have changed."""
    served, serve = [], EasyBackfilling.serve

    def watched(discipline, queue):
        served.append(queue.now)
        serve(discipline, queue)

    monkeypatch.setattr(EasyBackfilling, "serve", watched)
    jobs = [(0, (4, 3), 60, 10), (1, (4, 4), 1, 10), (2.0, (1, 1), 3, 100), (60.0, (4, 1), 1, 0)]
    recording = simulate(talking((4, 4), jobs, "ff", "n-body", scheduler={"name": "easy"}))
    times = {row.time for row in told(recording) if row.kind in {"arrive", "finish"}}
    barriers = set(recording.network.sent.tolist()) - times
    assert len(barriers) > 3
    assert len(served) == len(set(served))
    assert set(served) <= times


@cases(80)
@given(of=hopeful_crowds("ta", {"eafr": True}))
def test_eafr_goes_on_when_jobs_run_longer_or_shorter_than_stated(of):
    """Every job runs once, and who had a box reserved starts inside of it, at once when it comes free."""
    recording = simulate(of)
    assert recording.complete
    happened = {}
    for row in told(recording):
        happened.setdefault(row.job, []).append(row.kind)
    assert sorted(happened) == list(range(len(recording.jobs)))
    held = {}
    for row in told(recording):
        if row.kind == "start":
            promised = recording.reservation_of(row.job)
            [(x, y, _, w, d, _)] = row.boxes
            if promised is not None:
                assert promised.x <= x < x + w <= promised.x + promised.w
                assert promised.y <= y < y + d <= promised.y + promised.d
            held[row.job] = recording.boxes_of(row.job)[0]
        elif row.kind == "finish":
            del held[row.job]
    assert not held
    assert all(
        kinds
        in (["arrive", "start", "finish"], ["arrive", "reserve", "start", "finish"], ["arrive", "reject"])
        for kinds in happened.values()
    )


def test_who_has_a_box_reserved_waits_for_the_job_in_it_and_no_longer():
    """Whether that runs for longer than it said or ends before."""
    for stated in (1, 5000):
        jobs = [(0, (4, 4), 30, stated), (1, (4, 4), 1, 10), (2, (2, 2), 1, 10)]
        recording = simulate(talking((4, 4), jobs, "ta", options={"eafr": True}))
        rows = [(row.kind, row.job) for row in told(recording)]
        assert ("reserve", 1) in rows
        starts = {row.job: row.time for row in told(recording) if row.kind == "start"}
        ends = {row.job: row.time for row in told(recording) if row.kind == "finish"}
        assert starts[1] == ends[0] == recording.network.delivered[:30].max()
        assert starts[2] >= ends[0]


def test_jobs_that_end_in_one_cycle_end_before_another_starts():
    """At one time all finishes come first, also those that the network brings about."""
    recording = simulate(talking((4, 1), [(0, (2, 1), 1)] * 3, name="ff", pattern="all-to-all"))
    kinds = [EventKind(kind).name for kind in recording.kinds.tolist()]
    assert kinds[:5] == ["ARRIVE"] * 3 + ["START"] * 2
    assert kinds[5:] == ["FINISH", "FINISH", "START", "FINISH"]
