"""The help pages of a main window: the commands that open them, and how they follow what is open."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.translation import tr
from meshgui.model.manual.help_pages import (
    about_page,
    comparison_page,
    driving_page,
    experiments_page,
    help_page,
    network_page,
)
from meshgui.views.docks.host import HostWindow
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from meshgui.views.help.help_window import HelpPage, HelpWindow, Topic
    from meshgui.views.help.manual_window import ManualWindow


class HelpPages(QObject):
    """Pages about the strategy, the network, experiments and the program, in one window."""

    example_asked = Signal(str)  # a scenario as JSON
    lesson_asked = Signal(Path)

    def __init__(self, host: HostWindow, lessons: Path, commands: Callable[[], Sequence[Command]]) -> None:
        super().__init__(host)
        self._host, self._context = host, host.context
        self._themes, self._cursor = host.context.themes, host.context.cursor
        self._lessons, self._commands = lessons, commands

    def commands(self) -> list[Command]:
        """One command for each page."""
        return (
            commands_in(
                tr("Help"),
                Command(
                    "help.manual",
                    tr("Manual"),
                    tr("Read and search the manual, the lessons and all commands"),
                    self.toggle_manual,
                    ("Ctrl+Alt+M",),
                    "search",
                    synonyms=tr("help documentation search glossary contents pages"),
                ),
            )
            + commands_in(
                f"{tr('Help')}/{tr('Explanations')}",
                Command(
                    "run.about",
                    tr("About this strategy"),
                    tr("Read how the strategy works, with an example to open"),
                    self.toggle_strategy,
                    ("F1",),
                    "circle-question-mark",
                    enabled_when=self._context.has_scenario,
                    synonyms=tr("algorithm paper source help manual"),
                ),
                Command(
                    "run.about-network",
                    tr("About the network"),
                    tr("Read how packets travel and wait, with an example to open"),
                    partial(self._toggle, "network"),
                    ("Shift+F1",),
                    "circle-question-mark",
                    synonyms=tr("packets wormhole flits channels help manual"),
                ),
                Command(
                    "run.about-experiments",
                    tr("About experiments"),
                    tr("Read how runs are repeated until their means are known, and where they are kept"),
                    partial(self._toggle, "experiments"),
                    ("Ctrl+Shift+F1",),
                    "circle-question-mark",
                    synonyms=tr("statistics confidence replications sweep help manual"),
                ),
                Command(
                    "run.about-driving",
                    tr("About driving the run"),
                    tr("Read how to draw, end and move jobs while they run, and what follows from it"),
                    partial(self._toggle, "driving"),
                    ("Alt+F1",),
                    "circle-question-mark",
                    synonyms=tr("draw jobs end move queue interact help manual"),
                ),
                Command(
                    "run.about-comparison",
                    tr("About runs side by side"),
                    tr("Read how runs are compared, and what their one clock and their differences mean"),
                    partial(self._toggle, "comparison"),
                    ("Ctrl+Alt+H",),
                    "circle-question-mark",
                    synonyms=tr("compare difference strategies help manual"),
                ),
            )
            + commands_in(
                tr("Help"),
                Command(
                    "help.about",
                    tr("About MeshGUI"),
                    tr("Read which version this is, its licence, and how to cite it"),
                    partial(self._toggle, "about"),
                    ("Ctrl+Shift+I",),
                    "info",
                    synonyms=tr("version licence license citation authors"),
                ),
            )
        )

    @cached_property
    def window(self) -> HelpWindow:
        """The window of the pages, created at first use."""
        from meshgui.views.help.help_window import HelpWindow  # noqa: PLC0415 - not needed for the first paint

        window = HelpWindow(self._host, self._themes)
        window.example_asked.connect(self.example_asked)
        self._context.run_changed.connect(self._follow_strategy)
        return window

    @cached_property
    def manual(self) -> ManualWindow:
        """The window of the manual, created at first use."""
        from meshgui.model.lessons.lesson_shelf import found_lessons  # noqa: PLC0415 - not needed for the first paint
        from meshgui.views.help.manual_window import ManualWindow  # noqa: PLC0415 - likewise

        window = ManualWindow(self._host, self._themes, lambda: found_lessons(self._lessons), self._commands)
        window.example_asked.connect(self.example_asked)
        window.lesson_asked.connect(self.lesson_asked)
        window.command_asked.connect(self._host.trigger)
        return window

    def toggle_manual(self) -> None:
        """Open the manual, or close it."""
        self.manual.toggle()

    def toggle_strategy(self) -> None:
        """Show the page about the strategy of the run, or close it."""
        self._toggle("strategy")

    def _toggle(self, topic: Topic) -> None:
        if (page := self._page(topic)) is not None:
            self.window.toggle(page)

    def _page(self, topic: Topic) -> HelpPage | None:
        """The page about a topic as it is now; None while there is no run to write about."""
        from meshgui.views.help.help_window import HelpPage  # noqa: PLC0415 - not needed for the first paint

        recording = self._cursor.recording
        if topic == "network":
            return HelpPage(topic, tr("The network"), network_page())
        if topic == "driving":
            return HelpPage(topic, tr("Driving the run"), driving_page())
        if topic == "about":
            return HelpPage(topic, tr("About MeshGUI"), about_page())
        if topic == "experiments":
            return HelpPage(topic, tr("Experiments"), experiments_page())
        if topic == "comparison":
            return HelpPage(topic, tr("Runs side by side"), comparison_page())
        strategy = recording.strategy if recording is not None else None
        return None if strategy is None else HelpPage(topic, strategy.title, help_page(strategy))

    def _follow_strategy(self) -> None:
        if self.window.shows("strategy") and (page := self._page("strategy")) is not None:
            self.window.show_page(page)
