"""What an inspector shows, as data: tables, grids, trees and charts that generic Qt views draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.steps import Mark, Role, Step, Steps, mark_faults
from meshgui.engine.basics.arrays import Floats, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Size
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import (
    NOTHING,
    NUMBER,
    NUMBERS,
    OPTIONAL_WHOLE,
    TEXT,
    TRUTH,
    WHOLE,
    WHOLES,
    all_of,
    either,
    kind_of,
    parts_of,
    three_of,
)

State = dict[str, NDArray[Any]]
Polyline = NDArray[np.float32]  # [n, 3]: processors one after another; the line goes through their middles


class Request(NamedTuple):
    """A job asking for processors."""

    job: int
    size: Size
    now: float = 0.0
    service: float = 0.0  # as stated by the job, for strategies that plan ahead
    seed: int = 0  # the run's: what a strategy draws at random comes from this and the job's number alone


@dataclass(frozen=True)
class Moment:
    """A moment of a run: a strategy's state, and its steps so far in an attempt or in a release."""

    state: State
    request: Request | None = None
    steps: Steps = field(default_factory=lambda: Steps(np.zeros((0, 11), dtype=np.int32)))
    leaving: int | None = None  # the job whose release is stepped

    @property
    def step(self) -> Step | None:
        """The step we stand at; none before the first."""
        return self.steps[-1] if len(self.steps) else None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of that step."""
        return self.step.marks if self.step is not None else ()


@dataclass(frozen=True, slots=True)
class JobCell:
    """A cell of a table that stands for a job: views give it the job's colour."""

    text: str
    job: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table; selecting it shows its mark in the mesh."""

    cells: tuple[str | JobCell | None, ...]  # None: not known yet
    mark: Mark | None = None
    current: bool = False


class LongRows(Sequence[TableRow]):
    """The rows of a long table, each made when it is looked at.

    `current` is the row that the step is about, and `widest` has those with the longest texts.
    """

    def __init__(
        self, count: int, make: Callable[[int], TableRow], current: int | None, widest: Iterable[int]
    ) -> None:
        self._count, self._make = count, make
        self.current, self.widest = current, tuple(widest)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> TableRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TableRow, ...]: ...
    def __getitem__(self, index: int | slice) -> TableRow | tuple[TableRow, ...]:
        if isinstance(index, slice):
            return tuple(map(self._make, range(self._count)[index]))
        return self._make(range(self._count)[index])


@dataclass(frozen=True, slots=True)
class Table:
    """A list the strategy keeps."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...] | LongRows
    empty: str  # what an empty table says
    jobs: tuple[str, ...] = ()  # the columns of JobCells: views keep room for the job's colour

    @property
    def current(self) -> int | None:
        """The row that the step is about."""
        if isinstance(self.rows, LongRows):
            return self.rows.current
        return next((number for number, row in enumerate(self.rows) if row.current), None)

    @property
    def widest(self) -> Sequence[int]:
        """Rows among which are those with the longest texts."""
        return self.rows.widest if isinstance(self.rows, LongRows) else range(len(self.rows))

    def faults(self, _mesh: Mesh) -> Iterator[str]:
        """A row of another width than the head, or with a box that is not valid."""
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                yield tr("a row of {wide} cells below {columns} columns").format(
                    wide=len(row.cells), columns=len(self.columns)
                )
        yield from mark_faults(row.mark for row in self.rows)


@dataclass(frozen=True, slots=True)
class GridValue:
    """The meaning of a number in a grid, and the role whose colour it takes."""

    value: int
    label: str
    role: Role


