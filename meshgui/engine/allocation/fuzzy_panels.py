"""What an inspector shows of a fuzzy controller: indicators, memberships, rules, and the bound over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.fuzzy_control import (
    BOUND,
    BUSY,
    NAMES,
    NUMBER,
    TITLES,
    UNIT,
    UTILIZATION,
    Indicator,
    Indicators,
    degrees_of,
    sign_of,
)
from meshgui.engine.allocation.inspection import Chart, ChartMarker, Curve, Table
from meshgui.engine.allocation.panels import TableBuilder
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.translation import formatted, said_again, tr
from meshgui.engine.basics.words import PERCENT

_SETS = (tr("too high"), tr("on target"), tr("too low"))


class Reading(NamedTuple):
    """A controller at a moment."""

    bound: int  # in thousandths
    history: Ints32
    values: dict[int, float]  # of the indicators that are known, by their places
    fresh: frozenset[int]  # those that the steps so far show


def bound_in_words(thousandths: int) -> str:
    """A bound before it is rounded down."""
    return formatted(thousandths / UNIT, ".2f")


def signed(number: float, digits: int) -> str:
    """With its sign, and a minus as long as the plus is wide."""
    return formatted(number, f"+.{digits}f").replace("-", "−")


def as_number(value: float) -> str:
    """An amount, with a digit behind the point where it is small."""
    return formatted(value, ",.0f" if value >= 1000 else ".1f")


class ControlPanels:
    """The panels of a controller of some indicators."""

    def __init__(self, indicators: Indicators, moves: tuple[float, float, float], processors: int) -> None:
        self._indicators, self._moves, self._processors = indicators, moves, processors

    def _kind(self, n: int) -> int:
        return NAMES.index(self._indicators[n].of)

    def title(self, n: int) -> str:
        """The name of an indicator, as a sentence begins with it."""
        return said_again(TITLES[self._kind(n)])

    def _amount(self, n: int, value: float) -> str:
        return formatted(value, ".1f") + PERCENT if self._kind(n) == UTILIZATION else as_number(value)

    def _target(self, n: int) -> str:
        target = self._indicators[n].target
        return formatted(target, "g") + PERCENT if self._kind(n) == UTILIZATION else formatted(target, "g")

    def error_words(self, n: int, value: float) -> dict[str, object]:
        """What a step says of an indicator and its error."""
        if self._indicators[n].of == "utilization":
            measured = tr("Utilisation is {used}").format(used=self._amount(n, value))
        else:
            measured = tr("{indicator} is {value}").format(
                indicator=self.title(n), value=self._amount(n, value)
            )
        error = signed(self._indicators[n].target - value, 1)
        return {"measured": measured, "target": self._target(n), "error": error}

    def of(self, reading: Reading) -> tuple[Table | Chart, ...]:
        """All panels."""
        charts = tuple(self._memberships(n, reading) for n in range(len(self._indicators)))
        return (
            self._state(reading),
            *charts,
            self._rules(reading),
            _bounds(reading.history),
            *((self._utilisations(reading.history),) if self._holds_utilisation else ()),
        )

    @property
    def _holds_utilisation(self) -> bool:
        return any(one.of == "utilization" for one in self._indicators)

    def _state(self, reading: Reading) -> Table:
        table = TableBuilder(
            tr("Controller"), ("", tr("Now"), tr("Target"), tr("Error", "of the control"), tr("Weight"))
        )
        table.row(tr("Bound"), str(reading.bound // UNIT), "", "", "")
        table.row(tr("before rounding down"), bound_in_words(reading.bound), "", "", "")
        for n, one in enumerate(self._indicators):
            value = reading.values.get(n)
            now = None if value is None else self._amount(n, value)
            error = None if value is None else signed(one.target - value, 1)
            table.row(
                self.title(n),
                now,
                self._target(n),
                error,
                formatted(one.weight, "g"),
                current=n in reading.fresh,
            )
        return table.table()

    def _memberships(self, n: int, reading: Reading) -> Chart:
        """The three sets of an indicator's errors, and where the error lies."""
        one, value = self._indicators[n], reading.values.get(n)
        error = None if value is None else one.target - value
        least, most = -2 * one.reach, 2 * one.reach
        if self._kind(n) == UTILIZATION:
            least, most = min(least, one.target - 100), max(most, one.target)  # every error there may be
        if error is not None:
            least, most = min(least, error), max(most, error)
        x = np.linspace(least, most, 161)
        degrees = np.array([degrees_of(at, one.tolerance, one.reach) for at in x.tolist()])
        curves = tuple(Curve(name, x, degrees[:, of]) for of, name in enumerate(map(said_again, _SETS)))
        label = tr("error now") if n in reading.fresh else tr("latest error")
        signs = () if error is None else (ChartMarker(f"{label} {signed(error, 1)}", error),)
        unit = tr("error in percentage points") if self._kind(n) == UTILIZATION else tr("error")
        title = tr("Memberships of the error: {indicator}").format(indicator=self.title(n))
        return Chart(title, unit, tr("degree"), curves, signs)

    def _rules(self, reading: Reading) -> Table:
        """The rules, and to what degree each fires."""
        columns = (tr("Indicator"), tr("If it is"), tr("then the bound moves by"), tr("Degree"))
        table = TableBuilder(tr("Rules"), columns)
        for n, one in enumerate(self._indicators):
            value = reading.values.get(n)
            degrees = (None,) * 3 if value is None else self._degrees(one, value)
            for of, degree in enumerate(degrees):
                said = None if degree is None else formatted(degree, ".2f")
                fires = n in reading.fresh and degree is not None and round(degree, 2) > 0
                move = signed(sign_of(self._kind(n)) * self._moves[of], 1) if self._moves[of] else "0"
                table.row(self.title(n), said_again(_SETS[of]), move, said, current=fires)
        return table.table()

    @staticmethod
    def _degrees(one: Indicator, value: float) -> tuple[float, float, float]:
        return degrees_of(one.target - value, one.tolerance, one.reach)

    def _utilisations(self, history: Ints32) -> Chart:
        """The utilisation each success led to, beside the target."""
        numbers = history[:, NUMBER].astype(np.float64)
        used = Curve(tr("utilisation"), numbers, 100.0 * history[:, BUSY] / self._processors, current=True)
        [wanted] = [one.target for one in self._indicators if one.of == "utilization"]
        target = Curve(tr("target"), numbers, np.full(len(history), wanted))
        return _over_allocations(tr("Utilisation over the allocations"), "%", used, target)


def _bounds(history: Ints32) -> Chart:
    """The bound after each success."""
    numbers, exact = history[:, NUMBER].astype(np.float64), history[:, BOUND] / UNIT
    rounded = Curve(tr("bound"), numbers, np.floor(exact), steps=True, current=True)
    before = Curve(tr("before rounding down"), numbers, exact)
    return _over_allocations(tr("Bound over the allocations"), tr("boxes"), rounded, before)


def _over_allocations(title: str, unit: str, *curves: Curve) -> Chart:
    """Curves over the allocations so far; none before the first."""
    known = curves if len(curves[0].x) else ()
    never = tr("Nothing yet: no job has been placed.")
    return Chart(title, tr("successful allocations"), unit, known, empty=never)
