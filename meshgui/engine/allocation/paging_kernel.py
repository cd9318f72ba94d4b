"""The kernels of Paging: which pages of the free page list a job gets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.kernel import kernel

__all__ = [
    "ENOUGH",
    "ENTER",
    "FOUND",
    "PAGES",
    "RUN",
    "SELECTIONS",
    "SET",
    "SKIP",
    "TAKE",
    "PagingState",
    "allocate",
    "list_free",
    "release",
    "take",
]


class PagingState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    owner: NDArray[np.int32]  # who holds each page, in page order
    free: NDArray[np.int64]  # the free page list
    length: NDArray[np.int64]  # one number: how many pages are free
    places: NDArray[np.int64]  # the base of each page
    numbers: NDArray[np.int64]  # [row, column] of the pages: their numbers
    side: int
    selection: int


# The ways to choose pages, by the number the kernel knows them by.
TAKE_FIRST, FIRST_FIT, BEST_FIT, MINIMUM_INTERFERENCE = range(4)
SELECTIONS = ("take-first", "first-fit", "best-fit", "minimum-interference")

# The lines of the pseudo-code, by their place in `LINES`.
PAGES, ENOUGH, TAKE, RUN, SKIP, FIT, BEST, SET, CLOSER, FOUND = range(10)
# And of a release.
ENTER, ENTERED = range(2)


@kernel
def _note_pages(
    log: NDArray[np.int32],
    line: int,
    role: int,
    numbers: NDArray[np.int64],
    places: NDArray[np.int64],
    side: int,
    value: int,
    second: int,
    third: int,
) -> None:
    """Log a step that looks at several pages."""
    for i in range(numbers.size):
        x, y = places[numbers[i], 0], places[numbers[i], 1]
        note(log, line if i == 0 else SAME_STEP, role, x, y, 0, side, side, 1, value, second, third)


@kernel
def _in_succession(
    free: NDArray[np.int64],
    places: NDArray[np.int64],
    side: int,
    asked: int,
    how: int,
    log: NDArray[np.int32] | None,
) -> tuple[int, int]:
    """Where the first, or the shortest, run of successive pages begins that is long enough, or -1; examined.

    First fit reads a run no further than it needs.
    """
    chosen, least, begin = -1, 0, 0
    while begin < free.size:
        end = begin + 1
        while end < free.size and free[end] == free[end - 1] + 1 and (how == BEST_FIT or end - begin < asked):
            end += 1
        length = end - begin
        useful = length >= asked and (chosen < 0 or length < least)
        if log is not None:
            _note_pages(log, RUN, Role.TRIED, free[begin:end], places, side, free[begin], length, asked)
            if useful:
                line = FIT if how == FIRST_FIT else BEST
                taken = free[begin : begin + asked]
                _note_pages(log, line, Role.CANDIDATE, taken, places, side, asked, length, 0)
            else:
                _note_skip(log, free[end - 1] + 1, places, side, length, asked, least)
        if useful:
            chosen, least = begin, length
            if how == FIRST_FIT:
                return chosen, end
        begin = end
    return chosen, free.size


@kernel
def _note_skip(
    log: NDArray[np.int32],
    after: int,
    places: NDArray[np.int64],
    side: int,
    length: int,
    asked: int,
    least: int,
) -> None:
    """Log a run that is no use: too short because of the busy page after it, or longer than another."""
    if length < asked and after < places.shape[0]:
        x, y = places[after, 0], places[after, 1]
        note(log, SKIP, Role.BLOCKED, x, y, 0, side, side, 1, length, asked, least)
    else:
        note(log, SKIP, Role.NOTHING, 0, 0, 0, 0, 0, 0, length, asked, least)


@kernel
def _closest(
    free: NDArray[np.int64],
    places: NDArray[np.int64],
    side: int,
    asked: int,
    log: NDArray[np.int32] | None,
) -> tuple[int, int]:
    """Where the set begins whose first and last page are closest in the order; sets examined."""
    chosen, least = 0, places.shape[0]
    sets = free.size - asked + 1
    for begin in range(sets):
        first, last = free[begin], free[begin + asked - 1]
        if log is not None:
            x, y = places[first, 0], places[first, 1]
            note(log, SET, Role.TRIED, x, y, 0, side, side, 1, first, last, asked)
            if asked > 1:
                x, y = places[last, 0], places[last, 1]
                note(log, SAME_STEP, Role.TRIED, x, y, 0, side, side, 1, first, last, asked)
        if last - first < least:
            chosen, least = begin, last - first
            if log is not None:
                taken = free[begin : begin + asked]
                _note_pages(log, CLOSER, Role.CANDIDATE, taken, places, side, first, last, asked)
    return chosen, sets


@kernel
def _choose(
    free: NDArray[np.int64],
    places: NDArray[np.int64],
    side: int,
    asked: int,
    how: int,
    log: NDArray[np.int32] | None,
) -> tuple[int, int]:
    """Where in the free page list the job's pages begin; how many pages or sets of them were examined."""
    begin, examined = -1, 0
    if how == TAKE_FIRST:
        begin, examined = 0, asked
        if log is not None:
            for i in range(asked):
                x, y = places[free[i], 0], places[free[i], 1]
                note(log, TAKE, Role.CANDIDATE, x, y, 0, side, side, 1, free[i], i + 1, asked)
    elif how != MINIMUM_INTERFERENCE:
        begin, examined = _in_succession(free, places, side, asked, how, log)
    if begin < 0:
        begin, sets = _closest(free, places, side, asked, log)
        examined += sets
    if log is not None:
        chosen = free[begin : begin + asked]
        _note_pages(log, FOUND, Role.PLACED, chosen, places, side, asked, 0, 0)
    return begin, examined


