"""Stores that cannot be used: one line on standard error that names the file, and nothing lost."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.cli.conftest import is_one_line
from tests.foreign_stores import change
from tests.processes import start, wait_until
from tests.stores import replications, runs_in

pytestmark = pytest.mark.long

WORDS = ("--min-runs", "3", "--max-runs", "3", "--jobs", "1")
LONG = ("--min-runs", "3000", "--max-runs", "3000", "--precision", "0.0001", "--jobs", "1")


@pytest.fixture
def swept(here, scenario_file, tmp_path):
    """Runs a small sweep with a store."""
    file = scenario_file()

    def call(store, *words):
        return here("sweep", file, *(words or WORDS), "--store", store, "--json")

    return call


def refused(done, store, status=1):
    """Whether a command ended with one line that names the store."""
    return (
        done.returncode == status
        and not done.stdout
        and is_one_line(done.stderr)
        and str(store) in done.stderr
    )


def truncated(content):
    """The end is missing."""
    return content[: len(content) // 2 // 4096 * 4096]


def overwritten(content):
    """Rubbish in the middle."""
    return content[:4096] + b"\xa5" * (len(content) - 4096)


@pytest.mark.parametrize(
    ("statements", "spoil", "said"),
    [
        ((), lambda _: b"runs, turnaround\n" * 100, "got another file or a damaged one"),
        ((), truncated, "got another file or a damaged one"),
        ((), overwritten, "got another file or a damaged one"),
        (("PRAGMA application_id = 0",), None, "got another database"),
        (("PRAGMA user_version = 99",), None, "got version 99"),
        (("DROP TABLE failures",), None, "expected the tables of a store of MeshGUI, got others"),
    ],
)
def test_a_file_that_is_no_sound_store_is_refused_and_left_as_it_is(swept, tmp_path, statements, spoil, said):
    """Rubbish, somebody else's database, a newer version, a damaged one: said in one line, never written."""
    store = tmp_path / "store.db"
    assert swept(store).returncode == 0
    change(store, ("PRAGMA journal_mode = DELETE", *statements))
    if spoil is not None:
        store.write_bytes(spoil(store.read_bytes()))
    before = store.read_bytes()
    done = swept(store)
    assert refused(done, store, status=2), done
    assert said in done.stderr
    assert store.read_bytes() == before


def test_a_folder_and_a_missing_folder_are_refused(swept, tmp_path):
    """One line each; nothing is made."""
    assert "got a folder" in swept(tmp_path).stderr
    missing = tmp_path / "none" / "store.db"
    done = swept(missing)
    assert refused(done, missing)
    assert "there is no folder" in done.stderr
    assert not missing.parent.exists()


@contextmanager
def locked(store):
    """A second process that has the store to itself."""
    script = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        " c.execute('PRAGMA busy_timeout = 60000'); c.execute('BEGIN EXCLUSIVE');"
        " print('locked', flush=True); sys.stdin.read()"
    )
    pipe = subprocess.PIPE
    words = [shutil.which("python3") or "python3", "-c", script, str(store)]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as holder:
        try:
            assert holder.stdout.readline() == "locked\n"
            yield
        finally:
            holder.kill()


def is_open(path, process):
    """Whether a process has a file open."""
    with suppress(OSError):  # one that it closes, or it has ended
        return any(file.resolve() == path for file in Path(f"/proc/{process}/fd").iterdir())
    return False


def test_a_store_locked_by_another_program_is_told_and_nothing_is_lost(scenario_file, tmp_path):
    """At open, and in the middle: one line after a while; what was kept stays, and is gone on from."""
    file, store, fresh = scenario_file(), tmp_path / "store.db", tmp_path / "fresh.db"
    sqlite3.connect(fresh).close()
    mark = str(tmp_path)
    sweep = start("sweep", file, *LONG, "--store", store, mark=mark)
    assert wait_until(lambda: store.exists() and runs_in(store) > 5, 60)
    with locked(store), locked(fresh):
        known = runs_in(store)
        late = start("sweep", file, *LONG, "--store", store, mark=mark)
        new = start("sweep", file, *LONG, "--store", fresh, mark=mark)
        stopped = start("sweep", file, *LONG, "--store", fresh, mark=mark)
        assert wait_until(lambda: is_open(fresh, stopped.pid), 60)
        os.kill(stopped.pid, signal.SIGTERM)  # which its waiting does not delay
        assert stopped.communicate(timeout=100)[1] == ""
        assert stopped.returncode == 143
        for refusal, name in ((sweep, store), (late, store), (new, fresh)):
            out, err = refusal.communicate(timeout=100)
            assert (refusal.returncode, out) == (1, "")
            assert is_one_line(err)
            assert f"{name}: the store is locked by another program" in err
        assert runs_in(store) == known
    again = start("sweep", file, *LONG, "--store", store, mark=mark)
    assert wait_until(lambda: runs_in(store) > known, 60)
    again.kill()
    again.communicate(timeout=60)
    assert len(replications(store)) > known


