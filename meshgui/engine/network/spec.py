"""The network of a scenario: its switching, and the messages of the jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import (
    FailFast,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticKnownError
from pydantic_core.core_schema import no_info_wrap_validator_function

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh, Node, node_number
from meshgui.engine.basics.laws import (
    BoundedParetoService,
    ConstantService,
    ExponentialService,
    UniformService,
)
from meshgui.engine.basics.limits import MAX_PACKETS
from meshgui.engine.basics.parts import LATEST, NotNegative, Part, Text, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.registry import load, loads
from meshgui.engine.network.patterns.registry import FILE, pattern_names
from meshgui.engine.network.routing import hops_between
from meshgui.engine.network.steady_load import SteadyLoad
from meshgui.engine.network.switching import (
    FLAT_ROUTINGS,
    MAX_CHANNELS,
    RING_ROUTINGS,
    ROUTINGS,
    Law,
    PerHop,
    Ports,
    Routing,
    Switching,
)

LARGEST_MEAN = 1_000_000  # of a job, on average
MOST_FLITS = 1 << 16
MOST_CYCLES = 1 << 20  # of a packet for a channel: the kernels look that far ahead, cycle by cycle

_NEW: Final = object()  # equal to no value
_LATER: Final = {
    "per_hop": "header",
    "ports": "one",
    "routing": "xy",
    "channels": 1,
    "credit": None,
    "idle_energy": 0.0,
    "busy_energy": 1.0,
    "flit_energy": 0.0,
    "compute": None,
    "between_sends": 0,
    "load": None,
}
"""Fields that came after files and stores had been written, and the value under which they are left out."""

_PacketRow = Annotated[tuple[Annotated[int, Field(strict=True)], ...], Field(min_length=7, max_length=8)]
JobPackets = tuple[Ints, Ints, Ints]
"""Of a job's own packets: cycles after its start, sources, targets."""


