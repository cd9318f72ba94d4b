"""The exercise that is asked, the set that it belongs to, and what was answered."""

from __future__ import annotations

from pathlib import Path

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.model.base.limits import MAX_EXERCISES
from meshgui.model.base.signals import Signal
from meshgui.model.exercises.exercise import Exercise, ExerciseError, ExerciseKey, Judgement
from meshgui.model.exercises.exercise_cut import RunCut
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.hand_in import ExerciseSet, HandIn


class ExerciseSession:
    """One exercise at a time, alone or out of a set. Emits `changed` with every question and answer."""

    def __init__(self, folder: Path) -> None:
        self.changed: Signal[[]] = Signal()
        self.log = ExerciseLog(folder)
        self.exercise: Exercise | None = None
        self.judgement: Judgement | None = None
        self.set: ExerciseSet | None = None
        self.place = 0  # in the set

    @property
    def open(self) -> bool:
        """Whether a question waits for its answer."""
        return self.exercise is not None and self.judgement is None

    def ask(self, exercise: Exercise) -> None:
        """Ask a question."""
        self.exercise, self.judgement = exercise, None
        if self.set is not None and exercise.key in self.set.asked:
            self.place = self.set.asked.index(exercise.key)
        self.changed.emit()

    def answer(self, answer: object) -> Judgement:
        """Judge an answer, or None to give up, and record it; an AnswerFormatError if it is not valid."""
        if self.exercise is None:
            raise ExerciseError(tr("expected a question before its answer"))
        self.judgement = self.exercise.verdict(answer)
        self.log.add(self.exercise.key, answer, self.judgement)
        self.changed.emit()
        return self.judgement

    def begin_set(self, chosen: ExerciseSet) -> ExerciseKey:
        """Take up a set; the first question in it that has not been answered."""
        self.set = chosen
        answered = {given.key for given in self.log.answers()}
        open_ones = [place for place, key in enumerate(chosen.asked) if key not in answered]
        self.place = open_ones[0] if open_ones else 0
        return chosen.asked[self.place]

    def next_key(self) -> ExerciseKey | None:
        """The next question of the set, or one like this with the next seed; None after the last."""
        if self.set is not None:
            after = self.place + 1
            return self.set.asked[after] if after < len(self.set.asked) else None
        if self.exercise is None:
            return None
        key = self.exercise.key
        return key.model_copy(update={"seed": (key.seed + 1) % 2**63})

    def hand_in(self, student: str) -> HandIn | None:
        """The hand-in of the set, or of what was answered last; None where nothing was."""
        if self.set is not None:
            return self.log.hand_in(self.set.asked, student, self.set.title)
        asked = [given.key for given in self.log.firsts()][-MAX_EXERCISES:]
        return self.log.hand_in(asked, student) if asked else None

    def hides(self, scenario: Scenario | None) -> bool:
        """Whether the future of a scenario is hidden now; another title or other notes make no other run."""
        if not self.open or self.exercise is None or scenario is None:
            return False
        asked = self.exercise.recording.scenario
        return asked == scenario.model_copy(update={"title": asked.title, "notes": asked.notes})

    def cut(self, whole: Recording) -> RunCut | None:
        """Where a run is cut off now."""
        if self.exercise is None or not self.hides(whole.scenario):
            return None
        return RunCut(self.exercise.position)
