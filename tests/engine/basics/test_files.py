"""Files: how they are written and compared, and which places are trusted."""

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from meshgui.engine.basics import files, trusted_place
from meshgui.engine.basics.files import (
    clear_left_overs,
    is_plain_file,
    os_fault,
    remove_parts,
    same_file,
    whole_file,
    whole_series,
)
from meshgui.engine.basics.trusted_place import file_fault, folder_fault
from meshgui.engine.scenario import write_whole


def test_the_old_file_stands_until_the_new_one_is_whole(tmp_path):
    """While one is being written its place holds the old one; the new one beside it is its owner's alone."""
    path = tmp_path / "f"
    path.write_bytes(b"old")
    with whole_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        (beside,) = set(tmp_path.iterdir()) - {path}
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_as_soon_as_the_file_is_there_leaves_nothing(tmp_path, monkeypatch):
    """Before its first byte or half-way: the old file is whole, and nothing lies beside it."""

    def made_and_interrupted(path, flags):
        os.close(os.open(path, flags, 0o600))
        assert Path(path).exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "_for_its_owner", made_and_interrupted)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "f"):
        pass
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def fail():
        with whole_file(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


LEFT = ".meshgui-0123456789ab"


def left_over(folder, age):
    """What a program left that was killed this number of seconds ago while it wrote a file."""
    part = folder / LEFT
    part.write_bytes(b"half")
    os.utime(part, (time.time() - age,) * 2)
    return part


def test_what_a_killed_program_left_goes_with_the_next_file(tmp_path):
    """Once a folder and process; what another name has, or has just been written, stays."""
    part = left_over(tmp_path, 3600)
    for name in (f"{LEFT}.txt", ".meshgui-notes", ".meshgui-0123456789xy"):
        (tmp_path / name).write_bytes(b"mine")
        os.utime(tmp_path / name, (0, 0))
    with whole_file(tmp_path / "f"):
        assert not part.exists()
    assert len(list(tmp_path.iterdir())) == 4
    left_over(tmp_path, 1)
    clear_left_overs(tmp_path)
    assert part.exists()
    clear_left_overs(tmp_path / "missing")


@pytest.mark.skipif(sys.platform == "win32", reason="there, what is open cannot be removed at all")
def test_what_another_program_is_writing_stays(tmp_path):
    """However long it has written nothing, and however often its folder is cleared."""
    with whole_file(tmp_path / "f") as file:
        file.write(b"new")
        file.flush()
        (part,) = tmp_path.iterdir()
        os.utime(part, (0, 0))
        clear_left_overs(tmp_path)
        assert part.exists()
    assert (tmp_path / "f").read_bytes() == b"new"


def test_a_series_is_put_in_place_whole_or_not_at_all(tmp_path):
    """Into a folder with other files or a new one; what its writer or a protected file refuses leaves all."""
    folder = tmp_path / "new" / "series"
    with whole_series(folder) as part:
        (part / "1").write_bytes(b"one")
        (part / "2").write_bytes(b"two")
        assert [file.name for file in folder.iterdir()] == [part.name]
    assert [file.name for file in sorted(folder.iterdir())] == ["1", "2"]

    def fail():
        with whole_series(folder) as part:
            (part / "1").write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [file.read_bytes() for file in sorted(folder.iterdir())] == [b"one", b"two"]
    with pytest.raises(KeyboardInterrupt), whole_series(tmp_path / "none"):
        raise KeyboardInterrupt
    assert [file.name for file in tmp_path.iterdir()] == ["new"]


@pytest.mark.skipif(sys.platform == "win32", reason="there, what is open cannot be removed at all")
def test_a_series_that_is_being_written_stays_and_one_that_was_killed_goes(tmp_path):
    """With all that is in it; and where the program ends without an exception, it goes as well."""
    left = tmp_path / LEFT
    left.mkdir()
    (left / "1").write_bytes(b"half")
    os.utime(left, (0, 0))
    with whole_series(tmp_path) as part:
        assert not left.exists()
        (part / "1").write_bytes(b"half")
        os.utime(part, (0, 0))
        clear_left_overs(tmp_path)
        assert (part / "1").exists()
        remove_parts()
        assert list(tmp_path.iterdir()) == []
        part.mkdir()


@pytest.mark.parametrize(
    ("fault", "said"), [(errno.EROFS, "read-only file system"), (errno.EACCES, "permission denied")]
)
def test_what_may_not_be_written_says_why(tmp_path, monkeypatch, fault, said):
    """A disk that cannot be written, or a file without the right; the old one stays."""
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def refuse(*_):
        raise OSError(fault, os.strerror(fault))

    with monkeypatch.context() as refused:
        refused.setattr(os, "access", lambda *_: False)
        refused.setattr(Path, "open", refuse)
        with pytest.raises(OSError) as met, whole_file(path):
            pass
    assert os_fault(met.value) == said
    assert path.read_bytes() == b"old"


def test_a_link_stays_a_link_and_the_mode_is_kept(tmp_path):
    """The file behind a link is what is replaced, with the permissions it had."""
    path, link = tmp_path / "f", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(("mask", "mode"), [(0o027, 0o640), (0o002, 0o664)])
def test_a_new_file_has_the_usual_mode(tmp_path, mask, mode):
    """A file that was not there is readable as the user's mask has it."""
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "f", b"new")
    finally:
        left = os.umask(before)
    assert left == mask
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == mode


