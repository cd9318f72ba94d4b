"""Smallest job first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.workload.job_stream import JobStream


class SmallestJobFirst(Discipline):
    """The request for the fewest processors first."""

    id = "sjf"
    title = tr("Smallest job first")

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        return jobs.processors.astype(np.float64)
