"""Tree Allocation, with or without EAFR (004 §3, figure 1): a binary tree of boxes cut to measure.

The leaves of the tree tile the mesh. A job gets a free leaf, cut until it has the job's size; a leaf that
comes free is joined again with its sibling. Each node's `rtime` is the time when all below it comes free.
With EAFR, a job that finds no leaf reserves the node that comes free the soonest and leaves the queue.

Three things are not as 004 prints them. Its Allocation takes the smallest free node, and reserves one at once
where the job would end too late below a reservation there; here the search passes over such nodes to others
that are free. It sets the rtime of a reserved node to the present plus the reserved job's service, and also
reads it as the time before which others must have left: it cannot be both. Here a reserved node keeps its
rtime, at which its job is to start, and the nodes above learn of the planned end, that rtime plus the job's
service. So the node of Example 1's t5 stays at 9, and t7, which runs until 14, is kept out of it as in
figure 1; the planned end, 15, would let it in. And a node's rtime is lowered again where what lies below it
leaves early. Lemma 1's bound of 4 N_B + 1 nodes holds only until a job leaves.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from meshgui.engine.allocation import tree_allocation_kernel as tree
from meshgui.engine.allocation.base import Bound, Complexity, Options, Source
from meshgui.engine.allocation.inspection import (
    Inspection,
    Moment,
    NodeKind,
    Request,
    State,
    Table,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.kernel_strategy import KernelStrategy, StrategyKernels, new_tally
from meshgui.engine.allocation.panels import TableBuilder, job_cell, plain_mark
from meshgui.engine.allocation.steps import Role, Step
from meshgui.engine.allocation.tree_allocation_kernel import NodeRows, TreeState, allocate, due, release
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.parts import Flag
from meshgui.engine.basics.sentences import Sentence, compose, job_name
from meshgui.engine.basics.translation import formatted, said_again, tr
from meshgui.engine.basics.words import count_of


class TreeAllocationOptions(Options):
    """Which free node is taken, and whether jobs that find none reserve one."""

    # 004's text says best; its Example 1 is breadth-first
    search: Literal["best", "breadth-first"] = Field(
        "best", description=tr("which free node is taken: the smallest, or the first in breadth-first order")
    )
    eafr: Flag = Field(
        False, description=tr("whether a job that finds none reserves the node that will be free first")
    )


class TreeAllocation(KernelStrategy):
    """The smallest free leaf that holds the job, or the first in breadth-first order, cut to measure."""

    id = "ta"
    title = tr("Tree Allocation")
    keeps_lists = True
    dims = frozenset({2})
    rotates = True
    sees_size_alone = False  # but also on when running jobs leave
    contiguous = True
    source = Source("004", "§3, figure 1")
    complexity = Complexity(Bound("O(m)", m=1), Bound("O(m)", m=1), tr("004 table 2"))
    lines = tree.CODE.lines
    release_lines = tree.RELEASE.lines
    options_model = TreeAllocationOptions
    options: TreeAllocationOptions

    kernels = StrategyKernels(release, allocate=allocate, due=due)

    @classmethod
    def reserves(cls, options: Options) -> bool:
        return isinstance(options, TreeAllocationOptions) and options.eafr

    def empty_state(self) -> TreeState:
        rows = 2 * self.mesh.processors - 1
        nodes = np.full((rows, tree.PROMISED + 1), tree.NONE, dtype=np.int32)
        nodes[0, : tree.PARENT] = (0, 0, *self.mesh.extents[:2])
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
        self.state.nodes[: lengths[tree.USED]], self.state.times[: lengths[tree.USED]] = tree.NONE, 0.0
        lengths[tree.USED], lengths[tree.QUEUED] = used, queued = len(state["nodes"]), len(state["queue"])
        self.state.nodes[:used], self.state.times[:used] = state["nodes"], state["times"]
        self.state.queue[:queued] = state["queue"]

    def inspect(self, moment: Moment) -> Inspection:
        """The tree, with the cuts made so far, and the jobs that wait for reserved nodes."""
        grown = _Growing(moment)
        return Inspection((grown.as_tree(), grown.reserved_queue()), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark, other = step.marks[0], step.marks[-1]
        q, _, third = mark.values
        request, times = moment.request or Request(tree.NONE, (0, 0, 0)), moment.state["times"]
        whole = Box.from_corners(mark.box.base, other.box.end)
        return super().words(step, moment) | {
            "job": job_name(other.values[1]),
            "end": formatted(request.now + request.service, "g"),
            "taken": _taken(moment.state["nodes"], q) if step.line == tree.TAKEN else "",
            "other": other.box.describe(flat=True),
            "kept": tr("the smallest so far") if self.options.search == "best" else tr("it is the first"),
            "across": tr("horizontally") if third & 1 else tr("vertically"),
            "whole": whole.describe(flat=True),
            "why": f", {said_again(_CHOSEN[third & 1])}" if step.line == tree.CUT and third & 2 else "",
            "limit": formatted(times[other.values[0], tree.RTIME], "g") if step.line == tree.LATE else "",
            "ready": formatted(times[q, tree.RTIME], "g") if tree.TABOO <= step.line <= tree.RESERVE else "",
        }

    def released(self, moment: Moment) -> State:
        nodes, times = moment.state["nodes"].copy(), moment.state["times"].copy()
        for step in moment.steps:
            q, first, second = step.marks[0].values
            if step.line == tree.FREE:
                nodes[q, tree.JOB], times[q, tree.RTIME] = tree.NONE, 0.0
            elif step.line == tree.MERGE:
                nodes[[first, second]] = tree.NONE
                nodes[q, tree.CHILD], times[q, tree.RTIME] = tree.NONE, 0.0
            elif step.line == tree.READY:
                times[q, tree.RTIME] = times[nodes[q, tree.CHILD] : nodes[q, tree.CHILD] + 2].max()
        used = int(np.flatnonzero(nodes[:, tree.W] != tree.NONE)[-1]) + 1
        return moment.state | {"nodes": nodes[:used], "times": times[:used]}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        state = self.released(moment)
        nodes, (q, second, _) = state["nodes"], step.marks[0].values
        return super().release_words(step, moment) | {
            "sibling": _sibling(nodes, q) if step.line == tree.SIBLING else "",
            "apart": _apart(step, second) if step.line == tree.APART else "",
            "ready": _ready(state["times"][q, tree.RTIME], changed=second > 0)
            if step.line == tree.READY
            else "",
            "nodes": count_of(int(np.count_nonzero(nodes[:, tree.W] != tree.NONE)), "node"),
        }


_CHOSEN = (tr("as a horizontal cut would leave no larger box free"), tr("which leaves the larger box free"))


def _box(nodes: NodeRows, q: int) -> Box:
    x, y, w, d = nodes[q, : tree.PARENT].tolist()
    return Box(x, y, 0, w, d, 1)


def _taken(nodes: NodeRows, q: int) -> Sentence:
    """Why a node is not free."""
    holder, promised = int(nodes[q, tree.JOB]), int(nodes[q, tree.PROMISED])
    said = Sentence(tr("is divided") if nodes[q, tree.CHILD] != tree.NONE else tr("is free"))
    if holder != tree.NONE:
        said = compose(tr("is held by {job}"), {"job": job_name(holder)})
    names = {"said": said, "job": job_name(promised)}
    return said if promised == tree.NONE else compose(tr("{said}, and reserved for {job}"), names)


def _sibling(nodes: NodeRows, q: int) -> Sentence:
    """Whether a sibling can be joined with, and else why not."""
    if (nodes[q, [tree.CHILD, tree.JOB, tree.PROMISED]] == tree.NONE).all():
        return Sentence(tr("is free, too"))
    return compose(tr("{taken}: they stay apart"), {"taken": _taken(nodes, q)})


def _apart(step: Step, promised: int) -> Sentence:
    """Why a node is not joined with its sibling, even a free one."""
    box = step.marks[0].box.describe(flat=True)
    if promised == tree.NONE:
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
    child: int = tree.NONE
    job: int = tree.NONE
    promised: int = tree.NONE
    rtime: float = 0.0

    @property
    def kind(self) -> NodeKind:
        """Whether it is divided, held or free."""
        whole = NodeKind.BUSY if self.job != tree.NONE else NodeKind.FREE
        return whole if self.child == tree.NONE else NodeKind.INTERNAL


class _Growing:
    """The tree at a moment: as it was before the attempt, and what its steps so far have done."""

    def __init__(self, moment: Moment) -> None:
        self.nodes: dict[int, _Shown] = {}
        self.queue: list[int] = moment.state["queue"].tolist()
        self.current, self.placed = tree.NONE, tree.NONE
        nodes, times = moment.state["nodes"], moment.state["times"]
        for q in np.flatnonzero(nodes[:, tree.W] != tree.NONE).tolist():
            parent, child, job, promised = nodes[q, tree.PARENT :].tolist()
            above = None if parent == tree.NONE else parent
            self.nodes[q] = _Shown(_box(nodes, q), above, child, job, promised, float(times[q, tree.RTIME]))
        done = np.isin(moment.steps.lines(), (tree.DUE, tree.CUT, tree.FOUND, tree.RESERVE))
        for at in np.flatnonzero(done).tolist():
            self._take(moment.steps[at], moment.request)
        if moment.step is not None:
            self.current = moment.step.marks[0].values[0]

    def _take(self, step: Step, request: Request | None) -> None:
        """Apply a step to the tree."""
        q, parent, _ = step.marks[0].values
        node = self.nodes.get(q)
        if step.line == tree.CUT:
            self.nodes[parent] = self.nodes[parent]._replace(child=q)
            self.nodes |= {q + side: _Shown(mark.box, parent) for side, mark in enumerate(step.marks)}
        elif node is not None and step.line == tree.DUE:
            self.queue.remove(q)
            self.nodes[q] = node._replace(promised=tree.NONE)
        elif node is not None and request is not None and step.line == tree.FOUND:
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
            order.extend(() if child == tree.NONE else (child, child + 1))
        return Tree(tr("Allocation tree"), tuple(self._drawn(q) for q in order), "")

    def _drawn(self, q: int) -> TreeNode:
        node = self.nodes[q]
        kind = NodeKind.PLACED if q == self.placed else node.kind
        held = node.job != tree.NONE and q != self.placed
        label = tr("job {job}").format(job=node.job) if held else node.box.describe(flat=True)
        holder, reserved = node.job if node.job != tree.NONE else node.promised, node.promised != tree.NONE
        job, mark = None if holder == tree.NONE else holder, plain_mark(Role.TRIED, node.box, q)
        above, current = formatted(node.rtime, "g"), q == self.current
        return TreeNode(q, node.parent, kind, label, above, reserved, job, mark, current)

    def reserved_queue(self) -> Table:
        """Who waits for which node, the oldest reservation first."""
        columns = (of_job := tr("Job"), tr("Box"), tr("Ready at"))
        table = TableBuilder(tr("Reserved queue"), columns, tr("No node is reserved."), jobs=(of_job,))
        for q in self.queue:
            node = self.nodes[q]
            ready = tr("now") if node.kind == NodeKind.FREE else formatted(node.rtime, "g")
            mark = plain_mark(Role.CANDIDATE, node.box, q)
            cells = (job_cell(node.promised), node.box.describe(flat=True), ready)
            table.row(*cells, mark=mark, current=q == self.current)
        return table.table()
