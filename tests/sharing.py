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
    def _owners(self) -> dict[str, str]:
        """The worker that has each file: about as many tests for each."""
        owners, tests = dict[str, str](), dict.fromkeys(sorted(node.gateway.id for node in self.nodes), 0)
        for file, unit in self.workqueue.items():
            owners[file] = min(tests, key=tests.__getitem__)
            tests[owners[file]] += len(unit)
        return owners

    def _assign_work_unit(self, node: WorkerController) -> None:
        file = next((file for file in self.workqueue if self._owners[file] == node.gateway.id), None)
        if file is None:
            node.shutdown()
            return
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
