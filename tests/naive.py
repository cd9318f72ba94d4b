"""Slow and obvious versions of what the engine does fast, written from the papers and not from the engine.

Boxes are plain tuples `(x, y, z, w, d, h)` and occupancy is a dict from node to job, so that nothing here can
share a fault with the arrays and kernels it is compared with.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import pairwise, permutations, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

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
    return list(dict.fromkeys([(a, b, c), (b, a, c)] if flat else permutations(size)))


def volume(size: Iterable[int]) -> int:
    """The product of some numbers."""
    return prod(size)


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


def events(jobs: list[Job], working: "Naive", discipline: str = "fcfs") -> list[Event]:
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
        for job, [box] in started(waiting, running, jobs, working, discipline, now):
            waiting.remove(job)
            log.append(Event(now, "start", job, box))
    return log


def started(
    waiting: list[int],
    running: dict[int, float],
    jobs: list[Job],
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
    head: int, job: int, running: dict[int, float], jobs: list[Job], working: "Naive", now: float
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


def planned_start(job: int, running: dict[int, float], jobs: list[Job], working: "Naive") -> float:
    """When the job could start if only those that run were there."""
    for time in sorted(set(running.values())):
        for other, end in running.items():
            if end == time:
                working.release(other)
        if working.allocate(job, jobs[job].size) is not None:
            return time
    raise AssertionError("a job that was not rejected fits an empty machine")


def measures(jobs: list[Job], log: list[Event], processors: int) -> dict[str, float]:
    """The means of a run, by looking at who runs and who waits between one time and the next."""
    start, finish = ({e.job: e.time for e in log if e.kind == kind} for kind in ("start", "finish"))
    sizes = {e.job: volume(e.box[3:]) for e in log if e.box is not None}
    busy_time = asked_time = box_time = queue_time = idle_time = 0.0
    for now, later in pairwise(sorted({e.time for e in log})):
        running = [job for job in start if start[job] <= now < finish[job]]
        waiting = [job for job in start if jobs[job].arrival <= now < start[job]]
        busy = sum(sizes[job] for job in running)
        busy_time += (later - now) * busy
        asked_time += (later - now) * sum(volume(jobs[job].size) for job in running)
        box_time += (later - now) * len(running)
        queue_time += (later - now) * len(waiting)
        if waiting:
            head = min(waiting, key=lambda job: (jobs[job].rank, job))
            if volume(jobs[head].size) <= processors - busy:
                idle_time += (later - now) * (processors - busy)
    span = log[-1].time if log else 0.0
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
        "utilization_requested": over_time(asked_time) / processors,
        "finish_time": span,
        "queue_length_mean": over_time(queue_time),
        "busy_list_mean": over_time(box_time),
        "external_fragmentation": over_time(idle_time) / processors,
    }
