"""A discipline whose answers are checked, and whose errors say that they are the discipline's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.guard import StrategyError
from meshgui.engine.basics.plugins import failure, package_of, quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions, QueueView
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["GuardedDiscipline"]

P = TypeVar("P")
R = TypeVar("R")

_SERVING: Final = tr("serving the queue")  # looked up once: it is served twice a job


class GuardedDiscipline:
    """A discipline of a run."""

    def __init__(self, discipline: type[Discipline], options: DisciplineOptions) -> None:
        self._id, self._home = discipline.id, package_of(discipline)
        self.machine_error: Exception | None = None  # raised by the run while the discipline serves its queue
        self.discipline = self._call(tr("starting"), discipline, options)

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """The ranks by which jobs join the queue."""
        ranks: Any = self._call(tr("ranking the jobs"), self.discipline.ranks, jobs)
        try:
            numbers = np.array(ranks, dtype=np.float64)
        except (TypeError, ValueError):
            numbers = np.empty(0)
        if numbers.shape != (len(jobs),) or not np.isfinite(numbers).all():
            raise self.fault(
                tr("ranks the jobs by {quoted}: expected a finite number for each of {jobs}").format(
                    quoted=quoted(ranks), jobs=len(jobs)
                )
            )
        return numbers

    def serve(self, queue: QueueView) -> None:
        """Have the discipline offer waiting jobs to the allocator."""
        self._call(_SERVING, self.discipline.serve, queue)

    def fault(self, what: str) -> DisciplineError:
        """An error that says what the discipline does wrong."""
        return DisciplineError(f"{self._id} {what}")

    def _call(self, doing: str, function: Callable[[P], R], argument: P) -> R:
        """What the discipline answers; its errors name it, those of the run are left as they are."""
        try:
            return function(argument)
        except (DisciplineError, StrategyError):
            raise
        except Exception as error:
            if error is self.machine_error:
                raise
            raise DisciplineError(failure(self._id, doing, error, home=self._home)) from error
