"""First Fit's twin: the naive search of 000 figure 2.5, used by the searches' own tests too."""

from tests import naive
from tests.naive import Size
from tests.twins.base import Answer, Naive, Twin

__all__ = ["TWINS"]


class FirstFit(Naive):
    """The first base in scan order, in the first orientation that has one."""

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The box of the naive search, on the same machine."""
        box = self.found_by(naive.FirstFit, size, rotates=self.rotates)
        return box and [box]


class TurningFirstFit(FirstFit):
    """The same, turned if need be."""

    rotates = True


TWINS = {"ff": Twin(FirstFit), "tff": Twin(TurningFirstFit)}
