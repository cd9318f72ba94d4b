"""Bounded Gradual Partitioning (003): Best Fit in parts, never more boxes than a bound, fixed or controlled.

BGP(n,0) has the fixed bound n; with 1 it is Best Fit. BGP(u,1) leaves the bound to a fuzzy controller that
holds the utilisation at u per cent, or any of 003's six indicators at a target: figure 4 has it refreshed
after each success, here once for the whole job. As figures 2 to 4 are printed, the small part is never placed
and the bound is tested after it has been passed; what the text means is that both parts are placed, and that
there are never more boxes than the bound.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from meshgui.engine.allocation.base import BlockOptions, Boxes, Source
from meshgui.engine.allocation.best_fit import BestFit, search
from meshgui.engine.allocation.feedback import NO_FEEDBACK, NOW
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import release as vacate_all
from meshgui.engine.allocation.free_bits import take
from meshgui.engine.allocation.fuzzy_control import (
    OUT,
    PENDING,
    UNIT,
    Control,
    Indicator,
    Indicators,
    count_blocks,
    first_control,
    moved,
    pass_time,
    remember,
    value_of,
    verdict_of,
)
from meshgui.engine.allocation.fuzzy_panels import ControlPanels, Reading, bound_in_words, signed
from meshgui.engine.allocation.inspection import Inspection, Moment, Request, State
from meshgui.engine.allocation.kernel_strategy import KernelRequest, StrategyKernels
from meshgui.engine.allocation.partitioning import (
    OVER,
    PartitioningStrategy,
    PartitionState,
    partition,
    pseudo_code,
)
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Step, note_numbers
from meshgui.engine.basics.arrays import Floats, Ints32
from meshgui.engine.basics.geometry import Size, describe_size
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.parts import Flag, at
from meshgui.engine.basics.translation import formatted, tr

_Count = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
_Move = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False, strict=True)]
_MAX_LOGGED = 2**31 - 1  # of a number in a log


class BgpOptions(BlockOptions):
    """How many boxes at most, and whether the controller decides that; what it holds, and its rules."""

    bound: _Count = Field(
        4, description=tr("the most boxes a job may get; under control, those at the start")
    )
    fuzzy: Flag = Field(False, description=tr("whether the controller moves the bound"))
    target: int = Field(80, ge=1, le=100, strict=True, description=tr("the utilisation to hold, in per cent"))
    # 003 tries no fixed bound above
    highest: _Count = Field(20, description=tr("under control, the bound never rises beyond this"))
    indicators: Indicators = Field(
        (), description=tr("what the controller holds, in place of the utilisation alone at its target")
    )
    measure: Literal["current", "cumulative"] = Field(
        "current",
        description=tr("whether an indicator is its latest value, or the mean since the run began"),
    )
    when_high: _Move = Field(
        -1.0,
        description=tr(
            "by how many boxes the bound moves where an indicator is too high; by as many the other way for "
            "turnaround and service"
        ),
    )
    when_on_target: _Move = Field(0.0, description=tr("by how many where it is on target"))
    when_low: _Move = Field(1.0, description=tr("by how many where it is too low"))

    @model_validator(mode="after")
    def _starts_below_the_highest(self) -> Self:
        if self.fuzzy and self.bound > self.highest:
            said = tr("expected at most highest ({highest}), got {bound}")
            raise at(".bound", said.format(highest=self.highest, bound=self.bound))
        names = [one.of for one in self.indicators]
        for n, name in enumerate(names):
            if name in names[:n]:
                raise at(
                    f".indicators.{n}.of",
                    tr("expected each indicator once, got {name} again").format(name=name),
                )
        return self

    @property
    def strictest(self) -> Self:
        """A controlled bound may fall to one."""
        return self.model_copy(update={"bound": 1}) if self.fuzzy else self

    @property
    def controlled(self) -> Indicators:
        """The indicators that are held."""
        return self.indicators or (Indicator(of="utilization", target=float(self.target)),)

    @property
    def rules(self) -> tuple[float, float, float]:
        """By how many boxes the bound moves where an indicator is too high, on target, too low."""
        return self.when_high, self.when_on_target, self.when_low


_CONTROL = PseudoCode()
_ERROR = _CONTROL.line(
    "error", "if the bound is controlled: an indicator's error is its target less its value"
)
_CONTROL.says("{measured}, so the error from {target} is {error}.")
_DEGREES = _CONTROL.line("degrees", "to what degree is it too high, on target, too low?", 1)
_CONTROL.says("{indicator} is too high to the degree {high}, on target to {level}, too low to {low}.")
_CHANGE = _CONTROL.decision("change", "move the bound by what the rules say, weighted by the degrees", 1)
_CONTROL.says("The rules move the bound by {change}: from {old} to {new}.")

_LINES, _PLACES = pseudo_code(BestFit, OVER, *_CONTROL.lines)
_AT = _PLACES.split + 1  # where the lines of the control stand


@kernel
def most(state: PartitionState) -> int:
    """The bound, rounded down: a box is allowed when the controller allows all of it."""
    return int(state.limit.bound[0]) // UNIT


@kernel
def busy_processors(state: PartitionState) -> int:
    """How many processors jobs hold."""
    return int(state.processors.held.size - state.processors.free[0] - state.limit.record[OUT])


@kernel
def note_errors(log: Log, control: Control, busy: int, processors: int) -> None:
    """Log each indicator that is known: its value to a thousandth, and to what degree each rule holds."""
    for n in range(control.kinds.size):
        value = value_of(control, control.kinds[n], busy, processors)
        if np.isnan(value):
            continue
        whole = int(min(value, _MAX_LOGGED))
        first, second, third = verdict_of(control, n, value).degrees
        high, level, low = round(first * UNIT), round(second * UNIT), round(third * UNIT)
        note_numbers(log, _AT + _ERROR, n, whole, round((min(value, _MAX_LOGGED) - whole) * UNIT))
        note_numbers(log, _AT + _DEGREES, high, level, low)


@kernel
def conclude(state: PartitionState, request: KernelRequest, count: int, log: Log) -> None:
    """Move the bound by what a job's boxes have led to, if it is controlled."""
    control = state.limit
    if not control.fuzzy:
        return
    processors, old = state.processors.held.size, int(control.bound[0])
    busy = busy_processors(state)
    pass_time(control, request.now, busy - request.w * request.d * request.h)
    count_blocks(control, count)
    new = moved(control, busy, processors)
    if log is not None:
        note_errors(log, control, busy, processors)
        note_numbers(log, _AT + _CHANGE, old, new, busy)
    control.bound[0] = new
    control.remembered[0] = remember(control.history, control.remembered[0], busy, new)


