"""Busy List's twin: the naive search of 000 figures 3.3 to 3.5 and 4.1, used by the searches' tests too."""

from tests import naive
from tests.naive import Size
from tests.twins.base import Answer, Naive, Twin

__all__ = ["TWINS"]


class BusyList(Naive):
    """A base right of a busy box or on the left face, in the first orientation that has one."""

    def __init__(self, extents: Size, flat: bool, options: dict[str, object], *, rotates: bool) -> None:
        super().__init__(extents, options)
        self.searching = naive.BusyList(extents, flat=flat, rotates=rotates)

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The box of the naive search, on the same machine."""
        self.searching.boxes = self.given
        box = self.searching.find(size).box
        return None if box is None else [box]


TWINS = {
    "bl": Twin(lambda extents, flat, options: BusyList(extents, flat, options, rotates=False)),
    "tbl": Twin(lambda extents, flat, options: BusyList(extents, flat, options, rotates=True)),
}
