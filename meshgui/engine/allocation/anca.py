"""Adaptive Non-contiguous Allocation (000 §2.2.2): the request whole, or cut into ever more equal parts.

Round 0 looks for the request as it is; round i cuts every part of the round before in two across its longer
side, so it has 2^i parts, of which all must find a box in the same round. Left open by 000 and decided here:
a part of odd length is cut into halves that differ by one, the longer first; a square is cut across its
width; each part goes into the first free box, lowest row first, leftmost first.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np
from pydantic import Field

from meshgui.engine.allocation import anca_kernel as cutting
from meshgui.engine.allocation.anca_kernel import PartsState, halve, release, search, take
from meshgui.engine.allocation.base import BlockOptions, Options, Source
from meshgui.engine.allocation.held_boxes import HeldBoxesStrategy, boxes_in, no_boxes
from meshgui.engine.allocation.held_processors import no_jobs
from meshgui.engine.allocation.inspection import Inspection, Moment, NodeKind, State, Table, Tree, TreeNode
from meshgui.engine.allocation.kernel_strategy import StrategyKernels, new_tally
from meshgui.engine.allocation.panels import TableBuilder, busy_table, with_those_before
from meshgui.engine.allocation.steps import Mark, Role, Step, Steps
from meshgui.engine.basics.geometry import Size, describe_size, region
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are, count_of, counted


def cut(parts: list[Size], least: int = 1) -> list[Size] | None:
    """Every part in two across its longer side, or None where a half would have a side below the least."""
    rows = np.zeros((2 * len(parts), 6), dtype=np.int32)
    rows[: len(parts), 3:] = parts
    count = halve(rows, len(parts), least)
    return [(w, d, h) for w, d, h in rows[:count, 3:].tolist()] or None


class AdaptiveNonContiguousOptions(BlockOptions):
    """How far a request may be cut."""

    # 000 leaves the number open
    rounds: int = Field(4, ge=0, le=16, strict=True, description=tr("how often a request may be cut in two"))
    stop: Literal["at-one", "below-one"] = Field(
        "at-one",
        description=tr(
            "which side of a part ends the cutting: one that reaches 1, as in Bani-Mohammad 2008, "
            "or one below 1"
        ),
    )

    @property
    def least_side(self) -> int:
        """The shortest side that a part may have."""
        return 1 if self.stop == "below-one" else 2


class AdaptiveNonContiguous(HeldBoxesStrategy):
    """The request whole, or in 2, 4, 8 … parts that all find a box in the same round."""

    id = "anca"
    title = tr("Adaptive Non-contiguous")
    keeps_lists = True
    dims = frozenset({2})
    rotates = False
    contiguous = False
    source = Source("000", "§2.2.2")
    lines = cutting.CODE.lines
    release_lines = cutting.RELEASE.lines
    release_shift = cutting.RELEASE_SHIFT
    options_model = AdaptiveNonContiguousOptions
    options: AdaptiveNonContiguousOptions

    @classmethod
    def remarks(cls, options: Options) -> tuple[str, ...]:
        """That the option has another default than it had."""
        if "stop" in options.model_fields_set:
            return ()
        said = tr(
            "allocator.options.stop: not stated, so cutting ends at a side of 1, as in "
            "Bani-Mohammad 2008; earlier versions cut down to single processors (below-one)"
        )
        return (said,)

    kernels = StrategyKernels(release, search, take)

    def empty_state(self) -> PartsState:
        held, free = no_jobs(self.mesh)
        rounds, least = self.options.rounds, self.options.least_side
        return PartsState(new_tally(), no_boxes(self.mesh), held[0], free, rounds, least)

    def restore(self, state: State) -> None:
        super().restore(state)
        held = self.mesh.occupancy()
        for box, job in boxes_in(self.busy):
            region(held, box)[:] = job
        self.state.held[:] = held[0]
        self.state.free[0] = np.count_nonzero(held == cutting.NO_JOB)

    def _refusal(self, size: Size) -> str | None:
        return None if self.mesh.fits(size) else super()._refusal(size)

    def inspect(self, moment: Moment) -> Inspection:
        """The partition of the request, round by round, and the busy boxes."""
        so_far = _Progress(moment)
        busy = busy_table(boxes_in(moment.state["busy"]), Role.TRIED)
        panels = (so_far.tree(), so_far.table(), busy)
        return Inspection(panels, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        boxes, request = [mark.box.describe(flat=True) for mark in step.marks], moment.request
        own, several = request is not None and n == request.job, len(boxes) > 1
        return super().words(step, moment) | {
            "parts": _in_words(request.size, n) if request and step.line == cutting.ROUND else "",
            "whose": tr("a part already placed") if own else job_name(n),
            "given": "" if n == 1 else tr(", so what this round has placed is given back"),
            "all": tr("All parts have a box") if several else tr("The whole request has a box"),
            "boxes": tr("{boxes} boxes").format(boxes=len(boxes)) if several else boxes[0],
            "why": _why(n, k),
        }

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        freed = sum(mark.box.volume for mark in step.marks)
        return super().release_words(step, moment) | {"freed": f"{count_of(freed, 'processor')} {are(freed)}"}


def _why(least: int, rounds: int) -> str:
    """Why there is no further round: a part too short to be cut or, for 0, the number of rounds."""
    if least == 1:
        return tr("A part is a single processor and cannot be cut")
    if least:
        return tr("A side of the parts would reach 1")
    often = {0: tr("not be cut"), 1: tr("be cut only once")}.get(
        rounds, tr("be cut only {rounds} times").format(rounds=rounds)
    )
    return tr("The request may {often}").format(often=often)


def _partition(size: Size, turn: int) -> list[Size]:
    """The parts of a round that was reached."""
    parts = [size]
    for _ in range(turn):
        parts = cut(parts) or []
    return parts


def _in_words(size: Size, turn: int) -> str:
    """The parts of a round, equal ones together."""
    if turn == 0:
        return tr("the whole request, {describe_size}").format(describe_size=describe_size(size, 2))
    alike = Counter(describe_size(part, 2) for part in _partition(size, turn))
    return tr(" and ").join(
        tr("{parts} of {part}").format(parts=counted(count, "part"), part=part)
        for part, count in alike.items()
    )


class _Progress:
    """The state after the steps so far: the round, and its parts."""

    def __init__(self, moment: Moment) -> None:
        self.rounds: list[list[Size]] = []
        self.placed: dict[int, Mark] = {}
        self.part: int | None = None
        self.failed: int | None = None  # the part of this round that found no box
        self.now = moment.marks
        turns = np.flatnonzero(moment.steps.lines() == cutting.ROUND)
        if moment.request is not None and len(turns):
            self.rounds = [_partition(moment.request.size, turn) for turn in range(len(turns))]
            self._take(moment.steps.since(cutting.ROUND))

    def _take(self, steps: Steps) -> None:
        for step in steps:
            mark = step.marks[0]
            if step.line == cutting.PART:
                self.part = mark.values[0] - 1
            elif step.line == cutting.PLACE:
                self.placed[mark.values[0] - 1] = mark
            elif step.line == cutting.BACK:
                self.failed = self.part
            elif step.line in {cutting.FOUND, cutting.FAIL}:
                self.part = None

    def marks(self) -> tuple[Mark, ...]:
        """The marks to draw: those of the step, and the parts placed in this round."""
        return with_those_before(self.now, () if self.failed is not None else self.placed.values())

    def _kind(self, turn: int, part: int) -> NodeKind:
        if turn < len(self.rounds) - 1 or self.failed is not None:
            return NodeKind.FAILED
        return NodeKind.PLACED if part in self.placed else NodeKind.OPEN

    def tree(self) -> Tree:
        """The request above, under each part its halves."""
        nodes = []
        for turn, parts in enumerate(self.rounds):
            last = turn == len(self.rounds) - 1
            for part, size in enumerate(parts):
                key, kind, label = (1 << turn) + part, self._kind(turn, part), describe_size(size, 2)
                above, current = key // 2 if turn else None, last and part == self.part
                mark = self.placed.get(part) if last and self.failed is None else None
                nodes.append(TreeNode(key, above, kind, label, mark=mark, current=current))
        return Tree(tr("Partition"), tuple(nodes), tr("No request is being looked at."))

    def table(self) -> Table:
        """The parts of this round and where they are."""
        columns = ("", tr("Size"), tr("Box"))
        table = TableBuilder(tr("Parts of this round"), columns, tr("None: no round has begun."))
        for part, size in enumerate(self.rounds[-1] if self.rounds else ()):
            mark = self.placed.get(part)
            where = mark.box.describe(flat=True) if mark else tr("nowhere") if part == self.failed else None
            if mark and self.failed is not None:
                where, mark = tr("{where}, given back").format(where=where), None
            table.row(str(part + 1), describe_size(size, 2), where, mark=mark, current=part == self.part)
        return table.table()
