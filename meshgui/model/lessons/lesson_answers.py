"""The answers to the predictions of a lesson, and the other numbers of its runs."""

from __future__ import annotations

import ast
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.dictionary import FIGURES, NUMBERS
from meshgui.engine.runs.figures import figures_of, placement_figures
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, ScenarioError
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.exercises.exercise_cut import RunCut
from meshgui.model.lessons.lesson import Lesson, varied
from meshgui.model.lessons.lesson_moment import LessonMoment
from meshgui.model.lessons.lesson_prediction import NumberSource, Prediction, Rival
from meshgui.model.stepping.bookmarks import instant_from, settled

OF_JOB: Final = re.compile(r"job (\d{1,9}) (.+)")
"""What a prediction asks of a job."""

DEADLOCK: Final = "deadlock cycle"  # untranslated: a name in the file
"""What a prediction asks of a run that ends in a deadlock: the first cycle in which nothing can move."""

OF_PACKET: Final = re.compile(r"packet (\d{1,9}) (.+)")
_HUNDREDTH: Final = 0.01
_CALCULATION: Final = re.compile(r"[\d .+*/()-]{1,80}")
_OPERATIONS: Final[dict[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MANY: Final = 10_000  # from which a number is written without decimals, and without a power of ten


class AnswerError(Exception):
    """A prediction without an answer: what was expected instead."""


class RightAnswer(NamedTuple):
    """The right answer to a prediction."""

    value: float
    unit: str
    within: float
    classes: tuple[float, ...] = ()  # the bounds between them

    def right(self, number: float) -> bool:
        """Whether a number is near enough, or in the same class."""
        if self.classes:
            return bisect_right(self.classes, number) == bisect_right(self.classes, self.value)
        return abs(number - self.value) <= self.within + 1e-9

    @property
    def words(self) -> str:
        """The answer as a sentence has it."""
        whole = self.value == round(self.value) or abs(self.value) >= _MANY
        number = formatted(self.value, ".0f" if whole else ".4g")
        return f"{number} {self.unit}".strip()


class MadeRuns:
    """The runs of a lesson's scenarios, each of which is made once."""

    def __init__(self) -> None:
        self._made: dict[str, Recording] = {}

    def of(self, scenario: Scenario) -> Recording:
        """The run of a scenario."""
        key = scenario.model_dump_json()
        if key not in self._made:
            with long_calls():
                self._made[key] = simulate(scenario)
        return self._made[key]


def number_in(text: str) -> float | None:
    """The number that was typed, perhaps with a comma or a percent sign; None if it is not a number."""
    try:
        number = float(text.strip().removesuffix("%").strip().replace(",", "."))
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def answer_in(prediction: Prediction, text: str) -> float | None:
    """The answer that was typed: a number, or the letter of a class; None if it is neither."""
    letters = list(prediction.named_classes())
    letter = text.strip().upper()
    if letter in letters:
        place = letters.index(letter)
        return prediction.classes[place - 1] if place else prediction.classes[0] / 2
    return number_in(text)


def answer_scenario(lesson: Lesson, place: int, prediction: Prediction | NumberSource) -> Scenario:
    """The scenario whose run has the answer; a bad one raises ScenarioError."""
    scenario = lesson.scenario(place)
    if scenario is None:
        raise ScenarioError(tr("expected a scenario in this step or before it"))
    return varied(scenario, prediction.strategy, prediction.fields)


def answer_of(prediction: Prediction, moment: LessonMoment, recording: Recording) -> RightAnswer:
    """The answer in a whole run; an AnswerError if the run has none."""
    value, unit = _number(prediction.of, moment, recording)
    exact = not prediction.within and not prediction.classes
    if exact and abs(value / _HUNDREDTH - round(value / _HUNDREDTH)) > 1e-6:
        raise AnswerError(
            tr("expected within, as the answer is {value:.6g}, which cannot be typed exactly").format(
                value=value
            )
        )
    return RightAnswer(value, unit, prediction.within, prediction.classes)


def number_of(source: NumberSource, moment: LessonMoment, recording: Recording) -> float:
    """A number of a whole run, or the result of a calculation; an AnswerError if there is none."""
    if _CALCULATION.fullmatch(source.of):
        return _calculated(source.of)
    return _number(source.of, moment, recording)[0]


def rival_of(given: float, rivals: Sequence[tuple[Rival, float]], answer: RightAnswer) -> Rival | None:
    """The foreseen wrong answer that was given: the nearest, if it is as near as a right one has to be."""
    if answer.right(given):
        return None
    near = [
        (abs(value - given), rival) for rival, value in rivals if answer._replace(value=value).right(given)
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def said_of(rival: Rival, prediction: Prediction) -> str:
    """What led to a foreseen answer to a question."""
    discipline = disciplines().get((rival.fields or {}).get("scheduler.name", ""))
    if rival.says:
        return rival.says
    if discipline is not None:
        return tr("That is so with {discipline}.").format(discipline=discipline.title)
    if rival.strategy is None:
        return ""
    title = strategy(rival.strategy).title
    if " box " in prediction.of and prediction.of[-1] in "xyz":
        return tr("That is where {strategy} would place it.").format(strategy=title)
    return tr("That is the answer of {strategy}.").format(strategy=title)


def _number(name: str, moment: LessonMoment, recording: Recording) -> tuple[float, str]:
    """A number of a run and its unit."""
    if name in NUMBERS:
        return _figure(name, recording)
    if (of_job := OF_JOB.fullmatch(name)) is not None:
        unit = tr("processors") if of_job[2] == "processors" else ""
        return _of_job(int(of_job[1]), of_job[2], recording), unit
    if (of_packet := OF_PACKET.fullmatch(name)) is not None:
        return _of_packet(int(of_packet[1]), of_packet[2], recording), tr("cycles")
    if name == DEADLOCK:
        if recording.deadlock is None:
            raise AnswerError(tr("this run does not end in a deadlock"))
        return float(recording.deadlock.cycle), ""
    if name in _NOW:
        return _now(name, moment, recording)
    known = [*(n for n, figure in FIGURES.items() if not figure.wall), *_NOW]
    raise AnswerError(
        tr("expected a figure of the run, job N start, or one of {known}, got {name}{nearest}").format(
            known=", ".join(_NOW), name=name, nearest=nearest(name, known)
        )
    )


def _calculated(text: str) -> float:
    """The result of a calculation with the four operations."""
    try:
        return _result(ast.parse(text.replace(" ", ""), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError):
        raise AnswerError(
            tr("expected a calculation, for example 4*4*4, got {text}").format(text=text)
        ) from None


def _result(node: ast.expr) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_result(node.left), _result(node.right))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    raise SyntaxError


def _figure(name: str, recording: Recording) -> tuple[float, str]:
    figure = NUMBERS[name]
    if figure.wall:
        raise AnswerError(tr("{name} differs from run to run: expected another figure").format(name=name))
    flat, _ = figures_of(recording)
    if name not in flat:
        raise AnswerError(
            tr("this run has no {name}: expected a scenario with a network, or another figure").format(
                name=name
            )
        )
    unit = "" if figure.unit == "time" else figure.unit_words  # as those of a job
    return flat[name] * (100 if figure.percent else 1), unit


def _of_job(job: int, what: str, recording: Recording) -> float:
    if job >= len(recording.jobs):
        raise AnswerError(
            tr("expected a job below {jobs}, got {job}").format(jobs=len(recording.jobs), job=job)
        )
    figures = JobFigures(recording)
    rows = np.flatnonzero(figures.job == job)
    if not len(rows):
        raise AnswerError(tr("job {job} never runs: expected another one").format(job=job))
    row = int(rows[0])
    start, finish = float(figures.start[row]), float(figures.finish[row])
    values = placement_figures(job, recording.boxes_of(job), start, finish) | {
        f"job {job} waiting": float(figures.waiting[row]),
        f"job {job} turnaround": float(figures.turnaround[row]),
        f"job {job} processors": float(figures.held[row]),
        f"job {job} blocks": float(figures.blocks[row]),
        f"job {job} attempts": float(figures.attempts[row]),
    }
    if (value := values.get(f"job {job} {what}")) is None:
        known = [name.removeprefix(f"job {job} ") for name in values]
        raise AnswerError(
            tr("expected one of {known} after job {job}, got {what}").format(
                known=", ".join(known), job=job, what=what
            )
        )
    return value


def _of_packet(packet: int, what: str, recording: Recording) -> float:
    network = recording.network
    if network is None or packet >= len(network):
        raise AnswerError(tr("the run has no packet {packet}").format(packet=packet))
    known = {
        "sent": network.sent,
        "injected": network.injected,
        "delivered": network.delivered,
        "latency": network.delivered - network.injected,
        "blocked": network.blocked,
    }
    if what not in known:
        raise AnswerError(
            tr("expected one of {known} after packet {packet}, got {what}").format(
                known=", ".join(known), packet=packet, what=what
            )
        )
    return float(known[what][packet])


_NOW: Final[dict[str, tuple[Callable[[Recording, int], float], str]]] = {
    "now free": (lambda recording, at: float(recording.snapshot(at).free), tr("processors")),
    "now busy": (lambda recording, at: float(recording.snapshot(at).busy), tr("processors")),
    "now running": (lambda recording, at: float(len(recording.snapshot(at).running)), tr("jobs")),
    "now boxes": (lambda recording, at: float(_boxes(recording, at)), tr("boxes")),
    "now waiting": (lambda recording, at: float(len(recording.queue(at))), tr("jobs")),
}


def _boxes(recording: Recording, at: int) -> int:
    return int(recording.blocks[recording.snapshot(at).running].sum())


def _now(name: str, moment: LessonMoment, recording: Recording) -> tuple[float, str]:
    instant = instant_from(moment.view())
    if instant is None:
        raise AnswerError(tr("expected a time with {name}").format(name=name))
    count, unit = _NOW[name]
    return count(recording, settled(instant, recording).events), unit


# What a question hides


def cut_of(prediction: Prediction, moment: LessonMoment, recording: Recording) -> RunCut | None:
    """Where a run is hidden from: at the moment, and before what the question is about; None if it is not.

    Of a run in progress nothing is shown, as the moment may lie in what is yet to come.
    """
    instant = instant_from(moment.view())
    if instant is None or not prediction.of_future:
        return None
    if not recording.over:
        return RunCut(0)
    found = settled(instant, recording)
    moment_cut = RunCut(found.events, found.time)
    of_job = OF_JOB.fullmatch(prediction.of)
    if of_job is None or int(of_job[1]) >= len(recording.jobs):
        return moment_cut
    return min(moment_cut, RunCut(_before_attempts(int(of_job[1]), recording), found.time))


def _before_attempts(job: int, recording: Recording) -> int:
    """The events before the first attempt to place a job; of one that was hit, before the first since."""
    hits = np.flatnonzero((recording.kinds == EventKind.KILL) & (recording.event_jobs == job))
    since = int(hits[-1]) + 1 if len(hits) else 0
    made = (attempt.position for attempt in recording.attempts if attempt.job == job)
    return min((position for position in made if position >= since), default=len(recording))
