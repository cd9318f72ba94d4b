"""Labels of charts are moved apart, wrapped, slanted or cut, and never touch."""

import itertools
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.model.charts.clipping import clipped_area, clipped_line
from meshgui.model.charts.label_places import category_rows, elided, flow, spread, wrapped

WANTED = st.lists(st.floats(-50, 450), min_size=1, max_size=25)


def measure(text):
    """Seven pixels a letter."""
    return 7.0 * len(text)


@given(WANTED)
def test_spread_names_do_not_touch_and_keep_their_order(wanted):
    """Names stand at least a line apart, inside, and none overtakes another."""
    places = spread(wanted, 15, 0, 400)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    steps = [places[b] - places[a] for a, b in itertools.pairwise(order)]
    assert all(step >= 15 - 1e-6 for step in steps)
    assert min(places) >= -1e-6
    assert max(places) <= 400 + 1e-6


@given(WANTED)
def test_spread_moves_nothing_that_has_room(wanted):
    """Where all names have room at the ends of their lines they stand there."""
    apart = [20 * k + place / 100 for k, place in enumerate(sorted(wanted))]
    assert spread(apart, 15, -10, 1000) == pytest.approx(apart)


def test_names_share_the_room_evenly_and_none_is_left_out():
    """Neither of two names at one place is preferred; too many stand closer."""
    assert spread([100, 100], 16, 0, 400) == pytest.approx([92, 108])
    assert spread([5] * 5, 15, 0, 40) == pytest.approx([0, 10, 20, 30, 40])
    # Twenty-five names of categories in 500 pixels stand steep, and all of them are there
    rows = category_rows(["a long strategy"] * 25, 20, 15, 130, measure)
    assert rows.slant > 35
    assert all(rows.lines)


@pytest.mark.parametrize(
    ("widths", "gap", "places"),
    [
        ([50, 40, 30, 200, 10], 8, [(0, 0), (0, 58), (1, 0), (2, 0), (3, 0)]),
        ([40, 30, 40, 35], 10, [(0, 0), (0, 50), (1, 0), (1, 50)]),
        ([40, 30], 10, [(0, 0), (0, 50)]),
    ],
    ids=["a wide one", "columns", "one row"],
)
def test_rows_flow_without_touching(widths, gap, places):
    """A name wider than the room has a row of its own; rows are columns where that costs no row."""
    assert flow(widths, 100, gap) == places


@pytest.mark.parametrize(
    ("text", "letters", "lines"),
    [
        ("best-fit with backfilling", 13, ["best-fit with", "backfilling"]),
        ("PALD-BF", 5, ["PALD-", "BF"]),
        ("unbreakable", 4, ["unbreakable"]),
    ],
)
def test_text_is_broken_after_words_and_signs(text, letters, lines):
    """Nothing of it is lost; where it may be cut instead, it ends with an ellipsis and fits."""
    assert wrapped(text, letters * 7, measure) == lines
    assert elided("a long name", 6 * 7, measure) == "a lon…"
    assert elided("short", 100, measure) == "short"


@pytest.mark.parametrize("count", [1, 3, 8, 25, 60])
@pytest.mark.parametrize("length", [2, 12, 40, 200])
def test_names_of_categories_never_overlap(count, length):
    """However many and long, neighbouring names keep clear of one another along the axis."""
    line, slot = 15.0, 900 / count
    names = [f"{'w' * (length - 2)}{i:02d}" for i in range(count)]
    rows = category_rows(names, slot, line, 130, measure)
    if rows.slant == 0:
        assert all(measure(part) < slot for parts in rows.lines for part in parts)
        assert rows.height == line * max(map(len, rows.lines))
        return
    shown = [i for i, parts in enumerate(rows.lines) if parts]
    across = min((b - a for a, b in itertools.pairwise(shown)), default=count) * slot
    assert across * math.sin(math.radians(rows.slant)) >= line - 1e-6
    assert all(measure(part) <= 130 for parts in rows.lines for part in parts)


RECT = (0.0, 0.0, 10.0, 10.0)
POINTS = st.lists(st.tuples(st.integers(-20, 30), st.integers(-20, 30)), min_size=3, max_size=12)


def shoelace(corners):
    """The area of a polygon."""
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def test_a_line_that_leaves_and_comes_back_is_two():
    """The part outside is left out, and the ends lie on the edge."""
    parts = clipped_line(np.array([[2.0, 5.0], [14.0, 5.0], [14.0, 8.0], [4.0, 8.0]]), RECT)
    assert [part.tolist() for part in parts] == [[[2, 5], [10, 5]], [[10, 8], [4, 8]]]


@given(POINTS)
def test_a_cut_line_is_inside_and_as_long_as_its_samples_say(points):
    """Nothing lies outside, and its length is that of the samples of the whole line found inside."""
    given_line = np.array(points, dtype=float)
    parts = clipped_line(given_line, RECT)
    for part in parts:
        assert part.min() >= -1e-9
        assert part.max() <= 10 + 1e-9
    length = sum(np.hypot(*np.diff(part, axis=0).T).sum() for part in parts)
    shares = (np.arange(2000) + 0.5) / 2000
    expected = 0.0
    for a, b in pairwise(given_line):
        at = a + shares[:, None] * (b - a)
        inside = ((at >= 0) & (at <= 10)).all(axis=1)
        expected += inside.mean() * np.hypot(*(b - a))
    assert length == pytest.approx(expected, abs=0.06 * len(points))


@pytest.mark.parametrize(
    ("corners", "area"),
    [
        ([[2, 2], [8, 2], [8, 8], [2, 8]], 36),
        ([[-5, -5], [15, -5], [15, 15], [-5, 15]], 100),
        ([[-5, 5], [5, 5], [5, 20], [-5, 20]], 25),
        ([[12, 2], [18, 2], [18, 8]], 0),
        ([[0, 0], [20, 0], [0, 20]], 100),
        ([[5, -5], [15, 5], [5, 15], [-5, 5]], 100),
        ([[0, 0], [20, 20], [0, 20]], 50),
    ],
)
def test_a_cut_area_is_the_part_inside(corners, area):
    """The area that is left is the one the rectangle and the polygon share."""
    left = clipped_area(np.array(corners, dtype=float), RECT)
    assert (shoelace(left) if len(left) else 0) == pytest.approx(area)
