"""Paging in obvious Python: curves by recursion, runs and sets by listing them all."""

from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from tests.naive import volume
from tests.twins.base import Naive, Twin


def quarters(side, sequence):
    """The cells of a square, its quarters in this sequence, and the same within each."""
    if side == 1:
        return [(0, 0)]
    half = side // 2
    inner = quarters(half, sequence)
    return [(x + right * half, y + upper * half) for right, upper in sequence for x, y in inner]


def hilbert(side):
    """Four smaller curves: the first and the last turned over, so that ends meet."""
    if side == 1:
        return [(0, 0)]
    half = side // 2
    inner = hilbert(half)
    return (
        [(y, x) for x, y in inner]
        + [(x, y + half) for x, y in inner]
        + [(x + half, y + half) for x, y in inner]
        + [(side - 1 - y, half - 1 - x) for x, y in inner]
    )


def centroid(x, y):
    """A point of the triangle that stands for a cell in the H-index.

    A 2×2 block is cut by its diagonals; its lower left cell takes the left triangle where the number of the
    block is even and the lower one where it is odd, and the others follow round about.
    """
    bx, by = x // 2 * 2 + 1, y // 2 * 2 + 1
    right, upper = x % 2, y % 2
    left, low, far, high = (-1, 0), (0, -1), (1, 0), (0, 1)
    if (x // 2 + y // 2) % 2 == 0:
        side = {(0, 0): left, (0, 1): high, (1, 1): far, (1, 0): low}[right, upper]
    else:
        side = {(0, 0): low, (0, 1): left, (1, 1): high, (1, 0): far}[right, upper]
    return bx + side[0] * Fraction(2, 3), by + side[1] * Fraction(2, 3)


def inside(point, triangle):
    """Whether a point lies strictly in a triangle."""
    turns = set()
    for (x1, y1), (x2, y2) in zip(triangle, triangle[1:] + triangle[:1], strict=True):
        turn = (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)
        turns.add(0 if turn == 0 else (1 if turn > 0 else -1))
    return len(turns) == 1 and 0 not in turns


def h_index(side):
    """Each cell is looked for in the halves of halves of the square; the way there is its number."""
    if side == 1:
        return [(0, 0)]

    def way(x, y):
        point = centroid(x, y)
        halves = [[(0, 0), (side, side), (0, side)], [(side, side), (0, 0), (side, 0)]]
        taken = []
        while 4 ** (side.bit_length() - 1) > 2 ** len(taken):
            which = [inside(point, half) for half in halves].index(True)
            taken.append(which)
            enter, leave, corner = halves[which]
            middle = (Fraction(enter[0] + leave[0], 2), Fraction(enter[1] + leave[1], 2))
            halves = [[enter, corner, middle], [corner, leave, middle]]
        return taken

    return sorted(((x, y) for x in range(side) for y in range(side)), key=lambda cell: way(*cell))


def snake(columns, rows):
    """There and back again."""
    return [(x if y % 2 == 0 else columns - 1 - x, y) for y in range(rows) for x in range(columns)]


@cache
def ordered(order, columns, rows):
    """The pages of a grid: those of the enclosing square that lie in it."""
    if order == "row-major":
        return [(x, y) for y in range(rows) for x in range(columns)]
    if order == "snake":
        return snake(columns, rows)
    side = 1
    while side < max(columns, rows):
        side *= 2
    square = {
        "shuffled-row-major": lambda: quarters(side, [(0, 0), (1, 0), (0, 1), (1, 1)]),
        "shuffled-snake": lambda: quarters(side, [(0, 0), (1, 0), (1, 1), (0, 1)]),
        "hilbert": lambda: hilbert(side),
        "h-index": lambda: h_index(side),
    }[order]()
    return [(x, y) for x, y in square if x < columns and y < rows]


def cube_curve(side, corner=(0, 0, 0), a=(1, 0, 0), b=(0, 1, 0), c=(0, 0, 1)):
    """Eight smaller curves in a cube with these axes, each with axes of its own, so that ends meet."""
    if side == 1:
        return [corner]
    half = side // 2

    def part(run, *backwards_or_up):
        """The curve in an octant: its own axes, and along which of the cube's axes it lies behind."""
        axes = [tuple(sign * n for n in (a, b, c)[which]) for which, sign in run]
        lower = list(corner)
        for axis in backwards_or_up:
            lower = [n + half * m for n, m in zip(lower, axis, strict=True)]
        # a backwards axis begins at the octant's far end
        for which, sign in run:
            if sign < 0:
                lower = [n + (half - 1) * m for n, m in zip(lower, (a, b, c)[which], strict=True)]
        return cube_curve(half, tuple(lower), *axes)

    return (
        part([(1, 1), (2, 1), (0, 1)])
        + part([(2, 1), (0, 1), (1, 1)], a)
        + part([(2, 1), (0, 1), (1, 1)], a, b)
        + part([(0, -1), (1, -1), (2, 1)], b)
        + part([(0, -1), (1, -1), (2, 1)], b, c)
        + part([(2, -1), (0, 1), (1, -1)], a, b, c)
        + part([(2, -1), (0, 1), (1, -1)], a, c)
        + part([(1, 1), (2, -1), (0, -1)], c)
    )


@cache
def cubes_in_order(order, columns, rows, layers):
    """The pages of a grid in 3D."""
    if order == "row-major":
        return [(x, y, z) for z in range(layers) for y in range(rows) for x in range(columns)]
    if order == "snake":
        layer, found = snake(columns, rows), []
        for z in range(layers):
            found += [(x, y, z) for x, y in layer]
            layer = layer[::-1]
        return found
    side = 1
    while side < max(columns, rows, layers):
        side *= 2
    return [(x, y, z) for x, y, z in cube_curve(side) if x < columns and y < rows and z < layers]


def runs(free):
    """The numbers, cut where one is missing."""
    found = []
    for number in free:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


class Paging(Naive):
    """001 §3.2 and the selections of 000 §2.2.2 and 003 §II."""

    def __init__(self, extents, flat, options):
        super().__init__(extents, flat, options)
        self.side = 2 ** options.get("size_index", 0)
        self.tall = 1 if flat else self.side
        width, length, height = extents
        order, across, along = options.get("order", "row-major"), width // self.side, length // self.side
        if flat:
            self.pages = [(x, y, 0) for x, y in ordered(order, across, along)]
        else:
            self.pages = cubes_in_order(order, across, along, height // self.side)

    def chosen(self, free, asked):
        """The numbers of the pages to take."""
        selection = self.options.get("selection", "take-first")
        if selection == "take-first":
            return free[:asked]
        enough = [run for run in runs(free) if len(run) >= asked]
        if enough and selection == "first-fit":
            return enough[0][:asked]
        if enough and selection == "best-fit":
            return min(enough, key=len)[:asked]
        sets = [free[begin : begin + asked] for begin in range(len(free) - asked + 1)]
        return min(sets, key=lambda numbers: numbers[-1] - numbers[0])

    def boxes_for(self, job, size, now, service, seed):
        held, side, tall = self.held, self.side, self.tall
        free = [n for n, (x, y, z) in enumerate(self.pages) if (x * side, y * side, z * tall) not in held]
        asked = -(-volume(size) // (side**2 * tall))
        if asked > len(free):
            return None
        places = [self.pages[n] for n in self.chosen(free, asked)]
        return [(x * side, y * side, z * tall, side, side, tall) for x, y, z in places]


ORDERS = ("row-major", "shuffled-row-major", "snake", "shuffled-snake", "hilbert", "h-index")
SELECTIONS = ("take-first", "first-fit", "best-fit", "minimum-interference")
OPTIONS = (
    {},
    *({"order": order, "selection": "best-fit"} for order in ORDERS),
    *({"order": "hilbert", "selection": selection} for selection in SELECTIONS if selection != "best-fit"),
    {"size_index": 1, "order": "h-index", "selection": "first-fit"},
    {"size_index": 2, "order": "shuffled-snake", "mapping": "row-major"},
    {"size_index": 3},
    {"size_index": 4, "selection": "minimum-interference"},
    {"size_index": 5},
)
SHAPES = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.tuples(st.sampled_from((4, 8, 12)), st.sampled_from((4, 8, 16))),
    st.sampled_from([(32, 32), (16, 16), (8, 8), (2, 6), (4, 2), (2, 4, 6), (4, 4, 4), (8, 8, 8)]),
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 5)),
)

TWINS = {"paging": Twin(Paging, OPTIONS, SHAPES)}
