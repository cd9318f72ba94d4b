"""Where the runs of an experiment are computed: in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from typing import NamedTuple

from meshgui.engine.basics.translation import tr, tr_n
from meshgui.experiment.executors import Executor, ProcessPool


class ComputeTarget(NamedTuple):
    """A number of processes of this machine, or the cluster at an address."""

    workers: int = 1
    address: str = ""

    @property
    def words(self) -> str:
        """The text at the end of a forecast."""
        if self.address:
            return tr("of work for the cluster")
        return tr_n("on {number} core", "on {number} cores", self.workers)


def executor_for(target: ComputeTarget) -> Executor:
    """Start the executor of a target. Even a single process is a separate one, so that the window answers."""
    if target.address:
        from meshgui.experiment.dask_cluster import DaskCluster  # noqa: PLC0415 - an extra, and slow

        return DaskCluster(target.address)
    return ProcessPool(target.workers)
