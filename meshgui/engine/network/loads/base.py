"""The base class of loads: where each node sends under a steady load of random packets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import NetworkError


class LoadError(NetworkError):
    """A load that cannot be used, named, with the reason."""


class Load(ABC):
    """Targets of packets. Nodes are counted row by row, x fastest."""

    id: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    def unfit(cls, mesh: Mesh) -> str | None:
        """Why it is not defined on a mesh, or None."""
        del mesh
        return None

    @abstractmethod
    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        """Where packets from some nodes go; what goes to itself is not sent."""


class BitLoad(Load):
    """A load that changes the bits of a node's number."""

    @classmethod
    def unfit(cls, mesh: Mesh) -> str | None:
        """It needs whole bits."""
        n = mesh.processors
        if n & (n - 1):
            said = tr("expected a power of two of processors with {load}, got {processors}")
            return said.format(load=cls.id, processors=n)
        return None


def other_nodes(mesh: Mesh, sources: Ints, random: Generator) -> Ints:
    """For each node any other, all alike."""
    drawn: Ints = random.integers(0, mesh.processors - 1, len(sources))
    return drawn + (drawn >= sources)
