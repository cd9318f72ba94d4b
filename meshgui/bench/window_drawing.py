"""Times the drawing of large meshes, beside a bare pyqtgraph view of as many points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any, Final, NamedTuple, TypedDict

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtGui import QOpenGLContext, QOpenGLFunctions
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.batches import DriverClock
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager

_SIDE: Final = 32
_SMALL_SIDE: Final = 8
_JOB_SIDE: Final = 2
_NETWORK_SIDE: Final = 64
_MESSAGES: Final = 400  # of each of four jobs, enough to keep thousands of flits under way
_BUSY: Final = 200  # a cycle at which they are
_SIZE: Final = (1000, 700)
_FRAMES: Final = 20
_WARM_UP: Final = 4
_BUDGET: Final = 1.5  # times the baseline
_OWN_BUDGET: Final = 2.0  # milliseconds


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
    of_ratio: bool


class _Frame(NamedTuple):
    """Milliseconds of a frame: by the clock, and of the processor the program's own and OpenGL's."""

    clock: float
    own: float
    opengl: float


def drawing_figures() -> list[DrawingFigure]:
    """Medians of a frame: turning, at rest, when edges are smooth, and of the next cycle. Needs OpenGL."""
    themes = ThemeManager(qt_application(), "light")
    cursor = busy_network()
    full, small, network = (
        MeshGL(SceneSource(at, Selection(), themes)) for at in (full_mesh(), full_mesh(_SMALL_SIDE), cursor)
    )
    bare = _bare_view()
    turning, turning_small, resting, going_on, baseline, flits = [], [], [], [], [], []
    widgets = full, small, network, bare
    try:
        for widget in widgets:
            widget.resize(*_SIZE)
            widget.show()
            QApplication.processEvents()
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))  # no card at the pointer
        clocks = [view.time_driver() for view in (full, small, network)]
        for frame in range(_WARM_UP + _FRAMES):  # in turns, so that other programs slow all alike
            full.turn(1.0, 0.0)
            one = _measured(full, clocks[0])
            full.come_to_rest()
            two = _measured(full, clocks[0])
            small.turn(1.0, 0.0)
            three = _measured(small, clocks[1])
            network.turn(1.0, 0.0)
            cursor.next_cycle()
            four = _measured(network, clocks[2])
            bare.orbit(1.0, 0.0)
            five = _measured(bare, None)
            if frame >= _WARM_UP:
                turning.append(one)
                resting.append(two)
                turning_small.append(three)
                going_on.append(four)
                baseline.append(five)
                flits.append(_flits(cursor))
    finally:
        for widget in widgets:
            widget.close()
            widget.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return _figures(turning, turning_small, resting, going_on, baseline, median(flits))


def _figures(
    turning: Sequence[_Frame],
    turning_small: Sequence[_Frame],
    resting: Sequence[_Frame],
    going_on: Sequence[_Frame],
    baseline: Sequence[_Frame],
    flits: float,
) -> list[DrawingFigure]:
    def figure(
        what: str,
        frames: Sequence[_Frame],
        of: Callable[[_Frame], float],
        budget: float | None = None,
        *,
        of_ratio: bool = True,
    ) -> DrawingFigure:
        return DrawingFigure(
            what=what,
            unit="ms",
            measured=median(map(of, frames)),
            baseline=median(map(of if of is _clock else _processor, baseline)),
            baseline_what=tr("a bare GLViewWidget with {SIDE} points").format(SIDE=_SIDE**3),
            budget=budget,
            of_ratio=of_ratio,
        )

    full, small = (
        tr("a full {SIDE}×{SIDE}×{SIDE} mesh").format(SIDE=_SIDE),
        tr("an {SIDE}×{SIDE}×{SIDE} mesh with {jobs} jobs").format(
            SIDE=_SMALL_SIDE, jobs=(_SMALL_SIDE // _JOB_SIDE) ** 3
        ),
    )
    found = []
    for mesh, frames in ((full, turning), (small, turning_small)):
        found += [
            figure(tr("a frame of {full}, turning").format(full=mesh), frames, _clock, _BUDGET),
            figure(
                tr("the program’s own processor time in a frame of {mesh}").format(mesh=mesh),
                frames,
                lambda frame: frame.own,
                _OWN_BUDGET,
                of_ratio=False,
            ),
            figure(
                tr("OpenGL’s processor time in a frame of {mesh}").format(mesh=mesh),
                frames,
                lambda frame: frame.opengl,
            ),
        ]
    there = tr("{median:.0f} flits in it").format(median=flits)
    return [
        *found,
        figure(tr("the smooth frame of {full} once it rests").format(full=full), resting, _clock),
        figure(
            tr("the next cycle of a {NETWORK_SIDE}×{NETWORK_SIDE} mesh, {flits_there}").format(
                NETWORK_SIDE=_NETWORK_SIDE, flits_there=there
            ),
            going_on,
            _clock,
        ),
    ]


def _clock(frame: _Frame) -> float:
    return frame.clock


def _processor(frame: _Frame) -> float:
    return frame.own + frame.opengl


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


def _measured(widget: QOpenGLWidget, driver: DriverClock | None) -> _Frame:
    """Measure a frame until the driver has drawn all of it, beside what the driver takes of it if known."""
    widget.makeCurrent()
    functions = QOpenGLFunctions(QOpenGLContext.currentContext())
    functions.initializeOpenGLFunctions()
    if driver is not None:
        driver.spent = 0.0
    start, processor, own = perf_counter(), process_time(), thread_time()
    widget.paintGL()
    own = thread_time() - own - (0.0 if driver is None else driver.spent)
    functions.glFinish()
    processor, taken = process_time() - processor, perf_counter() - start
    widget.doneCurrent()
    return _Frame(1000 * taken, 1000 * own, 1000 * max(processor - own, 0.0))