def test_two_sweeps_at_once_share_a_store(scenario_file, tmp_path):
    """Begun at the same moment with a file that is not there yet: both finish, and say the same."""
    file, store = scenario_file(), tmp_path / "store.db"
    words = ("sweep", file, "--min-runs", 40, "--max-runs", 40, "--jobs", 1, "--store", store)
    tables = [tmp_path / name for name in ("one.csv", "two.csv", "three.csv")]
    both = [start(*words, "--csv", table, mark=str(tmp_path)) for table in tables]
    for sweep in both:
        _, err = sweep.communicate(timeout=100)
        assert (sweep.returncode, err) == (0, "")
    assert tables[0].read_bytes() == tables[1].read_bytes() == tables[2].read_bytes()
    assert len(replications(store)) == 40


def _no_more_than(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("size", [0, 10_000, 40_000, 100_000])
def test_a_file_that_cannot_grow_is_told_and_nothing_is_lost(scenario_file, tmp_path, size):
    """At open and in the middle: one line; what was kept is there, and is gone on from with room."""
    file, store = scenario_file(), tmp_path / "store.db"
    full = start(
        "sweep", file, *LONG, "--store", store,
        mark=str(tmp_path), preexec_fn=_no_more_than(size), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    out, err = full.communicate(timeout=100)
    assert (full.returncode, out) == (1, "")
    assert is_one_line(err)
    assert str(store) in err
    _goes_on(file, store, tmp_path, least=0 if size < 100_000 else 10)


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of a few hundred kilobytes; making one takes being root and allowed to mount."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk takes being root")
    with _mounted(folder):
        yield folder


@pytest.mark.parametrize("room", [0, 6_000, 400_000])
def test_a_full_disk_is_told_and_nothing_is_lost(scenario_file, tiny_disk, tmp_path, room):
    """A real one, full from the beginning, nearly so, or filled by the sweep itself."""
    file, store, ballast = scenario_file(), tiny_disk / "store.db", tiny_disk / "ballast"
    if room < 400_000:
        ballast.write_bytes(bytes(shutil.disk_usage(tiny_disk).free - room // 4096 * 4096))
    full = start("sweep", file, *LONG, "--store", store, mark=str(tmp_path))
    out, err = full.communicate(timeout=100)
    assert (full.returncode, out) == (1, "")
    assert is_one_line(err)
    assert str(store) in err
    ballast.unlink(missing_ok=True)
    if room < 400_000:
        _goes_on(file, store, tmp_path, least=0)
    else:
        assert "disk" in err
        assert len(replications(store)) > 20


def _goes_on(file, store, folder, least):
    known = len(replications(store))
    assert known >= least
    again = start("sweep", file, *LONG, "--store", store, mark=str(folder))
    assert wait_until(lambda: runs_in(store) > known, 60)
    again.kill()
    again.communicate(timeout=60)
    assert len(replications(store)) > known


@pytest.mark.parametrize("read_only", ["file", "folder"])
def test_what_may_not_be_written_is_told(swept, tmp_path, read_only):
    """A store or a folder without the right to write: one line. For root that is a disk without it."""
    folder = tmp_path / "place"
    folder.mkdir()
    store = folder / "store.db"
    with _mounted(folder):
        if read_only == "file":
            assert swept(store).returncode == 0
            store.chmod(0o444)
        folder.chmod(0o555)
        if os.geteuid() == 0:
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True, timeout=60)
        done = swept(store)
        assert refused(done, store)
        why = "read-only file system" if os.geteuid() == 0 else "permission denied"
        assert f"{store}: {why}" in done.stderr
    folder.chmod(0o755)


@contextmanager
def _mounted(folder):
    """For root, who may write everywhere, the folder becomes a disk of its own."""
    if os.geteuid() != 0:
        yield
        return
    words = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(folder)]
    if subprocess.run(words, capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("root may write everywhere, and mounting a small disk is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=60)
