"""Hints to the question of a step, one after the other: the rule, then the candidates, then the step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

import numpy as np

from meshgui.engine.basics.geometry import Box, describe_size
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.sentences import job_name, listed
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.lessons.lesson_answers import OF_JOB, OF_PACKET, RightAnswer
from meshgui.model.lessons.lesson_moment import LessonMoment
from meshgui.model.lessons.lesson_prediction import Prediction
from meshgui.model.moment.clock_words import time_words
from meshgui.model.stepping.bookmarks import instant_from, settled

_MOST_NAMED: Final = 8  # places or times in one hint
_RULES: Final = {
    "processors": tr("A job holds what it asked for, unless its strategy gives certain sizes only."),
    "blocks": tr("Ask which pieces its strategy can give, and in which order it looks for them."),
    "attempts": tr("A job that finds no place is tried again when another leaves."),
    "box": tr("Go through the places in the order of the strategy, and ask at each what it asks."),
}
_TIMES: Final = {"start", "waiting", "finish", "turnaround"}


def hints_of(
    prediction: Prediction, moment: LessonMoment, answer: RightAnswer, recording: Recording
) -> tuple[str, ...]:
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
        return tuple(_of_figure(name, prediction, answer))
    if (of_packet := OF_PACKET.fullmatch(prediction.of)) is not None:
        return tuple(_of_packet(int(of_packet[1]), recording))
    return tuple(_of_moment(moment, recording))


def _of_moment(moment: LessonMoment, recording: Recording) -> Iterator[str]:
    """What is held at a moment, by which jobs."""
    yield tr("Look at the mesh: every processor is in the box of a job, or it is free.")
    instant = instant_from(moment.view())
    events = 0 if instant is None else settled(instant, recording).events
    running = recording.snapshot(events).running
    held = [f"{sum(box.volume for box in recording.boxes_of(int(job)))}" for job in running]
    if not held:
        yield tr("No job runs.")
    else:
        said = tr_n(
            "{number} job runs, and holds {held} of {all} processors.",
            "{number} jobs run, and hold {held} of {all} processors.",
            len(held),
            held=listed(held),
            all=recording.mesh.processors,
        )
        yield said


def _of_packet(packet: int, recording: Recording) -> Iterator[str]:
    """What a packet has to do."""
    yield tr("Follow the header from link to link, then let the flits follow it.")
    network, asked = recording.network, recording.scenario.network
    if network is not None and asked is not None and packet < len(network):
        yield tr("It goes over {links} links, and has {flits} flits.").format(
            links=int(network.distances[packet]), flits=asked.flits
        )


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
    times = listed([*dict.fromkeys(time_words(time) for time, _ in leaves)][:_MOST_NAMED])
    yield tr("Since it arrives, jobs leave at {times}.").format(times=times)
    yield tr("It can start once {job} has left.").format(job=job_name(leaves[-1][1]))


def _of_search(job: int, what: str, recording: Recording) -> Iterator[str]:
    """Where a job is placed: the rule, how the search begins or the places with room, a step near its end."""
    yield _RULES.get(what, _RULES["box"])
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
    boxes = recording.blocks_of(job)
    axis = "xyz".find(what[-1]) if what.startswith("box 0 ") else -1
    if axis >= 0:
        places = _free_places(recording, recording.attempts[attempt].position, boxes[0], axis)
        size = describe_size((boxes[0].w, boxes[0].d, boxes[0].h), recording.mesh.dims)
        yield tr("A box of {size} is free at {axis} = {places}.").format(
            size=size, axis=what[-1], places=listed([str(place) for place in places[:_MOST_NAMED]])
        )
    elif len(trace.steps) and what != "processors":
        first = strategy.say(trace.moment(1))
        yield tr("The search of {strategy} begins: {step}").format(strategy=strategy.title, step=first)
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


def _of_figure(name: str, prediction: Prediction, answer: RightAnswer) -> Iterator[str]:
    """What a figure is of, and between which numbers it lies, or which class is the furthest from it."""
    yield tr("{figure}: {meaning}.").format(figure=FIGURES[name].title, meaning=FIGURES[name].help)
    if not answer.classes:
        low, high = (_round(answer.value * factor) for factor in (0.4, 2.2))
        high = min(high, 100.0) if FIGURES[name].percent else high
        yield tr("It lies between {low:g} and {high:g}.").format(low=low, high=high)
        return
    classes = list(prediction.named_classes().items())
    right = bisect_right(answer.classes, answer.value)
    letter, words = classes[0] if right > len(answer.classes) - right else classes[-1]
    yield tr("It is not {letter}: {words}.").format(letter=letter, words=words)


def _round(number: float) -> float:
    """A number with one digit that counts."""
    return float(f"{number:.1g}")
