"""What questions hide until they are answered: panels, sentences, use and queue, and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise_cut import CutRule
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.widgets.building import as_panel, label

HIDDEN: Final = tr("Hidden until you have answered.")


class Hiding(NamedTuple):
    """What is hidden while a question is open."""

    panels: Collection[str]
    words: str = HIDDEN  # in place of each of them
    sentence: str = ""  # in place of every sentence
    reason: str = ""  # in place of why a job waits
    readout: bool = False  # the use and the queue below the mesh
    withheld: tuple[str, ...] = ()  # how the commands begin that would show or change the run


NOTHING: Final = Hiding(())


class Veil(QObject):
    """Hides what would show the answer while a question about the shown run is open, and shows it again.

    A hidden panel keeps its place: a line in it says why it is empty.
    """

    def __init__(self, host: HostWindow, run: ScenarioRun) -> None:
        super().__init__(host)
        self._host, self._run, self._messages = host, run, host.context.messages
        self._askers: list[Callable[[], Hiding | None]] = []
        self._covers: dict[QDockWidget, tuple[QWidget, QWidget]] = {}  # what is covered, and with what
        self._shown = NOTHING
        host.context.document.changed.connect(self.follow)

    def heed(self, hiding: Callable[[], Hiding | None], rule: CutRule) -> None:
        """Hide what this says of the scenario that is shown; cut runs off by a rule."""
        self._askers.append(hiding)
        self._run.cut_by(rule)

    def follow(self) -> None:
        """Hide or show what is to be hidden now."""
        hiding = next((found for asks in self._askers if (found := asks()) is not None), NOTHING)
        before, self._shown = self._shown, hiding
        self._host.withhold(hiding.withheld)
        self._cover(hiding)
        self._host.context.cursor.withhold_reasons(hiding.reason)
        if hiding.sentence != before.sentence:
            self._messages.say_instead(hiding.sentence)
        if hiding.readout != before.readout:
            self._messages.hide_readout(hiding.readout)
        self._run.show_again()

    def _cover(self, hiding: Hiding) -> None:
        """Cover some panels, and no others."""
        docks = [self._host.panels.docks[name] for name in hiding.panels]
        for dock in [dock for dock in self._covers if dock not in docks]:
            content, cover = self._covers.pop(dock)
            dock.setWidget(content)
            content.show()
            cover.deleteLater()
        for dock in docks:
            content = dock.widget()
            if dock not in self._covers and content is not None:
                cover = _cover_of(content, hiding.words)
                self._covers[dock] = content, cover
                content.hide()
                dock.setWidget(cover)
                cover.show()


def _cover_of(panel: QWidget, words: str) -> QWidget:
    """What is seen in place of a panel; it needs as much room as that, so that nothing moves."""
    cover = label(words, "muted", wrap=True)
    cover.setMargin(12)
    cover.setAlignment(Qt.AlignmentFlag.AlignTop)
    cover.setAccessibleName(words)
    cover.setMinimumSize(panel.minimumSize())
    as_panel(cover)
    return cover
