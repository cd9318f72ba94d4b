"""Only plain files are read, and a spoilt one of any kind ends in one line, without harm."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.files import InputFileError, open_input
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.network.packet_files import read_packets
from meshgui.engine.scenario import ScenarioError, load_file
from meshgui.engine.workload.swf import read_trace
from meshgui.experiment.bundle import is_bundle, read_bundle
from meshgui.experiment.bundle_format import BundleError
from meshgui.experiment.store import Store, StoreError
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.moment_link import read_link
from meshgui.model.document.recovery import read_copy
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.hand_in import read_hand_in, read_set
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_files import LessonError
from meshgui.plugin_kinds import plugins_in
from tests.fuzzing import TARGETS, HarmDoneError, feed, harmless, memory_bound_of, memory_of, spoilt
from tests.scale import cases

REFUSED = "expected a plain file, not a pipe or device"
READERS = {
    "scenario": (load_file, ScenarioError),
    "link to a file": (lambda path: read_link(f"meshgui://file{path}"), ScenarioError),
    "packets": (lambda path: read_packets(path, 9), InputFileError),
    "trace": (read_trace, InputFileError),
    "bundle": (read_bundle, BundleError),
    "store": (Store, StoreError),
    "store to be read": (lambda path: Store(path, read_only=True), StoreError),
    "lesson": (load_lesson, LessonError),
    "hand-in": (read_hand_in, InputFileError),
    "set of exercises": (read_set, InputFileError),
    "strategy": (lambda path: plugins_in(path, "strategy"), StrategyError),
}


@pytest.fixture
def pipe(tmp_path):
    """A pipe without a writer."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("what", ["pipe", "device", "link to a pipe", "folder"])
@pytest.mark.parametrize("kind", sorted(READERS))
def test_a_reader_refuses_what_is_no_plain_file(kind, what, pipe, tmp_path):
    """In one line, without waiting for another process and without reading a byte."""
    read, error = READERS[kind]
    (tmp_path / "linked").symlink_to(pipe)
    (tmp_path / "folder").mkdir()
    there = {"pipe": pipe, "device": Path("/dev/zero"), "link to a pipe": tmp_path / "linked"}
    with pytest.raises(error) as refused:
        read(there.get(what, tmp_path / "folder"))
    if what == "folder":
        assert "folder" in str(refused.value) or "directory" in str(refused.value)
    else:
        assert str(refused.value).endswith(REFUSED)


def test_a_file_of_its_own_that_is_a_pipe_is_as_good_as_none(tmp_path):
    """Recent files, the log of answers, a copy of unsaved work: the program starts all the same."""
    for name in ("recent.json", "exercises.json", "1.recovery.json"):
        os.mkfifo(tmp_path / name)
    assert RecentFiles(tmp_path).paths() == []
    assert len(ExerciseLog(tmp_path)) == 0
    with pytest.raises(ScenarioError, match="expected a copy of a scenario"):
        read_copy(tmp_path / "1.recovery.json")
    assert not is_bundle(tmp_path / "recent.json")


@pytest.mark.parametrize("field", ["trace", "packets"])
def test_a_file_that_a_scenario_names_must_be_plain_too(field, pipe, tmp_path):
    """The line names the field and the file."""
    listed = '{"kind": "list", "jobs": [{"arrival": 0, "size": [1, 1], "service": 1}]}'
    parts = {
        "trace": '"workload": {"kind": "swf", "path": "pipe"}',
        "packets": f'"workload": {listed}, "network": {{"pattern": "file", "path": "pipe"}}',
    }
    path = tmp_path / "a.meshgui.json"
    path.write_text(
        f'{{"meshgui": 1, "mesh": {{"shape": [4, 4]}}, "allocator": {{"name": "ff"}}, {parts[field]}}}'
    )
    with pytest.raises(ScenarioError, match=rf"\.path: .*/pipe: .*{REFUSED}$"):
        load_file(path)


def test_a_lesson_in_a_folder_must_be_plain_too(tmp_path):
    """Its only fault is said, and nothing else of it is read."""
    os.mkfifo(tmp_path / "lesson.md")
    lesson, (fault,) = check_lesson(tmp_path)
    assert lesson is None
    assert fault.message == REFUSED


def test_a_device_is_not_even_opened_and_what_is_swapped_while_it_is_opened_is_refused(
    monkeypatch, pipe, tmp_path
):
    """To open one may wind a tape; the open file is looked at, not only its name."""
    opened = []
    monkeypatch.setattr(os, "open", lambda *given: opened.append(given))
    with pytest.raises(OSError, match=REFUSED):
        open_input(Path(os.devnull))
    assert opened == []
    monkeypatch.undo()
    plain = tmp_path / "plain"
    plain.write_text("x")
    state, opened = plain.stat(), []
    monkeypatch.setattr(Path, "stat", lambda *_, **__: state)
    close = os.close
    monkeypatch.setattr(os, "close", lambda descriptor: opened.append(descriptor) or close(descriptor))
    with pytest.raises(OSError, match=REFUSED):
        open_input(pipe)
    assert len(opened) == 1  # and it is not left open


KINDS = sorted(TARGETS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_file_is_read(kind: str, tmp_path: Path):
    """Or the tests below would spoil what is spoilt already."""
    target = TARGETS[kind]
    assert [feed(target, content, tmp_path) for content in target.examples()[:3]] == [""] * len(
        target.examples()[:3]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoilt_file_ends_in_one_line(kind: str, tmp_path_factory: pytest.TempPathFactory):
    """Values that are wrong, missing, huge or of another kind; bytes lost, doubled and made up."""
    target, folder = TARGETS[kind], tmp_path_factory.mktemp("spoilt")
    lines = set()

    @cases(60, kernels=False)
    @given(st.integers(0, 2**32))
    def read(seed: int) -> None:
        draw = random.Random(seed)
        lines.add(feed(target, spoilt(target, draw), folder))

    read()
    assert len(lines) > (
        0 if kind in {"recent files", "exercise log"} else 3
    )  # most are refused, and not all for one reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoilt_file_takes_little_memory(kind: str, tmp_path: Path):
    """Before anything is done with it: what a file claims of its size is not believed."""
    target = TARGETS[kind]
    for seed in range(5):
        draw = random.Random(seed)
        content = spoilt(target._replace(examples=lambda: (min(target.examples(), key=len),)), draw)
        assert memory_of(target, content, tmp_path) < memory_bound_of(content)


def test_harm_is_seen(tmp_path: Path):
    """A program that is started, and a file that is written elsewhere; or the tests above could not fail."""
    import subprocess  # noqa: PLC0415 - here alone

    inside, outside = tmp_path / "inside", tmp_path / "outside.txt"
    inside.mkdir()
    with harmless(inside):
        (inside / "a.txt").write_text("fine")
        with pytest.raises(HarmDoneError, match="outside"):
            outside.write_text("harm")
        with pytest.raises(HarmDoneError, match="Popen"):
            subprocess.run(["true"], check=False)
    outside.write_text("no longer guarded")
