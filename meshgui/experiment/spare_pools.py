"""Pools of one worker process for the threads of a cluster's worker, which outlives them.

Workers of a cluster are other programs' processes, with threads and a connection to keep alive. A simulation
does not belong in them: strategies are called, watched and given up on as if they were alone in the process,
and one of a third party may take it down.
"""

from __future__ import annotations

from threading import Lock, Timer
from typing import Final

from meshgui.engine.basics.work import look
from meshgui.experiment.executors import ProcessPool
from meshgui.experiment.task import Task, TaskOutcome

_BETWEEN_LOOKS: Final = 0.1  # seconds
_IDLE: Final = 30.0  # seconds that one is kept with nothing to do


class SparePools:
    """As many as are needed at the same time; those with nothing to do for a while are let go."""

    def __init__(self, idle: float = _IDLE) -> None:
        self.idle = idle
        self._idle: dict[ProcessPool, Timer] = {}
        self._lock = Lock()

    def make(self, task: Task, threads: int = 1) -> TaskOutcome:
        """The outcome of a task, for one of this many threads, with looks; ExecutorError if there is none."""
        pool = self._taken() or ProcessPool(1, beside=threads - 1)
        try:
            pool.outcomes(0.0)  # a process that has died with nothing to do is replaced
            pool.submit(task)
            while not (outcomes := pool.outcomes(_BETWEEN_LOOKS)):
                look()
        except BaseException:  # as of a task that is no longer wanted
            pool.close()
            raise
        self._keep(pool)
        return outcomes[0]

    def close(self) -> None:
        """Let all go that have nothing to do."""
        while (pool := self._taken()) is not None:
            pool.close()

    def _taken(self) -> ProcessPool | None:
        with self._lock:
            if not self._idle:
                return None
            pool, timer = self._idle.popitem()
        timer.cancel()
        return pool

    def _keep(self, pool: ProcessPool) -> None:
        timer = Timer(self.idle, self._let_go, [pool])
        timer.daemon = True
        with self._lock:
            self._idle[pool] = timer
        timer.start()

    def _let_go(self, pool: ProcessPool) -> None:
        with self._lock:
            if self._idle.pop(pool, None) is None:
                return
        pool.close()
