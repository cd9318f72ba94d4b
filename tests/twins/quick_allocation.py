"""Quick Allocation's twin: sets of covered bases, grown box by box in order of the boxes' left columns."""

from tests.naive import Box, Node, Size, fits, is_free, nodes, turns
from tests.twins.base import Search, Twin

__all__ = ["TWINS"]


class QuickAllocation(Search):
    """004 §2: a row's first column that no box has covered is a base once no box can cover it any more."""

    def box_for(self, size: Size) -> Box | None:
        """The first such column, box by box, then row by row."""
        for turn in turns(size, flat=True):
            base = self.first_base(turn)
            if base is not None:
                return (*base, *turn)
        return None

    def first_base(self, turn: Size) -> Node | None:
        """The first base for the request turned so."""
        inside = {base for base in nodes((0, 0, 0, *self.extents)) if fits((*base, *turn), self.extents)}
        rows = sorted({y for _, y, _ in inside})
        covered: set[Node] = set()
        for box, job in sorted(self.given, key=lambda held: held[0][0]):
            owned = dict.fromkeys(nodes(box), job)
            covers = {base for base in inside if not is_free(owned, (*base, *turn))}
            for y in sorted({v for _, v, _ in covers}):
                left = min(x for x, v, _ in covers if v == y)
                open_ones = sorted(x for x, v, _ in inside - covered if v == y and x < left)
                if open_ones:
                    return open_ones[0], y, 0
                covered |= {(x, v, z) for x, v, z in covers if v == y}
        for y in rows:
            open_ones = sorted(x for x, v, _ in inside - covered if v == y)
            if open_ones:
                return open_ones[0], y, 0
        return None


TWINS = {"qa": Twin(QuickAllocation)}
