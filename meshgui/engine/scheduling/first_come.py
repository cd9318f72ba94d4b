"""First come, first served: the order of arrival."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.workload.job_stream import JobStream


class FirstComeFirstServed(Discipline):
    """In order of arrival."""

    id = "fcfs"
    title = tr("First come, first served")
    by_arrival = True

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        return np.zeros(len(jobs))
