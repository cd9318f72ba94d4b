"""Reads the pattern of a job's hatching off the pixels of a picture."""

from itertools import product

import numpy as np

from meshgui.model.scene.colours import job_pattern
from meshgui.model.scene.hatching import PATTERNS

__all__ = ["JOBS", "SIDE", "assert_hatched"]

JOBS = range(9)  # with every pattern among them
SIDE = 26  # pixels of what is looked at of a box, beside its number


def pattern_in(part):
    """The pattern whose lines are where a picture has not its most frequent colour, and how well they fit."""
    shades, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
    apart = np.abs(part - shades[counts.argmax()]).max(axis=2)
    if apart.max() < 12:
        return 0, 1.0
    seen = apart > 0.6 * apart.max()
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    fits = {}
    for pattern, lines in enumerate(PATTERNS[1:], 1):
        for pitch in (4, 8):
            for phase in product(range(pitch), repeat=len(lines)):
                places = zip(lines, phase, strict=True)
                drawn = np.logical_or.reduce([(a * x + d * y - at) % pitch == 0 for (a, d), at in places])
                fit = (seen & drawn).sum() / (seen | drawn).sum()
                fits[pattern] = max(fits.get(pattern, 0.0), fit)
    best = max(fits, key=fits.get)
    return best, fits[best]


def assert_hatched(job, part, least=0.9):
    """That a part of a picture has the pattern of a job."""
    pattern, fit = pattern_in(part)
    assert pattern == job_pattern(job), job
    assert fit >= least, (job, fit)
