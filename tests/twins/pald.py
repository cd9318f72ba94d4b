"""The twins of gradual partitioning: the recursion of 002's algorithms and of 003 figures 2 and 3."""

from tests.naive import Box, Size, volume
from tests.twins.base import MAPPINGS, Answer, Naive, Search, Twin
from tests.twins.best_fit import BestFit
from tests.twins.first_fit import FirstFit

__all__ = ["TWINS", "Parting"]


class Parting(Naive):
    """A part that is free nowhere becomes two, and both are placed."""

    search: type[Search] = FirstFit
    first_of_equal = False

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        super().__init__(extents, flat, options)
        self.bound = options.get("bound", volume(extents))

    def parts(self, size: Size, taken: list[Box]) -> None:
        """Place a part whole, or else the two it falls into."""
        box = self.found_by(self.search, size, taken)
        if box is not None:
            taken.append(box)
            return
        longest = [axis for axis in range(3) if size[axis] == max(size)]
        axis = longest[0] if self.first_of_equal else longest[-1]
        self.parts(tuple(side - (n == axis) for n, side in enumerate(size)), taken)
        self.parts(tuple(1 if n == axis else side for n, side in enumerate(size)), taken)

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes in the order in which they are taken, unless they are more than the bound."""
        if volume(size) > self.free:
            return None
        taken: list[Box] = []
        self.parts(size, taken)
        return taken if len(taken) <= self.bound else None


class PartingBest(Parting):
    """The same with Best Fit."""

    search = BestFit


OPTIONS = (*MAPPINGS, {"bound": 2}, {"bound": 5})
TWINS = {"pald-ff": Twin(Parting, OPTIONS), "pald-bf": Twin(PartingBest, OPTIONS)}
