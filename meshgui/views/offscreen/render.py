"""Draws a run at a time or step into a picture file, or a stretch of it into a film."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QSettings,
    QSize,
    Qt,
)
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QScrollArea, QWidget

from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.base.recent import RecentFiles
from meshgui.model.moment.position import Position
from meshgui.model.scene.theme_colours import ThemeColours
from meshgui.views.exporting.film_files import film_writer
from meshgui.views.exporting.picture_files import write_image
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.offscreen.components import ComponentsPage
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow

RenderView = Literal["mesh", "window", "inspector", "tree", "plots"]


def render(
    scenario: Scenario,
    recording: Recording,
    where: float | Position,
    out: Path,
    size: tuple[int, int],
    view: RenderView,
    colours: ThemeColours,
) -> None:
    """Draw a run at a time, or at a step of an attempt, into a PNG."""
    with _window_on(scenario, recording, _themes(colours)) as window:
        if isinstance(where, Position):
            window.time_cursor.go_to(where)
        else:
            window.time_cursor.go_to_time(where)
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, view != "window")
        image = _draw(window, QSize(*size), view)
        shown = window.time_cursor.view
        if view in {"window", "inspector"} and shown is not None and shown.fault is not None:
            raise StrategyError(shown.fault)
    write_image(out, image)


def render_components(out: Path, size: tuple[int, int], colours: ThemeColours) -> None:
    """Draw the page of all parts of windows into a PNG."""
    write_image(out, _alone(ComponentsPage(_themes(colours)), QSize(*size)))


def render_film(
    scenario: Scenario,
    recording: Recording,
    times: Sequence[float],
    fps: float,
    out: Path,
    size: tuple[int, int],
    view: Literal["mesh", "window"],
    colours: ThemeColours,
    work: Work,
) -> None:
    """Draw a run at each of these times into a GIF, an MP4 or a folder of PNGs."""
    with _window_on(scenario, recording, _themes(colours)) as window, film_writer(out, fps) as film:
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, view != "window")
        for time in times:
            window.time_cursor.go_to_time(time)
            film.add(_draw(window, QSize(*size), view))
            work.report(film.frames, len(times))


def _themes(colours: ThemeColours) -> ThemeManager:
    themes = ThemeManager(qt_application(), colours.name)
    themes.set_high_contrast(colours.high_contrast)
    return themes


@contextmanager
def _window_on(scenario: Scenario, recording: Recording, themes: ThemeManager) -> Iterator[MainWindow]:
    """A window on a recording, with settings that are kept nowhere."""
    application = qt_application()
    settings = QSettings("", QSettings.Format.IniFormat)
    window = MainWindow(themes, settings, RecentFiles(Path(os.devnull)))
    window.document.take(scenario, None)
    window.time_cursor.show(recording)
    yield window
    window.deleteLater()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _draw(window: MainWindow, size: QSize, view: RenderView) -> QImage:
    window.resize(size)
    window.show()
    _settle()
    for widget in (window.mesh.canvas, window.mesh):  # wherever the pointer stands, it is not in the picture
        QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    if isinstance(window.mesh.canvas, MeshGL):
        window.mesh.canvas.come_to_rest()  # so that its edges are smooth
        _settle()
    if view == "mesh":
        return window.mesh.grab_image(size)
    if view == "plots":
        window.panels.show("plots")
        return _alone(window.panels.part("plots"), size)
    if view == "inspector":
        window.panels.show("inspector")
        return _alone(window.panels.view(InspectorView), size)
    if view == "tree":
        bodies = [section.body for section in window.panels.view(InspectorView).sections.values()]
        panel = next(body for body in bodies if isinstance(body, TreePanel))
        if not panel.tree.nodes:
            raise PictureError(tr("there is no tree at that time: it is only there while a job is placed"))
        return _alone(panel, size)
    return window.grab().toImage().scaled(size)


def _scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """The area in which a widget scrolls as a whole, if there is one."""
    viewport = widget.parentWidget()
    area = viewport.parentWidget() if viewport is not None else None
    return area if isinstance(area, QScrollArea) and area.widget() is widget else None


def _alone(widget: QWidget, size: QSize) -> QImage:
    """Grab a part of the window in the size of the picture."""
    area = _scroll_area_of(widget)
    if area is not None:
        area.takeWidget()  # else it would go on to fit the widget to itself
    widget.setParent(None)
    widget.setProperty("panel", True)  # the ground it had inside the window
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.style().polish(widget)
    widget.resize(size)
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)  # where the pointer could hover over it
    widget.show()
    _settle()
    image = widget.grab().toImage()
    widget.close()
    return image


def _settle() -> None:
    """Wait for layouts, first paints and what they defer."""
    for _ in range(10):
        QCoreApplication.processEvents()
