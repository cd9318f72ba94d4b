"""A strategy that in runs of certain seeds ends the process, raises, or takes for ever."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Literal

from wrong_fits import Right

from meshgui.api import Options


class Ending(Options):
    """How a run goes wrong, and when."""

    how: Literal["kill", "exit", "leave", "raise", "memory", "spin", "sleep"] = "kill"
    seeds: str = ""  # of the runs that go wrong, with commas between
    once: str = ""  # a folder in which it remembers those that did: they go wrong once only


class Deadly(Right):
    """Ends the process, raises, or takes for ever, in runs of certain seeds."""

    options_model = Ending

    def allocate(self, request, log=None):
        if request.job == 5 and str(request.seed) in self.options.seeds.split(","):
            self._go_wrong(request.seed)
        return super().allocate(request, log)

    def _go_wrong(self, seed):
        if self.options.once:
            try:
                (Path(self.options.once) / str(seed)).touch(exist_ok=False)
            except FileExistsError:
                return
        match self.options.how:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exit":
                os._exit(7)
            case "leave":
                sys.exit(8)
            case "raise":
                raise ZeroDivisionError("by zero")
            case "memory":
                raise MemoryError
            case "spin":
                while True:
                    self.operations += 1
            case "sleep":
                time.sleep(1000)
