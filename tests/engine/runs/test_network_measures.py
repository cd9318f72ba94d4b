"""The figures of messages: per job and per run, against sums over the packets of a run one by one."""

import math
from statistics import mean

import pytest

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import INJECT, WAYS, describe_channel, links
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.measures import channel_use, job_figures, summary
from meshgui.engine.runs.simulation import Simulation, simulate
from tests.scenarios import scenario, scenario_of

KEYS = {"latency", "blocking", "packets", "blocked_packets"}
KEYS |= {"message_distance", "messages_per_job", "channel_use"}


def communicating(jobs=60, load=0.2, **network):
    """Jobs that send through an 8×8 mesh."""
    sides = {"kind": "uniform", "high": 3}
    return scenario_of(
        (8, 8),
        {"kind": "stochastic", "jobs": jobs, "load": load, "sides": sides},
        "mbs",
        network={"pattern": "all-to-all", "messages": 20, **network},
        seed=3,
    )


@pytest.fixture(scope="module")
def recording():
    """A run in which packets block each other."""
    return simulate(communicating())


def passages_of(recording):
    """Every packet of a run: its job, its way channel by channel."""
    network = recording.network
    return [(int(network.jobs[p]), network.passages(p)) for p in range(len(network))]


def test_the_figures_of_messages_are_those_of_each_packet_s_way(recording):
    """Latency, blocking, distance: read off the passages of each packet, and averaged by hand."""
    ways = [way for _, way in passages_of(recording)]
    latency = [way[-1].left - way[0].granted for way in ways]
    blocking = [sum(passage.waited for passage in way[1:]) for way in ways]
    of = summary(recording)
    assert of["packets"] == len(ways) > 100
    assert of["latency"]["mean"] == pytest.approx(mean(latency))
    assert of["latency"]["max"] == max(latency)
    assert of["blocking"]["mean"] == pytest.approx(mean(blocking)) != 0
    assert of["blocked_packets"] == pytest.approx(mean(b > 0 for b in blocking))
    assert of["message_distance"] == pytest.approx(mean(len(way) - 2 for way in ways))
    assert of["messages_per_job"] == pytest.approx(len(ways) / of["jobs"])


def test_every_job_has_the_figures_of_its_own_messages(recording):
    """A job of one processor has none: 0 messages, and no latency or blocking to speak of."""
    figures, ways = job_figures(recording), passages_of(recording)
    assert 0 in figures.messages
    for at, job in enumerate(figures.job.tolist()):
        mine = [way for whose, way in ways if whose == job]
        assert figures.messages[at] == len(mine)
        if not mine:
            assert math.isnan(figures.latency[at])
            assert math.isnan(figures.blocking[at])
            assert math.isnan(figures.distance[at])
            continue
        assert figures.latency[at] == pytest.approx(mean(way[-1].left - way[0].granted for way in mine))
        blocking = [sum(passage.waited for passage in way[1:]) for way in mine]
        assert figures.blocking[at] == pytest.approx(mean(blocking))
        assert figures.distance[at] == pytest.approx(mean(len(way) - 2 for way in mine))


def test_the_use_of_links_counts_flits_over_the_whole_run(recording):
    """Each packet puts all its flits over every link of its way, and the other links stand still."""
    flits = recording.scenario.network.flits
    carried = dict.fromkeys(links(recording.mesh).tolist(), 0)
    for _, way in passages_of(recording):
        for passage in way[1:-1]:
            carried[passage.channel] += flits
    cycles = math.ceil(recording.end_time)
    use = summary(recording)["channel_use"]
    assert use["mean"] == pytest.approx(mean(carried.values()) / cycles)
    assert use["max"] == pytest.approx(max(carried.values()) / cycles)
    assert carried[busiest(recording.mesh, use)] == max(carried.values())


def busiest(mesh, use):
    """The channel that is named."""
    [channel] = [c for c in links(mesh).tolist() if describe_channel(mesh, c) == use["busiest"]]
    return channel


