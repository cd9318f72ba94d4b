"""The tour of the window: its parts one after the other, and what each is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.document.examples import example
from meshgui.model.stepping.cursor import CursorChange
from meshgui.views.docks.host import HostWindow
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.views.window.tour_card import TourCard, TourStop


_FEW: Final = 2  # steps, so that something is marked
_PATIENCE: Final = 200  # steps and events on the way to an allocation
_SEEN: Final = 64  # events of a run in progress, after which there is something in the machine


class TourGuide(QObject):
    """Starts the tour, on the scenario that is open or on a ready one."""

    def __init__(
        self,
        host: HostWindow,
        parts: Callable[[], dict[str, QWidget]],
        open_one: Callable[[Path], object],
        is_running: Callable[[], bool],
    ) -> None:
        super().__init__(host)
        self._host, self._panels = host, host.panels
        self._themes, self._cursor = host.context.themes, host.context.cursor
        self._parts, self._open_one, self._is_running = parts, open_one, is_running
        self._waiting = False  # for a run of which nothing is to be seen yet
        self._opened = ""  # the panel that was shown for the tour alone
        self.card: TourCard | None = None
        self._cursor.changed.connect(self._begin_when_run)

    def commands(self) -> list[Command]:
        """The tour."""
        return commands_in(
            tr("Help"),
            Command(
                "help.tour",
                tr("Tour of the window"),
                tr("See in two minutes what each part of the window is for"),
                self.begin,
                ("Ctrl+Shift+O",),
                "list-ordered",
                synonyms=tr("introduction first start tutorial guide welcome begin"),
            ),
        )

    def begin(self) -> None:
        """Begin the tour, once a run in progress has something to show; a ready scenario is opened for it."""
        self._waiting = True
        if self._cursor.recording is None:
            self._open_one(example("tbl-under-load"))
        self._begin_when_run()
        if self._waiting:
            self._host.context.messages.say(tr("The tour begins as soon as there is something to see."))

    def _begin_when_run(self, _change: CursorChange | None = None) -> None:
        recording = self._cursor.recording
        if not self._waiting or recording is None:
            return
        if recording.over or len(recording) >= _SEEN or not self._is_running():
            self._waiting = False
            self._begin()

    def _begin(self) -> None:
        from meshgui.views.window.tour_card import TourCard  # noqa: PLC0415 - not needed for the first paint

        if self.card is None:
            self.card = TourCard(self._host, self._themes, self._stops())
            self.card.dismissed.connect(self._put_away)
        self.card.begin()

    def _stops(self) -> tuple[TourStop, ...]:
        from meshgui.views.window.tour_card import TourStop  # noqa: PLC0415 - likewise

        def dock(name: str) -> Callable[[], QWidget]:
            return lambda: self._panels.docks[name]

        def shown(name: str, before: Callable[[], object] = lambda: None) -> Callable[[], None]:
            def show() -> None:
                self._put_away()
                before()
                self._opened = name if self._panels.docks[name].isHidden() else ""
                self._panels.show(name)
                self._panels.sizes.fit()

            return show

        def part(name: str) -> Callable[[], QWidget]:
            return lambda: self._parts()[name]

        return (
            TourStop(
                tr("The machine"),
                tr(
                    "Each small dot is a free processor, each coloured box a job and the processors "
                    "it holds. "
                    "Turn the machine with the mouse, and zoom with the wheel. Click a box, and the Job "
                    "panel (Ctrl+2) tells of its job."
                ),
                part("mesh"),
                self._go_into_the_run,
            ),
            TourStop(
                tr("The timeline"),
                tr(
                    "The whole run from left to right. Drag in it to any moment, to the left as well. "
                    "Space plays, the arrow keys go from event to event, forwards and back."
                ),
                dock("timeline"),
                shown("timeline"),
            ),
            TourStop(
                tr("The queue"),
                tr(
                    "Jobs that wait, in the order in which they are served, and below them those that run. "
                    "A job has the same colour everywhere. Click one that waits, and the Job panel "
                    "(Ctrl+2) says why."
                ),
                dock("queue"),
                shown("queue"),
            ),
            TourStop(
                tr("The algorithm"),
                tr(
                    "How the strategy finds a place for a job. With the step size “line”, the arrow keys go "
                    "through it line by line, and back."
                ),
                dock("algorithm"),
                shown("algorithm", self._go_into_an_attempt),
            ),
            TourStop(
                tr("The inspector"),
                tr(
                    "The data that the strategy works with at this line: lists, trees, maps. Point at a "
                    "row, and the mesh shows its box."
                ),
                dock("inspector"),
                shown("inspector"),
            ),
            TourStop(
                tr("In a sentence"),
                tr("What happened at this moment, or what this line decided and why."),
                part("sentence"),
                self._put_away,
            ),
            TourStop(
                tr("Scenario, strategy, steps"),
                tr(
                    "Another scenario on the left, another strategy beside it: the same jobs run again, "
                    "and you stay at the same moment. In the middle are the keys of the player and the "
                    "size of a step."
                ),
                part("tools"),
                self._put_away,
            ),
            TourStop(
                tr("Where to go next"),
                tr(
                    "Lessons (Shift+L) explain the field and ask you for figures. F1 explains the strategy, "
                    "Ctrl+Alt+M opens the manual, Ctrl+K finds every command, ? shows all keys. This "
                    "tour is in "
                    "the menu Help."
                ),
                lambda: None,
                self._put_away,
            ),
        )

    def _put_away(self) -> None:
        """Hide the panel that was shown for the tour, and show again what had its place in a small window."""
        if self._opened:
            self._panels.hide(self._opened)
            self._panels.sizes.fit()
        self._opened = ""

    def _go_into_the_run(self) -> None:
        """Go to a moment at which something is to be seen, if the run is at its beginning."""
        self._put_away()
        recording = self._cursor.recording
        if recording is not None and self._cursor.time == 0 and len(recording):
            self._cursor.go_to_time(recording.end_time / 4)

    def _go_into_an_attempt(self) -> None:
        """Go a few steps into an allocation, if there is one."""
        view = self._cursor.view
        if view is None or view.position.inside:
            return
        for _ in range(_PATIENCE):
            self._cursor.next_step()
            position = self._cursor.position
            if position.step > _FEW and not position.release:
                return
