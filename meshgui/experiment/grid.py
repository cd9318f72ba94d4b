"""An experiment: a scenario, the fields that are varied, and how precise the results have to be."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Any, Final, Self

from pydantic import Field, field_validator, model_validator

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.parts import Part, Text
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import NUMBERS, no_such_figure
from meshgui.engine.scenario import Scenario, ScenarioError, refuse_elsewhere, scenario_from
from meshgui.engine.scenario.chance import depends_on_seed
from meshgui.engine.scenario.models import LAST_SEED
from meshgui.experiment.batches import BATCHED, Batches
from meshgui.experiment.fields import (
    FieldAxis,
    FieldError,
    check_axis,
    labels_of,
    order_of,
    point_words,
    with_field,
)
from meshgui.experiment.limits import MAX_AXES, MAX_POINT_JOBS, MAX_POINTS
from meshgui.experiment.run_spec import RunSpec, plugins_of, run_spec_of

_FILES: Final = {"workload", "workload.path"}
_PARTS_OF_TRACES: Final = {"workload.first_job", "workload.max_jobs"}
_LONGEST_TITLE: Final = 1000
_USUAL: Final = ("turnaround", "utilization")
_USUAL_OF_NETWORKS: Final = ("latency",)
_USUAL_OF_LOADS: Final = ("packet_latency", "throughput")


class Target(Part):
    """When a point has been run often enough: its figures are known to within a share of their means.

    With fewer than ten runs at least, intervals that are narrow by chance end it too soon: the page of the
    manual on sweeps has how often the intervals then hold the mean.
    """

    precision: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.05
    confidence: Annotated[float, Field(ge=0.5, le=0.9999, allow_inf_nan=False)] = 0.95
    least: Annotated[int, Field(ge=1, le=1_000_000, description=tr("Runs of every point"))] = 10
    most: Annotated[int, Field(ge=1, le=1_000_000, description=tr("Runs of a point, precise or not"))] = 1000
    figures: Annotated[
        tuple[str, ...],
        Field(
            description=tr("Figures whose precision counts; by default turnaround, utilisation and latency")
        ),
    ] = ()

    @field_validator("figures")
    @classmethod
    def _known(cls, figures: tuple[str, ...]) -> tuple[str, ...]:
        for name in figures:
            if name not in NUMBERS or NUMBERS[name].wall:
                raise ValueError(no_such_figure(name))
        return figures

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.most < self.least:
            raise ValueError(
                tr("expected at least as many as the minimum ({least}), got {most}").format(
                    least=self.least, most=self.most
                )
            )
        return self

    def wanted(self, scenario: Scenario) -> tuple[str, ...]:
        """The figures whose precision counts in a scenario."""
        network = scenario.network
        if network is not None and network.load is not None:
            return self.figures or _USUAL_OF_LOADS
        return self.figures or (_USUAL if network is None else _USUAL + _USUAL_OF_NETWORKS)


@dataclass(frozen=True)
class GridPoint:
    """One combination of values, and the scenario it makes."""

    index: int
    values: tuple[Any, ...]  # in the order of the axes
    labels: tuple[str, ...]  # the same in words, no two points alike
    scenario: Scenario
    spec: RunSpec

    @cached_property
    def drawn(self) -> bool:
        """Whether its runs differ by their seeds; else one says all."""
        return depends_on_seed(self.scenario)


@dataclass(frozen=True)
class Experiment:
    """A grid over fields of a scenario; points go by the axes' values in order, the last axis fastest."""

    scenario: Scenario
    axes: tuple[FieldAxis, ...] = ()
    target: Target = field(default_factory=Target)
    batches: Batches | None = None
    title: Text = ""
    against: str = ""  # KEY=VALUE: the points beside which the others are set, if any

    @cached_property
    def points(self) -> tuple[GridPoint, ...]:
        """All points; each is a sound scenario, or FieldError says which is not."""
        return tuple(
            self._point(index, values, labels)
            for index, (values, labels) in enumerate(
                zip(
                    product(*(axis.values for axis in self.axes)),
                    product(*(labels_of(axis.values) for axis in self.axes)),
                    strict=True,
                )
            )
        )

    @cached_property
    def id(self) -> str:
        """A hash of what is run and of how often: the same for the same experiment under any title."""
        data = self.as_data()
        text = json.dumps(
            [[point.spec.key for point in self.points], data["axes"], data["target"], self.seed],
            sort_keys=True,
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def plugins(self) -> dict[str, str]:
        """The code of each third party's class that a point uses, by its kind and id."""
        return {k: v for point in self.points for k, v in plugins_of(point.scenario).items()}

    @property
    def seed(self) -> int:
        """The seed of every point's first replication; the others follow it one by one."""
        return self.scenario.seed

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields varied."""
        return tuple(axis.key for axis in self.axes)

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, needing no other file."""
        data = {
            "title": self.title,
            "scenario": self._by_itself().model_dump(mode="json"),
            "axes": [axis.model_dump(mode="json") for axis in self.axes],
            "target": self.target.model_dump(mode="json"),
            "batches": None if self.batches is None else self.batches.model_dump(mode="json"),
        }
        return data | {"against": self.against} if self.against else data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Back from plain data."""
        batches = data.get("batches")
        return cls(
            scenario_from(data["scenario"]),
            tuple(check_axis(FieldAxis.model_validate(axis)) for axis in data["axes"]),
            Target.model_validate(data["target"]),
            None if batches is None else Batches.model_validate(batches),
            data.get("title", ""),
            data.get("against", ""),
        )

    def _by_itself(self) -> Scenario:
        """The scenario without other files, as far as what is varied allows."""
        if not _FILES.isdisjoint(self.keys):
            return self.scenario
        return self.scenario.whole(all_jobs=not _PARTS_OF_TRACES.isdisjoint(self.keys))

    @cached_property
    def _plain(self) -> dict[str, Any]:
        return self.scenario.model_dump(mode="json")

    def _point(self, index: int, values: tuple[Any, ...], labels: tuple[str, ...]) -> GridPoint:
        data = self._plain
        settings = zip(self.keys, values, strict=True)
        for key, value in sorted(settings, key=lambda setting: order_of(setting[0])):
            data = with_field(data, key, value)
        named = dict(zip(self.keys, labels, strict=True))
        try:
            scenario = scenario_from(data, point_words(named))
        except ScenarioError as error:
            raise FieldError(error.message, error.field, named) from None
        if self.batches is not None and (fault := self.batches.unfit(scenario)):
            raise FieldError(fault, values=named)
        return GridPoint(index, values, labels, scenario, run_spec_of(scenario, self.batches))


def experiment_from(data: dict[str, Any], check: Callable[[Experiment], None] = lambda _: None) -> Experiment:
    """An experiment from a stranger's plain data, checked by `check` and then as by `experiment_of`."""
    refuse_elsewhere(data["scenario"], "scenario")
    found = Experiment.from_data(data)
    check(found)
    if not isinstance(found.title, str) or len(found.title) > _LONGEST_TITLE:
        raise FieldError(tr("expected text"), "title")  # untranslated: a key of the file
    if not isinstance(found.against, str) or len(found.against) > _LONGEST_TITLE:
        raise FieldError(tr("expected text"), "against")  # untranslated: a key of the file
    return experiment_of(found.scenario, found.axes, found.target, found.batches, found.title, found.against)


def experiment_of(
    scenario: Scenario,
    axes: tuple[FieldAxis, ...],
    target: Target,
    batches: Batches | None = None,
    title: str = "",
    against: str = "",
) -> Experiment:
    """An experiment that has been looked through: every point of it can be run."""
    if len(axes) > MAX_AXES:
        raise FieldError(
            tr("expected at most {most} varied fields, got {axes}").format(most=MAX_AXES, axes=len(axes))
        )
    keys = [axis.key for axis in axes]
    for key, axis in zip(keys, axes, strict=True):
        check_axis(axis)
        if keys.count(key) > 1:
            raise FieldError(tr("expected this field once, with all its values, got it twice"), key)
    size = math.prod(len(axis.values) for axis in axes)
    if size > MAX_POINTS:
        raise FieldError(
            tr("expected at most {MAX_POINTS} points, got {size}").format(MAX_POINTS=MAX_POINTS, size=size)
        )
    lists = getattr(scenario.workload, "jobs", ()), getattr(scenario.network, "packets", ())
    listed = size * sum(len(rows) for rows in lists if isinstance(rows, tuple))
    if listed > MAX_POINT_JOBS:
        raise FieldError(
            tr("expected at most {most} listed jobs and packets at all points together, got {listed}").format(
                most=MAX_POINT_JOBS, listed=listed
            )
        )
    if batches is not None and scenario.network is not None and scenario.network.load is not None:
        raise FieldError(tr("expected no batches of jobs: the scenario has a steady load of packets"))
    if batches is not None:
        unknown = [name for name in target.figures if name not in BATCHED]
        if unknown:
            known = ", ".join(BATCHED)
            raise FieldError(
                tr("batches have no such figure: expected one of {known}").format(known=known), unknown[0]
            )
        target = target.model_copy(update={"least": 1, "most": 1})  # one long run, its own replications
    if scenario.seed + target.most - 1 > LAST_SEED:
        last = LAST_SEED - target.most + 1
        raise FieldError(
            tr("expected at most {last}, for {most} runs, got {seed}").format(
                last=last, most=target.most, seed=scenario.seed
            ),
            "seed",
        )
    experiment = Experiment(scenario, axes, target, batches, title or scenario.title, against)
    _ = experiment.points
    return experiment
