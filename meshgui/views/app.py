"""Starts the program with a window, or draws one picture without anybody looking."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QEvent,
    QIODevice,
    QMessageLogContext,
    QSettings,
    QSize,
    QStandardPaths,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QImage, QImageWriter, QSurfaceFormat
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.allocation.guard import StrategyError
from meshgui.engine.files import os_fault, whole_file
from meshgui.engine.scenario import Scenario
from meshgui.engine.simulation import simulate
from meshgui.model.recent import RecentFiles
from meshgui.views.main_window import MainWindow
from meshgui.views.mesh_gl import MeshGL
from meshgui.views.theme import Mode, ThemeManager
from meshgui.views.tree_panel import TreePanel

__all__ = ["RenderError", "open_window", "qt_application", "render"]

View = Literal["mesh", "window", "tree", "plots"]


class RenderError(Exception):
    """A picture that could not be drawn or written."""


def open_window(scenario: Scenario | None, path: Path | None) -> int:
    """Open the window, on a scenario and the file it came from if there is one; the program's exit status."""
    application = qt_application()
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "MeshGUI", "MeshGUI")
    themes = ThemeManager(application, _mode(settings.value("window/theme")))
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation))
    window = MainWindow(themes, settings, RecentFiles(folder))
    if scenario is not None and path is not None:
        window.files.take(scenario, path)
    if os.environ.get("MESHGUI_BENCH_FIRST_PAINT"):
        window.painted.connect(_report_and_leave)
    window.show()
    status = application.exec()
    window.end_experiment()
    window.end_gallery()
    window.runs.wait()  # also where the application was told to quit and no window was closed
    return status


def render(
    scenario: Scenario,
    at: float,
    out: Path,
    size: tuple[int, int],
    view: View = "window",
    theme: Mode = "light",
) -> None:
    """Run a scenario and draw it at a time into a PNG."""
    application = qt_application()
    with TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        themes = ThemeManager(application, theme)
        window = MainWindow(themes, settings, RecentFiles(Path(folder)))
        window.document.take(scenario, None)
        window.place.show(simulate(scenario))
        window.place.go_to_time(at)
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, view != "window")
        image = _draw(window, QSize(*size), view)
        shown = window.place.view
        if view == "window" and shown is not None and shown.fault is not None:
            raise StrategyError(shown.fault)
        window.deleteLater()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    if image.isNull() or not QImageWriter(content, b"png").write(image):
        raise RenderError("the picture could not be drawn")
    try:
        with whole_file(out) as file:
            file.write(content.data().data())
    except OSError as error:
        raise RenderError(f"could not be written: {os_fault(error)}") from None


def _report_and_leave() -> None:
    """Tell whoever measures the start that the first paint is over."""
    os.write(1, b"painted\n")
    os._exit(0)


def _draw(window: MainWindow, size: QSize, view: View) -> QImage:
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
        window.show_dock("plots")
        return _alone(window.plots.view, size)
    if view == "tree":
        bodies = [section.body for section in window.inspector.sections.values()]
        panel = next(body for body in bodies if isinstance(body, TreePanel))
        if not panel.tree.nodes:
            raise RenderError("there is no tree at that time: it is only there while a job is being placed")
        return _alone(panel, size)
    return window.grab().toImage().scaled(size)


def _alone(widget: QWidget, size: QSize) -> QImage:
    """A part of the window taken out of it, in the size of the picture."""
    widget.setParent(None)
    widget.setProperty("panel", True)  # the ground it had inside the window
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.style().polish(widget)
    widget.resize(size)
    widget.show()
    _settle()
    image = widget.grab().toImage()
    widget.close()
    return image


def _settle() -> None:
    """Let layouts, first paints and what they defer come to rest."""
    for _ in range(10):
        QCoreApplication.processEvents()


def _pass_on(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """What Qt has to say goes to standard error, but for what its platform without a screen always says."""
    del kind, context
    if not message.startswith("This plugin does not support"):
        sys.stderr.write(f"{message}\n")


def qt_application() -> QApplication:
    """The one Qt application, made when there is none yet."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    surface = QSurfaceFormat()
    surface.setVersion(3, 3)
    surface.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    surface.setDepthBufferSize(24)
    QSurfaceFormat.setDefaultFormat(surface)
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QCoreApplication.setApplicationName("MeshGUI")
    QCoreApplication.setOrganizationName("MeshGUI")
    application = QApplication(sys.argv[:1])
    if application.platformName() == "offscreen":
        qInstallMessageHandler(_pass_on)
    return application


def _mode(value: object) -> Mode:
    return value if value in {"light", "dark"} else "system"
