"""Hypothesis strategies that lead a mesh through many states, and a bench to compare a strategy on."""

from typing import NamedTuple

from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive

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


@st.composite
def worlds(draw, least=12, most=30):
    """A mesh and a sequence of at least `least` acts, which is as many states."""
    mesh = Mesh(draw(SHAPES))
    extents = mesh.extents
    sides = st.tuples(*(st.integers(1, n) for n in extents))
    # A request may be too long for the mesh as it is asked, but never in all orientations.
    turned = sides.flatmap(lambda size: st.sampled_from(naive.turns(size, mesh.dims == 2)))
    placed = sides.flatmap(
        lambda size: st.tuples(
            *(st.integers(0, m - n) for m, n in zip(extents, size, strict=True)),
            *(st.just((n + 1) // 2) for n in size),
        )
    )
    act = st.one_of(
        st.builds(Ask, turned),
        st.builds(Ask, turned),  # twice as often as the others: most checks are made at requests
        st.builds(Place, placed.map(lambda box: Box(*box))),
        st.builds(Leave, st.integers(0, 50)),
    )
    return World(mesh, draw(st.lists(act, min_size=least, max_size=most)))


class Bench:
    """A strategy at work, its naive twin beside it, and who is on the machine."""

    def __init__(self, name: str, mesh: Mesh) -> None:
        self.working = strategy(name)(mesh)
        self.twin = naive.allocator(name, mesh.extents, flat=mesh.dims == 2)
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
