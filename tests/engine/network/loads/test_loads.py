"""The loads: where each node sends, as the contract defines it, and what is measured under them."""

from itertools import product
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh, node_at, node_number
from meshgui.engine.network.loads.registry import load, loads
from meshgui.engine.network.open_loop import SteadyLoad, measure
from meshgui.engine.network.switching import Law
from tests.scale import cases

DRAWN = ["uniform", "hot-spot", "tornado"]
SHAPES = [(8, 8), (4, 8), (5, 3), (2, 2), (4, 4, 4), (3, 4, 2), (8, 1)]


def rotated(number, bits):
    """Its bits rotated left by one."""
    text = format(number, f"0{bits}b")
    return int(text[1:] + text[:1], 2)


def expected(name, mesh, node):
    """Where a node sends, worked out for it alone; None where that is drawn."""
    place, bits = node_at(mesh, node), mesh.processors.bit_length() - 1
    if name == "transpose":
        return node_number(mesh, (place[1], place[0], place[2]))
    if name == "bit-complement":
        return int(format(node, f"0{bits}b").translate({48: "1", 49: "0"}), 2)
    if name == "bit-reverse":
        return int(format(node, f"0{bits}b")[::-1], 2)
    if name == "shuffle":
        return rotated(node, bits)
    if name == "tornado":
        steps = [ceil(side / 2) - 1 if side > 2 else 0 for side in mesh.extents]
        x, y, z = ((at + n) % k for at, n, k in zip(place, steps, mesh.extents, strict=True))
        return node_number(mesh, (x, y, z))
    if name == "neighbour":
        return node_number(mesh, ((place[0] + 1) % mesh.extents[0], *place[1:]))
    return None


@pytest.mark.parametrize(("name", "shape"), [*product(loads(), SHAPES)])
def test_each_node_sends_where_the_contract_says(name, shape):
    """Or the load is refused on that mesh: bits need a power of two, a transpose a square."""
    mesh, kind = Mesh(shape), load(name)
    power = mesh.processors & (mesh.processors - 1) == 0
    square = len(shape) == 2 and shape[0] == shape[1]
    fits = {"transpose": square, "bit-complement": power, "bit-reverse": power, "shuffle": power}
    assert (kind.unfit(mesh) is None) == fits.get(name, True)
    if kind.unfit(mesh) is not None:
        return
    sources = np.arange(mesh.processors)
    targets = kind().targets(mesh, sources, np.random.default_rng(1)).tolist()
    for source, target in enumerate(targets):
        assert 0 <= target < mesh.processors
        assert expected(name, mesh, source) in {target, None}


def test_uniform_traffic_goes_to_every_other_node_alike():
    """Never to itself; each other node gets its share, within five standard deviations."""
    mesh, packets = Mesh((4, 3)), 110_000
    targets = load("uniform")().targets(mesh, np.full(packets, 5), np.random.default_rng(2))
    counts = np.bincount(targets, minlength=12)
    assert counts[5] == 0
    share = packets / 11
    assert (np.abs(np.delete(counts, 5) - share) < 5 * share**0.5).all()


def test_a_tenth_goes_to_the_hot_spot():
    """The node in the middle, rounded down; the others share the rest."""
    mesh, packets = Mesh((4, 5)), 100_000
    targets = load("hot-spot")().targets(mesh, np.zeros(packets, dtype=np.int64), np.random.default_rng(3))
    counts = np.bincount(targets, minlength=20)
    middle = node_number(mesh, (1, 2, 0))
    assert abs(counts[middle] - packets * (0.1 + 0.9 / 19)) < 5 * packets**0.5
    assert counts[0] == 0


def steady(name="uniform", rate=0.1, cycles=400, shape=(4, 4), wrap=(), **changes):
    """A load on a small network."""
    fields = {"warm_up": 100, "seed": 1} | {
        key: changes.pop(key) for key in ("warm_up", "seed") if key in changes
    }
    return SteadyLoad(Mesh(shape, wrap), Law(**changes), load(name), rate, cycles, **fields)


@pytest.mark.kernel
def test_a_light_load_takes_what_an_empty_network_does():
    """Packets one hop from their target, so few that none waits, take the unblocked latency."""
    found = measure(steady("neighbour", rate=0.02, shape=(8, 8), wrap=(True, True)))
    assert len(found.latency) == found.packets > 0
    assert (found.network_latency == Law().unblocked(1)).all()
    assert (found.empty == Law().unblocked(1)).all()
    assert (found.latency >= found.network_latency).all()
    assert not found.saturated


@pytest.mark.kernel
def test_beyond_saturation_throughput_stays_behind_what_is_offered():
    """And packets wait long in their sources."""
    found = measure(steady("transpose", rate=2.0, buffer=4, channels=2, credit=1))
    assert found.saturated
    assert found.throughput < 0.8 * found.offered
    assert found.latency.mean() > 2 * found.network_latency.mean()


@pytest.mark.kernel
def test_a_ring_without_virtual_channels_may_stand_still():
    """Tornado traffic closes a circle of channels; with two channels a link it cannot."""
    around = {"rate": 0.3, "shape": (8, 8), "wrap": (True, True)}
    stuck, flowing = (
        measure(steady("tornado", **around)),
        measure(steady("tornado", **around, channels=2, credit=1)),
    )
    assert stuck.deadlock is not None
    assert len(stuck.latency) < stuck.packets
    assert flowing.deadlock is None


@pytest.mark.kernel
@cases(40)
@given(
    seed=st.integers(0, 99), rate=st.floats(0.01, 1), name=st.sampled_from(["uniform", "hot-spot", "tornado"])
)
def test_a_seed_decides_everything(seed, rate, name):
    """Twice the same is the same; what is offered is about the rate, what arrives no more than is sent."""
    one, other = (measure(steady(name, rate, 120, seed=seed, warm_up=20)) for _ in range(2))
    for first, second in zip(one, other, strict=True):
        assert np.array_equal(first, second)
    assert len(one.latency) <= one.packets
    assert (one.latency >= one.network_latency).all()
    assert (one.network_latency >= one.empty).all()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rate": 8.5}, "rate"),
        ({"rate": 0.0}, "rate"),
        ({"warm_up": 400}, "warm-up"),
        ({"name": "transpose", "shape": (4, 3)}, "traffic"),
        ({"name": "shuffle", "shape": (3, 3)}, "traffic"),
        ({"shape": (1, 1)}, "traffic"),
        ({"cycles": 10**9}, "cycles"),
    ],
)
def test_what_does_not_fit_is_one_sentence(changes, field):
    """The option is named with it."""
    found, words = steady(**changes).fault()
    assert found == field
    assert words.startswith("expected")
