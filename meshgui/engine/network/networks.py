"""Chooses the kernel that simulates a network: headers alone where they decide everything, else flits."""

from __future__ import annotations

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.flit_network import FlitNetwork
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network


def network_class(law: Law) -> type[Network | FlitNetwork]:
    """The networks under a law."""
    return Network if law.headers_decide else FlitNetwork


def network_for(mesh: Mesh, law: Law, groups: int = 1) -> Network | FlitNetwork:
    """The network of a mesh under a law."""
    return network_class(law)(mesh, law, groups)
