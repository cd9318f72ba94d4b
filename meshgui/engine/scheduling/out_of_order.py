"""Out of order: a job that cannot be placed delays no other (000 §2.2.1, footnote 3)."""

from __future__ import annotations

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import QueueView
from meshgui.engine.scheduling.first_come import FirstComeFirstServed

__all__ = ["OutOfOrder"]


class OutOfOrder(FirstComeFirstServed):
    """In order of arrival, past the jobs that cannot be placed."""

    id = "ooo"
    title = tr("Out of order")

    def serve(self, queue: QueueView) -> None:
        """Try every waiting job, until the queue or the free processors end."""
        for job in queue.waiting():
            if not queue.free:
                return
            queue.try_to_place(job)
