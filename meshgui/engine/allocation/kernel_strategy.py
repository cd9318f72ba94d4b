"""The base of strategies whose whole work is kernels: a state in arrays, and functions on it.

The same kernels serve everyone: `allocate` calls them one request at a time, with a log or without, and the
event loop (engine/runs/event_loop.py) calls them without going through Python. A state is a NamedTuple
of arrays, whole numbers and such tuples, its first field the tally. Kernels have these signatures:

    search(state, request, boxes_out, log) -> count   look for boxes, changing nothing but the tally
    take(state, job, boxes, count)                    hold boxes that are known to be free
    release(state, job, log)                          take back all that a job holds

`boxes_out` has room for the boxes of any job, `[most, 6]`; the count is 0 where the job must wait. A strategy
whose search changes its state as it goes has `allocate` in place of `search` and `take`; one that reserves
boxes answers RESERVED with the box in `boxes_out`, and adds `due(state, jobs_out) -> count`, the jobs whose
box is free. A release is logged where the strategy has `release_lines`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import (
    Allocation,
    Boxes,
    BoxRows,
    Options,
    Reservation,
    Strategy,
    out_holder,
)
from meshgui.engine.allocation.feedback import NO_FEEDBACK
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.clock import nanoseconds
from meshgui.engine.basics.compiled_work import run_interruptible
from meshgui.engine.basics.entry_points import (
    ROOM,
    STATE,
    EntryPoint,
    Handle,
    Room,
    arena,
    layout,
    leaves,
    opened,
)
from meshgui.engine.basics.geometry import Box, Mesh, orientations
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kernel import Kernel, kernel, with_parts
from meshgui.engine.basics.translation import tr

# What a search answers in place of a number of boxes.
WAITS: Final = 0
RESERVED: Final = -1

# The numbers of a tally.
OPERATIONS: Final = 0  # nodes or boxes examined since the strategy was made
NANOSECONDS: Final = 1  # the latest call took
ATTEMPTS: Final = 2  # searches for parts of the latest job: 000's b, where it is counted
_CLOCK: Final = 3  # two numbers for the clock to write
STOPPED: Final = 5  # not 0 once the answer is not wanted: a search that takes long gives up then

_BESIDE: Final = 1 << 14  # the most processors of a mesh on which no call takes a tenth of a second

R = TypeVar("R")


AnyState: TypeAlias = Any
"""The state of a strategy, of which a kernel that several share reads some parts."""


class KernelRequest(NamedTuple):
    """A request, as kernels see it."""

    job: int
    w: int
    d: int
    h: int
    now: float
    service: float
    seed: int


def new_tally() -> Ints:
    """The first field of every state."""
    return np.zeros(STOPPED + 1, dtype=np.int64)


# Requests turned


def orders_of(dims: int, turning: bool) -> Ints32:
    """The orders of a request's sides in which a strategy tries it: those of `orientations`."""
    every = orientations((0, 1, 2), dims) if turning else ((0, 1, 2),)
    return np.array(every, dtype=np.int32)


@kernel
def turned(w: int, d: int, h: int, orders: Ints32, extents: Ints32, turns: Ints32) -> int:
    """Write the distinct orientations that the empty mesh can hold into `turns`, in order: how many."""
    count = 0
    for t in range(orders.shape[0]):
        a = (w, d, h)[orders[t, 0]]
        b = (w, d, h)[orders[t, 1]]
        c = (w, d, h)[orders[t, 2]]
        new = a <= extents[0] and b <= extents[1] and c <= extents[2]
        for s in range(count):
            if turns[s, 0] == a and turns[s, 1] == b and turns[s, 2] == c:
                new = False
        if new:
            turns[count, 0], turns[count, 1], turns[count, 2] = a, b, c
            count += 1
    return count


# Templates: these names stand for the kernels of a strategy


@kernel
def _of_a_strategy(*arguments: Any) -> int:  # noqa: ANN401
    """A strategy's own, in this place."""
    raise NotImplementedError


search = take = release = due = _of_a_strategy


@kernel
def allocate(state: Any, request: KernelRequest, boxes_out: Ints32, log: Ints32 | None) -> int:  # noqa: ANN401
    """Search, and take the boxes found; or a strategy's own, in this place."""
    count = search(state, request, boxes_out, log)
    if 0 < count <= boxes_out.shape[0]:
        take(state, request.job, boxes_out, count)
    return count


@kernel
def enter_allocate(
    handle: Handle, job: int, w: int, d: int, h: int, now: float, service: float, seed: int, room: Handle
) -> int:
    """Allocate without a log; the tally has the time it took. The room is for the boxes given."""
    state, boxes_out = opened(handle, STATE), opened(room, ROOM)[0]
    begun = nanoseconds(state.tally[_CLOCK:])
    count = allocate(state, KernelRequest(job, w, d, h, now, service, seed), boxes_out, None)
    state.tally[NANOSECONDS] = nanoseconds(state.tally[_CLOCK:]) - begun
    return count


