"""The words of a web page, in the program's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from meshgui.engine.basics.translation import (
    has_decimal_comma,
    is_rtl_language,
    language,
    languages,
    speaking,
    tr,
)

T = TypeVar("T")


def page_languages() -> tuple[str, ...]:
    """The languages of a page: the program's, in which it opens, and all others."""
    return (language(), *(name for name in languages() if name != language()))


def in_each_language(make: Callable[[], T]) -> dict[str, T]:
    """What is made in each language of a page.

    Nothing may be reported meanwhile: a window that answers would answer in that language.
    """
    made = {}
    for name in page_languages():
        with speaking(name):
            made[name] = make()
    return made


def page_tongue() -> dict[str, object]:
    """How the language that is spoken is written, and the words of the page."""
    return {
        "direction": "rtl" if is_rtl_language() else "ltr",
        "point": "," if has_decimal_comma() else ".",
        "words": page_words(),
    }


def page_words() -> dict[str, str]:
    """Each word of the page by the name that the page's code has for it."""
    return _names() | _actions() | _keys() | _sentences() | _answers()


def _names() -> dict[str, str]:
    return {
        "untitled": tr("Untitled"),
        "queue": tr("Queue"),
        "running": tr("Running"),
        "job": tr("Job"),
        "jobs": tr("All jobs"),
        "notes": tr("Notes"),
        "lesson": tr("Lesson"),
        "algorithm": tr("Algorithm"),
        "attempts": tr("Attempts"),
        "timeline": tr("Timeline"),
        "speed": tr("Speed"),
        "size": tr("Size"),
        "box": tr("Box"),
        "boxes": tr("Boxes"),
        "state": tr("State"),
        "left": tr("Left"),
        "waits": tr("Waits"),
        "arrives": tr("Arrives"),
        "starts": tr("Starts"),
        "ends": tr("Leaves"),
        "waited": tr("Waited"),
        "turnaround": tr("Turnaround"),
        "held": tr("Processors"),
        "tries": tr("Attempts"),
        "inUse": tr("in use"),
        "waiting": tr("waiting", "of a job"),
        "toCome": tr("to come"),
        "runs": tr("running", "of a job"),
        "finished": tr("finished"),
        "rejected": tr("rejected"),
        "hit": tr("hit by a failure"),
        "tried": tr("looked at"),
        "candidate": tr("could serve"),
        "prohibited": tr("prohibited region"),
        "border": tr("right border plane"),
        "blocked": tr("rules it out"),
        "placed": tr("placed"),
        "down": tr("down"),
    }


def _actions() -> dict[str, str]:
    return {
        "home": tr("From the home view"),
        "top": tr("From above"),
        "front": tr("From the front"),
        "flat": tr("Flat, layer by layer"),
        "first": tr("To the beginning"),
        "back": tr("One step back"),
        "play": tr("Play"),
        "pause": tr("Pause"),
        "next": tr("One step forward"),
        "last": tr("To the end"),
        "language": tr("Language"),
        "theme": tr("Light or dark"),
        "keys": tr("Keys"),
        "close": tr("Close"),
        "pageBack": tr("Earlier jobs"),
        "pageNext": tr("Later jobs"),
        "stepBack": tr("Back"),
        "stepNext": tr("Next"),
    }


def _keys() -> dict[str, str]:
    return {
        "keyPlay": tr("play or pause"),
        "keyStep": tr("one step: a line of the algorithm, or an event"),
        "keyEvent": tr("one event"),
        "keyEnds": tr("to the beginning, to the end"),
        "keySpeed": tr("faster, slower"),
        "keyView": tr("look from another side"),
        "keyFlat": tr("flat or solid"),
        "keyLanguage": tr("another language"),
        "keyEscape": tr("select no job"),
    }


def _sentences() -> dict[str, str]:
    return {
        "jobNumber": tr("Job {job}"),
        "choose": tr("Click a job in the mesh or in a list."),
        "nobody": tr("No job waits."),
        "idle": tr("No job runs."),
        "more": tr("and {count} more"),
        "chooseAttempt": tr("Step through an attempt …"),
        "noAttempt": tr("This page has no steps of attempts."),
        "attemptWaits": tr("t {time}: job {job} waits (steps: {steps})"),
        "attemptPlaced": tr("t {time}: job {job} is placed (steps: {steps})"),
        "attemptReserved": tr("t {time}: job {job} has a box reserved (steps: {steps})"),
        "stepIn": tr("Choose an attempt above: the algorithm is then shown line by line."),
        "stepOf": tr("Step {step} of {steps}"),
        "cycle": tr(
            "Cycle {cycle}: packets under way: {moving}, blocked: {blocked}, to be injected: {queued}."
        ),
        "made": tr("Made with MeshGUI. The page needs no network: keep it, send it, open it anywhere."),
    }


def _answers() -> dict[str, str]:
    return {
        "hidden": tr("Hidden until you have answered."),
        "yourAnswer": tr("Your answer"),
        "aNumber": tr("Your answer, a number"),
        "aLetter": tr("Your answer, a letter"),
        "noNumber": tr("Type a number, for example 12 or 3.5."),
        "noLetter": tr("Type a letter, for example A."),
        "check": tr("Check"),
        "hint": tr("Hint"),
        "showAnswer": tr("Show the answer"),
        "askAgain": tr("Ask again"),
        "right": tr("✓ Right."),
        "rightIs": tr("✓ Right. It is {answer}."),
        "wrong": tr("✗ Not quite."),
        "wrongIs": tr("✗ Not quite: it is {answer}."),
        "tryAgain": tr("Try again, or take a hint."),
        "itIs": tr("It is {answer}."),
    }
