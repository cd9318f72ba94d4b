"""Reads where to go from what is typed: a time, a job, a cycle, an event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.moment.instant import Instant

_ARTICLE: Final = "ال"  # of an Arabic word, which is typed with it or without


def _bare(word: str) -> str:
    return word.lower().removeprefix(_ARTICLE)


_TIMES: Final = {"t", "time", "at", _bare(tr("time"))}
_JOBS: Final = {"j", "job", "#", _bare(tr("job"))}
_CYCLES: Final = {"c", "cycle", _bare(tr("cycle"))}
_EVENTS: Final = {"e", "event", _bare(tr("event"))}
_ARRIVES: Final = {"arrive", "arrives", "arrival", tr("arrives").lower()}
_STARTS: Final = {"start", "starts", tr("starts").lower()}
_LEAVES: Final = {  # in English and in the program's language
    *("finish", "finishes", "end", "ends", "leave", "leaves"),
    *(tr("finishes").lower(), tr("leaves").lower()),
}

PLACE_HINT: Final = "{time}, {job} 17, {job} 17 {arrives}, {cycle} 300, {event} 40".format(  # untranslated
    time=formatted(12.5), job=tr("job"), arrives=tr("arrives"), cycle=tr("cycle"), event=tr("event")
)


def _any_of(words: set[str]) -> str:
    """A pattern of words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_POINTS: Final = str.maketrans(",٫", "..")
_PLACE: Final = re.compile(
    rf"\s*(?:go\s+to\s+)?(?:{_ARTICLE})?(?P<what>{_any_of(_TIMES | _JOBS | _CYCLES | _EVENTS)})?\s*[#=]?\s*"
    rf"(?P<number>\d+(?:[.,٫]\d*)?|[.,٫]\d+)\s*"
    rf"(?P<does>{_any_of(_ARRIVES | _STARTS | _LEAVES)})?\s*",
    re.IGNORECASE,
)


class TypedPlace(NamedTuple):
    """A place that was typed, with the job it is about, or the reason why there is none."""

    instant: Instant | None
    job: int | None = None
    fault: str = ""


class FoundPlace(NamedTuple):
    """A place that a text may mean, in words: what happens there to a job, or nothing at a time."""

    title: str
    instant: Instant
    job: int | None = None
    happens: str = ""


def found_places(text: str, recording: Recording) -> list[FoundPlace]:
    """The places in a recording that a text may mean: a number alone is that of a job, and a time."""
    if (match := _PLACE.fullmatch(text)) is None:
        return []
    what, number, does = _read(match)
    found: list[FoundPlace] = []
    if (not what or what in _JOBS) and number.is_integer() and number < len(recording.jobs):
        found += _events_of(recording, int(number), does)
    if (not what or what in _TIMES) and not does and number <= recording.end_time:
        title = tr("Go to time {time}").format(time=formatted(number, ".12g"))
        found.append(FoundPlace(title, Instant.at_time(recording, number)))
    return found


def read_place(text: str, recording: Recording) -> TypedPlace:
    """The place that a text names in a recording."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return TypedPlace(
            None,
            fault=tr("expected a time, a job, a cycle or an event: {examples}").format(examples=PLACE_HINT),
        )
    what, number, does = _read(match)
    if what in _JOBS:
        return _of_job(recording, number, does)
    if does:
        return TypedPlace(None, fault=tr("only a job arrives, starts and finishes"))
    if what in _EVENTS:
        if not number.is_integer() or number > len(recording):
            return TypedPlace(
                None, fault=tr("this run has {events}").format(events=count_of(len(recording), "event"))
            )
        return TypedPlace(Instant.after_events(recording, int(number)))
    if what in _CYCLES and recording.network is None:
        return TypedPlace(None, fault=tr("this scenario has no network, and so no cycles"))
    if number > recording.end_time:
        words = tr("the run ends at {time:.2f}") if recording.over else tr("the run has come to {time:.2f}")
        return TypedPlace(None, fault=words.format(time=recording.end_time))
    return TypedPlace(Instant.at_time(recording, number))


def _read(match: re.Match[str]) -> tuple[str, float, str]:
    """What is meant, its number, and what happens to it."""
    what, does = (match[name] or "" for name in ("what", "does"))
    return what.lower(), float(match["number"].translate(_POINTS)), does.lower()


def _of_job(recording: Recording, number: float, does: str) -> TypedPlace:
    jobs = len(recording.jobs)
    if not number.is_integer() or number >= jobs:
        return TypedPlace(
            None, fault=tr("the jobs of this run are numbered 0 to {last}").format(last=jobs - 1)
        )
    job = int(number)
    found = list(_events_of(recording, job, does))
    if not found:
        return TypedPlace(None, job, tr("job {job} has not done so in this run").format(job=job))
    return TypedPlace(next((place for place in found if place.happens == "starts"), found[0]).instant, job)


def _events_of(recording: Recording, job: int, does: str) -> Iterator[FoundPlace]:
    """What happens to a job in a run, or of that what is asked for."""
    leaves = tr("Job {job} finishes, at {time:.2f}")
    if recording.started[job] == NEVER:
        leaves = tr("Job {job} is rejected, at {time:.2f}")
    for happens, words, title, events in (
        ("arrives", _ARRIVES, tr("Job {job} arrives, at {time:.2f}"), recording.arrived),
        ("starts", _STARTS, tr("Job {job} starts, at {time:.2f}"), recording.started),
        ("finishes", _LEAVES, leaves, recording.ended),
    ):
        if events[job] != NEVER and (not does or does in words):
            instant = Instant.after_events(recording, int(events[job]) + 1)
            yield FoundPlace(title.format(job=job, time=instant.time), instant, job, happens)