def test_a_mesh_has_a_link_either_way_between_neighbours_and_a_link_that_one_packet_crosses():
    """None leads off the mesh or is a processor's own; 8 flits cross one in as many cycles."""
    for shape, expected in (((1, 1), 0), ((4, 3), 2 * (3 * 3 + 2 * 4)), ((2, 3, 4), 2 * (12 + 16 + 18))):
        mesh = scenario(shape, "ff", jobs=1).machine
        assert len(links(mesh)) == expected
        assert (links(mesh) % WAYS < INJECT).all()
    mesh = scenario((4, 1), "ff", jobs=1).machine
    network = Network(mesh, Law())
    network.send(0, *nodes(1, 2))
    network.advance(10**6)
    record = NetworkRecord(mesh, Law(), network.packets())
    assert record.delivered.tolist() == [Law().unblocked(1)] == [16]
    assert channel_use(record, 0, 16) == {
        "mean": pytest.approx(8 / 16 / 6),
        "max": 0.5,
        "busiest": "(1,0)→(2,0)",
    }
    assert channel_use(record, 16, 20) == {"mean": 0.0, "max": 0.0, "busiest": None}


def nodes(source, target):
    """One packet's ends, as arrays."""
    return [source], [target]


def test_without_a_network_there_is_no_word_of_messages():
    """The summary's keys are the same as ever; nothing is divided by 0."""
    recording = simulate(scenario((8, 8), jobs=30))
    assert not KEYS & summary(recording).keys()
    figures = job_figures(recording)
    assert not figures.messages.any()
    assert all(math.isnan(value) for value in (*figures.latency, *figures.blocking, *figures.distance))
    of = summary(
        simulate(scenario_of((2, 2), [{"arrival": 0.5, "size": [1, 1]}], network={"pattern": "random"}))
    )
    assert of["jobs"] == 1
    assert of["packets"] == of["latency"]["mean"] == of["blocking"]["max"] == of["message_distance"] == 0
    assert of["channel_use"] == {"mean": 0.0, "max": 0.0, "busiest": None}


def test_a_run_in_progress_has_the_figures_of_the_packets_that_have_arrived():
    """Stopped half-way, the summary counts what is known by then."""
    simulation, partial = Simulation(communicating(jobs=400)), []

    def watch(progress):
        if progress.done >= 20 * (len(partial) + 1):
            partial.append(summary(simulation.recording()))

    whole = summary(simulation.run(Work(watch)))
    assert len(partial) >= 3
    for of in partial:
        assert 0 < of["packets"] <= whole["packets"]
        assert of.keys() >= KEYS
        assert not math.isnan(of["latency"]["mean"])


def test_a_job_s_dispersal_is_the_share_of_its_enclosing_box_that_it_does_not_hold():
    """001 §3.4.1: two ends of a row of 4 hold half of it; a run lasts to the end of its last cycle."""
    jobs = [
        {"arrival": 0, "size": [4, 1], "service": 9},
        {"arrival": 0, "size": [1, 1], "service": 1},
        {"arrival": 0, "size": [2, 1], "service": 9},
        {"arrival": 2, "size": [2, 1], "service": 1},
    ]
    recording = simulate(scenario_of((4, 2), jobs, "gabl"))
    figures = job_figures(recording)
    assert figures.blocks.tolist() == [1, 1, 1, 2]
    assert figures.contiguous.tolist() == [True, True, True, False]
    assert figures.dispersal.tolist() == [0, 0, 0, 0.5]
    assert figures.weighted_dispersal.tolist() == [0, 0, 0, 1]
    assert figures.pairwise_distance.tolist() == [5 / 3, 0, 1, 3]
    assert figures.attempts.tolist() == [1, 1, 1, 1]
    assert figures.internal_fragmentation.tolist() == [0, 0, 0, 0]
    jobs = [{"arrival": 0, "size": [2, 1], "messages": 3}, {"arrival": 40.5, "size": [1, 1]}]
    recording = simulate(scenario_of((4, 1), jobs, network={"pattern": "random"}))
    assert recording.end_time == 40.5
    used, whole = summary(recording)["channel_use"], channel_use(recording.network, 0, 41)
    assert used == whole != channel_use(recording.network, 0, 40)
