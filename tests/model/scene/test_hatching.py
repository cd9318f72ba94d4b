"""The hatching of jobs as data: directions, distances, and that letters on it lose no contrast."""

import numpy as np
import pytest

from meshgui.model.scene.colours import (
    COLOUR_COUNT,
    PATTERN_COUNT,
    contrast,
    inks_on,
    job_colours,
    job_pattern,
    job_patterns,
    label_colour,
)
from meshgui.model.scene.hatching import (
    PATTERNS,
    STRENGTH,
    families,
    line_colours,
    lines_on,
    pitch_of,
    strokes,
    tiles,
)

SQUARE = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], dtype=float)


def test_every_pattern_has_its_own_lines_the_same_for_one_job_and_for_many():
    """As the shader takes them, too: two families, and nothing for a plain job."""
    assert len(set(PATTERNS)) == len(PATTERNS) == PATTERN_COUNT
    jobs = np.arange(200)
    assert job_patterns(jobs).tolist() == [job_pattern(job) for job in jobs.tolist()]
    for job, lines in zip(jobs.tolist(), families(jobs).reshape(-1, 2, 2).tolist(), strict=True):
        assert {(across, down) for across, down in lines} == set(PATTERNS[job_pattern(job)] or [(0, 0)])


def test_lines_stand_closer_in_a_small_area_and_are_left_out_in_a_smaller_one():
    """By one rule: a bar of five pixels is plain, a swatch is hatched finely."""
    assert [pitch_of(side) for side in (1, 5.9, 6, 10, 15.9, 16, 400)] == [0, 0, 4, 4, 4, 8, 8]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_leave_the_letters_their_contrast_and_are_seen(theme):
    """They go away from the letters: on a line a number is read better than beside it."""
    for job, line in enumerate(line_colours(theme).tolist()):
        ground, ink = job_colours(np.array([job]), theme)[0], label_colour(job, theme)
        assert contrast(tuple(line), ink) > contrast(tuple(ground), ink) >= 4.5
        assert contrast(tuple(line), tuple(ground)) > 1.35
    grounds = np.random.default_rng(1).random((500, 3))  # also the shaded faces of boxes
    drawn = grounds + (lines_on(grounds) - grounds) * STRENGTH
    for ground, line, ink in zip(grounds, drawn, inks_on(grounds), strict=True):
        assert contrast(tuple(line), tuple(ink)) > contrast(tuple(ground), tuple(ink)) >= 4.5
    assert len(line_colours(theme)) == COLOUR_COUNT


def test_lines_end_at_the_sides_of_their_area():
    """One of each family goes through the middle, the others lie a pitch apart."""
    assert strokes(PATTERNS[0], SQUARE, (5, 5), 4).shape == (0, 4)
    lying = strokes(((0, 1),), SQUARE, (5, 5), 4)
    assert sorted(lying[:, 1].tolist()) == [1, 5, 9]
    assert np.array_equal(lying[:, 1], lying[:, 3])
    assert (np.sort(lying[:, [0, 2]], axis=1) == (0, 10)).all()
    rising = strokes(((1, 1),), SQUARE, (5, 5), 4)
    assert sorted(rising[:, :2].sum(axis=1).tolist()) == [2, 6, 10, 14, 18]
    assert rising.min() == 0
    assert rising.max() == 10
    # Beside a triangle's longest side nothing is left
    below = strokes(((1, 0),), SQUARE[[0, 1, 2]], (5, 5), 4)
    assert (below[:, [1, 3]].max(axis=1) == below[:, 0]).all()


@pytest.mark.parametrize(("pitch", "pen"), [(4, 1), (8, 1), (16, 2)])
def test_the_pixels_of_a_pattern_are_those_of_its_lines(pitch, pen):
    """What the timeline repeats is what a painter strokes: rows, columns and slants of one width."""
    found = tiles(pitch, pen)
    assert not found[0].any()
    y, x = np.mgrid[:pitch, :pitch]
    for pattern, lines in enumerate(PATTERNS):
        for across, down in lines:
            assert found[pattern][(across * x + down * y) % pitch == 0].all()
    assert (found[2].mean(axis=1) == [1] * pen + [0] * (pitch - pen)).all()
    assert np.array_equal(found[4], found[2].T)
    assert np.array_equal(found[5], found[1] | found[3])
