"""The file of the window's settings; a damaged one is set aside, and the program starts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSettings, QStandardPaths

from meshgui.engine.basics.files import os_fault, read_input
from meshgui.engine.basics.translation import tr
from meshgui.model.base.limits import MAX_SETTINGS
from meshgui.views.style.direction import among_words

_DAMAGED: Final = ".damaged"
_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]+)|([0-7]+)|.)", re.DOTALL)
_BETWEEN: Final = re.compile(
    rb"[^!-~]+|\"+"
)  # Qt also drops the mark of a byte order, wherever a text begins
_OBJECTS: Final = (b"@variant(", b"@datetime(")


def open_settings(settings: QSettings) -> tuple[QSettings, str]:
    """Settings that can be used, and what to tell the user about their file, if anything."""
    path = Path(settings.fileName())
    settings.setFallbacksEnabled(False)  # other files are not looked through here
    content = _content(path)
    if content is None:
        return _set_aside(settings, path, tr("The settings were damaged"))
    if _holds_objects(content):  # not even read: that would make them
        return _set_aside(settings, path, tr("The settings held values that MeshGUI never writes"))
    settings.sync()
    if settings.status() == QSettings.Status.FormatError or not _is_sound(content):
        return _set_aside(settings, path, tr("The settings were damaged"))
    if settings.status() == QSettings.Status.AccessError or not settings.isWritable():
        return settings, _not_kept(path)
    return settings, ""


class SettingsWatch(QObject):
    """Says once when the settings can no longer be written, as on a full disk."""

    def __init__(self, settings: QSettings, tell: Callable[[str], object]) -> None:
        super().__init__(settings)
        self._settings, self._tell = settings, tell
        self._said = settings.status() == QSettings.Status.AccessError  # by the start
        settings.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Write at once what Qt would write now, to see whether it can."""
        if event.type() == QEvent.Type.UpdateRequest:
            self.write(self._tell)
        return super().eventFilter(watched, event)

    def write(self, tell: Callable[[str], object]) -> None:
        """Write what was changed, and say to whom it concerns now that it cannot be."""
        if self._said:
            return
        self._settings.sync()
        if self._settings.status() == QSettings.Status.AccessError:
            self._said = True
            tell(_not_kept(Path(self._settings.fileName())))


def _not_kept(path: Path) -> str:
    return tr("The settings in {path} cannot be read or written: changes of the window are not kept.").format(
        path=among_words(path)
    )


def guard_dialogs() -> str:
    """Keep Qt's dialogs from settings of theirs that hold objects; what to tell the user, if anything.

    All programs with Qt share these: PySide would make Python objects of them when a dialog for files opens.
    """
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    path = Path(folder) / "QtProject.conf"
    content = _content(path)
    if content is not None and not _holds_objects(content):
        return ""
    damaged = path.with_name(path.name + _DAMAGED)
    why = tr("The settings of the file dialogs held values that Qt never writes")
    try:
        path.replace(damaged)
    except OSError as error:
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
        return tr("{why}, and cannot be moved away: {fault}. They are not read.").format(
            why=why, fault=os_fault(error)
        )
    return tr("{why}; they are now in {file}.").format(why=why, file=damaged)


def _set_aside(settings: QSettings, path: Path, why: str) -> tuple[QSettings, str]:
    """Fresh settings in the place of others, which are moved; where they cannot be, for this run alone."""
    damaged = path.with_name(path.name + _DAMAGED)
    try:
        path.replace(damaged)
    except OSError as error:
        del settings  # it may not be asked for anything
        told = tr("{why}, and cannot be moved away: {fault}. Changes of the window are not kept.").format(
            why=why, fault=os_fault(error)
        )
        return QSettings("", QSettings.Format.IniFormat), told
    told = tr("{why}; they are now in {file}, and the window starts with its defaults.").format(
        why=why, file=damaged
    )
    return QSettings(str(path), QSettings.Format.IniFormat), told


def _content(path: Path) -> bytes | None:
    """What a file holds, nothing where there is none; None if it is no file, or too long for a start."""
    if path.exists() and not path.is_file() and not path.is_dir():  # Qt would wait for a pipe
        return None
    try:
        return read_input(path, MAX_SETTINGS)
    except OSError:
        return b""


def _holds_objects(content: bytes) -> bool:
    r"""Whether there is a value that Qt would make an object of, and PySide a Python object by `pickle`.

    Qt takes escapes, quotes and line ends out of a value before it looks at it, so that
    `@Var\x69a"nt("` is one as well. Texts, numbers and bytes, all that the window keeps, need none.
    """
    return any(mark in _BETWEEN.sub(b"", _ESCAPE.sub(_letter, content)).lower() for mark in _OBJECTS)


def _letter(escape: re.Match[bytes]) -> bytes:
    """What stands for an escaped letter; nothing where it is not one of those that matter here."""
    number = int(escape[1], 16) if escape[1] else int(escape[2], 8) if escape[2] else 0
    letter = number & 0xFFFF  # as Qt takes no more of it
    return bytes((letter,)) if 0x20 < letter < 0x7F else b""


def _is_sound(content: bytes) -> bool:
    """Whether all lines are such as Qt writes, which reads on over others."""
    lines = [line.strip() for line in content.splitlines()]
    return all(
        b"\x00" not in line
        and (not line or line[:1] in b";#" or b"=" in line or line[:1] + line[-1:] == b"[]")
        for line in lines
    )
