"""Adaptive Non-contiguous Allocation against 000 §2.2.2: how a request is cut, and what that misses."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.engine.allocation.anca import AdaptiveNonContiguous, AdaptiveNonContiguousOptions, cut
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request, Table, Tree
from meshgui.engine.basics.geometry import Box, Mesh
from tests.scale import cases

pytestmark = pytest.mark.kernel


def flat(x, y, w, d):
    """A box of a 2D mesh."""
    return Box(x, y, 0, w, d, 1)


def at_work(shape, *held, rounds=4, stop="below-one"):
    """The strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    options = AdaptiveNonContiguousOptions(rounds=rounds, stop=stop)
    working = AdaptiveNonContiguous(Mesh(shape), options)
    for job, box in enumerate(held, start=100):
        working.replay(Request(job, box.size), (box,))
    return working


def test_a_request_for_8x3_becomes_two_of_4x3():
    """000 §2.2.2: what finds no room whole is cut in two across its longer side."""
    assert cut([(8, 3, 1)]) == [(4, 3, 1), (4, 3, 1)]
    working = at_work((9, 3), flat(4, 0, 1, 3))
    assert working.allocate(Request(1, (8, 3, 1))) == (flat(0, 0, 4, 3), flat(5, 0, 4, 3))


def test_a_request_that_has_room_is_not_cut():
    """000 §2.2.2: a contiguous box is tried first; the lowest row, then the leftmost column."""
    working = at_work((9, 6), flat(4, 0, 1, 3))
    assert working.allocate(Request(1, (8, 3, 1))) == (flat(0, 3, 8, 3),)


def test_all_parts_find_room_in_one_round():
    """000 §2.2.2: where only one 4×3 has room it is not used; all four parts of round 2 are 2×3."""
    working = at_work((10, 3), flat(4, 1, 1, 1), flat(7, 1, 1, 1))
    boxes = working.allocate(Request(1, (8, 3, 1)))
    assert boxes == (flat(0, 0, 2, 3), flat(2, 0, 2, 3), flat(5, 0, 2, 3), flat(8, 0, 2, 3))


@cases(100)
@given(size=st.tuples(st.integers(1, 40), st.integers(1, 40), st.just(1)), rounds=st.integers(0, 6))
def test_round_i_has_two_to_the_i_parts(size, rounds):
    """000 §1.1: as many as that, together as large as the request, with sides of at least 1."""
    parts = [size]
    for i in range(rounds + 1):
        assert len(parts) == 2**i
        assert sum(map(prod, parts)) == prod(size)
        assert all(side >= 1 for part in parts for side in part)
        halved = cut(parts)
        assert (halved is None) == any(prod(part) == 1 for part in parts)
        if halved is None:
            return
        parts = halved


def test_odd_sides_are_cut_as_evenly_as_can_be():
    """A side of 7 becomes 4 and 3; a square is cut across its width."""
    assert cut([(7, 3, 1)]) == [(4, 3, 1), (3, 3, 1)]
    assert cut([(4, 3, 1), (3, 3, 1)]) == [(2, 3, 1), (2, 3, 1), (2, 3, 1), (1, 3, 1)]
    assert cut([(2, 5, 1)]) == [(2, 3, 1), (2, 2, 1)]


def test_a_part_of_one_processor_ends_it():
    """A side cannot fall below 1, so three processors apart are missed: external fragmentation."""
    apart = [flat(1, 0, 1, 1), flat(3, 0, 1, 1)]
    working = at_work((5, 1), *apart)
    trace = working.trace(Request(1, (3, 1, 1)))
    assert trace.outcome is None
    assert working.lines[trace.steps[-1].line].label == "fail"
    assert at_work((5, 1), *apart).allocate(Request(1, (2, 1, 1))) == (flat(0, 0, 1, 1), flat(2, 0, 1, 1))


