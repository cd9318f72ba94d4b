"""Runs the steps of a lesson: finds its faults, and computes the answers to its predictions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.guard import StrategyError, long_calls
from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.routing import WAYS
from meshgui.engine.runs.figures import FIGURES, NUMBERS, figures_of, placement_figures
from meshgui.engine.runs.measures import job_figures
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, ScenarioError
from meshgui.engine.scheduling.base import DisciplineError
from meshgui.experiment.fields import FieldError
from meshgui.model.lessons.lesson import (
    Lesson,
    NamedPicture,
    lesson_text,
    parse_lesson,
    picture_names,
    pictures_of,
    varied,
)
from meshgui.model.lessons.lesson_files import LessonError, LessonFault
from meshgui.model.lessons.lesson_moment import LessonMoment, Prediction
from meshgui.model.lessons.lesson_pictures import LessonPictureError, PictureFolder
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.stepping.bookmarks import instant_from, settled
from meshgui.model.stepping.breakpoints import Breakpoint

_OF_JOB: Final = re.compile(r"job (\d{1,9}) (.+)")
_OF_PACKET: Final = re.compile(r"packet (\d{1,9}) (.+)")
_RUN_FAULTS: Final = (StrategyError, DisciplineError, NetworkError, MemoryBoundError)
_HUNDREDTH: Final = 0.01
_MANY: Final = 10_000  # from which a number is written without decimals, and without a power of ten


class AnswerError(Exception):
    """A prediction without an answer: what was expected instead."""


class RightAnswer(NamedTuple):
    """The right answer to a prediction."""

    value: float
    unit: str
    within: float

    def right(self, number: float) -> bool:
        """Whether a number is near enough."""
        return abs(number - self.value) <= self.within + 1e-9

    @property
    def words(self) -> str:
        """The answer as a sentence has it."""
        whole = self.value == round(self.value) or abs(self.value) >= _MANY
        number = f"{self.value:.0f}" if whole else f"{self.value:.4g}"
        return f"{number} {self.unit}".strip()


def number_in(text: str) -> float | None:
    """The number that was typed, perhaps with a comma or a percent sign; None if it is not a number."""
    try:
        number = float(text.strip().removesuffix("%").strip().replace(",", "."))
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def answer_scenario(lesson: Lesson, place: int, prediction: Prediction) -> Scenario:
    """The scenario whose run has the answer; a bad one raises ScenarioError."""
    scenario = lesson.scenario(place)
    if scenario is None:
        raise ScenarioError(tr("expected a scenario in this step or before it"))
    return varied(scenario, prediction.strategy, prediction.fields)


def answer_of(prediction: Prediction, moment: LessonMoment, recording: Recording) -> RightAnswer:
    """The answer in a whole run; an AnswerError if the run has none."""
    name = prediction.of
    if name in NUMBERS:
        value, unit = _figure(name, recording)
    elif (of_job := _OF_JOB.fullmatch(name)) is not None:
        value, unit = _of_job(int(of_job[1]), of_job[2], recording), ""
        unit = tr("processors") if of_job[2] == "processors" else ""
    elif (of_packet := _OF_PACKET.fullmatch(name)) is not None:
        value, unit = _of_packet(int(of_packet[1]), of_packet[2], recording), tr("cycles")
    elif name in _NOW:
        value, unit = _now(name, moment, recording)
    else:
        known = [*(n for n, figure in FIGURES.items() if not figure.wall), *_NOW]
        raise AnswerError(
            tr("expected a figure of the run, job N start, or one of {known}, got {name}{nearest}").format(
                known=", ".join(_NOW), name=name, nearest=nearest(name, known)
            )
        )
    if not prediction.within and abs(value / _HUNDREDTH - round(value / _HUNDREDTH)) > 1e-6:
        raise AnswerError(
            tr("expected within, as the answer is {value:.6g}, which cannot be typed exactly").format(
                value=value
            )
        )
    return RightAnswer(value, unit, prediction.within)


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
    figures = job_figures(recording)
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
    return sum(len(recording.boxes_of(int(job))) for job in recording.snapshot(at).running)


def _now(name: str, moment: LessonMoment, recording: Recording) -> tuple[float, str]:
    instant = instant_from(moment.view())
    if instant is None:
        raise AnswerError(tr("expected a time with {name}").format(name=name))
    count, unit = _NOW[name]
    return count(recording, settled(instant, recording).events), unit


# Faults


def check_lesson(path: Path) -> tuple[Lesson | None, list[LessonFault]]:
    """A lesson, and all its faults: those of its text, and those that its runs show."""
    try:
        path, text = lesson_text(path)
    except LessonError as error:
        return None, [error.fault]
    lesson, faults = parse_lesson(text, path)
    if not faults:
        faults = _Checker(lesson).faults()
    faults += _faults_of_pictures(lesson, text)
    return lesson, sorted(faults, key=lambda fault: fault.line)


def _faults_of_pictures(lesson: Lesson, text: str) -> Iterator[LessonFault]:
    """Why pictures that the lesson names are not shown, each by the limits of its step."""
    folders = [PictureFolder(lesson.path.parent) for _ in lesson.steps]
    named = [*pictures_of(text)]
    for place, step in enumerate(lesson.steps):
        if step.moment is not None and step.moment.predict is not None:
            names = picture_names(step.moment.predict.explain)
            named += [NamedPicture(step.moment_line, place, name) for name in names]
    for line, place, name in named:
        if place < len(folders):
            try:
                folders[place].picture(name)
            except LessonPictureError as error:
                yield LessonFault(lesson.path, line, str(error))


class _Checker:
    """Runs the scenarios of a lesson, each once, and looks for what its steps name."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._runs: dict[str, Recording] = {}

    def faults(self) -> list[LessonFault]:
        found = []
        for place, step in enumerate(self._lesson.steps):
            if step.moment is not None:
                said = self._faults_of(place, step.moment)
                found += [LessonFault(self._lesson.path, step.moment_line, message) for message in said]
        return found

    def _faults_of(self, place: int, moment: LessonMoment) -> list[str]:
        try:
            scenario = self._lesson.scenario(place)
            if scenario is None:
                return [tr("scenario: expected a value, as no step before has one")]
            recording = self._run(scenario)
            faults = _misplaced(moment, recording)
            if moment.experiment is not None:
                moment.experiment.of(scenario)
            if moment.predict is not None and not faults:
                run = self._run(answer_scenario(self._lesson, place, moment.predict))
                answer_of(moment.predict, moment, run)
        except ScenarioError as error:
            return [tr("scenario: {error}").format(error=error)]
        except AnswerError as error:
            return [tr("predict.of: {error}").format(error=error)]
        except FieldError as error:
            return [tr("experiment.vary: {error}").format(error=error)]
        except _RUN_FAULTS as error:
            return [tr("the run stops: {error}").format(error=error)]
        return faults

    def _run(self, scenario: Scenario) -> Recording:
        key = scenario.model_dump_json()
        if key not in self._runs:
            with long_calls():
                self._runs[key] = simulate(scenario)
        return self._runs[key]


