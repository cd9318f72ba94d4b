"""What authors of strategies, queue disciplines and patterns of communication need, in one place.

A package adds a class by an entry point: a `Strategy` or a `KernelStrategy` in the group
`meshgui.allocators`, a `Discipline` in `meshgui.disciplines`, a `Pattern` in `meshgui.patterns`. The names
here are stable; those of other modules may change.
"""

from __future__ import annotations

from warnings import warn as _warn

from pydantic import Field

from meshgui.engine.allocation import occupancy as _occupancy
from meshgui.engine.allocation.base import (
    Allocation,
    AttemptTrace,
    BlockOptions,
    Bound,
    Boxes,
    Complexity,
    Options,
    ReleaseTrace,
    Reservation,
    Source,
    Strategy,
)
from meshgui.engine.allocation.held_processors import (
    FREE,
    HeldProcessorsStrategy,
    Processors,
    no_jobs,
    release,
    take,
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
from meshgui.engine.allocation.kernel_strategy import (
    ATTEMPTS,
    OPERATIONS,
    RESERVED,
    STOPPED,
    WAITS,
    KernelRequest,
    KernelStrategy,
    StrategyKernels,
    new_tally,
    orders_of,
    turned,
)
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, StepLog, Steps, note
from meshgui.engine.basics.geometry import Box, Mesh, Size, cells, orientations, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.parts import Flag, NotNegative, Positive
from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions, Plan, QueueView
from meshgui.engine.workload.job_stream import JobStream

__all__ = [
    "ATTEMPTS",
    "FREE",
    "OPERATIONS",
    "RESERVED",
    "SAME_STEP",
    "STOPPED",
    "WAITS",
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
    "HeldProcessorsStrategy",
    "Inspection",
    "JobCell",
    "JobStream",
    "KernelRequest",
    "KernelStrategy",
    "Line",
    "Mark",
    "Mesh",
    "Moment",
    "NodeKind",
    "NotNegative",
    "Options",
    "Pattern",
    "Plan",
    "Polyline",
    "Positive",
    "Processes",
    "Processors",
    "QueueView",
    "RandomNumbers",
    "ReleaseTrace",
    "Request",
    "Reservation",
    "Role",
    "Serving",
    "Size",
    "Source",
    "Stage",
    "State",
    "Step",
    "StepLog",
    "Steps",
    "Strategy",
    "StrategyKernels",
    "Table",
    "TableRow",
    "Tree",
    "TreeNode",
    "cells",
    "kernel",
    "new_tally",
    "no_jobs",
    "note",
    "orders_of",
    "orientations",
    "region",
    "release",
    "take",
    "turned",
]

_OF_PLAIN_ONES = "derive from Strategy or KernelStrategy"  # untranslated: of a warning to authors
_DEPRECATED = {
    "Asked": "it is KernelRequest",  # untranslated: as above
    "OccupancyStrategy": _OF_PLAIN_ONES,
    "SearchResult": _OF_PLAIN_ONES,
    "SearchStrategy": _OF_PLAIN_ONES,
}


def __getattr__(name: str) -> object:
    """A name that is deprecated here."""
    if name not in _DEPRECATED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")  # untranslated: as Python's
    said = f"{__name__}.{name} is deprecated: {_DEPRECATED[name]}"  # untranslated: for authors
    _warn(said, DeprecationWarning, stacklevel=2)
    return KernelRequest if name == "Asked" else getattr(_occupancy, name)