@kernel
def list_free(state: PagingState) -> None:
    """Make the free page list from what is held."""
    length = 0
    for page in range(state.owner.size):
        state.free[length] = page
        length += state.owner[page] == FREE
    state.length[0] = length


@kernel
def allocate(
    state: PagingState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None
) -> int:
    """Choose pages; an operation is a page, or a set of pages, that is looked at."""
    free, length, side = state.free, int(state.length[0]), state.side
    processors = asked.w * asked.d * asked.h
    pages = -(-processors // (side * side))
    if log is not None:
        granted = pages * side * side
        note(log, PAGES, Role.NOTHING, 0, 0, 0, 0, 0, 0, pages, processors, granted)
    if pages > length:
        state.tally[OPERATIONS] += 1
        if log is not None:
            note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, length, pages, 0)
        return WAITS
    begin, examined = _choose(free[:length], state.places, side, pages, state.selection, log)
    state.tally[OPERATIONS] += examined
    for n in range(pages):
        page, box = free[begin + n], given[n]
        state.owner[page] = asked.job
        box[0], box[1], box[2] = state.places[page, 0], state.places[page, 1], 0
        box[3], box[4], box[5] = side, side, 1
    for n in range(begin, length - pages):
        free[n] = free[n + pages]
    state.length[0] -= pages
    return pages


@kernel
def take(state: PagingState, job: int, given: NDArray[np.int32], count: int) -> None:
    """Mark the boxes as held by the job."""
    for n in range(count):
        state.owner[state.numbers[given[n, 1] // state.side, given[n, 0] // state.side]] = job
    list_free(state)


@kernel
def release(state: PagingState, job: int, log: NDArray[np.int32] | None) -> None:
    """Merge the pages into the list, which may pass every page (001 §3.2)."""
    owner, before = state.owner, -1
    for page in range(owner.size):
        if owner[page] == job:
            owner[page] = FREE
            if log is not None:
                after = page + 1
                while after < owner.size and owner[after] != FREE:
                    after += 1
                x, y = state.places[page, 0], state.places[page, 1]
                note(log, ENTER, Role.CANDIDATE, x, y, 0, state.side, state.side, 1, page, before, after)
        if owner[page] == FREE:
            before = page
    list_free(state)
    state.tally[OPERATIONS] += owner.size
    if log is not None:
        note(log, ENTERED, Role.NOTHING, 0, 0, 0, 0, 0, 0, state.length[0], 0, 0)