def _misplaced(moment: LessonMoment, recording: Recording) -> list[str]:
    """What a moment names that the run has not."""
    faults = []
    if moment.time is not None and moment.time > recording.end_time:
        faults.append(
            tr("time: expected at most {end_time:.6g}, the end of the run, got {time:g}").format(
                end_time=recording.end_time, time=moment.time
            )
        )
    elif moment.time is None and any((moment.step, moment.events, moment.attempt is not None)):
        faults.append(tr("time: expected a value with step, events or attempt"))
    elif (instant := instant_from(moment.view())) is not None and moment.step is not None:
        faults += _missing_step(instant, recording)
    faults += [
        tr("breakpoints: breakpoint {number} is not valid").format(number=number)
        for number, given in enumerate(moment.breakpoints, 1)
        if Breakpoint.from_data(given) is None
    ]
    cut, mesh = None if moment.camera is None else moment.camera.cut, recording.mesh
    if cut is not None and not (cut[0] < mesh.dims and cut[1] <= cut[2] < mesh.extents[cut[0]]):
        faults.append(
            tr("camera.cut: expected layers of the {mesh} mesh, the first before the last").format(
                mesh=mesh.describe()
            )
        )
    span = None if moment.selection is None else moment.selection.span
    if span is not None and span[0] >= span[1]:
        faults.append(tr("selection.span: expected an earlier and a later time"))
    job = None if moment.selection is None else moment.selection.job
    if job is not None and job >= len(recording.jobs):
        faults.append(
            tr("selection.job: expected a job below {jobs}, got {job}").format(
                jobs=len(recording.jobs), job=job
            )
        )
    packet = None if moment.selection is None else moment.selection.packet
    network = recording.network
    if packet is not None and (network is None or packet >= len(network)):
        faults.append(tr("selection.packet: the run has no packet {packet}").format(packet=packet))
    channel = None if moment.selection is None else moment.selection.channel
    if channel is not None and (network is None or channel >= mesh.processors * WAYS):
        faults.append(tr("selection.channel: the run has no channel {channel}").format(channel=channel))
    return faults


def _missing_step(instant: Instant, recording: Recording) -> list[str]:
    """A complaint if the place is no step of the run; one that is too late is cut to the last."""
    found = settled(instant, recording)
    if found.phase not in {InstantPhase.ATTEMPT, InstantPhase.RELEASE}:
        return [tr("step: nothing is allocated or released in steps at {time:g}").format(time=instant.time)]
    steps = (
        recording.trace(found.attempt).steps
        if found.inside is not None
        else recording.trace_release(found.events).steps
    )
    before = instant._replace(step=max(instant.step - 1, 0))
    if found.step >= len(steps) or (instant.step and settled(before, recording) == found):
        return [
            tr("step: there is no step {step} at {time:g}").format(step=instant.step + 1, time=instant.time)
        ]
    return []
