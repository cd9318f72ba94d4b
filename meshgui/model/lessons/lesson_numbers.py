"""The numbers that a step states: the answer, those of the scenario, and those with a source of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from meshgui.engine.basics.translation import has_decimal_comma, tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.lessons.lesson import LessonStep
from meshgui.model.lessons.lesson_answers import RightAnswer, number_of
from meshgui.model.lessons.lesson_moment import LessonMoment
from meshgui.model.lessons.lesson_prediction import NumberSource

SOURCE: Final = "source"
"""Where a number comes from that the source of the lesson states, and no run."""

_SMALLEST: Final = 10  # whole numbers below it need no source
_GROUPS: Final = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]"  # between groups of three digits
_NUMBER: Final = re.compile(
    rf"(?<![A-Za-z0-9_.×(=§-])(?<!\d[,–])(\d{{1,3}}(?:{_GROUPS}\d{{3}})+|\d+(?:\.\d+)?)(?![\d×)]|[.,–]\d|/?[A-Za-z])"
)
_CODE: Final = re.compile(r"```.*?```|`[^`]*`|\([^()]*\)→\([^()]*\)|\(\d+(?:, ?\d+)+\)", re.DOTALL)
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
_TITLE: Final = re.compile(r"^#.*$", re.MULTILINE)


def stated_numbers(text: str) -> dict[str, float]:
    """The numbers in a text that make a claim, as they are written; sizes, coordinates and code do not."""
    plain = _TITLE.sub("", _CODE.sub("", text))
    found = {written: float(re.sub(_GROUPS, "", written)) for written in _written_in(plain)}
    return {written: value for written, value in found.items() if value >= _SMALLEST or "." in written}


def _written_in(text: str) -> Iterator[str]:
    """The numbers in a text, with plain spaces between groups of digits and points in every language."""
    plain = _DECIMAL_COMMA.sub(".", text) if has_decimal_comma() else text
    for written in _NUMBER.findall(plain):
        yield re.sub(_GROUPS, " ", written)


def source_of(given: NumberSource | str) -> NumberSource | None:
    """Where a number of a step comes from; None for one of the source of the lesson."""
    if isinstance(given, NumberSource):
        return given
    return None if given == SOURCE else NumberSource(of=given)


def numbers_without_source(
    step: LessonStep, moment: LessonMoment, recording: Recording, answer: RightAnswer | None
) -> Iterator[str]:
    """The numbers of a step that neither its scenario nor its answer has, and that name no source."""
    known = set(_numbers_in(recording.scenario.model_dump(mode="json")))
    known |= {float(value) for value in (moment.time, recording.mesh.processors) if value is not None}
    data = moment.model_dump(mode="json", exclude={"figures", "predict"})
    known |= set(_numbers_in(data))
    predict = moment.predict
    if predict is not None:
        known |= {*_numbers_in(predict.fields or {}), predict.within, *predict.classes}
    for written, value in stated_numbers(_words(step, moment)).items():
        right = answer is not None and agrees(written, value, answer.value)
        if value not in known and written not in moment.figures and not right:
            yield written


def wrong_numbers(
    step: LessonStep, moment: LessonMoment, run: Callable[[NumberSource], Recording]
) -> Iterator[str]:
    """A complaint about each number whose source has another, or that the step does not state."""
    words = _words(step, moment)
    stated = list(_written_in(words))
    for written, given in moment.figures.items():
        source = source_of(given)
        if written not in stated:
            yield tr("figures.{written}: the step does not state this number").format(written=written)
        elif source is not None:
            value = number_of(source, moment, run(source))
            number = float(re.sub(_GROUPS, "", written))
            near = (
                agrees(written, number, value)
                if source.within is None
                else abs(number - value) <= source.within
            )
            if not near:
                yield tr("figures.{written}: the run has {value:.6g}").format(written=written, value=value)


def agrees(written: str, number: float, value: float) -> bool:
    """Whether a number is a value as it is rounded when it is written so."""
    decimals = len(written.partition(".")[2])
    return abs(number - value) <= 0.5 / 10.0**decimals + 1e-9


def _words(step: LessonStep, moment: LessonMoment) -> str:
    """All that a step says."""
    predict = moment.predict
    if predict is None:
        return step.text
    said = (rival.says for rival in predict.rivals)
    return "\n".join((step.text, predict.question, predict.explain, *predict.hints, *said))


def _numbers_in(data: Any) -> Iterator[float]:  # noqa: ANN401 - any JSON value
    if isinstance(data, Mapping):
        for value in data.values():
            yield from _numbers_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _numbers_in(value)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield float(data)
