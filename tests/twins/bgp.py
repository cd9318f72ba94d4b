"""The twin of bounded partitioning: the unbounded recursion, then counted; and a controller of its own."""

from fractions import Fraction
from math import isnan, pi, sin
from statistics import fmean

from tests.naive import Size, volume
from tests.twins.base import Answer, Twin
from tests.twins.best_fit import BestFit
from tests.twins.pald import Parting

__all__ = ["TWINS", "Bounded"]


class Bounded(Parting):
    """003 figure 2, given up where it has come to more boxes than the bound."""

    search = BestFit
    first_of_equal = True

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        super().__init__(extents, flat, options)
        self.fuzzy, self.highest = options.get("fuzzy", False), options.get("highest", 20)
        self.bound = Fraction(options.get("bound", 4))
        self.held_indicators = options.get("indicators") or [{"target": options.get("target", 80)}]
        self.cumulative = options.get("measure") == "cumulative"
        self.rules = [
            options.get(*rule) for rule in (("when_high", -1), ("when_on_target", 0), ("when_low", 1))
        ]
        self.seen: dict[str, list[float]] = {}  # of each indicator, one value after another
        self.busy: list[tuple[float, int]] = [(0.0, 0)]  # processors held from these times on

    def hear(self, now: float, **values: float) -> None:
        """What a job that leaves has come to."""
        self.pass_to(now)
        for name, value in values.items():
            if not isnan(value):
                self.seen.setdefault(name, []).append(value)

    def pass_to(self, now: float) -> None:
        """A time at which something happens."""
        if now > self.busy[-1][0]:
            self.busy.append((now, len(self.held)))

    def allocate(self, job: int, size: Size, now: float = 0.0, service: float = 0.0, seed: int = 0) -> Answer:
        """After each success the bound follows the indicators."""
        before = len(self.held)
        found = super().allocate(job, size, now, service, seed)
        if isinstance(found, list) and self.fuzzy:
            if now > self.busy[-1][0]:
                self.busy.append((now, before))
            self.seen.setdefault("blocks", []).append(len(found))
            said = weights = 0.0
            for one in self.held_indicators:
                value = self.value_of(one.get("of", "utilization"))
                if value is not None:
                    said += one.get("weight", 1) * self.change(one, value)
                    weights += one.get("weight", 1)
            self.bound += Fraction(round(1000 * said / weights) if weights else 0, 1000)
            self.bound = min(max(self.bound, Fraction(1)), Fraction(self.highest))
        return found

    def value_of(self, name: str) -> float | None:
        """An indicator, if it is known: the latest value, or the mean of all."""
        if name == "utilization":
            steps = list(zip(self.busy, self.busy[1:], strict=False))
            area = sum((later - now) * held for (now, _), (later, held) in steps)
            whole = self.cumulative and self.busy[-1][0] > 0
            return 100 * (area / self.busy[-1][0] if whole else len(self.held)) / volume(self.extents)
        values = self.seen.get(name)
        return values and (fmean(values) if self.cumulative else values[-1])

    def change(self, one: dict[str, float], value: float) -> float:
        """What the rules say; between the breakpoints the cosine rises as the square of a sine does."""
        error = one["target"] - value
        tolerance, reach = one.get("tolerance", 0), one.get("reach", 20)
        part = min(max(abs(error) - tolerance, 0) / (reach - tolerance), 1)
        away = sin(part * pi / 2) ** 2
        high, on_target, low = self.rules
        change = away * (low if error > 0 else high) + (1 - away) * on_target
        return -change if one.get("of") in {"turnaround", "service"} else change


TWINS = {
    "bgp": Twin(
        Bounded,
        (
            {"bound": 2, "fuzzy": True, "target": 60},
            {"bound": 1},
            {"bound": 2},
            {"bound": 4, "mapping": "row-major"},
            {"bound": 20},
            {"bound": 1, "fuzzy": True, "target": 80, "highest": 3},
            {"bound": 5, "fuzzy": True, "target": 30},
            {
                "fuzzy": True,
                "indicators": [
                    {"of": "blocks", "target": 2, "weight": 3, "reach": 2},
                    {"target": 70, "tolerance": 5},
                    {"of": "turnaround", "target": 4, "reach": 3},
                ],
                "when_low": 0.7,
            },
            {"fuzzy": True, "measure": "cumulative", "target": 50, "when_high": -2.0, "when_on_target": 0.5},
        ),
    )
}
