"""Slow and obvious versions of what the engine does fast, written from the papers and not from the engine.

Boxes are plain tuples `(x, y, z, w, d, h)` and occupancy is a dict from node to job, so that nothing here can
share a fault with the arrays and kernels it is compared with.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import permutations, product
from math import prod
from typing import NamedTuple

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


def is_free(held: Held, box: Box) -> bool:
    """Whether no node of a box is held."""
    return not any(node in held for node in nodes(box))


def all_free_bases(held: Held, extents: Size, size: Size) -> set[Node]:
    """Every base at which a free box of this size lies inside the mesh: brute force."""
    return {
        base
        for base in nodes((0, 0, 0, *extents))
        if fits((*base, *size), extents) and is_free(held, (*base, *size))
    }


def turns(size: Size, flat: bool) -> list[Size]:
    """The orientations of a request in the order of 000 §2.2.1, equal ones once."""
    a, b, c = size
    ordered = [(a, b, c), (b, a, c)]
    if not flat:
        ordered = [tuple(size[i] for i in order) for order in permutations(range(3))]
    return list(dict.fromkeys(ordered))


class Found(NamedTuple):
    """What a search came to: the box or None, and how many nodes it looked at."""

    box: Box | None
    operations: int


class Allocator:
    """A naive strategy: who holds which boxes, and a search to be filled in."""

    def __init__(self, extents: Size, *, flat: bool, rotates: bool) -> None:
        self.extents = extents
        self.flat = flat
        self.rotates = rotates
        self.boxes: list[tuple[Box, int]] = []  # in the order in which they were given

    @property
    def held(self) -> Held:
        """Who holds each node."""
        return {node: job for box, job in self.boxes for node in nodes(box)}

    def turns(self, size: Size) -> list[Size]:
        """The orientations that the empty mesh can hold."""
        wanted = turns(size, self.flat) if self.rotates else [size]
        return [turn for turn in wanted if fits((0, 0, 0, *turn), self.extents)]

    def find(self, size: Size) -> Found:
        """Where the request would go."""
        raise NotImplementedError

    def place(self, job: int, box: Box) -> None:
        """Give a job a box."""
        assert fits(box, self.extents)
        assert is_free(self.held, box)
        self.boxes.append((box, job))

    def allocate(self, job: int, size: Size) -> Box | None:
        """Search, and give the job what was found."""
        box = self.find(size).box
        if box is not None:
            self.place(job, box)
        return box

    def release(self, job: int) -> None:
        """Take the job's boxes back."""
        self.boxes = [(box, owner) for box, owner in self.boxes if owner != job]


class FirstFit(Allocator):
    """000 figure 2.5 in 3D; in 2D the lowest row first and the leftmost node first (001 §2)."""

    def scan(self) -> Iterator[Node]:
        """All nodes in scan order."""
        w, d, h = self.extents
        if self.flat:
            for y in range(d):
                for x in range(w):
                    yield x, y, 0
            return
        for x in range(w):
            for y in range(d):
                for z in range(h):
                    yield x, y, z

    def find(self, size: Size) -> Found:
        """The figure, once per orientation; an operation is a node looked at, or the comparison up front."""
        held = self.held
        w, d, h = self.extents
        if size[0] * size[1] * size[2] > w * d * h - len(held):
            return Found(None, 1)
        operations = 0
        for a, b, c in self.turns(size):
            for x, y, z in self.scan():
                operations += 1
                if (x, y, z) in held:
                    continue
                available = 0
                for u in range(x, x + a):
                    for v in range(y, y + b):
                        for t in range(z, z + c):
                            if u < w and v < d and t < h:
                                operations += 1
                                available += (u, v, t) not in held
                if available == a * b * c:
                    return Found((x, y, z, a, b, c), operations)
        return Found(None, operations)


Plane = tuple[int, int, int, int]  # y1, z1, y2, z2: where in its x a plane reaches
Corners = tuple[int, int, int, int, int, int]  # x1, y1, z1, x2, y2, z2: as the paper writes a box


