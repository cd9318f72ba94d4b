"""Hypothesis strategies that lead a mesh through many states, and a bench to compare a strategy on."""

from functools import cache, partial
from typing import NamedTuple

from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.twins import TWINS

NAMES = ("ff", "tff", "bl", "tbl")

# Small enough for brute force, with flat, thin and uneven machines among them.
SHAPES = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)),
)


class Ask(NamedTuple):
    """A job asks for processors."""

    size: tuple[int, int, int]


class Place(NamedTuple):
    """A box is held from now on, wherever the strategy would have put it; skipped where it is not free."""

    box: Box


class Leave(NamedTuple):
    """One of the jobs on the machine leaves; skipped on an empty machine."""

    which: int


class World(NamedTuple):
    """A mesh, and what happens on it."""

    mesh: Mesh
    acts: list[Ask | Place | Leave]


def worlds(least=12, most=30):
    """A mesh and a sequence of at least `least` acts, which is as many states."""
    return SHAPES.map(Mesh).flatmap(lambda mesh: _acts(mesh, least, most).map(partial(World, mesh)))


@cache  # to make a Hypothesis strategy takes longer than to draw from it
def _acts(mesh, least, most):
    numbers = st.integers(0, 4 * mesh.processors * max(mesh.processors, 6) - 1)
    return st.lists(numbers.map(partial(_act, mesh)), min_size=least, max_size=most)


def _act(mesh, number):
    """The act of a number: half are requests, as most checks are made at these, a quarter boxes held.

    One number is drawn several times faster than the sides of a box.
    """
    number, kind = divmod(number, 4)
    if kind == 3:
        return Leave(number)
    number, size = digits(number, mesh.extents)
    sides = tuple(1 + side for side in size)
    if kind < 2:
        # A request may be too long for the mesh as it is asked, but never in all orientations.
        turns = naive.turns(sides, mesh.dims == 2)
        return Ask(turns[number % len(turns)])
    _, base = digits(number, [m - n for m, n in zip(mesh.extents, size, strict=True)])
    return Place(Box(*base, *((n + 1) // 2 for n in sides)))


def digits(number, counts):
    """What is left of a number, and its digits, each below one of the counts."""
    found = []
    for count in counts:
        number, digit = divmod(number, count)
        found.append(digit)
    return number, tuple(found)


class Bench:
    """A strategy at work, its naive twin beside it, and who is on the machine."""

    def __init__(self, name: str, mesh: Mesh) -> None:
        self.working = strategy(name)(mesh)
        self.twin = TWINS[name].make(mesh.extents, mesh.dims == 2, {})
        self.present: list[int] = []
        self.next_job = 0

    def request(self, size: tuple[int, int, int]) -> Request:
        """The next job's request."""
        self.next_job += 1
        return Request(self.next_job - 1, size)  # the first has number 0, as in a run

    def take(self, request: Request, box: Box) -> None:
        """Tell the twin what the strategy has given."""
        self.twin.place(request.job, tuple(box))
        self.present.append(request.job)

    def place(self, box: Box) -> None:
        """Hold a box if it is free."""
        if naive.is_free(self.twin.held, tuple(box)):
            request = self.request(box.size)
            self.working.replay(request, (box,))
            self.take(request, box)

    def leave(self, which: int) -> None:
        """Let a job go if there is one."""
        if self.present:
            job = self.present.pop(which % len(self.present))
            self.working.release(job)
            self.twin.release(job)

    def empty(self) -> None:
        """Let all jobs go."""
        while self.present:
            self.leave(0)


def same_state(one, other):
    """Whether two captured states hold the same arrays."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and one[key].tolist() == other[key].tolist() for key in one
    )
