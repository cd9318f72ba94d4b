"""Near Fit: of all free boxes the one whose base is nearest to a corner; the compiled loop runs it."""

from typing import Literal, NamedTuple

import numpy as np

from meshgui.api import (
    FREE,
    OPERATIONS,
    WAITS,
    Grid,
    GridValue,
    Heat,
    HeldProcessorsStrategy,
    Inspection,
    Line,
    NodeKind,
    Options,
    Processors,
    Role,
    Source,
    StrategyKernels,
    Tree,
    TreeNode,
    kernel,
    new_tally,
    no_jobs,
    note,
    release,
    take,
)

TRY, NEARER, FOUND, FAIL = range(4)


class NearFitState(NamedTuple):
    """What the kernels work on."""

    tally: np.ndarray
    processors: Processors
    high: int  # whether distances are counted from the far corner


@kernel
def is_free(held, x, y, z, w, d, h):
    """Whether no job holds any of the box."""
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                if held[k, j, i] != FREE:
                    return False
    return True


@kernel
def search(state, request, boxes_out, log):
    """Write the nearest free box into `boxes_out`: how many boxes, or WAITS."""
    held, a, b, c = state.processors.held, request.w, request.d, request.h
    height, depth, width = held.shape
    best = -1
    for z in range(height - c + 1):
        for y in range(depth - b + 1):
            for x in range(width - a + 1):
                state.tally[OPERATIONS] += 1
                free = is_free(held, x, y, z, a, b, c)
                if log is not None:
                    note(log, TRY, Role.TRIED if free else Role.BLOCKED, x, y, z, a, b, c, 0, 0, 0)
                if not free:
                    continue
                far = x + y + z
                if state.high:
                    far = width + depth + height - far
                if best < 0 or far < best:
                    best = far
                    boxes_out[0, 0], boxes_out[0, 1], boxes_out[0, 2] = x, y, z
                    boxes_out[0, 3], boxes_out[0, 4], boxes_out[0, 5] = a, b, c
                    if log is not None:
                        note(log, NEARER, Role.CANDIDATE, x, y, z, a, b, c, far, 0, 0)
    if best < 0:
        if log is not None:
            note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        return WAITS
    if log is not None:
        note(log, FOUND, Role.PLACED, boxes_out[0, 0], boxes_out[0, 1], boxes_out[0, 2], a, b, c, best, 0, 0)
    return 1


class Corner(Options):
    """From which corner distances are counted."""

    corner: Literal["low", "high"] = "low"


class NearFit(HeldProcessorsStrategy):
    """The free box nearest to a corner."""

    id = "near"
    title = "Near Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("our course", "lecture 4")
    options_model = Corner
    lines = (
        Line("try", "for each box of the mesh:", says="Is {box} free?"),
        Line("nearer", "if it is free, and nearer than the best: remember it", 1, says="{n} steps away."),
        Line("found", "allocate the best", decision=True, says="{box} is the nearest."),
        Line("fail", "if there is none: fail", decision=True, says="No box is free."),
    )

    kernels = StrategyKernels(release, search=search, take=take)

    def empty_state(self):
        return NearFitState(new_tally(), no_jobs(self.mesh), int(self.options.corner == "high"))

    def inspect(self, moment):
        """How far each processor is, and the boxes that were the best so far, one below the other."""
        held = moment.state["held"]
        far = np.indices(held.shape).sum(axis=0).astype(np.int32)
        values = np.where(held == FREE, far, -1).astype(np.int32)
        busy = (GridValue(-1, "busy", Role.BLOCKED),)
        grid = Grid("Distances", values, busy, Heat("steps to the corner", 0, int(far.max())))
        nodes = [TreeNode(0, None, NodeKind.INTERNAL, "the search")]
        for step in moment.steps:
            if step.line == NEARER:
                mark = step.marks[0]
                label = mark.box.describe(flat=self.mesh.dims == 2)
                nodes.append(TreeNode(len(nodes), len(nodes) - 1, NodeKind.OPEN, label, mark=mark))
        tree = Tree("Best so far", tuple(nodes), "")
        marks = moment.steps[-1].marks if len(moment.steps) else ()
        return Inspection((grid, tree), marks, self.say(moment))
