"""Bounded Gradual Partitioning (003): Best Fit in parts, never more boxes than a bound, fixed or controlled.

BGP(n,0) has the fixed bound n; with 1 it is Best Fit. BGP(u,1) leaves the bound to a fuzzy controller that
holds the utilisation at u per cent: 003 figure 4 has it refreshed after each success, here once for the whole
job. As figures 2 to 4 are printed, the small part is never placed and the bound is tested after it has been
passed; what the text means is that both parts are placed, and that there are never more boxes than the bound.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from meshgui.engine.allocation.base import BlockOptions, Source
from meshgui.engine.allocation.best_fit import BestFit, Regions, best_state, search
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import FreeBits, release, take
from meshgui.engine.allocation.fuzzy_control import REACH, RULES, bound_change
from meshgui.engine.allocation.held_processors import Processors
from meshgui.engine.allocation.inspection import Chart, ChartMarker, Curve, Inspection, Moment, State, Table
from meshgui.engine.allocation.kernel_strategy import StrategyKernels
from meshgui.engine.allocation.panels import TableBuilder
from meshgui.engine.allocation.partitioning import OVER, PartitioningStrategy, partition, pseudo_code
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Step, note_numbers
from meshgui.engine.allocation.turning import Turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Size, describe_size
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.parts import Flag, at
from meshgui.engine.basics.translation import tr

_UNIT = 1000  # the controller's bound is in thousandths of a box, so that it is the same on every machine
_REMEMBERED = 64  # allocations in the history
_NUMBER, _BUSY, _BOUND = range(3)  # the history's columns

_Count = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]


class BgpOptions(BlockOptions):
    """How many boxes at most, and whether the controller decides that; its target and its limit."""

    bound: _Count = Field(
        4, description=tr("the most boxes a job may get; under control, those at the start")
    )
    fuzzy: Flag = Field(False, description=tr("whether the controller moves the bound"))
    target: int = Field(80, ge=1, le=100, strict=True, description=tr("the utilisation to hold, in per cent"))
    # 003 tries no fixed bound above
    highest: _Count = Field(20, description=tr("under control, the bound never rises beyond this"))

    @model_validator(mode="after")
    def _starts_below_the_highest(self) -> Self:
        if self.fuzzy and self.bound > self.highest:
            said = tr("expected at most highest ({highest}), got {bound}")
            raise at(".bound", said.format(highest=self.highest, bound=self.bound))
        return self


_CONTROL = PseudoCode()
_ERROR = _CONTROL.line("error", "if the bound is controlled: the error is the target less the utilisation")
_CONTROL.says(
    "With these boxes {used} % of the processors are busy, so the error from {target} % is {error}."
)
_DEGREES = _CONTROL.line("degrees", "to what degree is utilisation too high, on target, too low?", 1)
_CONTROL.says("Utilisation is too high to the degree {high}, on target to {level}, too low to {low}.")
_CHANGE = _CONTROL.decision("change", "move the bound by what the rules say, weighted by the degrees", 1)
_CONTROL.says("The rules move the bound by {change}: from {old} to {new}.")
_LINES, _PLACES = pseudo_code(BestFit, OVER, *_CONTROL.lines)
_AT = _PLACES.split + 1  # where the lines of the control stand


class Control(NamedTuple):
    """The part of a state that bounds the boxes of a job."""

    fuzzy: int  # whether the bound is controlled
    target: int  # in per cent
    highest: int
    bound: Ints32  # one number, in thousandths of a box
    history: Ints32  # room for the latest allocations
    remembered: Ints  # one number: how many there are


class BoundedState(NamedTuple):
    """Best Fit's state, and the controller's."""

    tally: Ints
    processors: Processors
    turning: Turning
    bits: FreeBits
    weights: Ints
    regions: Regions
    control: Control


@kernel
def most(state: BoundedState) -> int:
    """The bound, rounded down: a box is allowed when the controller allows all of it."""
    return int(state.control.bound[0]) // _UNIT


@kernel
def error_of(busy: int, processors: int, target: int) -> float:
    """The target less the utilisation, in percentage points."""
    return target - 100 * busy / processors


@kernel
def remember(history: Ints32, count: int, busy: int, bound: int) -> int:
    """Add an allocation to a history of this many, the oldest of which goes when it is full: how many now."""
    number = history[count - 1, _NUMBER] + 1 if count else 1
    if count == history.shape[0]:
        for n in range(1, count):
            for column in range(3):
                history[n - 1, column] = history[n, column]
        count -= 1
    history[count, _NUMBER], history[count, _BUSY], history[count, _BOUND] = number, busy, bound
    return count + 1


@kernel
def conclude(state: BoundedState, log: Log) -> None:
    """Move the bound by the utilisation that a job's boxes have led to, if it is controlled."""
    control = state.control
    if not control.fuzzy:
        return
    processors, old = state.processors.held.size, int(control.bound[0])
    busy = processors - state.processors.free[0]
    verdict = bound_change(error_of(busy, processors, control.target))
    new = old + round(verdict.change * _UNIT)
    new = min(max(new, _UNIT), control.highest * _UNIT)
    if log is not None:
        first, second, third = verdict.degrees
        high, level, low = round(first * _UNIT), round(second * _UNIT), round(third * _UNIT)
        note_numbers(log, _AT + _ERROR, busy)
        note_numbers(log, _AT + _DEGREES, high, level, low)
        note_numbers(log, _AT + _CHANGE, old, new, busy)
    control.bound[0] = new
    control.remembered[0] = remember(control.history, control.remembered[0], busy, new)


