"""How far a job's boxes lie apart: dispersal and pairwise distance against counting by hand."""

from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box
from meshgui.engine.runs.spread import dispersals, mean_pairwise_distances

SIDES = st.integers(1, 3)


def rows_of(jobs: list[tuple[Box, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """The boxes of jobs as the engine has them: rows, and how many each job has."""
    rows = np.array([box for boxes in jobs for box in boxes], dtype=np.int64).reshape(-1, 6)
    return rows, np.array([len(boxes) for boxes in jobs], dtype=np.int64)


def dispersal(boxes: tuple[Box, ...]) -> float:
    """The dispersal of one job."""
    return float(dispersals(*rows_of([boxes]))[0])


def mean_pairwise_distance(boxes: tuple[Box, ...]) -> float:
    """The mean pairwise distance of one job."""
    return float(mean_pairwise_distances(*rows_of([boxes]))[0])


@st.composite
def separate_boxes(draw: st.DrawFn) -> tuple[Box, ...]:
    """One to four boxes that do not overlap: each in a 4×4×4 cell of its own."""
    cells = draw(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=4, unique=True))
    return tuple(Box(4 * x, 4 * y, 4 * z, draw(SIDES), draw(SIDES), draw(SIDES)) for x, y, z in cells)


def nodes(boxes: tuple[Box, ...]) -> list[tuple[int, ...]]:
    """Every processor of the boxes."""
    return [
        node
        for box in boxes
        for node in product(*(range(b, b + n) for b, n in zip(box.base, box.size, strict=True)))
    ]


@given(separate_boxes())
def test_dispersal_is_the_share_of_the_enclosing_box_not_held(boxes: tuple[Box, ...]):
    """Counted node by node in the smallest enclosing box (001 §3.4.1)."""
    held = nodes(boxes)
    enclosing = list(product(*(range(min(axis), max(axis) + 1) for axis in zip(*held, strict=True))))
    assert dispersal(boxes) == pytest.approx(len(set(enclosing) - set(held)) / len(enclosing))


@given(separate_boxes())
def test_pairwise_distance_is_the_mean_over_all_pairs(boxes: tuple[Box, ...]):
    """Every pair's hops, one by one."""
    pairs = list(combinations(nodes(boxes), 2))
    hops = [sum(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs]
    assert mean_pairwise_distance(boxes) == pytest.approx(sum(hops) / len(hops) if hops else 0.0)


@pytest.mark.parametrize("at_once", [1, 1 << 20])
@given(st.lists(separate_boxes(), max_size=6))
def test_all_jobs_at_once_are_each_as_alone(at_once: int, jobs: list[tuple[Box, ...]]):
    """Whatever stands before and after it, and however few are taken at a time, its figures are its own."""
    rows, counts = rows_of(jobs)
    with patch("meshgui.engine.runs.spread._CELLS_AT_ONCE", at_once):
        assert dispersals(rows, counts).tolist() == [dispersal(boxes) for boxes in jobs]
        assert mean_pairwise_distances(rows, counts).tolist() == [
            mean_pairwise_distance(boxes) for boxes in jobs
        ]
