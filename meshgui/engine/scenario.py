"""The scenario: what to simulate. Its model, validation into one clear line, file and JSON Schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_validator,
)

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import StrategyError, strategies, strategy
from meshgui.engine.files import os_fault, whole_file
from meshgui.engine.geometry import Mesh, Size, describe_size
from meshgui.engine.network.packet_files import PacketFileError, line_of, read_packets
from meshgui.engine.network.patterns.registry import pattern
from meshgui.engine.network.spec import MOST_PACKETS, NetworkSpec
from meshgui.engine.parts import NotNegative, Part, Positive, Text, at, one_line, printable
from meshgui.engine.scheduling.base import DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.registry import discipline, disciplines
from meshgui.engine.workload.trace import TraceWorkload

__all__ = [
    "AllocatorSpec",
    "ListWorkload",
    "ListedJob",
    "MeshSpec",
    "Scenario",
    "ScenarioError",
    "SchedulerSpec",
    "StochasticWorkload",
    "TraceWorkload",
    "json_schema",
    "load_scenario",
    "parse_scenario",
    "save_scenario",
]

LARGEST_SIDE = 1024
LARGEST_MESH = 1 << 20
LARGEST_FILE = 64 << 20
MOST_JOBS = 10_000_000
MOST_MESSAGES = 10_000_000  # of all jobs together

Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE, strict=True)]


class ScenarioError(Exception):
    """A scenario that cannot be used: one line that names the file, the field and what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class MeshSpec(Part):
    """The machine."""

    shape: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]

    @field_validator("shape")
    @classmethod
    def _not_too_large(cls, shape: tuple[int, ...]) -> tuple[int, ...]:
        if Mesh(shape).processors > LARGEST_MESH:
            raise ValueError(f"expected at most {LARGEST_MESH} processors, got {Mesh(shape).processors}")
        return shape