@dataclass(frozen=True, slots=True)
class Heat:
    """The numbers of a grid that are an amount, from `low` to `high`; others take the legend's colours."""

    label: str  # what is measured, e.g. busy neighbours
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A number per processor, `[z, y, x]`; perhaps a heat map, perhaps with a curve drawn through it."""

    title: str
    values: Ints32
    legend: tuple[GridValue, ...]
    heat: Heat | None = None
    path: Polyline | None = None

    def faults(self, mesh: Mesh) -> Iterator[str]:
        """Numbers or a path of another shape than the mesh asks for."""
        shape = mesh.extents[::-1]
        if self.values.shape != shape:
            yield tr("numbers of shape {shape}: expected {other}, [z, y, x]").format(
                shape=self.values.shape, other=shape
            )
        yield from path_faults(self.path)


class NodeKind(IntEnum):
    """The kind of a tree's node; every tree draws a kind the same way."""

    FREE = 0  # white
    BUSY = 1  # black
    INTERNAL = 2  # grey
    OPEN = 3  # still to be tried
    PLACED = 4  # found now
    FAILED = 5  # tried without success, or given back


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree; it keeps its key from step to step."""

    key: int
    parent: int | None  # the key of the node above, which stands earlier in the tree
    kind: NodeKind
    label: str
    above: str = ""  # a number that stands over the node, such as the time when it comes free
    reserved: bool = False  # hatched
    job: int | None = None
    mark: Mark | None = None  # its box in the mesh
    current: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree or several, parents before children, siblings from left to right.

    Within an attempt nodes are only ever added: the tree of the last step holds those of all earlier ones,
    so that a view can lay it out once.
    """

    title: str
    nodes: tuple[TreeNode, ...]
    empty: str  # what a tree without nodes says

    @property
    def current(self) -> int | None:
        """The place of the node that the step is about."""
        return next((place for place, node in enumerate(self.nodes) if node.current), None)

    def faults(self, _mesh: Mesh) -> Iterator[str]:
        """A node twice, or before the one above it, or with a box that is not valid."""
        seen: set[int] = set()
        for node in self.nodes:
            if node.key in seen or (node.parent is not None and node.parent not in seen):
                yield tr("the node {key} twice, or before the node above it").format(key=node.key)
            seen.add(node.key)
        yield from mark_faults(node.mark for node in self.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A line of a chart."""

    label: str
    x: Floats
    y: Floats
    steps: bool = False  # holds its value until the next point
    current: bool = False


@dataclass(frozen=True, slots=True)
class ChartMarker:
    """A value pointed out on a chart's x axis."""

    label: str
    x: float


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Curves over a common axis."""

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    signs: tuple[ChartMarker, ...] = ()
    empty: str = ""  # what a chart without curves says

    def faults(self, _mesh: Mesh) -> Iterator[str]:
        """A curve with fewer numbers along one axis than along the other."""
        for x, y in ((curve.x, curve.y) for curve in self.curves):
            if x.ndim != 1 or x.shape != y.shape:
                yield tr("a curve of {shape} by {other} numbers").format(shape=x.shape, other=y.shape)


Panel = Table | Grid | Tree | Chart
"""The kinds of data that an inspector shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    """The strategy at a moment: its structures, what to draw over the mesh, and one sentence."""

    panels: tuple[Panel, ...]
    marks: tuple[Mark, ...]
    says: str
    path: Polyline | None = None  # a curve through the mesh, such as the order of pages
    heat: Grid | None = None  # the grid whose heat the mesh's free processors show


def path_faults(path: Polyline | None) -> Iterator[str]:
    """What is wrong with a curve through the mesh."""
    if path is not None and path.shape[1:] != (3,):
        yield tr("a path of shape {shape}: expected [n, 3]").format(shape=path.shape)


# The types of fields that a strategy of others gives; what else can be wrong with a kind, its `faults` say.

_TEXTS: Final = all_of(tuple, TEXT)
_PATH: Final = either(NUMBERS, NOTHING)
SIZE: Final = three_of(WHOLE)
_ROLE: Final = kind_of(Role)
BOX: Final = parts_of(Box, **dict.fromkeys(Box._fields, WHOLE))
_MARK: Final = parts_of(Mark, role=_ROLE, box=BOX, values=SIZE)
_MARKED: Final = either(_MARK, NOTHING)
_CELL: Final = either(TEXT, parts_of(JobCell, text=TEXT, job=OPTIONAL_WHOLE), NOTHING)
_ROW: Final = parts_of(TableRow, cells=all_of(tuple, _CELL), mark=_MARKED, current=TRUTH)
_ROWS: Final = either(all_of(tuple, _ROW), kind_of(LongRows))
_TABLE: Final = parts_of(Table, title=TEXT, columns=_TEXTS, rows=_ROWS, empty=TEXT, jobs=_TEXTS)
_LEGEND: Final = all_of(tuple, parts_of(GridValue, value=WHOLE, label=TEXT, role=_ROLE))
_HEAT: Final = either(parts_of(Heat, label=TEXT, low=WHOLE, high=WHOLE), NOTHING)
_GRID: Final = parts_of(Grid, title=TEXT, values=WHOLES, legend=_LEGEND, heat=_HEAT, path=_PATH)
_NODE: Final = parts_of(
    TreeNode,
    key=WHOLE,
    parent=OPTIONAL_WHOLE,
    kind=kind_of(NodeKind),
    label=TEXT,
    above=TEXT,
    reserved=TRUTH,
    job=OPTIONAL_WHOLE,
    mark=_MARKED,
    current=TRUTH,
)
_TREE: Final = parts_of(Tree, title=TEXT, nodes=all_of(tuple, _NODE), empty=TEXT)
_CURVES: Final = all_of(tuple, parts_of(Curve, label=TEXT, x=NUMBERS, y=NUMBERS, steps=TRUTH, current=TRUTH))
_SIGNS: Final = all_of(tuple, parts_of(ChartMarker, label=TEXT, x=NUMBER))
_CHART: Final = parts_of(
    Chart, title=TEXT, x_label=TEXT, y_label=TEXT, curves=_CURVES, signs=_SIGNS, empty=TEXT
)
_PANELS: Final = all_of(tuple, either(_TABLE, _GRID, _TREE, _CHART))
_HEAT_MAP: Final = either(_GRID, NOTHING)
INSPECTION: Final = parts_of(
    Inspection, panels=_PANELS, marks=all_of(tuple, _MARK), says=TEXT, path=_PATH, heat=_HEAT_MAP
)
