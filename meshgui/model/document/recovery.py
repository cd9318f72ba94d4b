"""Copies of unsaved scenarios in a folder, to recover them from if the program is killed."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from meshgui.engine.basics.files import PRIVATE, read_input
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.limits import MAX_JSON_MEMORY, MAX_SCENARIO
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import (
    Scenario,
    ScenarioError,
    SlicedData,
    scenario_from,
    write_pieces,
)
from meshgui.model.document.document import DocumentState
from meshgui.model.document.edit_history import Draft
from meshgui.model.document.known_file import KnownFile

_FORMAT: Final = "meshgui-recovery"
_SUFFIX: Final = ".recovery.json"


def copying(state: DocumentState, file: Path) -> Generator[None, None, None]:
    """Write a scenario with its edits, right or wrong, in pieces of some milliseconds.

    Closed early, or killed, it leaves the old copy or the new one. Its owner alone may read it.
    """
    written = SlicedData()
    run = None if state.scenario is None else written.of_scenario(state.scenario)
    draft = None if state.draft is None else written.of_draft(state.draft)
    content = {_FORMAT: 1, "path": state.path and str(state.path), "run": run, "draft": draft}
    content["view"] = dict(state.view)
    content["digest"] = None if state.known is None else state.known.digest
    return write_pieces(file, written.text(content), PRIVATE)


def read_copy(file: Path) -> DocumentState:
    """A scenario with its edits as it was; a copy that cannot be used raises ScenarioError."""
    try:
        content: Any = read_json(read_input(file, 2 * MAX_SCENARIO) or b"", most=2 * MAX_JSON_MEMORY)
        run, draft, path = content["run"], content["draft"], content["path"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ScenarioError(tr("expected a copy of a scenario"), file=str(file)) from error
    if not isinstance(run, dict) or not isinstance(draft, dict) or not isinstance(path, str | None):
        raise ScenarioError(tr("expected a copy of a scenario"), file=str(file))
    state = DocumentState(scenario_from(run, str(file)), Path(path) if path else None)
    state.edit(draft)
    state.view = view if isinstance(view := content.get("view"), dict) else {}
    if state.path is not None:  # a copy without a digest, of a version before, cannot say that it is the same
        state.known = KnownFile(state.path, str(content.get("digest")))
    return state


class RecoveryFolder:
    """The copies of the scenarios that are open in one process. One that cannot be written is tried again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._copies: dict[DocumentState, tuple[Path, Scenario | None, Draft | None, Mapping[str, Any]]] = {}
        self._made = 0
        self.fault: ScenarioError | None = None  # why the last copy could not be written

    def keep(self, states: Sequence[DocumentState]) -> None:
        """Write the copies that are missing or old, and remove those of saved and closed scenarios."""
        for _ in self.keeping(states):
            pass

    def keeping(self, states: Sequence[DocumentState]) -> Generator[None, None, None]:
        """The same in pieces of some milliseconds; closed early, it leaves the old copies."""
        unsaved = [state for state in states if state.modified]
        for state in [state for state in self._copies if state not in unsaved]:
            self._copies.pop(state)[0].unlink(missing_ok=True)
        for state in unsaved:
            now = state.scenario, state.draft, state.view  # an edit in between takes others in their place
            file, *written = self._copies.get(state) or (self._new_file(), None, None, None)
            if any(new is not old for new, old in zip(now, written, strict=True)):
                try:
                    yield from copying(state, file)
                except ScenarioError as error:
                    self.fault = error
                else:
                    self._copies[state], self.fault = (file, *now), None

    def holds(self, state: DocumentState) -> bool:
        """Whether there is a copy of a scenario."""
        return state in self._copies

    def files(self) -> list[Path]:
        """The copies there are, the oldest first."""
        return sorted(self.folder.glob(f"*{_SUFFIX}"), key=lambda file: (len(file.name), file.name))

    def _new_file(self) -> Path:
        self._made += 1
        return self.folder / f"{self._made}{_SUFFIX}"
