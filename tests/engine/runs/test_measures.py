"""The figures of runs, without a network and with one."""

import math
from statistics import mean

import numpy as np
import pytest
from hypothesis import given

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import INJECT, WAYS, describe_channel, links
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.figures import figures_of, schedule_of
from meshgui.engine.runs.measures import JobFigures, channel_use, summary
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import scenario_from
from tests.networks import crowd
from tests.scale import cases
from tests.scenarios import crowded, listed, scenario, scenario_of
from tests.twins.runs import NaiveRun, measures

MEANS = ("turnaround", "waiting", "service")


@cases(400)
@given(of=crowded())
def test_every_figure_is_what_a_walk_through_time_gives(of):
    """Means over jobs, and integrals over time of processors, boxes, queue and blocked head."""
    measured = summary(simulate(of))
    for name, value in measures(NaiveRun(of)).items():
        given_value = measured[name]["mean"] if name in MEANS else measured[name]
        assert given_value == pytest.approx(value, rel=1e-9, abs=1e-9), name


def test_a_run_worked_out_by_hand():
    """Two jobs one after the other; Paging in 2×2 pages holds more than is asked for (001 §3.4.1)."""
    measured = summary(simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)])))
    assert measured["turnaround"]["mean"] == pytest.approx((4 + 4) / 2)
    assert measured["waiting"]["mean"] == pytest.approx((0 + 3) / 2)
    assert measured["service"]["mean"] == pytest.approx((4 + 1) / 2)
    assert measured["finish_time"] == 5
    assert measured["utilization"] == pytest.approx((2 * 4 + 1 * 1) / (2 * 5))
    assert measured["queue_length_mean"] == pytest.approx(3 / 5)
    assert measured["busy_list_mean"] == pytest.approx(1)
    assert measured["external_fragmentation"] == 0
    assert (measured["blocks_per_job"], measured["contiguous_ratio"]) == (1, 1)
    assert measured["internal_fragmentation"] == 0
    assert measured["attempts_per_job"] == pytest.approx(3 / 2)
    of = listed((8, 4), [(0, (3, 3), 1), (0, (1, 1), 1)], "paging", options={"size_index": 1})
    recording = simulate(of)
    assert JobFigures(recording).internal_fragmentation.tolist() == [3 / 12, 3 / 4]
    measured = summary(recording)
    assert measured["internal_fragmentation"] == 6 / 16
    assert (measured["utilization"], measured["utilization_requested"]) == (16 / 32, 10 / 32)
    page = (2, 2)
    jobs = [(0, page, 9), (0, page, 1), (0, page, 9), (0, page, 1), (2, (3, 2), 1)]
    figures = JobFigures(simulate(listed((8, 2), jobs, "paging", options={"size_index": 1})))
    assert figures.processors.tolist() == [4, 4, 4, 4, 6]
    assert figures.dispersal.tolist() == [0, 0, 0, 0, 4 / 12]
    assert figures.weighted_dispersal[-1] == pytest.approx(8 * 4 / 12)


def test_processors_that_are_idle_beside_a_waiting_head_are_external_fragmentation():
    """Their share of the machine over time, where enough are free but not side by side; of job 0, too."""
    of = listed((3, 1), [(0, (1, 1), 2), (0, (1, 1), 4), (0, (1, 1), 2), (1, (2, 1), 1)])
    # From 2 to 4 the middle processor alone is held, and two processors are asked for side by side.
    assert summary(simulate(of))["external_fragmentation"] == pytest.approx(2 / 3 * 2 / 5)
    jobs = [(0, (2, 1), 1), (0, (1, 1), 2), (0, (1, 1), 4), (0, (1, 1), 2)]
    measured = summary(simulate(listed((3, 1), jobs, scheduler={"name": "sjf"})))
    assert measured["external_fragmentation"] == pytest.approx(2 / 3 * 2 / 5)


def test_a_distribution_has_its_ends_and_its_middle():
    """Five jobs side by side, of 1, 2, 3, 4 and 10 units; of a single one nothing scatters."""
    measured = summary(simulate(listed((5, 1), [(0, (1, 1), n) for n in (3, 1, 10, 2, 4)])))["turnaround"]
    assert measured == {
        "mean": 4,
        "sd": pytest.approx(12.5**0.5),
        "min": 1,
        "median": 3,
        "p95": pytest.approx(8.8),
        "max": 10,
    }
    pair = summary(simulate(listed((5, 1), [(0, (1, 1), 3), (0, (1, 1), 5)])))["turnaround"]
    assert pair["sd"] == pytest.approx(2**0.5)
    alone = summary(simulate(listed((5, 1), [(0, (1, 1), 3)])))["turnaround"]
    assert alone == {"mean": 3, "sd": 0, "min": 3, "median": 3, "p95": 3, "max": 3}


@pytest.mark.parametrize("jobs", [1, 2, 6, 41, 300])
def test_quantiles_are_numpys_to_the_last_bit(jobs):
    """However the jobs fall around the place that is asked for."""
    recording = simulate(scenario((4, 4), "ff", jobs=jobs, load=2))
    turnaround = JobFigures(recording).turnaround
    found = summary(recording)["turnaround"]
    assert [found["median"], found["p95"]] == np.quantile(turnaround, (0.5, 0.95)).tolist()


