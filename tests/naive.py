"""Slow and obvious versions of what the engine does fast, written from the papers and not from the engine.

Boxes are plain tuples `(x, y, z, w, d, h)` and occupancy is a dict from node to job, so that nothing here can
share a fault with the arrays and kernels it is compared with.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.twins.base import Naive

Node = tuple[int, int, int]
Size = tuple[int, int, int]
Box = tuple[int, int, int, int, int, int]
Held = dict[Node, int]


def nodes(box: Box) -> Iterator[Node]:
    """All nodes of a box."""
    x, y, z, w, d, h = box
    return product(range(x, x + w), range(y, y + d), range(z, z + h))


def fits(box: Box, extents: Size) -> bool:
    """Whether a box lies inside the mesh."""
    return all(b >= 0 and b + n <= m for b, n, m in zip(box[:3], box[3:], extents, strict=True))


def around(box: Box, extents: Size, rings: tuple[bool, ...]) -> list[Node]:
    """All nodes of a box, x fastest from its base; those beyond the end of a ring are at its beginning."""
    x, y, z, w, d, h = box
    ways = [
        [n % side if ring else n for n in range(first, first + size)]
        for first, size, side, ring in zip((x, y, z), (w, d, h), extents, rings, strict=True)
    ]
    return [(i, j, k) for k in ways[2] for j in ways[1] for i in ways[0]]


def parts(box: Box, extents: Size, rings: tuple[bool, ...]) -> list[Box]:
    """A box that may lie across seams, as plain ones: each way it continues at 0 where a ring ends."""
    ways = []
    for first, size, side, ring in zip(box[:3], box[3:], extents, rings, strict=True):
        cut = min(size, side - first) if ring else size
        ways.append([(first, cut)] + ([(0, size - cut)] if cut < size else []))
    return [(x, y, z, w, d, h) for z, h in ways[2] for y, d in ways[1] for x, w in ways[0]]


def is_free(held: Held, box: Box) -> bool:
    """Whether no node of a box is held."""
    return not any(node in held for node in nodes(box))


def all_free_bases(
    held: Held, extents: Size, size: Size, rings: tuple[bool, ...] = (False, False, False)
) -> set[Node]:
    """Every base at which a free box of this size lies inside the mesh, or across seams: brute force."""
    mesh = set(nodes((0, 0, 0, *extents)))
    if not fits((0, 0, 0, *size), extents):
        return set()
    return {
        base
        for base in mesh
        if all(node in mesh and node not in held for node in around((*base, *size), extents, rings))
    }


def turns(size: Size, flat: bool) -> list[Size]:
    """The orientations of a request in the order of 000 §2.2.1, equal ones once."""
    a, b, c = size
    return list(dict.fromkeys([(a, b, c), (b, a, c)] if flat else permutations(size)))


def volume(size: Iterable[int]) -> int:
    """The product of some numbers."""
    return prod(size)


def started(
    waiting: list[int],
    running: dict[int, float],
    jobs: list[Any],
    working: "Naive",
    discipline: str,
    now: float,
    seed: int = 0,
) -> list[tuple[int, list[Box]]]:
    """The jobs that start now, and where; each is put among those that run."""
    starts: list[tuple[int, list[Box]]] = []
    head: int | None = None
    for job in waiting:
        if head is not None and discipline == "easy" and delays(head, job, running, jobs, working, now):
            continue
        boxes = working.allocate(job, jobs[job].size, now, 0.0, seed)
        if isinstance(boxes, list):
            running[job] = now + jobs[job].service
            starts.append((job, boxes))
        elif discipline == "easy":
            head = job if head is None else head
        elif discipline != "ooo":
            break
    return starts


def delays(
    head: int, job: int, running: dict[int, float], jobs: list[Any], working: "Naive", now: float
) -> bool:
    """Whether the head could start later if the job started now, by playing the rest of the run both ways."""
    start = planned_start(head, running, jobs, deepcopy(working))
    if now + jobs[job].service <= start:
        return False
    beside = deepcopy(working)
    if beside.allocate(job, jobs[job].size) is None:
        return True
    for other, end in running.items():
        if end <= start:
            beside.release(other)
    return beside.allocate(head, jobs[head].size) is None


def planned_start(job: int, running: dict[int, float], jobs: list[Any], working: "Naive") -> float:
    """When the job could start if only those that run were there."""
    for time in sorted(set(running.values())):
        for other, end in running.items():
            if end == time:
                working.release(other)
        if working.allocate(job, jobs[job].size) is not None:
            return time
    raise AssertionError("a job that was not rejected fits an empty machine")
