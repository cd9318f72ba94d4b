"""Places that the user alone may write to, as far as the system says."""

import os
from pathlib import Path

import pytest

from meshgui.engine.basics import trusted_place
from meshgui.engine.basics.trusted_place import file_fault, folder_fault

pytestmark = pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")


def test_a_place_of_ones_own_is_trusted(tmp_path: Path):
    """There or not yet, below a folder like /tmp as well."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "mine").mkdir(mode=0o755)
    assert folder_fault(shared / "mine" / "kernels") == folder_fault(tmp_path / "none" / "yet") == ""
    assert file_fault(tmp_path / "none") == ""


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_place_that_others_may_write_to_is_not(tmp_path: Path, mode: int):
    """Everybody could put a file there."""
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(mode)
    assert folder_fault(place) == f"other users may write to {place}"
    if not mode & 0o1000:
        assert folder_fault(place / "below") == f"other users may write to {place}"


def test_a_link_is_followed(tmp_path: Path):
    """What counts is where it leads."""
    place, link = tmp_path / "place", tmp_path / "link"
    place.mkdir()
    place.chmod(0o777)
    link.symlink_to(place)
    assert folder_fault(link / "kernels") == f"other users may write to {place}"


def test_a_file_or_folder_of_another_user_is_not_and_a_group_of_ones_own_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What belongs to the system is trusted, and a group of one's own may write."""
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(trusted_place, "_trusted_users", lambda: {12345})
    assert file_fault(file) == f"{file} belongs to another user"
    assert folder_fault(tmp_path) == f"{tmp_path} belongs to another user"
    file = tmp_path / "file"
    file.touch()
    file.chmod(0o664)
    monkeypatch.setattr(trusted_place, "_is_own_group", lambda _: True)
    assert file_fault(file) == ""
    monkeypatch.setattr(trusted_place, "_is_own_group", lambda _: False)
    assert file_fault(file) == f"other users may write to {file}"
