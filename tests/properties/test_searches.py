"""The searches find what brute force finds, and the box and cost of their naive twins, whatever is held."""

from functools import cache, partial
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import same_state
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.stories import DEEP, digits
from tests.scale import cases
from tests.twins import TWINS

pytestmark = pytest.mark.kernel

NAMES = ("ff", "tff", "bl", "tbl")

# Small enough for brute force, with flat, thin and uneven machines among them.
SHAPES = st.one_of(st.tuples(st.integers(1, 7), st.integers(1, 7)), DEEP)


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


def worlds():
    """A mesh and a sequence of acts, which is as many states."""
    return SHAPES.map(Mesh).flatmap(lambda mesh: _acts(mesh).map(partial(World, mesh)))


@cache  # to make a Hypothesis strategy takes longer than to draw from it
def _acts(mesh):
    numbers = st.integers(0, 4 * mesh.processors * max(mesh.processors, 6) - 1)
    return st.lists(numbers.map(partial(_act, mesh)), min_size=12, max_size=30)


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


class Answer(NamedTuple):
    """What a strategy gave, and took for it."""

    size: tuple[int, int, int]
    box: Box | None
    operations: int
    log: StepLog | None


class Bench:
    """A strategy at work, its naive twin beside it, and who is on the machine."""

    def __init__(self, name: str, mesh: Mesh) -> None:
        self.working = strategy(name)(mesh)
        self.twin = TWINS[name].make(mesh.extents, mesh.dims == 2, {})
        self.present: list[int] = []
        self._jobs = 0

    def answers(self, acts, *, logged=False):
        """Let things happen; at each request yield what came out, before the twin learns of it."""
        for act in acts:
            if isinstance(act, Leave):
                self._leave(act.which)
                continue
            request = Request(self._jobs, act.box.size if isinstance(act, Place) else act.size)
            self._jobs += 1
            if isinstance(act, Ask):
                before, log = self.working.operations, StepLog(4096) if logged else None
                boxes = self.working.allocate(request, log)
                box = None if boxes is None else boxes[0]
                assert boxes in (None, (box,))
                yield Answer(request.size, box, self.working.operations - before, log)
            elif box := act.box if naive.is_free(self.twin.held, tuple(act.box)) else None:
                self.working.replay(request, (box,))
            if box is not None:
                self.twin.place(request.job, tuple(box))
                self.present.append(request.job)

    def _leave(self, which: int) -> None:
        if self.present:
            job = self.present.pop(which % len(self.present))
            self.working.release(job)
            self.twin.release(job)


@pytest.mark.parametrize("name", NAMES)
@cases(300)
@given(world=worlds())
def test_the_box_is_the_naive_twins_and_there_exactly_when_brute_force_finds_one(name, world):
    """In the first orientation that has a base; First Fit looks at as many nodes as 000 figure 2.5 does."""
    bench = Bench(name, world.mesh)
    for size, box, operations, _ in bench.answers(world.acts):
        extents, held = world.mesh.extents, bench.twin.held
        bases = {turn: naive.all_free_bases(held, extents, turn) for turn in bench.twin.turns(size)}
        first = next((turn for turn in bases if bases[turn]), None)
        assert (box and box.size) == first
        assert box is None or box.base in bases[first]
        expected = bench.twin.find(size)
        assert box == expected.box
        if name in {"ff", "tff"}:
            assert operations == expected.operations


@pytest.mark.parametrize("name", ["bl", "tbl"])
@cases(100)
@given(world=worlds())
def test_busy_list_costs_the_planes_it_takes_and_cuts(name, world):
    """An operation is a border plane taken, or a piece of it compared with a region, as the log tells."""
    bench = Bench(name, world.mesh)
    for answer in bench.answers(world.acts, logged=True):
        steps = list(answer.log.steps())
        labels = [bench.working.lines[step.line].label for step in steps]
        pieces = sum(
            1 if before == "cut" else len(step.marks) - 1
            for step, before, label in zip(steps, labels, labels[1:], strict=False)
            if label == "subtract"
        )
        assert answer.operations == labels.count("plane") + pieces


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_makes_room_for_every_step(name):
    """An attempt of more steps than the log first holds is traced whole, and takes effect once."""
    mesh = Mesh((48, 48))
    working, plain = strategy(name)(mesh), strategy(name)(mesh)
    for job, (x, y) in enumerate(product(range(0, 48, 3), range(0, 48, 6))):
        box = Box(x, y, 0, 1, 1, 1)
        working.replay(Request(job, box.size), (box,))
        plain.replay(Request(job, box.size), (box,))
    request = Request(1000, (3, 47, 1))
    trace = working.trace(request)
    assert len(trace.steps.rows) > 1024
    assert trace.boxes == plain.allocate(request)
    assert same_state(working.capture(), plain.capture())
    assert working.lines[trace.steps[-1].line].label in {"found", "fail"}
