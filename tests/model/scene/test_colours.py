"""Colours: the arithmetic, and that all readers can distinguish jobs."""

import numpy as np
import pytest

from meshgui.model.scene.colours import (
    COLOUR_COUNT,
    HUE_COUNT,
    LOOK_COUNT,
    contrast,
    from_hex,
    job_colour,
    job_colours,
    job_pattern,
    label_colour,
    luminance,
    mix,
    oklch,
    to_hex,
)

THEMES = ("light", "dark")

# Machado, Oliveira and Fernandes (2009), severity 1, applied to linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# Least distance in OKLab; about 0.02 is just noticeable side by side.
LEAST = {"normal": 0.07, "protanopia": 0.022, "deuteranopia": 0.022, "tritanopia": 0.022}


def oklab(rgb):
    """OKLab of linear RGB rows, from Ottosson's forward matrices (not the program's inverse ones)."""
    lms = (
        rgb
        @ np.array(
            [
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ]
        ).T
    )
    return (
        np.cbrt(lms)
        @ np.array(
            [
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ]
        ).T
    )


def linear(srgb):
    """Linear RGB of encoded sRGB."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_a_job_differs_from_the_three_after_it(theme, sight):
    """Jobs i and i+1 to i+3 keep a least distance for normal sight and every dichromacy."""
    jobs = job_colours(np.arange(HUE_COUNT + 3), theme).astype(float)
    seen = oklab(np.clip(linear(jobs) @ SIGHT[sight].T, 0, 1))
    nearest = min(
        np.linalg.norm(seen[job] - seen[job + step]) for job in range(HUE_COUNT) for step in (1, 2, 3)
    )
    assert nearest >= LEAST[sight]


def test_jobs_that_look_alike_have_different_patterns():
    """Of any sixteen that follow each other, in any sight and theme, and of any four."""
    nearest = np.full((HUE_COUNT, HUE_COUNT), np.inf)
    for theme in THEMES:
        rgb = linear(job_colours(np.arange(HUE_COUNT), theme).astype(float))
        for sight in SIGHT.values():
            seen = oklab(np.clip(rgb @ sight.T, 0, 1))
            nearest = np.minimum(nearest, np.linalg.norm(seen[:, None] - seen[None], axis=2))
    alike = nearest < 0.022
    assert alike.sum() > 2 * HUE_COUNT
    for job in range(LOOK_COUNT):
        for other in range(job + 1, job + HUE_COUNT):
            if other - job <= 3 or alike[job % HUE_COUNT, other % HUE_COUNT]:
                assert job_pattern(job) != job_pattern(other)
    assert len({(job_colour(job, "light"), job_pattern(job)) for job in range(LOOK_COUNT)}) == LOOK_COUNT
    again = 7 + LOOK_COUNT
    assert (job_colour(7, "dark"), job_pattern(7)) == (job_colour(again, "dark"), job_pattern(again))


@pytest.mark.parametrize("theme", THEMES)
def test_jobs_have_equal_lightness_and_chroma_in_a_round_and_can_be_told_apart_in_two(theme):
    """In a round only the hue tells jobs apart, and no colour had to be clipped to fit the screen."""
    for tints in np.arange(COLOUR_COUNT).reshape(-1, HUE_COUNT):
        lab = oklab(linear(job_colours(tints, theme).astype(float)))
        chroma = np.hypot(lab[:, 1], lab[:, 2])
        assert np.ptp(lab[:, 0]) < 0.003
        assert np.ptp(chroma) < 0.003
    # Those of the second round are darker than those of the first with their hue, which all can see
    for tint in range(HUE_COUNT):
        first, second = job_colour(tint, theme), job_colour(tint + HUE_COUNT, theme)
        assert luminance(second) < luminance(first)
        assert contrast(first, second) > 1.8
    # The label on every job colour reaches a contrast of 4.5 to 1
    assert all(
        contrast(job_colour(job, theme), label_colour(job, theme)) >= 4.5 for job in range(COLOUR_COUNT)
    )
    # The scalar and the array form give the same colours, in single precision
    many = job_colours(np.array([3, 40, 1000]), theme)
    assert many.dtype == np.float32
    assert many.shape == (3, 3)
    np.testing.assert_array_equal(many, np.array([job_colour(j, theme) for j in (3, 40, 1000)], np.float32))


def test_the_arithmetic_of_colours():
    """Contrast has the ends of WCAG's scale."""
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast((0.3, 0.5, 0.2), (0.3, 0.5, 0.2)) == 1
    # White and sRGB red come out of their published OKLCH coordinates
    assert oklch(1, 0, 0) == pytest.approx((1, 1, 1), abs=1e-3)
    assert oklch(0.62796, 0.25768, 29.234) == pytest.approx((1, 0, 0), abs=2e-3)
    # Reading and writing a colour changes nothing, and nonsense is refused
    assert to_hex(from_hex("#0072b2")) == "#0072b2"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    with pytest.raises(ValueError, match="rrggbb"):
        from_hex("#fff")
