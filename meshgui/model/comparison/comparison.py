"""Runs side by side that differ in one part of their scenario, with one clock and one selection."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial

from meshgui.engine.basics.sentences import Sentence, compose
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.scenario import Scenario, ScenarioError
from meshgui.model.base.named import ids_in
from meshgui.model.base.signals import Signal
from meshgui.model.comparison.comparison_clock import ClockKind, ComparisonClock
from meshgui.model.comparison.comparison_tables import RunMeasures
from meshgui.model.comparison.divergence import Divergence, divergence_sentence, divergences, share_jobs
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection, SelectionChange
from meshgui.model.studies.varied_parts import RunChoice, VariedPart, varied


class ComparedRun:
    """One of the runs: its choice, its cursor and selection, and what is known of it so far."""

    def __init__(self, choice: RunChoice, scenario: Scenario | None, fault: str = "") -> None:
        self.choice, self.scenario, self.fault = choice, scenario, fault
        self.cursor, self.selection = Cursor(), Selection()
        self.measures: RunMeasures | None = None  # once the run is over
        self.held = ""  # its expected cost, where it was stopped for that
        self.agreed = False  # that it may take long

    @property
    def name(self) -> str:
        """What it is called in files, and where a full name has no room."""
        return self.choice.name

    @property
    def full_name(self) -> str:
        """What it is called in sentences and tables, over its mesh: with its title, if it has one."""
        return self.choice.title if ids_in(self.choice.title) else self.name

    @property
    def moment_wordings(self) -> tuple[str, ...]:
        """Its figures at the moment, without those that stand under every mesh; then fewer of them."""
        view = self.cursor.view
        if view is None:
            return ("",)
        now, recording = view.snapshot, view.recording
        done = (recording.ended < now.position) & (recording.started != NEVER)
        words = [
            tr("{running} running").format(running=len(now.running)),
            tr("{finished} finished").format(finished=now.finished),
        ]
        words += [tr("{rejected} rejected").format(rejected=now.rejected)] if now.rejected else []
        if done.any():
            took = recording.times[recording.ended[done]] - recording.jobs.arrival[done]
            words.append(tr("mean turnaround {mean:.2f}").format(mean=took.mean()))
        return tuple(" · ".join(words[left_out:]) for left_out in range(len(words)))

    @property
    def over(self) -> bool:
        """Whether nothing more will be known of it."""
        return bool(self.fault) or self.measures is not None


class RunComparison:
    """The runs compared. Emits `chosen` when there are others, and `known` when more is known of some."""

    def __init__(self) -> None:
        self.chosen: Signal[[]] = Signal()
        self.known: Signal[[]] = Signal()
        self.clock = ComparisonClock()
        self.runs: tuple[ComparedRun, ...] = ()
        self.selection = Selection()  # of all runs
        self.selection.changed.connect(partial(self._tie, self.selection))
        self.part = VariedPart.STRATEGY
        self._scenario: Scenario | None = None
        self._until: float | None = None  # the time to show once some run has gone so far
        self._selecting = False
        self._found: tuple[tuple[Recording, ...], tuple[Divergence, ...]] = (), ()

    def compare(self, scenario: Scenario, part: VariedPart, choices: Sequence[RunChoice]) -> None:
        """Compare these choices; runs that were compared before are kept."""
        kept = self.runs if scenario is self._scenario else ()
        self._scenario, self.part = scenario, part
        self.runs = tuple(
            next((run for run in kept if run.choice == choice), None) or self._made(scenario, choice)
            for choice in choices
        )
        self.clock.set_cursors([run.cursor for run in self.runs])
        self.chosen.emit()
        self.select(self.selection.job)

    def record(self, run: ComparedRun, recording: Recording) -> None:
        """Take a longer recording of a run."""
        run.cursor.extend(recording)
        if self._until is not None and recording.end_time >= self._until:
            until, self._until = self._until, None
            self.clock.go_to(until)
        else:
            self.clock.settle()

    def measure(self, run: ComparedRun, measures: RunMeasures) -> None:
        """Take the measures of a run that is over."""
        run.measures = measures
        self.known.emit()

    def fail(self, run: ComparedRun, fault: str) -> None:
        """A run cannot be made, or no further; the others stay."""
        run.fault = fault
        self.known.emit()

    def show_time(self, time: float) -> None:
        """Go to a time, once some run has gone so far; at 0 nothing has happened yet."""
        self.clock.choose(ClockKind.TIME)
        self._until = time if time > self.clock.limit else None
        if time > 0:
            self.clock.go_to(time)
        else:
            self.clock.first()

    def select(self, job: int | None) -> None:
        """Select a job in every run."""
        self.selection.select(job)
        for run in self.runs:  # also in those that have joined
            run.selection.select(job)

    def hold(self, run: ComparedRun, expected: str) -> None:
        """A run would take long, and was stopped until that is agreed on."""
        run.held = expected
        self.known.emit()

    def agree(self) -> None:
        """The runs that would take long may do so."""
        for run in self.runs:
            run.agreed, run.held = run.agreed or bool(run.held), ""
        self.known.emit()

    # What the runs have in common, and where they part

    @property
    def over(self) -> bool:
        """Whether nothing more will be known of any run."""
        return all(run.over for run in self.runs)

    @property
    def recorded(self) -> tuple[ComparedRun, ...]:
        """The runs of which something is known, and which have not failed."""
        return tuple(run for run in self.runs if run.cursor.recording is not None and not run.fault)

    @property
    def same_jobs(self) -> bool:
        """Whether all runs have the same jobs, as far as is known."""
        recordings = [run.cursor.recording for run in self.recorded]
        return share_jobs([recording for recording in recordings if recording is not None])

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """The differences between the runs, as far as they have gone."""
        cursors = [run.cursor for run in self.recorded]
        recordings = tuple(cursor.recording for cursor in cursors if cursor.recording is not None)
        if self._found[0] != recordings:
            self._found = recordings, tuple(divergences(recordings))
        return self._found[1]

    def go_to_difference(self, way: int) -> Sentence:
        """Go to the next difference (1) or the previous one (-1), select its job, and say what it is."""
        found, now = self.divergences, self.clock.time
        if not found:
            return Sentence(self._no_difference())
        jobs = {run.selection.job for run in self.runs}
        here = [index for index, one in enumerate(found) if one.time == now and jobs == {one.job}]
        if here:
            index = here[0] + way
        elif way > 0:
            index = bisect_right(found, now, key=_time_of)
        else:
            index = bisect_left(found, now, key=_time_of) - 1
        if not 0 <= index < len(found):
            return Sentence(self._no_further(way))
        self.clock.pause()
        chosen = found[index]
        self.clock.go_to_start_of(chosen.job, chosen.time)
        self.select(chosen.job)
        names = [run.full_name for run in self.recorded]
        said = divergence_sentence(chosen, names, self._found[0][0].mesh)
        words = {"sentence": said, "number": index + 1, "count": len(found)}
        return compose(tr("Difference {number} of {count}: {sentence}"), words)

    def _no_further(self, way: int) -> str:
        if way < 0:
            return tr("There is no earlier difference.")
        if self.over:
            return tr("There is no later difference.")
        return tr("There is no later difference so far; the runs are still being made.")

    def _no_difference(self) -> str:
        if len(self.recorded) < 2:
            return tr("There are no two runs to compare.")
        if self.over:
            return tr("Every job starts at the same time and in the same boxes in all runs.")
        return tr("No difference so far; the runs are still being made.")

    # Inside

    def _made(self, scenario: Scenario, choice: RunChoice) -> ComparedRun:
        try:
            run = ComparedRun(choice, varied(scenario, choice))
        except ScenarioError as error:
            reason = error.message  # may begin with the name itself
            fault = (
                f"{reason}."
                if reason.startswith(choice.name)
                else tr("{choice} cannot run this scenario: {reason}.").format(
                    choice=choice.name, reason=reason
                )
            )
            run = ComparedRun(choice, None, fault)
        run.selection.changed.connect(partial(self._tie, run.selection))
        return run

    def _tie(self, source: Selection, changes: SelectionChange) -> None:
        """Select and hover the same job in all runs; packets and channels are those of one run."""
        if self._selecting:
            return
        self._selecting = True
        try:
            for other in (self.selection, *(run.selection for run in self.runs)):
                if other is source:
                    continue
                if SelectionChange.JOB in changes:
                    other.select(source.job)
                if SelectionChange.HOVER in changes:
                    other.hover(source.hovered)
        finally:
            self._selecting = False


def _time_of(found: Divergence) -> float:
    return found.time