@kernel
def enter_release(handle: Handle, job: int) -> None:
    """Release; the tally has the time it took."""
    state = opened(handle, STATE)
    begun = nanoseconds(state.tally[_CLOCK:])
    release(state, job, None)
    state.tally[NANOSECONDS] = nanoseconds(state.tally[_CLOCK:]) - begun


@kernel
def enter_due(handle: Handle, room: Handle) -> int:
    """Write the jobs whose reserved boxes are free into the first column of the room: how many there are."""
    return due(opened(handle, STATE), opened(room, ROOM)[0])


@kernel
def enter_none_due(handle: Handle, room: Handle) -> int:  # noqa: ARG001
    """No job is due where nothing is reserved: one for all strategies of which that is so."""
    return 0


class StrategyKernels(NamedTuple):
    """The kernels of a strategy: search and take, or allocate, which does both."""

    release: Kernel[..., None]
    search: Kernel[..., int] | None = None
    take: Kernel[..., None] | None = None
    allocate: Kernel[..., int] | None = None
    due: Kernel[..., int] | None = None


class EntryPoints(NamedTuple):
    """What is called from outside; with a log, `logged` on the state itself."""

    allocate: EntryPoint
    release: EntryPoint
    due: EntryPoint
    logged: Kernel[..., int]


_known: dict[object, EntryPoints] = {}
# What compiled code calls: numbers alone, so that a Python function can take its place.
ALLOCATE: Final = (
    "int64(int64, int64, int64, int64, int64, float64, float64, int64, int64)"  # untranslated: types
)
RELEASE: Final = "void(int64, int64)"  # untranslated: types
DUE: Final = "int64(int64, int64)"  # untranslated: types


@cache
def _none_due() -> EntryPoint:
    return EntryPoint(enter_none_due, "", DUE, ())


def _entry_points(kernels: StrategyKernels, state: tuple[Any, ...]) -> EntryPoints:
    """The entry points for kernels on a state of this type."""
    kinds = tuple((part.dtype.str, part.ndim) for part in leaves(state) if isinstance(part, np.ndarray))
    key = (kernels, type(state), kinds)
    if key not in _known:
        parts = {name: part for name, part in kernels._asdict().items() if part is not None}
        named = kernels.allocate or kernels.search
        label = "" if named is None else f"{named.python.__module__.rpartition('.')[2]}.{named.__name__}"
        _known[key] = EntryPoints(
            EntryPoint(enter_allocate, label, ALLOCATE, state, **parts),
            EntryPoint(enter_release, label, RELEASE, state, **parts),
            EntryPoint(enter_due, label, DUE, state, **parts) if kernels.due else _none_due(),
            kernels.allocate or with_parts(allocate, label, **parts),
        )
    return _known[key]


def runs_by_kernels(cls: type[KernelStrategy]) -> bool:
    """Whether no subclass has put a method in place of what its kernels do."""
    methods = ("allocate", "release", "due", "nodes")
    return all(getattr(cls, name) is getattr(KernelStrategy, name) for name in methods)


