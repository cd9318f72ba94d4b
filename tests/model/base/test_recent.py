"""The list of recent files."""

import errno
import json
from pathlib import Path

import pytest

from meshgui.model.base.recent import MOST, RecentFiles
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
    """A link is the file it leads to; the oldest make room; one that returns has its old place."""
    recent, file, link = RecentFiles(folder), files[0], files[0].with_name("link")
    recent.add(file)
    recent.add(files[1])
    monkeypatch.chdir(file.parent)
    link.symlink_to(file)
    for path in (Path(file.name), file.parent / ".." / file.parent.name / file.name, link):
        recent.add(path)
        assert recent.paths() == [file, files[1]]
    recent = RecentFiles(folder)
    for path in files:
        recent.add(path)
    assert recent.paths() == RecentFiles(folder).paths() == files[:1:-1]
    (folder / "recent.json").write_text(json.dumps([str(files[0]), 5, "a\0b", str(files[1])]))
    assert RecentFiles(folder).paths() == files[:2]
    recent, heard = RecentFiles(folder), []
    recent.clear()
    recent.changed.connect(lambda: heard.append(len(recent.paths())))
    for path in (*files[:3], files[2]):
        recent.add(path)
    files[1].unlink()
    assert recent.paths() == [files[2], files[0]]
    files[1].touch()
    assert recent.paths() == [files[2], files[1], files[0]]
    recent.clear()
    assert heard == [1, 2, 3, 0]


def test_a_file_is_listed_with_its_title_of_last_time(files, folder):
    """Titles are kept with the list, so that no file is read for it; lists of before have none."""
    recent, (first, second, *_) = RecentFiles(folder), files
    recent.add(first, "TBL under load")
    recent.add(second)
    recent.add(first, "TBL under a load")
    expected = [(first, "TBL under a load"), (second, "")]
    assert recent.files() == RecentFiles(folder).files() == expected
    kept = [str(first), [str(second), "Later"], [str(first), "x"], [1]]
    (folder / "recent.json").write_text(json.dumps(kept))
    assert RecentFiles(folder).files() == [(first, ""), (second, "Later")]


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS], ids=["full", "read-only"])
def test_a_disk_that_takes_no_list_is_borne(files, folder, fault):
    """Files are listed while the program runs, in a broken folder as well; the old list stays whole."""
    RecentFiles(folder).add(files[0])
    recent, without = RecentFiles(folder), RecentFiles(files[0])
    with full_disk(fault):
        recent.add(files[1])
        without.add(files[1])
    assert (recent.paths(), without.paths()) == ([files[1], files[0]], [files[1]])
    assert RecentFiles(folder).paths() == [files[0]]
    assert [path.name for path in folder.iterdir()] == ["recent.json"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"{}", b"7", b"\xff\xfe\x00", b"[" * 100_000, b'[null, 3, ["x"]]']
)
def test_a_broken_list_is_an_empty_one(content, files, folder):
    """Whatever is in the file, the list is empty, and works from there."""
    folder.mkdir(parents=True)
    (folder / "recent.json").write_bytes(content)
    recent = RecentFiles(folder)
    assert recent.paths() == []
    recent.add(files[0])
    assert RecentFiles(folder).paths() == [files[0]]