def case_of(x: int, plane: Plane, region: Corners) -> int:
    """Which of the seventeen conditions of 000 figure 3.3 holds; exactly one must."""
    y1, z1, y2, z2 = plane
    u1, v1, w1, u2, v2, w2 = region
    meets = u1 <= x <= u2
    y1_in, y2_in, z1_in, z2_in = v1 <= y1 <= v2, v1 <= y2 <= v2, w1 <= z1 <= w2, w1 <= z2 <= w2
    holds = {
        1: x < u1 or x > u2 or z2 < w1 or z1 > w2 or y2 < v1 or y1 > v2,
        2: meets and y1_in and y2_in and z2_in and z1 < w1,
        3: meets and y1_in and y2 > v2 and z2_in and z1 < w1,
        4: meets and y2_in and y1 < v1 and z2_in and z1 < w1,
        5: meets and y1_in and y2_in and z1_in and z2 > w2,
        6: meets and y1_in and y2 > v2 and z1_in and z2 > w2,
        7: meets and y2_in and y1 < v1 and z1_in and z2 > w2,
        8: meets and y1_in and y2_in and z1 < w1 and z2 > w2,
        9: meets and y1_in and y2 > v2 and z1 < w1 and z2 > w2,
        10: meets and y2_in and y1 < v1 and z1 < w1 and z2 > w2,
        11: meets and y2 > v2 and y1 < v1 and z1 < w1 and z2 > w2,
        12: meets and y2 > v2 and y1 < v1 and z1 >= w1 and z2 <= w2,
        13: meets and y2 > v2 and y1 < v1 and z1 < w1 and z2_in,
        14: meets and y2 > v2 and y1 < v1 and z2 > w2 and z1_in,
        15: meets and y1_in and y2_in and z1_in and z2_in,
        16: meets and y1_in and y2 > v2 and z1_in and z2_in,
        17: meets and y2_in and y1 < v1 and z1_in and z2_in,
    }
    [case] = [number for number, condition in holds.items() if condition]
    return case


def pieces_of(case: int, plane: Plane, region: Corners) -> list[Plane]:
    """What 000 figure 3.3 leaves of a plane in each case, in the order in which it prints the pieces."""
    y1, z1, y2, z2 = plane
    _, v1, w1, _, v2, w2 = region
    pieces: dict[int, list[Plane]] = {
        1: [(y1, z1, y2, z2)],
        2: [(y1, z1, y2, w1 - 1)],
        3: [(y1, z1, y2, w1 - 1), (v2 + 1, w1, y2, z2)],
        4: [(y1, z1, y2, w1 - 1), (y1, w1, v1 - 1, z2)],
        5: [(y1, w2 + 1, y2, z2)],
        6: [(v2 + 1, z1, y2, w2), (y1, w2 + 1, y2, z2)],
        7: [(y1, z1, v1 - 1, w2), (y1, w2 + 1, y2, z2)],
        8: [(y1, z1, y2, w1 - 1), (y1, w2 + 1, y2, z2)],
        9: [(y1, z1, v2, w1 - 1), (v2 + 1, z1, y2, z2), (y1, w2 + 1, v2, z2)],
        10: [(y1, z1, v1 - 1, z2), (v1, z1, y2, w1 - 1), (v1, w2 + 1, y2, z2)],
        11: [
            (y1, z1, v1 - 1, z2),
            (v2 + 1, z1, y2, z2),
            (v1, z1, v2, w1 - 1),
            (v1, w2 + 1, v2, z2),
        ],
        12: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2)],
        13: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2), (v1, z1, v2, w1 - 1)],
        14: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2), (v1, w2 + 1, v2, z2)],
        15: [],
        16: [(v2 + 1, z1, y2, z2)],
        17: [(y1, z1, v1 - 1, z2)],
    }
    return pieces[case]


# The cases whose last piece figure 3.4 puts aside as surely free: it lies beyond the region in z.
SETTLED = {5, 6, 7, 8, 9, 10, 11, 14}