@kernel
def take_and_conclude(state: PartitionState, job: int, boxes: Ints32, count: int) -> None:
    """The controller looks at the indicators with the boxes in them; the time is the pending one."""
    take(state, job, boxes, count)
    held = 0
    for n in range(count):
        held += boxes[n, 3] * boxes[n, 4] * boxes[n, 5]
    if job < 0:
        state.limit.record[OUT] += held
        return
    request = KernelRequest(job, int(held), 1, 1, float(state.limit.record[PENDING]), 0.0, 0)
    conclude(state, request, count, None)


@kernel
def release(state: PartitionState, job: int, log: Log) -> None:
    """Free what the job holds, which until now was busy, or what was held out."""
    control, free = state.limit, state.processors.free[0]
    if job >= 0 and control.fuzzy:
        pass_time(control, control.feedback[NOW], busy_processors(state))
    vacate_all(state, job, log)
    if job < 0:
        control.record[OUT] -= state.processors.free[0] - free


class BoundedPartitioning(PartitioningStrategy):
    """Best Fit for each part, in no more boxes than the bound."""

    id = "bgp"
    title = tr("Bounded Gradual Partitioning")
    learns = frozenset({"controller_bound", "controller_history", "controller_feedback", "controller_record"})
    source = Source("003", "§II D and §III, figures 1 to 4, table I")
    options_model = BgpOptions
    options: BgpOptions
    finder: ClassVar[type[FirstFit | BestFit]] = BestFit
    lines, places = _LINES, _PLACES
    kernels = StrategyKernels(
        release,
        allocate=with_parts(
            partition, "bgp", search=search, most=most, conclude=conclude, PLACES=places, FIRST_OF_EQUAL=True
        ),
        take=take_and_conclude,
    )

    def empty_state(self) -> PartitionState:
        chosen = self.options
        control = first_control(
            bound=chosen.bound,
            fuzzy=chosen.fuzzy,
            highest=chosen.highest,
            cumulative=chosen.measure == "cumulative",
            indicators=chosen.controlled,
            rules=chosen.rules,
        )
        return self.state_with(control)

    @property
    def feedback(self) -> Floats:
        chosen = self.options
        of_jobs = {one.of for one in chosen.controlled} - {"utilization", "blocks"}
        learning = chosen.fuzzy and (of_jobs or chosen.measure == "cumulative")
        return self.state.limit.feedback if learning else NO_FEEDBACK

    def replay(self, request: Request, boxes: Boxes) -> None:
        self.state.limit.record[PENDING] = request.now
        super().replay(request, boxes)

    def capture(self) -> State:
        control: Control = self.state.limit
        return super().capture() | {
            "controller_bound": control.bound.copy(),
            "controller_history": control.history[: control.remembered[0]].copy(),
            "controller_feedback": control.feedback.copy(),
            "controller_record": np.delete(control.record, PENDING),
        }

    def restore(self, state: State) -> None:
        super().restore(state)
        self._restored(self.state.limit, state)

    @staticmethod
    def _restored(control: Control, state: State) -> Control:
        """A controller as it was captured."""
        known = state["controller_history"]
        control.bound[...] = state["controller_bound"]
        control.history[: len(known)], control.remembered[0] = known, len(known)
        control.feedback[...] = state["controller_feedback"]
        control.record[...] = np.insert(state["controller_record"], PENDING, 0.0)
        return control

    def _refusal(self, size: Size) -> str | None:
        """A controlled bound may fall to one, so a request has to fit in one box."""
        if self.mesh.fits(size):
            return None
        if not self.options.fuzzy:
            return super()._refusal(size)
        said = tr(
            "{asked} does not fit into the empty {mesh} mesh in one box, and the controlled "
            "bound may allow no more"
        )
        return said.format(asked=describe_size(size, self.mesh.dims), mesh=self.mesh.describe())

    @property
    def _panels(self) -> ControlPanels:
        chosen = self.options
        return ControlPanels(chosen.controlled, chosen.rules, self.mesh.processors)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        words = super().words(step, moment)
        values = step.marks[0].values
        if step.line == _AT + _ERROR:
            words |= self._panels.error_words(values[0], values[1] + values[2] / UNIT)
        elif step.line == _AT + _DEGREES:
            words |= dict(
                zip(("high", "level", "low"), (formatted(v / UNIT, ".2f") for v in values), strict=True)
            )
            words["indicator"] = self._panels.title(moment.steps[-2].marks[0].values[0])
        elif step.line == _AT + _CHANGE:
            old, new, _ = values
            words |= {
                "old": bound_in_words(old),
                "new": bound_in_words(new),
                "change": signed((new - old) / UNIT, 2),
            }
        return words

    def inspect(self, moment: Moment) -> Inspection:
        """The parts and their search; the bound; and, where it is controlled, how that came about."""
        seen = super().inspect(moment)
        if not self.options.fuzzy:
            return seen
        panels = (*seen.panels, *self._panels.of(self._reading(moment)))
        return Inspection(panels, seen.marks, seen.says, heat=seen.heat)

    def _reading(self, moment: Moment) -> Reading:
        """The controller as it stands, or as the steps so far have moved it."""
        history, bound = moment.state["controller_history"], int(moment.state["controller_bound"][0])
        control = self._restored(self.empty_state().limit, moment.state)
        values: dict[int, float] = {}
        if len(history):
            busy = int(history[-1, 1])
            known = [value_of(control, int(kind), busy, self.mesh.processors) for kind in control.kinds]
            values = {n: value for n, value in enumerate(known) if not np.isnan(value)}
        fresh: set[int] = set()
        for step in moment.steps[-2 * len(control.kinds) - 2 :]:  # the controller speaks last
            if step.line == _AT + _ERROR:
                n, whole, part = step.marks[0].values
                values[n] = whole + part / UNIT
                fresh.add(n)
            elif step.line == _AT + _CHANGE:
                _, bound, busy = step.marks[0].values
                room = np.zeros((int(len(history) < len(control.history)), 3), dtype=np.int32)
                length = len(history)
                history = np.vstack((history, room))
                remember(history, length, busy, bound)
        return Reading(bound, history, values, frozenset(fresh))
