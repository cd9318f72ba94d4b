"""What a file held when it was last read or written, so that a change by another program is noticed."""

from __future__ import annotations

import stat
import time
from enum import Enum, auto
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

from meshgui.engine.basics.files import is_plain_file, read_input
from meshgui.engine.basics.limits import MAX_SCENARIO

_GONE: Final = ""
_UNREADABLE: Final = "unreadable"
_SETTLED: Final = 3.0  # seconds, more than the coarsest clock of a file system


class FileState(Enum):
    """What has become of a file."""

    SAME = auto()
    CHANGED = auto()
    GONE = auto()  # deleted, moved, or on a drive that is


class KnownFile:
    """A file by its content, and what it held at the last look.

    Only a file whose size, times or number differ is read again. Times that are younger than the clock of a
    file system is exact say nothing, as in Git's index ("racily clean" entries).
    """

    def __init__(self, path: Path, digest: str) -> None:
        self.path, self.digest = path, digest
        self.seen = digest  # at the last look
        self._status: tuple[int, ...] | None = None  # with which it was read

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The file as it is now; None for a pipe or a device, which has no content of its own."""
        if not is_plain_file(path):
            return None
        known = cls(path, _GONE)
        known.look()
        known.digest = known.seen
        return known

    @property
    def state(self) -> FileState:
        """What had become of it at the last look."""
        if self.seen == self.digest:
            return FileState.SAME
        return FileState.GONE if self.seen == _GONE else FileState.CHANGED

    def look(self) -> None:
        """Look at the file again."""
        try:
            now = self.path.stat()
        except (OSError, ValueError):
            self.seen, self._status = _GONE, None
            return
        status = now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, now.st_dev
        if status == self._status:
            return
        self.seen = _digest(self.path) if stat.S_ISREG(now.st_mode) else _UNREADABLE
        settled = time.time() - max(now.st_mtime, now.st_ctime) > _SETTLED
        self._status = status if settled else None


def file_digest(content: bytes = b"") -> blake2b:
    """What a content is known by; more can be added to it."""
    return blake2b(content, digest_size=32)


def _digest(path: Path) -> str:
    try:
        content = read_input(path, MAX_SCENARIO)
        return _UNREADABLE if content is None else file_digest(content).hexdigest()
    except FileNotFoundError:
        return _GONE
    except OSError:
        return _UNREADABLE
