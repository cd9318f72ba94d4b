"""The commands that turn, zoom and change the view of the mesh."""

from __future__ import annotations

from functools import partial

from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.command import Command, commands_in

__all__ = ["NETWORK_VIEWS", "SOLID_VIEWS", "mesh_commands"]

NETWORK_VIEWS = ("mesh.network", "mesh.use")
"""The commands that need a network."""
SOLID_VIEWS = ("mesh.front", "mesh.side", "mesh.explode")
"""The commands that need a 3D mesh."""


def mesh_commands(mesh: MeshView) -> list[Command]:
    """The commands of views, zoom, layers and network."""
    return commands_in(
        "Mesh",
        (
            "mesh.home",
            "Mesh from the corner",
            "The view the mesh opens with",
            partial(mesh.show_from, "home"),
            ("H",),
            "house",
        ),
        (
            "mesh.top",
            "Mesh from above",
            "Look straight down",
            partial(mesh.show_from, "top"),
            ("T",),
            "square",
        ),
        (
            "mesh.front",
            "Mesh from the front",
            "Look along y",
            partial(mesh.show_from, "front"),
            ("F",),
            "box",
        ),
        (
            "mesh.side",
            "Mesh from the side",
            "Look along x",
            partial(mesh.show_from, "side"),
            ("S",),
            "axis-3d",
        ),
        None,
        ("mesh.closer", "Closer", "Zoom into the mesh", partial(mesh.zoom, 1), ("Z",), "zoom-in"),
        ("mesh.farther", "Farther", "Zoom out of the mesh", partial(mesh.zoom, -1), ("Shift+Z",), "zoom-out"),
        None,
        (
            "mesh.explode",
            "Explode the layers",
            "Move the layers apart to see inside, or put them together",
            mesh.source.toggle_explode,
            ("E",),
            "layers",
        ),
        (
            "mesh.flat",
            "Flat or solid",
            "Change between the 3D view and the layers side by side",
            mesh.toggle_flat,
            ("L",),
            "grid-3x3",
        ),
        (
            "mesh.network",
            "Show the network",
            "Show links and packets over the jobs, or the jobs alone",
            mesh.source.toggle_network,
            ("N",),
            "network",
        ),
        (
            "mesh.use",
            "Show the use of channels",
            "Colour channels by how much they carried over the cycles looked at, or show packets again",
            mesh.source.toggle_use,
            ("U",),
            "gauge",
        ),
        marks={
            "mesh.explode": lambda: mesh.source.look.explode > 0,
            "mesh.flat": lambda: mesh.flat,
            "mesh.network": lambda: mesh.source.look.network,
            "mesh.use": lambda: mesh.source.look.network and mesh.source.look.use,
        },
        synonyms={
            "mesh.home": "reset view camera perspective isometric",
            "mesh.top": "plan bird's eye 2d view camera",
            "mesh.front": "view camera elevation",
            "mesh.side": "view camera elevation",
            "mesh.closer": "zoom in magnify enlarge",
            "mesh.farther": "zoom out shrink",
            "mesh.explode": "apart spread inside layers slices",
            "mesh.flat": "2d 3d layers side by side grid",
            "mesh.network": "links packets worms flits traffic",
            "mesh.use": "heat map traffic utilization congestion channels",
        },
    )
