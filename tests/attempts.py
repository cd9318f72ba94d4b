"""Strategies on machines of which some boxes are held, and what their attempts show step by step."""

from meshgui.engine.allocation.block_records import blocks_in
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh

__all__ = ["Attempt", "ask", "at_work", "box", "cells", "free_blocks", "panels"]


def box(*numbers):
    """A box: x, y, z, w, d, h; of a flat mesh x, y, w, d; a square as 001 writes it, ⟨x,y,side⟩."""
    match numbers:
        case x, y, side:
            return Box(x, y, 0, side, side, 1)
        case x, y, w, d:
            return Box(x, y, 0, w, d, 1)
    return Box(*numbers)


def at_work(name, shape, *held, first=100, wrap=(), **options):
    """The strategy on a mesh of which some boxes are held, by jobs from the first on."""
    cls = strategy(name)
    working = cls(Mesh(shape, wrap), cls.options_model(**options))
    for job, numbers in enumerate(held, first):
        working.replay(Request(job, box(*numbers).size), (box(*numbers),))
    return working


def _request(size, job, now, service):
    """A job that asks for a box, or for a number of processors."""
    sides = (size,) if isinstance(size, int) else size
    return Request(job, (*sides, 1, 1)[:3], now, service)


def ask(working, size, job=1, *, now=0.0, service=1.0):
    """What a job gets."""
    return working.allocate(_request(size, job, now, service))


def free_blocks(working):
    """The free blocks ⟨x,y,side⟩ of a buddy strategy, in the order of its records, the largest first."""
    blocks = blocks_in(working.capture(), working.mesh.extents[0])
    return [(block.x, block.y, block.w) for block in blocks]


def cells(panel):
    """The cells of a table, those of a job as their text."""
    return [tuple(getattr(cell, "text", cell) for cell in row.cells) for row in panel.rows]


def panels(working):
    """What the inspector shows of a strategy that has nothing to do."""
    return working.inspect(Moment(working.capture())).panels


class Attempt:
    """An attempt, and what is shown at its steps: after the nth with a label, the last where n is -1."""

    def __init__(self, working, size, job=1, *, now=0.0, service=1.0):
        self.working = working
        self.trace = working.trace(_request(size, job, now, service))
        self.boxes = self.trace.boxes
        self.labels = [working.lines[step.line].label for step in self.trace.steps]
        self.course = [  # each step's label, and the base that it is about
            (label, step.marks[0].box.base[:2])
            for label, step in zip(self.labels, self.trace.steps, strict=True)
        ]

    def moment(self, label, nth=0):
        """The moment after a step."""
        return self.trace.moment([n for n, other in enumerate(self.labels, 1) if other == label][nth])

    def at(self, label, nth=0):
        """The inspection after a step."""
        return self.working.inspect(self.moment(label, nth))

    def end(self):
        """The inspection after the last step."""
        return self.working.inspect(self.trace.moment(len(self.labels)))

    def marks(self, label, nth=0):
        """The marks of a step."""
        return self.moment(label, nth).marks
