"""Runs the steps of a lesson, and finds its faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError
from meshgui.engine.network.routing import WAYS
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.fields import FieldError
from meshgui.model.lessons.lesson import (
    Lesson,
    LessonStep,
    NamedPicture,
    lesson_text,
    parse_lesson,
    picture_names,
    pictures_of,
)
from meshgui.model.lessons.lesson_answers import (
    AnswerError,
    MadeRuns,
    RightAnswer,
    answer_of,
    answer_scenario,
    number_of,
)
from meshgui.model.lessons.lesson_files import LessonError, LessonFault
from meshgui.model.lessons.lesson_moment import LessonMoment
from meshgui.model.lessons.lesson_numbers import numbers_without_source, wrong_numbers
from meshgui.model.lessons.lesson_pictures import LessonPictureError, PictureFolder, drawn_number
from meshgui.model.lessons.lesson_prediction import NumberSource, Prediction
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.stepping.bookmarks import instant_from, settled
from meshgui.model.stepping.breakpoints import Breakpoint


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
        if place < len(folders) and (number := drawn_number(name)) is not None:
            moment = lesson.steps[place].moment
            if moment is None or number >= len(moment.pictures):
                said = tr("{name}: expected a picture of the moment of this step").format(name=name)
                yield LessonFault(lesson.path, line, said)
        elif place < len(folders):
            try:
                folders[place].picture(name)
            except LessonPictureError as error:
                yield LessonFault(lesson.path, line, str(error))


class _Checker:
    """Runs the scenarios of a lesson, each once, and looks for what its steps name."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._runs = MadeRuns()

    def faults(self) -> list[LessonFault]:
        found = []
        for place, step in enumerate(self._lesson.steps):
            if step.moment is not None:
                said = self._faults_of(place, step, step.moment)
                found += [LessonFault(self._lesson.path, step.moment_line, message) for message in said]
        return found

    def _faults_of(self, place: int, step: LessonStep, moment: LessonMoment) -> list[str]:
        try:
            scenario = self._lesson.scenario(place)
            if scenario is None:
                return [tr("scenario: expected a value, as no step before has one")]
            recording = self._runs.of(scenario)
            faults = _misplaced(moment, recording)
            if moment.experiment is not None:
                moment.experiment.of(scenario)
            faults += self._faults_of_drawn(place, moment)
            if not faults:
                faults += self._faults_of_numbers(place, step, moment, recording)
        except ScenarioError as error:
            return [tr("scenario: {error}").format(error=error)]
        except AnswerError as error:
            return [tr("predict.of: {error}").format(error=error)]
        except FieldError as error:
            return [tr("experiment.vary: {error}").format(error=error)]
        except RunError as error:
            return [tr("the run stops: {error}").format(error=error)]
        return faults

    def _faults_of_numbers(
        self, place: int, step: LessonStep, moment: LessonMoment, recording: Recording
    ) -> Iterator[str]:
        """What is wrong with the answer, with foreseen wrong ones, and with the numbers of the texts."""
        predict, answer = moment.predict, None
        if predict is not None:
            answer = answer_of(predict, moment, self._other(place, predict))
            yield from self._faults_of_rivals(place, moment, predict, answer)
        yield from wrong_numbers(step, moment, lambda source: self._other(place, source))
        for written in numbers_without_source(step, moment, recording, answer):
            yield tr("figures: expected where {number} comes from").format(number=written)

    def _faults_of_rivals(
        self, place: int, moment: LessonMoment, predict: Prediction, answer: RightAnswer
    ) -> Iterator[str]:
        for number, rival in enumerate(predict.rivals):
            if answer.right(number_of(rival, moment, self._other(place, rival))):
                yield tr("predict.rivals.{number}: its answer is right").format(number=number)

    def _faults_of_drawn(self, place: int, moment: LessonMoment) -> Iterator[str]:
        """What pictures name that their runs have not."""
        for number, drawn in enumerate(moment.pictures, 1):
            scenario = self._lesson.drawn(place, drawn)
            end = 0.0 if scenario is None else self._runs.of(scenario).end_time
            if drawn.time > end:
                said = tr("pictures.{number}: expected a time of at most {end:.6g}, got {time:g}")
                yield said.format(number=number, end=end, time=drawn.time)

    def _other(self, place: int, source: Prediction | NumberSource) -> Recording:
        return self._runs.of(answer_scenario(self._lesson, place, source))


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
