"""Copies of unsaved scenarios."""

import json
import os
from itertools import groupby
from pathlib import Path

import pytest

from meshgui.engine.scenario import ScenarioError, load_scenario
from meshgui.model.document.document import Document
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example
from meshgui.model.document.known_file import FileState
from meshgui.model.document.recovery import RecoveryFolder, read_copy
from tests.crashes import each_crash


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
