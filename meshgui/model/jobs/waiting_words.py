"""The phrases that say why a job waits: places in the queue, jobs by name, and what could free its boxes."""

from __future__ import annotations

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.sentences import Sentence, job_name, listed
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import Recording

_NAMED = 3  # jobs named in a sentence before the rest are counted


def blocking_words(places: int, stands: int, alone: int) -> str:
    """In how many of the places a job stands, and in how many alone."""
    if places == 1:
        return tr("{job} is in the only place for {a_box}.")
    if stands == places:
        if not alone:
            return tr("{job} is in all {places} places for {a_box}.")
        if alone == stands:
            return tr("{job} is in all {places} places for {a_box}, alone.")
        return tr("{job} is in all {places} places for {a_box}, in {alone} of them alone.")
    if not alone:
        return tr("{job} is in {stands} of the {places} places for {a_box}.")
    if alone == stands:
        return tr("{job} is in {stands} of the {places} places for {a_box}, alone.")
    return tr("{job} is in {stands} of the {places} places for {a_box}, in {alone} of them alone.")


def opening_words(leaving: int, *, own: bool) -> str:
    """When a job could start, and once how many others have left."""
    marks = {"job": "{job}", "time": "{time}", "boxes": "{boxes}", "leaving": "{leaving}"}
    if own:
        return tr_n(
            "It could start at {time} in {boxes}, once {leaving} has left, if no other job takes the room "
            "first.",
            "It could start at {time} in {boxes}, once {leaving} have left, if no other job takes the room "
            "first.",
            leaving,
            **marks,
        )
    return tr_n(
        "{job} could start at {time} in {boxes}, once {leaving} has left, if no other job takes the room "
        "first.",
        "{job} could start at {time} in {boxes}, once {leaving} have left, if no other job takes the room "
        "first.",
        leaving,
        **marks,
    )


def reserved_words(holders: int, *, known_until: bool) -> str:
    """What is reserved for a job, and how many others hold parts of it."""
    marks = {"job": "{job}", "boxes": "{boxes}", "holders": "{holders}", "time": "{time}"}
    if known_until:
        return tr_n(
            "{job} has left the queue: {boxes} is reserved for it, and {holders} holds parts of it "
            "until {time}.",
            "{job} has left the queue: {boxes} is reserved for it, and {holders} hold parts of it "
            "until {time}.",
            holders,
            **marks,
        )
    return tr_n(
        "{job} has left the queue: {boxes} is reserved for it, and {holders} holds parts of it.",
        "{job} has left the queue: {boxes} is reserved for it, and {holders} hold parts of it.",
        holders,
        **marks,
    )


def named_jobs(jobs: tuple[int, ...]) -> Sentence:
    """Jobs by name: job 3, job 5 and 4 more jobs."""
    named = jobs if len(jobs) <= _NAMED else jobs[: _NAMED - 1]
    parts = [job_name(job) for job in named]
    if len(named) < len(jobs):
        parts.append(Sentence(count_of(len(jobs) - len(named), "more job")))
    return listed(parts)


def boxes_words(boxes: Boxes, recording: Recording) -> str:
    """One box by its place, several by their number."""
    blocks = recording.as_blocks(boxes)
    return recording.mesh.describe_box(blocks[0]) if len(blocks) == 1 else count_of(len(blocks), "box")


def ordinal(number: int) -> str:
    """A place in the queue: 2nd, 3rd, 11th."""
    last = 0 if number % 100 in {11, 12, 13} else number % 10
    if last == 1:
        return tr("{number}st").format(number=number)
    if last == 2:
        return tr("{number}nd").format(number=number)
    if last == 3:
        return tr("{number}rd").format(number=number)
    return tr("{number}th").format(number=number)
