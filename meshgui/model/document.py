"""The open scenario: its file, its edits, and whether it has changed since the last save."""

from __future__ import annotations

from pathlib import Path

from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario, save_scenario, scenario_from
from meshgui.model.edit_history import (
    Draft,
    Edit,
    EditHistory,
    difference,
    edit_words,
    edited_field,
    shared,
)
from meshgui.model.signals import Signal

__all__ = ["SUFFIX", "Document"]

SUFFIX = ".meshgui.json"


class Document:
    """A scenario with its edits, its file if it has one, and whether all is saved.

    `scenario` is the one that is run and shown. `draft` is the same as plain data with the edits
    that have not been run, which may be wrong: then `edited` is None and `fault` says why.
    """

    def __init__(self) -> None:
        self.opened: Signal[[]] = Signal()  # another scenario is there
        self.changed: Signal[[]] = Signal()  # that, or this one is to be run or is saved
        self.draft_changed: Signal[[]] = Signal()  # it has been edited, or an edit undone
        self._scenario: Scenario | None = None
        self._path: Path | None = None
        self._saved: Scenario | None = None
        self._draft: Draft | None = None
        self._edited: Scenario | None = None
        self.fault: ScenarioError | None = None
        self.history = EditHistory()

    @property
    def scenario(self) -> Scenario | None:
        """The scenario that is run and shown."""
        return self._scenario

    @property
    def edited(self) -> Scenario | None:
        """The scenario with its edits; None while they are wrong, or without a scenario."""
        return self._edited

    @property
    def draft(self) -> Draft | None:
        """The scenario with its edits as plain data."""
        if self._draft is None and self._scenario is not None:
            self._draft = self._scenario.model_dump(mode="json")
        return self._draft

    @property
    def path(self) -> Path | None:
        """Its file, if it has one."""
        return self._path

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes."""
        return self._edited != self._saved

    @property
    def pending(self) -> bool:
        """Whether there are edits that are not run."""
        return self._edited != self._scenario

    @property
    def title(self) -> str:
        """The title of the scenario, else the name of its file."""
        if self._scenario is None:
            return "No scenario"
        title = self._scenario.title if self._draft is None else str(self._draft["title"])
        if title:
            return title
        return self._path.name.removesuffix(SUFFIX) if self._path else "Untitled"

    def open(self, path: Path, *, as_example: bool = False) -> None:
        """Take a scenario from a file; a bad one raises ScenarioError and leaves all as it was.

        An example is opened without its place, so that saving asks for one.
        """
        self.take(load_scenario(path), None if as_example else path)

    def take(self, scenario: Scenario, path: Path | None) -> None:
        """Take a scenario as its file has it."""
        self._scenario = self._saved = self._edited = scenario
        self._path, self._draft, self.fault = path, None, None
        self.history = EditHistory()
        self.opened.emit()
        self.changed.emit()

    def change(self, draft: Draft, words: str = "") -> None:
        """Take an edit that is not run yet.

        `words` follow the word undo. Without them it is an edit of the form, and its field is named.
        """
        before = self.draft
        if before is None or (path := difference(before, draft)) is None:
            return
        path, after = edited_field(path), shared(before, draft)
        self.history.record(Edit(path, words or edit_words(path, before, after), before, after, not words))
        self._show(after)

    def edit(self, scenario: Scenario, words: str = "") -> None:
        """Take a changed scenario to be run; it is not saved yet."""
        if scenario != self._edited:
            self.change(scenario.model_dump(mode="json"), words)
        self.history.seal()
        self._scenario = self._edited = scenario
        self.fault = None
        self.changed.emit()

    def undo(self) -> Edit | None:
        """Undo the last edit, without a run; returns it."""
        edit = self.history.undo()
        if edit is not None:
            self._show(edit.before)
        return edit

    def redo(self) -> Edit | None:
        """Redo what was undone last, without a run; returns it."""
        edit = self.history.redo()
        if edit is not None:
            self._show(edit.after)
        return edit

    def save(self, path: Path) -> None:
        """Write the scenario and its edits; a failure raises ScenarioError and leaves the old file whole."""
        if self._edited is None:
            raise self.fault or ValueError("there is no scenario to save")
        save_scenario(self._edited, path)
        self._saved = self._edited
        self._path = path
        self.history.seal()
        self.changed.emit()

    def _show(self, draft: Draft) -> None:
        self._draft = draft
        try:
            self._edited, self.fault = scenario_from(dict(draft)), None
        except ScenarioError as error:
            self._edited, self.fault = None, error
        self.draft_changed.emit()
