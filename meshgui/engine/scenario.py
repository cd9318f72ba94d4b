"""The scenario: what to simulate. Its model, validation into one clear line, file and JSON Schema."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import StrategyError, strategies, strategy
from meshgui.engine.geometry import Mesh, Size, describe_size
from meshgui.engine.scheduling import DISCIPLINES

__all__ = [
    "AllocatorSpec",
    "ListWorkload",
    "ListedJob",
    "MeshSpec",
    "Scenario",
    "ScenarioError",
    "SchedulerSpec",
    "StochasticWorkload",
    "json_schema",
    "load_scenario",
    "parse_scenario",
    "save_scenario",
]

LARGEST_SIDE = 1024
LARGEST_MESH = 1 << 20
MOST_JOBS = 10_000_000

# Strict: a number written as a text or a truth value is a mistake, and is not guessed at.
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE, strict=True)]


class ScenarioError(Exception):
    """A scenario that cannot be used: one line that names the file, the field and what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(_on_one_line(message))


class Part(BaseModel):
    """A part of a scenario: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
    options: Annotated[SerializeAsAny[Options], Field(validate_default=True)] = Options()

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            strategy(name)
        except StrategyError as error:
            raise ValueError(str(error)) from None
        return name

    @field_validator("options", mode="before")
    @classmethod
    def _of_the_strategy(cls, given: object, info: ValidationInfo) -> object:
        if "name" not in info.data:
            return given
        model = strategy(info.data["name"]).options_model
        return model.model_validate({} if type(given) is Options else given)


class SchedulerSpec(Part):
    """The queue discipline and its options."""

    name: str = "fcfs"
    options: dict[str, str] = {}

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.name not in DISCIPLINES:
            expected = ", ".join(DISCIPLINES)
            raise _at("scheduler.name", f"no scheduler is called {self.name}: expected one of {expected}")
        allowed = DISCIPLINES[self.name].options
        for key, value in self.options.items():
            if key not in allowed:
                expected = ", ".join(allowed) or "none"
                raise _at("scheduler.options", f"{self.name} has no option {key}: expected {expected}")
            if value not in allowed[key]:
                expected = ", ".join(allowed[key])
                raise _at(f"scheduler.options.{key}", f"expected one of {expected}, got {value}")
        return self


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
            raise ValueError(f"expected high to be at least low ({self.low}), got {self.high}")
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
            raise ValueError(f"expected high to be at least low ({self.low:g}), got {self.high:g}")
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
            raise ValueError(f"expected q above k ({self.k:g}), got {self.q:g}")
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
    load: Positive  # one over the mean gap
    gaps: Gaps = ExponentialGaps()
    sides: Sides = UniformSides()
    service: Service = ExponentialService()


class ListedJob(Part):
    """One job of an explicit list."""

    arrival: NotNegative
    size: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]
    service: NotNegative

    @property
    def extents(self) -> Size:
        """The size in three dimensions."""
        w, d, *rest = self.size
        return (w, d, rest[0] if rest else 1)


class ListWorkload(Part):
    """An explicit list of jobs; they are numbered in order of arrival."""

    kind: Literal["list"]
    jobs: Annotated[tuple[ListedJob, ...], Field(min_length=1)]


Workload = Annotated[StochasticWorkload | ListWorkload, Field(discriminator="kind")]


class Scenario(Part):
    """All that a run depends on."""

    meshgui: Literal[1] = 1
    title: Annotated[str, Field(max_length=200)] = ""
    notes: str = ""
    mesh: MeshSpec
    allocator: AllocatorSpec
    scheduler: SchedulerSpec = SchedulerSpec()
    workload: Workload
    network: None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1, strict=True)] = 1

    @property
    def machine(self) -> Mesh:
        """The mesh to work with."""
        return Mesh(self.mesh.shape)

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        cls = strategy(self.allocator.name)
        if self.machine.dims not in cls.dims:
            raise _at(
                "allocator.name",
                f"{cls.id} works on {cls.dims_in_words()} meshes, and this one is {self.machine.describe()}",
            )
        if isinstance(self.workload, ListWorkload):
            self._check_listed(self.workload)
        else:
            self._check_drawn(self.workload)
        return self

    def _check_listed(self, workload: ListWorkload) -> None:
        mesh = self.machine
        contiguous = strategy(self.allocator.name).contiguous
        for i, job in enumerate(workload.jobs):
            field = f"workload.jobs.{i}.size"
            if len(job.size) != mesh.dims:
                raise _at(field, f"expected {mesh.dims} numbers for a {mesh.dims}D mesh, got {len(job.size)}")
            w, d, h = job.extents
            fits = all(n <= m for n, m in zip(sorted(job.size), sorted(mesh.shape), strict=True))
            if w * d * h > mesh.processors or (contiguous and not fits):
                asked = describe_size(job.extents, mesh.dims)
                raise _at(field, f"expected a request no larger than the {mesh.describe()} mesh, got {asked}")

    def _check_drawn(self, workload: StochasticWorkload) -> None:
        largest = max(self.mesh.shape)
        sides = workload.sides
        if isinstance(sides, UniformSides) and max(sides.low, sides.high or 0) > largest:
            field = "high" if sides.high is not None else "low"
            raise _at(
                f"workload.sides.{field}",
                f"expected at most the mesh's side {largest}, got {sides.high or sides.low}",
            )
        if isinstance(sides, IntervalSides):
            reach = max(high for _, high, _ in sides.intervals)
            if reach > largest:
                raise _at(
                    "workload.sides.intervals", f"expected sides up to the mesh's side {largest}, got {reach}"
                )


def _at(field: str, message: str) -> PydanticCustomError:
    """A complaint about a field that only the part around it, or the whole scenario, can judge."""
    return PydanticCustomError("at", "{message}", {"field": field, "message": message})


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """A scenario from JSON text; `name` is what errors call it."""
    try:
        data = json.loads(text, object_pairs_hook=_no_twice)
    except RecursionError:
        raise ScenarioError(f"{name}: expected JSON nested less deeply") from None
    except ValueError as error:
        raise ScenarioError(f"{name}: expected JSON, {_json_fault(error)}") from None
    if not isinstance(data, dict):
        raise ScenarioError(f"{name}: expected a JSON object, got {_kind(data)}")
    if "\\ud" in text.lower() and _has_half_a_character(data):
        raise ScenarioError(f"{name}: expected JSON, an escape \\ud… stands without its other half")
    return scenario_from(data, name)


def scenario_from(data: dict[str, Any], name: str = "scenario") -> Scenario:
    """A scenario from plain data."""
    if type(data.get("meshgui")) is not int:
        raise ScenarioError(f'{name}: meshgui: expected the format version, "meshgui": 1')
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(f"{name}: {_one_line(error, data)}") from None
    except StrategyError as error:
        raise ScenarioError(f"{name}: allocator.name: {error}") from None


def load_scenario(path: Path) -> Scenario:
    """A scenario from a file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: expected JSON in UTF-8") from None
    except OSError as error:
        raise ScenarioError(f"{path}: {_os_fault(error)}") from None
    return parse_scenario(text, str(path))


