"""The parts of a scenario that choose the machine, the allocation strategy and the queue discipline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import Field, SerializeAsAny, ValidationError, ValidationInfo, field_serializer, field_validator

from meshgui.engine.allocation.base import Options, Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.limits import MAX_MESH
from meshgui.engine.basics.parts import Part, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import Side


class MeshSpec(Part):
    """The machine."""

    shape: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]

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
        except (StrategyError, DisciplineError) as error:
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
