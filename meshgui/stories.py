"""Stories: jobs that ask for processors and leave on a small mesh, and the run of a strategy through one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar, get_args, get_origin

import numpy as np

from meshgui.engine.allocation.base import Allocation, Options, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.translation import tr

ROOMY = 1 << 15  # rows of a log that holds the steps of any attempt on a small mesh

_MESHES: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((4, 4), (8, 8), (5, 3), (6, 1), (7, 7), (2, 2)),
    3: ((4, 4, 4), (2, 3, 4), (2, 2, 2), (3, 3, 1)),
}

_LARGER: dict[int, tuple[tuple[int, ...], ...]] = {2: ((16, 16), (32, 32)), 3: ((8, 8, 8), (16, 16, 16))}
_SHORTEST_RING = 3


M = TypeVar("M", bound=Part)


class PropertyError(AssertionError):
    """A property that does not hold, with what was found."""


class Ask(NamedTuple):
    """A job asks for processors, and states how long it will hold them."""

    size: Size
    service: float


class Leave(NamedTuple):
    """One of the jobs on the machine leaves; skipped on an empty machine."""

    which: int


Acts = Sequence[Ask | Leave]


Maker = Callable[[Mesh], Strategy]


class Story(NamedTuple):
    """A mesh, and what happens on it."""

    mesh: Mesh
    acts: list[Ask | Leave]


class Answer(NamedTuple):
    """What a request got, and the state in which it was made."""

    request: Request
    before: State
    outcome: Allocation


class Departure(NamedTuple):
    """A job that has left, and the state it left behind before it was released."""

    job: int
    before: State


class LoggedAttempt(NamedTuple):
    """The same request once more: its outcome, the state afterwards, the operations, and the log if any."""

    outcome: Allocation
    after: State
    operations: int
    log: StepLog | None


@dataclass
class StoryRun:
    """A strategy at work in a story, and the jobs on its machine."""

    make: Maker
    mesh: Mesh
    seed: int = 5
    present: list[int] = field(default_factory=list)
    held: dict[int, tuple[Box, ...]] = field(default_factory=dict)  # the boxes of every job on the machine
    pending: dict[int, Request] = field(default_factory=dict)  # those with a reservation
    events: list[str] = field(default_factory=list)  # in words

    def __post_init__(self) -> None:
        self.now, self.next_job = 0.0, 0
        self.working = self.make(self.mesh)
        self.other = self.make(self.mesh)  # repeats what the first one did
        self._repeated: tuple[Answer, list[LoggedAttempt]] | None = None

    def play(self, acts: Acts) -> Iterator[Answer]:
        """Let it happen; yield every answer."""
        return (event for event in self._act(acts) if not isinstance(event, Departure))

    def departures(self, acts: Acts) -> Iterator[Departure]:
        """Let it happen; yield every departure."""
        return (event for event in self._act(acts) if isinstance(event, Departure))

    def _act(self, acts: Acts) -> Iterator[Answer | Departure]:
        for act in acts:
            self.now += 1.0
            if isinstance(act, Ask):
                if self.working.refusal(act.size) is None:
                    request = Request(self.next_job, act.size, self.now, act.service, self.seed)
                    self.next_job += 1  # the first has number 0, as in a run
                    self.events.append(asks_for(request.job, act.size, self.mesh))
                    yield self.ask(request)
            elif self.present:
                yield self.leave(act.which)
                yield from self.start_due()

    def ask(self, request: Request) -> Answer:
        """Have a job ask."""
        before = self.working.capture()
        outcome = self.working.allocate(request)
        if isinstance(outcome, Reservation):
            self.pending[request.job] = request
        elif outcome is not None:
            self.present.append(request.job)
            self.held[request.job] = outcome
        return Answer(request, before, outcome)

    def leave(self, which: int) -> Departure:
        """Have one of the jobs leave."""
        before = self.working.capture()
        job = self.present.pop(which % len(self.present))
        self.events.append(tr("job {job} leaves").format(job=job))
        del self.held[job]
        self.working.release(job)
        return Departure(job, before)

    def start_due(self) -> Iterator[Answer]:
        """Ask again for the jobs whose reservation is due; yield the answers."""
        for job in self.working.due():
            require(
                job in self.pending, tr("job {job} is due, for which nothing is reserved").format(job=job)
            )
            self.events.append(tr("job {job} is due").format(job=job))
            answer = self.ask(self.pending.pop(job)._replace(now=self.now))
            given = answer.outcome is not None and not isinstance(answer.outcome, Reservation)
            require(given, tr("job {job} did not get what was reserved for it").format(job=job))
            yield answer

    def empty(self) -> None:
        """Let all jobs leave, those with reservations after their turn."""
        while self.present:
            self.leave(0)
            for _ in self.start_due():
                pass
        waiting = ", ".join(map(str, self.pending))
        require(
            not self.pending, tr("what is reserved for job {waiting} never came due").format(waiting=waiting)
        )

    def repeated(self, answer: Answer) -> list[LoggedAttempt]:
        """The request once more from the same state: with a log, with one that is too small, and without."""
        if self._repeated is None or self._repeated[0] is not answer:
            attempts = []
            for log in (StepLog(ROOMY), StepLog(2), None):
                self.other.restore(answer.before)
                operations = self.other.operations
                outcome = self.other.allocate(answer.request, log)
                spent = self.other.operations - operations
                attempts.append(LoggedAttempt(outcome, self.other.capture(), spent, log))
            self._repeated = answer, attempts
        return self._repeated[1]


def asks_for(job: int, size: Size, mesh: Mesh) -> str:
    """A request, in words."""
    return tr("job {job} asks for {describe_size}").format(
        job=job, describe_size=describe_size(size, mesh.dims)
    )


def same_state(one: State, other: State) -> bool:
    """Whether two captured states hold the same arrays."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and np.array_equal(one[key], other[key]) for key in one
    )


