"""Last come, first served."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.workload.job_stream import JobStream


class LastComeFirstServed(Discipline):
    """The latest arrival first."""

    id = "lcfs"
    title = tr("Last come, first served")

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        return -np.arange(len(jobs), dtype=np.float64)
