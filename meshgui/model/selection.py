"""What is pointed at and what is selected: the same in every view."""

from __future__ import annotations

from meshgui.engine.allocation.steps import Mark
from meshgui.model.signals import Signal

__all__ = ["Selection"]


class Selection:
    """The selected job, the job under the pointer, and a box an inspector points out."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self._job: int | None = None
        self._hovered: int | None = None
        self._mark: Mark | None = None

    @property
    def job(self) -> int | None:
        """The selected job."""
        return self._job

    @property
    def hovered(self) -> int | None:
        """The job under the pointer, in whichever view."""
        return self._hovered

    @property
    def mark(self) -> Mark | None:
        """A box to point out in the mesh, chosen in an inspector."""
        return self._mark

    def select(self, job: int | None) -> None:
        """Select a job, or nothing."""
        if job != self._job:
            self._job = job
            self.changed.emit()

    def hover(self, job: int | None) -> None:
        """Point at a job, or at nothing."""
        if job != self._hovered:
            self._hovered = job
            self.changed.emit()

    def point_out(self, mark: Mark | None) -> None:
        """Point a box out, or stop."""
        if mark != self._mark:
            self._mark = mark
            self.changed.emit()

    def clear(self) -> None:
        """Forget everything: another run is shown."""
        self._job = self._hovered = self._mark = None
        self.changed.emit()
