"""Shares the files of tests out among workers, alike in every run."""

from __future__ import annotations

from functools import cached_property

from xdist.scheduler.loadfile import LoadFileScheduling
from xdist.workermanage import WorkerController


class FixedShares(LoadFileScheduling):
    """Gives a worker the same files in the same order, whichever is ready first.

    What a file leaves in its process would else meet other files by luck.
    """

    @cached_property
    def _shares(self) -> dict[str, int]:
        """The number of the worker that has a file: about as many tests for each."""
        shares, tests = dict[str, int](), [0] * len(self.nodes)
        for file, unit in self.workqueue.items():
            shares[file] = tests.index(min(tests))
            tests[shares[file]] += len(unit)
        return shares

    def _assign_work_unit(self, node: WorkerController) -> None:
        number = sorted(one.gateway.id for one in self.nodes).index(node.gateway.id)
        file = next((file for file in self.workqueue if self._shares[file] == number), None)
        if file is None:
            node.shutdown()
            return
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
