"""Ended while it writes: the old file or the new one is there, whole, and never neither.

A failure at every write, flush and rename in turn, and two programs that are really killed.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from meshgui.engine.basics.files import whole_file
from meshgui.engine.scenario import Scenario, load_scenario, saving, scenario_from
from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.store import Store
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import DocumentState
from meshgui.model.document.examples import example
from meshgui.model.document.recovery import copying
from tests.crashes import each_crash
from tests.experiments import small_experiment
from tests.processes import ScopedProcess


def noted(letter: str) -> Scenario:
    """A scenario with long notes."""
    return load_scenario(example("first-fit-16x16")).model_copy(update={"notes": letter * 50_000})


def listed(service: float) -> Scenario:
    """A scenario with a list that is written in slices."""
    jobs = [{"arrival": row, "size": [2, 2], "service": service} for row in range(3000)]
    data = load_scenario(example("first-fit-16x16")).model_dump(mode="json")
    return scenario_from({**data, "workload": {"kind": "list", "jobs": jobs}})


def save(target: Path, scenario: Scenario) -> None:
    """As the window does, slice by slice."""
    list(saving(scenario, target))


def keep_copy(target: Path, scenario: Scenario) -> None:
    """The copy of unsaved work."""
    list(copying(DocumentState(scenario, None), target))


def write_table(target: Path, scenario: Scenario) -> None:
    """A table, through the writer of all files."""
    with whole_file(target) as file:
        for letter in scenario.notes[:2000]:
            file.write(letter.encode() * 100)


def note_recent(target: Path, scenario: Scenario) -> None:
    """The list of recent files, which holds those of both."""
    RecentFiles(target.parent).add(Path("/", scenario.notes[:4000]))


WRITERS: dict[str, tuple[Callable[[Path, Scenario], None], Callable[[int], Scenario], str]] = {
    "save": (save, lambda turn: noted("ab"[turn]), "file"),
    "save in slices": (save, lambda turn: listed((111.5, 222.5)[turn]), "file"),
    "copy": (keep_copy, lambda turn: noted("ab"[turn]), "file"),
    "copy in slices": (keep_copy, lambda turn: listed((111.5, 222.5)[turn]), "file"),
    "table": (write_table, lambda turn: noted("ab"[turn]), "file"),
    "recent files": (note_recent, lambda turn: noted("ab"[turn]), "recent.json"),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_crash_at_any_step_of_a_write_leaves_a_whole_file(tmp_path: Path, kind: str):
    """The old one until the new one is there."""
    write, scenario, name = WRITERS[kind]
    target = tmp_path / name
    write(target, scenario(0))
    old, later = target.read_bytes(), scenario(1)
    steps = 0
    for _ in each_crash(lambda: write(target, later), lambda: target.write_bytes(old)):
        steps += 1
        assert target.read_bytes() == old
    assert steps >= 4  # it is written, flushed, gets its mode, and is put in its place
    write(target, later)
    assert target.read_bytes() != old


def test_a_crash_at_any_step_leaves_a_whole_bundle(tmp_path: Path):
    """The old one until the new one is there."""
    target, store = tmp_path / "runs.zip", Store()

    def write(load: str) -> None:
        with whole_file(target) as file:
            write_bundle(file, small_experiment(f"workload.load={load}"), store)

    write("1")
    old = target.read_bytes()
    for _ in each_crash(lambda: write("1,2"), lambda: target.write_bytes(old)):
        assert target.read_bytes() == old
    write("1,2")
    assert len(read_bundle(target).points) == 2


SAVES_UNTIL_KILLED = """
import sys
from pathlib import Path
from meshgui.engine.scenario import load_scenario, saving
from meshgui.model.document.examples import example
target = Path(sys.argv[1])
made = load_scenario(example("first-fit-16x16"))
turns = [made.model_copy(update={"notes": letter * 200_000}) for letter in "ab"]
while True:
    for scenario in turns:
        list(saving(scenario, target))
        print("written", flush=True)
"""
SETTINGS_UNTIL_KILLED = """
import sys
from PySide6.QtCore import QSettings
while True:
    for letter in "ab":
        settings = QSettings(sys.argv[1], QSettings.Format.IniFormat)
        settings.setValue("window/state", letter * 200_000)
        settings.sync()
        print("written", flush=True)
"""


def kill_after(program: str, target: Path, writes: int) -> None:
    """Let a program write that often, and kill it in one of the next."""
    with ScopedProcess(
        [sys.executable, "-c", program, str(target)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(writes):
            assert process.stdout.readline() == "written\n"
        process.kill()


def test_a_killed_save_leaves_a_whole_file(tmp_path: Path):
    """What a real kill leaves is what a crash at one of the steps does."""
    target = tmp_path / "file"
    kill_after(SAVES_UNTIL_KILLED, target, 3)
    notes = json.loads(target.read_bytes())["notes"]
    assert notes in ("a" * 200_000, "b" * 200_000)


@pytest.mark.qt
def test_killed_settings_are_whole(tmp_path: Path):
    """Qt writes them: beside the old ones, and then in their place."""
    pytest.importorskip("PySide6")
    target = tmp_path / "settings.ini"
    kill_after(SETTINGS_UNTIL_KILLED, target, 3)
    content = target.read_bytes()
    assert content.count(b"a" * 1000) + content.count(b"b" * 1000) == 200
    assert content.startswith(b"[window]")


@pytest.mark.qt
@pytest.mark.parametrize("name", ["picture.png", "picture.svg", "picture.pdf", "film.gif"])
def test_a_crash_at_any_step_leaves_a_whole_picture_or_film(tmp_path: Path, name: str):
    """The old one until the new one is there, to its last byte."""
    pytest.importorskip("PySide6")
    from tests.views.drawn_files import draw_film, draw_picture  # noqa: PLC0415 - they need Qt

    draw = draw_film if name.startswith("film") else draw_picture
    target = tmp_path / name
    draw(target, 3)
    old = target.read_bytes()
    draw(target, 5)
    new = target.read_bytes()
    crashes = each_crash(lambda: draw(target, 5), lambda: target.write_bytes(old))
    seen = {target.read_bytes() for _ in crashes}
    assert {old} <= seen <= {old, new}
    ends = {"png": b"IEND\xaeB`\x82", "svg": b"</svg>", "pdf": b"%%EOF\n", "gif": b"\x3b"}
    assert new.endswith(ends[name.rpartition(".")[2]])
