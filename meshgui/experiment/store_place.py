"""Where a store lies: on a network file system several machines must not use it at the same time.

SQLite's write-ahead log needs memory that all its programs share, which those of two machines do not have,
and many network file systems do not keep the locks that a store goes by. A new store there has a journal in
place of the log, so that one machine after another can use it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_MOUNTS: Final = Path("/proc/self/mounts")
_KINDS: Final = frozenset(
    (
        "afs", "beegfs", "ceph", "cifs", "fuse.ceph", "fuse.glusterfs", "fuse.sshfs", "glusterfs", "gpfs",
        "lustre", "nfs", "nfs4", "orangefs", "panfs", "pvfs2", "smb3", "smbfs",
    )
)  # fmt: skip
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def network_file_system(path: Path) -> str:
    """The kind of network file system that a file lies on; empty for any other, or if it is not known."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # only Linux says it so
        return ""
    place, longest, found = os.path.realpath(path), -1, ""
    for line in lines:
        _, mounted, kind, *_ = (*line.split(" "), "", "", "")
        folder = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), mounted)
        within = place == folder or place.startswith(folder.rstrip("/") + "/")
        if within and len(folder) >= longest:  # of two at one place the later one is seen
            longest, found = len(folder), kind
    return found if found in _KINDS else ""


def journal_mode(path: Path | None) -> str:
    """How SQLite is to keep what a transaction may undo."""
    return "DELETE" if path is not None and network_file_system(path) else "WAL"
