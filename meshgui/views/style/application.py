"""The one Qt application, set up to draw OpenGL."""

from __future__ import annotations

import sys

from PySide6.QtCore import QCoreApplication, QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QSurfaceFormat
from PySide6.QtWidgets import QApplication

__all__ = ["qt_application"]


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


def _pass_on(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Write Qt's messages to standard error, except the ones that its off-screen platform always prints."""
    del kind, context
    if not message.startswith("This plugin does not support"):
        sys.stderr.write(f"{message}\n")
