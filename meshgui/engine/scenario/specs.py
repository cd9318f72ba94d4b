"""The parts of a scenario that choose the machine, the allocation strategy and the queue discipline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import (
    Field,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
)

from meshgui.engine.allocation.base import Options, Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_MESH
from meshgui.engine.basics.parts import Flag, Part, at, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import Side

SHORTEST_RING: Final = 3  # processors: in a shorter one two links would join the same two


class MeshSpec(Part):
    """The machine."""

    shape: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]
    wrap: Annotated[tuple[Flag, ...], Field(max_length=3)] = Field(
        (), description=tr("Whether each axis is a ring: a link joins its last processor to its first")
    )

    @property
    def machine(self) -> Mesh:
        """The mesh to work with."""
        return Mesh(self.shape, self.wrap if any(self.wrap) else ())

    @model_serializer(mode="wrap")
    def _as_older_versions_read_it(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without `wrap` where no axis is a ring."""
        data: dict[str, Any] = handler(self)
        return data if any(self.wrap) else {"shape": data["shape"]}

    @model_validator(mode="after")
    def _rings_are_long_enough(self) -> Self:
        if self.wrap and len(self.wrap) != len(self.shape):
            said = tr("expected a value for each of {dims} axes, got {count}")
            raise at(".wrap", said.format(dims=len(self.shape), count=len(self.wrap)))
        for axis, (ring, side) in enumerate(zip(self.wrap, self.shape, strict=False)):
            if ring and side < SHORTEST_RING:
                said = tr("expected a side of at least {least} where the axis is a ring, got {side}")
                raise at(f".shape.{axis}", said.format(least=SHORTEST_RING, side=side))
        return self

    @field_validator("shape")
    @classmethod
    def _not_too_large(cls, shape: tuple[int, ...]) -> tuple[int, ...]:
        if Mesh(shape).processors > MAX_MESH:
            said = tr("expected at most {MAX_MESH} processors, got {processors}")
            raise ValueError(said.format(MAX_MESH=MAX_MESH, processors=Mesh(shape).processors))
        return shape


class _Choice(Part):
    """A class that is chosen by its name, and its options."""

    class_of: ClassVar[Callable[[str], type[Strategy | Discipline]]]
    name: str

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            cls.class_of(name)
        except RunError as error:
            raise ValueError(printable(str(error))) from None
        return name

    @field_validator("options", mode="before", check_fields=False)
    @classmethod
    def _of_the_class(cls, given: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - any value
        if "name" not in info.data:  # the name is wrong already
            return cls.model_fields["options"].default
        return _validated(cls.class_of(info.data["name"]).options_model, given, info.data["name"])


class AllocatorSpec(_Choice):
    """The allocation strategy and its options."""

    class_of = strategy
    options: SerializeAsAny[Options] = Field(default=Options(), validate_default=True)


class SchedulerSpec(_Choice):
    """The queue discipline and its options."""

    class_of = discipline
    name: str = "fcfs"
    options: SerializeAsAny[DisciplineOptions] = Field(default=DisciplineOptions(), validate_default=True)

    @field_serializer("options")
    def _as_written(self, options: DisciplineOptions) -> dict[str, Any]:
        """Only the options that were stated: what is left out has its default."""
        return options.model_dump(mode="json", exclude_unset=True)


def _validated(model: type[Part], given: Any, name: str) -> Part:  # noqa: ANN401 - any value
    """The options of the strategy or discipline of that name."""
    if isinstance(given, Part) and not isinstance(given, model):
        given = given.model_dump()
    try:
        return model.model_validate(given)
    except ValidationError:
        raise
    except Exception as error:
        said = tr("{name} failed on them: {fault}")
        raise ValueError(said.format(name=name, fault=type(error).__name__)) from error
