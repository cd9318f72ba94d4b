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
from meshgui.model.exercises.whole_algorithm import WholeExercise
from meshgui.model.exercises.whole_work import WholeWork


class ExerciseSession:
    """One exercise at a time, alone or out of a set. Emits `changed` with every question and answer."""

    def __init__(self, folder: Path) -> None:
        self.changed: Signal[[]] = Signal()
        self.log = ExerciseLog(folder)
        self.exercise: Exercise | None = None
        self.judgement: Judgement | None = None
        self.given: object = None  # the answer that was judged
        self.work: WholeWork | None = None  # on a whole algorithm
        self.set: ExerciseSet | None = None
        self.place = 0  # in the set

    @property
    def open(self) -> bool:
        """Whether a question waits for its answer."""
        return self.exercise is not None and self.judgement is None

    @property
    def position(self) -> int:
        """The events that have happened at the moment that is asked about."""
        if self.work is not None:
            return self.work.decision.position
        return self.exercise.position if self.exercise is not None else 0

    @property
    def job(self) -> int | None:
        """The job that the question is about now."""
        if self.work is not None:
            return self.work.decision.job
        return self.exercise.job if self.exercise is not None else None

    def ask(self, exercise: Exercise) -> None:
        """Ask a question."""
        self.exercise, self.judgement = exercise, None
        self.work = WholeWork(exercise) if isinstance(exercise, WholeExercise) else None
        if self.set is not None and exercise.key in self.set.asked:
            self.place = self.set.asked.index(exercise.key)
        self.changed.emit()

    def answer(self, answer: object) -> Judgement:
        """Judge an answer, or None to give up, and record it; an AnswerFormatError if it is not valid."""
        if self.exercise is None:
            raise ExerciseError(tr("expected a question before its answer"))
        self.judgement, self.given = self.exercise.verdict(answer), answer
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

    def wrong_ones(self) -> list[ExerciseKey]:
        """The exercises whose last answer was not right, the latest last."""
        last = {given.key: given.score for given in self.log.answers()}
        return [key for key, score in last.items() if score < 1][-MAX_EXERCISES:]

    def begin_again(self) -> ExerciseKey | None:
        """Take up what was not answered rightly; the first of it, or None where there is nothing."""
        wrong = self.wrong_ones()
        if not wrong:
            return None
        self.set, self.place = ExerciseSet(title=tr("What went wrong"), asked=tuple(wrong)), 0
        return wrong[0]

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
        return RunCut(self.position)
