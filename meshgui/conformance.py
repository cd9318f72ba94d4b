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
from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.answer_checks import steps_fault
from meshgui.engine.allocation.base import Options, Reservation, Strategy
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, Mesh, region
from meshgui.engine.basics.guard import StrategyError, StuckError
from meshgui.engine.basics.translation import tr
from meshgui.inspection_conformance import inspects_every_step, steps_through_releases
from meshgui.loop_conformance import same_in_the_loop
from meshgui.stories import (
    Acts,
    Answer,
    Ask,
    Departure,
    Leave,
    PropertyError,
    Story,
    StoryRun,
    drawn_stories,
    numbers,
    option_choices,
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

# Properties of each answer


def gives_free_boxes(run: StoryRun, answer: Answer) -> None:
    """The boxes lie inside the mesh, are free, and hold as many processors as are granted."""
    working, job = run.working, answer.request.job
    if answer.outcome is None:
        return
    if isinstance(answer.outcome, Reservation):
        box = answer.outcome.box
        require(
            run.mesh.holds(box),
            tr("job {job} was promised {box}, which is not inside the mesh").format(job=job, box=box),
        )
        return
    boxes = answer.outcome
    taken = run.mesh.occupancy()
    for held in chain.from_iterable(boxes for other, boxes in run.held.items() if other != job):
        region(taken, held)[:] = 0
    for box in boxes:
        require(
            run.mesh.holds(box),
            tr("job {job} got {words}, which is not inside the mesh").format(job=job, words=_words(box)),
        )
        require(
            (region(taken, box) < 0).all(),
            tr("job {job} got {words}, part of which is held").format(job=job, words=_words(box)),
        )
        region(taken, box)[:] = 0
    given, granted = sum(box.volume for box in boxes), working.granted(answer.request.size)
    require(
        given == granted,
        tr("job {job} got {given} processors, but {granted} are granted").format(
            job=job, given=given, granted=granted
        ),
    )
    require(
        given >= prod(answer.request.size),
        tr("job {job} got fewer processors than it asked for").format(job=job),
    )
    blocks = 1 if working.crosses_seams(working.options, run.mesh) else len(boxes)
    one_block = working.contiguous and not working.switched
    require(
        not one_block or (blocks == 1 and run.mesh.parts(run.mesh.joined(boxes)) == boxes),
        tr("job {job} got {boxes} boxes from a contiguous strategy").format(job=job, boxes=len(boxes)),
    )


def fails_without_change(run: StoryRun, answer: Answer) -> None:
    """A request that gets nothing changes nothing."""
    unchanged = answer.outcome is not None or same_state(answer.before, run.working.capture())
    require(
        unchanged,
        tr("job {job} got nothing, but the state has changed").format(job=answer.request.job),
    )


def restores(run: StoryRun, answer: Answer) -> None:
    """A captured state, restored in another object, captures and behaves as the first, and so once more."""
    job, after = answer.request.job, run.working.capture()
    for _ in range(2):  # the second time after a past that the first object has not had
        run.other.restore(answer.before)
        require(
            same_state(run.other.capture(), answer.before), tr("a state restored is not the one captured")
        )
        again = run.other.allocate(answer.request)
        require(
            again == answer.outcome,
            tr("after a restored state job {job} got {again}, not {outcome}").format(
                job=job, again=again, outcome=answer.outcome
            ),
        )
        same = same_state(run.other.capture(), after)
        require(
            same,
            tr("after a restored state job {job} got the same, but the state differs").format(job=job),
        )


def replays(run: StoryRun, answer: Answer) -> None:
    """Doing an allocation again by its outcome leads to the same state."""
    if answer.outcome is None or isinstance(answer.outcome, Reservation):
        return
    run.other.restore(answer.before)
    run.other.replay(answer.request, answer.outcome)
    same = same_state(run.other.capture(), run.working.capture())
    require(
        same,
        tr("replaying job {job} led to a different state than allocating").format(job=answer.request.job),
    )


def same_with_log(run: StoryRun, answer: Answer) -> None:
    """With a log come the same answer and state as without; one too small says how much room it needs."""
    roomy, small, _ = attempts = run.repeated(answer)
    job, after = answer.request.job, run.working.capture()
    for attempt in attempts:
        how = tr("without a log") if attempt.log is None else tr("with a log")
        same = attempt.outcome == answer.outcome
        require(
            same,
            tr("{how} job {job} got {outcome}, not {outcome2}").format(
                how=how, job=job, outcome=attempt.outcome, outcome2=answer.outcome
            ),
        )
        require(
            same_state(attempt.after, after),
            tr("{how} job {job} led to a different state").format(how=how, job=job),
        )
    assert roomy.log is not None and small.log is not None  # noqa: PT018, S101 - for the type checker
    require(
        small.log.count == roomy.log.count,
        tr("the log of job {job} counts differently when it is full").format(job=job),
    )
    steps = roomy.log.steps()
    fault = steps_fault(steps, len(run.working.lines))
    require(fault is None, tr("the log of job {job} holds {fault}").format(job=job, fault=fault))
    if len(steps) and answer.outcome is not None and not isinstance(answer.outcome, Reservation):
        marks = [mark for mark in steps[-1].marks if mark.role == Role.PLACED]
        placed = {part for mark in marks for part in run.mesh.parts(mark.box)}
        told = tr("the last step of job {job} does not mark its first box as placed").format(job=job)
        require(answer.outcome[0] in placed, told)


def counts_alike(run: StoryRun, answer: Answer) -> None:
    """As many operations are counted with a log as without."""
    counts = {attempt.operations for attempt in run.repeated(answer)}
    require(
        len(counts) == 1,
        tr("job {job} took {numbers} operations, with a log and without").format(
            job=answer.request.job, numbers=numbers(counts)
        ),
    )


# Properties of a whole story


def returns_to_empty(run: StoryRun, acts: Acts) -> None:
    """When all jobs have left, the state is the first again, but for what the strategy learns."""
    first = _unlearnt(run)
    for _ in run.play(acts):
        pass
    run.empty()
    last = _unlearnt(run)
    differ = [key for key in first if key not in last or not np.array_equal(first[key], last[key])]
    require(
        same_state(first, last),
        tr("all jobs have left, but {differ} is not as at the start").format(differ=", ".join(differ)),
    )


def captures_copies(run: StoryRun, acts: Acts) -> None:
    """What happens after a capture does not reach into it."""
    captured = []
    for _ in run.play(acts):
        state = run.working.capture()
        captured.append((state, {key: array.copy() for key, array in state.items()}))
    run.empty()
    kept = all(same_state(state, copy) for state, copy in captured)
    require(kept, tr("a captured state has changed since: expected copies of the arrays"))


def repeats_itself(run: StoryRun, acts: Acts) -> None:
    """Led through the same side by side, two give the same answers at the same cost: they share nothing."""
    other = StoryRun(run.make, run.mesh, run.seed)
    for one, two in zip(run.play(acts), other.play(acts), strict=True):
        job = one.request.job
        require(
            one.outcome == two.outcome,
            tr("job {job} got {outcome}, but {outcome2} in a second object").format(
                job=job, outcome=one.outcome, outcome2=two.outcome
            ),
        )
    counts = {run.working.operations, other.working.operations}
    require(
        len(counts) == 1,
        tr("two objects counted {numbers} operations in the same story").format(numbers=numbers(counts)),
    )
    same = same_state(run.working.capture(), other.working.capture())
    require(same, tr("two objects are in different states after the same story"))


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
        tr("gives free boxes inside the mesh, with as many processors as granted"), _of_each(gives_free_boxes)
    ),
    Property(tr("changes nothing where it cannot place a job"), _of_each(fails_without_change)),
    Property(tr("continues from a restored state as from the captured one"), _of_each(restores)),
    Property(tr("captures copies of its state"), captures_copies),
    Property(tr("reaches the same state by replaying an outcome"), _of_each(replays)),
    Property(tr("gives the same answer with a log and without"), _of_each(same_with_log)),
    Property(tr("counts the same operations with a log and without"), _of_each(counts_alike)),
    Property(tr("repeats itself, and shares nothing with another of its kind"), repeats_itself),
    Property(tr("is back in its initial state when all jobs have left"), returns_to_empty),
    Property(tr("can be inspected at every step"), _of_each(inspects_every_step)),
    Property(
        tr("releases the same with a log and without, if it has release lines"),
        _of_each_departure(steps_through_releases),
    ),
    Property(
        tr("gives the same in a run as in one call after another, if the compiled loop runs its kernels"),
        same_in_the_loop,
    ),
)


# Stories drawn at random


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

    At least one story is played, however long it takes.
    """
    end = monotonic() + seconds
    works = False
    for drawn in drawn_stories(cls, stories):
        if drawn is not None:
            works = True
            failure = _failure(one, cls, *drawn)
            if failure is not None:
                return _shortest(one, cls, drawn.story, failure, end)
        if monotonic() > end:
            break
    if works:
        return None
    return Failure(cls.options_model(), Mesh((1, 1)), (), tr("it works on none of the meshes tried"))


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
    return tr("the box {tuple}").format(tuple=tuple(box))


def _unlearnt(run: StoryRun) -> State:
    return {key: array for key, array in run.working.capture().items() if key not in run.working.learns}
