"""The naive event loop of jobs that send messages: a job ends when all of its messages have arrived.

Time goes from one cycle to the next; arrivals may lie between cycles. At one time there come, in this order:
what the network brings, and the rounds sent in answer; finishes; arrivals; starts. A cycle's requests are
granted when nothing more can happen at its time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, prod
from typing import NamedTuple

from tests.naive import Box, Node, Size, started
from tests.twins.base import Naive
from tests.twins.channels import ChannelNetwork
from tests.twins.first_fit import Across
from tests.twins.network import FlitNetwork
from tests.twins.patterns import Message

__all__ = ["Event", "Machine", "TalkingJob"]


class TalkingJob(NamedTuple):
    """A job, the number the queue is ordered by, and what its processes say to each other."""

    arrival: float
    size: Size
    rank: float
    rounds: list[list[Message]]
    own: list[tuple[int, Node, Node]] | None = None  # instead: cycles after its start, between which nodes
    service: float = 0.0  # as stated; nobody but EASY goes by it
    computing: list[int] | None = None  # cycles before each round
    alone: int = 0  # and of a job that has nothing to say


class Event(NamedTuple):
    """A thing that happened."""

    time: float
    kind: str
    job: int
    boxes: tuple[Box, ...] = ()


def line_of(boxes: list[Box], mapping: object) -> list[Node]:
    """A job's processors: box by box, x fastest; or x fastest over all of them."""
    line = [
        (i, j, k)
        for x, y, z, w, d, h in boxes
        for k in range(z, z + h)
        for j in range(y, y + d)
        for i in range(x, x + w)
    ]
    return sorted(line, key=lambda node: node[::-1]) if mapping == "row-major" else line


def line_across(parts: list[Box], extents: Size) -> list[Node]:
    """The processors of one box, which may lie across seams: x fastest from its base on."""

    def steps(node: Node) -> list[int]:
        away = zip(node, parts[0][:3], extents, strict=True)
        return [(n - base) % side for n, base, side in away][::-1]

    return sorted(line_of(parts, None), key=steps)


@dataclass
class Machine:
    """Strategy and network, and the jobs on them."""

    jobs: list[TalkingJob]
    strategy: Naive
    network: FlitNetwork | ChannelNetwork
    startup: int = 0
    between: int = 0
    seed: int = 0
    easy: bool = False
    owners: list[int] = field(default_factory=list)  # whose each packet is
    log: list[Event] = field(default_factory=list)
    nodes: dict[int, list[Node]] = field(default_factory=dict)  # of the running jobs
    rounds: dict[int, Iterator[tuple[list[Message], int]]] = field(default_factory=dict)
    stated_ends: dict[int, float] = field(default_factory=dict)
    silent: dict[int, float] = field(default_factory=dict)  # when jobs that only compute are done
    last: dict[tuple[int, Node], int] = field(default_factory=dict)  # of a job's processor, its last send

    def run(self) -> list[Event]:
        """All that happens, until the last job is done."""
        coming = list(range(len(self.jobs)))
        waiting: list[int] = []
        done: list[int] = []  # they leave now
        while coming or self.nodes:
            cycle = self.network.now + 1
            now = min([self.jobs[job].arrival for job in coming] + [*self.silent.values()] + [cycle])
            if now == cycle:
                self.network.move()
                done = self.answer()
            done += [job for job, end in self.silent.items() if end == now]
            while True:
                for job in sorted(done):
                    self.strategy.release(job)
                    del self.nodes[job]
                    self.silent.pop(job, None)
                    self.log.append(Event(now, "finish", job))
                arriving = [job for job in coming if self.jobs[job].arrival == now]
                happened = bool(done or arriving)  # nobody looks at the queue otherwise
                for job in arriving:
                    coming.remove(job)
                    waiting.append(job)
                    self.log.append(Event(now, "arrive", job))
                done = self.start(waiting, now) if happened else []
                if not done:
                    break
            if now == cycle:
                self.network.grant()
                if self.network.deadlock is not None and not coming:
                    break
        return self.log

    def answer(self) -> list[int]:
        """Send the next round of each job whose last has just arrived; the jobs that have none."""
        arrived = self.network.delivered()
        brought = {
            self.owners[p] for p, delivery in arrived.items() if delivery.delivered == self.network.now
        }
        missing = {owner for p, owner in enumerate(self.owners) if p not in arrived}
        return [job for job in sorted(brought - missing) if not self.talk(job, self.network.now)]

    def start(self, waiting: list[int], now: float) -> list[int]:
        """Start the jobs whose turn it is; those of them that have nothing to say."""
        waiting.sort(key=lambda job: (self.jobs[job].rank, job))
        # A job that should have left already may leave at any moment, so now.
        running = {job: max(self.stated_ends[job], now) for job in self.nodes}
        queue = "easy" if self.easy else "fcfs"
        starts = started(waiting, running, self.jobs, self.strategy, queue, now, self.seed)
        for job, _ in starts:
            waiting.remove(job)
        done = [job for job, boxes in starts if not self.begin(job, boxes, now)]
        self.silent |= {job: now + self.jobs[job].alone for job in done if self.jobs[job].alone}
        return [job for job in done if job not in self.silent]

    def begin(self, job: int, boxes: list[Box], now: float) -> bool:
        """Put a job on its processors and have it talk: whether it has anything to say."""
        self.log.append(Event(now, "start", job, tuple(boxes)))
        self.stated_ends[job] = now + self.jobs[job].service
        asked = prod(self.jobs[job].size)
        if isinstance(self.strategy, Across):
            self.nodes[job] = line_across(boxes, self.strategy.extents)
        else:
            self.nodes[job] = line_of(boxes, self.strategy.options.get("mapping"))[:asked]
        said, computing = self.jobs[job].rounds, self.jobs[job].computing
        self.rounds[job] = iter(zip(said, computing or [0] * len(said), strict=True))
        cycle = ceil(now)
        own = self.jobs[job].own
        if own is None:
            return self.talk(job, cycle)
        self.send(job, [(cycle + after, source, target) for after, source, target in own])
        return bool(own)

    def talk(self, job: int, cycle: int) -> bool:
        """Send the job's next round, if there is one."""
        messages, computing = next(self.rounds[job], (None, 0))
        line = self.nodes[job]
        cycle += computing
        self.send(job, [(cycle, line[source], line[target]) for source, target in messages or []])
        return messages is not None

    def send(self, job: int, messages: list[tuple[int, Node, Node]]) -> None:
        """Each processor sends its own by time, then as they are listed, busy before and idle after each."""
        leaves: dict[int, int] = {}
        for i, (cycle, source, _) in sorted(enumerate(messages), key=lambda item: (item[1][0], item[0])):
            free = self.last[job, source] + self.between if (job, source) in self.last else 0
            leaves[i] = self.last[job, source] = max(cycle, free) + self.startup
        for i, (_, source, target) in enumerate(messages):
            self.network.send(leaves[i], source, target)
            self.owners.append(job)
