"""Zooming keeps the moment under the pointer, and nothing leaves the run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.model.time_window import TimeWindow


@pytest.fixture
def window():
    """A run of a hundred time units, all in sight."""
    window = TimeWindow()
    window.set_end(100.0)
    return window


def test_zoom_keeps_the_moment_in_its_place(window):
    """The moment zoomed about stands at the same share of the width."""
    window.zoom(30.0, 0.5)
    assert (window.low, window.high) == (15.0, 65.0)
    window.zoom(30.0, 0.1)
    assert (30.0 - window.low) / window.span == pytest.approx(0.3)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0.01, 10), st.floats(-300, 300)), max_size=20))
def test_it_never_leaves_the_run(moves):
    """Whatever is zoomed and panned, what is in sight lies within the run."""
    window = TimeWindow()
    window.set_end(100.0)
    for about, factor, by in moves:
        window.zoom(about, factor)
        window.pan(by)
        assert 0 <= window.low < window.high <= 100.0 + 1e-9


def test_a_growing_run_stays_in_sight_unless_zoomed_and_a_moment_out_of_sight_is_revealed(window):
    """What one zoomed to stays where it is; a moment in sight moves nothing."""
    window.set_end(200.0)
    assert window.fits_all
    window.zoom(50.0, 0.1)
    part = window.low, window.high
    window.set_end(300.0)
    assert (window.low, window.high) == part
    window.zoom(50.0, 0.1)
    assert not window.reveal(50.0)
    assert window.reveal(80.0)
    assert window.low < 80.0 < window.low + window.span / 2
    assert window.reveal(10.0)
    assert window.high - window.span / 2 < 10.0 < window.high


@pytest.mark.parametrize("end", [50.0, 1e4, 3e6, 4e9])
def test_with_a_least_span_the_zoom_ends_there(end):
    """Single cycles come in sight in runs of any length, and one zooms no further; a shorter run is whole."""
    window = TimeWindow()
    window.set_end(end, 20.0)
    for _ in range(200):
        window.zoom(end / 3, 0.8)
    assert window.span == pytest.approx(20.0)
    assert window.low < end / 3 < window.high
    window.set_end(12.0, 20.0)
    window.zoom(5.0, 0.5)
    assert window.fits_all
