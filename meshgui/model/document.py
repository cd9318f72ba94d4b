"""The open scenario: its file, and whether it has changed since the last save."""

from __future__ import annotations

from pathlib import Path

from meshgui.engine.scenario import Scenario, load_scenario, save_scenario
from meshgui.model.signals import Signal

__all__ = ["SUFFIX", "Document"]

SUFFIX = ".meshgui.json"


class Document:
    """A scenario, its file if it has one, and whether it is saved."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self._scenario: Scenario | None = None
        self._path: Path | None = None
        self._saved: Scenario | None = None

    @property
    def scenario(self) -> Scenario | None:
        """The scenario."""
        return self._scenario

    @property
    def path(self) -> Path | None:
        """Its file, if it has one."""
        return self._path

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes."""
        return self._scenario != self._saved

    @property
    def title(self) -> str:
        """The title of the scenario, else the name of its file."""
        if self._scenario is None:
            return "No scenario"
        if self._scenario.title:
            return self._scenario.title
        return self._path.name.removesuffix(SUFFIX) if self._path else "Untitled"

    def open(self, path: Path, *, as_example: bool = False) -> None:
        """Take a scenario from a file; a bad one raises ScenarioError and leaves all as it was.

        An example is opened without its place, so that saving asks for one.
        """
        self.take(load_scenario(path), None if as_example else path)

    def take(self, scenario: Scenario, path: Path | None) -> None:
        """Take a scenario as its file has it."""
        self._scenario = self._saved = scenario
        self._path = path
        self.changed.emit()

    def edit(self, scenario: Scenario) -> None:
        """Take a changed scenario; it is not saved yet."""
        self._scenario = scenario
        self.changed.emit()

    def save(self, path: Path) -> None:
        """Write the scenario; if that fails, ScenarioError is raised and the old file is still whole."""
        if self._scenario is None:
            raise ValueError("there is no scenario to save")
        save_scenario(self._scenario, path)
        self._saved = self._scenario
        self._path = path
        self.changed.emit()
