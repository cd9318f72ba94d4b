"""The one Qt application, set up to draw OpenGL."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon, QSurfaceFormat
from PySide6.QtWidgets import QApplication

from meshgui.engine.basics.translation import is_rtl_language
from meshgui.itself import resource
from meshgui.views.style.accessibility import tell_roles
from meshgui.views.style.qt_words import translate_qt


class Application(QApplication):
    """The application, in which Quit of the system asks first, as closing by hand does."""

    may_quit: Callable[[], bool] | None = None

    def event(self, event: QEvent) -> bool:
        """Pass Quit on only where it may end the program; Qt would close the windows one by one."""
        if event.type() == QEvent.Type.Quit and self.may_quit is not None and not self.may_quit():
            event.ignore()
            return True
        return super().event(event)


def qt_application() -> QApplication:
    """The one Qt application, created at the first call."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QSurfaceFormat.setDefaultFormat(surface_format())
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QCoreApplication.setApplicationName("MeshGUI")
    QCoreApplication.setOrganizationName("MeshGUI")
    application = Application(sys.argv[:1])
    translate_qt(application)
    if is_rtl_language():
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    tell_roles()
    application.setWindowIcon(QIcon(str(resource("program-icon.svg"))))
    application.setDesktopFileName("meshgui")
    # There is no such theme: menus of Qt's own would take the desktop's icons.
    QIcon.setThemeName("MeshGUI")
    if application.platformName() == "offscreen":
        qInstallMessageHandler(_pass_on)
    return application


def surface_format() -> QSurfaceFormat:
    """OpenGL 3.3 core, as the 3D view draws with."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    return wanted


def _pass_on(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Write Qt's messages to standard error, except the ones that its off-screen platform always prints."""
    del kind, context
    if not message.startswith("This plugin does not support"):
        sys.stderr.write(f"{message}\n")
