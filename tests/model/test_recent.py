"""The recent files: their order, their number, and that nothing about them is ever an error."""

import errno
import json
from pathlib import Path

import pytest

from meshgui.model.recent import MOST, RecentFiles
from tests.crashes import full_disk


@pytest.fixture
def files(tmp_path):
    """More files than are remembered."""
    made = [tmp_path / f"{i}.meshgui.json" for i in range(MOST + 2)]
    for path in made:
        path.touch()
    return made


@pytest.fixture
def folder(tmp_path):
    """A folder that does not exist yet."""
    return tmp_path / "state" / "meshgui"


def test_a_file_is_listed_once_however_it_is_named(files, folder, monkeypatch):
    """A relative path, a way round and a link are the file they lead to, which moves to the front."""
    recent, file, link = RecentFiles(folder), files[0], files[0].with_name("link")
    recent.add(file)
    recent.add(files[1])
    monkeypatch.chdir(file.parent)
    link.symlink_to(file)
    for path in (Path(file.name), file.parent / ".." / file.parent.name / file.name, link):
        recent.add(path)
        assert recent.paths() == [file, files[1]]


def test_the_next_start_knows_the_last_ten_the_latest_first(files, folder):
    """The oldest make room, and one more entry in their file that is no path takes no other with it."""
    recent = RecentFiles(folder)
    for path in files:
        recent.add(path)
    assert recent.paths() == RecentFiles(folder).paths() == files[:1:-1]
    (folder / "recent.json").write_text(json.dumps([str(files[0]), 5, "a\0b", str(files[1])]))
    assert RecentFiles(folder).paths() == files[:2]


def test_a_missing_file_is_not_listed_until_it_is_back(files, folder):
    """A file that is gone is left out, and listed in its old place when it returns."""
    recent = RecentFiles(folder)
    for path in files[:3]:
        recent.add(path)
    files[1].unlink()
    assert recent.paths() == [files[2], files[0]]
    files[1].touch()
    assert recent.paths() == [files[2], files[1], files[0]]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"{}", b"7", b"\xff\xfe\x00", b"[" * 100_000, b'[null, 3, ["x"]]']
)
def test_a_broken_list_is_an_empty_one(content, files, folder):
    """Whatever stands in the file, the list is empty, and works from there."""
    folder.mkdir(parents=True)
    (folder / "recent.json").write_bytes(content)
    recent = RecentFiles(folder)
    assert recent.paths() == []
    recent.add(files[0])
    assert RecentFiles(folder).paths() == [files[0]]


def test_a_folder_that_cannot_be_written_is_no_error(files, tmp_path):
    """The list works while the program runs, even where it cannot be kept."""
    in_the_way = tmp_path / "state"
    in_the_way.touch()
    recent = RecentFiles(in_the_way)
    recent.add(files[0])
    assert recent.paths() == [files[0]]


def test_listeners_hear_of_changes_only(files, folder):
    """Adding a file that already stands first changes nothing, and nobody is told."""
    recent = RecentFiles(folder)
    heard = []
    recent.changed.connect(lambda: heard.append(recent.paths()))
    recent.add(files[0])
    recent.add(files[0])
    recent.clear()
    assert heard == [[files[0]], []]


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS], ids=["full", "read-only"])
def test_a_disk_that_takes_no_list_is_borne(files, folder, fault):
    """Files are listed while the program runs; the list that was there before stays whole."""
    RecentFiles(folder).add(files[0])
    recent = RecentFiles(folder)
    with full_disk(fault):
        recent.add(files[1])
    assert recent.paths() == [files[1], files[0]]
    assert RecentFiles(folder).paths() == [files[0]]
    assert [path.name for path in folder.iterdir()] == ["recent.json"]
