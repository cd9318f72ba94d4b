"""What the palette finds besides the commands: scenarios, lessons, strategies, jobs of the run, and times."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import formatted, tr, tr_page
from meshgui.engine.basics.words import within
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.named import named
from meshgui.model.document.document import SUFFIX
from meshgui.model.lessons.lesson_shelf import ShelvedLesson
from meshgui.model.moment.position import Position
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.context import Context

_JOB: Final = re.compile(r"^(?:job|j|#)?\s*#?(\d+)$", re.IGNORECASE)
_TIME: Final = re.compile(
    r"^(?:go\s+to\s+|at\s+)?(?:time|t|at)?\s*=?\s*(\d+(?:[.,]\d*)?|[.,]\d+)$", re.IGNORECASE
)

_HAPPENED: Final = {
    "arrives": tr("Job {job} arrives, at {time:.2f}"),
    "starts": tr("Job {job} starts, at {time:.2f}"),
    "finishes": tr("Job {job} finishes, at {time:.2f}"),
}


class PaletteAnswers:
    """Commands that depend on what is open, and on what is typed."""

    def __init__(
        self,
        context: Context,
        run_with: Callable[[str], object],
        open_example: Callable[[Path], object],
        open_lesson: Callable[[Path], object],
        lessons: Callable[[], list[ShelvedLesson]],
    ) -> None:
        self._document, self._cursor, self._selection = context.document, context.cursor, context.selection
        self._run_with, self._open_example = run_with, open_example
        self._open_lesson, self._lessons = open_lesson, lessons

    def listed(self) -> list[Command]:
        """The strategies, for the scenario that is open, the ready scenarios, and the lessons."""
        return [*self._strategies(), *self._examples, *self._shelf()]

    def found(self, query: str) -> list[Command]:
        """The events of the job and the time of a number that is typed, where the run has them."""
        recording = self._cursor.recording
        if recording is None:
            return []
        found: list[Command] = []
        if (job := _JOB.match(query)) is not None and int(job[1]) < len(recording.jobs):
            found += self._events(recording, int(job[1]), query)
        if (time := _TIME.match(query)) is not None:
            found += self._time(recording, float(time[1].replace(",", ".")), query)
        return found

    def _strategies(self) -> Sequence[Command]:
        from meshgui.engine.allocation.registry import by_title  # noqa: PLC0415 - read at first use

        scenario = self._document.scenario
        if scenario is None:
            return ()
        return [
            Command(
                f"strategy.{cls.id}",
                tr("Run with {name}").format(name=named(cls.title, cls.id)),
                tr("Run the same jobs with this strategy")
                if cls.id != scenario.allocator.name
                else tr("Run again with this strategy, the current one"),
                partial(self._run_with, cls.id),
                group=tr("Strategies"),
                icon="code",
                synonyms=tr("strategy switch change allocator algorithm compare"),
                names=(cls.id, cls.title),
            )
            for cls in by_title()
        ]

    @cached_property
    def _examples(self) -> Sequence[Command]:
        from meshgui.model.document.examples import example_groups  # noqa: PLC0415 - read at first use

        return [
            Command(
                f"example.{path.name.removesuffix(SUFFIX)}",
                tr_page(load_scenario(path).title),
                tr("Open this ready scenario ({group})").format(group=within(group)),
                partial(self._open_example, path),
                group=tr("Examples"),
                icon="folder-open",
                synonyms=tr("example sample demo load"),
            )
            for group, paths in example_groups().items()
            for path in paths
        ]

    def _shelf(self) -> Sequence[Command]:
        return [
            Command(
                f"lesson.{number}",
                lesson.title,
                tr("Begin this lesson"),
                partial(self._open_lesson, lesson.path),
                group=tr("Lessons"),
                icon="presentation",
                synonyms=tr("lesson tutorial course learn teach"),
            )
            for number, lesson in enumerate(self._lessons(), 1)
            if not lesson.fault
        ]

    def _events(self, recording: Recording, job: int, query: str) -> list[Command]:
        events = (
            ("arrives", recording.arrived),
            ("starts", recording.started),
            ("finishes", recording.ended),
        )
        found = []
        for place, (verb, happened) in enumerate(events):
            index = int(happened[job])
            if index == NEVER:
                continue
            time = float(recording.times[index])
            said = _HAPPENED[verb]
            if verb == "finishes" and recording.started[job] == NEVER:
                said = tr("Job {job} is rejected, at {time:.2f}")
            found.append(
                Command(
                    f"job.{job}.{verb}",
                    said.format(job=job, time=time),
                    tr("Select the job and go there"),
                    partial(self._go_to_event, job, index + 1),
                    group=tr("Jobs"),
                    icon=("arrow-down-to-line", "play", "square")[place],
                    synonyms=query,
                )
            )
        return found

    def _time(self, recording: Recording, time: float, query: str) -> list[Command]:
        if time > recording.end_time:
            return []
        return [
            Command(
                "time.at",
                tr("Go to time {time}").format(time=formatted(time, ".12g")),
                tr("All events up to it have happened"),
                partial(self._cursor.go_to_time, time),
                group=tr("Time"),
                icon="clock",
                synonyms=query,
            )
        ]

    def _go_to_event(self, job: int, position: int) -> None:
        self._selection.select(job)
        self._cursor.go_to(Position(position))
