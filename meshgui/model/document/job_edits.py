"""Edits of a run's jobs at a moment: a job more, one ended, one moved in the queue; what was before stays.

The jobs of the run become a list, as they were drawn or traced, and the edit happens just after the moment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from meshgui.engine.basics.geometry import describe_size, in_three
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.registry import FILE
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario, ScenarioError, scenario_from
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import ListWorkload
from meshgui.model.moment.clock_words import time_words

_SOON: Final = 1e-3  # of the time to the next event: the most that lies between the moment and the edit
_DIGITS: Final = 15

Row = dict[str, Any]


class JobEditError(Exception):
    """An edit that cannot be made: a sentence that says why."""


class JobEdit(NamedTuple):
    """An edit that was made."""

    scenario: Scenario
    words: str  # follow the word undo
    time: float  # when it happens
    job: int  # whom it concerns, by its number in the scenario
    said: str  # what was done, as a sentence
    listed: bool  # whether jobs that were drawn or traced have become a list


def refusal_to_draw(recording: Recording) -> str:
    """Why no job of any size can be asked for in this run; empty where one can."""
    network = recording.scenario.network
    if network is None or network.pattern != FILE:
        return ""
    return tr(
        "No job can be drawn here: each sends the packets listed for it, and there are none for a new one."
    )


def draw_job(recording: Recording, time: float, size: Sequence[int], service: float | None = None) -> JobEdit:
    """Ask for a job of a size, just after a moment.

    Without a service time it takes the mean of the others, or with a network their mean number of messages.
    """
    if refusal := refusal_to_draw(recording):
        raise JobEditError(refusal)
    network, jobs = recording.scenario.network, recording.jobs
    at = time_just_after(recording, time)
    row: Row = {"arrival": at, "size": list(size)}
    lasts = tr("until its messages have arrived")
    if network is not None:
        row["messages"] = max(1, round(float(np.mean(jobs.messages))))
        lasts = tr("until its {messages} messages have arrived").format(messages=row["messages"])
    if not np.isnan(jobs.actual).any():
        mean = float(f"{jobs.actual.mean():.3g}")
        row["service"] = mean if service is None else service
        if network is None:
            lasts = tr("for {time}, the mean of the others") if service is None else tr("for {time}")
            lasts = lasts.format(time=time_words(row["service"]))
    number = int(np.searchsorted(jobs.arrival, at, side="right"))
    rows = _rows(recording)
    rows.insert(number, row)
    moves = [(when, job + (job >= number), place) for when, job, place in _moves(recording)]
    asked = describe_size(in_three(size), recording.mesh.dims)
    changed = _changed(recording, rows, moves, drawn=number)
    said = tr("Job {job} asks for {size} {how_long}.").format(job=number, size=asked, how_long=lasts)
    return JobEdit(
        changed, tr("drawing job {job}").format(job=number), at, number, said, not _is_list(recording)
    )


def end_job(recording: Recording, time: float, job: int) -> JobEdit:
    """End a running job, just after a moment."""
    if recording.scenario.network is not None:
        raise JobEditError(
            tr(
                "Job {job} cannot be ended: in a network a job ends when all its messages have arrived."
            ).format(job=job)
        )
    at, position = time_just_after(recording, time), recording.position_at(time)
    if not recording.started[job] < position <= recording.ended[job]:
        raise JobEditError(tr("Job {job} cannot be ended: it does not run now.").format(job=job))
    rows = _rows(recording)
    rows[job]["ended_after"] = at - float(recording.times[recording.started[job]])
    changed = _changed(recording, rows, _moves(recording))
    said = tr("Job {job} is ended at {at}.").format(job=job, at=time_words(at))
    return JobEdit(changed, tr("ending job {job}").format(job=job), at, job, said, not _is_list(recording))


def move_job(recording: Recording, time: float, job: int, place: int) -> JobEdit:
    """Put a waiting job at another place of the queue, just after a moment."""
    queue = discipline(recording.scenario.scheduler.name)
    if not queue.by_arrival:
        raise JobEditError(
            tr("The queue cannot be changed by hand: {queue} keeps it in an order of its own.").format(
                queue=queue.id
            )
        )
    waiting = recording.queue(recording.position_at(time)).tolist()
    if job not in waiting:
        raise JobEditError(tr("Job {job} cannot be moved: it does not wait now.").format(job=job))
    at = time_just_after(recording, time)
    moves = [*_moves(recording), (at, job, place)]
    changed = _changed(recording, _rows(recording), moves)
    said = (
        tr("Job {job} is now at place {place} of the queue.")
        if place
        else tr("Job {job} is now the next to be served.")
    )
    said = said.format(job=job, place=place + 1)
    return JobEdit(changed, tr("moving job {job}").format(job=job), at, job, said, not _is_list(recording))


def place_after(recording: Recording, time: float, job: int, by: int) -> int | None:
    """The place of a waiting job moved by some places; None if it does not wait, or has no such place."""
    waiting = recording.queue(recording.position_at(time)).tolist()
    place = waiting.index(job) + by if job in waiting else -1
    return place if 0 <= place < len(waiting) else None


def number_ahead(recording: Recording, time: float, job: int) -> int:
    """How many jobs a job could be put before: those ahead of it in a queue that can be changed by hand."""
    waiting = recording.queue(recording.position_at(time)).tolist()
    changeable = discipline(recording.scenario.scheduler.name).by_arrival
    return waiting.index(job) if changeable and job in waiting else 0


def time_just_after(recording: Recording, time: float) -> float:
    """A time after a moment and before what follows it, with as few digits as that allows.

    What happens at the moment itself stays as it is, also where a discipline would serve a new job first.
    """
    following = recording.position_at(time)
    there = following < len(recording)
    room = float(recording.times[following]) - time if there else max(recording.end_time, 1.0)
    for digits in range(_DIGITS):
        scale = 10.0**digits
        found = (math.floor(time * scale) + 1) / scale
        if time < found <= time + _SOON * room:
            return found
    return math.nextafter(time, math.inf)


def _rows(recording: Recording) -> list[Row]:
    """The jobs of the run as rows of a list."""
    jobs, network = recording.jobs, recording.scenario.network
    services = [None if math.isnan(service) else service for service in jobs.actual.tolist()]
    sizes = jobs.sizes[:, : recording.mesh.dims].tolist()
    rows: list[Row] = [
        {"arrival": arrival, "size": size, "service": service}
        for arrival, size, service in zip(jobs.arrival.tolist(), sizes, services, strict=True)
    ]
    if network is not None and network.pattern != FILE:
        for row, messages in zip(rows, jobs.messages.tolist(), strict=True):
            row["messages"] = messages
    if jobs.ended_after is not None:
        for row, ended in zip(rows, jobs.ended_after.tolist(), strict=True):
            row["ended_after"] = None if math.isnan(ended) else ended
    if jobs.run_time is not None:
        for job, row in enumerate(rows):
            row["requested_time"] = jobs.requested_time(job)
    return rows


def _moves(recording: Recording) -> list[tuple[float, int, int]]:
    workload = recording.scenario.workload
    return list(workload.moves) if isinstance(workload, ListWorkload) else []


def _is_list(recording: Recording) -> bool:
    return isinstance(recording.scenario.workload, ListWorkload)


def _changed(
    recording: Recording, rows: list[Row], moves: list[tuple[float, int, int]], drawn: int | None = None
) -> Scenario:
    whole = recording.scenario.model_dump(mode="json", exclude={"workload"})
    try:
        return scenario_from(whole | {"workload": {"kind": "list", "jobs": rows, "moves": moves}})
    except ScenarioError as error:
        match error.path:
            case ("workload", "jobs", int(job), *_) if job != drawn:
                refusal = tr(
                    "The jobs of this run cannot become a list, because of job {job}: {reason}."
                ).format(job=job, reason=error.message)
            case ("workload", "jobs", *_):
                refusal = tr("No such job can be drawn here: {reason}.").format(reason=error.message)
            case _:
                refusal = tr("This cannot be done here: {reason}.").format(reason=error.message)
        raise JobEditError(refusal) from None
