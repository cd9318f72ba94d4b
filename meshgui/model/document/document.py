"""The open scenario: its file, its edits, and whether it has changed since the last save."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from meshgui.engine.basics.files import is_plain_file
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import harmless, shortened
from meshgui.engine.scenario import Scenario, ScenarioError, load_file, saving, scenario_from
from meshgui.engine.workload.spec import ListWorkload
from meshgui.model.base.signals import Signal
from meshgui.model.document.edit_history import (
    Draft,
    Edit,
    EditHistory,
    difference,
    edit_words,
    edited_field,
    shared,
)
from meshgui.model.document.known_file import FileState, KnownFile, file_digest
from meshgui.model.document.shipped import pictured_moment
from meshgui.model.document.window_moment import WindowMoment

SUFFIX = ".meshgui.json"
_MOST = 200  # letters of a title
_LONGEST = 190  # that leave room for more
KEPT: Final = ("breakpoints", "bookmarks")
"""What of a view is the user's work: its loss is asked about. The rest is where one happens to be."""


class DocumentState:
    """An open scenario: what is run, what is edited, what is saved, and the edits to undo."""

    def __init__(
        self, scenario: Scenario | None = None, path: Path | None = None, *, saved: Scenario | None = None
    ) -> None:
        self.scenario = self.edited = scenario
        self.path, self.saved = path, saved
        self.view: Mapping[str, Any] = {}  # what a window shows of it, as the file has it
        self.saved_view: Mapping[str, Any] = {}
        self.known: KnownFile | None = None  # its file as it was read or written
        self.fault: ScenarioError | None = None
        self.history = EditHistory()
        self._draft: Draft | None = None
        self._rows: tuple[Sequence[object], Sequence[object]] = (), ()  # jobs as data, and as they were read

    @classmethod
    def opened(
        cls,
        scenario: Scenario,
        path: Path | None = None,
        view: Mapping[str, Any] | None = None,
        known: KnownFile | None = None,
    ) -> DocumentState:
        """A scenario that has been read, and what its file or a link says is shown of it; all is saved."""
        state = cls(scenario, path, saved=scenario)
        state.known = known or (None if path is None else KnownFile.read(path))
        state.view = state.saved_view = dict(view or {})
        return state

    @classmethod
    def read(cls, path: Path) -> DocumentState:
        """The scenario in a file; a bad one raises ScenarioError."""
        known = KnownFile.read(path)  # before: what changes while it is read differs
        scenario, view = load_file(path)
        return cls.opened(scenario, path, {**pictured_moment(path), **view}, known)

    def look_from(self, view: Mapping[str, Any]) -> None:
        """Have a window show it from another moment than its file says; that is no change of it."""
        self.view = self.saved_view = {**self.view, **view}

    @property
    def draft(self) -> Draft | None:
        """The scenario with its edits as plain data."""
        if self._draft is None and self.scenario is not None:
            self._draft = self.scenario.model_dump(mode="json")
            self._keep_rows()
        return self._draft

    @property
    def notes(self) -> str:
        """The notes with their edits, for which a long scenario is not written as data."""
        if self._draft is not None:
            return str(self._draft["notes"])
        return "" if self.scenario is None else self.scenario.notes

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes, or all of it is unsaved as its file was removed."""
        return self.is_lost or self.fault is not None or self.edited != self.saved or self._marks_differ

    @property
    def is_worth_saving(self) -> bool:
        """Whether its changes are work: more than another strategy for an example, which has no file."""
        if self.path is not None or self.edited is None or self.saved is None:
            return self.modified
        return self.edited.model_copy(update={"allocator": self.saved.allocator}) != self.saved

    @property
    def is_lost(self) -> bool:
        """Whether its file was gone at the last look, so that the scenario is nowhere but here."""
        return self.known is not None and self.known.state == FileState.GONE

    def look_at_file(self) -> FileState:
        """Look whether another program has changed or removed its file."""
        if self.known is None:
            return FileState.SAME
        self.known.look()
        return self.known.state

    @property
    def _marks_differ(self) -> bool:
        """Whether breakpoints or bookmarks differ from those in its file; without a file none are kept."""
        now, before = self.view, self.saved_view
        return self.path is not None and any(now.get(key) != before.get(key) for key in KEPT)

    @property
    def title(self) -> str:
        """The title of the scenario, else the name of its file."""
        if self.scenario is None:
            return tr("No scenario")
        title = self.scenario.title if self._draft is None else str(self._draft["title"])
        if title:
            return harmless(shortened(tr_page(title), _MOST))  # what is typed may be longer than it may be
        return harmless(self.path.name.removesuffix(SUFFIX)) if self.path else tr("Untitled")

    def duplicate(self) -> DocumentState:
        """A copy with another title and without a file; unsaved only if this one is."""
        title = tr("{title} copy").format(title=self.title[:_LONGEST])
        scenario = self.scenario and self.scenario.model_copy(update={"title": title})
        copy = DocumentState(scenario, saved=None if self.modified else scenario)
        copy.view = self.view
        if self.draft is not None and self.edited != self.scenario:
            copy.edit({**self.draft, "title": title})
        return copy

    def edit(self, draft: Draft) -> None:
        """Take other data, right or wrong."""
        self._draft = draft
        try:
            self.edited, self.fault = scenario_from(self._with_rows_read(draft)), None
        except ScenarioError as error:
            self.edited, self.fault = None, error
        else:
            self._keep_rows()

    def _with_rows_read(self, draft: Draft) -> dict[str, Any]:
        """The data with each job that was sound before as it was read: reading takes most of the time."""
        workload = draft.get("workload")
        if not isinstance(workload, Mapping) or not isinstance(jobs := workload.get("jobs"), list):
            return dict(draft)
        read = {id(row): job for row, job in zip(*self._rows, strict=True)}
        return {**draft, "workload": {**workload, "jobs": [read.get(id(row), row) for row in jobs]}}

    def _keep_rows(self) -> None:
        """Keep what the rows of the draft were read as; an edit takes over those that it does not change."""
        if self._draft is not None and self.edited is not None:
            workload = self.edited.workload
            if isinstance(workload, ListWorkload):
                self._rows = self._draft["workload"]["jobs"], workload.jobs

    def run(self, scenario: Scenario) -> None:
        """Take a scenario to be run, which the edits amount to."""
        self.scenario = self.edited = scenario
        self.fault = None


class Document:
    """A scenario with its edits, its file if it has one, and whether all is saved.

    `scenario` is the one that is run and shown. `draft` is the same as plain data with the edits
    that have not been run, which may be wrong: then `edited` is None and `fault` says why.
    """

    def __init__(self) -> None:
        self.opened: Signal[[]] = Signal()  # another scenario is there
        self.changed: Signal[[]] = Signal()  # that, or this one is to be run or is saved
        self.draft_changed: Signal[[]] = Signal()  # it has been edited, or an edit undone
        self.moment: Callable[[], WindowMoment] = WindowMoment
        """What is shown of the run, to which undo and redo lead back."""
        self._state = DocumentState()

    @property
    def state(self) -> DocumentState:
        """All that belongs to the open scenario; it can be put aside and shown again."""
        return self._state

    def show(self, state: DocumentState) -> None:
        """Show another scenario with its edits, or the one that was put aside."""
        self._state = state
        self.opened.emit()
        self.changed.emit()

    @property
    def scenario(self) -> Scenario | None:
        """The scenario that is run and shown."""
        return self._state.scenario

    @property
    def edited(self) -> Scenario | None:
        """The scenario with its edits; None while they are wrong, or without a scenario."""
        return self._state.edited

    @property
    def fault(self) -> ScenarioError | None:
        """What is wrong with the edits."""
        return self._state.fault

    @property
    def history(self) -> EditHistory:
        """The edits made and undone."""
        return self._state.history

    @property
    def draft(self) -> Draft | None:
        """The scenario with its edits as plain data."""
        return self._state.draft

    @property
    def notes(self) -> str:
        """The notes with their edits."""
        return self._state.notes

    @property
    def view(self) -> Mapping[str, Any]:
        """What a window shows of it, as it is to be saved."""
        return self._state.view

    @property
    def path(self) -> Path | None:
        """Its file, if it has one."""
        return self._state.path

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes."""
        return self._state.modified

    @property
    def pending(self) -> bool:
        """Whether there are edits that are not run."""
        return self._state.edited != self._state.scenario

    @property
    def title(self) -> str:
        """The title of the scenario, else the name of its file."""
        return self._state.title

    def open(self, path: Path, *, as_example: bool = False) -> None:
        """Take a scenario from a file; a bad one raises ScenarioError and leaves all as it was.

        An example is opened without its place, so that saving asks for one.
        """
        if as_example:
            scenario, view = load_file(path)
            self.take(scenario, None, view)
        else:
            self.show(DocumentState.read(path))

    def take(self, scenario: Scenario, path: Path | None, view: Mapping[str, Any] | None = None) -> None:
        """Take a scenario, and what a window shows of it, as its file has it."""
        self.show(DocumentState.opened(scenario, path, view))

    def look_at_file(self) -> FileState:
        """Look whether another program has changed or removed its file; without it all is unsaved."""
        before = self._state.modified
        state = self._state.look_at_file()
        if self._state.modified != before:
            self.draft_changed.emit()
        return state

    def keep(self, view: Mapping[str, Any]) -> None:
        """Take what a window shows now, to be saved with the scenario."""
        before, self._state.view = self._state.view, dict(view)
        if self.path is not None and any(before.get(key) != view.get(key) for key in KEPT):
            self.draft_changed.emit()

    def change(self, draft: Draft, words: str = "") -> None:
        """Take an edit that is not run yet.

        `words` follow the word undo. Without them it is an edit of the form, and its field is named.
        """
        before = self.draft
        if before is None or (path := difference(before, draft)) is None:
            return
        path, after = edited_field(path), shared(before, draft)
        said = words or edit_words(path, before, after)
        self.history.record(Edit(path, said, before, after, self.moment(), in_form=not words))
        self._show(after)

    def edit(self, scenario: Scenario, words: str = "") -> None:
        """Take a changed scenario to be run; it is not saved yet."""
        if scenario != self.edited:
            self.change(scenario.model_dump(mode="json"), words)
        self.history.seal()
        self._state.run(scenario)
        self.changed.emit()

    def undo(self) -> Edit | None:
        """Undo the last edit, without a run; returns it."""
        edit = self.history.undo(self.moment())
        if edit is not None:
            self._show(edit.before)
        return edit

    def redo(self) -> Edit | None:
        """Redo what was undone last, without a run; returns it."""
        edit = self.history.redo(self.moment())
        if edit is not None:
            self._show(edit.after)
        return edit

    def save(self, path: Path) -> None:
        """Write the scenario and its edits; a failure raises ScenarioError and leaves the old file whole."""
        for _ in self.saving(path):
            pass

    def saving(self, path: Path) -> Generator[float, None, None]:
        """The same in pieces of some milliseconds, with the share that is written; closed early, none is."""
        state, view, edited = self._state, self._state.view, self.edited
        if edited is None:
            raise self.fault or ValueError(tr("there is no scenario to save"))
        digest = file_digest()
        yield from saving(edited, path, view, digest.update)
        state.saved, state.path, state.saved_view = edited, path, view
        state.known = KnownFile(path, digest.hexdigest()) if is_plain_file(path) else None
        state.history.seal()
        self.changed.emit()

    def _show(self, draft: Draft) -> None:
        self._state.edit(draft)
        self.draft_changed.emit()
