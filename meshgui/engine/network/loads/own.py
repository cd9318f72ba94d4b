"""The project's own loads, as menus list them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh, node_number, node_numbers, places
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import BitLoad, Load, other_nodes

SHARE: Final = 0.1  # of the packets that go to a hot spot


class Uniform(Load):
    """Every other node alike."""

    id = "uniform"
    title = tr("Uniform")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        return other_nodes(mesh, sources, random)


class Transpose(Load):
    """From (x, y) to (y, x)."""

    id = "transpose"
    title = tr("Transpose")

    @classmethod
    def unfit(cls, mesh: Mesh) -> str | None:
        """It needs a square."""
        if mesh.dims == 2 and mesh.shape[0] == mesh.shape[1]:
            return None
        said = tr("expected a square 2D mesh with {load}, got {mesh}")
        return said.format(load=cls.id, mesh=mesh.describe())

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        side = mesh.shape[0]
        return sources % side * side + sources // side


class BitComplement(BitLoad):
    """To the node whose number has all bits turned over."""

    id = "bit-complement"
    title = tr("Bit complement")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        return mesh.processors - 1 - sources


class BitReverse(BitLoad):
    """To the node whose number has the bits in the opposite order."""

    id = "bit-reverse"
    title = tr("Bit reverse")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        bits = mesh.processors.bit_length() - 1
        reversed_ = np.zeros_like(sources)
        for bit in range(bits):
            reversed_ |= (sources >> bit & 1) << (bits - 1 - bit)
        return reversed_


class Shuffle(BitLoad):
    """To the node whose number has the bits rotated left by one."""

    id = "shuffle"
    title = tr("Shuffle")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        n = mesh.processors
        return 2 * sources % n + 2 * sources // n


class Tornado(Load):
    """Nearly half the way around on every axis that is longer than two."""

    id = "tornado"
    title = tr("Tornado")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        sides = np.array(mesh.extents)
        steps = np.where(sides > 2, (sides + 1) // 2 - 1, 0)
        return node_numbers(mesh, (places(mesh, sources) + steps) % sides)


class Neighbour(Load):
    """To the next node along x, from the last to the first."""

    id = "neighbour"
    title = tr("Neighbour")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        x = sources % mesh.shape[0]
        return sources - x + (x + 1) % mesh.shape[0]


class HotSpot(Load):
    """A tenth of the packets to the node in the middle, the others to any node."""

    id = "hot-spot"
    title = tr("Hot spot")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        x, y, z = mesh.extents
        middle = node_number(mesh, ((x - 1) // 2, (y - 1) // 2, (z - 1) // 2))
        hot = random.random(len(sources)) < SHARE
        return np.where(hot, middle, other_nodes(mesh, sources, random))


_OWN: Final[tuple[type[Load], ...]] = (
    Uniform,
    Transpose,
    BitComplement,
    BitReverse,
    Shuffle,
    Tornado,
    Neighbour,
    HotSpot,
)
OWN: Final = {cls.id: cls for cls in _OWN}