class AllocatorSpec(Part):
    """The allocation strategy and its options."""

    name: str
    options: SerializeAsAny[Options] = Field(default=Options(), validate_default=True)

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            strategy(name)
        except StrategyError as error:
            raise ValueError(printable(str(error))) from None
        return name

    @field_validator("options", mode="before")
    @classmethod
    def _of_the_strategy(cls, given: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - whatever was given
        if "name" not in info.data:  # the name is wrong already
            return Options()
        model = strategy(info.data["name"]).options_model
        if isinstance(given, Options) and not isinstance(given, model):
            given = given.model_dump()
        try:
            return model.model_validate(given)
        except ValidationError:
            raise
        except Exception as error:
            raise ValueError(f"{info.data['name']} failed over them: {type(error).__name__}") from error


class SchedulerSpec(Part):
    """The queue discipline and its options."""

    name: str = "fcfs"
    options: SerializeAsAny[DisciplineOptions] = Field(default=DisciplineOptions(), validate_default=True)

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            discipline(name)
        except DisciplineError as error:
            raise ValueError(printable(str(error))) from None
        return name

    @field_validator("options", mode="before")
    @classmethod
    def _of_the_discipline(cls, given: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - whatever was given
        if "name" not in info.data:  # the name is wrong already
            return DisciplineOptions()
        model = discipline(info.data["name"]).options_model
        if isinstance(given, DisciplineOptions) and not isinstance(given, model):
            given = given.model_dump(exclude_unset=True)
        try:
            return model.model_validate(given)
        except ValidationError:
            raise
        except Exception as error:
            raise ValueError(f"{info.data['name']} failed over them: {type(error).__name__}") from error

    @field_serializer("options")
    def _as_written(self, options: DisciplineOptions) -> dict[str, Any]:
        """Only the options that were stated: what is left out has its default."""
        return options.model_dump(mode="json", exclude_unset=True)


class ExponentialGaps(Part):
    """Exponential times between arrivals."""

    kind: Literal["exponential"] = "exponential"


class ConstantGaps(Part):
    """Equal times between arrivals."""

    kind: Literal["constant"]


class UniformSides(Part):
    """Each side uniform between two whole numbers: 1 and the mesh's side unless given."""

    kind: Literal["uniform"] = "uniform"
    low: Side = 1
    high: Side | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.high is not None and self.high < self.low:
            raise at(".high", f"expected at least low ({self.low}), got {self.high}")
        return self


class ExponentialSides(Part):
    """Each side exponential, rounded down, between 1 and the mesh's side; mean half the side by default."""

    kind: Literal["exponential"]
    mean: Positive | None = None


class IntervalSides(Part):
    """Each side uniform on one of several intervals, chosen with the given probabilities."""

    kind: Literal["intervals"]
    intervals: Annotated[tuple[tuple[Side, Side, Positive], ...], Field(min_length=1)]

    @field_validator("intervals")
    @classmethod
    def _sound(cls, intervals: tuple[tuple[int, int, float], ...]) -> tuple[tuple[int, int, float], ...]:
        for low, high, _ in intervals:
            if high < low:
                raise ValueError(
                    f"expected intervals [low, high, probability] with low at most high, got [{low}, {high}]"
                )
        total = sum(p for _, _, p in intervals)
        if abs(total - 1) > 1e-6:
            raise ValueError(f"expected probabilities that add up to 1, got {total:g}")
        return intervals


class ExponentialService(Part):
    """Exponential service times."""

    kind: Literal["exponential"] = "exponential"
    mean: Positive = 1.0


class UniformService(Part):
    """Uniform service times."""

    kind: Literal["uniform"]
    low: NotNegative
    high: Positive

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.high < self.low:
            raise at(".high", f"expected at least low ({self.low:g}), got {self.high:g}")
        return self


class BoundedParetoService(Part):
    """Heavy-tailed service times between k and q (000, equation 5.1)."""

    kind: Literal["bounded-pareto"]
    k: Positive = 15.0
    q: Positive = 4241.0
    alpha: Positive = 1.0

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.q <= self.k:
            raise at(".q", f"expected more than k ({self.k:g}), got {self.q:g}")
        return self


class ConstantService(Part):
    """The same service time for every job."""

    kind: Literal["constant"]
    value: Positive = 1.0


class BySizeService(Part):
    """Uniform service times, longer for jobs that ask for a large share of the machine (004, case 2)."""

    kind: Literal["by-size"]
    threshold: Annotated[float, Field(gt=0, le=1, strict=True)] = 0.5
    large: tuple[NotNegative, Positive] = (5.0, 10.0)
    small: tuple[NotNegative, Positive] = (2.0, 5.0)

    @field_validator("large", "small")
    @classmethod
    def _ordered(cls, bounds: tuple[float, float]) -> tuple[float, float]:
        if bounds[1] < bounds[0]:
            raise ValueError(
                f"expected [low, high] with low at most high, got [{bounds[0]:g}, {bounds[1]:g}]"
            )
        return bounds


Gaps = Annotated[ExponentialGaps | ConstantGaps, Field(discriminator="kind")]
Sides = Annotated[UniformSides | ExponentialSides | IntervalSides, Field(discriminator="kind")]
Service = Annotated[
    ExponentialService | UniformService | BoundedParetoService | ConstantService | BySizeService,
    Field(discriminator="kind"),
]


class StochasticWorkload(Part):
    """Jobs drawn from distributions."""

    kind: Literal["stochastic"]
    jobs: Annotated[int, Field(ge=1, le=MOST_JOBS, strict=True)] = 1000
    load: Annotated[Positive, Field(description="One over the mean gap between arrivals")]
    gaps: Gaps = ExponentialGaps()
    sides: Sides = UniformSides()
    service: Annotated[
        Service | None,
        Field(description="Exponential with mean 1 by default; with a network, none need be stated"),
    ] = None


class ListedJob(Part):
    """One job of an explicit list."""

    arrival: NotNegative
    size: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]
    service: Annotated[NotNegative | None, Field(description="With a network, it need not be stated")] = None
    messages: Annotated[
        int | None, Field(ge=1, le=MOST_MESSAGES, strict=True, description="With a network; drawn by default")
    ] = None

    @property
    def extents(self) -> Size:
        """The size in three dimensions."""
        w, d, *rest = self.size
        return (w, d, rest[0] if rest else 1)


class ListWorkload(Part):
    """An explicit list of jobs; they are numbered in order of arrival."""

    kind: Literal["list"]
    jobs: Annotated[tuple[ListedJob, ...], Field(min_length=1)]


Workload = Annotated[StochasticWorkload | ListWorkload | TraceWorkload, Field(discriminator="kind")]


class Scenario(Part):
    """All that a run depends on."""

    meshgui: Literal[1] = 1
    title: Annotated[Text, Field(max_length=200)] = ""
    notes: Text = ""
    mesh: MeshSpec
    allocator: AllocatorSpec
    scheduler: SchedulerSpec = SchedulerSpec()
    workload: Workload
    network: NetworkSpec | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1, strict=True)] = 1

    @property
    def machine(self) -> Mesh:
        """The mesh to work with."""
        return Mesh(self.mesh.shape)

    @property
    def job_count(self) -> int:
        """How many jobs there are."""
        workload = self.workload
        if isinstance(workload, TraceWorkload):
            return len(workload.traced().submit)
        return workload.jobs if isinstance(workload, StochasticWorkload) else len(workload.jobs)

    def whole(self, *, all_jobs: bool = False) -> Self:
        """The same scenario by itself: a trace it names is replaced by the jobs taken from it, or by all."""
        workload = self.workload
        if not isinstance(workload, TraceWorkload):
            return self
        whole = workload.with_all_jobs() if all_jobs else workload.whole()
        return self if whole is workload else self.model_copy(update={"workload": whole})

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        cls = strategy(self.allocator.name)
        fault = cls.unfit(self.machine, self.allocator.options)
        if fault is not None:
            raise at("allocator.name", printable(fault))
        if discipline(self.scheduler.name).plans and cls.reserves(self.allocator.options):
            raise at(
                "scheduler.name",
                f"expected another one than {self.scheduler.name}: {cls.id} reserves boxes ahead itself",
            )
        if isinstance(self.workload, ListWorkload):
            self._check_listed(self.workload)
        elif isinstance(self.workload, TraceWorkload):
            self._check_traced()
        else:
            self._check_drawn(self.workload)
        if self.network is not None:
            self._check_network(self.network)
        return self

    @property
    def service_law(self) -> Service | None:
        """How long drawn jobs run, as stated; None where that is left to their messages."""
        workload = self.workload
        if not isinstance(workload, StochasticWorkload):
            return None
        return workload.service or (ExponentialService() if self.network is None else None)

    def _states_services(self) -> bool:
        if isinstance(self.workload, ListWorkload):
            return all(job.service is not None for job in self.workload.jobs)
        return isinstance(self.workload, TraceWorkload) or self.service_law is not None

    def _check_network(self, network: NetworkSpec) -> None:
        workload = self.workload
        if network.pattern == "file":
            if not isinstance(workload, ListWorkload):
                raise at("network.pattern", "expected another one than file, which goes with a list of jobs")
            network.check_packets(self.machine, len(workload.jobs))
        elif isinstance(workload, ListWorkload) and pattern(network.pattern).powers_of_two:
            for i, job in enumerate(workload.jobs):
                if any(side & (side - 1) for side in job.size):
                    asked = describe_size(job.extents, len(job.size))
                    raise at(
                        f"workload.jobs.{i}.size",
                        f"expected powers of two with the pattern {network.pattern}, got {asked}",
                    )
        self._check_messages(network)
        if not self._states_services():
            cls = strategy(self.allocator.name)
            planner = self.scheduler.name if discipline(self.scheduler.name).plans else None
            planner = cls.id if cls.reserves(self.allocator.options) else planner
            if planner is not None:
                raise at("workload.service", f"expected stated service times: {planner} plans with them")

    def _check_messages(self, network: NetworkSpec) -> None:
        workload = self.workload
        if network.pattern == "file":
            return
        if not isinstance(workload, ListWorkload):
            if self.job_count * network.messages > MOST_MESSAGES:
                most = f"{MOST_MESSAGES / self.job_count:g} on average for {self.job_count} jobs"
                raise at("network.messages", f"expected at most {most}, got {network.messages:g}")
            return
        stated = sum(network.messages if job.messages is None else job.messages for job in workload.jobs)
        if stated > MOST_MESSAGES:
            raise at("workload.jobs", f"expected at most {MOST_MESSAGES} messages in all, got {stated:g}")

    def _check_listed(self, workload: ListWorkload) -> None:
        mesh = self.machine
        contiguous = strategy(self.allocator.name).contiguous
        for i, job in enumerate(workload.jobs):
            if job.service is None and self.network is None:
                raise at(f"workload.jobs.{i}.service", "expected a value, but there is none")
            if job.messages is not None and (self.network is None or self.network.pattern == "file"):
                raise at(
                    f"workload.jobs.{i}.messages", "expected none: no pattern of communication sends them"
                )
            field = f"workload.jobs.{i}.size"
            if len(job.size) != mesh.dims:
                raise at(field, f"expected {mesh.dims} numbers for a {mesh.dims}D mesh, got {len(job.size)}")
            w, d, h = job.extents
            fits = all(n <= m for n, m in zip(sorted(job.size), sorted(mesh.shape), strict=True))
            if w * d * h > mesh.processors or (contiguous and not fits):
                asked = describe_size(job.extents, mesh.dims)
                raise at(field, f"expected a request no larger than the {mesh.describe()} mesh, got {asked}")

    def _check_traced(self) -> None:
        """Jobs that are too large for the mesh are no fault: a run rejects them."""
        if self.job_count > MOST_JOBS:
            raise at("workload.max_jobs", f"expected at most {MOST_JOBS} jobs, got {self.job_count}")

    def _check_drawn(self, workload: StochasticWorkload) -> None:
        largest = max(self.mesh.shape)
        sides = workload.sides
        if isinstance(sides, UniformSides) and max(sides.low, sides.high or 0) > largest:
            field = "high" if sides.high is not None else "low"
            raise at(
                f"workload.sides.{field}",
                f"expected at most the mesh's side {largest}, got {sides.high or sides.low}",
            )
        if isinstance(sides, IntervalSides):
            reach = max(high for _, high, _ in sides.intervals)
            if reach > largest:
                raise at(
                    "workload.sides.intervals", f"expected sides up to the mesh's side {largest}, got {reach}"
                )


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """A scenario from JSON text; `name` is what errors call it."""
    return _from_text(text, name, None)


