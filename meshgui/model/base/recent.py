"""The files opened lately: the last first, kept in a folder from one start to the next."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from meshgui.engine.basics.files import is_plain_file, read_input
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.scenario import ScenarioError, write_whole
from meshgui.model.base.limits import MAX_RECENT
from meshgui.model.base.signals import Signal

MOST = 10


class RecentFiles:
    """At most ten files, none twice. The list is a comfort: a fault in keeping it is never an error."""

    def __init__(self, folder: Path) -> None:
        self.changed: Signal[[]] = Signal()
        self.folder = folder  # of the settings
        self._file = folder / "recent.json"
        self._paths = _read(self._file)

    def paths(self) -> list[Path]:
        """The files that are there now; one on a drive that comes back is listed again."""
        return [path for path in self._paths if is_plain_file(path)]

    def add(self, path: Path) -> None:
        """Put a file first."""
        path = path.resolve()
        self._keep([path, *(other for other in self._paths if other != path)])

    def clear(self) -> None:
        """Forget all."""
        self._keep([])

    def _keep(self, paths: list[Path]) -> None:
        paths = paths[:MOST]
        if paths == self._paths:
            return
        self._paths = paths
        content = json.dumps([str(path) for path in paths], indent=1) + "\n"
        with contextlib.suppress(OSError, ScenarioError, UnicodeEncodeError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, content.encode())
        self.changed.emit()


def _read(file: Path) -> list[Path]:
    try:
        listed = read_json(read_input(file, MAX_RECENT) or b"")
    except (OSError, ValueError):
        return []
    if not isinstance(listed, list):
        return []
    return list(dict.fromkeys(Path(entry) for entry in listed if isinstance(entry, str)))[:MOST]
