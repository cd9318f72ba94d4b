"""The exercises to each lesson: a set that is drawn once, and kept on the machine."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from meshgui.engine.basics.files import InputFileError
from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.exercises import exercise_set_of
from meshgui.model.exercises.hand_in import SET_SUFFIX, ExerciseSet, read_set, write_part
from meshgui.model.lessons.course import key_of
from meshgui.model.lessons.lesson_shelf import ShelvedLesson


class Practice:
    """The sets of exercises to lessons, in a folder beside the settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "practice"

    def kept(self, lesson: ShelvedLesson) -> ExerciseSet | None:
        """The set to a lesson, if it was drawn before."""
        try:
            return read_set(self._file(lesson))
        except (InputFileError, OSError):  # there is none, or it is damaged: another is drawn
            return None

    def drawn(self, lesson: ShelvedLesson) -> ExerciseSet:
        """The set to a lesson, the same on every machine; an OSError where it cannot be kept."""
        if (kept := self.kept(lesson)) is not None:
            return kept
        asked = exercise_set_of(key_of(lesson.path), lesson.exercises)
        made = ExerciseSet(title=lesson.title, asked=asked)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_part(self._file(lesson), made)
        return made

    def words(self, lesson: ShelvedLesson, answered: Collection[ExerciseKey]) -> str:
        """How many of the exercises to a lesson were answered."""
        kept = self.kept(lesson)
        if kept is None:
            return tr("Exercises")
        count = sum(key in answered for key in kept.asked)
        if count == len(kept.asked):
            return tr("Exercises · ✓")
        return tr("Exercises · {answered} of {asked}").format(answered=count, asked=len(kept.asked))

    def _file(self, lesson: ShelvedLesson) -> Path:
        return self._folder / f"{key_of(lesson.path)}{SET_SUFFIX}"
