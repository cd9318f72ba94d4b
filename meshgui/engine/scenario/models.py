"""The scenario: all that a run depends on."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.page_limits import within_limits
from meshgui.engine.basics.parts import Part, Text
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.scenario.checks import check_failures, check_together
from meshgui.engine.scenario.failures import MachineSpec
from meshgui.engine.scenario.specs import AllocatorSpec, MeshSpec, SchedulerSpec
from meshgui.engine.workload.spec import Workload
from meshgui.engine.workload.trace import TraceWorkload

LAST_SEED: Final = 2**63 - 1


class Scenario(Part):
    """All that a run depends on."""

    meshgui: Literal[1] = 1
    title: Annotated[Text, Field(max_length=200), AfterValidator(harmless)] = ""
    notes: Annotated[Text, AfterValidator(within_limits)] = ""
    mesh: MeshSpec
    allocator: AllocatorSpec
    scheduler: SchedulerSpec = SchedulerSpec()
    workload: Workload
    network: NetworkSpec | None = None
    reliability: MachineSpec | None = Field(
        None, alias="machine", description=tr("What fails, and what becomes of the jobs on it; null: nothing")
    )
    seed: Annotated[int, Field(ge=0, le=LAST_SEED, strict=True)] = 1

    @model_serializer(mode="wrap")
    def _as_older_versions_read_it(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """With `machine` only where something is said of it."""
        data: dict[str, Any] = handler(self)
        machine = data.pop("reliability", None)
        return data if machine is None else data | {"machine": machine}

    @property
    def fails(self) -> bool:
        """Whether processors may fail."""
        return self.reliability is not None and self.reliability.failures != ()

    @property
    def machine(self) -> Mesh:
        """The mesh to work with."""
        return self.mesh.machine

    @property
    def job_count(self) -> int:
        """How many jobs there are."""
        return self.workload.job_count

    def whole(self, *, all_jobs: bool = False) -> Self:
        """The same scenario by itself: a trace it names is replaced by the jobs taken from it, or by all."""
        workload = self.workload
        if not isinstance(workload, TraceWorkload):
            return self
        whole = workload.with_all_jobs() if all_jobs else workload.whole()
        return self if whole is workload else self.model_copy(update={"workload": whole})

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        check_together(self.machine, self.allocator, self.scheduler, self.workload, self.network)
        if self.reliability is not None and self.fails:
            check_failures(self.reliability, self.machine, self.allocator, self.network)
        return self
