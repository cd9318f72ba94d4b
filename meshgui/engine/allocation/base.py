"""The base class of strategies: a state in arrays, a search with an optional log, and a description."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from math import log2, prod
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.allocation.inspection import Inspection, Moment, Panel, Request, State, Table, Tree
from meshgui.engine.allocation.page_orders import ranks_in
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Step, StepLog, Steps
from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import (
    Box,
    Mesh,
    Size,
    cells,
    describe_size,
    list_joined,
    node_number,
    orientations,
)
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.sentences import compose, job_name
from meshgui.engine.basics.translation import said_again, tr
from meshgui.engine.basics.words import count_of, counted, few, percent
from meshgui.engine.basics.work import Progress, telling

Boxes = tuple[Box, ...]
BoxRows = Ints  # boxes as rows of base and size

_FIRST_ROOM = 1024  # rows of a log; more are made once it is known how many

R = TypeVar("R")


class Reservation(NamedTuple):
    """A promise in place of boxes: the job leaves the queue and starts in this box once it comes free."""

    box: Box


Allocation = Boxes | Reservation | None  # None: the job waits


def out_holder(mesh: Mesh, box: Box) -> int:
    """What holds a box that is held out, in place of a job: below -1, which stands for none."""
    return -2 - node_number(mesh, box.base)


def outcome_of(given: Allocation) -> AttemptOutcome:
    """The outcome that a strategy's answer stands for."""
    if given is None:
        return AttemptOutcome.WAITS
    return AttemptOutcome.RESERVED if isinstance(given, Reservation) else AttemptOutcome.PLACED


class Options(Part):
    """A strategy's options, with their limits: the scenario form is built from them. None by default."""

    @property
    def strictest(self) -> Self:
        """What they may amount to while a strategy learns: with them the fewest requests can be placed."""
        return self


_NO_RANKS: Final = np.empty(0, dtype=np.int64)


class BlockOptions(Options):
    """The options of strategies that give a job several blocks."""

    mapping: Literal["blocks", "row-major", "snake", "hilbert"] = Field(
        "blocks",
        description=tr(
            "in which order a job's processors are listed: block by block, or all as an order of the mesh "
            "has them"
        ),
    )

    def ranks(self, mesh: Mesh) -> Ints:
        """The place of each processor in the order of the mesh; empty where blocks are listed one by one."""
        return _NO_RANKS if self.mapping == "blocks" else ranks_in(self.mapping, mesh)


class Source(NamedTuple):
    """The publication of a strategy."""

    paper: str  # a number of catalogue/sources.py, or any name
    place: str  # in it; empty for the whole


class Bound(NamedTuple):
    """How a paper says the work grows: in words, and as powers of n processors, m busy boxes and log n."""

    words: str
    n: float = 0.0
    m: float = 0.0
    log: float = 0.0

    def at(self, processors: float, boxes: float) -> float:
        """The value of the bound, up to its constant factor."""
        log = log2(max(processors, 2.0))
        return float(processors**self.n * max(boxes, 1.0) ** self.m * log**self.log)


class Complexity(NamedTuple):
    """The work of one allocation and one release, as a paper states it."""

    allocation: Bound
    release: Bound
    source: str


class AttemptTrace(NamedTuple):
    """One allocation attempt, stepped: the request, the state before it, the steps, and the outcome."""

    request: Request
    before: State
    steps: Steps
    outcome: Allocation

    @property
    def job(self) -> int:
        """The job that asks."""
        return self.request.job

    @property
    def boxes(self) -> Boxes | None:
        """The boxes the job got at once."""
        return None if isinstance(self.outcome, Reservation) else self.outcome

    def moment(self, steps: int) -> Moment:
        """The moment after this many steps."""
        return Moment(self.before, self.request, self.steps[:steps])


class ReleaseTrace(NamedTuple):
    """One release, stepped: the job that leaves, the state before, and the steps."""

    job: int
    before: State
    steps: Steps

    def moment(self, steps: int) -> Moment:
        """The moment after this many steps."""
        return Moment(self.before, steps=self.steps[:steps], leaving=self.job)