class BusyList(Allocator):
    """000 figures 3.3 to 3.5 in 3D and figure 4.1 in 2D, gathering all that is left.

    A base is looked for right of every busy box; it is the lowest corner of what was gathered first. Figure
    4.1's conditions are damaged in the text: the five cases are that a line and a region do not meet, or the
    line sticks out below, above, on both sides or not at all.
    """

    def ordered(self) -> list[Corners]:
        """The busy boxes in decreasing order of the end's last coordinate; equals in the order they came."""
        corners = [(x, y, z, x + w - 1, y + d - 1, z + h - 1) for (x, y, z, w, d, h), _ in self.boxes]
        return sorted(corners, key=lambda box: -box[4 if self.flat else 5])

    def find(self, size: Size) -> Found:
        """Figure 3.5: the first orientation that leaves a node on some plane."""
        for turn in self.turns(size):
            for base in self.gathered_lines(turn) if self.flat else self.gathered_planes(turn):
                return Found((*base, *turn), 0)
        return Found(None, 0)

    def gathered_planes(self, turn: Size) -> Iterator[Node]:
        """Figure 3.4: the lowest corners of RBP_Nodes, in the order in which they enter it."""
        (a, b, c), (w, d, h) = turn, self.extents
        busy = self.ordered()
        for x1, y1, z1, x2, y2, z2 in [(-1, 0, 0, -1, d - 1, h - 1), *busy]:
            del x1
            x = x2 + 1
            plane = (max(y1 - b + 1, 0), max(z1 - c + 1, 0), min(y2, d - b), min(z2, h - c))
            if x > w - a or plane[0] > plane[2] or plane[1] > plane[3]:
                continue
            settled, left = [], [plane]
            for p1, q1, r1, p2, q2, r2 in busy:
                region = (max(p1 - a + 1, 0), max(q1 - b + 1, 0), max(r1 - c + 1, 0), p2, q2, r2)
                kept: list[Plane] = []
                for piece in left:
                    case = case_of(x, piece, region)
                    pieces = pieces_of(case, piece, region)
                    if case in SETTLED or (case == 1 and piece[1] > r2):
                        settled.append(pieces.pop())
                    kept.extend(pieces)
                left = kept
            yield from ((x, piece[0], piece[1]) for piece in settled + left)

    def gathered_lines(self, turn: Size) -> Iterator[Node]:
        """Figure 4.1: the lower ends of RBL_Nodes, in the order in which they enter it."""
        (a, b, _), (w, length, _) = turn, self.extents
        busy = self.ordered()
        for _, y1, _, x2, y2, _ in [(-1, 0, 0, -1, length - 1, 0), *busy]:
            x, low, high = x2 + 1, max(y1 - b + 1, 0), min(y2, length - b)
            if x > w - a or low > high:
                continue
            settled = None
            for p1, q1, _, p2, q2, _ in busy:
                left, bottom = max(p1 - a + 1, 0), max(q1 - b + 1, 0)
                apart = not left <= x <= p2 or high < bottom or low > q2  # case 1
                if apart and low <= q2:
                    continue
                if apart:
                    settled = (x, low, 0)
                    break
                sticks_out_below, sticks_out_above = low < bottom, high > q2
                if sticks_out_above:  # cases 3 and 4: what is above is surely free
                    settled = (x, q2 + 1, 0)
                    break
                if not sticks_out_below:  # case 5
                    break
                high = bottom - 1  # case 2
            else:
                settled = (x, low, 0)
            if settled is not None:
                yield settled


ALLOCATORS: dict[str, tuple[type[Allocator], bool]] = {
    "ff": (FirstFit, False),
    "tff": (FirstFit, True),
    "bl": (BusyList, False),
    "tbl": (BusyList, True),
}


def allocator(name: str, extents: Size, *, flat: bool) -> Allocator:
    """The naive strategy of that id on an empty mesh."""
    kind, rotates = ALLOCATORS[name]
    return kind(extents, flat=flat, rotates=rotates)


class Job(NamedTuple):
    """A job of the naive event loop, with the number the queue is ordered by."""

    arrival: float
    size: Size
    service: float
    rank: float = 0.0


class Event(NamedTuple):
    """A thing that happened in the naive event loop."""

    time: float
    kind: str
    job: int
    box: Box | None = None