def _from_text(text: str, name: str, folder: Path | None) -> Scenario:
    try:
        data = json.loads(text, object_pairs_hook=_no_twice)
    except RecursionError:
        raise ScenarioError(f"{name}: expected JSON nested less deeply") from None
    except ValueError as error:
        raise ScenarioError(f"{name}: {_json_fault(error)}") from None
    if (half := _half_a_letter(text, data)) is not None:
        raise ScenarioError(f"{name}: expected text in Unicode, got {half} without its other half")
    if not isinstance(data, dict):
        raise ScenarioError(f"{name}: expected a JSON object, got {_kind(data)}")
    packet_file = None if folder is None else _take_in_packets(data, name, folder)
    if folder is not None:
        _find_trace(data, folder)
    try:
        return scenario_from(data, name)
    except ScenarioError as error:
        if packet_file is None:
            raise
        raise ScenarioError(_at_its_line(str(error), packet_file)) from None


def _at_its_line(complaint: str, packet_file: Path) -> str:
    """A complaint about a packet that a file named: at its place there."""
    place = re.search(r"network\.packets\.(\d+): ", complaint)
    if place is None:
        return complaint
    where = f"network.path: {packet_file}: line {line_of(packet_file, int(place[1]))}: "
    return complaint[: place.start()] + where + complaint[place.end() :]


