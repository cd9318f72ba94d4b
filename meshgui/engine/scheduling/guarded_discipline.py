"""A discipline whose answers are checked, and whose errors say that they are the discipline's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.guard import call, faults_of
from meshgui.engine.basics.plugins import is_own, package_of, quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions, QueueView
from meshgui.engine.workload.job_stream import JobStream

P = TypeVar("P")
R = TypeVar("R")

_SERVING: Final = tr("serving the queue")  # looked up once: it is served twice a job


class GuardedDiscipline:
    """A discipline of a run."""

    def __init__(self, discipline: type[Discipline], options: DisciplineOptions) -> None:
        self._id, self._home, self.is_own = discipline.id, package_of(discipline), is_own(discipline)
        self.machine_error: Exception | None = None  # raised by the run while the discipline serves its queue
        self.discipline = self._call(tr("starting"), discipline, options)

    def ranks(self, jobs: JobStream) -> Floats:
        """The ranks by which jobs join the queue."""
        ranks: Any = self._call(tr("ranking the jobs"), self.discipline.ranks, jobs)
        if self.is_own:
            return np.array(ranks, dtype=np.float64)
        try:
            numbers = np.array(ranks, dtype=np.float64)
        except (TypeError, ValueError):
            numbers = np.empty(0)
        if numbers.shape != (len(jobs),) or not np.isfinite(numbers).all():
            said = tr("ranks the jobs by {quoted}: expected a finite number for each of {jobs}")
            raise self.fault(said.format(quoted=quoted(ranks), jobs=len(jobs)))
        return numbers

    def serve(self, queue: QueueView) -> None:
        """Have the discipline offer waiting jobs to the allocator."""
        self._call(_SERVING, self.discipline.serve, queue)

    def fault(self, what: str) -> DisciplineError:
        """An error that says what the discipline does wrong."""
        return DisciplineError(f"{self._id} {what}")

    def _call(self, doing: str, function: Callable[[P], R], argument: P) -> R:
        """What the discipline answers; its errors name it, those of the run are left as they are."""
        if self.is_own:
            with faults_of(self._id, doing, DisciplineError, self._home, passes=self._is_of_the_run):
                return function(argument)
        work = partial(function, argument)
        passes = self._is_of_the_run
        return call(self._id, doing, work, home=self._home, error=DisciplineError, passes=passes)[0]

    def _is_of_the_run(self, error: BaseException) -> bool:
        return error is self.machine_error