def test_a_run_of_rejected_jobs_has_no_figures():
    """Nothing is divided by 0, each look is accounted to its job; who waits or runs counts for nothing."""
    measured = summary(simulate(listed((4, 2), [(0, (2, 4), 1)])))
    assert (measured["jobs"], measured["rejected"]) == (0, 1)
    del measured["rejected"]
    for figure in measured.values():
        assert set(figure.values() if isinstance(figure, dict) else [figure]) == {0}
    recording = simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)]))
    scan_and_count, not_enough, give_back = 1 + 2, 1, 2
    assert JobFigures(recording).operations.tolist() == [
        scan_and_count + give_back,
        not_enough + (1 + 1) + give_back,
    ]
    assert all(JobFigures(recording).seconds > 0)
    simulation, partial = Simulation(scenario((8, 8), jobs=400, load=3)), []

    def watch(*_):
        partial.append(simulation.recording())

    whole = JobFigures(simulation.run(Work(watch)))
    for recording in partial:
        figures = JobFigures(recording)
        assert 0 < len(figures.job) < 400
        same = [whole.job.tolist().index(job) for job in figures.job.tolist()]
        assert figures.turnaround.tolist() == whole.turnaround[same].tolist()
        assert summary(recording)["jobs"] == len(figures.job)


def test_attempts_for_parts_are_told_of_strategies_that_count_them():
    """000's b: 6×2 above a held row of 4×4 takes 5×2, 4×2, 2×2 and 1×2 twice; the first job takes none.

    A job that has not started has none, either.
    """
    jobs = [(0, (4, 1), 10), (1, (6, 2), 5)]
    recording = simulate(listed((4, 4), jobs, "gabl"))
    assert recording.part_attempts.tolist() == [0, 5]
    assert Simulation(listed((4, 4), jobs, "gabl")).recording().part_attempts.tolist() == [0, 0]
    assert summary(recording)["part_attempts_per_job"] == 2.5
    assert "part_attempts_per_job" not in summary(simulate(listed((4, 4), jobs, "mbs")))


def test_the_figures_of_a_network_are_those_that_a_run_without_one_lacks():
    """Wall times stand apart, as they differ; a schedule has start, finish and boxes by their sides."""
    plain, wall = figures_of(simulate(scenario((4, 4), jobs=20)))
    with_network, wall_too = figures_of(crowd())
    assert set(FIGURES).intersection(with_network.keys() - plain.keys()) == {
        name for name, figure in FIGURES.items() if figure.network and not figure.load
    }
    failing = scenario((4, 4), jobs=20).model_dump() | {"machine": {"failures": {"between": 9, "repair": 1}}}
    with_failures, _ = figures_of(simulate(scenario_from(failing)))
    assert set(FIGURES).intersection(with_failures.keys() - plain.keys()) == {
        name for name, figure in FIGURES.items() if figure.failures
    }
    assert set(wall) == set(wall_too) == {name for name, figure in FIGURES.items() if figure.wall}
    assert "turnaround.p95" in plain
    schedule = schedule_of(simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)])))
    sides = dict(zip("xyzwdh", (0, 0, 0, 2, 1, 1), strict=True))
    first = {"job 0 start": 0, "job 0 finish": 4} | {f"job 0 box 0 {side}": n for side, n in sides.items()}
    second = {"job 1 start": 4, "job 1 finish": 5} | {
        f"job 1 box 0 {side}": n for side, n in (sides | {"w": 1}).items()
    }
    assert schedule == first | second


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
    """A job of one processor has none; each packet puts all its flits over every link of its way."""
    figures, ways = JobFigures(recording), passages_of(recording)
    assert 0 in figures.messages
    for at, job in enumerate(figures.job.tolist()):
        mine = [way for whose, way in ways if whose == job]
        assert figures.messages[at] == len(mine)
        if not mine:
            assert math.isnan(figures.latency[at])
            assert math.isnan(figures.blocking[at])
            assert math.isnan(figures.message_distance[at])
            continue
        assert figures.latency[at] == pytest.approx(mean(way[-1].left - way[0].granted for way in mine))
        blocking = [sum(passage.waited for passage in way[1:]) for way in mine]
        assert figures.blocking[at] == pytest.approx(mean(blocking))
        assert figures.message_distance[at] == pytest.approx(mean(len(way) - 2 for way in mine))
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
    """The keys are the same as ever; stopped half-way, a run counts what is known by then."""
    recording = simulate(scenario((8, 8), jobs=30))
    assert not KEYS & summary(recording).keys()
    figures = JobFigures(recording)
    assert not figures.messages.any()
    assert all(
        math.isnan(value) for value in (*figures.latency, *figures.blocking, *figures.message_distance)
    )
    of = summary(
        simulate(scenario_of((2, 2), [{"arrival": 0.5, "size": [1, 1]}], network={"pattern": "random"}))
    )
    assert of["jobs"] == 1
    assert of["packets"] == of["latency"]["mean"] == of["blocking"]["max"] == of["message_distance"] == 0
    assert of["channel_use"] == {"mean": 0.0, "max": 0.0, "busiest": None}
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
    figures = JobFigures(recording)
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
