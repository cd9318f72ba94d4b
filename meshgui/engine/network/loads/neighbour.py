"""Neighbour traffic: to the next node along x."""

from __future__ import annotations

from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load


class Neighbour(Load):
    """To the next node along x, from the last to the first."""

    id: ClassVar[str] = "neighbour"
    title: ClassVar[str] = tr("Neighbour")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        del random
        x = sources % mesh.shape[0]
        return sources - x + (x + 1) % mesh.shape[0]
