"""The commands that turn, zoom and change the view of the mesh."""

from __future__ import annotations

from functools import partial

from meshgui.engine.basics.translation import tr
from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.command import Command, commands_in

NETWORK_VIEWS = ("mesh.network", "mesh.use")
"""The commands that need a network."""
SOLID_VIEWS = ("mesh.front", "mesh.side", "mesh.explode")
"""The commands that need a 3D mesh."""


def mesh_commands(mesh: MeshView) -> list[Command]:
    """The commands of views, zoom, layers and network."""
    return commands_in(
        tr("Mesh"),
        (
            "mesh.home",
            tr("Mesh from the corner"),
            tr("The view the mesh opens with"),
            partial(mesh.show_from, "home"),
            ("H",),
            "house",
        ),
        (
            "mesh.top",
            tr("Mesh from above"),
            tr("Look straight down"),
            partial(mesh.show_from, "top"),
            ("T",),
            "square",
        ),
        (
            "mesh.front",
            tr("Mesh from the front"),
            tr("Look along y"),
            partial(mesh.show_from, "front"),
            ("F",),
            "box",
        ),
        (
            "mesh.side",
            tr("Mesh from the side"),
            tr("Look along x"),
            partial(mesh.show_from, "side"),
            ("S",),
            "axis-3d",
        ),
        None,
        ("mesh.closer", tr("Closer"), tr("Zoom into the mesh"), partial(mesh.zoom, 1), ("Z",), "zoom-in"),
        (
            "mesh.farther",
            tr("Farther"),
            tr("Zoom out of the mesh"),
            partial(mesh.zoom, -1),
            ("Shift+Z",),
            "zoom-out",
        ),
        None,
        (
            "mesh.explode",
            tr("Explode the layers"),
            tr("Move the layers apart to see inside, or put them together"),
            mesh.source.toggle_explode,
            ("E",),
            "layers",
        ),
        (
            "mesh.flat",
            tr("Flat or solid"),
            tr("Change between the 3D view and the layers side by side"),
            mesh.toggle_flat,
            ("L",),
            "grid-3x3",
        ),
        (
            "mesh.network",
            tr("Show the network"),
            tr("Show links and packets over the jobs, or the jobs alone"),
            mesh.source.toggle_network,
            ("N",),
            "network",
        ),
        (
            "mesh.use",
            tr("Show the use of channels"),
            tr("Colour channels by how much they carried over the chosen cycles, or show packets again"),
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
            "mesh.home": tr("reset view camera perspective isometric"),
            "mesh.top": tr("plan bird's eye 2d view camera"),
            "mesh.front": tr("view camera elevation"),
            "mesh.side": tr("view camera elevation"),
            "mesh.closer": tr("zoom in magnify enlarge"),
            "mesh.farther": tr("zoom out shrink"),
            "mesh.explode": tr("apart spread inside layers slices"),
            "mesh.flat": tr("2d 3d layers side by side grid"),
            "mesh.network": tr("links packets worms flits traffic"),
            "mesh.use": tr("heat map traffic utilization congestion channels"),
        },
    )
