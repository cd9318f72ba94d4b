"""EASY backfilling: later jobs fill gaps where they do not delay the head of the queue."""

from __future__ import annotations

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import QueueView
from meshgui.engine.scheduling.first_come import FirstComeFirstServed

__all__ = ["EasyBackfilling"]


class EasyBackfilling(FirstComeFirstServed):
    """In order of arrival; others go before the head only where they do not delay it.

    The head's start is planned from the stated service times of the running jobs. A later job may start if
    it ends by then, or if the head can still be placed at that time with the later job beside it.
    """

    id = "easy"
    title = tr("EASY backfilling")
    plans = True

    def serve(self, queue: QueueView) -> None:
        """Try jobs until one cannot be placed, then those that do not delay it."""
        waiting = queue.waiting()
        placed = 0
        while placed < len(waiting) and queue.try_to_place(waiting[placed]):
            placed += 1
        later = waiting[placed + 1 :]
        if not later:
            return
        head = waiting[placed]
        start = queue.plan().start_of(head)
        for job in later:
            in_time = queue.now + queue.service(job) <= start
            if in_time or queue.plan().allows(job, head, start):
                queue.try_to_place(job)
