"""The twin of bounded partitioning: the unbounded recursion, then counted; and a controller of its own."""

from fractions import Fraction
from math import pi, sin

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
        self.fuzzy = options.get("fuzzy", False)
        self.target, self.highest = options.get("target", 80), options.get("highest", 20)
        self.bound = Fraction(options.get("bound", 4))

    def allocate(self, job: int, size: Size, now: float = 0.0, service: float = 0.0, seed: int = 0) -> Answer:
        """After each success the bound follows the utilisation."""
        found = super().allocate(job, size, now, service, seed)
        if isinstance(found, list) and self.fuzzy:
            error = self.target - 100 * len(self.held) / volume(self.extents)
            # Within 20 points the cosine rises as the square of a sine does; to thousandths, as the engine.
            part = min(abs(error) / 20, 1)
            change = sin(part * pi / 2) ** 2 if error > 0 else -(sin(part * pi / 2) ** 2)
            self.bound += Fraction(round(1000 * change), 1000)
            self.bound = min(max(self.bound, Fraction(1)), Fraction(self.highest))
        return found


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
        ),
    )
}
