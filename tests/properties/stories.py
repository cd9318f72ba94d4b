"""Leads a strategy and its naive twin through the same story: jobs that ask and leave, on small meshes."""

from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import prod
from typing import NamedTuple

from hypothesis import strategies as st

from meshgui.conformance import Ask, Leave, Story, StoryRun
from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.scenario.specs import SHORTEST_RING
from tests.twins import TWINS
from tests.twins.base import Reserved

FLAT = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)), st.sampled_from([(4, 4), (8, 8), (8, 4), (2, 2)])
)
DEEP = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
_SERVICES = 12
_WRAPS = {"torus3d": (True, True, True)}


class Case(NamedTuple):
    """A strategy with some options."""

    name: str
    options: tuple[tuple[str, object], ...]

    def __str__(self):
        return "-".join([self.name, *(f"{key}={value}" for key, value in self.options)])

    def __hash__(self):  # an option may be a list
        return hash(str(self))

    def make(self, mesh):
        """The strategy at work on an empty mesh."""
        cls = strategy(self.name)
        return cls(mesh, cls.options_model(**dict(self.options)))


CASES = [Case(name, tuple(options.items())) for name, twin in TWINS.items() for options in twin.options]
FIRST_CASES = list(
    {case.name: case for case in reversed(CASES)}.values()
)  # one a strategy, its first options


def mesh_for(name):
    """A mesh that a strategy works on; one that works on tori alone gets one."""
    flat = 2 in strategy(name).dims
    return Mesh((8, 8) if flat else (8, 8, 8) if name == "bluegene" else (4, 4, 4), _WRAPS.get(name, ()))


@cache
def _meshes(case, shape):
    """The meshes of a shape that the strategy works on, with rings where an axis is long enough."""
    cls = strategy(case.name)
    wraps = product(*((False, True) if side >= SHORTEST_RING else (False,) for side in shape))
    meshes = [Mesh(shape, wrap if any(wrap) else ()) for wrap in wraps]
    return [mesh for mesh in meshes if cls.unfit(mesh, cls.options_model(**dict(case.options))) is None]


@cache  # to make a Hypothesis strategy takes longer than to draw from it
def stories(case, least=8, most=30):
    """Meshes the strategy works on, and acts between these limits, twice as many requests as departures."""
    dims = strategy(case.name).dims
    shapes = TWINS[case.name].shapes
    if shapes is None:
        shapes = st.one_of(*([FLAT] if 2 in dims else []), *([DEEP] if 3 in dims else []))
    meshes = shapes.filter(partial(_meshes, case)).map(partial(_meshes, case)).flatmap(st.sampled_from)
    told = meshes.flatmap(partial(_on, least=least, most=most))
    asks = TWINS[case.name].asks
    return told if asks is None else told.map(partial(_asking, partial(asks, dict(case.options))))


def _asking(asks, story):
    """The story with sizes that the strategy takes in place of those drawn."""
    acts = [act._replace(size=asks(act.size)) if isinstance(act, Ask) else act for act in story.acts]
    return Story(story.mesh, acts)


@cache
def _on(mesh, *, least, most):
    return _acts(mesh.extents, least, most).map(partial(Story, mesh))


@cache
def _acts(extents, least, most):
    small = tuple((n + 1) // 2 for n in extents)
    numbers = st.integers(0, 3 * _SERVICES * prod(extents) - 1)
    return st.lists(numbers.map(partial(_act, extents, small)), min_size=least, max_size=most)


def _act(extents, small, number):
    """The act of a number: a third are small requests, a third any, a third departures.

    One number is drawn several times faster than the sides of a box.
    """
    number, kind = divmod(number, 3)
    if kind == 2:
        return Leave(number)
    number, service = divmod(number, _SERVICES)
    _, size = digits(number, extents if kind else small)
    return Ask(tuple(1 + side for side in size), 1.0 + service)


def digits(number, counts):
    """What is left of a number, and its digits, each below one of the counts."""
    found = []
    for count in counts:
        number, digit = divmod(number, count)
        found.append(digit)
    return number, tuple(found)


@dataclass
class AnswerBeside:
    """What a request got, the state in which it was made, and the twin's answer."""

    request: Request
    before: dict
    outcome: object
    expected: object


class Stage(StoryRun):
    """The strategy at work in a story, and its twin beside it."""

    def __init__(self, case, mesh, *, seed=5):
        super().__init__(case.make, mesh, seed)
        self.twin = TWINS[case.name].make(mesh.extents, mesh.dims == 2, dict(case.options))
        self.twin.rings = mesh.rings

    def ask(self, request):
        answer = super().ask(request)
        expected = self.twin.allocate(request.job, request.size, request.now, request.service, request.seed)
        return AnswerBeside(answer.request, answer.before, answer.outcome, expected)

    def leave(self, which):
        job = self.present[which % len(self.present)]
        departure = super().leave(which)
        self.twin.release(job)
        return departure

    def start_due(self):
        if hasattr(self.twin, "due"):
            assert tuple(self.twin.due()) == tuple(self.working.due())
        yield from super().start_due()


def plain(outcome):
    """An answer of the engine in the twin's words."""
    if outcome is None:
        return None
    if isinstance(outcome, Reservation):
        return Reserved(tuple(outcome.box))
    return [tuple(box) for box in outcome]