def save_scenario(scenario: Scenario, path: Path) -> None:
    """Write a scenario; if that fails half-way, a file that was there before is still whole."""
    text = scenario.model_dump_json(indent=1) + "\n"
    write_whole(path, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one stroke: written beside its place, then moved there."""
    path = Path(os.path.realpath(path))  # through a link, so that the link stays one
    if path.is_symlink():
        raise ScenarioError(f"{path}: could not be written: it is a link that leads back to itself")
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            Path(beside).chmod(mode)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ScenarioError(f"{path}: could not be written: {_os_fault(error)}") from error


def json_schema() -> dict[str, Any]:
    """The scenario's JSON Schema, with the options of every strategy and scheduler."""
    schema = Scenario.model_json_schema()
    defs = schema["$defs"]
    defs["AllocatorSpec"] = {
        "oneOf": [
            {
                "type": "object",
                "title": cls.title,
                "properties": {"name": {"const": name}, "options": cls.options_model.model_json_schema()},
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
                "title": discipline.title,
                "properties": {
                    "name": {"const": name},
                    "options": {
                        "type": "object",
                        "properties": {
                            key: {"enum": list(values)} for key, values in discipline.options.items()
                        },
                        "additionalProperties": False,
                    },
                },
                "required": ["name"],
                "additionalProperties": False,
            }
            for name, discipline in DISCIPLINES.items()
        ]
    }
    defs.pop("Options", None)
    schema["required"] = ["meshgui", *schema["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} stands twice in one object")
    return data


def _has_half_a_character(data: dict[str, Any]) -> bool:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _json_fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return "a number has too many digits" if "digits" in str(error) else str(error)


def _on_one_line(message: str) -> str:
    """The message with line breaks and other control characters, which names may hold, written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)


def _os_fault(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _kind(value: Any) -> str:  # noqa: ANN401 - any JSON value
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "a truth value",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else names[type(value)]


def _one_line(error: ValidationError, data: dict[str, Any]) -> str:
    """The first complaint, as `field: what was expected`."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "at":
        return f"{first['ctx']['field']}: {first['msg']}"
    parts: list[str] = []
    here: Any = data
    tagged = False
    for part in first["loc"]:  # pydantic adds the tag of a union to the place; the file does not know it
        if isinstance(here, dict) and part == here.get("kind") and not tagged:
            tagged = True
            continue
        tagged = False
        parts.append(str(part))
        here = here[part] if isinstance(here, dict) and part in here else here
        here = here[part] if isinstance(here, list) and isinstance(part, int) and part < len(here) else here
    return f"{'.'.join(parts) or 'scenario'}: {_expectation(first)}"


_EXPECTED = {
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
    "tuple_type": "a list",
    "string_type": "a text",
    "string_unicode": "a text in Unicode",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "none_required": "null",
}


def _expectation(first: ErrorDetails) -> str:
    kind, message, limits = first["type"], first["msg"], first.get("ctx", {})
    if kind == "extra_forbidden":
        return "no such key is known here"
    if kind == "missing":
        return "expected a value, but the key is missing"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    if kind == "union_tag_not_found":
        return "expected a kind, but the key is missing"
    if kind == "union_tag_invalid":
        return f"expected kind to be one of {limits['expected_tags']}"
    if kind in {"too_short", "too_long"}:
        bound = (
            f"at least {limits['min_length']}" if kind == "too_short" else f"at most {limits['max_length']}"
        )
        items = "item" if bound.endswith(" 1") else "items"
        return f"expected {bound} {items}, got {limits['actual_length']}"
    text = json.dumps(first["input"], ensure_ascii=False, default=str)
    shown = text if len(text) <= 60 else text[:57] + "…"
    wanted = _EXPECTED.get(kind, message.removeprefix("Input should be "))
    return f"expected {wanted}, got {shown}"
