"""What an inspector shows, as data: tables and grids that generic Qt views draw."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.steps import Mark, Role, Steps
from meshgui.engine.geometry import Size

__all__ = ["Entry", "Grid", "GridValue", "Inspection", "Moment", "Panel", "Request", "Row", "State", "Table"]

State = dict[str, NDArray[np.int32]]


@dataclass(frozen=True, slots=True)
class Request:
    """A job asking for processors."""

    job: int
    size: Size
    now: float = 0.0
    service: float = 0.0  # as stated by the job, for strategies that plan ahead


@dataclass(frozen=True)
class Moment:
    """Where we look: a strategy's state, and how far it has come with a request, if it is working on one."""

    state: State
    request: Request | None = None
    steps: Steps = field(default_factory=lambda: Steps(np.zeros((0, 11), dtype=np.int32)))


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of a table that stands for a job: views give it the job's colour."""

    text: str
    job: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; selecting it shows its mark in the mesh."""

    cells: tuple[str | Entry, ...]
    mark: Mark | None = None
    current: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A list the strategy keeps."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    empty: str  # what an empty table says


@dataclass(frozen=True, slots=True)
class GridValue:
    """What a number in a grid means, and the role whose colour it takes."""

    value: int
    label: str
    role: Role


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A number per processor, `[z, y, x]`."""

    title: str
    values: NDArray[np.int32]
    legend: tuple[GridValue, ...]


Panel = Table | Grid


@dataclass(frozen=True, slots=True)
class Inspection:
    """The strategy at a moment: its structures, what to draw over the mesh, and one sentence."""

    panels: tuple[Panel, ...]
    marks: tuple[Mark, ...]
    says: str
