"""The communication patterns against their naive twins, and what the papers say of each."""

import re
from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box, Mesh, node_at
from meshgui.engine.basics.guard import StuckError, long_calls
from meshgui.engine.network.patterns.base import NetworkError, Pattern, Processes, Stage, stages
from meshgui.engine.network.patterns.registry import GROUP, pattern, pattern_names, patterns
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import json_schema
from tests.scale import cases
from tests.scenarios import scenario_of
from tests.twins.patterns import ROUNDS, rounds

POWERS_ONLY = {"fft", "fft-longest-first", "multigrid"}
names = st.sampled_from(sorted(patterns()))


def in_a_row(n):
    """A number of processes side by side."""
    return Processes(Mesh((n, 1)), (Box(0, 0, 0, n, 1, 1),), np.arange(n))


def told(name, n, quota, seed=0, *, by_iteration=False):
    """What a job of n processes sends, stage by stage, as pairs."""
    draws = np.random.default_rng(seed)
    return [
        list(zip(stage.sources.tolist(), stage.targets.tolist(), strict=True))
        for stage in stages(patterns()[name](), in_a_row(n), quota, draws, by_iteration=by_iteration)
    ]


def test_there_is_a_twin_of_every_pattern():
    """And each is listed by its own name; three are for powers of two only."""
    assert sorted(patterns()) == sorted(ROUNDS)
    assert all(cls.id == name and cls.title for name, cls in patterns().items())
    assert {name for name, cls in patterns().items() if cls.powers_of_two} == POWERS_ONLY


@cases(400)
@given(
    name=names, n=st.integers(1, 40), quota=st.integers(1, 600), seed=st.integers(0, 5), waits=st.booleans()
)
def test_every_stage_is_the_twins(name, n, quota, seed, waits):
    """The same messages in the same order, parted by the same barriers, and as many as the quota says."""
    if name in POWERS_ONLY:
        n = 1 << (n % 7)
    sent = told(name, n, quota, seed, by_iteration=waits)
    assert sent == rounds(name, n, quota, np.random.default_rng(seed).random, by_iteration=waits)
    assert sum(map(len, sent)) == (quota if n > 1 else 0)
    assert all(sent)
    for source, target in chain.from_iterable(sent):
        assert 0 <= source < n
        assert 0 <= target < n
        assert source != target


def test_one_to_all_and_random_pairs_are_drawn_evenly_and_the_others_send_as_worked_out_by_hand():
    """Sources and pairs are drawn evenly; shifts and chord, ever farther apart, down to the coarsest grid."""
    sent = told("one-to-all", 8, 7 * 400)
    assert all(len({source for source, _ in stage}) == 1 for stage in sent)
    assert sorted({stage[0][0] for stage in sent}) == list(range(8))
    [sent] = told("random", 4, 12_000)
    counts = Counter(sent)
    assert len(counts) == 12
    assert max(counts.values()) - min(counts.values()) < 250
    assert told("all-to-all", 3, 4) == [[(0, 1), (0, 2), (1, 0), (1, 2)]]
    assert told("all-to-all-rounds", 3, 4) == [[(0, 1), (1, 0), (2, 0), (0, 2)]]
    shift = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    assert told("n-body", 5, 15) == [shift, shift, [(0, 3), (1, 4), (2, 0), (3, 1), (4, 2)]]
    near, far = [(0, 1), (1, 0), (2, 3), (3, 2)], [(0, 2), (1, 3), (2, 0), (3, 1)]
    assert told("fft", 4, 12) == [near, far, near]
    assert told("fft-longest-first", 4, 12) == [far, near, far]
    fine = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]
    assert told("multigrid", 4, 14) == [fine, [(0, 2), (2, 0)], fine]
    assert told("multigrid", 2, 3) == [[(0, 1), (1, 0)], [(0, 1)]]
    # 0 1 2 above 3 4 5
    assert told("halo-2d", 6, 5) == [[(0, 1), (0, 3), (1, 0), (1, 2), (1, 4)]]
    assert told("halo-3d", 8, 3) == [[(0, 1), (0, 2), (0, 4)]]
    assert told("halo-2d", 5, 8) == [[(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3)]]
    ring = [(0, 1), (1, 2), (2, 0)]
    assert told("ring-all-reduce", 3, 15) == [ring] * 5
    up, down = [[(1, 0), (3, 2)], [(2, 0), (4, 0)]], [(0, 4)]
    assert told("tree-all-reduce", 4, 6) == [up[0], [(2, 0)], [(0, 2)], [(0, 1), (2, 3)]]
    assert told("tree-all-reduce", 5, 8) == [up[0], up[1][:1], up[1][1:], down, [(0, 2)], [(0, 1), (2, 3)]]
    there = [[(0, 1), (0, 2)], [(1, 3), (2, 3)]]
    assert told("sweep", 4, 8) == [*there, [(1, 0), (1, 3)], [(0, 2), (3, 2)]]


