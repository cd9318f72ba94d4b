"""The part of a scenario that takes processors out of service, and what becomes of the jobs on them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Discriminator, Field, Tag, model_serializer, model_validator

from meshgui.engine.basics.geometry import Box, Mesh, in_three
from meshgui.engine.basics.limits import MAX_JOBS
from meshgui.engine.basics.parts import DRAWN, LISTED, NotNegative, Part, Positive, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.workload.spec import Side

Coordinate = Annotated[int, Field(ge=0, strict=True)]
_NODE: Final = (2, 3)
_BOX: Final = (4, 6)
"""How many numbers there are: for each axis of a 2D mesh, or for each of three."""


class ListedFailure(Part):
    """One processor, or a box of them, that is down for a time."""

    node: tuple[Coordinate, ...] | None = Field(
        None, description=tr("A processor: x, y and z, which is 0 where it is left out")
    )
    box: tuple[Coordinate, ...] | None = Field(
        None,
        description=tr(
            "A box of processors in its place: its base, then its sides; "
            "of four numbers it is one layer at z = 0"
        ),
    )
    begin: NotNegative = Field(alias="from", description=tr("When it fails"))
    until: Positive | None = Field(None, description=tr("When it is repaired; null: never"))

    @model_serializer
    def _as_written(self) -> dict[str, Any]:
        place = {"box": self.box} if self.node is None else {"node": self.node}
        return {**place, "from": self.begin, "until": self.until}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if (self.node is None) == (self.box is None):
            raise ValueError(tr("expected either a node or a box"))
        for name, given, sizes in ((".node", self.node, _NODE), (".box", self.box, _BOX)):
            if given is not None and len(given) not in sizes:
                said = tr("expected {few} numbers in 2D and {many} in 3D, got {count}")
                raise at(name, said.format(few=sizes[0], many=sizes[1], count=len(given)))
        if self.until is not None and self.until <= self.begin:
            said = tr("expected a time after {begin:g}, when it fails, got {until:g}")
            raise at(".until", said.format(begin=self.begin, until=self.until))
        return self

    @property
    def region(self) -> Box:
        """What fails, as a box in three dimensions."""
        if self.node is not None:
            x, y, *deep = self.node
            return Box(x, y, deep[0] if deep else 0, 1, 1, 1)
        given = self.box or ()
        if len(given) == max(_BOX):
            return Box._make(given)
        x, y, w, d = given
        return Box(x, y, 0, w, d, 1)


class DrawnFailures(Part):
    """Units of the machine that fail and are repaired again and again, each by itself."""

    between: Positive = Field(description=tr("Mean time from a repair, or the start, to the next failure"))
    repair: Positive = Field(description=tr("Mean time from a failure to its repair"))
    unit: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)] = Field(
        (1, 1, 1), description=tr("The sides of what fails at once: a processor, a board, a cube")
    )

    @property
    def extents(self) -> tuple[int, int, int]:
        """The unit in three dimensions."""
        return in_three(self.unit)


def _kind(given: object) -> str:
    return LISTED if isinstance(given, list | tuple) else DRAWN


Failures = Annotated[
    Annotated[tuple[ListedFailure, ...], Field(max_length=MAX_JOBS), Tag(LISTED)]
    | Annotated[DrawnFailures, Tag(DRAWN)],
    Discriminator(_kind),
]


class MachineSpec(Part):
    """What fails, and what becomes of the jobs that are hit."""

    failures: Failures = Field(
        (), description=tr("Processors that are down for a time: listed, or drawn with the run's seed")
    )
    on_failure: Literal["end", "requeue", "checkpoint"] = Field(
        "requeue",
        description=tr(
            "What becomes of a job that is hit: it ends, it goes to the head of the queue and begins again, "
            "or it goes there and continues from its last checkpoint"
        ),
    )
    interval: Positive | None = Field(None, description=tr("Work between two checkpoints, in time units"))

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.on_failure == "checkpoint" and self.interval is None:
            raise at(".interval", tr("expected a value: the work between two checkpoints"))
        return self

    def check_on(self, mesh: Mesh) -> None:
        """Raise a complaint where failures do not lie in the mesh."""
        if isinstance(self.failures, DrawnFailures):
            unit = self.failures.extents
            if any(side % part for side, part in zip(mesh.extents, unit, strict=True)):
                said = tr("expected sides that divide those of the {mesh} mesh, got {unit}")
                words = "×".join(map(str, self.failures.unit))
                raise at("machine.failures.unit", said.format(mesh=mesh.describe(), unit=words))
            return
        for i, failure in enumerate(self.failures):
            if not mesh.holds(failure.region):
                field = "box" if failure.node is None else "node"
                said = tr("expected processors of the {mesh} mesh, got {place}")
                words = failure.region.describe(flat=mesh.dims == 2)
                raise at(f"machine.failures.{i}.{field}", said.format(mesh=mesh.describe(), place=words))
