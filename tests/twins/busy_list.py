"""Busy List's twin: the search of 000 figures 3.3 to 3.5 and 4.1, case by case."""

from collections.abc import Iterator

from tests.naive import Node, Size
from tests.twins.base import Found, Search, Twin

__all__ = ["TWINS", "BusyList", "TurningBusyList", "case_of", "pieces_of"]

Plane = tuple[int, int, int, int]  # y1, z1, y2, z2: where in its x a plane reaches
Corners = tuple[int, int, int, int, int, int]  # x1, y1, z1, x2, y2, z2: as the paper writes a box


def case_of(x: int, plane: Plane, region: Corners) -> int:
    """Which of the seventeen conditions of 000 figure 3.3 holds; exactly one must."""
    y1, z1, y2, z2 = plane
    u1, v1, w1, u2, v2, w2 = region
    meets = u1 <= x <= u2
    y1_in, y2_in, z1_in, z2_in = v1 <= y1 <= v2, v1 <= y2 <= v2, w1 <= z1 <= w2, w1 <= z2 <= w2
    holds = {
        1: x < u1 or x > u2 or z2 < w1 or z1 > w2 or y2 < v1 or y1 > v2,
        2: meets and y1_in and y2_in and z2_in and z1 < w1,
        3: meets and y1_in and y2 > v2 and z2_in and z1 < w1,
        4: meets and y2_in and y1 < v1 and z2_in and z1 < w1,
        5: meets and y1_in and y2_in and z1_in and z2 > w2,
        6: meets and y1_in and y2 > v2 and z1_in and z2 > w2,
        7: meets and y2_in and y1 < v1 and z1_in and z2 > w2,
        8: meets and y1_in and y2_in and z1 < w1 and z2 > w2,
        9: meets and y1_in and y2 > v2 and z1 < w1 and z2 > w2,
        10: meets and y2_in and y1 < v1 and z1 < w1 and z2 > w2,
        11: meets and y2 > v2 and y1 < v1 and z1 < w1 and z2 > w2,
        12: meets and y2 > v2 and y1 < v1 and z1 >= w1 and z2 <= w2,
        13: meets and y2 > v2 and y1 < v1 and z1 < w1 and z2_in,
        14: meets and y2 > v2 and y1 < v1 and z2 > w2 and z1_in,
        15: meets and y1_in and y2_in and z1_in and z2_in,
        16: meets and y1_in and y2 > v2 and z1_in and z2_in,
        17: meets and y2_in and y1 < v1 and z1_in and z2_in,
    }
    [case] = [number for number, condition in holds.items() if condition]
    return case


def pieces_of(case: int, plane: Plane, region: Corners) -> list[Plane]:
    """What 000 figure 3.3 leaves of a plane in each case, in the order in which it prints the pieces."""
    y1, z1, y2, z2 = plane
    _, v1, w1, _, v2, w2 = region
    pieces: dict[int, list[Plane]] = {
        1: [(y1, z1, y2, z2)],
        2: [(y1, z1, y2, w1 - 1)],
        3: [(y1, z1, y2, w1 - 1), (v2 + 1, w1, y2, z2)],
        4: [(y1, z1, y2, w1 - 1), (y1, w1, v1 - 1, z2)],
        5: [(y1, w2 + 1, y2, z2)],
        6: [(v2 + 1, z1, y2, w2), (y1, w2 + 1, y2, z2)],
        7: [(y1, z1, v1 - 1, w2), (y1, w2 + 1, y2, z2)],
        8: [(y1, z1, y2, w1 - 1), (y1, w2 + 1, y2, z2)],
        9: [(y1, z1, v2, w1 - 1), (v2 + 1, z1, y2, z2), (y1, w2 + 1, v2, z2)],
        10: [(y1, z1, v1 - 1, z2), (v1, z1, y2, w1 - 1), (v1, w2 + 1, y2, z2)],
        11: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2), (v1, z1, v2, w1 - 1), (v1, w2 + 1, v2, z2)],
        12: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2)],
        13: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2), (v1, z1, v2, w1 - 1)],
        14: [(y1, z1, v1 - 1, z2), (v2 + 1, z1, y2, z2), (v1, w2 + 1, v2, z2)],
        15: [],
        16: [(v2 + 1, z1, y2, z2)],
        17: [(y1, z1, v1 - 1, z2)],
    }
    return pieces[case]


