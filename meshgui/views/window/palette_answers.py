"""What the palette finds besides the commands: scenarios, lessons, strategies, jobs of the run, and times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import within
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.named import named
from meshgui.model.document.document import SUFFIX
from meshgui.model.lessons.lesson_shelf import ShelvedLesson
from meshgui.model.stepping.place_words import FoundPlace, found_places
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.context import Context

_ICONS: Final = {"arrives": "arrow-down-to-line", "starts": "play", "finishes": "square"}


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
        return [self._place(place, query) for place in found_places(query, recording)]

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

    def _place(self, place: FoundPlace, query: str) -> Command:
        of_job = place.job is not None
        return Command(
            f"job.{place.job}.{place.happens}" if of_job else "time.at",
            place.title,
            tr("Select the job and go there") if of_job else tr("All events up to it have happened"),
            partial(self._go_to, place),
            group=tr("Jobs") if of_job else tr("Time"),
            icon=_ICONS.get(place.happens, "clock"),
            synonyms=query,
        )

    def _go_to(self, place: FoundPlace) -> None:
        if place.job is not None:
            self._selection.select(place.job)
        self._cursor.go_to_instant(place.instant)
