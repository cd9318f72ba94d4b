"""Adaptive Non-contiguous Allocation as in 000 §2.2.2: rounds of halving, all parts or none."""

from tests.naive import Box, Size, all_free_bases, nodes
from tests.twins.base import Answer, Naive, Twin


def halves(part: Size) -> list[Size]:
    """A part cut across its longest side, the longer half first; nothing of a single processor."""
    w, d, _ = part
    if max(w, d) == 1:
        return []
    if w >= d:
        return [(w - w // 2, d, 1), (w // 2, d, 1)]
    return [(w, d - d // 2, 1), (w, d // 2, 1)]


class AdaptiveNonContiguous(Naive):
    """The whole request first; then twice as many parts in every round, while there are rounds."""

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """The boxes of the first round in which every part finds one."""
        parts = [size]
        for _ in range(self.options.get("rounds", 4) + 1):
            boxes = self.places(parts)
            if boxes is not None:
                return boxes
            if any(halves(part) == [] for part in parts):
                return None
            parts = [half for part in parts for half in halves(part)]
            if self.options.get("stop") != "below-one" and any(1 in half[:2] for half in parts):
                return None
        return None

    def places(self, parts: list[Size]) -> list[Box] | None:
        """The lowest, then leftmost box of each part in turn, or nothing."""
        held = dict(self.held)
        boxes = []
        for part in parts:
            bases = all_free_bases(held, self.extents, part)
            if not bases:
                return None
            x, y, z = min(bases, key=lambda base: (base[1], base[0]))
            boxes.append((x, y, z, *part))
            held |= dict.fromkeys(nodes((x, y, z, *part)), -1)
        return boxes


TWINS = {
    "anca": Twin(
        AdaptiveNonContiguous,
        options=(
            {},
            {"rounds": 0},
            {"rounds": 1},
            {"rounds": 16},
            {"stop": "below-one"},
            {"mapping": "row-major"},
        ),
    )
}