class KnownName:
    """Marks a text as the name of a plug-in: one of a registry's, as a `Literal` of them would."""

    def __init__(self, names: Callable[[], tuple[str, ...]]) -> None:
        self._names = names

    def __get_pydantic_core_schema__(self, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Accept the names registered when a scenario is read, as packages may add some."""
        return no_info_wrap_validator_function(self._known, handler(str))

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The names as choices."""
        del handler
        return {"enum": list(self._names()), "type": "string"}

    def _known(self, name: object, _: object) -> str:
        names = self._names()
        if isinstance(name, str) and name in names:
            return name
        *others, last = map(repr, names)
        expected = tr("{others} or {last}").format(others=", ".join(others), last=last)
        raise PydanticKnownError("literal_error", {"expected": expected})


class StatedTime(Part):
    """The time that the job states, in equal shares before each of its iterations."""

    kind: Literal["stated"]


Computing = Annotated[
    StatedTime | ConstantService | ExponentialService | UniformService | BoundedParetoService,
    Field(discriminator="kind"),
]


class TrafficSpec(Part):
    """A steady load of packets that all nodes make at random, in place of packets from a file."""

    traffic: Annotated[str, KnownName(lambda: tuple(loads()))] = Field(description=tr("Who sends to whom"))
    rate: float = Field(
        gt=0,
        le=MOST_FLITS,
        allow_inf_nan=False,
        strict=True,
        description=tr("Flits that each node makes in a cycle, on average"),
    )
    cycles: int = Field(10_000, ge=1, le=1 << 30, strict=True, description=tr("Cycles of the run"))
    warm_up: int = Field(
        1_000,
        ge=0,
        le=1 << 30,
        strict=True,
        description=tr("Cycles at the beginning whose packets are not measured"),
    )

    def on(self, mesh: Mesh, law: Law, seed: int) -> SteadyLoad:
        """The load on a network."""
        return SteadyLoad(mesh, law, load(self.traffic), self.rate, self.cycles, self.warm_up, seed)


class NetworkSpec(Part):
    """The network, and the communication of the jobs."""

    pattern: Annotated[str, KnownName(pattern_names)] = Field(
        description=tr("Who sends to whom; with file, the packets below")
    )
    messages: float = Field(
        5.0,
        gt=0,
        le=LARGEST_MEAN,
        allow_inf_nan=False,
        strict=True,
        description=tr("Mean number of messages of a job"),
    )
    quota: Literal["exponential", "uniform", "fixed"] = Field(
        "exponential",
        description=tr(
            "Distribution of that number; uniform: from 1 to twice the mean less 1; "
            "fixed: every job sends the mean, rounded"
        ),
    )
    barrier: Literal["stage", "iteration"] = Field(
        "stage",
        description=tr(
            "What a job waits for before it sends again: its messages of a stage, or of an iteration"
        ),
    )
    flits: int = Field(8, ge=1, le=MOST_FLITS, strict=True, description=tr("Flits of a packet"))
    routing_delay: int = Field(3, ge=0, le=1 << 16, strict=True, description=tr("Cycles in each router"))
    buffer: int = Field(1, ge=1, le=MOST_FLITS, strict=True, description=tr("Flits a buffer holds"))
    switching: Switching = Field(
        "wormhole", description=tr("All but wormhole need buffers for a whole packet")
    )
    per_hop: PerHop = Field(
        "header",
        description=tr("The flits that take the routing delay in each router: the first one, or every one"),
    )
    ports: Ports = Field(
        "one",
        description=tr(
            "Packets that a processor can inject or receive at once: one, or any number, without channels"
        ),
    )
    routing: Routing = Field(
        "xy",
        description=tr(
            "Links that a header may take: one, those that a turn model allows, or any on a shortest way"
        ),
    )
    channels: int = Field(
        1, ge=1, le=MAX_CHANNELS, strict=True, description=tr("Virtual channels that share a link")
    )
    credit: Annotated[int, Field(ge=0, le=1, strict=True)] | None = Field(
        None,
        description=tr(
            "0 with one channel, 1 with more; with 1 a flit needs a free place in the buffer when its cycle "
            "begins, with 0 when it ends"
        ),
    )
    idle_energy: NotNegative = Field(0.0, description=tr("Energy of a free processor in a unit of time"))
    busy_energy: NotNegative = Field(
        1.0, description=tr("Energy of a processor that a job holds, in a unit of time")
    )
    flit_energy: NotNegative = Field(0.0, description=tr("Energy of a flit on a link"))
    startup: int = Field(
        0, ge=0, le=1 << 20, strict=True, description=tr("Cycles a processor is busy before each send")
    )
    between_sends: int = Field(
        0,
        ge=0,
        le=1 << 20,
        strict=True,
        description=tr("Cycles between a processor's sends, at least: from one message to its next"),
    )
    compute: Computing | None = Field(
        None,
        description=tr(
            "How many cycles a job computes before it sends the messages of an iteration: shares of the "
            "time it states, or a time drawn for the job"
        ),
    )
    path: Text | None = Field(
        None, description=tr("CSV file of the packets, relative to the scenario's folder")
    )
    packets: Annotated[tuple[_PacketRow, ...], FailFast()] = Field(
        (),
        max_length=MAX_PACKETS,
        description=tr("[time, sx, sy, sz, dx, dy, dz, job], …: cycles after the start of the job (0)"),
    )

    load: TrafficSpec | None = Field(
        None,
        description=tr("Packets of a steady load; with the pattern file, and one job on the whole machine"),
    )

    @model_serializer(mode="wrap")
    def _as_older_versions_read_it(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without the fields that came later, where they have no effect."""
        data: dict[str, Any] = handler(self)
        return {name: value for name, value in data.items() if _LATER.get(name, _NEW) != value}

    @field_validator("credit")
    @classmethod
    def _none_where_usual(cls, credit: int | None, info: ValidationInfo) -> int | None:
        return None if credit == int(info.data.get("channels", 1) > 1) else credit

    @property
    def law(self) -> Law:
        """The switching parameters that all packets share."""
        return Law(
            self.flits,
            self.routing_delay,
            self.buffer,
            self.switching,
            self.per_hop,
            self.ports,
            self.routing,
            self.channels,
            int(self.channels > 1) if self.credit is None else self.credit,
        )

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        fault = fault_of_law(self.law)
        if fault is not None:
            raise at(*fault)
        explicit = self.pattern == FILE
        if self.compute is not None and explicit:
            raise at(".compute", tr("expected none with the pattern file: packets say when they are sent"))
        if self.load is not None and (not explicit or self.packets or self.path is not None):
            raise at(".load", tr("expected none but with the pattern file, and without packets"))
        if self.packets and not explicit:
            said = tr("expected none with the pattern {pattern}: only the pattern file takes them")
            raise at(".packets", said.format(pattern=self.pattern))
        if self.path is not None:
            if not explicit:
                said = tr("expected none with the pattern {pattern}: only the pattern file takes it")
                raise at(".path", said.format(pattern=self.pattern))
            raise at(
                ".path", tr("expected the packets themselves: only a scenario file can name another file")
            )
        return self

    def check_packets(self, mesh: Mesh, jobs: int) -> None:
        """Check that the explicit packets lie on the mesh and belong to existing jobs."""
        for i, row in enumerate(self.packets):
            fault = fault_of_packet(row, mesh, jobs)
            if fault is not None:
                raise at(f"network.packets.{i}", fault)

    def packets_of(self, jobs: int, mesh: Mesh, seed: int) -> Ints:
        """How many explicit packets each job has."""
        if self.load is not None:
            return np.array([len(self.load.on(mesh, self.law, seed).born()[0])])
        return np.bincount([(*row, 0)[7] for row in self.packets], minlength=jobs).astype(np.int64)

    def hops_of_packets(self, mesh: Mesh) -> int:
        """How many links all explicit packets pass."""
        rows = np.array([row[1:7] for row in self.packets], dtype=np.int64).reshape(-1, 2, 3)
        return int(hops_between(mesh, rows[:, 0], rows[:, 1]).sum())

    def packets_by_job(self, mesh: Mesh, jobs: int, seed: int) -> list[JobPackets]:
        """The explicit packets of each job, in the order they are listed; or those of the load."""
        if self.load is not None:
            return [self.load.on(mesh, self.law, seed).born()]
        rows = np.array([(*row, 0)[:8] for row in self.packets], dtype=np.int64).reshape(-1, 8)
        width, depth, _ = mesh.extents
        source = (rows[:, 3] * depth + rows[:, 2]) * width + rows[:, 1]
        target = (rows[:, 6] * depth + rows[:, 5]) * width + rows[:, 4]
        whose = [np.flatnonzero(rows[:, 7] == job) for job in range(jobs)]
        return [(rows[mine, 0], source[mine], target[mine]) for mine in whose]


def fault_of_law(law: Law) -> tuple[str, str] | None:
    """The field that does not agree with the others, and why; None if all agree."""
    if law.switching != "wormhole" and law.buffer < law.flits:
        wanted = tr("at least {flits} with {switching}, which needs room for a packet").format(
            flits=law.flits, switching=law.switching
        )
        return ".buffer", tr("expected {wanted}, got {buffer}").format(wanted=wanted, buffer=law.buffer)
    if law.per_hop == "flit":
        if law.whole:
            wanted = tr("expected header with {switching}, got flit")
            return ".per_hop", wanted.format(switching=law.switching)
        if law.flits * law.cycles > MOST_CYCLES:
            said = tr("expected packets that take at most {most} cycles for a channel, got {cycles}")
            return ".flits", said.format(most=MOST_CYCLES, cycles=law.flits * law.cycles)
    return _fault_of_channels(law)


def _fault_of_channels(law: Law) -> tuple[str, str] | None:
    """What does not agree with several virtual channels, or with credit."""
    several = law.channels > 1
    if several and not law.credit:
        return ".credit", tr("expected 1 with several channels, got 0")
    if several and law.whole:
        said = tr("expected wormhole or virtual-cut-through with several channels, got {switching}")
        return ".switching", said.format(switching=law.switching)
    if law.credit and law.per_hop != "header":
        said = (
            tr("expected header with several channels, got flit")
            if several
            else tr("expected header with credit, got flit")
        )
        return ".per_hop", said
    if law.credit and not law.has_ports:
        said = (
            tr("expected one with several channels, got free")
            if several
            else tr("expected one with credit, got free")
        )
        return ".ports", said
    return None


def fault_of_routing(routing: str, mesh: Mesh) -> str | None:
    """Why packets cannot be routed so on a mesh, or None."""
    *others, last = RING_ROUTINGS
    if any(mesh.wrap) and routing not in RING_ROUTINGS:
        said = tr("expected {others} or {last} on a torus, got {routing}")
        return said.format(others=", ".join(others), last=last, routing=routing)
    *others, last = (name for name in ROUTINGS if name not in FLAT_ROUTINGS)
    if mesh.dims == 3 and routing in FLAT_ROUTINGS:
        said = tr("expected {others} or {last} on a 3D mesh, got {routing}")
        return said.format(others=", ".join(others), last=last, routing=routing)
    return None


def fault_of_packet(row: tuple[int, ...], mesh: Mesh, jobs: int = 1) -> str | None:
    """Why an explicit packet cannot be sent, or None: its time, source, target, and possibly its job."""
    time, *nodes = row[:7]
    source, target = (_node(nodes[:3]), _node(nodes[3:]))
    if not 0 <= time <= LATEST:
        return tr("expected a time from 0 to {LATEST}, got {time}").format(LATEST=LATEST, time=time)
    for name, node in (("source", source), ("target", target)):
        if not all(0 <= n < m for n, m in zip(node, mesh.extents, strict=True)):
            shown = ",".join(map(str, node))
            said = tr("expected a {name} on the {mesh} mesh, got ({shown})")
            return said.format(name=name, mesh=mesh.describe(), shown=shown)
    if node_number(mesh, source) == node_number(mesh, target):
        said = tr("expected a target other than the source, got ({map}) for both")
        return said.format(map=",".join(map(str, target)))
    if len(row) == 8 and not 0 <= row[7] < jobs:
        return tr("expected a job from 0 to {jobs}, got {row}").format(jobs=jobs - 1, row=row[7])
    return None


def _node(numbers: list[int]) -> Node:
    x, y, z = numbers
    return (x, y, z)
