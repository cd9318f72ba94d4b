"""Plans on copies of the machine: when a job could start, and whether another would delay it."""

from __future__ import annotations

import math
from collections.abc import Callable

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import Request

__all__ = ["MachineCopy"]


class MachineCopy:
    """The machine at one moment; answers are computed once."""

    def __init__(
        self,
        copy: Callable[[], Strategy],
        request: Callable[[int], Request],
        finishes: list[tuple[float, int]],  # when each running job leaves, as stated, the earliest first
    ) -> None:
        self._copy = copy
        self._request = request
        self._finishes = finishes
        self._starts: dict[int, float] = {}
        self._refused: set[tuple[int, int]] = set()

    def start_of(self, job: int) -> float:
        """When the job could start if no other did."""
        if job not in self._starts:
            self._starts[job] = self._first_fit_in_time(job)
        return self._starts[job]

    def allows(self, job: int, head: int, start: float) -> bool:
        """Whether the job can be placed now, and the head still at that time."""
        if (job, head) in self._refused:
            return False
        machine = self._copy()
        allowed = machine.allocate(self._request(job)) is not None
        if allowed:
            for end, running in self._finishes:
                if end <= start:
                    machine.release(running)
            allowed = machine.allocate(self._request(head)) is not None
        if not allowed:
            self._refused.add((job, head))
        return allowed

    def _first_fit_in_time(self, job: int) -> float:
        machine = self._copy()
        for n, (end, running) in enumerate(self._finishes):
            machine.release(running)
            more_at_once = n + 1 < len(self._finishes) and self._finishes[n + 1][0] == end
            if not more_at_once and machine.allocate(self._request(job)) is not None:
                return end
        return math.inf