def _take_in_packets(data: dict[str, Any], name: str, folder: Path) -> Path | None:
    """Put the packets of a file in its place, so that the scenario is whole by itself; the file, if any."""
    network = data.get("network")
    if not isinstance(network, dict) or network.get("pattern") != "file":
        return None
    path = network.get("path")
    if not isinstance(path, str):
        return None
    if network.get("packets"):
        raise ScenarioError(f"{name}: network.path: expected it or packets, got both")
    try:
        rows = read_packets(folder / path, most=MOST_PACKETS)
    except (PacketFileError, ValueError) as error:
        raise ScenarioError(f"{name}: network.path: {error}") from None
    data["network"] = {key: value for key, value in network.items() if key != "path"} | {
        "packets": rows.tolist()
    }
    return folder / path


def _find_trace(data: dict[str, Any], folder: Path) -> None:
    """Say where a trace lies that is named as seen from the scenario's folder."""
    workload = data.get("workload")
    if not isinstance(workload, dict) or workload.get("kind") != "swf":
        return
    path = workload.get("path")
    if isinstance(path, str) and path:
        data["workload"] = workload | {"path": str((folder / path).absolute())}


def scenario_from(data: dict[str, Any], name: str = "scenario") -> Scenario:
    """A scenario from plain data."""
    if "meshgui" not in data or isinstance(data["meshgui"], bool):
        raise ScenarioError(f'{name}: meshgui: expected the format version, "meshgui": 1')
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(f"{name}: {one_line(error, data)}") from None
    except StrategyError as error:
        raise ScenarioError(f"{name}: allocator.name: {error}") from None


