"""The scenarios open in one window: each with its edits, its run, its moment and its selection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import DocumentState
from meshgui.model.document.window_moment import WindowMoment
from meshgui.model.moment.moment_view import View
from meshgui.model.stepping.selection import NOTHING_SELECTED, SelectionState
from meshgui.views.document.files import Files
from meshgui.views.document.run_control import Run
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.widgets.command import Command, Condition, commands_in
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.notice import Topic
from meshgui.views.widgets.question import Question

T = TypeVar("T")

TABS: Final = f"{tr('File')}/{tr('Tabs')}"


@dataclass
class _OpenScenario:
    """A scenario that is open and not shown."""

    state: DocumentState
    view: View | None = None
    selection: SelectionState = NOTHING_SELECTED
    run: Run | None = None
    kept: WindowMoment | None = None  # where the view goes once the run has come that far
    restore: tuple[Callable[[], object], ...] = ()  # what else belongs to it


class OpenScenarios(QObject):
    """Shows one of the open scenarios; the others keep their moments, and their runs go on."""

    leaving = Signal()  # the one that is shown is about to be put aside
    changed = Signal()  # another one is shown, or there are more or fewer

    def __init__(self, context: Context, scenario_run: ScenarioRun, files: Files, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._messages = context, context.messages
        self._document, self._cursor, self._selection = context.document, context.cursor, context.selection
        self._runs, self._files = scenario_run, files
        self._all = [_OpenScenario(self._document.state)]
        self._shown = 0
        self._take: list[Callable[[], Callable[[], object]]] = []
        self._begin: list[Callable[[], object]] = []

    def commands(self) -> list[Command]:
        """Further scenarios: the welcome page to choose one, and copies."""
        shown = Condition(lambda: self._has_scenario or len(self) > 1, (self.changed, self._document.changed))
        return commands_in(
            TABS,
            Command(
                "file.welcome",
                tr("Welcome page"),
                tr("Choose another scenario, by its picture or a recent file, and keep this one open"),
                self.toggle_empty,
                ("Ctrl+T", "Ctrl+Shift+H"),
                "house",
                mark=lambda: not self._has_scenario,
                enabled_when=shown,
                synonyms=tr("new tab start page home examples gallery recent back"),
            ),
            Command(
                "file.duplicate",
                tr("Duplicate"),
                tr("Open a copy of the scenario in a tab beside it, at the same moment"),
                self.duplicate,
                ("Ctrl+Shift+D",),
                "copy",
                enabled_when=self._context.has_scenario,
            ),
        )

    def __len__(self) -> int:
        return len(self._all)

    def keep(self, get: Callable[[], T], put: Callable[[T], object]) -> None:
        """Let something else belong to each scenario; a new one begins with what there is now."""
        self._take.append(lambda: partial(put, get()))
        self._begin.append(partial(put, get()))

    @property
    def shown(self) -> int:
        """The place of the scenario that is shown."""
        return self._shown

    @property
    def states(self) -> list[DocumentState]:
        """All open scenarios, from the first tab to the last."""
        states = [scenario.state for scenario in self._all]
        states[self._shown] = self._document.state
        return states

    def show(self, place: int) -> None:
        """Show another of the open scenarios as it was left."""
        if place != self._shown:
            self._put_aside()
            self._bring_back(place)

    def move(self, before: int, after: int) -> None:
        """Follow a tab that was dragged to another place."""
        shown = self._all[self._shown]
        self._all.insert(after, self._all.pop(before))
        self._shown = self._all.index(shown)

    @property
    def _has_scenario(self) -> bool:
        return self._document.scenario is not None

    def open_empty(self) -> None:
        """Show the welcome page in a tab of its own."""
        if self._has_scenario:
            self._add(_OpenScenario(DocumentState(), restore=tuple(self._begin)))

    def leave_empty(self) -> bool:
        """Close the tab of the welcome page and show the scenario before it; whether there was such a tab."""
        if self._has_scenario or len(self) == 1:
            return False
        self._leave()
        self._remove(self._shown, max(self._shown - 1, 0))
        return True

    def toggle_empty(self) -> None:
        """Show the welcome page in a tab of its own, or leave it."""
        if not self.leave_empty():
            self.open_empty()

    def take_beside(self, state: DocumentState) -> None:
        """Run a scenario and show what its file or a link says is shown of it.

        In a tab of its own unless nothing is open in this one.
        """
        if not self._has_scenario:
            self._document.show(state)
        else:
            self._add(_OpenScenario(state, restore=tuple(self._begin)))
        self._files.announce(state)

    def duplicate(self) -> None:
        """Show a copy of the scenario at the same moment, in the next tab."""
        if not self._has_scenario:
            return
        running = self._runs.running
        view, selection = self._cursor.view, self._selection.state
        self._add(_OpenScenario(self._document.state.duplicate(), view, selection, restore=self._taken()))
        if running:
            self._runs.run()

    def close(self, place: int) -> None:
        """Close a scenario unless there are changes to keep."""
        self.show(place)
        if not self._files.may_leave():
            return
        self._leave()
        if len(self) == 1:
            self._document.show(DocumentState())
            self._runs.run_opened()
            self.changed.emit()
        else:
            self._remove(place, min(place, len(self) - 2))

    def _remove(self, place: int, after: int) -> None:
        """Forget the scenario that is shown, and show the one that has a place then."""
        self._runs.stop()
        del self._all[place]
        self._bring_back(after)

    def show_state(self, state: DocumentState | None) -> bool:
        """Show the tab of a scenario; whether it is open."""
        places = [place for place, each in enumerate(self.states) if each is state]
        if places:
            self.show(places[0])
        return bool(places)

    def questions(self) -> Iterator[Question]:
        """Whether to save each that is changed, which is shown then."""
        for place, state in enumerate(self.states):
            state.look_at_file()
            if state.is_worth_saving:
                yield self._files.question(state, partial(self.show, place))

    def writing(self) -> str:
        """What is saved is written where it is asked for."""
        return ""

    def _add(self, scenario: _OpenScenario) -> None:
        self._put_aside()
        self._all.insert(self._shown + 1, scenario)
        self._bring_back(self._shown + 1)

    def _leave(self) -> None:
        """What was said of the one that is shown holds no longer."""
        self.leaving.emit()
        self._messages.clear()
        self._messages.withdraw(Topic.FILE)
        self._runs.withdraw_question()

    def _put_aside(self) -> None:
        self._leave()
        run, kept = self._runs.put_aside()
        view, selection = self._cursor.view, self._selection.state
        self._all[self._shown] = _OpenScenario(
            self._document.state, view, selection, run, kept, self._taken()
        )

    def _bring_back(self, place: int) -> None:
        scenario = self._all[place]
        self._shown = place
        self._document.show(scenario.state)
        self._cursor.restore(scenario.view)
        self._selection.restore(scenario.selection)
        for restore in scenario.restore:
            restore()
        self._runs.bring_back(scenario.run, scenario.kept)
        self.changed.emit()
        self._runs.show_again()  # more or less of what was put aside may be seen now

    def _taken(self) -> tuple[Callable[[], object], ...]:
        return tuple(take() for take in self._take)


class OwnTab:
    """A tab that belongs to lessons, or to exercises: the next scenario takes the place of the one in it."""

    def __init__(self, scenarios: OpenScenarios, files: Files) -> None:
        self._scenarios, self._files = scenarios, files
        self._state: DocumentState | None = None

    def bring(self) -> bool:
        """Show the tab; whether there is one."""
        return self._scenarios.show_state(self._state)

    def take(self, state: DocumentState) -> None:
        """Show a scenario in the tab, or in a new one beside the user's."""
        known, self._state = self.bring(), state
        if known:
            self._files.take(state)
        else:
            self._scenarios.take_beside(state)
