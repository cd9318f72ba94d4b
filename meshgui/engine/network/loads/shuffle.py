"""Shuffle traffic: to the node whose number has the bits rotated left by one."""

from __future__ import annotations

from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import BitLoad


class Shuffle(BitLoad):
    """To the node whose number has the bits rotated left by one."""

    id: ClassVar[str] = "shuffle"
    title: ClassVar[str] = tr("Shuffle")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        n = mesh.processors
        return 2 * sources % n + 2 * sources // n
