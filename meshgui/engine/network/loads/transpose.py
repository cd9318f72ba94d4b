"""Transpose traffic: from (x, y) to (y, x)."""

from __future__ import annotations

from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load


class Transpose(Load):
    """From (x, y) to (y, x)."""

    id: ClassVar[str] = "transpose"
    title: ClassVar[str] = tr("Transpose")

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
