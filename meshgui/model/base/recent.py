"""The files opened lately: the last first, kept in a folder from one start to the next."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import NamedTuple

from meshgui.engine.basics.files import is_plain_file, read_input
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.scenario import ScenarioError, write_whole
from meshgui.model.base.limits import MAX_RECENT
from meshgui.model.base.signals import Signal

MOST = 10


class RecentFile(NamedTuple):
    """A file, and the title its scenario had as it was opened; empty where it had none."""

    path: Path
    title: str = ""


class RecentFiles:
    """At most ten files, none twice. The list is a comfort: a fault in keeping it is never an error."""

    def __init__(self, folder: Path) -> None:
        self.changed: Signal[[]] = Signal()
        self.folder = folder  # of the settings
        self._file = folder / "recent.json"
        self._files = _read(self._file)

    def files(self) -> list[RecentFile]:
        """The files that are there now; one on a drive that comes back is listed again."""
        return [file for file in self._files if is_plain_file(file.path)]

    def paths(self) -> list[Path]:
        """Where they are."""
        return [file.path for file in self.files()]

    def add(self, path: Path, title: str = "") -> None:
        """Put a file first."""
        path = path.resolve()
        self._keep([RecentFile(path, title), *(other for other in self._files if other.path != path)])

    def clear(self) -> None:
        """Forget all."""
        self._keep([])

    def _keep(self, files: list[RecentFile]) -> None:
        files = files[:MOST]
        if files == self._files:
            return
        self._files = files
        content = json.dumps([[str(path), title] for path, title in files], indent=1) + "\n"
        with contextlib.suppress(OSError, ScenarioError, UnicodeEncodeError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, content.encode())
        self.changed.emit()


def _read(file: Path) -> list[RecentFile]:
    try:
        listed = read_json(read_input(file, MAX_RECENT) or b"")
    except (OSError, ValueError):
        return []
    if not isinstance(listed, list):
        return []
    files: dict[Path, RecentFile] = {}
    for entry in listed:
        match [entry, ""] if isinstance(entry, str) else entry:  # without a title in lists of before
            case [str(path), str(title)]:
                files.setdefault(Path(path), RecentFile(Path(path), title))
    return list(files.values())[:MOST]
