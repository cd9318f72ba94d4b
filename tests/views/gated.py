"""Runs that are made one by one, as far as a test lets them."""

import threading

from meshgui.experiment.executors import InProcess
from meshgui.experiment.task import TaskOutcome


class Gated(InProcess):
    """Makes runs at once, until it is held; then as many as it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed: threading.Semaphore | None = None
        self.made = 0

    def hold(self) -> None:
        """Make no more runs."""
        self.allowed = threading.Semaphore(0)

    def let(self, count: int = 1000) -> None:
        """Make some more, or all there are."""
        self.allowed.release(count)

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        """Make one, or nothing."""
        if self.allowed is not None and not self.allowed.acquire(timeout=min(seconds, 0.02)):
            return []
        self.made += 1
        return super().outcomes(seconds)