def test_a_pipe_is_written_to_and_what_is_printed_and_written_stays_in_order(tmp_path):
    """What is no plain file has no old content to keep; a file that is the output is written past print."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(path) as file:
        file.write(b"new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert path.is_fifo()
    script = (
        "import sys; from pathlib import Path; from meshgui.engine.basics.files import whole_file\n"
        "print('first')\n"
        "with whole_file(Path('/dev/stdout')) as file: file.write(b'second\\n')\n"
        "print('third')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["first", "second", "third"]


def test_a_file_that_is_being_written_is_its_owners_alone(tmp_path):
    """Until it is in place with the mode of the old one."""
    with whole_file(tmp_path / "f"):
        (beside,) = tmp_path.iterdir()
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600


def test_what_no_system_takes_as_a_name_is_no_file_and_a_link_is_the_same_one(tmp_path):
    """A null, or a name of a thousand letters; a folder is no file, nor is what is missing."""
    assert not is_plain_file(Path("a\0b"))
    assert not is_plain_file(Path("a" * 1000))
    one, other, link, missing = (tmp_path / name for name in ("one", "other", "link", "missing"))
    one.touch()
    other.touch()
    link.symlink_to(one)
    assert same_file(one, link)
    apart = [(one, other), (one, missing), (missing, one), (tmp_path, tmp_path)]
    assert not any(same_file(*pair) for pair in apart)


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_a_place_of_ones_own_is_trusted(tmp_path: Path):
    """There or not yet, below a folder like /tmp as well."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "mine").mkdir(mode=0o755)
    assert folder_fault(shared / "mine" / "kernels") == folder_fault(tmp_path / "none" / "yet") == ""
    assert file_fault(tmp_path / "none") == ""


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_place_that_others_may_write_to_is_not(tmp_path: Path, mode: int):
    """Everybody could put a file there."""
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(mode)
    assert folder_fault(place) == f"other users may write to {place}"
    if not mode & 0o1000:
        assert folder_fault(place / "below") == f"other users may write to {place}"


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_a_link_is_followed(tmp_path: Path):
    """What counts is where it leads."""
    place, link = tmp_path / "place", tmp_path / "link"
    place.mkdir()
    place.chmod(0o777)
    link.symlink_to(place)
    assert folder_fault(link / "kernels") == f"other users may write to {place}"


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_a_file_or_folder_of_another_user_is_not_and_a_group_of_ones_own_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What belongs to the system is trusted, and a group of one's own may write."""
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(trusted_place, "_trusted_users", lambda: {12345})
    assert file_fault(file) == f"{file} belongs to another user"
    assert folder_fault(tmp_path) == f"{tmp_path} belongs to another user"
    monkeypatch.undo()
    file.chmod(0o664)
    monkeypatch.setattr(trusted_place, "_is_own_group", lambda _: True)
    assert file_fault(file) == ""
    monkeypatch.setattr(trusted_place, "_is_own_group", lambda _: False)
    assert file_fault(file) == f"other users may write to {file}"