def random_story(mesh: Mesh, rng: np.random.Generator) -> Story:
    """Twice as many requests as departures, half of the requests small."""
    acts: list[Ask | Leave] = []
    for _ in range(int(rng.integers(8, 30))):
        if rng.random() < 1 / 3:
            acts.append(Leave(int(rng.integers(50))))
            continue
        most = mesh.extents if rng.random() < 0.5 else tuple((n + 1) // 2 for n in mesh.extents)
        w, d, h = (int(rng.integers(1, n + 1)) for n in most)
        acts.append(Ask((w, d, h), float(rng.integers(1, 13))))
    return Story(mesh, acts)


class DrawnStory(NamedTuple):
    """A story drawn at random, and the options to play it with."""

    options: Options
    story: Story


def drawn_stories(cls: type[Strategy], stories: int) -> Iterator[DrawnStory | None]:
    """Stories, the same every time, that go through the choices of a strategy's options.

    None where it works on none of the small meshes with the options whose turn it is.
    """
    rng = np.random.default_rng(2026)
    choices = option_choices(cls)
    for number in range(max(stories, len(choices))):
        options = choices[number % len(choices)]
        meshes = small_meshes(cls, options)
        yield (
            DrawnStory(options, random_story(meshes[int(rng.integers(len(meshes)))], rng)) if meshes else None
        )


def option_choices(cls: type[Strategy]) -> list[Options]:
    """The default options, and every other choice of each option that has a few."""
    return choices_of(cls.options_model)


def choices_of(model: type[M]) -> list[M]:
    """The same of a model of options."""
    default = model()
    found = [default]
    for name, info in model.model_fields.items():
        hint = info.annotation
        values: tuple[object, ...] = (False, True) if hint is bool else ()
        values = get_args(hint) if get_origin(hint) is Literal else values
        found += [model(**{name: value}) for value in values if value != getattr(default, name)]
    return found


def small_meshes(cls: type[Strategy], options: Options) -> list[Mesh]:
    """The smallest meshes that a strategy works on with these options."""
    for shapes in (_MESHES, _LARGER):
        plain = [Mesh(shape) for dims in sorted(cls.dims) for shape in shapes[dims]]
        tori = [Mesh(mesh.shape, (True,) * mesh.dims) for mesh in plain if min(mesh.shape) >= _SHORTEST_RING]
        meshes = plain + [torus for torus in tori if cls.crosses_seams(options, torus)]
        if fitting := [mesh for mesh in meshes if cls.unfit(mesh, options) is None]:
            return fitting
    return []


def require(holds: object, found: str) -> None:
    """Raise a PropertyError with what was found unless something holds."""
    if not holds:
        raise PropertyError(found)


def numbers(counts: set[int]) -> str:
    """Counts that should be one, in words."""
    return " and ".join(map(str, sorted(counts)))
