"""The kernels of Tree Allocation: searching the tree, cutting a leaf to measure, and joining free leaves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.kernel_strategy import OPERATIONS, RESERVED, WAITS, KernelRequest
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_numbers
from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.geometry import write_box
from meshgui.engine.basics.kernel import kernel

NodeRows = Ints32
TimeRows = Floats

# The columns of a node. Its right child stands just behind its left one; an unused row has NONE throughout.
X, Y, W, D, PARENT, CHILD, JOB, PROMISED = range(8)
NONE = -1
# The columns of its times. RTIME is when it comes free; PLANNED when the job it is reserved for will leave.
RTIME, PLANNED = 0, 1
# The lengths of a state: the rows up to the last used one, and the reserved nodes.
USED, QUEUED = 0, 1

# The node that a search wants: the first free one, the smallest free one, or the one that is free soonest.
FIRST, BEST, SOONEST_FREE = range(3)

CODE = PseudoCode()
DUE = CODE.decision("due", "if a node reserved for the job is free again: continue by cutting it")
CODE.says("{box} was reserved for this job and is free again.")
CODE.line("node", "for each node of the tree, level by level from the root:")
TAKEN = CODE.line("taken", "if it is divided, held or reserved: skip it", 1)
CODE.says("{box} {taken}.")
SMALL = CODE.line("small", "if the job fits into it neither way round: skip it", 1)
CODE.says("{box} is free, but too small.")
LATE = CODE.line(
    "late", "if it lies below a reserved node, and the job would not end before that is free: skip it", 1
)
CODE.says("{box} is free, but {other} is promised to {job} at {limit}; this job would run until {end}.")
LARGER = CODE.line("larger", "if the kept one is no larger: skip it", 1)
CODE.says("{box} would do, but {other} is no larger.")
KEEP = CODE.line("keep", "else: keep it; of a breadth-first search the first is enough", 1)
CODE.says("{box} is free and large enough: {kept}.")
CUT = CODE.decision(
    "cut",
    "while the kept node is larger than the job: cut off what is over, the larger part first",
    event="split",
)
CODE.says("{whole} is cut {across}{why}: {box} is kept, {other} stays free.")
FOUND = CODE.decision("found", "if a node is kept: allocate it, and raise the ready times above it")
CODE.says("{box} has just the size: the job gets it until {end}.")
CODE.line("earliest", "else, with EAFR, for each node, level by level from the root:")
TABOO = CODE.line("taboo", "if it is reserved: skip it and all below it", 1)
CODE.says("{box} is reserved for {job}.")
NARROW = CODE.line("narrow", "if the job fits into it neither way round: skip it", 1)
CODE.says("{box} is too small.")
LATER = CODE.line("later", "if the kept one is free no later: skip it", 1)
CODE.says("{box} is free at {ready}, {other} no later.")
SOONEST = CODE.line("sooner", "else: keep it", 1)
CODE.says("{box} is free at {ready}, the soonest so far.")
RESERVE = CODE.decision(
    "reserve", "if a node is kept: reserve it for the job, and raise the ready times above it"
)
CODE.says("{box} is reserved: the job leaves the queue and starts there when it is free, at {ready}.")
FAIL = CODE.decision("fail", "no node is kept: fail")
CODE.says("No node can serve it, so the job waits.")
RELEASE = PseudoCode()
FREE = RELEASE.decision("free", "find the job's node, and free it")
RELEASE.says("{box} is free again.")
SIBLING = RELEASE.line("sibling", "while its sibling is free, too, and neither is reserved:")
RELEASE.says("Its sibling {box} {sibling}.")
APART = RELEASE.line("apart", "a reserved node, and the root, stay as they are", 1)
RELEASE.says("{apart}.")
MERGE = RELEASE.decision(
    "merge", "join the two: the node above them is a free leaf, and the next to look at", 1
)
RELEASE.says("They are joined: {box} is one free node.")
READY = RELEASE.line(
    "ready", "for each node above, as long as that changes: its ready time is the latest of those below it"
)
RELEASE.says("{box} {ready}.")
FOLDED = RELEASE.decision("folded", "the tree is folded as far as possible")
RELEASE.says("The tree has {nodes}.")


class TreeState(NamedTuple):
    """The state of the kernels, with room for a tree whose leaves are single processors."""

    tally: Ints
    nodes: NodeRows
    times: TimeRows
    queue: Ints32  # the reserved nodes, the oldest reservation first
    lengths: Ints
    best: int  # BEST or FIRST
    eafr: int  # 1 where jobs that find none reserve one


@kernel
def _note_node(
    log: Log, line: int, role: int, nodes: NodeRows, q: int, second: int = 0, third: int = 0
) -> None:
    """Log a node's box, with the node's number as the first value."""
    note(log, line, role, nodes[q, X], nodes[q, Y], 0, nodes[q, W], nodes[q, D], 1, q, second, third)


@kernel
def _fits(nodes: NodeRows, q: int, w: int, d: int) -> bool:
    """Whether a job fits into a node, as asked or turned."""
    wide, deep = nodes[q, W], nodes[q, D]
    return bool((w <= wide and d <= deep) or (d <= wide and w <= deep))


@kernel
def _is_free(nodes: NodeRows, q: int) -> bool:
    """Whether a node is neither divided nor held; it may be reserved."""
    return bool(nodes[q, CHILD] == NONE and nodes[q, JOB] == NONE)


@kernel
def _verdict(
    nodes: NodeRows, times: TimeRows, q: int, over: int, kept: int, w: int, d: int, end: float
) -> int:
    """The line that settles what becomes of a node; `over` is the nearest reserved node above it."""
    if not _is_free(nodes, q) or nodes[q, PROMISED] != NONE:
        return TAKEN
    if not _fits(nodes, q, w, d):
        return SMALL
    if over != NONE and end >= times[over, RTIME]:
        return LATE
    if kept != NONE and nodes[q, W] * nodes[q, D] >= nodes[kept, W] * nodes[kept, D]:
        return LARGER
    return KEEP


@kernel
def _note_verdict(log: Log, nodes: NodeRows, q: int, verdict: int, over: int, kept: int) -> None:
    """Log a node looked at, and what it lost to."""
    role = Role.TRIED
    if verdict == TABOO or (verdict == TAKEN and nodes[q, JOB] != NONE):
        role = Role.BLOCKED
    elif verdict in (KEEP, SOONEST):
        role = Role.CANDIDATE
    _note_node(log, verdict, role, nodes, q, nodes[q, PROMISED])
    if verdict == LATE:
        _note_node(log, SAME_STEP, Role.BLOCKED, nodes, over, nodes[over, PROMISED])
    elif verdict in (LARGER, LATER):
        _note_node(log, SAME_STEP, Role.CANDIDATE, nodes, kept)


@kernel
def _when_free(nodes: NodeRows, times: TimeRows, q: int, kept: int, w: int, d: int) -> int:
    """The line that settles whether a node is the one to reserve."""
    if nodes[q, PROMISED] != NONE:
        return TABOO
    if not _fits(nodes, q, w, d):
        return NARROW
    return LATER if kept != NONE and times[q, RTIME] >= times[kept, RTIME] else SOONEST


@kernel
def _search(
    nodes: NodeRows, times: TimeRows, w: int, d: int, end: float, wanted: int, log: Log
) -> tuple[int, int]:
    """The node that is wanted, level by level from the root: (its number or NONE, nodes examined)."""
    order, above = np.empty(nodes.shape[0], dtype=np.int32), np.empty(nodes.shape[0], dtype=np.int32)
    order[0], above[0] = 0, NONE
    count, at, kept = 1, 0, NONE
    while at < count:
        q, over = order[at], above[at]
        at += 1
        if wanted == SOONEST_FREE:
            verdict = _when_free(nodes, times, q, kept, w, d)
        else:
            verdict = _verdict(nodes, times, q, over, kept, w, d, end)
        child = nodes[q, CHILD]
        if child != NONE and verdict != TABOO:
            reserved = q if nodes[q, PROMISED] != NONE else over
            for side in range(2):
                order[count], above[count] = child + side, reserved
                count += 1
        if log is not None:
            _note_verdict(log, nodes, q, verdict, over, kept)
        if verdict in (KEEP, SOONEST):
            kept = q
            if wanted == FIRST:
                break
    return kept, at


@kernel
def _look(state: TreeState, request: KernelRequest, log: Log) -> tuple[int, bool, int]:
    """A node for a job: (number or NONE, only reserved?, examined)."""
    nodes, times = state.nodes[: state.lengths[USED]], state.times
    kept, examined = _search(
        nodes, times, request.w, request.d, request.now + request.service, state.best, log
    )
    if kept != NONE:
        return kept, False, examined
    if state.eafr:
        kept, more = _search(nodes, times, request.w, request.d, 0.0, SOONEST_FREE, log)
        examined += more
    if kept != NONE:
        _note_node(log, RESERVE, Role.CANDIDATE, nodes, kept)
    else:
        note_numbers(log, FAIL, NONE)
    return kept, kept != NONE, examined


@kernel
def _settle(nodes: NodeRows, times: TimeRows, q: int, top: int, log: Log) -> int:
    """Set the rtimes above a node, past `top` only as far as they change; how many nodes were examined."""
    examined = 0
    while nodes[q, PARENT] != NONE:
        parent = nodes[q, PARENT]
        left, right = nodes[parent, CHILD], nodes[parent, CHILD] + 1
        latest = max(times[left, RTIME], times[left, PLANNED], times[right, RTIME], times[right, PLANNED])
        examined += 1
        _note_node(log, READY, Role.TRIED, nodes, parent, int(times[parent, RTIME] != latest))
        if q == top:
            top = parent
            if times[parent, RTIME] == latest:
                break
        times[parent, RTIME] = latest
        q = parent
    return examined


@kernel
def _cut(state: TreeState, q: int, across: bool, length: int, choice: bool, log: Log) -> int:
    """Cut a free node at a length from its lower or left edge, into the first unused rows; the near part."""
    nodes = state.nodes
    left = 1
    while nodes[left, W] != NONE:
        left += 2
    state.lengths[USED] = max(state.lengths[USED], left + 2)
    for child in range(left, left + 2):
        for column in range(D + 1):
            nodes[child, column] = nodes[q, column]
        nodes[child, PARENT] = q
    nodes[q, CHILD] = left
    start, extent = (Y, D) if across else (X, W)
    nodes[left, extent] = length
    nodes[left + 1, start] += length
    nodes[left + 1, extent] -= length
    _note_node(log, CUT, Role.CANDIDATE, nodes, left, q, int(across) + 2 * int(choice))
    _note_node(log, SAME_STEP, Role.TRIED, nodes, left + 1)
    return left


@kernel
def _place(state: TreeState, q: int, request: KernelRequest, log: Log) -> tuple[int, int]:
    """Cut a free node to the job's size, as asked if it fits so and else turned, and hold what is left.

    Where two cuts are needed, the first is the one that leaves the larger free box. What is held, and how
    many nodes were examined.
    """
    nodes, times = state.nodes, state.times
    as_asked = request.w <= nodes[q, W] and request.d <= nodes[q, D]
    w, d = (request.w, request.d) if as_asked else (request.d, request.w)
    leaf, examined = q, 1
    while nodes[leaf, W] > w or nodes[leaf, D] > d:
        wide, deep = nodes[leaf, W], nodes[leaf, D]
        choice = wide > w and deep > d
        across = wide * (deep - d) > (wide - w) * deep if choice else deep > d
        leaf = _cut(state, leaf, across, d if across else w, choice, log)
        examined += 1
    nodes[leaf, JOB] = request.job
    times[leaf, RTIME] = request.now + request.service
    _note_node(log, FOUND, Role.PLACED, nodes, leaf)
    return leaf, examined + _settle(nodes, times, leaf, q, None)


@kernel
def _reserve(state: TreeState, q: int, request: KernelRequest) -> int:
    """Reserve a node; how many nodes were examined."""
    state.nodes[q, PROMISED] = request.job
    state.times[q, PLANNED] = state.times[q, RTIME] + request.service
    state.queue[state.lengths[QUEUED]] = q
    state.lengths[QUEUED] += 1
    return _settle(state.nodes, state.times, q, q, None)


@kernel
def _place_in_queue(state: TreeState, job: int) -> int:
    """The place in the queue of the node reserved for a job; behind its end if there is none."""
    at = 0
    while at < state.lengths[QUEUED] and state.nodes[state.queue[at], PROMISED] != job:
        at += 1
    return at


@kernel
def _write_box(boxes_out: Ints32, nodes: NodeRows, q: int) -> None:
    write_box(boxes_out, 0, nodes[q, X], nodes[q, Y], 0, nodes[q, W], nodes[q, D], 1)


@kernel
def allocate(state: TreeState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request, and take them."""
    at = _place_in_queue(state, request.job)
    if at < state.lengths[QUEUED]:
        q, reserve, examined = int(state.queue[at]), False, 1
        if not _is_free(state.nodes, q):
            _write_box(boxes_out, state.nodes, q)
            return RESERVED
        _note_node(log, DUE, Role.TRIED, state.nodes, q)
        state.nodes[q, PROMISED], state.times[q, PLANNED] = NONE, 0.0
        state.lengths[QUEUED] -= 1
        for later in range(at, state.lengths[QUEUED]):
            state.queue[later] = state.queue[later + 1]
    else:
        q, reserve, examined = _look(state, request, log)
    state.tally[OPERATIONS] += examined
    if q == NONE:
        return WAITS
    if reserve:
        state.tally[OPERATIONS] += _reserve(state, q, request)
        _write_box(boxes_out, state.nodes, q)
        return RESERVED
    leaf, examined = _place(state, q, request, log)
    state.tally[OPERATIONS] += examined
    _write_box(boxes_out, state.nodes, leaf)
    return 1


