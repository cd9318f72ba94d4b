"""A strategy, a discipline and a pattern whose every text is HTML.

In texts of options there are also signs that control a terminal; elsewhere they are refused.
"""

from typing import Annotated, Any, Literal

import numpy as np

from meshgui.api import (
    Bound,
    Box,
    Boxes,
    Chart,
    ChartMarker,
    Complexity,
    Curve,
    Discipline,
    DisciplineOptions,
    Field,
    Grid,
    GridValue,
    Heat,
    Inspection,
    JobStream,
    Line,
    Mesh,
    Moment,
    NodeKind,
    Options,
    Pattern,
    Request,
    Role,
    Source,
    Stage,
    State,
    StepLog,
    Strategy,
    Table,
    TableRow,
    Tree,
    TreeNode,
    region,
)

__all__ = ["HostileFit", "HostileOrder", "HostilePattern", "hostile"]

CONTROLS = "\x1b]0;pwned\x07\x1b[31m\u202egnp\u2066"


def hostile(word: str) -> str:
    """A text that shows a heading and a picture where it is taken for HTML."""
    return f"<h1>{word} & more</h1><img src='/dev/zero'>"


def field(word: str, **limits: int) -> Any:
    """A field of options whose texts control a terminal, too."""
    return Field(title=f"{hostile(word)}{CONTROLS}", description=f"{hostile(word)}{CONTROLS}", **limits)


class HostileOptions(Options):
    """Options of a strategy."""

    number: Annotated[int, field("Number", ge=0, le=9)] = 1
    choice: Annotated[Literal["<h1>one</h1><img src='/dev/zero'>", "two"], field("Choice")] = "two"


class HostileFit(Strategy):
    """The first free box in scan order."""

    id = "hostile-fit"
    title = hostile("Fit")
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source(hostile("Paper"), hostile("Section"))
    complexity = Complexity(Bound(hostile("O(1)"), n=1), Bound("O(n)", n=1), hostile("Where"))
    lines = (
        Line("try", hostile("for each box:"), says=hostile("Is {box} free?")),
        Line("found", hostile("if it is free"), 1, decision=True, says=hostile("{box} is free.")),
    )
    options_model = HostileOptions
    help = f"{hostile('Help')}\n\n{hostile('Help')} ![x](/dev/zero)\n"

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        """The boxes of a job."""
        w, d, h = self.mesh.extents
        a, b, c = request.size
        for z, y, x in np.ndindex(h - c + 1, d - b + 1, w - a + 1):
            box = Box(x, y, z, a, b, c)
            self.operations += 1
            if log is not None:
                log.note(0, Role.TRIED, box)
            if (region(self.held, box) == -1).all():
                region(self.held, box)[:] = request.job
                if log is not None:
                    log.note(1, Role.PLACED, box)
                return (box,)
        return None

    def release(self, job: int, log: StepLog | None = None) -> None:
        """Free the processors of a job."""
        del log
        self.held[self.held == job] = -1

    def capture(self) -> dict[str, Any]:
        """A copy of the state."""
        return {"held": self.held.copy()}

    def restore(self, state: State) -> None:
        """Take another state."""
        self.held[:] = state["held"]

    def inspect(self, moment: Moment) -> Inspection:
        """All kinds of panels."""
        del moment
        node = TreeNode(0, None, next(iter(NodeKind)), hostile("Node"), above=hostile("Above"))
        values = np.zeros((*self.mesh.extents[::-1],), dtype=np.int32)
        legend = (GridValue(0, hostile("Value"), Role.TRIED),)
        line = np.array([0.0, 1.0])
        return Inspection(
            (
                Table(hostile("Table"), (hostile("Column"),), (TableRow((hostile("Cell"),)),), ""),
                Table(hostile("Empty table"), (hostile("Column"),), (), hostile("Empty")),
                Grid(hostile("Grid"), values, legend, Heat(hostile("Heat"), 0, 1)),
                Tree(hostile("Tree"), (node,), hostile("No nodes")),
                Chart(
                    hostile("Chart"),
                    hostile("x"),
                    hostile("y"),
                    (Curve(hostile("Curve"), line, line),),
                    (ChartMarker(hostile("Marker"), 0.5),),
                ),
            ),
            (),
            hostile("Says"),
        )


class HostileOrderOptions(DisciplineOptions):
    """Options of a discipline."""

    weight: Annotated[float, field("Weight", ge=0, le=1)] = 0.5


class HostileOrder(Discipline):
    """By arrival."""

    id = "hostile-order"
    title = hostile("Order")
    options_model = HostileOrderOptions

    def ranks(self, jobs: JobStream) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Their places in the queue."""
        return jobs.arrival.astype(float)


class HostilePattern(Pattern):
    """Every process sends to the next one."""

    id = "hostile-pattern"
    title = hostile("Pattern")

    def iteration(self, processes: Any, random: Any, most: int) -> Any:
        """One stage."""
        del random, most
        ranks = np.arange(len(processes))
        yield Stage(ranks, (ranks + 1) % len(ranks))