class KernelStrategy(Strategy):
    """A strategy adds its kernels and its first state; and capture and restore, as inspectors read states."""

    kernels: ClassVar[StrategyKernels]
    sees_size_alone: ClassVar[bool] = True  # whether what it can place depends on no time and on no job

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.boxes_out = Room(self.most_boxes)

    # The state is made when it is needed, as one that only inspects others' states needs none of its own.

    @cached_property
    def _arena(self) -> tuple[NDArray[np.uint8], Any]:
        return arena(self.empty_state())

    @cached_property
    def memory(self) -> NDArray[np.uint8]:
        """The memory in which the arrays of the state lie."""
        return self._arena[0]

    @cached_property
    def state(self) -> Any:  # noqa: ANN401 - see empty_state
        """The state, as its kernels see it."""
        return self._arena[1]

    @cached_property
    def _tally(self) -> memoryview:
        return memoryview(self.state.tally)  # which gives whole numbers of Python's, and at once

    @abstractmethod
    def empty_state(self) -> Any:  # noqa: ANN401 - a NamedTuple of the strategy's own
        """The state on an empty machine: a NamedTuple that begins with `new_tally()`."""

    @property
    def feedback(self) -> Floats:
        """Where a run reports what it knows of a job that leaves; empty if nothing learns from it."""
        return NO_FEEDBACK

    @property
    def most_boxes(self) -> int:
        """The most boxes that one job can get."""
        if self.crosses_seams(self.options, self.mesh):
            return 1 << sum(self.mesh.rings)
        return 1 if self.contiguous else self.mesh.processors

    @cached_property
    def entry_points(self) -> EntryPoints:
        """The strategy's functions for compiled code."""
        return _entry_points(type(self).kernels, self.state)

    @cached_property
    def jobs_due(self) -> Room:
        """Room for the jobs whose reserved boxes are free, in the first column."""
        return Room(self.mesh.processors)

    @cached_property
    def _layout(self) -> tuple[Handle, object]:
        return layout(self.state)

    @cached_property
    def handle(self) -> Handle:
        """The handle of its state."""
        return self._layout[0]

    @property
    def operations(self) -> int:  # Strategy has a variable here
        """Nodes or boxes examined so far."""
        return self._tally[OPERATIONS]

    @operations.setter
    def operations(self, count: int) -> None:
        self._tally[OPERATIONS] = count

    @property
    def took(self) -> int:  # type: ignore[override]
        """Nanoseconds of the latest call."""
        return self._tally[NANOSECONDS]

    @property
    def clock_read(self) -> bytes:
        """What its calls last read from the clock, when one began or ended: the same until it ends."""
        return self._tally[_CLOCK:STOPPED].tobytes()

    @classmethod
    def is_kernels_alone(cls) -> bool:
        """Whether its kernels may be called in place of its methods: no subclass has put its own there."""
        return runs_by_kernels(cls)

    def allocate(self, request: Request, log: StepLog | None = None) -> Allocation:
        rows = self.allocate_rows(request, log)
        return tuple(map(Box._make, rows.tolist())) if isinstance(rows, np.ndarray) else rows

    def allocate_rows(self, request: Request, log: StepLog | None = None) -> BoxRows | Reservation | None:
        """Allocate, with the boxes as rows of base and size: a job can get hundreds of them."""
        boxes_out = self.boxes_out.rows
        job, (w, d, h), now, service, seed = request
        if log is None:
            count = self._call(
                self.entry_points.allocate, job, w, d, h, now, service, seed, self.boxes_out.handle
            )
        else:
            kernel_request = KernelRequest(job, w, d, h, now, service, seed)
            count = self.run_interruptible(
                partial(self.entry_points.logged, self.state, kernel_request, boxes_out, log.rows)
            )
        if count < RESERVED or count > len(boxes_out):
            said = tr("{id} gave job {job} {count} boxes: expected at most {most}")
            raise StrategyError(said.format(id=self.id, job=job, count=count, most=len(boxes_out)))
        if count == WAITS:
            return None
        if count == RESERVED:
            return Reservation(Box._make(boxes_out[0].tolist()))
        return boxes_out[:count].astype(np.int64)

    def release(self, job: int, log: StepLog | None = None) -> None:
        if log is None:
            self._call(self.entry_points.release, job)
        else:
            self.run_interruptible(partial(self.kernels.release, self.state, job, log.rows))

    def due(self) -> tuple[int, ...]:
        if self.kernels.due is None:
            return ()
        count = self._call(self.entry_points.due, self.jobs_due.handle)
        return tuple(self.jobs_due.rows[:count, 0].tolist())

    @property
    def may_take_long(self) -> bool:
        """Whether a call on this mesh may take a tenth of a second."""
        return self.mesh.processors > _BESIDE

    def run_interruptible(self, work: Callable[[], R]) -> R:
        """The result of calls of its kernels, made so that they can be stopped where they may take long."""
        return self.watched(work, self.stop) if self.may_take_long else work()

    def watched(
        self,
        work: Callable[[], R],
        stop: Callable[[], object],
        planning: KernelStrategy | None = None,  # noqa: ARG002 - for third parties'
    ) -> R:
        """The result of compiled work that calls its kernels, or the planning one's, with looks meanwhile."""
        return run_interruptible(work, stop)

    def stop(self) -> None:
        """Have a search that takes long give up: its answer is not wanted, nor is this machine used again."""
        self._tally[STOPPED] = 1

    def _call(self, point: EntryPoint, *arguments: object) -> Any:  # noqa: ANN401 - what the kernel answers
        return self.run_interruptible(partial(point.call, self.handle, *arguments))

    @classmethod
    def can_hold_out(cls) -> bool:
        return cls.kernels.take is not None

    def hold_out(self, box: Box) -> None:
        take = self.kernels.take
        if take is None:
            super().hold_out(box)
            return
        take(self.state, out_holder(self.mesh, box), np.array([box], dtype=np.int32), 1)

    def let_in(self, box: Box) -> None:
        self.entry_points.release.call(self.handle, out_holder(self.mesh, box))

    def replay(self, request: Request, boxes: Boxes) -> None:
        """Only the taking, where that is a kernel of its own."""
        take = self.kernels.take
        if take is None:
            super().replay(request, boxes)
            return
        rows = np.array(boxes, dtype=np.int32).reshape(-1, 6)
        take(self.state, request.job, rows, len(rows))
