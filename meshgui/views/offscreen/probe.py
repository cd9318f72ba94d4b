"""Probes the screen in a process of its own, as a bad driver can end the process."""

from __future__ import annotations

import json
import subprocess
from typing import TypedDict, cast

from meshgui import itself
from meshgui.engine.basics.translation import tr

_LONGEST = 60  # seconds


class ProbeError(Exception):
    """The screen could not be probed: one line."""


class Screen(TypedDict):
    """One screen."""

    name: str
    width: int
    height: int
    scale: float


class OpenGL(TypedDict):
    """The context that Qt gives."""

    vendor: str
    renderer: str
    version: str


class ScreenReport(TypedDict):
    """The screens, fonts and OpenGL that Qt finds."""

    platform: str
    screens: list[Screen]
    fonts: list[str]  # the shipped faces that Qt could load
    opengl: OpenGL | None


def probe_apart(environment: dict[str, str] | None = None) -> ScreenReport:
    """Probe the screen from a process of its own."""
    try:
        done = subprocess.run(  # noqa: S603 - ourselves
            itself.command("doctor", "--probe"),
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ProbeError(tr("no answer within {LONGEST} s").format(LONGEST=_LONGEST)) from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        ended = (
            tr("signal {signal}").format(signal=-done.returncode)
            if done.returncode < 0
            else tr("exit status {returncode}").format(returncode=done.returncode)
        )
        # A Python fault says it in its last line, Qt in its first.
        raise ProbeError(
            (said[-1] if done.returncode > 0 else said[0])
            if said
            else tr("ended by {ended}").format(ended=ended)
        )
    try:
        return cast("ScreenReport", json.loads(done.stdout.splitlines()[-1]))
    except (ValueError, IndexError):
        raise ProbeError(tr("no sensible answer: “{stdout}”").format(stdout=done.stdout[:80])) from None


def probe_here() -> ScreenReport:
    """Probe the screen from this process."""
    from PySide6.QtGui import QFontDatabase, QGuiApplication  # noqa: PLC0415 - Qt, only here

    from meshgui.views.style import fonts  # noqa: PLC0415

    application = QGuiApplication([])
    fonts.load_fonts()
    families = set(QFontDatabase.families())
    screens = [
        Screen(
            name=screen.name(),
            width=screen.size().width(),
            height=screen.size().height(),
            scale=screen.devicePixelRatio(),
        )
        for screen in application.screens()
    ]
    return ScreenReport(
        platform=application.platformName(),
        screens=screens,
        fonts=[family for family in fonts.shipped_families() if family in families],
        opengl=_opengl(),
    )


def _opengl() -> OpenGL | None:
    from OpenGL import GL  # noqa: PLC0415
    from PySide6.QtGui import QOffscreenSurface, QOpenGLContext  # noqa: PLC0415

    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    if not (context.create() and context.makeCurrent(surface)):
        return None
    vendor, renderer, version = (
        GL.glGetString(name).decode() for name in (GL.GL_VENDOR, GL.GL_RENDERER, GL.GL_VERSION)
    )
    context.doneCurrent()
    return OpenGL(vendor=vendor, renderer=renderer, version=version)
