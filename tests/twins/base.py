"""What a naive twin of a strategy is: slow, obvious, written from the paper and not from the engine.

Boxes are plain tuples `(x, y, z, w, d, h)` and occupancy is a dict from node to job, so that nothing here can
share a fault with the arrays and kernels it is compared with.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hypothesis import strategies as st

from tests.naive import Allocator, Box, Held, Size, fits, is_free, nodes


class Reserved(NamedTuple):
    """In place of boxes: a box is promised, and nothing given yet."""

    box: Box


Answer = list[Box] | Reserved | None


class Naive:
    """Who holds which boxes; a twin adds how boxes are found, and whatever else it keeps."""

    rotates = False

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
        """How many nodes nobody holds."""
        w, d, h = self.extents
        return w * d * h - len(self.held)

    def found_by(
        self, search: type[Allocator], size: Size, taken: Iterable[Box] = (), *, rotates: bool = False
    ) -> Box | None:
        """The box that a naive search finds, besides what is taken already."""
        searching = search(self.extents, flat=self.flat, rotates=rotates)
        searching.boxes = self.given + [(box, -1) for box in taken]
        return searching.find(size).box

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes the job is to get, in the strategy's order."""
        raise NotImplementedError

    def allocate(self, job: int, size: Size, now: float = 0.0, service: float = 0.0, seed: int = 0) -> Answer:
        """Find boxes, and give them to the job."""
        found = self.find(job, size, now, service, seed)
        if isinstance(found, list):
            held = self.held
            for box in found:
                assert fits(box, self.extents)
                assert is_free(held, box)
                held.update(dict.fromkeys(nodes(box), job))
                self.given.append((box, job))
        return found

    def release(self, job: int) -> None:
        """Take the job's boxes back."""
        self.given = [(box, owner) for box, owner in self.given if owner != job]


class Twin(NamedTuple):
    """How to make a strategy's twin, and with which options and meshes both are tried."""

    make: Callable[[Size, bool, dict[str, object]], Naive]  # extents, whether the mesh is 2D, options
    options: tuple[dict[str, object], ...] = ({},)
    shapes: st.SearchStrategy[tuple[int, ...]] | None = None  # None: any small mesh the strategy works on


MAPPINGS: tuple[dict[str, object], ...] = (
    {},
    {"mapping": "row-major"},
)  # options of those with several boxes
