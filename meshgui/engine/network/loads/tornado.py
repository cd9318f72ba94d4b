"""Tornado traffic: nearly half the way around on every axis."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh, node_numbers, places
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load


class Tornado(Load):
    """Nearly half the way around on every axis that is longer than two."""

    id: ClassVar[str] = "tornado"
    title: ClassVar[str] = tr("Tornado")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        sides = np.array(mesh.extents)
        steps = np.where(sides > 2, (sides + 1) // 2 - 1, 0)
        return node_numbers(mesh, (places(mesh, sources) + steps) % sides)
