"""Adaptive Scan, then Multiple Buddy, as 000 §2.2.2 tells it: brute force for a rectangle, then blocks."""

from tests.naive import Size, all_free_bases, fits, is_free, nodes, turns
from tests.twins.base import MAPPINGS, Answer, Twin
from tests.twins.mbs import MultipleBuddy


class AdaptiveScanMultipleBuddy(MultipleBuddy):
    """The lowest, then leftmost free rectangle, as asked or turned; else blocks cut from what is free."""

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """One box or several."""
        for turn in turns(size, flat=True):
            bases = all_free_bases(self.held, self.extents, turn)
            if bases:
                x, y, z = min(bases, key=lambda base: (base[1], base[0]))
                return [(x, y, z, *turn)]
        self.record_what_is_free()
        return super().boxes_for(job, size, now, service, seed)

    def record_what_is_free(self) -> None:
        """The largest free squares of a power of two at multiples of it, then what smaller ones are left."""
        covered = dict(self.held)
        self.record = {}
        for side in (64, 32, 16, 8, 4, 2, 1):
            for y in range(0, self.extents[1], side):
                for x in range(0, self.extents[0], side):
                    square = (x, y, 0, side, side, 1)
                    if fits(square, self.extents) and is_free(covered, square):
                        covered |= dict.fromkeys(nodes(square), -1)
                        self.enter((0, y, x, side))

    def release(self, job: int) -> None:
        """Nothing is merged: the records are made from what is free whenever they are asked."""
        self.given = [(box, owner) for box, owner in self.given if owner != job]


TWINS = {"asmb": Twin(AdaptiveScanMultipleBuddy, MAPPINGS)}
