"""One measured figure: what, beside which baseline, against which budget."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any, Final

from meshgui.engine.basics.translation import tr

RECORDING: Final = 4.0 / 1.4  # a recorded run beside one without


@dataclass(frozen=True)
class Measurement:
    """A measured value. The budget bounds either the value itself or its ratio to the baseline."""

    name: str  # the group it belongs to, for `--only`
    what: str
    unit: str
    measured: float | None  # None: not measured, and `note` says why
    baseline: float | None
    baseline_what: str
    budget: float | None
    of_ratio: bool = True  # whether the budget bounds the ratio
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The measured value as a multiple of the baseline."""
        if self.measured is None or not self.baseline:
            return None
        return self.measured / self.baseline

    @property
    def verdict(self) -> str:
        """How it stands with the budget."""
        judged = self.ratio if self.of_ratio else self.measured
        if judged is None:
            return tr("not measured")
        if self.budget is None:
            return tr("no budget")
        return tr("within budget") if judged <= self.budget else tr("over budget")

    def as_json(self) -> dict[str, Any]:
        """The figure as data."""
        return {
            "name": self.name,
            "what": self.what,
            "unit": self.unit,
            "measured": self.measured,
            "baseline": self.baseline,
            "baseline_what": self.baseline_what,
            "ratio": self.ratio,
            "budget": self.budget,
            "budget_of": "ratio" if self.of_ratio else "measured",
            "verdict": self.verdict,
            "note": self.note,
        }


def not_measured(name: str, what: str, why: str) -> Measurement:
    """A figure that could not be had here."""
    return Measurement(name, what, "", None, None, "", None, note=why)


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes; memory is tidied before, not meanwhile."""
    gc.collect()
    gc.disable()
    try:
        begun = perf_counter()
        work()
        return perf_counter() - begun
    finally:
        gc.enable()


def alternate(*measures: Callable[[], float], repeats: int) -> list[float]:
    """The median of each measure, taken in turn so that a slow moment of the machine meets all of them."""
    taken = [[measure() for measure in measures] for _ in range(repeats)]
    return [median(values) for values in zip(*taken, strict=True)]
