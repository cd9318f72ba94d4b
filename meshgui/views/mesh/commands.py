"""The commands that turn, zoom and change the view of the mesh."""

from __future__ import annotations

from functools import partial

from meshgui.engine.basics.translation import tr
from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context


def mesh_commands(mesh: MeshView, context: Context) -> list[Command]:
    """The commands of views, zoom, layers and network."""
    return commands_in(
        tr("Mesh"),
        Command(
            "mesh.home",
            tr("Mesh from the corner"),
            tr("The view the mesh opens with"),
            partial(mesh.show_from, "home"),
            ("H",),
            "house",
            synonyms=tr("reset view camera perspective isometric"),
        ),
        Command(
            "mesh.top",
            tr("Mesh from above"),
            tr("Look straight down"),
            partial(mesh.show_from, "top"),
            ("T",),
            "square",
            synonyms=tr("plan bird's eye 2d view camera"),
        ),
        Command(
            "mesh.front",
            tr("Mesh from the front"),
            tr("Look along y"),
            partial(mesh.show_from, "front"),
            ("F",),
            "box",
            enabled_when=context.is_solid,
            synonyms=tr("view camera elevation"),
        ),
        Command(
            "mesh.side",
            tr("Mesh from the side"),
            tr("Look along x"),
            partial(mesh.show_from, "side"),
            ("S",),
            "axis-3d",
            enabled_when=context.is_solid,
            synonyms=tr("view camera elevation"),
        ),
        None,
        Command(
            "mesh.closer",
            tr("Closer"),
            tr("Zoom into the mesh"),
            partial(mesh.zoom, 1),
            ("Z",),
            "zoom-in",
            synonyms=tr("zoom in magnify enlarge"),
        ),
        Command(
            "mesh.farther",
            tr("Farther"),
            tr("Zoom out of the mesh"),
            partial(mesh.zoom, -1),
            ("Shift+Z",),
            "zoom-out",
            synonyms=tr("zoom out shrink"),
        ),
        None,
        Command(
            "mesh.explode",
            tr("Explode the layers"),
            tr("Move the layers apart to see inside, or put them together"),
            mesh.source.toggle_explode,
            ("E",),
            "layers",
            mark=lambda: mesh.source.look.explode > 0,
            enabled_when=context.is_solid,
            synonyms=tr("apart spread inside layers slices"),
        ),
        Command(
            "mesh.slice-off",
            tr("Slice a layer off"),
            tr("Show one layer less, or with one layer at a time the one before it"),
            partial(mesh.slice, -1),
            ("C",),
            "arrow-down-to-line",
            enabled_when=context.is_solid,
            synonyms=tr("cut section plane inside layers fewer"),
        ),
        Command(
            "mesh.slice-on",
            tr("Put a layer back"),
            tr("Show one layer more, or with one layer at a time the one after it"),
            partial(mesh.slice, 1),
            ("Shift+C",),
            "arrow-up-to-line",
            enabled_when=context.is_solid,
            synonyms=tr("cut section plane inside layers more"),
        ),
        Command(
            "mesh.flat",
            tr("Flat or solid"),
            tr("Change between the 3D view and the layers side by side"),
            mesh.toggle_flat,
            ("L",),
            "grid-3x3",
            mark=lambda: mesh.flat,
            synonyms=tr("2d 3d layers side by side grid"),
        ),
        Command(
            "mesh.network",
            tr("Show the network"),
            tr("Show links and packets over the jobs, or the jobs alone"),
            mesh.source.toggle_network,
            ("N",),
            "network",
            mark=lambda: mesh.source.look.network,
            enabled_when=context.has_network,
            synonyms=tr("links packets worms flits traffic"),
        ),
        Command(
            "mesh.use",
            tr("Show the use of channels"),
            tr("Colour channels by how much they carried over the chosen cycles, or show packets again"),
            mesh.source.toggle_use,
            ("U",),
            "gauge",
            mark=lambda: mesh.source.look.network and mesh.source.look.use,
            enabled_when=context.has_network,
            synonyms=tr("heat map traffic utilization congestion channels"),
        ),
    )
