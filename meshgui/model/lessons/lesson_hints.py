"""Hints to the question of a step, one after the other: the rule, then the candidates, then the step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from meshgui.engine.basics.geometry import Box, describe_size
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.sentences import job_name, listed
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.figures import FIGURES
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.lessons.lesson_answers import OF_JOB, RightAnswer
from meshgui.model.lessons.lesson_prediction import Prediction

_MOST_NAMED: Final = 8  # places or times in one hint
_TIMES: Final = {"start", "waiting", "finish", "turnaround"}


def hints_of(prediction: Prediction, answer: RightAnswer, recording: Recording) -> tuple[str, ...]:
    """The hints of the author, or those that the run gives; none of them states the answer."""
    if prediction.hints:
        return prediction.hints
    of_job = OF_JOB.fullmatch(prediction.of)
    if of_job is not None and of_job[2] in _TIMES:
        return tuple(_of_times(int(of_job[1]), recording))
    if of_job is not None:
        return tuple(_of_search(int(of_job[1]), of_job[2], recording))
    name = prediction.of.partition(".")[0]
    if name in FIGURES:
        return tuple(_of_figure(name, answer))
    if prediction.of.startswith("packet "):
        return (tr("Follow the header from link to link, then let the flits follow it."),)
    return (tr("Look at the mesh: every processor is in the box of a job, or it is free."),)


def _of_times(job: int, recording: Recording) -> Iterator[str]:
    """When a job can start: as soon as its turn has come and others have made room."""
    yield tr("A job starts when its turn has come and there is room for it: look who has to leave first.")
    start = int(recording.started[job])
    if start == NEVER:
        return
    began = int(recording.arrived[job])
    leaves = [
        (float(recording.times[event]), int(recording.event_jobs[event]))
        for event in range(began, start)
        if recording.ended[recording.event_jobs[event]] == event
    ]
    if not leaves:
        yield tr("Look whether there is room for it when it arrives.")
        return
    times = listed([f"{time:g}" for time, _ in leaves[:_MOST_NAMED]])
    yield tr("Since it arrives, jobs leave at {times}.").format(times=times)
    yield tr("It can start once {job} has left.").format(job=job_name(leaves[-1][1]))


def _of_search(job: int, what: str, recording: Recording) -> Iterator[str]:
    """Where a job is placed: how the search begins, the places with room, the step before the last."""
    attempt = next(
        (
            number
            for number, (_, tried, outcome) in enumerate(recording.attempts)
            if tried == job and outcome == AttemptOutcome.PLACED
        ),
        None,
    )
    if attempt is None:
        return
    trace = recording.trace(attempt)
    strategy = recording.new_strategy()
    if len(trace.steps):
        first = strategy.say(trace.moment(1))
        yield tr("The search of {strategy} begins: {step}").format(strategy=strategy.title, step=first)
    boxes = recording.blocks_of(job)
    axis = "xyz".find(what[-1]) if what.startswith("box 0 ") else -1
    if axis >= 0:
        places = _free_places(recording, recording.attempts[attempt].position, boxes[0], axis)
        size = describe_size((boxes[0].w, boxes[0].d, boxes[0].h), recording.mesh.dims)
        yield tr("A box of {size} is free at {axis} = {places}.").format(
            size=size, axis=what[-1], places=listed([str(place) for place in places[:_MOST_NAMED]])
        )
    if len(trace.steps) > 2:
        before = strategy.say(trace.moment(len(trace.steps) - 1))
        yield tr("The step before the last: {step}").format(step=before)


def _free_places(recording: Recording, position: int, like: Box, axis: int) -> list[int]:
    """Where on an axis a box of this size is free after some events."""
    mesh = recording.mesh
    busy = np.zeros(mesh.extents, dtype=bool)
    for x, y, z, w, d, h in recording.snapshot(position).boxes.tolist():
        busy[x : x + w, y : y + d, z : z + h] = True
    if recording.across:
        rings = zip(mesh.rings, like.size, strict=True)
        busy = np.pad(busy, [(0, side - 1 if ring else 0) for ring, side in rings], mode="wrap")
    windows = np.lib.stride_tricks.sliding_window_view(busy, (like.w, like.d, like.h))
    free = ~windows.any(axis=(3, 4, 5))
    return sorted({int(place) for place in np.argwhere(free)[:, axis]})


def _of_figure(name: str, answer: RightAnswer) -> Iterator[str]:
    """What a figure is of, and between which numbers it lies."""
    yield tr("{figure}: {meaning}.").format(figure=FIGURES[name].title, meaning=FIGURES[name].help)
    low, high = (_round(answer.value * factor) for factor in (0.4, 2.2))
    if not answer.classes:
        yield tr("It lies between {low:g} and {high:g}.").format(low=low, high=high)


def _round(number: float) -> float:
    """A number with one digit that counts."""
    return float(f"{number:.1g}")
