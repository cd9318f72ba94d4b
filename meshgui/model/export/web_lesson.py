"""A lesson as a web page: its steps with their moments, each question with its answer and what hides it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meshgui.engine.basics.translation import said_again
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise_cut import RunCut, cut_off
from meshgui.model.export.web_data import WebArrays
from meshgui.model.export.web_page import page
from meshgui.model.export.web_run import WebSpan, web_run
from meshgui.model.export.web_steps import usual_attempts
from meshgui.model.export.web_words import in_each_language
from meshgui.model.lessons.lesson import Lesson, load_lesson
from meshgui.model.lessons.lesson_answers import MadeRuns, RightAnswer, answer_of, answer_scenario, cut_of
from meshgui.model.lessons.lesson_hints import hints_of
from meshgui.model.lessons.lesson_moment import LessonMoment
from meshgui.model.lessons.lesson_prediction import Prediction
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.stepping.bookmarks import instant_from, settled


def lesson_page(lesson: Lesson) -> Iterator[bytes]:
    """The page of a lesson without faults, piece by piece."""
    yield from _LessonWriter(lesson).page()


class _LessonWriter:
    """Runs what a lesson shows, each scenario once, and collects what its page needs."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._runs = MadeRuns()
        self._shown: list[Recording] = []
        self._attempts: list[set[int]] = []  # of each run that is shown
        self._answers: dict[int, Recording] = {}  # by step
        self._parts: dict[tuple[int, RunCut], Recording] = {}  # of the runs that are shown, cut off

    def page(self) -> Iterator[bytes]:
        lesson = self._lesson
        steps = [self._step(place) for place in range(len(lesson.steps))]
        chosen = [sorted(attempts) for attempts in self._attempts]
        for step in steps:
            if "attempt" in step.get("moment", {}):
                step["moment"]["attempt"] = chosen[step["run"]].index(step["moment"]["attempt"])
        arrays = WebArrays()
        runs = [
            web_run(recording, WebSpan.of(recording), attempts, arrays)
            for recording, attempts in zip(self._shown, chosen, strict=True)
        ]
        return page(lesson.title, {"runs": runs, "lesson": {"steps": steps, "told": self._told()}}, arrays)

    def _told(self) -> dict[str, Any]:
        """What the lesson says, in each language."""
        return in_each_language(lambda: self._words(load_lesson(self._lesson.path)))

    def _words(self, lesson: Lesson) -> dict[str, Any]:
        steps = [self._step_words(lesson, place) for place in range(len(self._lesson.steps))]
        return {"title": lesson.title, "source": lesson.source, "steps": steps}

    def _step_words(self, lesson: Lesson, place: int) -> dict[str, Any]:
        step = lesson.steps[place]
        moment = step.moment
        if moment is None or moment.predict is None:
            return {"text": step.text}
        predict, recording = moment.predict, self._answers[place]
        answer = answer_of(predict, moment, recording)
        return {
            "text": step.text,
            "question": predict.asked,
            "answer": answer._replace(unit=said_again(answer.unit)).words,
            "hints": hints_of(predict, moment, answer, recording),
            "explain": predict.explain,
        }

    def _step(self, place: int) -> dict[str, Any]:
        step = self._lesson.steps[place]
        scenario, moment = self._lesson.scenario(place), step.moment
        told: dict[str, Any] = {"run": None, "job": None}
        if scenario is None:
            return told
        recording = self._runs.of(scenario)
        told["run"] = self._place_of(recording)
        shown = moment or self._lesson.moment(place) or LessonMoment()
        told["moment"] = self._moment(recording, told["run"], shown)
        told["job"] = shown.selection.job if shown.selection is not None else None
        if moment is not None and moment.predict is not None:
            self._answers[place] = self._runs.of(answer_scenario(self._lesson, place, moment.predict))
            answer = answer_of(moment.predict, moment, self._answers[place])
            told["asked"] = _judged(moment.predict, answer) | self._before(moment, moment.predict, told)
        return told

    def _before(self, moment: LessonMoment, predict: Prediction, told: dict[str, Any]) -> dict[str, Any]:
        """What is hidden until the question is answered, and what is shown of the run so far."""
        hidden = {"hidden": list(predict.hidden)}
        cut = cut_of(predict, moment, self._shown[told["run"]])
        if cut is None:
            return hidden | {"run": told["run"], "moment": told["moment"]}
        part = self._parts.setdefault((told["run"], cut), cut_off(self._shown[told["run"]], *cut))
        return hidden | {"run": self._place_of(part), "moment": {"time": cut.time}}

    def _moment(self, recording: Recording, run: int, moment: LessonMoment) -> dict[str, Any]:
        """Where the page goes: a time, or a step of an attempt, which the page then has."""
        instant = instant_from(moment.view())
        if instant is None:
            return {"time": 0.0}
        found: Instant = settled(instant, recording)
        if found.phase == InstantPhase.ATTEMPT:
            self._attempts[run].add(found.attempt)
            return {"position": found.events, "attempt": found.attempt, "step": found.step}
        if found.phase == InstantPhase.BETWEEN:
            return {"time": found.time}
        return {"position": found.events}

    def _place_of(self, recording: Recording) -> int:
        """The place of a run among those of the page."""
        place = next((n for n, shown in enumerate(self._shown) if shown is recording), len(self._shown))
        if place == len(self._shown):
            self._shown.append(recording)
            span = WebSpan.of(recording)
            self._attempts.append(set(usual_attempts(recording, span.first, span.last)))
        return place


def _judged(predict: Prediction, answer: RightAnswer) -> dict[str, Any]:
    """What the page judges an answer by; a guess closes the question."""
    return {
        "value": answer.value,
        "within": answer.within,
        "classes": list(answer.classes),
        "guess": predict.follows_from == "estimate",
    }
