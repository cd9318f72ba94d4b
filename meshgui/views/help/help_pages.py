"""The help pages of a main window: the commands that open them, and how they follow what is open."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from meshgui.model.cursor import Cursor
from meshgui.model.document import Document
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.views.help.help_window import StrategyHelp

__all__ = ["HelpPages"]


class HelpPages(QObject):
    """Pages about the strategy, the network, experiments and the scenario, in one window."""

    example_asked = Signal(str)  # a scenario as JSON

    def __init__(self, host: QWidget, themes: ThemeManager, cursor: Cursor, document: Document) -> None:
        super().__init__(host)
        self._host, self._themes, self._cursor, self._document = host, themes, cursor, document

    def commands(self) -> list[Command]:
        """One for each page."""
        return commands_in(
            "Run",
            (
                "run.about",
                "About this strategy",
                "Read how the strategy works, with an example to open",
                self.toggle_strategy,
                ("F1",),
                "circle-question-mark",
            ),
            (
                "run.about-network",
                "About the network",
                "Read how packets travel and wait, with an example to open",
                lambda: self.window.toggle_general("network"),
                ("Shift+F1",),
                "circle-question-mark",
            ),
            (
                "run.about-experiments",
                "About experiments",
                "Read how runs are repeated until their means are known, and where they are kept",
                lambda: self.window.toggle_general("experiments"),
                (),
                "circle-question-mark",
            ),
            (
                "run.about-scenario",
                "About this scenario",
                "Read what there is to see in it, and which keys to press",
                self.toggle_notes,
                ("Ctrl+F1",),
                "info",
            ),
        )

    @cached_property
    def window(self) -> StrategyHelp:
        """The window of the pages, made when it is first asked for."""
        from meshgui.views.help.help_window import StrategyHelp  # noqa: PLC0415 - not needed for the first paint

        window = StrategyHelp(self._host, self._themes)
        window.example_asked.connect(self.example_asked)
        self._cursor.changed.connect(self._follow_strategy)
        self._document.changed.connect(self._follow_notes)
        return window

    def toggle_strategy(self) -> None:
        """Show the page about the strategy of the run, or close it."""
        recording = self._cursor.recording
        self.window.toggle_strategy(recording.strategy if recording is not None else None)

    def toggle_notes(self) -> None:
        """Show the notes of the scenario, or close them."""
        if self._document.scenario is not None:
            self.window.toggle_scenario(self._document.title, self._document.scenario.notes)

    def show_notes(self) -> None:
        """Show the notes of the scenario, if it has any."""
        if self._document.scenario is not None and self._document.scenario.notes:
            self.window.tell(self._document.title, self._document.scenario.notes)

    def close_notes(self) -> bool:
        """Close the notes of the scenario; whether they were open."""
        open_now = "window" in self.__dict__ and self.window.tells_of_scenario
        if open_now:
            self.window.close()
        return open_now

    def _follow_notes(self) -> None:
        if self._document.scenario is not None:
            self.window.follow_scenario(self._document.title, self._document.scenario.notes)

    def _follow_strategy(self) -> None:
        recording = self._cursor.recording
        if recording is not None:
            self.window.follow(recording.strategy)
