"""Times the drawing of large meshes, beside a bare pyqtgraph view of as many points."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, Final, TypedDict

import numpy as np
from PySide6.QtGui import QOpenGLFunctions
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.cursor import Cursor
from meshgui.model.position import Position
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import ThemeManager

__all__ = ["DrawingFigure", "busy_network", "drawing_figures", "full_mesh"]

_SIDE: Final = 32
_JOB_SIDE: Final = 2
_NETWORK_SIDE: Final = 64
_MESSAGES: Final = 400  # of each of four jobs, enough to keep thousands of flits under way
_BUSY: Final = 200  # a cycle at which they are
_SIZE: Final = (1000, 700)
_FRAMES: Final = 20
_WARM_UP: Final = 4
_BUDGET: Final = 1.5  # times the baseline


def full_mesh(side: int = _SIDE, job_side: int = _JOB_SIDE) -> Cursor:
    """Make a cursor at a mesh filled with small cubic jobs."""
    jobs = (side // job_side) ** 3
    scenario = Scenario.model_validate(
        {
            "mesh": {"shape": [side] * 3},
            "allocator": {"name": "ff"},
            "workload": {
                "kind": "list",
                "jobs": [{"arrival": 0.0, "size": [job_side] * 3, "service": 1.0}] * jobs,
            },
        }
    )
    recording = simulate(scenario)
    cursor = Cursor()
    cursor.show(recording)
    cursor.go_to(Position(2 * jobs))  # all have arrived, all have started
    return cursor


def busy_network(side: int = _NETWORK_SIDE) -> Cursor:
    """Make a cursor at a cycle of a square mesh in which four jobs send many messages at once."""
    scenario = Scenario.model_validate(
        {
            "mesh": {"shape": [side, side]},
            "allocator": {"name": "ff"},
            "workload": {"kind": "list", "jobs": [{"arrival": 0.0, "size": [side // 2, side // 2]}] * 4},
            "network": {"pattern": "random", "messages": _MESSAGES},
        }
    )
    cursor = Cursor()
    cursor.show(simulate(scenario))
    cursor.go_to_time(_BUSY)
    return cursor


class DrawingFigure(TypedDict):
    """A measured frame beside its baseline."""

    what: str
    unit: str
    measured: float
    baseline: float
    baseline_what: str
    budget: float | None


def drawing_figures() -> list[DrawingFigure]:
    """Median milliseconds of a frame: turning, at rest, when edges are smooth, and of the next cycle.

    Needs OpenGL.
    """
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication([])
    themes = ThemeManager(application, "light")
    view = MeshGL(SceneSource(full_mesh(), Selection(), themes))
    cursor = busy_network()
    network = MeshGL(SceneSource(cursor, Selection(), themes))
    baseline = _bare_view()
    turning, resting, going_on, bare, flits = [], [], [], [], []
    try:
        for widget in (view, network, baseline):
            widget.resize(*_SIZE)
            widget.show()
            application.processEvents()
        for frame in range(_WARM_UP + _FRAMES):  # in turns, so that other programs slow all alike
            view.turn(1.0, 0.0)
            one = _milliseconds(view, view.paintGL)
            view.come_to_rest()
            two = _milliseconds(view, view.paintGL)
            network.turn(1.0, 0.0)
            cursor.next_cycle()
            three = _milliseconds(network, network.paintGL)
            baseline.orbit(1.0, 0.0)
            four = _milliseconds(baseline, baseline.paintGL)
            if frame >= _WARM_UP:
                turning.append(one)
                resting.append(two)
                going_on.append(three)
                bare.append(four)
                flits.append(_flits(cursor))
    finally:
        for widget in (view, network, baseline):
            widget.close()
            widget.deleteLater()
    full, flits_there = (
        tr("a full {SIDE}×{SIDE}×{SIDE} mesh").format(SIDE=_SIDE),
        tr("{median:.0f} flits in it").format(median=median(flits)),
    )
    measured = (
        (tr("a frame of {full}, turning").format(full=full), turning, _BUDGET),
        (tr("the smooth frame of {full} once it rests").format(full=full), resting, None),
        (
            tr("the next cycle of a {NETWORK_SIDE}×{NETWORK_SIDE} mesh, {flits_there}").format(
                NETWORK_SIDE=_NETWORK_SIDE, flits_there=flits_there
            ),
            going_on,
            None,
        ),
    )
    return [
        DrawingFigure(
            what=what,
            unit="ms",
            measured=median(frames),
            baseline=median(bare),
            baseline_what=tr("a bare GLViewWidget with {SIDE} points").format(SIDE=_SIDE**3),
            budget=budget,
        )
        for what, frames, budget in measured
    ]


def _flits(cursor: Cursor) -> int:
    moment = cursor.view.network if cursor.view is not None else None
    return 0 if moment is None else len(moment.flit_packets)


def _bare_view() -> Any:  # noqa: ANN401 - pyqtgraph has no types
    """Make pyqtgraph's 3D view with a point for every node."""
    from pyqtgraph.opengl import GLScatterPlotItem, GLViewWidget  # noqa: PLC0415 - only the benchmark needs it

    places = np.indices((_SIDE,) * 3).reshape(3, -1).T - _SIDE / 2
    view = GLViewWidget()
    view.setCameraPosition(distance=2.2 * _SIDE)
    view.addItem(GLScatterPlotItem(pos=places))
    return view


def _milliseconds(widget: QOpenGLWidget, paint: Callable[[], None]) -> float:
    """Measure a frame until the driver has drawn all of it."""
    widget.makeCurrent()
    functions = QOpenGLFunctions(widget.context())
    functions.initializeOpenGLFunctions()
    start = perf_counter()
    paint()
    functions.glFinish()
    taken = perf_counter() - start
    widget.doneCurrent()
    return 1000 * taken
