"""Copies of unsaved scenarios: written, removed, read again, and whole whenever their program is killed."""

import json
import os
from itertools import groupby
from pathlib import Path

import pytest

from meshgui.engine.scenario import ScenarioError, load_scenario
from meshgui.model.document import Document
from meshgui.model.examples import DEFAULT_EXAMPLE, example
from meshgui.model.known_file import FileState
from meshgui.model.recovery import RecoveryFolder, read_copy
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


def test_a_saved_scenario_has_no_copy(tmp_path: Path):
    """Nothing is written before the first edit, and nothing stays after a save or an undo."""
    document, copies = opened(), RecoveryFolder(tmp_path)
    copies.keep([document.state])
    assert copies.files() == []
    change(document, seed=7)
    copies.keep([document.state])
    assert len(copies.files()) == 1
    document.undo()
    copies.keep([document.state])
    assert copies.files() == []


def test_each_open_scenario_has_a_copy_until_it_is_closed(tmp_path: Path):
    """They do not overwrite each other."""
    documents, copies = [opened(), opened()], RecoveryFolder(tmp_path)
    for seed, document in enumerate(documents, 10):
        change(document, seed=seed)
    copies.keep([document.state for document in documents])
    assert [read_copy(file).edited.seed for file in copies.files()] == [10, 11]
    copies.keep([documents[1].state])
    assert [read_copy(file).edited.seed for file in copies.files()] == [11]


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"run": 1, "draft": 2, "path": null}'])
def test_a_damaged_copy_is_refused(tmp_path: Path, content: str):
    """By an error that names the file."""
    file = tmp_path / "1.recovery.json"
    file.write_text(content)
    with pytest.raises(ScenarioError, match=r"1\.recovery\.json: expected a copy of a scenario"):
        read_copy(file)


def test_copies_are_taken_in_the_order_of_their_numbers_whatever_else_there_is(tmp_path: Path):
    """A file with another name is one more that cannot be used."""
    for name in ("10", "9", "mine"):
        (tmp_path / f"{name}.recovery.json").write_bytes(b"{}")
    names = [file.name.partition(".")[0] for file in RecoveryFolder(tmp_path).files()]
    assert names == ["9", "10", "mine"]


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