def load_scenario(path: Path) -> Scenario:
    """A scenario from a file."""
    try:
        with path.open("rb") as file:  # a name may stand for an endless file
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ScenarioError(f"{path}: expected a scenario of at most {LARGEST_FILE >> 20} MiB")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: expected JSON in UTF-8") from None
    except OSError as error:
        raise ScenarioError(f"{path}: {os_fault(error)}") from None
    return _from_text(text, str(path), path.parent)


def save_scenario(scenario: Scenario, path: Path) -> None:
    """Write a scenario; if that fails half-way, a file that was there before is still whole."""
    text = _seen_from(scenario, path.parent).model_dump_json(indent=1) + "\n"
    write_whole(path, text.encode())


def _seen_from(scenario: Scenario, folder: Path) -> Scenario:
    """The scenario with a trace below its folder named from there, so that both can be moved together."""
    workload = scenario.workload
    if not isinstance(workload, TraceWorkload) or workload.path is None:
        return scenario
    trace, folder = Path(workload.path).absolute(), folder.absolute()
    named = trace.relative_to(folder).as_posix() if trace.is_relative_to(folder) else str(trace)
    # Only to be written: read again, the name leads to the same file.
    written = workload.model_copy(update={"path": named})
    return scenario.model_copy(update={"workload": written})


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one stroke: written beside its place, then moved there."""
    try:
        with whole_file(path) as file:
            file.write(content)
    except OSError as error:
        raise ScenarioError(f"{path}: could not be written: {os_fault(error)}") from error


def json_schema() -> dict[str, Any]:
    """The scenario's JSON Schema, with the options of every strategy and scheduler."""
    schema = Scenario.model_json_schema()
    defs = schema["$defs"]
    for part in defs.values():
        if "kind" in part["properties"]:  # it has a default in Python, but a file has to say it
            part["required"] = sorted({"kind", *part.get("required", [])})
    given = (("path", "string"), ("jobs", "array"))
    defs["TraceWorkload"]["oneOf"] = [
        {"properties": {name: {"type": kind}}, "required": [name]} for name, kind in given
    ]
    defs["AllocatorSpec"] = {
        "oneOf": [
            {
                "type": "object",
                "title": cls.title,
                "properties": {"name": {"const": name}, "options": _options_schema(cls.options_model, defs)},
                "required": ["name"],
                "additionalProperties": False,
            }
            for name, cls in strategies().items()
        ]
    }
    defs["SchedulerSpec"] = {
        "oneOf": [
            {
                "type": "object",
                "title": cls.title,
                "properties": {"name": {"const": name}, "options": _options_schema(cls.options_model, defs)},
                "required": ["name"],
                "additionalProperties": False,
            }
            for name, cls in disciplines().items()
        ]
    }
    defs.pop("Options", None)
    defs.pop("DisciplineOptions", None)
    schema["required"] = ["meshgui", *schema["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _options_schema(model: type[Part], defs: dict[str, Any]) -> dict[str, Any]:
    """Options of a strategy or scheduler; what their schema refers to goes into `$defs`."""
    schema = model.model_json_schema()
    schema.pop("description", None)
    defs.update(schema.pop("$defs", {}))
    return schema


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} stands twice in one object")
    return data


def _json_fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"expected JSON: fault at line {error.lineno}, column {error.colno}, {error.msg.lower()}"
    if "digits" in str(error):  # Python's own limit on the length of a number
        return "expected JSON: a number has too many digits"
    return f"expected JSON: {error}"


def _half_a_letter(text: str, data: object) -> str | None:
    """Half of a surrogate pair, which JSON can escape but no text can hold."""
    if "\\ud" not in text.lower():
        return None
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return ascii(error.object[error.start]).strip("'")
    return None


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}
    return names.get(type(value), "null")
