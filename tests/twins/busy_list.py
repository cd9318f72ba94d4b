"""Busy List's twin: the naive search of 000 figures 3.3 to 3.5 and 4.1, used by the searches' tests too."""

from tests import naive
from tests.naive import Size
from tests.twins.base import Answer, Naive, Twin

__all__ = ["TWINS"]


class BusyList(Naive):
    """A base right of a busy box or on the left face, in the first orientation that has one."""

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The box of the naive search, on the same machine."""
        box = self.found_by(naive.BusyList, size, rotates=self.rotates)
        return box and [box]


class TurningBusyList(BusyList):
    """The same, turned if need be."""

    rotates = True


TWINS = {"bl": Twin(BusyList), "tbl": Twin(TurningBusyList)}
