"""Draws the runs that exercises ask about: a few jobs on a small machine, of whole numbers alone."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh, Size
from meshgui.engine.basics.guard import StrategyError, long_calls
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.exercises.exercise import Draw, ExerciseError, ExerciseKey

_LOTS_DRAWN: Final = 33  # one free processor of two would be drawn so often in 1 of 2³² cases
_JOBS: Final = 24
_JOBS_IN_NETWORK: Final = 10
_TRIES: Final = 16
_SHAPES: Final = ((8, 8), (4, 4, 4), (8, 8, 8), (16, 16), (16, 16, 16))


def usual_shape(name: str) -> tuple[int, ...]:
    """The shape of a small mesh on which a strategy works, and gives parts of it to jobs of several sizes."""
    cls = _strategy(name)
    with long_calls():
        for shape in _SHAPES:
            mesh, options = _machine(cls, shape), cls.options_model()
            if cls.unfit(mesh, options) is not None:
                continue
            machine = cls(mesh, options)
            if machine.granted((1, 1, 1)) < mesh.processors and len(_sizes(machine)) > 1:
                return shape
    raise ExerciseError(
        tr("{name} does not work on the small meshes of exercises: expected a shape for it").format(name=name)
    )


def drawn_run(key: ExerciseKey, draw: Draw) -> Recording:
    """The run of drawn jobs with the strategy of a key."""
    try:
        with long_calls():
            return simulate(_scenario(key, draw))
    except RunError as error:
        raise ExerciseError(str(error)) from None


def attempts_asked_about(recording: Recording, draw: Draw, *outcomes: AttemptOutcome) -> list[int]:
    """Attempts with these outcomes to ask about, in a random order, those on a busy machine first.

    The second attempt for a job whose box was reserved is none to ask about.
    """
    found = [
        number
        for number, (position, job, outcome) in enumerate(recording.attempts)
        if outcome in outcomes and recording.reserved[job] >= position
    ]
    draw.shuffle(found)
    busy = {n: len(recording.snapshot(recording.attempts[n].position).running) for n in found}
    return sorted(found, key=lambda n: busy[n] < min(3, max(busy.values())))


def draws_lots(recording: Recording, attempt: int) -> bool:
    """Whether the strategy places the job by lot, so that no one can say where."""
    position, job, _ = recording.attempts[attempt]
    request, placed = recording.request(attempt), [tuple(box) for box in recording.boxes_of(job)]
    machine = recording.strategy_at(position)
    before = machine.capture()
    for other in range(1, _LOTS_DRAWN):
        machine.restore(before)
        outcome = machine.allocate(request._replace(seed=request.seed + other))
        if outcome is None or [tuple(box) for box in outcome] != placed:
            return True
    return False


def _strategy(name: str) -> type[Strategy]:
    try:
        return strategy(name)
    except StrategyError as error:
        raise ExerciseError(str(error)) from None


def _machine(cls: type[Strategy], shape: tuple[int, ...]) -> Mesh:
    """The mesh of that shape, or the torus for a strategy that works on it alone."""
    mesh, torus = Mesh(shape), Mesh(shape, (True,) * len(shape))
    works = cls.unfit(mesh, cls.options_model()) is not None and cls.unfit(torus, cls.options_model()) is None
    return torus if works else mesh


def _scenario(key: ExerciseKey, draw: Draw) -> Scenario:
    network = key.kind == "packet"
    cls = _strategy(key.strategy)
    mesh = _machine(cls, key.shape)
    if (fault := cls.unfit(mesh, cls.options_model())) is not None:
        raise ExerciseError(fault)
    machine = cls(mesh, cls.options_model())
    arrival, jobs = 0, []
    for _ in range(_JOBS_IN_NETWORK if network else _JOBS):
        size = _size(machine, draw, smaller=key.kind == "whole")[: mesh.dims]
        job: dict[str, Any] = {"arrival": arrival, "size": list(size)}
        job |= {"messages": 4 + draw.below(8)} if network else {"service": 8 + draw.below(17)}
        jobs.append(job)
        arrival += 1 + draw.below(20 if network else 2)
    data: dict[str, Any] = {
        "meshgui": 1,
        "title": tr("Exercise"),
        "mesh": {"shape": list(mesh.shape), "wrap": list(mesh.wrap)},
        "allocator": {"name": key.strategy},
        "workload": {"kind": "list", "jobs": jobs},
        "seed": draw.below(2**31),
    }
    return scenario_from(data | ({"network": {"pattern": "random"}} if network else {}), str(key))


def _size(machine: Strategy, draw: Draw, *, smaller: bool) -> Size:
    """A request of up to half of each side, or somewhat more; one that the empty machine can satisfy.

    Of several processors: where a single one goes, there is too little to find out. Where many are to be
    placed, most are smaller, so that there are several in the machine at a time.
    """
    most = _most(machine.mesh)
    for _ in range(_TRIES):
        w, d, h = (
            1 + (min(draw.below(side), draw.below(side)) if smaller else draw.below(side)) for side in most
        )
        if w * d * h > 1 and machine.refusal((w, d, h)) is None:
            return w, d, h
    return draw.one_of(_sizes(machine) or [(1, 1, 1)])


def _sizes(machine: Strategy) -> list[Size]:
    """All that jobs may ask for; there are few where a strategy has sizes of its own."""
    w, d, h = (range(1, side + 1) for side in _most(machine.mesh))
    return [size for size in product(w, d, h) if size != (1, 1, 1) and machine.refusal(size) is None]


def _most(mesh: Mesh) -> list[int]:
    """The longest sides that are asked for."""
    return [max(1, (side + 2) // 2) for side in mesh.extents]
