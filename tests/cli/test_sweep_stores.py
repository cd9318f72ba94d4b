"""Stores that cannot be used: one line on standard error that names the file, and nothing lost."""

import gzip
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager, suppress
from functools import partial
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


@pytest.fixture
def begin(scenario_file, tmp_path):
    """Starts a sweep that takes long."""
    file = scenario_file()
    return lambda store, **more: start("sweep", file, *LONG, "--store", store, mark=tmp_path, **more)


@pytest.fixture
def goes_on(begin):
    """Sweeps until there are more runs than the store, which is whole, had before."""

    def sweep(store):
        known = len(replications(store))
        again = begin(store)
        assert wait_until(lambda: runs_in(store) > known, 60)
        again.kill()
        ended(again)
        assert len(replications(store)) > known

    return sweep


def ended(process):
    """What a process has said once it has ended."""
    out, err = process.communicate(timeout=100)
    return subprocess.CompletedProcess([], process.returncode, out, err)


def refused(done, store, status=1):
    """Whether a command ended with one line that names the store."""
    said = done.stderr
    return (done.returncode, done.stdout, is_one_line(said), str(store) in said) == (status, "", True, True)


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
    """Rubbish, a database of others, a newer version, a damaged one: said in one line, never written."""
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


def test_a_store_of_an_older_version_that_was_killed_is_continued(swept, tmp_path):
    """Version 0.1.0 left it with its log; its runs, of an older model, stay beside those that are made."""
    for name in ("there.db", "read.db"):
        for ending in ("db", "db-wal"):
            content = gzip.decompress(Path(__file__).with_name(f"killed-0.1.0.{ending}.gz").read_bytes())
            (tmp_path / name).with_suffix(f".{ending}").write_bytes(content)
    old = replications(tmp_path / "read.db")
    assert len(old) == 9
    assert swept(tmp_path / "there.db").returncode == 0
    new = replications(tmp_path / "there.db")
    assert old.items() <= new.items()
    assert len(new) == len(old) + 3


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
    script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
    script += " c.execute('PRAGMA busy_timeout = 60000'); c.execute('BEGIN EXCLUSIVE');"
    script += " print('locked', flush=True); sys.stdin.read()"
    pipe, words = subprocess.PIPE, [sys.executable, "-c", script, str(store)]
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


def test_a_store_locked_by_another_program_is_reported_and_nothing_is_lost(begin, goes_on, tmp_path):
    """At open, and in the middle: one line after a while; what was kept stays, and is gone on from."""
    store, fresh = tmp_path / "store.db", tmp_path / "fresh.db"
    sqlite3.connect(fresh).close()
    sweep = begin(store)
    assert wait_until(lambda: runs_in(store) > 5, 60)
    with locked(store), locked(fresh):
        known = runs_in(store)
        late, new, stopped = begin(store), begin(fresh), begin(fresh)
        assert wait_until(lambda: is_open(fresh, stopped.pid), 60)
        os.kill(stopped.pid, signal.SIGTERM)  # which its waiting does not delay
        done = ended(stopped)
        assert (done.returncode, done.stderr) == (143, "")
        for refusal, name in ((sweep, store), (late, store), (new, fresh)):
            done = ended(refusal)
            assert refused(done, name)
            assert f"{name}: the store is locked by another program" in done.stderr
        assert runs_in(store) == known
    goes_on(store)


def test_two_sweeps_at_once_share_a_store(scenario_file, tmp_path):
    """Begun at the same moment with a file that is not there yet: both finish, and say the same."""
    file, store = scenario_file(), tmp_path / "store.db"
    words = ("sweep", file, "--min-runs", 40, "--max-runs", 40, "--jobs", 1, "--store", store)
    tables = [tmp_path / name for name in ("one.csv", "two.csv", "three.csv")]
    for sweep in [start(*words, "--csv", table, mark=tmp_path) for table in tables]:
        done = ended(sweep)
        assert (done.returncode, done.stderr) == (0, "")
    assert tables[0].read_bytes() == tables[1].read_bytes() == tables[2].read_bytes()
    assert len(replications(store)) == 40


@pytest.mark.parametrize("size", [0, 10_000, 40_000, 150_000])
def test_a_file_that_cannot_grow_is_reported_and_nothing_is_lost(begin, goes_on, tmp_path, size):
    """At open and in the middle: one line; what was kept is there, and is gone on from with room."""
    store = tmp_path / "store.db"
    bound = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))
    assert refused(ended(begin(store, preexec_fn=bound)), store)
    assert len(replications(store)) >= (0 if size < 150_000 else 10)
    goes_on(store)


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
def test_a_full_disk_is_reported_and_nothing_is_lost(begin, goes_on, tiny_disk, room):
    """A real one, full from the beginning, nearly so, or filled by the sweep itself."""
    store, ballast = tiny_disk / "store.db", tiny_disk / "ballast"
    if room < 400_000:
        ballast.write_bytes(bytes(shutil.disk_usage(tiny_disk).free - room // 4096 * 4096))
    done = ended(begin(store))
    assert refused(done, store)
    ballast.unlink(missing_ok=True)
    if room < 400_000:
        goes_on(store)
    else:
        assert "disk" in done.stderr
        assert len(replications(store)) > 20


@pytest.mark.parametrize("read_only", ["file", "folder"])
def test_what_may_not_be_written_is_reported(swept, tmp_path, read_only):
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
