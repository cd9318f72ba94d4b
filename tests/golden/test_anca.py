"""Adaptive Non-contiguous Allocation against 000 §2.2.2: how a request is cut, and what that misses."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.engine.allocation.anca import AdaptiveNonContiguousOptions, cut
from tests.attempts import Attempt, ask, at_work, box
from tests.scale import cases

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("shape", "held", "boxes"),
    [
        ((9, 6), [(4, 0, 1, 3)], [(0, 3, 8, 3)]),  # a contiguous box is tried first, the lowest row's
        ((9, 3), [(4, 0, 1, 3)], [(0, 0, 4, 3), (5, 0, 4, 3)]),
        # Where only one 4×3 has room it is not used: all parts of one round find room, here of round 2.
        ((10, 3), [(4, 1, 1), (7, 1, 1)], [(x, 0, 2, 3) for x in (0, 2, 5, 8)]),
    ],
    ids=["whole", "two of 4×3", "four of 2×3"],
)
def test_a_request_for_8x3_is_cut_where_it_finds_no_room_whole(shape, held, boxes):
    """000 §2.2.2: in two across its longer side, and again."""
    assert ask(at_work("anca", shape, *held), (8, 3)) == tuple(box(*numbers) for numbers in boxes)


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


@pytest.mark.parametrize(
    ("parts", "least", "halves"),
    [
        ([(8, 3, 1)], 1, [(4, 3, 1)] * 2),
        ([(7, 3, 1)], 1, [(4, 3, 1), (3, 3, 1)]),  # as evenly as can be; a square across its width
        ([(4, 3, 1), (3, 3, 1)], 1, [(2, 3, 1)] * 3 + [(1, 3, 1)]),
        ([(2, 5, 1)], 1, [(2, 3, 1), (2, 2, 1)]),
        ([(2, 3, 1)] * 4, 1, [(2, 2, 1), (2, 1, 1)] * 4),
        ([(8, 3, 1)], 2, [(4, 3, 1)] * 2),
        ([(4, 3, 1)] * 2, 2, [(2, 3, 1)] * 4),
        ([(2, 3, 1)] * 4, 2, None),  # not 2×2 with 2×1: a side of 3 has no half of 2
        ([(8, 1, 1)], 2, None),
    ],
)
def test_parts_are_cut_across_their_longer_sides(parts, least, halves):
    """000 §2.2.2: all of a round at once; where a side of 1 ends it, sides of 2 are the last."""
    assert cut(parts, least) == halves


def test_a_part_of_one_processor_ends_it_and_a_side_that_reaches_1_ends_it_as_an_option():
    """000 §2.2.2: a side cannot fall below 1; as an option, 4×1 gets one box or none."""
    apart = [(1, 0, 1), (3, 0, 1)]
    attempt = Attempt(at_work("anca", (5, 1), *apart, stop="below-one"), 3)
    assert (attempt.boxes, attempt.labels[-1]) == (None, "fail")
    assert ask(at_work("anca", (5, 1), *apart, stop="below-one"), 2) == (box(0, 0, 1), box(2, 0, 1))
    apart = [(x, 0, 1) for x in (1, 3, 5)]
    below_one = at_work("anca", (7, 1), *apart, stop="below-one")
    assert ask(below_one, 4) == tuple(box(x, 0, 1) for x in (0, 2, 4, 6))
    assert ask(at_work("anca", (7, 1), *apart), 4) is None
    assert ask(at_work("anca", (7, 1)), 4) == (box(0, 0, 4, 1),)


@pytest.mark.parametrize(("rounds", "boxes"), [(1, None), (2, tuple(box(x, 0, 1, 2) for x in (0, 2, 4, 6)))])
def test_the_rounds_are_limited(rounds, boxes):
    """000 §2.2.2: after a set number of rounds the job waits, though one more would have done."""
    columns = [(x, 0, 1, 2) for x in (1, 3, 5)]
    assert ask(at_work("anca", (8, 2), *columns, rounds=rounds, stop="below-one"), (4, 2)) == boxes


def test_a_request_longer_than_the_mesh_is_cut_to_fit():
    """Only a request that finds no room on the empty mesh in any round is refused."""
    working = at_work("anca", (4, 4))
    assert working.refusal((6, 2, 1)) is None
    assert working.refusal((17, 1, 1)) is not None
    assert at_work("anca", (4, 4), rounds=0).refusal((6, 2, 1)) is not None
    assert ask(working, (6, 2)) == (box(0, 0, 3, 2), box(0, 2, 3, 2))


@pytest.mark.parametrize("rounds", [-1, 17, 1.5, True])
def test_the_number_of_rounds_has_limits(rounds):
    """From 0, which never cuts, to 16, which cuts a mesh of 256×256 into single processors."""
    with pytest.raises(ValidationError):
        AdaptiveNonContiguousOptions(rounds=rounds)


def test_every_processor_looked_at_is_counted():
    """A look at the number of free processors; each processor of a box, from its right, up to a busy one."""
    working = at_work("anca", (4, 2), (1, 1, 1))
    ask(working, (2, 2))
    assert working.operations == 1 + 2 + 4