# The cases whose last piece figure 3.4 puts aside as surely free: it lies beyond the region in z.
SETTLED = {5, 6, 7, 8, 9, 10, 11, 14}


class BusyList(Search):
    """000 figures 3.3 to 3.5 in 3D and figure 4.1 in 2D, gathering all that is left.

    A base is looked for right of every busy box; it is the lowest corner of what was gathered first. Figure
    4.1's conditions are damaged in the text: the five cases are that a line and a region do not meet, or the
    line sticks out below, above, on both sides or not at all.
    """

    def ordered(self) -> list[Corners]:
        """The busy boxes in decreasing order of the end's last coordinate; equals in the order they came."""
        corners = [(x, y, z, x + w - 1, y + d - 1, z + h - 1) for (x, y, z, w, d, h), _ in self.given]
        return sorted(corners, key=lambda box: -box[4 if self.flat else 5])

    def find(self, size: Size) -> Found:
        """Figure 3.5: the first orientation that leaves a node on some plane."""
        for turn in self.turns(size):
            for base in self.gathered_lines(turn) if self.flat else self.gathered_planes(turn):
                return Found((*base, *turn), 0)
        return Found(None, 0)

    def gathered_planes(self, turn: Size) -> Iterator[Node]:
        """Figure 3.4: the lowest corners of RBP_Nodes, in the order in which they enter it."""
        (a, b, c), (w, d, h) = turn, self.extents
        busy = self.ordered()
        for x1, y1, z1, x2, y2, z2 in [(-1, 0, 0, -1, d - 1, h - 1), *busy]:
            del x1
            x = x2 + 1
            plane = (max(y1 - b + 1, 0), max(z1 - c + 1, 0), min(y2, d - b), min(z2, h - c))
            if x > w - a or plane[0] > plane[2] or plane[1] > plane[3]:
                continue
            settled, left = [], [plane]
            for p1, q1, r1, p2, q2, r2 in busy:
                region = (max(p1 - a + 1, 0), max(q1 - b + 1, 0), max(r1 - c + 1, 0), p2, q2, r2)
                kept: list[Plane] = []
                for piece in left:
                    case = case_of(x, piece, region)
                    pieces = pieces_of(case, piece, region)
                    if case in SETTLED or (case == 1 and piece[1] > r2):
                        settled.append(pieces.pop())
                    kept.extend(pieces)
                left = kept
            yield from ((x, piece[0], piece[1]) for piece in settled + left)

    def gathered_lines(self, turn: Size) -> Iterator[Node]:
        """Figure 4.1: the lower ends of RBL_Nodes, in the order in which they enter it."""
        (a, b, _), (w, length, _) = turn, self.extents
        busy = self.ordered()
        for _, y1, _, x2, y2, _ in [(-1, 0, 0, -1, length - 1, 0), *busy]:
            x, low, high = x2 + 1, max(y1 - b + 1, 0), min(y2, length - b)
            if x > w - a or low > high:
                continue
            settled = None
            for p1, q1, _, p2, q2, _ in busy:
                left, bottom = max(p1 - a + 1, 0), max(q1 - b + 1, 0)
                apart = not left <= x <= p2 or high < bottom or low > q2  # case 1
                if apart and low <= q2:
                    continue
                if apart:
                    settled = (x, low, 0)
                    break
                sticks_out_below, sticks_out_above = low < bottom, high > q2
                if sticks_out_above:  # cases 3 and 4: what is above is surely free
                    settled = (x, q2 + 1, 0)
                    break
                if not sticks_out_below:  # case 5
                    break
                high = bottom - 1  # case 2
            else:
                settled = (x, low, 0)
            if settled is not None:
                yield settled


class TurningBusyList(BusyList):
    """The same, turned if need be."""

    rotates = True


OPTIONS: tuple[dict[str, object], ...] = ({}, {"detection": "all-planes"})
TWINS = {"bl": Twin(BusyList, OPTIONS), "tbl": Twin(TurningBusyList, OPTIONS)}
