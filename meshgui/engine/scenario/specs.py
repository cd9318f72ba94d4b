"""The parts of a scenario that choose the machine, the allocation strategy and the queue discipline."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
)

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.limits import MAX_MESH
from meshgui.engine.basics.parts import Part, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import Side


class MeshSpec(Part):
    """The machine."""

    shape: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]

    @field_validator("shape")
    @classmethod
    def _not_too_large(cls, shape: tuple[int, ...]) -> tuple[int, ...]:
        if Mesh(shape).processors > MAX_MESH:
            raise ValueError(
                tr("expected at most {MAX_MESH} processors, got {processors}").format(
                    MAX_MESH=MAX_MESH, processors=Mesh(shape).processors
                )
            )
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
    def _of_the_strategy(cls, given: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - any value
        if "name" not in info.data:  # the name is wrong already
            return Options()
        return _validated(strategy(info.data["name"]).options_model, given, info.data["name"])


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
    def _of_the_discipline(cls, given: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - any value
        if "name" not in info.data:  # the name is wrong already
            return DisciplineOptions()
        return _validated(discipline(info.data["name"]).options_model, given, info.data["name"])

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
        raise ValueError(
            tr("{name} failed on them: {fault}").format(name=name, fault=type(error).__name__)
        ) from error
