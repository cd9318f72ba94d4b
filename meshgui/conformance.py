"""The properties that every allocation strategy owes: used by the tests and by `meshgui check`.

A story lets jobs ask for processors and leave on a small mesh. A property looks at each answer of a strategy,
or at a whole story, and raises a `PropertyError` with what it found in place of what is owed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from math import prod
from time import monotonic
from typing import Literal, NamedTuple, get_args, get_origin

import numpy as np

from meshgui.engine.allocation.answer_checks import inspection_fault, steps_fault
from meshgui.engine.allocation.base import Options, Reservation, Strategy
from meshgui.engine.allocation.guard import StrategyError, StuckError
from meshgui.engine.allocation.inspection import Grid, Inspection, JobCell, Moment, State, Table, Tree
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box, Mesh, region
from meshgui.stories import (
    ROOMY,
    Acts,
    Answer,
    Ask,
    Departure,
    Leave,
    PropertyError,
    Story,
    StoryRun,
    random_story,
    require,
    same_state,
    small_meshes,
)

__all__ = [
    "PROPERTIES",
    "Answer",
    "Ask",
    "Departure",
    "Failure",
    "Leave",
    "Property",
    "PropertyError",
    "Story",
    "StoryRun",
    "captures_copies",
    "counts_alike",
    "fails_without_change",
    "failure_of",
    "gives_free_boxes",
    "inspects_every_step",
    "option_choices",
    "random_story",
    "repeats_itself",
    "replays",
    "restores",
    "returns_to_empty",
    "same_state",
    "same_with_log",
    "small_meshes",
    "steps_through_releases",
]

_STEPS_INSPECTED = 25  # of an attempt, evenly spread


# Properties of each answer


def gives_free_boxes(run: StoryRun, answer: Answer) -> None:
    """The boxes lie inside the mesh, are free, and hold as many processors as are granted."""
    working, job = run.working, answer.request.job
    if answer.outcome is None:
        return
    if isinstance(answer.outcome, Reservation):
        box = answer.outcome.box
        require(run.mesh.holds(box), f"job {job} was promised {box}, which is not inside the mesh")
        return
    boxes = answer.outcome
    taken = run.mesh.occupancy()
    for held in chain.from_iterable(boxes for other, boxes in run.held.items() if other != job):
        region(taken, held)[:] = 0
    for box in boxes:
        require(run.mesh.holds(box), f"job {job} got {_words(box)}, which is not inside the mesh")
        require((region(taken, box) < 0).all(), f"job {job} got {_words(box)}, of which a part is held")
        region(taken, box)[:] = 0
    given, granted = sum(box.volume for box in boxes), working.granted(answer.request.size)
    require(given == granted, f"job {job} got {given} processors, and {granted} are granted")
    require(given >= prod(answer.request.size), f"job {job} got fewer processors than it asked for")
    several = working.contiguous and len(boxes) != 1
    require(not several, f"job {job} got {len(boxes)} boxes from a contiguous strategy")


def fails_without_change(run: StoryRun, answer: Answer) -> None:
    """A request that gets nothing changes nothing."""
    unchanged = answer.outcome is not None or same_state(answer.before, run.working.capture())
    require(unchanged, f"job {answer.request.job} got nothing, and the state is another than before")


def restores(run: StoryRun, answer: Answer) -> None:
    """A captured state, restored in another object, captures and behaves as the first, and so once more."""
    job, after = answer.request.job, run.working.capture()
    for _ in range(2):  # the second time after a past that the first object has not had
        run.other.restore(answer.before)
        require(same_state(run.other.capture(), answer.before), "a state restored is not the one captured")
        again = run.other.allocate(answer.request)
        require(
            again == answer.outcome, f"after a restored state job {job} got {again}, not {answer.outcome}"
        )
        same = same_state(run.other.capture(), after)
        require(same, f"after a restored state job {job} got the same, and the state is another")


def replays(run: StoryRun, answer: Answer) -> None:
    """Doing an allocation again by its outcome leads to the same state."""
    if answer.outcome is None or isinstance(answer.outcome, Reservation):
        return
    run.other.restore(answer.before)
    run.other.replay(answer.request, answer.outcome)
    same = same_state(run.other.capture(), run.working.capture())
    require(same, f"replaying job {answer.request.job} led to another state than allocating")


def same_with_log(run: StoryRun, answer: Answer) -> None:
    """With a log come the same answer and state as without; one too small says how much room it needs."""
    roomy, small, _ = attempts = run.repeated(answer)
    job, after = answer.request.job, run.working.capture()
    for attempt in attempts:
        how = "without a log" if attempt.log is None else "with a log"
        same = attempt.outcome == answer.outcome
        require(same, f"{how} job {job} got {attempt.outcome}, not {answer.outcome}")
        require(same_state(attempt.after, after), f"{how} job {job} led to another state")
    assert roomy.log is not None and small.log is not None  # noqa: PT018, S101 - for the type checker
    require(small.log.count == roomy.log.count, f"the log of job {job} counts otherwise where it is full")
    steps = roomy.log.steps()
    fault = steps_fault(steps, len(run.working.lines))
    require(fault is None, f"the log of job {job} holds {fault}")
    if len(steps) and answer.outcome is not None and not isinstance(answer.outcome, Reservation):
        placed = {mark.box for mark in steps[-1].marks if mark.role == Role.PLACED}
        told = f"the last step of job {job} does not mark its first box as placed"
        require(answer.outcome[0] in placed, told)


def counts_alike(run: StoryRun, answer: Answer) -> None:
    """As many operations are counted with a log as without."""
    counts = {attempt.operations for attempt in run.repeated(answer)}
    require(
        len(counts) == 1,
        f"job {answer.request.job} took {_numbers(counts)} operations, with a log and without",
    )


def inspects_every_step(run: StoryRun, answer: Answer) -> None:
    """At each step the inspector shows panels that hold together: the same ones, and trees that only grow."""
    looker, job = run.make(run.mesh), answer.request.job
    looker.restore(answer.before)
    first = _inspected(looker, Moment(answer.before), run.mesh)
    trace = looker.trace(answer.request)
    parents: dict[str, dict[int, int | None]] = {}
    for step in _some_of(len(trace.steps)):
        moment = Moment(trace.before, trace.request, trace.steps[: step + 1])
        seen = _inspected(looker, moment, run.mesh)
        where = f"at step {step + 1} of job {job}"
        require(_panels(seen) == _panels(first), f"{where} there are other panels than before the first step")
        require(seen.says == looker.say(moment), f"{where} the inspector says another sentence than `say`")
        for panel in seen.panels:
            if isinstance(panel, Grid):
                _check_grid(panel, where)
            elif isinstance(panel, Tree):
                nodes = {node.key: node.parent for node in panel.nodes}
                before = parents.get(panel.title, {})
                lost = f"{where} the tree {panel.title} has lost or moved a node"
                require(before.items() <= nodes.items(), lost)
                parents[panel.title] = nodes


# Properties of each departure


def steps_through_releases(run: StoryRun, departure: Departure) -> None:
    """With a log a release is the same, and costs the same; each of its steps can be shown."""
    working, looker, (job, before) = run.working, run.make(run.mesh), departure
    if not working.release_lines:
        return
    after, costs = working.capture(), set()
    for log in (StepLog(ROOMY), StepLog(2), None):
        looker.restore(before)
        operations = looker.operations
        looker.release(job) if log is None else looker.release(job, log)
        costs.add(looker.operations - operations)
        how = "without a log" if log is None else "with a log"
        require(same_state(looker.capture(), after), f"{how} the release of job {job} led to another state")
    require(len(costs) == 1, f"releasing job {job} took {_numbers(costs)} operations, with a log and without")
    looker.restore(before)
    trace = looker.trace_release(job)
    fault = steps_fault(trace.steps, len(working.release_lines))
    require(fault is None, f"the log of the release of job {job} holds {fault}")
    reached = looker.released(trace.moment(len(trace.steps)))
    follows = same_state(reached, after) or same_state(reached, before)  # it need not follow its steps
    require(follows, f"the steps of the release of job {job} lead to another state than the release")
    first = _inspected(looker, Moment(before), run.mesh)
    for step in _some_of(len(trace.steps)):
        moment = trace.moment(step + 1)
        seen = _inspected(looker, moment, run.mesh)
        where = f"at step {step + 1} of the release of job {job}"
        require(_panels(seen) == _panels(first), f"{where} there are other panels than before the first step")
        require(seen.says == looker.say(moment), f"{where} the inspector says another sentence than `say`")


# Properties of a whole story


def returns_to_empty(run: StoryRun, acts: Acts) -> None:
    """When all jobs have left, the state is the first again, but for what the strategy learns."""
    first = _unlearnt(run)
    for _ in run.play(acts):
        pass
    run.empty()
    last = _unlearnt(run)
    differ = [key for key in first if key not in last or not np.array_equal(first[key], last[key])]
    require(same_state(first, last), f"all jobs have left, and {', '.join(differ)} is not as at first")


def captures_copies(run: StoryRun, acts: Acts) -> None:
    """What happens after a capture does not reach into it."""
    captured = []
    for _ in run.play(acts):
        state = run.working.capture()
        captured.append((state, {key: array.copy() for key, array in state.items()}))
    run.empty()
    kept = all(same_state(state, copy) for state, copy in captured)
    require(kept, "a captured state has changed since: expected copies of the arrays")


def repeats_itself(run: StoryRun, acts: Acts) -> None:
    """Led through the same side by side, two give the same answers at the same cost: they share nothing."""
    other = StoryRun(run.make, run.mesh, run.seed)
    for one, two in zip(run.play(acts), other.play(acts), strict=True):
        job = one.request.job
        require(
            one.outcome == two.outcome, f"job {job} got {one.outcome}, and {two.outcome} in a second object"
        )
    counts = {run.working.operations, other.working.operations}
    require(len(counts) == 1, f"two objects counted {_numbers(counts)} operations in the same story")
    same = same_state(run.working.capture(), other.working.capture())
    require(same, "two objects are in different states after the same story")


class Property(NamedTuple):
    """A property, in words, and the check of one story."""

    words: str
    check: Callable[[StoryRun, Acts], None]


def _of_each_departure(look: Callable[[StoryRun, Departure], None]) -> Callable[[StoryRun, Acts], None]:
    def check(run: StoryRun, acts: Acts) -> None:
        for departure in run.departures(acts):
            look(run, departure)

    return check


def _of_each(look: Callable[[StoryRun, Answer], None]) -> Callable[[StoryRun, Acts], None]:
    def check(run: StoryRun, acts: Acts) -> None:
        for answer in run.play(acts):
            look(run, answer)

    return check


PROPERTIES = (
    Property(
        "gives free boxes inside the mesh, with as many processors as granted", _of_each(gives_free_boxes)
    ),
    Property("changes nothing where it cannot place a job", _of_each(fails_without_change)),
    Property("goes on from a restored state as from the captured one", _of_each(restores)),
    Property("captures copies of its state", captures_copies),
    Property("reaches the same state by replaying an outcome", _of_each(replays)),
    Property("gives the same answer with a log and without", _of_each(same_with_log)),
    Property("counts the same operations with a log and without", _of_each(counts_alike)),
    Property("repeats itself, and shares nothing with another of its kind", repeats_itself),
    Property("is as at first when all jobs have left", returns_to_empty),
    Property("can be inspected at every step", _of_each(inspects_every_step)),
    Property(
        "releases the same with a log and without, if it has release lines",
        _of_each_departure(steps_through_releases),
    ),
)


# Stories drawn at random


def option_choices(cls: type[Strategy]) -> list[Options]:
    """The default options, and every other choice of each option that has a few."""
    model = cls.options_model
    default = model()
    found = [default]
    for name, info in model.model_fields.items():
        hint = info.annotation
        values: tuple[object, ...] = (False, True) if hint is bool else ()
        values = get_args(hint) if get_origin(hint) is Literal else values
        found += [model(**{name: value}) for value in values if value != getattr(default, name)]
    return found


class Failure(NamedTuple):
    """A story in which a property does not hold: where, what happened, and what was found."""

    options: Options
    mesh: Mesh
    events: tuple[str, ...]
    found: str


def failure_of(
    one: Property, cls: type[Strategy], stories: int = 20, seconds: float = math.inf
) -> Failure | None:
    """How a strategy breaks a property in stories drawn at random, or None where it keeps it in all.

    The stories are the same every time, and go through the choices of its options; at least one is played,
    however long it takes.
    """
    rng, end = np.random.default_rng(2026), monotonic() + seconds
    choices = option_choices(cls)
    works = False
    for number in range(max(stories, len(choices))):
        options = choices[number % len(choices)]
        meshes = small_meshes(cls, options)
        if meshes:
            works = True
            story = random_story(meshes[int(rng.integers(len(meshes)))], rng)
            failure = _failure(one, cls, options, story)
            if failure is not None:
                return _shortest(one, cls, story, failure, end)
        if monotonic() > end:
            break
    return None if works else Failure(choices[0], Mesh((1, 1)), (), "it works on none of the meshes tried")


def _shortest(one: Property, cls: type[Strategy], story: Story, failure: Failure, end: float) -> Failure:
    """The failure without the acts, and with the smallest requests, that it still happens with."""
    acts, at = list(story.acts), 0
    while at < len(acts) and monotonic() < end:
        act = acts[at]
        simpler = [acts[:at] + acts[at + 1 :]]
        if isinstance(act, Ask) and act.size != (1, 1, 1):
            simpler.append([*acts[:at], Ask((1, 1, 1), act.service), *acts[at + 1 :]])
        for fewer in simpler:
            still = _failure(one, cls, failure.options, Story(story.mesh, fewer))
            if still is not None:
                acts, failure = fewer, still
                break
        else:
            at += 1
    return failure


def _failure(one: Property, cls: type[Strategy], options: Options, story: Story) -> Failure | None:
    events: list[str] = []
    try:
        one.check(StoryRun(lambda mesh: cls(mesh, options), story.mesh, events=events), story.acts)
    except StuckError:
        raise  # rather than wait for the same once more
    except (PropertyError, StrategyError) as error:
        return Failure(options, story.mesh, tuple(events), str(error))
    return None


def _words(box: Box) -> str:
    return f"the box {tuple(box)}"


def _numbers(counts: set[int]) -> str:
    return " and ".join(map(str, sorted(counts)))


def _unlearnt(run: StoryRun) -> State:
    return {key: array for key, array in run.working.capture().items() if key not in run.working.learns}


def _some_of(steps: int) -> range:
    """Some steps, evenly spread."""
    return range(0, steps, max(steps // _STEPS_INSPECTED, 1))


def _inspected(working: Strategy, moment: Moment, mesh: Mesh) -> Inspection:
    seen = working.inspect(moment) if moment.leaving is None else working.inspect_release(moment)
    fault = inspection_fault(seen, mesh)
    require(fault is None, f"the inspector shows {fault}")
    require(str(seen.says).strip() or not moment.steps, "the inspector has no sentence about a step")
    for table in (panel for panel in seen.panels if isinstance(panel, Table)):
        cells = (zip(table.columns, row.cells, strict=True) for row in table.rows)
        columns = {column for row in cells for column, cell in row if isinstance(cell, JobCell)}
        odd = columns - set(table.jobs)
        require(not odd, f"the table {table.title} shows jobs in {', '.join(odd)}, which it says has none")
    return seen


def _panels(seen: Inspection) -> list[tuple[str, type]]:
    return [(panel.title, type(panel)) for panel in seen.panels]


def _check_grid(grid: Grid, where: str) -> None:
    legend, heat = {value.value for value in grid.legend}, grid.heat
    low, high = (heat.low, heat.high) if heat is not None else (1, 0)
    odd = [n for n in np.unique(grid.values).tolist() if n not in legend and not low <= n <= high]
    require(not odd, f"{where} the grid {grid.title} has the value {odd[:1]} outside its legend and heat")
