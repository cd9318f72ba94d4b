"""What authors of strategies, queue disciplines and patterns of communication need, in one place.

A package adds a class by an entry point: a `Strategy` in the group `meshgui.allocators`, a `Discipline` in
`meshgui.disciplines`, a `Pattern` in `meshgui.patterns`. The names here are stable; those of other modules
may change.
"""

from __future__ import annotations

from meshgui.engine.allocation.base import (
    Allocation,
    AttemptTrace,
    BlockOptions,
    Bound,
    Boxes,
    Complexity,
    Line,
    Options,
    ReleaseTrace,
    Reservation,
    Source,
    Strategy,
)
from meshgui.engine.allocation.inspection import (
    Chart,
    ChartMarker,
    Curve,
    Grid,
    GridValue,
    Heat,
    Inspection,
    JobCell,
    Moment,
    NodeKind,
    Polyline,
    Request,
    State,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.occupancy import FREE, OccupancyStrategy
from meshgui.engine.allocation.search_strategy import SearchResult, SearchStrategy
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, StepLog, Steps, note
from meshgui.engine.basics.geometry import Box, Mesh, Size, cells, orientations, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.parts import Field, Flag, NotNegative, Positive
from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions, Plan, QueueView
from meshgui.engine.workload.job_stream import JobStream

__all__ = [
    "FREE",
    "SAME_STEP",
    "Allocation",
    "AttemptTrace",
    "BlockOptions",
    "Bound",
    "Box",
    "Boxes",
    "Chart",
    "ChartMarker",
    "Complexity",
    "Curve",
    "Discipline",
    "DisciplineOptions",
    "Field",
    "Flag",
    "Grid",
    "GridValue",
    "Heat",
    "Inspection",
    "JobCell",
    "JobStream",
    "Line",
    "Mark",
    "Mesh",
    "Moment",
    "NodeKind",
    "NotNegative",
    "OccupancyStrategy",
    "Options",
    "Pattern",
    "Plan",
    "Polyline",
    "Positive",
    "Processes",
    "QueueView",
    "RandomNumbers",
    "ReleaseTrace",
    "Request",
    "Reservation",
    "Role",
    "SearchResult",
    "SearchStrategy",
    "Size",
    "Source",
    "Stage",
    "State",
    "Step",
    "StepLog",
    "Steps",
    "Strategy",
    "Table",
    "TableRow",
    "Tree",
    "TreeNode",
    "cells",
    "kernel",
    "note",
    "orientations",
    "region",
]
