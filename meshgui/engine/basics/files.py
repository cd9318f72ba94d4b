"""Writes files whole, so that no reader finds a part of one; and what is wrong with a file that was read."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, BinaryIO, Final
from uuid import uuid4

from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible

if TYPE_CHECKING:
    from subprocess import Popen

if sys.platform != "win32":  # there, a file that is open cannot be removed anyhow
    import fcntl


PRIVATE: Final = 0o600
"""The mode of a file that its owner alone may read."""

_PIECE = 1 << 20  # bytes
_PART: Final = re.compile(r"\.meshgui-[0-9a-f]{12}")
_KINDS: Final = {stat.S_IFREG, stat.S_IFDIR}  # of parts: a folder is one of a series
_SETTLED: Final = 60  # seconds without a change after which a part is left over, unless a program holds it
_cleared: set[Path] = set()  # folders
_parts: list[Path] = []  # that this process has begun
_programs: list[Popen[bytes]] = []  # that write them for it
_GONE: Final = 0.05  # seconds for a killed program to be gone


class InputFileError(Exception):
    """A file that cannot be used; in one line its path, the place in it and what was expected there."""

    def __init__(self, path: Path, message: str) -> None:
        self.path, self.message = path, legible(printable(message))
        super().__init__(f"{legible(printable(str(path)))}: {self.message}")

    @property
    def in_folder(self) -> str:
        """The same with the name of the file alone, for where its folder was just chosen."""
        return f"{legible(printable(self.path.name))}: {self.message}"


def open_input(path: Path) -> BinaryIO:
    """A file of a user, open to be read: only a plain one, as a pipe or device may never answer or end."""
    return open(path, "rb", opener=_for_reading)


def read_input(path: Path, most: int) -> bytes | None:
    """All of a file of a user; None if it has more bytes than `most`."""
    with open_input(path) as file:
        return read_at_most(file, most)


def _for_reading(path: str, flags: int) -> int:
    """Open a plain file; seen before, as opening a device may do something, and again once it is open."""
    require_plain(Path(path))
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe would be waited for
    try:
        _require_plain(os.fstat(descriptor), path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def require_plain(path: Path) -> None:
    """Raise an OSError unless there is a plain file."""
    _require_plain(path.stat(), str(path))


def _require_plain(state: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, tr("expected a plain file, not a pipe or device"), path)


def read_at_most(file: BinaryIO, most: int) -> bytes | None:
    """What is left of a file; None if it has more than this many bytes, of which no more are kept."""
    pieces, left = [], most
    while piece := file.read(min(_PIECE, left + 1)):  # one read of all would take room for the most at once
        left -= len(piece)
        if left < 0:
            return None
        pieces.append(piece)
    return b"".join(pieces)


@contextmanager
def whole_file(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file to write to that replaces an old one atomically when the block ends.

    A special file, such as a pipe or /dev/stdout, is written to directly: it has no old content,
    and must not be replaced by a file. Without a mode it gets that of the old one, or the usual one.
    """
    if (out := _already_open(path)) is not None:
        with os.fdopen(os.dup(out), "wb") as file:
            yield file
        return
    if not _is_plain(path):
        with path.open("wb") as file:
            yield file
        return
    path = _behind_links(path)
    _refuse_protected(path)
    part = _beside(path)  # known before it is there: see below
    try:
        with open(part, "xb", opener=_for_its_owner) as file:
            _hold(file.fileno())
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is None:
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        part.chmod(mode)
        part.replace(path)
    except BaseException as error:  # an interrupt, too, as soon as the file may be there
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(part):
            error.filename = str(path)  # the name that was asked for
        raise


