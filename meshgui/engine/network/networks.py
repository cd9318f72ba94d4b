"""Chooses the kernel that simulates a network: headers alone where they decide everything, else flits."""

from __future__ import annotations

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.flit_network import FlitNetwork
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network


def network_for(mesh: Mesh, law: Law, groups: int = 1) -> Network | FlitNetwork:
    """The network of a mesh under a law."""
    return Network(mesh, law, groups) if law.headers_decide else FlitNetwork(mesh, law, groups)
