"""Leads a strategy and its naive twin through the same story: jobs that ask and leave, on small meshes."""

from math import prod
from typing import NamedTuple

from hypothesis import strategies as st

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.geometry import Box, Mesh
from tests import naive
from tests.twins import TWINS
from tests.twins.base import Reserved

FLAT = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)), st.sampled_from([(4, 4), (8, 8), (8, 4), (2, 2)])
)
DEEP = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))


class Case(NamedTuple):
    """A strategy with some options."""

    name: str
    options: tuple[tuple[str, object], ...]

    def __str__(self):
        return "-".join([self.name, *(f"{key}={value}" for key, value in self.options)])

    def make(self, mesh):
        """The strategy at work on an empty mesh."""
        cls = strategy(self.name)
        return cls(mesh, cls.options_model(**dict(self.options)))


CASES = [Case(name, tuple(options.items())) for name, twin in TWINS.items() for options in twin.options]
FIRST_CASES = list(
    {case.name: case for case in reversed(CASES)}.values()
)  # one a strategy, its first options


class Ask(NamedTuple):
    """A job asks for processors, and states how long it will hold them."""

    size: tuple[int, int, int]
    service: float


class Leave(NamedTuple):
    """One of the jobs on the machine leaves; skipped on an empty machine."""

    which: int


class Story(NamedTuple):
    """A mesh, and what happens on it."""

    mesh: Mesh
    acts: list[Ask | Leave]


def _works(case, shape):
    cls = strategy(case.name)
    return cls.unfit(Mesh(shape), cls.options_model(**dict(case.options))) is None


def stories(case, least=8, most=30):
    """Meshes the strategy works on, and between so many acts, twice as many requests as departures."""
    dims = strategy(case.name).dims
    shapes = TWINS[case.name].shapes
    if shapes is None:
        shapes = st.one_of(*([FLAT] if 2 in dims else []), *([DEEP] if 3 in dims else []))

    @st.composite
    def story(draw):
        mesh = Mesh(draw(shapes.filter(lambda shape: _works(case, shape))))
        sides = st.tuples(*(st.integers(1, n) for n in mesh.extents))
        small = st.tuples(*(st.integers(1, (n + 1) // 2) for n in mesh.extents))
        services = st.integers(1, 12).map(float)
        ask = st.builds(Ask, st.one_of(small, sides), services)
        act = st.one_of(ask, ask, st.builds(Leave, st.integers(0, 50)))
        return Story(mesh, draw(st.lists(act, min_size=least, max_size=most)))

    return story()


class Answer(NamedTuple):
    """What a request got, and the state in which it was made."""

    request: Request
    before: dict
    outcome: object
    expected: object  # the twin's answer


class Stage:
    """The strategy at work, its twin beside it, and who is on the machine."""

    def __init__(self, case, mesh, *, twin=True, seed=5):
        self.mesh, self.seed = mesh, seed
        self.working = case.make(mesh)
        maker = TWINS[case.name].make
        self.twin = maker(mesh.extents, mesh.dims == 2, dict(case.options)) if twin else None
        self.present, self.pending = [], {}
        self.now, self.next_job = 0.0, 0
        self.held = {}  # the boxes of every job on the machine

    def play(self, acts):
        """Let it happen; yield every answer."""
        for act in acts:
            self.now += 1.0
            if isinstance(act, Ask):
                if self.working.refusal(act.size) is None:
                    request = Request(self.next_job, act.size, self.now, act.service, self.seed)
                    self.next_job += 1  # the first has number 0, as in a run
                    yield self._ask(request)
            elif self.present:
                self.leave(act.which)
                yield from self.start_due()

    def _ask(self, request):
        before = self.working.capture()
        outcome = self.working.allocate(request)
        expected = None
        if self.twin is not None:
            expected = self.twin.allocate(
                request.job, request.size, request.now, request.service, request.seed
            )
        if isinstance(outcome, Reservation):
            self.pending[request.job] = request
        elif outcome is not None:
            self.present.append(request.job)
            self.held[request.job] = outcome
        return Answer(request, before, outcome, expected)

    def leave(self, which):
        """One of the jobs leaves."""
        job = self.present.pop(which % len(self.present))
        del self.held[job]
        self.working.release(job)
        if self.twin is not None:
            self.twin.release(job)

    def start_due(self):
        """Ask again for the jobs whose reservation has come due; yield the answers."""
        due = self.working.due()
        if self.twin is not None and hasattr(self.twin, "due"):
            assert tuple(self.twin.due()) == tuple(due)
        for job in due:
            asked = self.pending.pop(job)
            answer = self._ask(asked.__class__(job, asked.size, self.now, asked.service, asked.seed))
            assert isinstance(answer.outcome, tuple)
            yield answer

    def empty(self):
        """Let all jobs go, those with reservations after they have had their turn."""
        while self.present:
            self.leave(0)
            for _ in self.start_due():
                pass
        assert not self.pending


def plain(outcome):
    """An answer of the engine in the twin's words."""
    if outcome is None:
        return None
    if isinstance(outcome, Reservation):
        return Reserved(tuple(outcome.box))
    return [tuple(box) for box in outcome]


def sound(stage, answer):
    """Hold an answer to what every strategy owes: boxes inside the mesh, apart, free, as many as granted."""
    if isinstance(answer.outcome, Reservation):
        assert stage.mesh.holds(answer.outcome.box)
        return
    if answer.outcome is None:
        return
    boxes, working = answer.outcome, stage.working
    assert all(isinstance(box, Box) and stage.mesh.holds(box) for box in boxes)
    nodes = [node for box in boxes for node in naive.nodes(tuple(box))]
    others = [held for job, held in stage.held.items() if job != answer.request.job]
    taken = {node for held in others for box in held for node in naive.nodes(tuple(box))}
    assert len(nodes) == len(set(nodes)) == working.granted(answer.request.size)
    assert taken.isdisjoint(nodes)
    assert len(nodes) >= prod(answer.request.size)
    if working.contiguous:
        assert len(boxes) == 1
