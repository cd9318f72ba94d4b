"""Stores on network file systems, as the table of mounts tells them from others."""

import sqlite3
from contextlib import closing

import pytest

from meshgui.cli import workers
from meshgui.experiment import store_place
from meshgui.experiment.store import Store
from meshgui.experiment.store_place import journal_mode, network_file_system


@pytest.fixture
def mounts(tmp_path, monkeypatch):
    """Has the system say what is mounted."""

    def write(*lines):
        (tmp_path / "mounts").write_text("".join(f"{line}\n" for line in lines))
        monkeypatch.setattr(store_place, "_MOUNTS", tmp_path / "mounts")

    return write


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["/dev/a / ext4 rw 0 0"], ""),
        (["/dev/a / ext4 rw 0 0", "server:/home {here} nfs4 rw,vers=4.2 0 0"], "nfs4"),
        (["server:/home {here} nfs rw 0 0", "tmpfs {here}/my\\040folder tmpfs rw 0 0"], ""),
        (["tmpfs {here} tmpfs rw 0 0", "x@tcp:/l {here}/my\\040folder lustre rw 0 0"], "lustre"),
        (["server:/home {here}/my nfs rw 0 0", "/dev/a / ext4 rw 0 0"], ""),
        (["server:/home {here} nfs rw 0 0", "/dev/b {here} xfs rw 0 0"], ""),
        (["server:/ / nfs rw 0 0", "", "odd"], "nfs"),
    ],
)
def test_the_longest_mount_above_a_file_says_where_it_is(mounts, tmp_path, lines, found):
    """Of two at one place the later; names may have blanks; what is no line of mounts is passed over."""
    mounts(*(line.replace("{here}", str(tmp_path)) for line in lines))
    assert network_file_system(tmp_path / "my folder" / "it.db") == found


def test_a_new_store_on_one_has_no_log_that_machines_would_have_to_share(mounts, tmp_path, capsys):
    """And the program says what it needs, in one line; elsewhere it says nothing."""
    mounts(f"server:/home {tmp_path} nfs rw 0 0")
    with Store(tmp_path / "far.db") as store, Store(tmp_path / "far.db", read_only=True) as reader:
        store.begin("id", {"title": "It"}, ())
        assert [found.title for found in reader.sweeps()] == ["It"]
    assert _mode(tmp_path / "far.db") == "delete"
    workers.remark_place(tmp_path / "far.db")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{tmp_path / 'far.db'} is on a network file system (nfs)" in said
    mounts("/dev/a / ext4 rw 0 0")
    with Store(tmp_path / "near.db"):
        pass
    assert _mode(tmp_path / "near.db") == "wal"
    workers.remark_place(tmp_path / "near.db")
    workers.remark_place(None)
    assert capsys.readouterr().err == ""


def test_where_no_table_says_it_nothing_is_known(monkeypatch, tmp_path):
    """As on other systems than Linux."""
    monkeypatch.setattr(store_place, "_MOUNTS", tmp_path / "none")
    assert network_file_system(tmp_path) == ""
    assert journal_mode(None) == journal_mode(tmp_path) == "WAL"


def _mode(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA journal_mode").fetchone()[0]
