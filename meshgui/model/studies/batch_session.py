"""The session that the experiment and gallery windows share: a batch of runs and its store."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.model.base.signals import Signal

_BEGINNING: Final = tr("Starting the first runs.")
_WAITING: Final = tr("Waiting for another program that uses the store.")


class Phase(Enum):
    """The phase of a batch of runs."""

    IDLE = "idle"
    RUNNING = "running"
    STUCK = "stuck"  # the store cannot be used: `retry` or `stop`
    STOPPING = "stopping"


class BatchSession:
    """The state of a batch of runs, and where they are kept. Views subscribe to `changed`."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self.phase = Phase.IDLE
        self.paused = False
        self.text = ""  # the progress, or while nothing runs the forecast
        self.fault = ""  # why it is stuck, or why the last batch ended early
        self.share: float | None = 0.0  # of the runs that are done; None: not known yet
        self.store: Path | None = None  # the file that runs are kept in; None: memory
        self.unsaved = False  # whether there are runs worth keeping in memory alone
        self.moving = False  # whether runs are on their way from memory to a file

    @property
    def busy(self) -> bool:
        """Whether runs are being made."""
        return self.phase is not Phase.IDLE

    @property
    def at_work(self) -> bool:
        """Whether more runs are begun: it is neither at rest nor paused."""
        return self.busy and not self.paused

    @property
    def may_resume(self) -> bool:
        """Whether it is paused, and neither stopping nor stuck."""
        return self.paused and self.phase is Phase.RUNNING

    @property
    def words(self) -> str:
        """The state in one or two sentences."""
        state = tr("Stopping.") if self.phase is Phase.STOPPING else tr("Paused.") if self.paused else ""
        return " ".join(filter(None, (state, self.text)))

    def begin(self, share: float | None = 0.0) -> None:
        """Start the batch."""
        self.phase, self.paused = Phase.RUNNING, False
        self.text, self.fault, self.share = _BEGINNING, "", share
        self.unsaved = self.unsaved or self.store is None
        self.changed.emit()

    def toggle_pause(self) -> None:
        """Pause, or resume."""
        self.paused = not self.paused
        self.changed.emit()

    def wait_for_store(self) -> None:
        """Another program has locked the store."""
        self.text = _WAITING
        self.changed.emit()

    def get_stuck(self, fault: str) -> None:
        """The store failed while runs are made."""
        if self.phase is Phase.RUNNING:
            self.phase, self.fault = Phase.STUCK, fault
            self.changed.emit()

    def retry(self) -> None:
        """Use the store again."""
        self.phase, self.fault = Phase.RUNNING, ""
        self.changed.emit()

    def stop(self) -> None:
        """Start no more runs; those in progress still finish."""
        self.phase, self.text, self.fault = Phase.STOPPING, "", ""
        self.changed.emit()

    def rest(self, text: str, fault: str = "") -> None:
        """End the batch, or change the text while nothing runs."""
        self.phase, self.paused = Phase.IDLE, False
        self.text, self.fault = text, fault
        self.changed.emit()

    def say(self, text: str) -> None:
        """Set the text while nothing runs."""
        if not self.busy:
            self.text = text
            self.changed.emit()

    def end_move(self, *, whole: bool) -> None:
        """What memory had is in the file, or the file could not take it."""
        self.moving = False
        self.unsaved = self.unsaved and not whole

    def use_store(self, store: Path | None) -> None:
        """Keep runs in another file, or in memory."""
        self.store = store
        self.changed.emit()
