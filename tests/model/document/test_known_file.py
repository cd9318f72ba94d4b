"""Changes of a file by other programs."""

import os
from pathlib import Path

import pytest

from meshgui.model.document import known_file
from meshgui.model.document.known_file import FileState, KnownFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that says one."""
    path = tmp_path / "file"
    path.write_bytes(b"one")
    return path


def state(known: KnownFile) -> FileState:
    """What has become of a file by now."""
    known.look()
    return known.state


def test_a_change_is_noticed_by_the_content(path: Path, tmp_path: Path):
    """Neither by its time nor by its length; whether another is there, nothing, or no folder."""
    known, before = KnownFile.read(path), path.stat()
    assert state(known) == FileState.SAME
    path.write_bytes(b"two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert state(known) == FileState.CHANGED
    path.write_bytes(b"one")
    assert state(known) == FileState.SAME
    os.utime(path, (0, 0))
    assert state(known) == FileState.SAME
    known = KnownFile.read(path)
    (tmp_path / "other").write_bytes(b"two")
    (tmp_path / "other").replace(path)
    assert state(known) == FileState.CHANGED
    path.unlink()
    assert state(known) == FileState.GONE
    path.mkdir()
    assert state(known) == FileState.CHANGED
    path.rmdir()
    path.write_bytes(b"one")
    assert state(known) == FileState.SAME
    assert state(KnownFile(path / "below", known.digest)) == FileState.GONE


def test_a_file_whose_times_are_old_is_read_once(path: Path, monkeypatch: pytest.MonkeyPatch):
    """A young one is read at every look: a change within a tick of the clock leaves its times."""
    reads: list[Path] = []
    content_of, changed = known_file.read_input, path.stat().st_ctime
    monkeypatch.setattr(
        known_file, "read_input", lambda path, limit: reads.append(path) or content_of(path, limit)
    )
    monkeypatch.setattr(known_file.time, "time", lambda: changed + 1.0)
    known = KnownFile.read(path)
    known.look()
    assert len(reads) == 2
    monkeypatch.setattr(known_file.time, "time", lambda: changed + 10.0)
    for _ in range(3):
        known.look()
    assert len(reads) == 3
    assert known.state == FileState.SAME


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_read(path: Path):
    """It would be emptied, or waited for; one that has taken the place of a file is a change."""
    known = KnownFile.read(path)
    path.unlink()
    os.mkfifo(path)
    assert KnownFile.read(path) is None
    assert state(known) == FileState.CHANGED
    assert KnownFile.read(path.with_name("missing")) is None
