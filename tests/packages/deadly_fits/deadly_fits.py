"""First Fit in plain Python, which in runs of certain seeds ends the process, raises, or takes for ever."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Literal

from meshgui.api import Box, Line, Options, Source, Strategy, region


class Ending(Options):
    """How it goes wrong, and when."""

    how: Literal["kill", "exit", "leave", "raise", "memory", "spin", "sleep"] = "kill"
    seeds: str = ""  # of the runs that go wrong, with commas between
    once: str = ""  # a folder in which it remembers those that did: they go wrong once only


class DeadlyFit(Strategy):
    """The first free box in scan order."""

    id = "deadly"
    title = "Deadly Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("nobody", "nowhere")
    options_model = Ending
    lines = (Line("found", "allocate the first free box", decision=True, says="{box} is free."),)

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request, log=None):
        del log
        if request.job == 5 and str(request.seed) in self.options.seeds.split(","):
            self._go_wrong(request.seed)
        w, d, h = self.mesh.extents
        a, b, c = request.size
        for z in range(h - c + 1):
            for y in range(d - b + 1):
                for x in range(w - a + 1):
                    box = Box(x, y, z, a, b, c)
                    self.operations += 1
                    if (region(self.held, box) == -1).all():
                        region(self.held, box)[:] = request.job
                        return (box,)
        return None

    def release(self, job):
        self.held[self.held == job] = -1

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]

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
