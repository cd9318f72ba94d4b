"""Hot-spot traffic: a share of all packets to one node, the others uniform."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np
from numpy.random import Generator

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh, node_number
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load, other_nodes

SHARE: Final = 0.1  # of the packets


class HotSpot(Load):
    """A tenth of the packets to the node in the middle, the others to any node."""

    id: ClassVar[str] = "hot-spot"
    title: ClassVar[str] = tr("Hot spot")

    def targets(self, mesh: Mesh, sources: Ints, random: Generator) -> Ints:
        x, y, z = mesh.extents
        middle = node_number(mesh, ((x - 1) // 2, (y - 1) // 2, (z - 1) // 2))
        hot = random.random(len(sources)) < SHARE
        return np.where(hot, middle, other_nodes(mesh, sources, random))
