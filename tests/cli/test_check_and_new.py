"""`meshgui new strategy` writes a package to begin with, and `meshgui check` says what a strategy keeps."""

import errno
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from meshgui.cli import check
from meshgui.conformance import PROPERTIES

BROKEN = '''
from meshgui.api import Box, Line, Source, Strategy, region


class Corner(Strategy):
    """Gives every job the same corner."""

    id, title, dims, rotates, contiguous = "corner", "Corner", frozenset({2}), False, True
    source = Source("nobody", "nowhere")
    lines = (Line("found", "take the corner"),)

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request, log=None):
        box = Box(0, 0, 0, *request.size)
        region(self.held, box)[:] = request.job
        return (box,)

    def release(self, job):
        ANSWER

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]
'''


@pytest.fixture(autouse=True)
def few_stories(monkeypatch):
    """A few are enough here."""
    monkeypatch.setattr(check, "_STORIES", 4)


def test_one_of_the_program_s_own_keeps_every_property(here):
    """A line for each."""
    done = here("check", "ff")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["First Fit (ff)", *(f"  passes  {one.words}" for one in PROPERTIES)]


def test_a_broken_one_in_a_file_fails_with_its_story(here, tmp_path):
    """Status 1, what was found, and what led to it; an error has the line of the file."""
    file = tmp_path / "corner_fit.py"
    text = BROKEN.replace("ANSWER", 'raise KeyError("gone")')
    raising = text[: text.index("raise")].count("\n") + 1
    file.write_text(text, encoding="utf-8")
    done = here("check", file)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (1, "")
    at = lines.index("  fails  gives free boxes inside the mesh, with as many processors as granted")
    assert lines[at + 1].strip() == "job 1 got the box (0, 0, 0, 1, 1, 1), part of which is held"
    assert lines[at + 2].strip().startswith("on a ")
    assert lines[at + 2].endswith("mesh: job 0 asks for 1×1; job 1 asks for 1×1")
    assert f"corner failed at job 0: KeyError: 'gone' (corner_fit.py:{raising})" in done.stdout


def test_one_that_never_returns_ends_the_check(here, tmp_path, monkeypatch):
    """It is named, and not asked for the rest."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.5")
    file = tmp_path / "stuck_fit.py"
    text = BROKEN.replace("box = Box(0, 0, 0, *request.size)", "while True: pass").replace("ANSWER", "pass")
    file.write_text(text, encoding="utf-8")
    done = here("check", file)
    assert done.returncode == 1
    assert "corner did not return from allocating for job 0 within 0.5 s" in done.stdout
    assert done.stdout.count("fails") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "there is no such file"),
        ("x = 1\n", "expected a class of Strategy with all its methods"),
        ("import nowhere_at_all\n", "ModuleNotFoundError"),
        (BROKEN.replace('"corner", "Corner"', '"a corner", "Corner"').replace("ANSWER", "pass"), "one word"),
    ],
)
def test_a_file_without_a_strategy_is_refused(here, tmp_path, text, complaint):
    """Status 2, in one line."""
    file = tmp_path / "odd_fit.py"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    done = here("check", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_unknown_id_is_refused_with_the_nearest(here):
    """As elsewhere."""
    done = here("check", "gablx")
    assert (done.returncode, done.stderr) == (
        2,
        "meshgui: check: no strategy is called gablx: did you mean gabl?\n".replace(
            "meshgui: check", "meshgui check"
        ),
    )


def test_a_new_package_passes_the_check_and_its_own_test(here, tmp_path):
    """It has an entry point that leads to its class, and nothing needs to be changed first."""
    done = here("new", "strategy", "my-fit", "--folder", tmp_path)
    folder = tmp_path / "my-fit"
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.md", "my_fit.py", "pyproject.toml", "test_my_fit.py")
    ]
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["meshgui.allocators"] == {"my-fit": "my_fit:MyFit"}
    checked = here("check", folder / "my_fit.py")
    assert checked.returncode == 0
    assert checked.stdout.startswith("My Fit (my-fit)\n  passes ")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert tested.returncode == 0, tested.stdout
    again = here("new", "strategy", "my-fit", "--folder", tmp_path)
    assert again.returncode == 1
    assert "could not be written" in again.stderr


def test_a_package_that_cannot_be_written_whole_is_not_there(here, tmp_path, monkeypatch):
    """On a full disk: the next attempt would meet a part of it. A folder that was there before is kept."""
    write_text, written = Path.write_text, []

    def fill_up(path, text, **options):
        if written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        return write_text(path, text, **options)

    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", fill_up)
        failed = here("new", "strategy", "my-fit", "--out", tmp_path)
        assert list(tmp_path.iterdir()) == []
        written.clear()
        assert here("new", "strategy", "my-fit", "--out", tmp_path / "a" / "b").returncode == 1
    assert failed.returncode == 1
    assert "no space left" in failed.stderr
    assert written
    assert list(tmp_path.iterdir()) == []
    assert here("new", "strategy", "my-fit", "--out", tmp_path).returncode == 0
    assert here("new", "strategy", "my-fit", "--out", tmp_path).returncode == 1
    assert (tmp_path / "my-fit" / "pyproject.toml").is_file()


def test_a_package_that_is_interrupted_is_not_there(here, tmp_path, monkeypatch):
    """Nor the folders that were made for it."""

    def interrupt(path, text, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupt)
    here("new", "strategy", "my-fit", "--out", tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("strategy", "My Fit"), "expected a NAME, for example my-fit, got My Fit"),
        (("strategy", "class"), "expected a NAME, for example my-fit"),
        (("strategy", "ff"), "there is already a strategy ff"),
        (("pattern", "ring"), "expected"),
        (("strategy",), "expected NAME"),
    ],
)
def test_what_cannot_be_begun_is_said(here, tmp_path, words, complaint):
    """Status 2, and nothing is written."""
    done = here("new", *words, "--folder", tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert not list(tmp_path.iterdir())
