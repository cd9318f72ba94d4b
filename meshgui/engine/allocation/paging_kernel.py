"""The kernels of Paging: which pages of the free page list a job gets."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import write_box
from meshgui.engine.basics.kernel import kernel


class PagingState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    owner: Ints32  # who holds each page, in page order
    free: Ints  # the free page list
    length: Ints  # one number: how many pages are free
    places: Ints  # the base of each page
    numbers: Ints  # [layer, row, column] of the pages: their numbers
    side: int
    height: int  # 1 in 2D, where pages are squares
    selection: int


# The ways to choose pages, by the number the kernel knows them by.
Selection = Literal["take-first", "first-fit", "best-fit", "minimum-interference"]
SELECTIONS: Final[tuple[str, ...]] = get_args(Selection)
TAKE_FIRST, FIRST_FIT, BEST_FIT, MINIMUM_INTERFERENCE = range(len(SELECTIONS))

CODE = PseudoCode()
PAGES = CODE.line("pages", "divide the processors asked for by those of a page, rounding up")
CODE.says("{asked} {make} {pages_asked}{lost}.")
ENOUGH = CODE.decision("enough", "if fewer pages are free: fail")
CODE.says("{few} free, and the job needs {k}, so it waits.")
TAKE = CODE.line("take", "take-first: take pages from the head of the free page list")
CODE.says("Page {n} is the first left in the list: {k} of {i}.")
RUN = CODE.line("run", "first-fit, best-fit: for each run of successive free pages:")
CODE.says("{run}.")
SKIP = CODE.decision("skip", "if it is of no use: go to the next run", 1)
CODE.says("{why}.")
FIT = CODE.decision("fit", "first-fit: if it is long enough, stop here", 1)
CODE.says("That is enough for {n}: this run is taken.")
BEST = CODE.decision("best", "best-fit: if no shorter run so far is long enough, remember it", 1)
CODE.says("It holds {n}, and no shorter run so far is long enough: it is remembered.")
SET = CODE.line(
    "set",
    "minimum-interference, or no run was long enough: for each set of that many neighbours in the list:",
)
CODE.says("The set from page {n} to page {k} has {between} between its first and its last.")
CLOSER = CODE.decision(
    "closer", "if its first and last page are closer than in any set before, remember it", 1
)
CODE.says("None before was as close together: it is remembered.")
FOUND = CODE.decision("found", "allocate the pages chosen")
CODE.says("The job gets {chosen}.")
RELEASE = PseudoCode()
ENTER = RELEASE.line(
    "enter", "for each page that the job holds: enter it into the free page list at its place"
)
RELEASE.says("Page {n} is free; in the list it {place}.")
ENTERED = RELEASE.decision("entered", "the free page list is in order again")
RELEASE.says("The list has {listed} now.")


@kernel
def _note_page(
    log: Log, line: int, role: int, state: PagingState, page: int, value: int, second: int, third: int
) -> None:
    """Log a page with three numbers."""
    if log is not None:
        side, height = state.side, state.height
        x, y, z = state.places[page, 0], state.places[page, 1], state.places[page, 2]
        note(log, line, role, x, y, z, side, side, height, value, second, third)


@kernel
def _note_pages(
    log: Log, line: int, role: int, state: PagingState, pages: Ints, value: int, second: int, third: int
) -> None:
    """Log a step that looks at several pages."""
    if log is not None:
        for i in range(pages.size):
            _note_page(log, SAME_STEP if i else line, role, state, pages[i], value, second, third)


@kernel
def _in_succession(state: PagingState, free: Ints, asked: int, log: Log) -> tuple[int, int]:
    """Where the first, or the shortest, run of successive pages begins that is long enough, or -1; examined.

    First fit reads a run no further than it needs.
    """
    chosen, least, begin, how = -1, 0, 0, state.selection
    while begin < free.size:
        end = begin + 1
        while end < free.size and free[end] == free[end - 1] + 1 and (how == BEST_FIT or end - begin < asked):
            end += 1
        length = end - begin
        useful = length >= asked and (chosen < 0 or length < least)
        if log is not None:
            _note_pages(log, RUN, Role.TRIED, state, free[begin:end], free[begin], length, asked)
            if useful:
                line, taken = FIT if how == FIRST_FIT else BEST, free[begin : begin + asked]
                _note_pages(log, line, Role.CANDIDATE, state, taken, asked, length, 0)
            else:
                _note_skip(log, state, free[end - 1] + 1, length, asked, least)
        if useful:
            chosen, least = begin, length
            if how == FIRST_FIT:
                return chosen, end
        begin = end
    return chosen, free.size


@kernel
def _note_skip(log: Log, state: PagingState, after: int, length: int, asked: int, least: int) -> None:
    """Log a run that is no use: too short because of the busy page after it, or longer than another."""
    if length < asked and after < state.places.shape[0]:
        _note_page(log, SKIP, Role.BLOCKED, state, after, length, asked, least)
    else:
        note_numbers(log, SKIP, length, asked, least)


@kernel
def _closest(state: PagingState, free: Ints, asked: int, log: Log) -> tuple[int, int]:
    """Where the set begins whose first and last page are closest in the order; sets examined."""
    chosen, least = 0, state.places.shape[0]
    sets = free.size - asked + 1
    for begin in range(sets):
        first, last = free[begin], free[begin + asked - 1]
        if log is not None:
            _note_page(log, SET, Role.TRIED, state, first, first, last, asked)
            if asked > 1:
                _note_page(log, SAME_STEP, Role.TRIED, state, last, first, last, asked)
        if last - first < least:
            chosen, least = begin, last - first
            if log is not None:
                taken = free[begin : begin + asked]
                _note_pages(log, CLOSER, Role.CANDIDATE, state, taken, first, last, asked)
    return chosen, sets


@kernel
def _choose(state: PagingState, free: Ints, asked: int, log: Log) -> tuple[int, int]:
    """Where in the free page list the job's pages begin; how many pages or sets of them were examined."""
    begin, examined = -1, 0
    if state.selection == TAKE_FIRST:
        begin, examined = 0, asked
        if log is not None:
            for i in range(asked):
                _note_page(log, TAKE, Role.CANDIDATE, state, free[i], free[i], i + 1, asked)
    elif state.selection != MINIMUM_INTERFERENCE:
        begin, examined = _in_succession(state, free, asked, log)
    if begin < 0:
        begin, sets = _closest(state, free, asked, log)
        examined += sets
    if log is not None:
        _note_pages(log, FOUND, Role.PLACED, state, free[begin : begin + asked], asked, 0, 0)
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
def allocate(state: PagingState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Choose pages; an operation is a page, or a set of pages, that is looked at."""
    free, length, side, height = state.free, int(state.length[0]), state.side, state.height
    processors, each = request.w * request.d * request.h, side * side * height
    pages = -(-processors // each)
    note_numbers(log, PAGES, pages, processors, pages * each)
    if pages > length:
        state.tally[OPERATIONS] += 1
        note_numbers(log, ENOUGH, length, pages)
        return WAITS
    begin, examined = _choose(state, free[:length], pages, log)
    state.tally[OPERATIONS] += examined
    for n in range(pages):
        page = free[begin + n]
        state.owner[page] = request.job
        x, y, z = state.places[page, 0], state.places[page, 1], state.places[page, 2]
        write_box(boxes_out, n, x, y, z, side, side, height)
    for n in range(begin, length - pages):
        free[n] = free[n + pages]
    state.length[0] -= pages
    return pages


@kernel
def take(state: PagingState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    for n in range(count):
        x, y, z = boxes[n, 0] // state.side, boxes[n, 1] // state.side, boxes[n, 2] // state.height
        state.owner[state.numbers[z, y, x]] = job
    list_free(state)


@kernel
def release(state: PagingState, job: int, log: Log) -> None:
    """Merge the pages into the list, which may pass every page (001 §3.2)."""
    owner, before = state.owner, -1
    for page in range(owner.size):
        if owner[page] == job:
            owner[page] = FREE
            if log is not None:
                after = page + 1
                while after < owner.size and owner[after] != FREE:
                    after += 1
                _note_page(log, ENTER, Role.CANDIDATE, state, page, page, before, after)
        if owner[page] == FREE:
            before = page
    list_free(state)
    state.tally[OPERATIONS] += owner.size
    note_numbers(log, ENTERED, state.length[0])
