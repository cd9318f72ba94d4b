"""A discipline of another package whose order changes over time."""

from math import prod

from meshgui.engine.scheduling.base import Discipline, DisciplineOptions


class Patience(DisciplineOptions):
    """How long a job waits before it goes first."""

    patience: float = 5.0


class Ageing(Discipline):
    """The smallest job first; but who has waited for long goes before all others, the oldest first."""

    id = "ageing"
    title = "Smallest first, with ageing"
    options_model = Patience

    def ranks(self, jobs):
        return jobs.processors

    def serve(self, queue):
        def urgency(job):
            old = queue.now - queue.arrival(job) >= self.options.patience
            return (0, queue.arrival(job)) if old else (1, prod(queue.size(job)))

        queue.reorder(sorted(sorted(queue.waiting()), key=urgency))
        super().serve(queue)
