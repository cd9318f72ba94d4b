"""The twins of gradual partitioning: the recursion of 002's algorithms and of 003 figures 2 and 3."""

from tests import naive
from tests.naive import Box, Size
from tests.twins.base import MAPPINGS, Answer, Naive, Twin
from tests.twins.best_fit import BestFit

__all__ = ["TWINS", "Parting"]


class Parting(Naive):
    """A part that is free nowhere becomes two, and both are placed."""

    best = False
    first_of_equal = False

    def box_of(self, size: Size, taken: list[Box]) -> Box | None:
        """Where First Fit or Best Fit would put a part, besides what is taken already."""
        if not self.best:
            return self.found_by(naive.FirstFit, size, taken)
        searching = BestFit(self.extents, True, {})
        searching.given = self.given + [(box, -1) for box in taken]
        found = searching.find(0, size, 0.0, 0.0, 0)
        return found[0] if isinstance(found, list) else None

    def parts(self, a: int, b: int, taken: list[Box]) -> None:
        """Place a part whole, or else the two it falls into."""
        box = self.box_of((a, b, 1), taken)
        if box is not None:
            taken.append(box)
        elif a > b or (a == b and self.first_of_equal):
            self.parts(a - 1, b, taken)
            self.parts(1, b, taken)
        else:
            self.parts(a, b - 1, taken)
            self.parts(a, 1, taken)

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes in the order in which they are taken."""
        a, b, _ = size
        if a * b > self.free:
            return None
        taken: list[Box] = []
        self.parts(a, b, taken)
        return taken


class PartingBest(Parting):
    """The same with Best Fit."""

    best = True


TWINS = {
    "pald-ff": Twin(Parting, MAPPINGS),
    "pald-bf": Twin(PartingBest, MAPPINGS),
}
