"""How long a frame of a full 32×32×32 mesh takes, beside a bare pyqtgraph view of as many points."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Final, Protocol, cast

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QOpenGLFunctions
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication

from meshgui.engine.scenario import Scenario
from meshgui.engine.simulation import simulate
from meshgui.model.cursor import Cursor, Place
from meshgui.model.selection import Selection
from meshgui.views.mesh_gl import MeshGL
from meshgui.views.theme import ThemeManager

__all__ = ["drawing_figures", "full_mesh"]

_SIDE: Final = 32
_JOB_SIDE: Final = 2
_SIZE: Final = (1000, 700)
_FRAMES: Final = 20
_WARM_UP: Final = 4


def full_mesh(side: int = _SIDE, job_side: int = _JOB_SIDE) -> Cursor:
    """A cursor at a mesh filled to the last node with small cubic jobs."""
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
    cursor.go_to(Place(2 * jobs))  # all have arrived, all have started
    return cursor


def drawing_figures(application: QApplication, themes: ThemeManager | None = None) -> dict[str, float]:
    """Median milliseconds of a frame, turning: ours, the baseline, and their ratio. Needs OpenGL."""
    themes = themes if themes is not None else ThemeManager(application, "light")
    view = MeshGL(full_mesh(), Selection(), themes)
    baseline = _bare_view()
    try:
        for widget in (view, baseline):
            widget.resize(*_SIZE)
            widget.show()
            application.processEvents()
        view.zoom(1.0, QPointF())  # the user has moved: no named view is fitted again
        ours, theirs = [], []
        for frame in range(_WARM_UP + _FRAMES):  # in turns, so that whatever else runs here slows both
            view.turn(1.0, 0.0)
            one = _seconds(view, view.paintGL)
            cast("_Turntable", baseline).orbit(1.0, 0.0)
            other = _seconds(baseline, baseline.paintGL)
            if frame >= _WARM_UP:
                ours.append(one)
                theirs.append(other)
    finally:
        for widget in (view, baseline):
            widget.close()
            widget.deleteLater()
    return {
        "ours_ms": 1000 * median(ours),
        "baseline_ms": 1000 * median(theirs),
        "ratio": median(ours) / median(theirs),
    }


class _Turntable(Protocol):
    """What a view must do to be measured."""

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn by so many degrees."""


def _bare_view() -> QOpenGLWidget:
    """The 3D view of pyqtgraph with a point for every node."""
    from pyqtgraph.opengl import GLScatterPlotItem, GLViewWidget  # noqa: PLC0415 - only the benchmark needs it

    places = np.indices((_SIDE,) * 3).reshape(3, -1).T - _SIDE / 2
    view = GLViewWidget()
    view.setCameraPosition(distance=2.2 * _SIDE)
    view.addItem(GLScatterPlotItem(pos=places))
    return cast("QOpenGLWidget", view)


def _seconds(widget: QOpenGLWidget, paint: Callable[[], None]) -> float:
    """How long a frame takes until the driver has drawn all of it."""
    widget.makeCurrent()
    functions = QOpenGLFunctions(widget.context())
    functions.initializeOpenGLFunctions()
    start = perf_counter()
    paint()
    functions.glFinish()
    taken = perf_counter() - start
    widget.doneCurrent()
    return taken
