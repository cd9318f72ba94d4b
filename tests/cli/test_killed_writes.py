"""Killed while it writes: the old file or the new one is there, whole, and never neither.

Every program here writes two contents in turn, as fast as it can, and is killed at some moment.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from meshgui.experiment.bundle import read_bundle
from tests.processes import ScopedProcess

SAVES = """
import sys
from pathlib import Path
from meshgui.engine.scenario import load_scenario, saving
from meshgui.model.examples import example
target = Path(sys.argv[1])
made = load_scenario(example("first-fit-16x16"))
turns = [made.model_copy(update={"notes": letter * 200_000}) for letter in "ab"]
"""
SAVES_LOOP = """
while True:
    for scenario in turns:
        list(saving(scenario, target))
        print("written", flush=True)
"""
COPIES = """
from meshgui.model.document import DocumentState
from meshgui.model.recovery import copying
states = [DocumentState(scenario, None) for scenario in turns]
while True:
    for state in states:
        list(copying(state, target))
        print("written", flush=True)
"""
LONG_LISTS = """
from meshgui.engine.scenario import scenario_from
data = made.model_dump(mode="json")
def listed(service):
    jobs = [{"arrival": row, "size": [2, 2], "service": service} for row in range(5000)]
    return scenario_from({**data, "workload": {"kind": "list", "jobs": jobs}})
turns = [listed(service) for service in (111.5, 222.5)]
"""
TABLES = """
import sys
from pathlib import Path
from meshgui.engine.basics.files import whole_file
target = Path(sys.argv[1])
while True:
    for letter in (b"a", b"b"):
        with whole_file(target) as file:
            for _ in range(2000):
                file.write(letter * 100)
        print("written", flush=True)
"""
BUNDLES = """
import sys, tempfile
from pathlib import Path
from meshgui.engine.basics.files import whole_file
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.store import Store
from tests.experiments import small_experiment
target, store = Path(sys.argv[1]), Store()
tempfile.tempdir = str(target.parent)  # where a kill leaves the copy of the store
turns = [small_experiment(f"workload.load={load}") for load in ("1", "1,2")]
while True:
    for experiment in turns:
        with whole_file(target) as file:
            write_bundle(file, experiment, store)
        print("written", flush=True)
"""
RECENT = """
import sys
from pathlib import Path
from meshgui.model.recent import RecentFiles
recent = RecentFiles(Path(sys.argv[1]).parent)
while True:
    for letter in "ab":
        recent.add(Path("/", letter * 4000))
        print("written", flush=True)
"""
SETTINGS = """
import sys
from PySide6.QtCore import QSettings
while True:
    for letter in "ab":
        settings = QSettings(sys.argv[1], QSettings.Format.IniFormat)
        settings.setValue("window/state", letter * 200_000)
        settings.sync()
        print("written", flush=True)
"""


PICTURES = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from meshgui.views.exporting.picture_files import write_picture
application = QGuiApplication([])
target = Path(sys.argv[1])
def stripes(wide):
    def paint(painter, rect, theme):
        for x in range(0, 900, 2 * wide):
            painter.fillRect(x, 0, wide, 700, theme.colour("text"))
    return paint
while True:
    for wide in (1, 3):
        write_picture(target, stripes(wide), QSize(900, 700))
        print("written", flush=True)
"""
FILMS = """
import sys
from pathlib import Path
from PySide6.QtGui import QImage
from meshgui.views.exporting.film_files import film_writer
target = Path(sys.argv[1])
image = QImage(300, 200, QImage.Format.Format_RGB32)
while True:
    for frames in (2, 3):
        with film_writer(target, 10.0) as film:
            for number in range(frames):
                image.fill(number)
                film.add(image)
        print("written", flush=True)
"""


def kill_after(program: str, target: Path, writes: int) -> None:
    """Let a program write so many times, and kill it in one of the next."""
    with ScopedProcess(
        [sys.executable, "-c", program, str(target)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(writes):
            assert process.stdout.readline() == "written\n"
        process.kill()


@pytest.mark.parametrize("kind", ["save", "autosave", "export"])
def test_a_killed_write_leaves_a_whole_file(tmp_path: Path, kind: str):
    """A scenario, the copy of unsaved work, and a table that is exported."""
    program = {"save": SAVES + SAVES_LOOP, "autosave": SAVES + COPIES, "export": TABLES}[kind]
    whole = 400 if kind == "autosave" else 200  # thousands of letters: a copy holds the run and the edits
    target = tmp_path / "file"
    for turn in range(4):
        kill_after(program, target, 3 + turn)
        content = target.read_bytes()
        counts = content.count(b"a" * 1000), content.count(b"b" * 1000)
        assert counts in {(whole, 0), (0, whole)}, f"{len(content)} bytes with {counts}"


@pytest.mark.parametrize("kind", ["save", "autosave"])
def test_a_kill_between_slices_leaves_a_whole_file(tmp_path: Path, kind: str):
    """A list of 5000 jobs is written in five slices."""
    program = SAVES + LONG_LISTS + {"save": SAVES_LOOP, "autosave": COPIES}[kind]
    whole = 10_000 if kind == "autosave" else 5000  # jobs: a copy holds the run and the edits
    target = tmp_path / "file"
    for turn in range(4):
        kill_after(program, target, 3 + turn)
        content = target.read_bytes()
        json.loads(content)
        assert (content.count(b"111.5"), content.count(b"222.5")) in {(whole, 0), (0, whole)}


def test_killed_bundles_and_lists_are_whole(tmp_path: Path):
    """Of an experiment one of the two that are written in turn; of recent files one of both orders."""
    kill_after(BUNDLES, tmp_path / "runs.zip", 3)
    bundle = read_bundle(tmp_path / "runs.zip")
    assert len(bundle.points) in {1, 2}
    assert [*bundle.replications()] == []
    kill_after(RECENT, tmp_path / "recent.json", 3)
    listed = json.loads((tmp_path / "recent.json").read_bytes())
    assert {path[1:2000] for path in listed} == {"a" * 1999, "b" * 1999}


@pytest.mark.qt
def test_killed_settings_are_whole(tmp_path: Path):
    """As Qt writes them: beside the old ones, and then in their place."""
    pytest.importorskip("PySide6")
    target = tmp_path / "settings.ini"
    for turn in range(4):
        kill_after(SETTINGS, target, 3 + turn)
        content = target.read_bytes()
        assert content.count(b"a" * 1000) + content.count(b"b" * 1000) == 200
        assert content.startswith(b"[window]")


@pytest.mark.qt
@pytest.mark.parametrize("name", ["picture.png", "picture.svg", "picture.pdf", "film.gif"])
def test_killed_pictures_and_films_are_whole(tmp_path: Path, name: str):
    """One of the two that are written in turn, to its last byte."""
    pytest.importorskip("PySide6")
    program = FILMS if name.startswith("film") else PICTURES
    target, seen = tmp_path / name, set()
    for turn in range(4):
        kill_after(program, target, 3 + turn)
        seen.add(target.read_bytes())
    assert len(seen) <= 2
    ends = {"png": b"IEND\xaeB`\x82", "svg": b"</svg>", "pdf": b"%%EOF\n", "gif": b"\x3b"}
    assert all(content.endswith(ends[name.rpartition(".")[2]]) for content in seen)
