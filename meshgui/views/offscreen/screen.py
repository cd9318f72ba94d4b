"""Checks whether there is a screen, and starts a virtual one. Imports no Qt."""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import AF_UNIX, socket

from meshgui.engine.basics.translation import tr

_SECONDS_TO_START = 20


class VirtualScreenError(Exception):
    """The virtual screen could not be started: one line."""


def missing_screen(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return why no window can be opened, or None. Only Linux may lack a screen or have it elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    asked = [name.partition(":")[0] for name in environment.get("QT_QPA_PLATFORM", "").split(";") if name]
    display, wayland = environment.get("DISPLAY", ""), environment.get("WAYLAND_DISPLAY", "")
    if not asked and not display and not wayland:
        return tr("there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set")
    faults = []
    for name in asked or ["wayland"] * bool(wayland) + ["xcb"] * bool(display):  # as Qt tries them
        if name == "xcb":
            fault = _missing_display(display)
        elif name.startswith("wayland"):
            fault = _missing_wayland(environment)
        else:
            return None
        if fault is None:
            return None
        faults.append(fault)
    return faults[0]


def _missing_display(display: str) -> str | None:
    if not display:
        return tr("there is no screen: QT_QPA_PLATFORM is xcb, and DISPLAY is not set")
    return None if _answers(display) else _silent(display, "DISPLAY")


def _missing_wayland(environment: Mapping[str, str]) -> str | None:
    """Try the socket that Wayland's library would take; one that is inherited is left alone."""
    if environment.get("WAYLAND_SOCKET"):
        return None
    name = environment.get("WAYLAND_DISPLAY") or "wayland-0"
    with socket(AF_UNIX) as line:
        try:
            line.connect(str(Path(environment.get("XDG_RUNTIME_DIR", "/")) / name))
        except OSError:
            return _silent(name, "WAYLAND_DISPLAY")
    return None


def _silent(name: str, variable: str) -> str:
    return tr("the screen {name} ({variable}) does not answer").format(name=name, variable=variable)


def _answers(display: str) -> bool:
    """Whether an X server accepts a connection, tried as Qt does: Qt ends the program where it does not."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # let Qt say what is missing
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    with _quiet():  # the server's refusal goes straight to standard error
        line = xcb.xcb_connect(display.encode(errors="surrogateescape"), None)
        refused = xcb.xcb_connection_has_error(line)
        xcb.xcb_disconnect(line)
    return not refused


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence standard error, libraries included."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def draw_in_memory() -> None:
    """Without a screen, let Qt draw in memory, without OpenGL, and silence its warnings."""
    if missing_screen() is not None:
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")


def has_virtual_screen() -> bool:
    """Whether a virtual screen could be started."""
    return shutil.which("Xvfb") is not None


@contextmanager
def virtual_screen(width: int, height: int) -> Iterator[dict[str, str]]:
    """Start a screen in memory, with OpenGL by Mesa; yield the environment of a program that draws on it."""
    reader, writer = os.pipe()
    words = [tr("Xvfb"), "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24"]
    words += ["-nolisten", "tcp", "+extension", "GLX"]
    quiet = subprocess.DEVNULL
    try:
        # A session of its own: an interrupt reaches this program first, which then ends the server.
        server = subprocess.Popen(  # noqa: S603 - fixed words
            words, pass_fds=[writer], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except OSError as error:
        os.close(reader)
        raise VirtualScreenError(
            tr("Xvfb could not be started: {strerror}").format(strerror=error.strerror)
        ) from None
    finally:
        os.close(writer)
    try:
        yield _environment(_number(reader))
    finally:
        os.close(reader)
        server.terminate()
        server.wait()


def _number(reader: int) -> int:
    """Read the display number, which the server writes when it is ready."""
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], _SECONDS_TO_START)
        more = os.read(reader, 64) if ready else b""
        if not more:
            raise VirtualScreenError(tr("Xvfb did not start"))
        text += more
    return int(text)


def _environment(number: int) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    # Where the libraries for X are missing, Qt uses its own drawing, without OpenGL.
    return environment | {
        "DISPLAY": f":{number}",
        "QT_QPA_PLATFORM": "xcb;offscreen",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "QT_LOGGING_RULES": os.environ.get("QT_LOGGING_RULES", "*.warning=false"),
    }
