"""What a naive twin of a strategy is: slow, obvious, written from the paper and not from the engine."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hypothesis import strategies as st

from tests.naive import Box, Held, Size, fits, is_free, nodes, parts, turns, volume


class Reserved(NamedTuple):
    """In place of boxes: a box is promised, and nothing given yet."""

    box: Box


Answer = list[Box] | Reserved | None


class Naive:
    """A naive strategy: who holds which boxes; each adds how boxes are found, and whatever else it keeps."""

    rotates = False
    rings = (False, False, False)  # of the mesh; only strategies that place across seams care

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        self.extents = extents
        self.flat = flat
        self.options = options
        self.given: list[tuple[Box, int]] = []  # in the order in which they were given

    @property
    def held(self) -> Held:
        """Who holds each node."""
        return {node: job for box, job in self.given for node in nodes(box)}

    @property
    def free(self) -> int:
        """How many nodes are free."""
        return volume(self.extents) - len(self.held)

    def turns(self, size: Size) -> list[Size]:
        """The orientations that the empty mesh can hold."""
        wanted = turns(size, self.flat) if self.rotates else [size]
        return [turn for turn in wanted if fits((0, 0, 0, *turn), self.extents)]

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes the job is to get, in the strategy's order."""
        raise NotImplementedError

    def found_by(self, search: type["Search"], size: Size, taken: Iterable[Box] = ()) -> Box | None:
        """The box that a search finds on the same machine, besides what is taken already."""
        searching = search(self.extents, self.flat, {})
        searching.given = self.given + [(box, -1) for box in taken]
        return searching.box_for(size)

    def place(self, job: int, *boxes: Box) -> None:
        """Give a job boxes, which are free."""
        held = self.held
        for box in boxes:
            assert fits(box, self.extents)
            assert is_free(held, box)
            held.update(dict.fromkeys(nodes(box), job))
            self.given.append((box, job))

    def allocate(self, job: int, size: Size, now: float = 0.0, service: float = 0.0, seed: int = 0) -> Answer:
        """Find boxes, and give them to the job."""
        found = self.boxes_for(job, size, now, service, seed)
        if isinstance(found, list):
            self.place(job, *found)
        return found

    def release(self, job: int) -> None:
        """Take the job's boxes back."""
        self.given = [(box, owner) for box, owner in self.given if owner != job]


class Found(NamedTuple):
    """The result of a search: the box or None, and how many nodes it looked at."""

    box: Box | None
    operations: int


class Search(Naive):
    """A strategy that gives a job one box."""

    def find(self, size: Size) -> Found:
        """Where the request would go, and the cost."""
        raise NotImplementedError

    def box_for(self, size: Size) -> Box | None:
        """Where the request would go."""
        return self.find(size).box

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        box = self.box_for(size)
        return box and parts(box, self.extents, self.seams)

    @property
    def seams(self) -> tuple[bool, ...]:
        """Along which axes the box may lie across the seam."""
        return (False, False, False)


class Twin(NamedTuple):
    """How to make a strategy's twin, and with which options and meshes both are tried."""

    make: Callable[[Size, bool, dict[str, object]], Naive]  # extents, whether the mesh is 2D, options
    options: tuple[dict[str, object], ...] = ({},)
    shapes: st.SearchStrategy[tuple[int, ...]] | None = None  # None: any small mesh the strategy works on
    asks: Callable[[dict[str, object], Size], Size] | None = None  # with options, any size made a proper one


MAPPINGS: tuple[dict[str, object], ...] = (
    {},
    {"mapping": "row-major"},
)  # options of those with several boxes
