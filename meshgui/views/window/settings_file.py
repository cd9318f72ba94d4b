"""The file of the window's settings; a damaged one is set aside, and the program starts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from meshgui.engine.basics.files import os_fault

__all__ = ["open_settings"]

_ASIDE = ".damaged"


def open_settings(settings: QSettings) -> tuple[QSettings, str]:
    """Settings that can be used, and what to tell the user about their file, if anything."""
    path = Path(settings.fileName())
    settings.sync()
    if settings.status() == QSettings.Status.FormatError or not _is_sound(path):
        aside = path.with_name(path.name + _ASIDE)
        try:
            path.replace(aside)
        except OSError as error:
            return settings, f"The settings in {path} are damaged, and stay so: {os_fault(error)}."
        fresh = QSettings(str(path), QSettings.Format.IniFormat)
        return (
            fresh,
            f"The settings were damaged; they now lie in {aside}, and the window starts with its own.",
        )
    if settings.status() == QSettings.Status.AccessError:
        return (
            settings,
            f"The settings in {path} cannot be read or written: changes of the window are not kept.",
        )
    return settings, ""


def _is_sound(path: Path) -> bool:
    """Whether all lines of a file are such as Qt writes there, which reads on over others; none is fine."""
    try:
        lines = [line.strip() for line in path.read_bytes().splitlines()]
    except OSError:
        return True
    return all(
        b"\x00" not in line
        and (not line or line[:1] in b";#" or b"=" in line or line[:1] + line[-1:] == b"[]")
        for line in lines
    )