def events(jobs: list[Job], working: Allocator, discipline: str = "fcfs") -> list[Event]:
    """The whole run: at each time the finishes, then the arrivals, then the starts, until nothing is left."""
    log: list[Event] = []
    coming = list(range(len(jobs)))
    waiting: list[int] = []
    running: dict[int, float] = {}
    while coming or running:
        now = min([jobs[job].arrival for job in coming] + list(running.values()))
        for job in sorted(job for job, end in running.items() if end == now):
            del running[job]
            working.release(job)
            log.append(Event(now, "finish", job))
        for job in [job for job in coming if jobs[job].arrival == now]:
            coming.remove(job)
            log.append(Event(now, "arrive", job))
            if working.turns(jobs[job].size):
                waiting.append(job)
            else:
                log.append(Event(now, "reject", job))
        waiting.sort(key=lambda job: (jobs[job].rank, job))
        for job, box in started(waiting, running, jobs, working, discipline, now):
            waiting.remove(job)
            log.append(Event(now, "start", job, box))
    return log


def started(
    waiting: list[int],
    running: dict[int, float],
    jobs: list[Job],
    working: Allocator,
    discipline: str,
    now: float,
) -> list[tuple[int, Box]]:
    """The jobs that start now, and where; each is put among those that run."""
    starts: list[tuple[int, Box]] = []
    head: int | None = None
    for job in waiting:
        if head is not None and discipline == "easy" and delays(head, job, running, jobs, working, now):
            continue
        box = working.allocate(job, jobs[job].size)
        if box is not None:
            running[job] = now + jobs[job].service
            starts.append((job, box))
        elif discipline == "easy":
            head = job if head is None else head
        elif discipline != "ooo":
            break
    return starts


def delays(
    head: int, job: int, running: dict[int, float], jobs: list[Job], working: Allocator, now: float
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


def planned_start(job: int, running: dict[int, float], jobs: list[Job], working: Allocator) -> float:
    """When the job could start if only those that run were there."""
    for time in sorted(set(running.values())):
        for other, end in running.items():
            if end == time:
                working.release(other)
        if working.allocate(job, jobs[job].size) is not None:
            return time
    raise AssertionError("a job that was not rejected fits an empty machine")


def volume(size: Iterable[int]) -> int:
    """The product of some numbers."""
    return prod(size)


def measures(jobs: list[Job], log: list[Event], processors: int) -> dict[str, float]:
    """The means of a run, by walking through time with the machine and the queue in hand."""
    span = log[-1].time if log else 0.0
    running: dict[int, Box] = {}
    waiting: list[int] = []
    busy_time = box_time = queue_time = idle_time = 0.0
    start: dict[int, float] = {}
    finish: dict[int, float] = {}
    held: dict[int, int] = {}
    for event, following in zip(log, [*log[1:], None], strict=True):
        if event.kind == "arrive":
            waiting.append(event.job)
        elif event.kind == "reject":
            waiting.remove(event.job)
        elif event.kind == "start":
            waiting.remove(event.job)
            assert event.box is not None
            running[event.job] = event.box
            held[event.job] = volume(event.box[3:])
            start[event.job] = event.time
        else:
            del running[event.job]
            finish[event.job] = event.time
        lasts = (following.time - event.time) if following else 0.0
        busy = sum(volume(box[3:]) for box in running.values())
        busy_time += lasts * busy
        box_time += lasts * len(running)
        queue_time += lasts * len(waiting)
        if waiting:
            head = min(waiting, key=lambda job: (jobs[job].rank, job))
            if volume(jobs[head].size) <= processors - busy:
                idle_time += lasts * (processors - busy)
    done = sorted(finish)

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    def over_time(integral: float) -> float:
        return integral / span if span else 0.0

    return {
        "jobs": len(done),
        "rejected": sum(event.kind == "reject" for event in log),
        "turnaround": mean([finish[job] - jobs[job].arrival for job in done]),
        "waiting": mean([start[job] - jobs[job].arrival for job in done]),
        "service": mean([finish[job] - start[job] for job in done]),
        "utilization": over_time(busy_time) / processors,
        "finish_time": span,
        "queue_length_mean": over_time(queue_time),
        "busy_list_mean": over_time(box_time),
        "external_fragmentation": over_time(idle_time) / processors,
    }