def private_folder(folder: Path) -> None:
    """Make a folder that its owner alone may look into; one that is there becomes so."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


@contextmanager
def whole_series(folder: Path) -> Iterator[Path]:
    """A folder to write files to that are put in another when the block ends, all or none."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    part = _beside(folder / "series")
    try:
        part.mkdir(0o700)
        with _held_folder(part):
            yield part
            files = sorted(part.iterdir())
            for file in files:
                _refuse_protected(folder / file.name)
            for file in files:
                file.replace(folder / file.name)
    finally:
        _remove(part)
        if is_new:
            with suppress(OSError):  # it has files
                folder.rmdir()


def _refuse_protected(path: Path) -> None:
    """Refuse to replace a file that is write-protected, which moving another there would do."""
    if path.exists() and not os.access(path, os.W_OK):
        with suppress(PermissionError):
            path.open("r+b").close()  # a disk that cannot be written says so itself
        raise PermissionError(13, tr("permission denied"), str(path))


def _beside(path: Path) -> Path:
    """A new name beside a file, to write what will replace it to; the parts of killed programs go."""
    if path.parent not in _cleared:
        _cleared.add(path.parent)
        clear_left_overs(path.parent)
    _parts[:] = [*filter(Path.exists, _parts), path.with_name(f".meshgui-{uuid4().hex[:12]}")]
    return _parts[-1]


def written_by(program: Popen[bytes]) -> None:
    """Note a program that writes a part for this one, and may make it again once it is removed."""
    _programs[:] = [*(other for other in _programs if other.poll() is None), program]


def remove_parts() -> None:
    """Remove what this process is writing, where it ends without an exception."""
    for program in _programs:
        program.kill()
        with suppress(Exception):
            program.wait(_GONE)
    for part in _parts:
        _remove(part)


def _remove(part: Path) -> None:
    """Remove a part, if there is one."""
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)


def _hold(part: int) -> None:
    """Mark a part as one that is being written, for as long as it is open in this process."""
    if sys.platform != "win32":
        with suppress(OSError):  # on a disk without locks
            fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _held_folder(part: Path) -> Iterator[None]:
    if sys.platform == "win32":  # where a folder cannot be opened
        yield
        return
    number = os.open(part, os.O_RDONLY)
    try:
        _hold(number)
        yield
    finally:
        os.close(number)


def clear_left_overs(folder: Path) -> None:
    """Remove the parts in a folder that killed programs left there."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                _PART.fullmatch(entry.name)
                and stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) in _KINDS
            ):
                with suppress(OSError):  # it is held, or gone
                    _remove_left_over(Path(entry.path))


def _remove_left_over(part: Path) -> None:
    if time.time() - part.stat().st_mtime < _SETTLED:
        return
    if sys.platform == "win32":
        _remove(part)
        return
    number = os.open(part, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(number)
    _remove(part)


def _for_its_owner(path: str, flags: int) -> int:
    """Open a file for its owner alone, until it gets the mode of the old one."""
    return os.open(path, flags, 0o600)


def _already_open(path: Path) -> int | None:
    """The standard output or error that a path names, as both must write in order."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, or none with a number
            stream.flush()
            if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                return stream.fileno()
    return None


def _is_plain(path: Path) -> bool:
    """Whether there is a plain file, or nothing yet; a circular link is an error."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def is_plain_file(path: Path) -> bool:
    """Whether there is a plain file; what cannot be looked up, as for its length, does not count."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_elsewhere(name: str, folder: Path | None = None) -> bool:
    r"""Whether a name in a file leads to another machine, `\\host\share`, and not to that of its folder.

    Windows would log in there, before anything of the file is looked at.
    """
    if not name.replace("/", "\\").startswith("\\\\"):
        return False
    drive, own = (PureWindowsPath(path).drive.lower() for path in (name, str(folder or "")))
    return not drive or drive != own


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same plain file."""
    return os.path.isfile(one) and os.path.isfile(other) and one.samefile(other)  # noqa: PTH113 - any name


def os_fault(error: OSError) -> str:
    """The system's message, as the end of a sentence."""
    return (error.strerror or str(error)).lower()


def _behind_links(path: Path) -> Path:
    """The target of a link, so that the link itself stays; a circular link is an error."""
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return end


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
