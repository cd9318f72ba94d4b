"""Tree Allocation, with or without EAFR (004 §3, figure 1): a binary tree of boxes cut to measure.

The leaves of the tree tile the mesh. A job gets a free leaf, cut until it has the job's size; a leaf that
comes free is joined again with its sibling. Each node's `rtime` is the time when all below it comes free.
With EAFR, a job that finds no leaf reserves the node that comes free the soonest and leaves the queue.

Two things are not as 004 prints them. It sets the rtime of a reserved node to the present plus the reserved
job's service, and also reads it as the time before which others must have left: it cannot be both. Here a
reserved node keeps its rtime, at which its job is to start, and the nodes above learn of the planned end,
that rtime plus the job's service. So the node of Example 1's t5 stays at 9, and t7, which runs until 14, is
kept out of it as in figure 1; the planned end, 15, would let it in. And a node's rtime is lowered again where
what lies below it leaves early. Lemma 1's bound of 4 N_B + 1 nodes holds only until a job leaves.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from meshgui.engine.allocation.base import Bound, Complexity, Line, Options, Source
from meshgui.engine.allocation.inspection import (
    Inspection,
    JobCell,
    Moment,
    NodeKind,
    Request,
    State,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.kernel_strategy import KernelStrategy, StrategyKernels, new_tally
from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.allocation.tree_allocation_kernel import (
    APART,
    CHILD,
    CUT,
    DUE,
    FOUND,
    FREE,
    JOB,
    LATE,
    MERGE,
    NONE,
    PARENT,
    PROMISED,
    QUEUED,
    READY,
    RESERVE,
    RTIME,
    SIBLING,
    TABOO,
    TAKEN,
    USED,
    NodeRows,
    TreeState,
    W,
    allocate,
    due,
    release,
)
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.parts import Flag
from meshgui.engine.basics.sentences import Sentence, compose, job_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import so_many

__all__ = ["TreeAllocation", "TreeAllocationOptions"]

LINES = (
    Line(
        "due",
        "if a node reserved for the job is free again: continue by cutting it",
        decision=True,
        says="{box} was reserved for this job and is free again.",
    ),
    Line("node", "for each node of the tree, level by level from the root:"),
    Line("taken", "if it is divided, held or reserved: skip it", 1, says="{box} {taken}."),
    Line(
        "small", "if the job fits into it neither way round: skip it", 1, says="{box} is free, but too small."
    ),
    Line(
        "late",
        "if it lies below a reserved node, and the job would not end before that is free: skip it",
        1,
        says="{box} is free, but {other} is promised to {job} at {limit}; this job would run until {end}.",
    ),
    Line(
        "larger", "if the kept one is no larger: skip it", 1, says="{box} would do, but {other} is no larger."
    ),
    Line(
        "keep",
        "else: keep it; of a breadth-first search the first is enough",
        1,
        says="{box} is free and large enough: {kept}.",
    ),
    Line(
        "cut",
        "while the kept node is larger than the job: cut off what is over, the larger part first",
        says="{whole} is cut {across}{why}: {box} is kept, {other} stays free.",
        decision=True,
        event="split",
    ),
    Line(
        "found",
        "if a node is kept: allocate it, and raise the ready times above it",
        says="{box} has just the size: the job gets it until {end}.",
        decision=True,
    ),
    Line("earliest", "else, with EAFR, for each node, level by level from the root:"),
    Line("taboo", "if it is reserved: skip it and all below it", 1, says="{box} is reserved for {job}."),
    Line("narrow", "if the job fits into it neither way round: skip it", 1, says="{box} is too small."),
    Line(
        "later",
        "if the kept one is free no later: skip it",
        1,
        says="{box} is free at {ready}, {other} no later.",
    ),
    Line("sooner", "else: keep it", 1, says="{box} is free at {ready}, the soonest so far."),
    Line(
        "reserve",
        "if a node is kept: reserve it for the job, and raise the ready times above it",
        says="{box} is reserved: the job leaves the queue and starts there when it is free, at {ready}.",
        decision=True,
    ),
    Line("fail", "no node is kept: fail", says="No node can serve it, so the job waits.", decision=True),
)

RELEASES = (
    Line("free", "find the job's node, and free it", says="{box} is free again.", decision=True),
    Line(
        "sibling",
        "while its sibling is free, too, and neither is reserved:",
        says="Its sibling {box} {sibling}.",
    ),
    Line("apart", "a reserved node, and the root, stay as they are", 1, says="{apart}."),
    Line(
        "merge",
        "join the two: the node above them is a free leaf, and the next to look at",
        1,
        says="They are joined: {box} is one free node.",
        decision=True,
    ),
    Line(
        "ready",
        "for each node above, as long as that changes: its ready time is the latest of those below it",
        says="{box} {ready}.",
    ),
    Line("folded", "the tree is folded as far as possible", says="The tree has {nodes}.", decision=True),
)


class TreeAllocationOptions(Options):
    """Which free node is taken, and whether jobs that find none reserve one."""

    search: Annotated[  # 004's text says best; its Example 1 is breadth-first
        Literal["best", "breadth-first"],
        Field(description=tr("which free node is taken: the smallest, or the first in breadth-first order")),
    ] = "best"
    eafr: Annotated[
        Flag, Field(description=tr("whether a job that finds none reserves the node that will be free first"))
    ] = False


class TreeAllocation(KernelStrategy):
    """The smallest free leaf that holds the job, or the first in breadth-first order, cut to measure."""

    id = "ta"
    title = tr("Tree Allocation")
    dims = frozenset({2})
    rotates = True
    sees_size_alone = False  # but also on when running jobs leave
    contiguous = True
    source = Source("004", "§3, figure 1")
    complexity = Complexity(Bound("O(m)", m=1), Bound("O(m)", m=1), tr("004 table 2"))
    lines = LINES
    release_lines = RELEASES
    options_model = TreeAllocationOptions
    options: TreeAllocationOptions

    kernels = StrategyKernels(release, allocate=allocate, due=due)

    @classmethod
    def reserves(cls, options: Options) -> bool:
        return isinstance(options, TreeAllocationOptions) and options.eafr

    def empty_state(self) -> TreeState:
        rows = 2 * self.mesh.processors - 1
        nodes = np.full((rows, PROMISED + 1), NONE, dtype=np.int32)
        nodes[0, :PARENT] = (0, 0, *self.mesh.extents[:2])
        lengths = np.array((1, 0))
        best, eafr = int(self.options.search == "best"), int(self.options.eafr)
        queue = np.zeros(rows, dtype=np.int32)
        return TreeState(new_tally(), nodes, np.zeros((rows, 2)), queue, lengths, best, eafr)

    def capture(self) -> State:
        state, (used, queued) = self.state, self.state.lengths
        kept = {"nodes": state.nodes[:used], "times": state.times[:used], "queue": state.queue[:queued]}
        return {name: values.copy() for name, values in kept.items()}

    def restore(self, state: State) -> None:
        lengths = self.state.lengths
        self.state.nodes[: lengths[USED]], self.state.times[: lengths[USED]] = NONE, 0.0
        lengths[USED], lengths[QUEUED] = used, queued = len(state["nodes"]), len(state["queue"])
        self.state.nodes[:used], self.state.times[:used] = state["nodes"], state["times"]
        self.state.queue[:queued] = state["queue"]

    def inspect(self, moment: Moment) -> Inspection:
        """The tree, with the cuts made so far, and the jobs that wait for reserved nodes."""
        tree = _Growing(moment)
        return Inspection((tree.as_tree(), tree.reserved_queue()), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark, other = step.marks[0], step.marks[-1]
        q, _, third = mark.values
        request, times = moment.request or Request(NONE, (0, 0, 0)), moment.state["times"]
        whole = Box.from_corners(mark.box.base, other.box.end)
        return super().words(step, moment) | {
            "job": job_name(other.values[1]),
            "end": f"{request.now + request.service:g}",
            "taken": _taken(moment.state["nodes"], q) if step.line == TAKEN else "",
            "other": other.box.describe(flat=True),
            "kept": tr("the smallest so far") if self.options.search == "best" else tr("it is the first"),
            "across": tr("horizontally") if third & 1 else tr("vertically"),
            "whole": whole.describe(flat=True),
            "why": f", {_CHOSEN[third & 1]}" if step.line == CUT and third & 2 else "",
            "limit": f"{times[other.values[0], RTIME]:g}" if step.line == LATE else "",
            "ready": f"{times[q, RTIME]:g}" if TABOO <= step.line <= RESERVE else "",
        }

    def released(self, moment: Moment) -> State:
        nodes, times = moment.state["nodes"].copy(), moment.state["times"].copy()
        for step in moment.steps:
            q, first, second = step.marks[0].values
            if step.line == FREE:
                nodes[q, JOB], times[q, RTIME] = NONE, 0.0
            elif step.line == MERGE:
                nodes[[first, second]] = NONE
                nodes[q, CHILD], times[q, RTIME] = NONE, 0.0
            elif step.line == READY:
                times[q, RTIME] = times[nodes[q, CHILD] : nodes[q, CHILD] + 2].max()
        used = int(np.flatnonzero(nodes[:, W] != NONE)[-1]) + 1
        return moment.state | {"nodes": nodes[:used], "times": times[:used]}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        state = self.released(moment)
        nodes, (q, second, _) = state["nodes"], step.marks[0].values
        return super().release_words(step, moment) | {
            "sibling": _sibling(nodes, q) if step.line == SIBLING else "",
            "apart": _apart(step, second) if step.line == APART else "",
            "ready": _ready(state["times"][q, RTIME], changed=second > 0) if step.line == READY else "",
            "nodes": so_many(int(np.count_nonzero(nodes[:, W] != NONE)), "node"),
        }


_CHOSEN = (tr("as a horizontal cut would leave no larger box free"), tr("which leaves the larger box free"))


def _box(nodes: NodeRows, q: int) -> Box:
    x, y, w, d = nodes[q, :PARENT].tolist()
    return Box(x, y, 0, w, d, 1)


def _taken(nodes: NodeRows, q: int) -> Sentence:
    """Why a node is not free."""
    holder, promised = int(nodes[q, JOB]), int(nodes[q, PROMISED])
    said = Sentence(tr("is divided") if nodes[q, CHILD] != NONE else tr("is free"))
    if holder != NONE:
        said = compose(tr("is held by {job}"), {"job": job_name(holder)})
    names = {"said": said, "job": job_name(promised)}
    return said if promised == NONE else compose(tr("{said}, and reserved for {job}"), names)


def _sibling(nodes: NodeRows, q: int) -> Sentence:
    """Whether a sibling can be joined with, and else why not."""
    if nodes[q, CHILD] == NONE and nodes[q, JOB] == NONE and nodes[q, PROMISED] == NONE:
        return Sentence(tr("is free, too"))
    return compose(tr("{taken}: they stay apart"), {"taken": _taken(nodes, q)})


def _apart(step: Step, promised: int) -> Sentence:
    """Why a node is not joined with its sibling, even a free one."""
    box = step.marks[0].box.describe(flat=True)
    if promised == NONE:
        return Sentence(tr("{box} is the whole mesh").format(box=box))
    names = {"box": box, "job": job_name(promised)}
    return compose(tr("{box} is reserved for {job}, so it is not joined with another"), names)


def _ready(time: float, *, changed: bool) -> str:
    """When a node comes free, now that something below it is free."""
    said = tr("is free at {time:g} now") if changed else tr("is free at {time:g}, as before")
    return said.format(time=time)


class _Shown(NamedTuple):
    """A node as the inspectors show it."""

    box: Box
    parent: int | None
    child: int = NONE
    job: int = NONE
    promised: int = NONE
    rtime: float = 0.0

    @property
    def kind(self) -> NodeKind:
        """Whether it is divided, held or free."""
        whole = NodeKind.BUSY if self.job != NONE else NodeKind.FREE
        return whole if self.child == NONE else NodeKind.INTERNAL


class _Growing:
    """The tree at a moment: as it was before the attempt, and what its steps so far have done."""

    def __init__(self, moment: Moment) -> None:
        self.nodes: dict[int, _Shown] = {}
        self.queue: list[int] = moment.state["queue"].tolist()
        self.current, self.placed = NONE, NONE
        nodes, times = moment.state["nodes"], moment.state["times"]
        for q in np.flatnonzero(nodes[:, W] != NONE).tolist():
            parent, child, job, promised = nodes[q, PARENT:].tolist()
            above = None if parent == NONE else parent
            self.nodes[q] = _Shown(_box(nodes, q), above, child, job, promised, float(times[q, RTIME]))
        done = np.isin(moment.steps.lines(), (DUE, CUT, FOUND, RESERVE))
        for at in np.flatnonzero(done).tolist():
            self._take(moment.steps[at], moment.request)
        if moment.step is not None:
            self.current = moment.step.marks[0].values[0]

    def _take(self, step: Step, request: Request | None) -> None:
        """Apply a step to the tree."""
        q, parent, _ = step.marks[0].values
        node = self.nodes.get(q)
        if step.line == CUT:
            self.nodes[parent] = self.nodes[parent]._replace(child=q)
            self.nodes |= {q + side: _Shown(mark.box, parent) for side, mark in enumerate(step.marks)}
        elif node is not None and step.line == DUE:
            self.queue.remove(q)
            self.nodes[q] = node._replace(promised=NONE)
        elif node is not None and request is not None and step.line == FOUND:
            self.nodes[q] = node._replace(job=request.job)
            self.placed = q
            self._raise(q, request.now + request.service)
        elif node is not None and request is not None:
            self.nodes[q] = node._replace(promised=request.job)
            self.queue.append(q)
            if node.parent is not None:
                self._raise(node.parent, node.rtime + request.service)

    def _raise(self, q: int | None, rtime: float) -> None:
        """A node and those above it come free no sooner than that."""
        while q is not None:
            node = self.nodes[q]
            self.nodes[q] = node._replace(rtime=max(node.rtime, rtime))
            q = node.parent

    def as_tree(self) -> Tree:
        """Level by level, so that parents come before children and siblings from left to right."""
        order = [0]
        for q in order:
            child = self.nodes[q].child
            order.extend(() if child == NONE else (child, child + 1))
        return Tree(tr("Allocation tree"), tuple(self._drawn(q) for q in order), "")

    def _drawn(self, q: int) -> TreeNode:
        node = self.nodes[q]
        job = node.job if node.job != NONE else node.promised
        held = node.job != NONE and q != self.placed
        return TreeNode(
            q,
            node.parent,
            NodeKind.PLACED if q == self.placed else node.kind,
            tr("job {job}").format(job=node.job) if held else node.box.describe(flat=True),
            above=f"{node.rtime:g}",
            reserved=node.promised != NONE,
            job=None if job == NONE else job,
            mark=Mark(Role.TRIED, node.box, (q, 0, 0)),
            current=q == self.current,
        )

    def reserved_queue(self) -> Table:
        """Who waits for which node, the oldest reservation first."""
        rows = []
        for q, node in ((q, self.nodes[q]) for q in self.queue):
            job = JobCell(str(node.promised), node.promised)
            ready = tr("now") if node.kind == NodeKind.FREE else f"{node.rtime:g}"
            mark = Mark(Role.CANDIDATE, node.box, (q, 0, 0))
            rows.append(TableRow((job, node.box.describe(flat=True), ready), mark, current=q == self.current))
        columns = (of_job := tr("Job"), tr("Box"), tr("Ready at"))
        return Table(tr("Reserved queue"), columns, tuple(rows), tr("No node is reserved."), jobs=(of_job,))
