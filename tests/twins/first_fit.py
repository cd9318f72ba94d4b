"""First Fit's twin: the naive search of 000 figure 2.5, used by the searches' own tests too."""

from tests import naive
from tests.naive import Size
from tests.twins.base import Answer, Naive, Twin

__all__ = ["TWINS"]


class FirstFit(Naive):
    """The first base in scan order, in the first orientation that has one."""

    def __init__(self, extents: Size, flat: bool, options: dict[str, object], *, rotates: bool) -> None:
        super().__init__(extents, options)
        self.searching = naive.FirstFit(extents, flat=flat, rotates=rotates)

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The box of the naive search, on the same machine."""
        self.searching.boxes = self.given
        box = self.searching.find(size).box
        return None if box is None else [box]


TWINS = {
    "ff": Twin(lambda extents, flat, options: FirstFit(extents, flat, options, rotates=False)),
    "tff": Twin(lambda extents, flat, options: FirstFit(extents, flat, options, rotates=True)),
}
