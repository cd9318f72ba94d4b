"""A contiguous search inside another strategy: renumbers its lines for the outer pseudo-code, and back."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from meshgui.engine.allocation.steps import SAME_STEP, Log, Steps
from meshgui.engine.basics.kernel import kernel


@kernel
def rows_in(log: Log) -> int:
    """How many rows have been logged."""
    return 0 if log is None else log[0, 0]


@kernel
def stand_at(log: Log, before: int, by: int) -> None:
    """Move the lines logged after these rows to their place in the outer pseudo-code."""
    if log is not None:
        for n in range(before + 1, min(log[0, 0] + 1, log.shape[0])):
            if log[n, 0] != SAME_STEP:
                log[n, 0] += by


def latest_search(steps: Steps, opens: AbstractSet[int], closes: int, by: int) -> Steps:
    """The steps of the search begun latest, with the lines of the search's own pseudo-code.

    A line of `opens` begins a search, and the line `closes`, the first after those of the search, takes what
    it found: the state has then changed, and there is no search to be looked at.
    """
    lines = steps.lines()
    begun = np.flatnonzero(np.isin(lines, list(opens)))
    begin = int(begun[-1]) + 1 if len(begun) else len(lines)
    outer = np.flatnonzero(lines[begin:] >= closes)
    end = begin + int(outer[0]) if len(outer) else len(lines)
    if len(outer) and lines[end] == closes:
        end = begin
    rows = steps[begin:end].rows.copy()
    rows[rows[:, 0] != SAME_STEP, 0] -= by
    return Steps(rows)