@kernel
def take_and_conclude(state: BoundedState, job: int, given: Ints32, count: int) -> None:
    """The controller looks at the utilisation with the boxes in it."""
    take(state, job, given, count)
    conclude(state, None)


class BoundedPartitioning(PartitioningStrategy):
    """Best Fit for each part, in no more boxes than the bound."""

    id = "bgp"
    title = tr("Bounded Gradual Partitioning")
    dims = frozenset({2, 3})
    rotates = False
    contiguous = False
    learns = frozenset({"controller_bound", "controller_history"})
    source = Source("003", "§II D and §III, figures 1 to 4")
    options_model = BgpOptions
    finder: ClassVar[type[FirstFit | BestFit]] = BestFit
    lines, places = _LINES, _PLACES
    kernels = StrategyKernels(
        release,
        allocate=with_parts(
            partition, "bgp", search=search, most=most, conclude=conclude, PLACES=places, FIRST_OF_EQUAL=True
        ),
        take=take_and_conclude,
    )

    def empty_state(self) -> BoundedState:
        chosen = self.chosen
        bound = np.array([chosen.bound * _UNIT], dtype=np.int32)
        history, remembered = np.zeros((_REMEMBERED, 3), dtype=np.int32), np.zeros(1, dtype=np.int64)
        control = Control(int(chosen.fuzzy), chosen.target, chosen.highest, bound, history, remembered)
        return BoundedState(*best_state(self.mesh, turns=False), control)

    @property
    def chosen(self) -> BgpOptions:
        """The options."""
        if not isinstance(self.options, BgpOptions):
            raise TypeError(f"expected the options of {self.id}, got {self.options!r}")
        return self.options

    def capture(self) -> State:
        *_, bound, history, remembered = self.state.control
        known = history[: remembered[0]]
        return super().capture() | {"controller_bound": bound.copy(), "controller_history": known.copy()}

    def restore(self, state: State) -> None:
        super().restore(state)
        *_, bound, history, remembered = self.state.control
        bound[...], known = state["controller_bound"], state["controller_history"]
        history[: len(known)], remembered[0] = known, len(known)

    def _refusal(self, size: Size) -> str | None:
        """A controlled bound may fall to one, so a request has to fit in one box."""
        if self.mesh.fits(size):
            return None
        if not self.chosen.fuzzy:
            return super()._refusal(size)
        said = tr(
            "{asked} does not fit into the empty {mesh} mesh in one box, and the controlled "
            "bound may allow no more"
        )
        return said.format(asked=describe_size(size, self.mesh.dims), mesh=self.mesh.describe())

    def _error(self, busy: int) -> float:
        return error_of(busy, self.mesh.processors, self.chosen.target)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        words = super().words(step, moment)
        values = step.marks[0].values
        if step.line == _AT + _ERROR:
            words["used"] = f"{100 * values[0] / self.mesh.processors:.1f}"
            words["target"] = self.chosen.target
            words["error"] = _signed(self._error(values[0]), 1)
        elif step.line == _AT + _DEGREES:
            words |= dict(zip(("high", "level", "low"), (f"{v / _UNIT:.2f}" for v in values), strict=True))
        elif step.line == _AT + _CHANGE:
            old, new, _ = values
            words |= {"old": _bound(old), "new": _bound(new), "change": _signed((new - old) / _UNIT, 2)}
        return words

    def inspect(self, moment: Moment) -> Inspection:
        """The parts and their search; the bound; and, where it is controlled, how that came about."""
        seen = super().inspect(moment)
        panels = (*seen.panels, *self._controller(moment)) if self.chosen.fuzzy else seen.panels
        return Inspection(panels, seen.marks, seen.says, heat=seen.heat)

    def _controller(self, moment: Moment) -> tuple[Table | Chart, ...]:
        """The controller's panels: as it stands, or as the steps so far have moved it."""
        history = moment.state["controller_history"]
        bound = int(moment.state["controller_bound"][0])
        busy = int(history[-1, _BUSY]) if len(history) else None
        fresh = False
        for step in moment.steps[-4:]:  # the controller speaks last, before the boxes are given
            if step.line == _AT + _ERROR:
                busy, fresh = step.marks[0].values[0], True
            elif step.line == _AT + _CHANGE:
                _, bound, busy = step.marks[0].values
                length = len(history)
                history = np.vstack((history, np.zeros((int(length < _REMEMBERED), 3), dtype=np.int32)))
                remember(history, length, busy, bound)
        error = None if busy is None else self._error(busy)
        return (
            self._state_table(busy, bound),
            _memberships(error, self.chosen.target, current=fresh),
            _rules(error, current=fresh),
            _bounds(history),
            self._utilisations(history),
        )

    def _state_table(self, busy: int | None, bound: int) -> Table:
        used, error = None, None
        if busy is not None:
            used = f"{100 * busy / self.mesh.processors:.1f} %"
            error = _signed(self._error(busy), 1)
        table = TableBuilder(tr("Controller"), ("", tr("Now")))
        table.row(tr("Bound"), str(bound // _UNIT))
        table.row(tr("before rounding down"), _bound(bound))
        table.row(tr("Target"), f"{self.chosen.target} %")
        table.row(tr("Utilisation at the latest success"), used)
        table.row(tr("Error", "of the control"), error)
        return table.table()

    def _utilisations(self, history: Ints32) -> Chart:
        """The utilisation each success led to, beside the target."""
        numbers = history[:, _NUMBER].astype(np.float64)
        used = Curve(
            tr("utilisation"), numbers, 100.0 * history[:, _BUSY] / self.mesh.processors, current=True
        )
        target = Curve(tr("target"), numbers, np.full(len(history), float(self.chosen.target)))
        return _over_allocations(tr("Utilisation over the allocations"), "%", used, target)


def _bound(thousandths: int) -> str:
    return f"{thousandths / _UNIT:.2f}"


def _signed(number: float, digits: int) -> str:
    """With its sign, and a minus as long as the plus is wide."""
    return f"{number:+.{digits}f}".replace("-", "−")


def _memberships(error: float | None, target: float, *, current: bool) -> Chart:
    """The three sets of errors, and where the error lies."""
    least, most = min(-2 * REACH, target - 100), max(2 * REACH, target)  # every error there may be
    x = np.linspace(least, most, round(2 * (most - least)) + 1)
    degrees = np.array([bound_change(value).degrees for value in x.tolist()])
    curves = tuple(Curve(rule.utilisation, x, degrees[:, n]) for n, rule in enumerate(RULES))
    label = tr("error now") if current else tr("latest error")
    signs = () if error is None else (ChartMarker(f"{label} {_signed(error, 1)}", error),)
    return Chart(
        tr("Memberships of the error"), tr("error in percentage points"), tr("degree"), curves, signs
    )


def _rules(error: float | None, *, current: bool) -> Table:
    """The rules, and to what degree each fires."""
    degrees = (None,) * len(RULES) if error is None else bound_change(error).degrees
    columns = (tr("If utilisation is"), tr("then the bound"), tr("Degree"))
    table = TableBuilder(tr("Rules"), columns)
    for rule, degree in zip(RULES, degrees, strict=True):
        said = None if degree is None else f"{degree:.2f}"
        fires = current and degree is not None and round(degree, 2) > 0
        table.row(rule.utilisation, rule.bound, said, current=fires)
    return table.table()


def _bounds(history: Ints32) -> Chart:
    """The bound after each success."""
    numbers, exact = history[:, _NUMBER].astype(np.float64), history[:, _BOUND] / _UNIT
    rounded = Curve(tr("bound"), numbers, np.floor(exact), steps=True, current=True)
    before = Curve(tr("before rounding down"), numbers, exact)
    return _over_allocations(tr("Bound over the allocations"), tr("boxes"), rounded, before)


def _over_allocations(title: str, unit: str, *curves: Curve) -> Chart:
    """Curves over the allocations so far; none before the first."""
    known = curves if len(curves[0].x) else ()
    never = tr("Nothing yet: no job has been placed.")
    return Chart(title, tr("successful allocations"), unit, known, empty=never)
