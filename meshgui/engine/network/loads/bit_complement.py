"""Bit-complement traffic: to the node whose number has all bits turned over."""

from __future__ import annotations

from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import BitLoad


class BitComplement(BitLoad):
    """To the node whose number has all bits turned over."""

    id: ClassVar[str] = "bit-complement"
    title: ClassVar[str] = tr("Bit complement")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        return mesh.processors - 1 - sources