@lru_cache(maxsize=4096)
def _turns(size: Size, mesh: Mesh, turning: bool) -> tuple[Size, ...]:
    """The orientations that fit; cached, as every attempt needs them and few sizes differ."""
    return tuple(filter(mesh.fits, orientations(size, mesh.dims) if turning else (size,)))


@lru_cache(maxsize=64)
def _refusals(strategy: type[Strategy], mesh: Mesh, options: str) -> dict[Size, str | None]:
    """What is known of refusals: that depends on nothing else, and a sweep makes a machine for each run."""
    del strategy, mesh, options
    return {}


class Strategy(ABC):
    """One allocation strategy at work on one mesh."""

    id: ClassVar[str]
    title: ClassVar[str]
    dims: ClassVar[frozenset[int]]
    rotates: ClassVar[bool]  # whether it turns requests; `turning` says more where an option decides it
    contiguous: ClassVar[bool]
    source: ClassVar[Source]
    lines: ClassVar[tuple[Line, ...]]
    # What it does when a job leaves, where that is more than marking processors free: the lines that
    # `release` logs, counted from 0 again.
    release_lines: ClassVar[tuple[Line, ...]] = ()
    options_model: ClassVar[type[Options]] = Options
    complexity: ClassVar[Complexity | None] = None  # where a paper states it
    learns: ClassVar[frozenset[str]] = frozenset()  # the arrays of its state that outlast the jobs
    # Whether a size that failed fails again until something is released, also after other jobs were placed.
    # Not so where what is placed changes the places tried, or where a failure is remembered.
    fails_until_release: ClassVar[bool] = False
    # Whether, where a job gets several boxes, the number of processors alone decides whether it fits.
    any_shape: ClassVar[bool] = False
    # Whether the sides of a request matter; else its number of processors alone decides which it gets.
    needs_box: ClassVar[bool] = True
    aligned: ClassVar[bool] = False  # whether boxes have fewer bases than the mesh has processors
    # Whether switches join the boxes of a job, wherever they lie, to one block; a network cannot model those.
    switched: ClassVar[bool] = False
    draws_lots: ClassVar[bool] = False  # whether what it does depends on the seed of the request
    # Whether `inspect` shows lists or trees that outlast an attempt: exercises ask what they look like.
    keeps_lists: ClassVar[bool] = False
    help: ClassVar[str] = ""  # a page in Markdown; the project's own have one in resources/help

    operations: int = 0  # nodes or boxes examined since the strategy was made
    took: int | None = None  # nanoseconds of the latest call, where the strategy measures them itself
    # How often parts of the latest job were searched for, after the whole: 000's b, where it is counted.
    part_attempts: int | None = None

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        self.mesh = mesh
        self.options = options if options is not None else self.options_model()
        if (fault := self.unfit(mesh, self.options)) is not None:
            raise ValueError(fault)

    @cached_property
    def _refusals(self) -> dict[Size, str | None]:
        return _refusals(type(self), self.mesh, self.options.model_dump_json())

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        """Why the strategy cannot work on the mesh with these options, or None when it can."""
        del options
        if mesh.dims in cls.dims:
            return None
        said = tr("{cls} works on {dims_in_words} meshes, but this one is {mesh}")
        return said.format(cls=cls.id, dims_in_words=cls.dims_in_words(), mesh=mesh.describe())

    @classmethod
    def remarks(cls, options: Options) -> tuple[str, ...]:
        """What the author of a scenario with these options may not expect though nothing is wrong."""
        del options
        return ()

    @classmethod
    def reserves(cls, options: Options) -> bool:
        """Whether, with these options, it may promise a box in place of giving one."""
        del options
        return False

    @classmethod
    def crosses_seams(cls, options: Options, mesh: Mesh) -> bool:
        """Whether it gives a job one box that may lie across the seams of rings, as its plain parts."""
        del options, mesh
        return False

    @classmethod
    def turning(cls, options: Options) -> bool:
        """Whether, with these options, it turns requests."""
        del options
        return cls.rotates

    @classmethod
    def search_steps(cls, sizes: NDArray[np.integer[Any]], mesh: Mesh) -> float:
        """The steps, of some ten nanoseconds, that it takes at most to place jobs of these sizes once each.

        0 where a search takes no time that one should be told of before a run.
        """
        del sizes, mesh
        return 0.0

    @classmethod
    def dims_in_words(cls) -> str:
        """2D, 3D, or 2D and 3D."""
        return tr(" and ").join(f"{n}D" for n in sorted(cls.dims))

    @abstractmethod
    def allocate(self, request: Request, log: StepLog | None = None) -> Allocation:
        """Give the job its boxes and remember them, or return None and leave the state as it was.

        A strategy that plans ahead may promise a box instead. The job then comes again when it is `due`.
        """

    @abstractmethod
    def release(self, job: int, log: StepLog | None = None) -> None:
        """Take back all the job holds. There is a log only where the strategy has `release_lines`."""

    @abstractmethod
    def capture(self) -> State:
        """A copy of the whole state."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Go back to a captured state."""

    def due(self) -> tuple[int, ...]:
        """Jobs whose reserved box is free now; each asks again at once, and must get its boxes."""
        return ()

    def inspect(self, moment: Moment) -> Inspection:
        """The strategy's structures at a moment, for the inspectors; by default only the marks of a step."""
        return Inspection((), moment.marks, self.say(moment))

    def inspect_release(self, moment: Moment) -> Inspection:
        """The structures as the steps of a release have left them; what the last step is about is current."""
        seen = self.inspect(Moment(self.released(moment)))
        about = {mark.box for mark in moment.marks if mark.box.volume}
        panels = tuple(_pointed_out(panel, about) for panel in seen.panels)
        return replace(seen, panels=panels, marks=moment.marks, says=self.say(moment))

    def released(self, moment: Moment) -> State:
        """The state that the steps of a release have led to; after all of them, the one release leads to."""
        return moment.state

    def replay(self, request: Request, boxes: Boxes) -> None:
        """Repeat an allocation whose outcome is known; override it where that needs no search."""
        given = self.allocate(request)
        if given is None or [tuple(box) for box in given] != [tuple(box) for box in boxes]:
            raise RuntimeError(f"{self.id} gave job {request.job} other boxes when asked again")

    @classmethod
    def can_hold_out(cls) -> bool:
        """Whether processors that are down can be taken out of its state."""
        return False

    def out_boxes(self, box: Box) -> Boxes:
        """What it holds out while the processors of a box are down, each box by itself.

        Boxes of what it never gives in parts, as pages, may be larger, and come of several boxes.
        """
        return (box,)

    def hold_out(self, box: Box) -> None:
        """Take one of the `out_boxes`, which is free, out of what it gives to jobs."""
        raise NotImplementedError

    def let_in(self, box: Box) -> None:
        """Give a box that is held out to jobs again."""
        self.release(out_holder(self.mesh, box))

    def turns(self, size: Size) -> tuple[Size, ...]:
        """The orientations to try that the empty mesh could hold."""
        return _turns(size, self.mesh, self.turning(self.options))

    def granted(self, size: Size) -> int:
        """The processors that a request holds: those it asks for, and any internal fragmentation."""
        return prod(size)

    def refusal(self, size: Size) -> str | None:
        """Why a request could not be satisfied even on an empty mesh, or None when it could."""
        if size not in self._refusals:
            self._refusals[size] = self._refusal(size)
        return self._refusals[size]

    def _refusal(self, size: Size) -> str | None:
        if self.contiguous:
            if self.turns(size):
                return None
            several = self.turning(self.options) and len(orientations(size, self.mesh.dims)) > 1
            turned = tr(", however turned") if several else ""
        else:
            empty = type(self)(self.mesh, self.options)
            enough = prod(size) <= self.mesh.processors
            if enough and (self.any_shape or empty.allocate(Request(0, size)) is not None):
                return None
            turned = ""
        asked = describe_size(size, self.mesh.dims)
        said = tr("{asked} does not fit into the empty {mesh} mesh{turned}")
        return said.format(asked=asked, mesh=self.mesh.describe(), turned=turned)

    def nodes(self, boxes: Boxes) -> Ints:
        """A job's processors by their numbers, x fastest, in the order in which its processes take them.

        Block by block, row-major inside each, unless the option `mapping` asks for an order over the job;
        a block across seams from its base on, as if the mesh continued there.
        """
        numbers = np.fromiter(chain.from_iterable(boxes), dtype=np.int64, count=6 * len(boxes))
        rows = numbers.reshape(-1, 6)
        if self.crosses_seams(self.options, self.mesh):
            return list_joined(rows, self.mesh.extents)
        nodes = cells(rows, self.mesh)
        ranks = mapping_ranks(self)
        return nodes[np.argsort(ranks[nodes])] if len(ranks) else nodes

    def say(self, moment: Moment) -> str:
        """One sentence for the step the moment stands at, or an empty one."""
        step = moment.step
        if step is None:
            return ""
        if moment.leaving is not None:
            return compose(said_again(self.release_lines[step.line].says), self.release_words(step, moment))
        return compose(said_again(self.lines[step.line].says), self.words(step, moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """The values for the placeholders of a line's sentence; a strategy adds its own."""
        mark = step.marks[0]
        n, k, i = mark.values
        flat = self.mesh.dims == 2
        size = describe_size(mark.box.size, self.mesh.dims)
        asked = moment.request is not None and moment.request.size == mark.box.size
        return {
            "box": self.mesh.describe_box(mark.box),
            "base": mark.box.corner(flat=flat),
            "size": size,
            "way": tr("as asked") if asked else tr("turned to {size}").format(size=size),
            "n": n,
            "k": k,
            "i": i,
            "asked": counted(k, "processor"),
            "few": few(n),
        }

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        """The values for the placeholders of a line of `release_lines`; a strategy adds its own."""
        return Strategy.words(self, step, moment) | {"job": job_name(moment.leaving or 0)}

    def trace(self, request: Request) -> AttemptTrace:
        """Allocate with the log on, giving it as much room as it needs; the attempt takes effect."""
        before, steps, outcome = self._logged(lambda log: self.allocate(request, log))
        return AttemptTrace(request, before, steps, outcome)

    def trace_release(self, job: int) -> ReleaseTrace:
        """Release with the log on; the release takes effect."""
        before, steps, _ = self._logged(lambda log: self.release(job, log))
        return ReleaseTrace(job, before, steps)

    def _logged(self, act: Callable[[StepLog], R]) -> tuple[State, Steps, R]:
        """The state before an act, its steps, with as much room as they need, and what it answers."""
        before = self.capture()
        operations = self.operations
        log = StepLog(_FIRST_ROOM)
        with telling(lambda: Progress(words=_looked_at(log))):
            answer = act(log)
            if log.overflowed:
                self.restore(before)
                self.operations = operations
                log = StepLog(log.count)
                answer = act(log)
        return before, log.steps(), answer


def _looked_at(log: StepLog) -> str:
    """How far a search is: how many boxes it has looked at, and of how many, once all were counted."""
    room = len(log.rows) - 1
    if room <= _FIRST_ROOM:
        return count_of(log.count, "box", apart=True)
    return tr("{share} of {boxes}").format(
        share=percent(log.count / room, ".0f"), boxes=count_of(room, "box", apart=True)
    )


def _pointed_out(panel: Panel, about: AbstractSet[Box]) -> Panel:
    """A table or a tree with the rows or nodes of these boxes as the current ones."""
    if isinstance(panel, Table):
        rows = (replace(row, current=row.mark is not None and row.mark.box in about) for row in panel.rows)
        return replace(panel, rows=tuple(rows))
    if isinstance(panel, Tree):
        nodes = (replace(n, current=n.mark is not None and n.mark.box in about) for n in panel.nodes)
        return replace(panel, nodes=tuple(nodes))
    return panel


def mapping_ranks(strategy: Strategy) -> Ints:
    """The order of the mesh in which a strategy lists the processors of a job; empty where it has none."""
    options = strategy.options
    return options.ranks(strategy.mesh) if isinstance(options, BlockOptions) else _NO_RANKS
