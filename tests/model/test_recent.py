"""Recent files, a file whose changes on the disk are known, and copies of unsaved work."""

import errno
import json
import os
from itertools import groupby
from pathlib import Path

import pytest

from meshgui.engine.scenario import ScenarioError, load_scenario
from meshgui.model import known_file
from meshgui.model.document import Document
from meshgui.model.examples import DEFAULT_EXAMPLE, example
from meshgui.model.known_file import FileState, KnownFile
from meshgui.model.recent import MOST, RecentFiles
from meshgui.model.recovery import RecoveryFolder, read_copy
from tests.crashes import each_crash, full_disk


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


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS], ids=["full", "read-only"])
def test_a_disk_that_takes_no_list_is_borne(files, folder, fault):
    """Files are listed while the program runs, in a folder that is none as well; the old list stays whole."""
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
    """Whatever stands in the file, the list is empty, and works from there."""
    folder.mkdir(parents=True)
    (folder / "recent.json").write_bytes(content)
    recent = RecentFiles(folder)
    assert recent.paths() == []
    recent.add(files[0])
    assert RecentFiles(folder).paths() == [files[0]]


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


def opened() -> Document:
    """A document with the default example."""
    document = Document()
    document.take(load_scenario(example(DEFAULT_EXAMPLE)), None)
    return document


def copied(document: Document, folder: Path) -> Path:
    """The copy that is kept of a document."""
    copies = RecoveryFolder(folder)
    copies.keep([document.state])
    (file,) = copies.files()
    return file


def change(document: Document, **parts: object) -> None:
    """Edit some parts of the draft."""
    document.change({**document.draft, **parts})


def test_an_unsaved_scenario_comes_back_as_it_was(tmp_path: Path):
    """What was run, what was typed since, even if it is wrong, and where it was saved."""
    document, again = opened(), Document()
    document.save(tmp_path / "mine.meshgui.json")
    change(document, seed=7)
    document.edit(document.edited)
    change(document, seed="x")
    again.show(read_copy(copied(document, tmp_path)))
    assert again.scenario == document.scenario
    assert again.draft == document.draft
    assert again.path == tmp_path / "mine.meshgui.json"
    assert again.fault is not None
    assert again.modified


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_a_copy_is_readable_by_its_owner_alone(tmp_path: Path):
    """Even where new files are readable by all; a copy of an earlier version becomes so."""
    document = opened()
    tmp_path.joinpath("1.recovery.json").touch(0o644)
    change(document, seed=7)
    assert oct(copied(document, tmp_path).stat().st_mode & 0o777) == "0o600"


def test_each_unsaved_scenario_has_a_copy_until_it_is_closed(tmp_path: Path):
    """Nothing is written before the first edit or after an undo; two do not overwrite each other."""
    one, other, copies = opened(), opened(), RecoveryFolder(tmp_path)

    def seeds(*open_now: Document) -> list[int]:
        copies.keep([document.state for document in open_now])
        return [read_copy(file).edited.seed for file in copies.files()]

    assert seeds(one) == []
    change(one, seed=10)
    change(other, seed=11)
    assert seeds(one, other) == [10, 11]
    assert seeds(other) == [11]
    other.undo()
    assert seeds(other) == []


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"run": 1, "draft": 2, "path": null}'])
def test_a_damaged_copy_is_refused(tmp_path: Path, content: str):
    """By an error that names the file; copies are taken in the order of their numbers, others at last."""
    for name in ("10", "9", "mine"):
        (tmp_path / f"{name}.recovery.json").write_text(content)
    files = RecoveryFolder(tmp_path).files()
    assert [file.name.partition(".")[0] for file in files] == ["9", "10", "mine"]
    with pytest.raises(ScenarioError, match=r"9\.recovery\.json: expected a copy of a scenario"):
        read_copy(files[0])


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path):
    """One edits on without copies, and it is tried again."""
    document, copies = opened(), RecoveryFolder(tmp_path / "missing")
    change(document, seed=7)
    copies.keep([document.state])
    assert copies.files() == []
    assert copies.fault is not None
    assert not copies.holds(document.state)
    copies.folder.mkdir()
    copies.keep([document.state])
    assert copies.fault is None
    assert copies.holds(document.state)


def test_a_crash_at_any_step_leaves_the_last_copy_or_the_one_before(tmp_path: Path):
    """Before the first there is none; the last one stays until it has been removed."""

    def edit_and_save() -> None:
        document, copies = opened(), RecoveryFolder(tmp_path)
        for seed in (1, 2):
            change(document, seed=seed, notes="long " * 2000)
            copies.keep([document.state])
        copies.keep([])

    def remove_copies() -> None:
        for file in tmp_path.iterdir():
            file.unlink()

    crashes = each_crash(edit_and_save, remove_copies)
    found = [[read_copy(file).edited.seed for file in RecoveryFolder(tmp_path).files()] for _ in crashes]
    assert found == sorted(found)
    assert [seeds for seeds, _ in groupby(found)] == [[], [1], [2]]


@pytest.mark.parametrize("has_digest", [True, False])
def test_a_copy_knows_whether_its_file_has_changed_since(tmp_path: Path, has_digest: bool):
    """Or is gone; one of a version that kept no digest takes it for changed."""
    document, saved = opened(), tmp_path / "mine.meshgui.json"
    document.save(saved)
    change(document, seed=7)
    file = copied(document, tmp_path)
    if not has_digest:
        content = json.loads(file.read_bytes())
        del content["digest"]
        file.write_text(json.dumps(content))
    assert read_copy(file).look_at_file() == (FileState.SAME if has_digest else FileState.CHANGED)
    saved.write_text("{}")
    assert read_copy(file).look_at_file() == FileState.CHANGED
    saved.unlink()
    assert read_copy(file).look_at_file() == FileState.GONE