def with_network(name="gabl", pattern="random", seed=3, shape=(8, 8), jobs=60, options=None, **network):
    """A scenario of drawn jobs that send messages."""
    return scenario_of(
        shape,
        {"kind": "stochastic", "jobs": jobs, "load": 0.05},
        name,
        options,
        network={"pattern": pattern, **network},
        seed=seed,
    )


def between_processes(recording):
    """All messages of each job, as pairs of processes rather than nodes."""
    record, mesh = recording.network, recording.mesh
    sent = {}
    for job in range(len(recording.jobs)):
        boxes = recording.boxes_of(job)
        numbers = [
            (z * mesh.extents[1] + y) * mesh.extents[0] + x
            for bx, by, bz, w, d, h in boxes
            for z in range(bz, bz + h)
            for y in range(by, by + d)
            for x in range(bx, bx + w)
        ]
        mine = np.flatnonzero(record.jobs == job)
        pairs = zip(record.sources[mine].tolist(), record.targets[mine].tolist(), strict=True)
        sent[job] = [(numbers.index(source), numbers.index(target)) for source, target in pairs]
    return sent


def test_jobs_say_the_same_wherever_they_are_placed_and_quotas_are_exponential_and_never_nothing():
    """Strategy and queue change no quota, no pair; they have their mean and share of ones (000 §4.3.2)."""
    for named in ("random", "one-to-all"):
        runs = [Simulation(with_network(name, named)).run() for name in ("ff", "gabl", "random", "paging")]
        first = between_processes(runs[0])
        assert sum(map(len, first.values())) > 100
        for other in runs[1:]:
            assert other.jobs.messages.tolist() == runs[0].jobs.messages.tolist()
            assert between_processes(other) == first
    assert between_processes(Simulation(with_network(), 4).run()) != between_processes(
        Simulation(with_network(), 5).run()
    )
    sent = between_processes(Simulation(with_network(messages=30.0, shape=(4, 4))).run())
    heads = [tuple(pairs[:6]) for pairs in sent.values() if len(pairs) >= 6]
    assert len(heads) > 20
    assert len(set(heads)) == len(heads)
    quotas = Simulation(with_network(jobs=20_000, messages=5.0)).jobs.messages
    assert quotas.min() == 1
    assert quotas.mean() == pytest.approx(5 + (1 - np.exp(-0.1)) - 0.02, abs=0.15)
    assert (quotas == 1).mean() == pytest.approx(1 - np.exp(-1.5 / 5), abs=0.01)
    assert (quotas == 7).mean() == pytest.approx(np.exp(-6.5 / 5) - np.exp(-7.5 / 5), abs=0.01)
    recording = Simulation(with_network()).run()
    sent = np.bincount(recording.network.jobs, minlength=60)
    alone = recording.jobs.processors == 1
    assert sent[~alone].tolist() == recording.jobs.messages[~alone].tolist()
    assert not sent[alone].any()


@pytest.mark.parametrize(("mean", "most"), [(5.0, 9), (1.0, 1), (0.3, 1)])
def test_uniform_quotas_are_in_equal_shares_up_to_twice_the_mean(mean, most):
    """From 1 to 2m − 1, so that the mean is m (002 §4)."""
    quotas = Simulation(with_network(jobs=20_000, messages=mean, quota="uniform")).jobs.messages
    shares = np.bincount(quotas, minlength=most + 1)[1:] / len(quotas)
    assert shares == pytest.approx(np.full(most, 1 / most), abs=0.01)


@pytest.mark.parametrize(("mean", "each"), [(30.0, 30), (2.4, 2), (0.3, 1)])
def test_fixed_quotas_are_the_mean_of_every_job(mean, each):
    """Rounded, and at least one (003 §V A); the other draws stay as they are."""
    fixed = Simulation(with_network("gabl", jobs=50, messages=mean, quota="fixed")).jobs
    assert fixed.messages.tolist() == [each] * 50
    drawn = Simulation(with_network("gabl", jobs=50, messages=mean)).jobs
    np.testing.assert_array_equal(fixed.sizes, drawn.sizes)
    np.testing.assert_array_equal(fixed.arrival, drawn.arrival)


def test_quotas_leave_the_other_draws_as_they_are():
    """With a network, and whatever its mean, the same jobs come with the same sizes at the same times."""
    with_, without = (
        Simulation(with_network(messages=9.0)),
        with_network().model_copy(update={"network": None}),
    )
    for part in ("arrival", "sizes"):
        np.testing.assert_array_equal(getattr(with_.jobs, part), getattr(Simulation(without).jobs, part))