@kernel
def release(state: TreeState, job: int, log: Log) -> None:
    """Free the job's node and join it with free siblings, but no reserved node."""
    nodes, times, lengths = state.nodes, state.times, state.lengths
    q = 0
    while nodes[q, JOB] != job:
        q += 1
    nodes[q, JOB] = NONE
    times[q, RTIME] = 0.0
    examined, joins = 1, True
    _note_node(log, FREE, Role.CANDIDATE, nodes, q)
    while joins and nodes[q, PARENT] != NONE and nodes[q, PROMISED] == NONE:
        sibling = q + 1 if q % 2 == 1 else q - 1
        examined += 1
        joins = _is_free(nodes, sibling) and nodes[sibling, PROMISED] == NONE
        _note_node(log, SIBLING, Role.CANDIDATE if joins else Role.BLOCKED, nodes, sibling, int(joins))
        _note_node(log, SAME_STEP, Role.TRIED, nodes, q)
        if not joins:
            break
        parent = nodes[q, PARENT]
        _note_node(log, MERGE, Role.CANDIDATE, nodes, parent, q, sibling)
        nodes[q], nodes[sibling] = NONE, NONE
        nodes[parent, CHILD] = NONE
        times[parent, RTIME] = 0.0
        q = parent
    if joins:
        _note_node(log, APART, Role.TRIED, nodes, q, nodes[q, PROMISED])
    state.tally[OPERATIONS] += examined + _settle(nodes, times, q, q, log)
    while nodes[lengths[USED] - 1, W] == NONE:
        lengths[USED] -= 2
    note(log, FOLDED)


@kernel
def due(state: TreeState, jobs_out: Ints32) -> int:
    """The jobs whose reserved nodes are free."""
    count = 0
    for at in range(state.lengths[QUEUED]):
        q = state.queue[at]
        if _is_free(state.nodes, q):
            jobs_out[count, 0] = state.nodes[q, PROMISED]
            count += 1
    return count
