"""Uniform traffic: every other node alike."""

from __future__ import annotations

from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load, other_nodes


class Uniform(Load):
    """Every other node alike."""

    id: ClassVar[str] = "uniform"
    title: ClassVar[str] = tr("Uniform")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        return other_nodes(mesh, sources, random)
