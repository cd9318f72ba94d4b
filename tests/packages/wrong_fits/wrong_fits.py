"""First Fit in plain Python, and many ways to get it wrong."""

import os
import re
from itertools import product

from meshgui.api import Box, Inspection, Line, Role, Source, Strategy, Table, TableRow, kernel, region

NOTHING = None


@kernel
def spin(n):
    """Never returns, and does not let Python in."""
    while n >= 0:
        n = (n + 1) % 1000
    return n


class Right(Strategy):
    """The first free box in scan order; right so far."""

    id = "right"
    title = "Right"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("nobody", "nowhere")
    lines = (
        Line("try", "for each box:", says="Is {box} free?"),
        Line("found", "if it is free: allocate it", 1, decision=True, says="{box} is free."),
    )

    def __init_subclass__(cls):
        cls.id = re.sub("(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
        super().__init_subclass__()

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request, log=None):
        w, d, h = self.mesh.extents
        a, b, c = request.size
        for z, y, x in product(range(h - c + 1), range(d - b + 1), range(w - a + 1)):
            box = Box(x, y, z, a, b, c)
            self.operations += 1
            if log is not None:
                log.note(0, Role.TRIED, box)
            if (region(self.held, box) == -1).all():
                region(self.held, box)[:] = request.job
                if log is not None:
                    log.note(1, Role.PLACED, box)
                return (box,)
        return None

    def release(self, job):
        self.held[self.held == job] = -1

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]


class Raises(Right):
    """Stumbles over the second job."""

    def allocate(self, request, log=None):
        if request.job == 1:
            raise ZeroDivisionError("by zero")
        return super().allocate(request, log)


class Overlaps(Right):
    """Gives every job the same corner."""

    def allocate(self, request, log=None):
        del log
        return (Box(0, 0, 0, *request.size),)


class Endless(Right):
    """Never finds an end, in Python."""

    def allocate(self, request, log=None):
        while request.job == 1:
            self.operations += 1
        return super().allocate(request, log)


class Spins(Right):
    """Never finds an end, in a kernel."""

    def allocate(self, request, log=None):
        if request.job == 1:
            self.operations += spin(1)
        return super().allocate(request, log)


class Dies(Right):
    """Takes the process along."""

    def allocate(self, request, log=None):
        if request.job == 1:
            os._exit(3)
        return super().allocate(request, log)


class EndlessLog(Right):
    """Never finds an end, when it is stepped."""

    def allocate(self, request, log=None):
        while log is not None:
            self.operations += 1
        return super().allocate(request, log)


class StuckState(Right):
    """Never comes back to where it was."""

    def replay(self, request, boxes):
        while boxes or request:
            self.operations += 1


class RaisesLog(Right):
    """Stumbles when it is stepped."""

    def allocate(self, request, log=None):
        if log is not None:
            raise KeyError("log")
        return super().allocate(request, log)


class Gabbles(Right):
    """Logs lines that it does not have."""

    def allocate(self, request, log=None):
        if log is not None:
            log.note(7, Role.TRIED, self.mesh.box())
        return super().allocate(request, log)


class Mumbles(Right):
    """Says words that mean nothing."""

    id = "mumbles"
    lines = tuple(Line(line.label, line.text, says="{whatever} is free.") for line in Right.lines)


class ShowsRubbish(Right):
    """Shows a table that is not valid."""

    def inspect(self, moment):
        del moment
        return Inspection((Table("Jobs", ("job", "box"), (TableRow((1, 2, 3)),), ""),), (), "")


class ChangesItsMind(Right):
    """Asked again, places a job elsewhere."""

    def allocate(self, request, log=None):
        if log is not None:
            return (Box(1, 1, 0, *request.size),)
        return super().allocate(request, log)
