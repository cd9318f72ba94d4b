"""The placements of Slurm's torus3d: the free anchor that leaves most larger boxes."""

from typing import Any, cast

from hypothesis import strategies as st

from tests.naive import Box, Held, Node, Size, around, volume
from tests.twins.base import Search, Twin

DEFAULT = [{"dims": (side, side, side)} for side in (1, 2, 4)]
SLANTED = [
    {"dims": (2, 1, 1)},
    {"dims": (1, 2, 2), "spacing": (2, 1, 2), "seed": (3, 0, 1)},
    {"dims": (3, 2, 1), "spacing": (1, 2, 1), "seed": (2, 2, 2)},
    {"dims": (2, 3, 1), "spacing": (2, 2, 2)},
    {"dims": (1, 1, 1)},
]


class Torus3d(Search):
    """Every anchor's box, and for each that is free how many of the larger placement's stay free with it."""

    @property
    def seams(self) -> tuple[bool, ...]:
        return (True, True, True)

    @property
    def placements(self) -> list[dict[str, Any]]:
        """The placements."""
        return cast("list[dict[str, Any]]", self.options.get("placements", DEFAULT))

    def boxes(self, placement: dict[str, Any]) -> list[Box]:
        """The boxes at all anchors, x fastest."""
        dims = placement["dims"]
        spacing, seed = placement.get("spacing", dims), placement.get("seed", (0, 0, 0))
        places: list[Box] = []
        for k in range(self.extents[2] // spacing[2]):
            for j in range(self.extents[1] // spacing[1]):
                for i in range(self.extents[0] // spacing[0]):
                    steps = zip(seed, (i, j, k), spacing, self.extents, strict=True)
                    x, y, z = ((first + n * step) % side for first, n, step, side in steps)
                    places.append((x, y, z, *dims))
        return places

    def nodes_of(self, box: Box) -> set[Node]:
        """The nodes of a box on the torus."""
        return set(around(box, self.extents, self.seams))

    def is_free(self, held: Held, box: Box) -> bool:
        """Whether no job holds a node of the box."""
        return not self.nodes_of(box) & held.keys()

    def box_for(self, size: Size) -> Box | None:
        asked = next(one for one in self.placements if tuple(one["dims"]) == size)
        larger = [one for one in self.placements if volume(one["dims"]) > volume(size)]
        following = min(larger, key=lambda one: volume(one["dims"])) if larger else None
        held = self.held

        def left(box: Box) -> int:
            taken = held | dict.fromkeys(self.nodes_of(box), -1)
            return sum(self.is_free(taken, one) for one in self.boxes(following)) if following else 0

        free = [box for box in self.boxes(asked) if self.is_free(held, box)]
        return max(free, key=left) if free else None


def size_of_a_placement(options: dict[str, object], size: Size) -> Size:
    """The dims of one of the placements."""
    placements = cast("list[dict[str, Any]]", options.get("placements", DEFAULT))
    w, d, h = placements[sum(size) % len(placements)]["dims"]
    return (w, d, h)


SHAPES = st.sampled_from([(4, 4, 4), (4, 5, 6), (6, 4, 4)])
OPTIONS: tuple[dict[str, object], ...] = ({}, {"placements": SLANTED})

TWINS = {"torus3d": Twin(Torus3d, OPTIONS, SHAPES, size_of_a_placement)}
