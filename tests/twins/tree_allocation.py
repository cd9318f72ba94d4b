"""Tree Allocation with the tree as objects: ready times are worked out from the leaves each time (004 §3)."""

from dataclasses import dataclass, field

from tests.naive import Box, Size
from tests.twins.base import Answer, Naive, Reserved, Twin


@dataclass(eq=False)
class Node:
    """A box of the tree, in 004's quantities."""

    x: int
    y: int
    w: int
    h: int
    halves: list["Node"] = field(default_factory=list)
    job: int | None = None
    end: float = 0.0  # when its job leaves
    promised: int | None = None
    planned: float = 0.0  # when the job it is promised to will leave

    @property
    def box(self) -> Box:
        """As a box of the mesh."""
        return (self.x, self.y, 0, self.w, self.h, 1)

    @property
    def is_free(self) -> bool:
        """A leaf that no job holds."""
        return not self.halves and self.job is None

    def ready(self) -> float:
        """When all below it has left, and the jobs that are still to come below it."""
        if self.halves:
            return max(max(half.ready(), half.planned) for half in self.halves)
        return self.end if self.job is not None else 0.0

    def way(self, size: Size) -> tuple[int, int] | None:
        """How a job fits: as asked, turned, or not at all."""
        a, b, _ = size
        return next(((w, h) for w, h in ((a, b), (b, a)) if w <= self.w and h <= self.h), None)

    def split(self, *, at_w: int | None = None, at_h: int | None = None) -> "Node":
        """Divide the node; its lower or left half."""
        x, y, w, h = self.x, self.y, self.w, self.h
        if at_h is not None:
            self.halves = [Node(x, y, w, at_h), Node(x, y + at_h, w, h - at_h)]
        else:
            self.halves = [Node(x, y, at_w, h), Node(x + at_w, y, w - at_w, h)]
        return self.halves[0]

    def cut_to(self, w: int, h: int) -> "Node":
        """The five cases of Partition_Submesh."""
        if (self.w, self.h) == (w, h):
            return self
        if self.w == w:
            return self.split(at_h=h)
        if self.h == h:
            return self.split(at_w=w)
        if self.w * (self.h - h) > (self.w - w) * self.h:
            return self.split(at_h=h).split(at_w=w)
        return self.split(at_w=w).split(at_h=h)

    def join(self) -> None:
        """Join free halves from the leaves upwards, but nothing that is promised."""
        for half in self.halves:
            half.join()
        if self.halves and all(half.is_free and half.promised is None for half in self.halves):
            self.halves = []


class TreeAllocation(Naive):
    """Allocation, Deallocation and EAFR of 004."""

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        super().__init__(extents, flat, options)
        self.root = Node(0, 0, extents[0], extents[1])
        self.queue: list[Node] = []

    def levels(self) -> list[tuple[Node, Node | None]]:
        """All nodes breadth first, each with the nearest promised node above it."""
        found: list[tuple[Node, Node | None]] = []
        level: list[tuple[Node, Node | None]] = [(self.root, None)]
        while level:
            found += level
            promised = [(node, over if node.promised is None else node) for node, over in level]
            level = [(half, over) for node, over in promised for half in node.halves]
        return found

    def give(self, node: Node, job: int, size: Size, end: float) -> list[Box]:
        """Let the job have its part of a free node."""
        way = node.way(size)
        assert way is not None
        leaf = node.cut_to(*way)
        leaf.job, leaf.end = job, end
        return [leaf.box]

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        end = now + service
        for node in self.queue:
            if node.promised == job:
                if not node.is_free:
                    return Reserved(node.box)
                self.queue.remove(node)
                node.promised, node.planned = None, 0.0
                return self.give(node, job, size, end)
        able = [
            node
            for node, over in self.levels()
            if node.is_free and node.promised is None and node.way(size)
            if over is None or end < over.ready()
        ]
        if able:
            best = self.options.get("search", "best") == "best"
            node = min(able, key=lambda node: node.w * node.h) if best else able[0]
            return self.give(node, job, size, end)
        if self.options.get("eafr", False):
            open_nodes = [node for node, over in self.levels() if node.promised is None and over is None]
            if promising := [node for node in open_nodes if node.way(size)]:
                node = min(promising, key=Node.ready)
                node.promised, node.planned = job, node.ready() + service
                self.queue.append(node)
                return Reserved(node.box)
        return None

    def due(self) -> tuple[int, ...]:
        """The jobs whose node is free now, in the order in which they were promised it."""
        return tuple(node.promised for node in self.queue if node.is_free and node.promised is not None)

    def release(self, job: int) -> None:
        super().release(job)
        for node, _ in self.levels():
            if node.job == job:
                node.job, node.end = None, 0.0
        self.root.join()


TWINS = {
    "ta": Twin(
        TreeAllocation,
        options=(
            {"search": "best", "eafr": True},
            {"search": "breadth-first", "eafr": True},
            {"search": "best", "eafr": False},
            {"search": "breadth-first", "eafr": False},
        ),
    )
}