def test_a_side_that_reaches_1_ends_it_as_an_option():
    """000 §2.2.2: allocation fails then; 4×1 gets one box or none, where by default it gets four 1×1."""
    apart = [flat(x, 0, 1, 1) for x in (1, 3, 5)]
    four = tuple(flat(x, 0, 1, 1) for x in (0, 2, 4, 6))
    assert at_work((7, 1), *apart).allocate(Request(1, (4, 1, 1))) == four
    working = at_work((7, 1), *apart, stop="at-one")
    trace = working.trace(Request(1, (4, 1, 1)))
    assert trace.outcome is None
    moment = Moment(trace.before, trace.request, trace.steps)
    assert working.say(moment) == "A side of the parts would reach 1, so the job waits."
    assert at_work((7, 1), stop="at-one").allocate(Request(1, (4, 1, 1))) == (flat(0, 0, 4, 1),)


def test_sides_of_2_are_the_last_where_1_ends_it():
    """000 §2.2.2: 8×3 becomes 4×3 and 2×3, but not 2×2 with 2×1; a side of 3 has no half of 2."""
    assert cut([(8, 3, 1)], 2) == [(4, 3, 1)] * 2
    assert cut([(4, 3, 1)] * 2, 2) == [(2, 3, 1)] * 4
    assert cut([(2, 3, 1)] * 4, 2) is None
    assert cut([(2, 3, 1)] * 4) == [(2, 2, 1), (2, 1, 1)] * 4
    assert cut([(8, 1, 1)], 2) is None


def test_the_rounds_are_limited():
    """000 §2.2.2: after a set number of rounds the job waits, though one more would have done."""
    columns = [flat(x, 0, 1, 2) for x in (1, 3, 5)]
    assert at_work((8, 2), *columns, rounds=1).allocate(Request(1, (4, 2, 1))) is None
    boxes = at_work((8, 2), *columns, rounds=2).allocate(Request(1, (4, 2, 1)))
    assert boxes == (flat(0, 0, 1, 2), flat(2, 0, 1, 2), flat(4, 0, 1, 2), flat(6, 0, 1, 2))


def test_a_request_longer_than_the_mesh_is_cut_to_fit():
    """Only a request that finds no room on the empty mesh in any round is refused."""
    assert at_work((4, 4)).refusal((6, 2, 1)) is None
    assert at_work((4, 4)).allocate(Request(1, (6, 2, 1))) == (flat(0, 0, 3, 2), flat(0, 2, 3, 2))
    assert at_work((4, 4), rounds=0).refusal((6, 2, 1)) is not None
    assert at_work((4, 4)).refusal((17, 1, 1)) is not None


@pytest.mark.parametrize("rounds", [-1, 17, 1.5, True])
def test_the_number_of_rounds_has_limits(rounds):
    """From 0, which never cuts, to 16, which cuts a mesh of 256×256 into single processors."""
    with pytest.raises(ValidationError):
        AdaptiveNonContiguousOptions(rounds=rounds)


def test_every_processor_looked_at_is_counted():
    """A look at the number of free processors; each processor of a box, from its right, up to a busy one."""
    working = at_work((4, 2), flat(1, 1, 1, 1))
    working.allocate(Request(1, (2, 2, 1)))
    assert working.operations == 1 + 2 + 4


def test_the_partition_is_shown_as_a_tree():
    """The request, under it the parts of each round: given up above, placed below, as far as the steps go."""
    working = at_work((9, 3), flat(4, 0, 1, 3))
    trace = working.trace(Request(1, (8, 3, 1)))

    def shown(steps):
        tree, parts, _ = working.inspect(Moment(trace.before, trace.request, trace.steps[:steps])).panels
        assert isinstance(tree, Tree)
        assert isinstance(parts, Table)
        return [(node.key, node.parent, node.label, node.kind) for node in tree.nodes], len(parts.rows)

    assert shown(1) == ([(1, None, "8×3", NodeKind.OPEN)], 1)
    assert shown(len(trace.steps)) == (
        [
            (1, None, "8×3", NodeKind.FAILED),
            (2, 1, "4×3", NodeKind.PLACED),
            (3, 1, "4×3", NodeKind.PLACED),
        ],
        2,
    )
