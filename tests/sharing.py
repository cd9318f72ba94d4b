"""Shares the files of tests out among workers, alike in every run."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from xdist.scheduler.loadfile import LoadFileScheduling
from xdist.workermanage import WorkerController


class FixedShares(LoadFileScheduling):
    """Gives a worker the same files in the same order, whichever is ready first.

    What a file leaves in its process would else meet other files by luck.
    """

    @cached_property
    def _owners(self) -> dict[str, str]:
        """The worker that has each file: about as many tests of each folder, which take about as long."""
        workers = sorted(node.gateway.id for node in self.nodes)
        owners, tests = dict[str, str](), Counter[tuple[str, str]]()
        for file, unit in sorted(self.workqueue.items(), key=lambda share: (-len(share[1]), share[0])):
            folder = file.rpartition("/")[0]
            owner = min(workers, key=lambda worker: (tests[worker, folder], tests[worker, ""]))
            tests[owner, folder] += len(unit)
            tests[owner, ""] += len(unit)
            owners[file] = owner
        return owners

    def _assign_work_unit(self, node: WorkerController) -> None:
        file = next((file for file in self.workqueue if self._owners[file] == node.gateway.id), None)
        if file is None:
            node.shutdown()
            return
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
