"""Bit-reverse traffic: to the node whose number has the bits in the opposite order."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import BitLoad


class BitReverse(BitLoad):
    """To the node whose number has the bits in the opposite order."""

    id: ClassVar[str] = "bit-reverse"
    title: ClassVar[str] = tr("Bit reverse")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        bits = mesh.processors.bit_length() - 1
        reversed_ = np.zeros_like(sources)
        for bit in range(bits):
            reversed_ |= (sources >> bit & 1) << (bits - 1 - bit)
        return reversed_
