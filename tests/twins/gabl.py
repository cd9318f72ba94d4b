"""The twins of the greedy strategies: the naive busy list, asked for the whole and then for less and less."""

from collections.abc import Iterable
from math import isqrt

from tests.naive import Box, Size, fits, volume
from tests.twins.base import MAPPINGS, Answer, Naive, Twin
from tests.twins.busy_list import BusyList, TurningBusyList

__all__ = ["TWINS", "Greedy"]


class Greedy(Naive):
    """000 figure 4.4, with the text's word that a failure shortens the request once more."""

    shapes = False  # whether the whole is tried in every shape of as many processors
    attempts = 0  # the paper's b: how often its step 6 was made

    def box_of(self, size: Size, taken: Iterable[Box] = (), *, rotates: bool = True) -> Box | None:
        """A free box, besides what is taken already."""
        return self.found_by(TurningBusyList if rotates else BusyList, size, taken)

    def whole(self, size: Size) -> Box | None:
        """All of the request in one box, as asked or turned, or in any shape of as many processors."""
        if (box := self.box_of(size)) is not None or not self.shapes:
            return box
        for shape in shapes_of(volume(size)):
            if fits((0, 0, 0, *shape), self.extents):
                box = box or self.box_of(shape, rotates=False)
        return box

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes in the order in which they are taken."""
        self.attempts = 0
        if volume(size) > self.free:
            return None
        if (box := self.whole(size)) is not None:
            return [box]
        sides, taken, wanted = shorter(list(size)), [], volume(size)
        while wanted:
            if volume(sides) > wanted:
                sides = shorter(sides)
                continue
            self.attempts += 1
            box = self.box_of((sides[0], sides[1], sides[2]), taken)
            if box is None:
                sides = shorter(sides)
            else:
                taken.append(box)
                wanted -= volume(sides)
        return taken


def shorter(sides: list[int]) -> list[int]:
    """One less of the longest side, the first of equal ones."""
    longest = sides.index(max(sides))
    return [side - (i == longest) for i, side in enumerate(sides)]


def shapes_of(processors: int) -> list[Size]:
    """Every flat shape of a number of processors, the squarest first, the wider of two before the longer."""
    shapes: list[Size] = []
    for short in range(isqrt(processors), 0, -1):
        if processors % short == 0:
            shapes += [(processors // short, short, 1), (short, processors // short, 1)]
    return shapes


TWINS = {"gabl": Twin(Greedy, MAPPINGS)}
