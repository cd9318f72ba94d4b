"""Reads where to go from what is typed: a time, a job, a cycle, an event."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import so_many
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.instant import Instant

__all__ = ["PLACE_HINT", "TypedPlace", "read_place"]

PLACE_HINT: Final = tr("12.5, job 17, job 17 arrives, cycle 300, event 40")
_PLACE: Final = re.compile(
    r"\s*(?:(?P<what>t|time|job|j|cycle|c|event|e)?\s*#?\s*(?P<number>\d+(?:[.,]\d+)?))\s*"
    r"(?P<does>arrives?|arrival|starts?|finish(?:es)?|ends?|leaves?)?\s*",
    re.IGNORECASE,
)


class TypedPlace(NamedTuple):
    """A place that was typed, with the job it is about, or the reason why there is none."""

    instant: Instant | None
    job: int | None = None
    fault: str = ""


def read_place(text: str, recording: Recording) -> TypedPlace:
    """The place that a text names in a recording."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return TypedPlace(
            None,
            fault=tr("expected a time, a job, a cycle or an event: {PLACE_HINT}").format(
                PLACE_HINT=PLACE_HINT
            ),
        )
    what, number = (match["what"] or "time")[0].lower(), float(match["number"].replace(",", "."))
    if what == "j":
        return _of_job(recording, number, (match["does"] or "").lower())
    if match["does"]:
        return TypedPlace(None, fault=tr("only a job arrives, starts and finishes"))
    if what == "e":
        if not number.is_integer() or number > len(recording):
            return TypedPlace(
                None, fault=tr("this run has {events}").format(events=so_many(len(recording), "event"))
            )
        return TypedPlace(Instant.after_events(recording, int(number)))
    if what == "c" and recording.network is None:
        return TypedPlace(None, fault=tr("this scenario has no network, and so no cycles"))
    if number > recording.end_time:
        return TypedPlace(
            None, fault=tr("the run ends at {end_time:.2f}").format(end_time=recording.end_time)
        )
    return TypedPlace(Instant.at_time(recording, number))


def _of_job(recording: Recording, number: float, does: str) -> TypedPlace:
    jobs = len(recording.jobs)
    if not number.is_integer() or number >= jobs:
        return TypedPlace(
            None, fault=tr("the jobs of this run are numbered 0 to {jobs}").format(jobs=jobs - 1)
        )
    job = int(number)
    if does.startswith("arriv"):
        events = int(recording.arrived[job])
    elif does.startswith(("finish", "end", "leav")):
        events = int(recording.ended[job])
    else:
        events = int(recording.started[job])
        if events == NEVER and not does:
            events = int(recording.arrived[job])
    if events == NEVER:
        return TypedPlace(None, job, tr("job {job} has not done so in this run").format(job=job))
    return TypedPlace(Instant.after_events(recording, events + 1), job)
