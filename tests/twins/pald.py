"""The twins of gradual partitioning: the recursion of 002's algorithms and of 003 figures 2 and 3."""

from tests.naive import Box, Size
from tests.twins.base import MAPPINGS, Answer, Naive, Search, Twin
from tests.twins.best_fit import BestFit
from tests.twins.first_fit import FirstFit

__all__ = ["TWINS", "Parting"]


class Parting(Naive):
    """A part that is free nowhere becomes two, and both are placed."""

    search: type[Search] = FirstFit
    first_of_equal = False

    def parts(self, a: int, b: int, taken: list[Box]) -> None:
        """Place a part whole, or else the two it falls into."""
        box = self.found_by(self.search, (a, b, 1), taken)
        if box is not None:
            taken.append(box)
        elif a > b or (a == b and self.first_of_equal):
            self.parts(a - 1, b, taken)
            self.parts(1, b, taken)
        else:
            self.parts(a, b - 1, taken)
            self.parts(a, 1, taken)

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes in the order in which they are taken."""
        a, b, _ = size
        if a * b > self.free:
            return None
        taken: list[Box] = []
        self.parts(a, b, taken)
        return taken


class PartingBest(Parting):
    """The same with Best Fit."""

    search = BestFit


TWINS = {"pald-ff": Twin(Parting, MAPPINGS), "pald-bf": Twin(PartingBest, MAPPINGS)}
