"""Small networks with packets known one by one, for the tests of the mesh views."""

import numpy as np
from PySide6.QtCore import QPointF

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.scene.channels import channel_segments
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.mesh.flat.canvas import MeshFlat
from tests.views.mesh.mesh_fixtures import on_screen

__all__ = ["ALONE", "CUBE", "MEETING", "channel_place", "network_cursor"]

ALONE = [[0, 0, 0, 0, 3, 2, 0, 0]]
MEETING = [[0, 0, 0, 0, 3, 0, 0, 0], [1, 1, 0, 0, 3, 2, 0, 0], [0, 2, 3, 0, 0, 3, 0, 1]]
"""Job 0's second packet takes the link that its first asks for."""
CUBE = {"shape": (3, 3, 3), "sizes": ((3, 3, 3),)}


def network_cursor(packets, at, shape=(4, 4), sizes=((4, 2), (4, 2)), **law):
    """A cursor at a cycle of a run in which jobs of these sizes send these packets."""
    scenario = Scenario.model_validate(
        {
            "mesh": {"shape": list(shape)},
            "allocator": {"name": "ff"},
            "workload": {"kind": "list", "jobs": [{"arrival": 0.0, "size": list(size)} for size in sizes]},
            "network": {"pattern": "file", "packets": packets, **law},
        }
    )
    cursor = Cursor()
    cursor.show(simulate(scenario))
    cursor.go_to_time(at)
    return cursor


def channel_place(view, channel, share=0.5):
    """Where a channel runs on a canvas."""
    way = channel_segments(view.source.mesh, np.array([channel])).points(np.array([share]))
    if isinstance(view, MeshFlat):
        return QPointF(*view.shown_layout.points(way)[0][0])
    return on_screen(view, view.shown_layout.space.along(way)[0][0])