@pytest.mark.parametrize("pattern", sorted(POWERS_ONLY))
@pytest.mark.parametrize(("shape", "largest"), [((12, 6), (8, 4)), ((5, 7, 4), (4, 4, 4))])
def test_sizes_are_rounded_to_powers_of_two_where_the_pattern_asks(pattern, shape, largest):
    """Each side to the nearest one, by ratio, that the mesh has room for (001 §4.2); others keep theirs."""
    plain = Simulation(with_network("ff", shape=shape, jobs=300)).jobs.sizes
    rounded = Simulation(with_network("ff", pattern, shape=shape, jobs=300)).jobs.sizes
    assert len(np.unique(plain)) > 4
    for sides, powers in zip(plain.tolist(), rounded.tolist(), strict=True):
        for side, power, most in zip(sides, powers, (*largest, 1), strict=False):
            near = min((1, 2, 4, 8, 16), key=lambda p: max(p / side, side / p))
            assert power == min(near, most)
    assert Simulation(with_network("ff", pattern, shape=shape, jobs=40)).run().complete


def lies_in(box, node):
    """Whether a box holds a node."""
    return all(low <= n <= high for low, n, high in zip(box.base, node, box.end, strict=True))


class FirstToLast(Pattern):
    """A third party's: the first process sends to the last one of the job's last box."""

    id = "first-to-last"
    title = "First to last"

    def iteration(self, processes, random, most):
        del random, most
        inside = [lies_in(processes.boxes[-1], node) for node in processes.coordinates.tolist()]
        yield Stage(np.array([0]), np.flatnonzero(inside)[-1:])


@pytest.fixture
def install(offer):
    """Install patterns by name."""
    return lambda **points: offer(GROUP, patterns, points)


def test_a_third_party_s_pattern_is_found_and_knows_the_boxes(install):
    """It is in the schema after the project's own, and sends between the boxes of a job."""
    install(first=FirstToLast)
    assert pattern_names()[-2:] == ("first-to-last", "file")
    names = json_schema()["$defs"]["NetworkSpec"]["properties"]["pattern"]["enum"]
    assert names == list(pattern_names())
    recording = Simulation(with_network("gabl", "first-to-last", jobs=40)).run()
    record = recording.network
    assert len(record) > 40
    several = [job for job in range(40) if len(recording.boxes_of(job)) > 1]
    assert several
    for job in several:
        last = recording.boxes_of(job)[-1]
        assert all(lies_in(last, node_at(recording.mesh, n)) for n in record.targets[record.jobs == job])


def makes(*made):
    """A pattern whose iteration yields these."""

    def iteration(self, processes, random, most):
        for one in made:
            if isinstance(one, Exception):
                raise one
            yield one if isinstance(one, int) else Stage(*map(np.array, one))

    return type(
        "Made", (Pattern,), {"id": "made", "title": "Made", "iteration": iteration, "__module__": __name__}
    )


@pytest.mark.parametrize(
    ("cls", "fault"),
    [
        (makes(([], [])), "the pattern made made a stage without messages for 2 processes"),
        (makes(), "the pattern made has no stage for 2 processes"),
        (makes(([0], [2])), "made made a stage with processes that do not exist for 2 processes"),
        (makes(([1], [1])), "made a stage in which a process sends to itself"),
        (makes(([0, 1], [1])), r"made a stage of \(2,\) sources and \(1,\) targets"),
        (makes(7), "made made 7: expected a Stage of two arrays for 2 processes"),
        (makes(ValueError("no")), r"failed while making a stage: ValueError: no \(test_patterns.py:\d+\)"),
    ],
)  # fmt: skip
def test_a_pattern_that_breaks_its_word_is_named(install, cls, fault):
    """Empty stages, processes that there are not, and errors end the run with one line."""
    install(made=cls)
    with pytest.raises(NetworkError, match=fault):
        list(stages(pattern("made")(), in_a_row(2), 5, np.random.default_rng(0)))


def test_a_pattern_that_never_makes_a_stage_is_given_up_by_name(install, monkeypatch):
    """As a strategy is: the run ends with one line."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.2")

    def iteration(self, processes, random, most):
        while True:
            most += 1
        yield

    install(made=type("Made", (Pattern,), {"id": "made", "title": "Made", "iteration": iteration}))
    said = r"^the pattern made did not return from making a stage within 0\.2 s$"
    with pytest.raises(StuckError, match=said), long_calls():
        list(stages(pattern("made")(), in_a_row(2), 5, np.random.default_rng(0)))


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (dict, "the pattern odd .* is not a Pattern"),
        (type("Odd", (FirstToLast,), {"id": "two words"}), "id: expected one word"),
        (type("Odd", (FirstToLast,), {"id": "file"}), "id: expected one word other than file"),
        (type("Odd", (FirstToLast,), {"title": 7}), "title: expected text"),
        (type("Odd", (FirstToLast,), {"powers_of_two": 2}), "powers_of_two: expected true or false, got 2"),
        (type("Odd", (FirstToLast,), {"id": "fft"}), "odd .* has the id fft, which is already taken"),
    ],
)
def test_an_entry_point_that_is_no_pattern_is_refused_with_its_reason(install, thing, reason):
    """All else continues."""
    install(odd=thing)
    assert pattern_names() == (*ROUNDS, "file")
    [unusable] = patterns().unusable
    assert re.search(reason, unusable.reason)
    if unusable.name == "odd":
        with pytest.raises(NetworkError, match=reason):
            pattern("odd")
