"""A strategy in kernels as a third party writes it, and variants of it."""

from typing import NamedTuple

import numpy as np

from meshgui.api import (
    FREE,
    OPERATIONS,
    WAITS,
    HeldProcessorsStrategy,
    Line,
    Processors,
    Role,
    Source,
    StrategyKernels,
    kernel,
    new_tally,
    no_jobs,
    note,
    release,
    take,
)
from tests.scenarios import listed

__all__ = ["JOBS", "OF_KERNELS", "LastFit", "find", "give", "of_faulty", "variant"]


class LastFitState(NamedTuple):
    """What the kernels work on."""

    tally: np.ndarray
    processors: Processors


@kernel
def is_free(held, x, y, z, w, d, h):
    """Whether no job holds any of the box."""
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                if held[k, j, i] != FREE:
                    return False
    return True


@kernel
def give(boxes_out, x, y, z, w, d, h):
    """Write a box."""
    boxes_out[0, 0], boxes_out[0, 1], boxes_out[0, 2] = x, y, z
    boxes_out[0, 3], boxes_out[0, 4], boxes_out[0, 5] = w, d, h


@kernel
def find(state, request, boxes_out, log):
    """The free box that comes last in scan order."""
    height, depth, width = state.processors.held.shape
    w, d, h = request.w, request.d, request.h
    for z in range(height - h, -1, -1):
        for y in range(depth - d, -1, -1):
            for x in range(width - w, -1, -1):
                state.tally[OPERATIONS] += 1
                if log is not None:
                    note(log, 0, Role.TRIED, x, y, z, w, d, h, 0, 0, 0)
                if is_free(state.processors.held, x, y, z, w, d, h):
                    if log is not None:
                        note(log, 1, Role.PLACED, x, y, z, w, d, h, 0, 0, 0)
                    give(boxes_out, x, y, z, w, d, h)
                    return 1
    return WAITS


class LastFit(HeldProcessorsStrategy):
    """The last free box in scan order."""

    id = "last"
    title = "Last Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("our course", "lecture 3")
    lines = (
        Line("try", "for each box, from the far corner back:", says="Is {box} free?"),
        Line("found", "if it is free: allocate it", 1, decision=True, says="{box} is free."),
    )
    kernels = StrategyKernels(release, search=find, take=take)

    def empty_state(self):
        return LastFitState(new_tally(), no_jobs(self.mesh))


OF_KERNELS = LastFit.kernels


def variant(search=find, **members):
    """A variant with another search, or other members."""
    kernels = members.pop("kernels", OF_KERNELS._replace(search=search))
    return type("Faulty", (LastFit,), {"id": "faulty", "__module__": __name__, "kernels": kernels, **members})


JOBS = [(0, (2, 1), 5), (1, (1, 1), 1), (2, (3, 1), 1)]


def of_faulty(jobs=JOBS):
    """A scenario of the variant that is installed."""
    return listed((4, 1), jobs, "faulty")
