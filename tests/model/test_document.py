"""The scenario on the table: opening, editing, saving, and never losing anything."""

from pathlib import Path

import pytest

from meshgui.engine.scenario import Scenario, ScenarioError, ScenarioFile, load_file
from meshgui.model.document import Document
from meshgui.model.examples import DEFAULT_EXAMPLE, example, examples
from meshgui.model.known_file import FileState


def opened() -> Document:
    """A document with the default example on the table."""
    document = Document()
    document.open(example(DEFAULT_EXAMPLE), as_example=True)
    return document


def edited(document: Document, title: str) -> None:
    """Change the title."""
    assert document.scenario is not None
    document.edit(document.scenario.model_copy(update={"title": title}))


def test_a_new_document_has_nothing_to_lose_and_tells_of_every_change():
    """Opening and editing tell the listeners once; an example has no place in which saving overwrites it."""
    document, told = Document(), []
    assert (document.scenario, document.modified, document.title) == (None, False, "No scenario")
    document.changed.connect(lambda: told.append(document.title))
    document.open(example(DEFAULT_EXAMPLE))
    edited(document, "Mine")
    assert told == ["TBL under load", "Mine"]
    assert opened().path is None


def test_an_edit_is_something_to_lose_until_it_is_saved(tmp_path: Path):
    """It can still be saved elsewhere; what is no scenario raises one clear line."""
    document, target = opened(), tmp_path / "mine.meshgui.json"
    edited(document, "Mine")
    with pytest.raises(ScenarioError):
        document.save(tmp_path / "no such folder" / "mine.meshgui.json")
    assert (document.modified, document.title) == (True, "Mine")
    document.save(target)
    assert not document.modified
    again = Document()
    again.open(target)
    assert (again.scenario, again.path) == (document.scenario, target)
    document = opened()
    before = (document.scenario, document.path, document.modified)
    bad = tmp_path / "bad.meshgui.json"
    bad.write_text("[1, 2")
    with pytest.raises(ScenarioError, match=r"bad\.meshgui\.json: expected JSON"):
        document.open(bad)
    assert (document.scenario, document.path, document.modified) == before


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name.partition(".")[0])
def test_every_example_is_sound(path: Path):
    """Each example that comes with the program opens, and says what it is and what it shows."""
    document = Document()
    document.open(path)
    assert document.scenario.title
    assert document.scenario.notes


def test_an_edit_reads_no_job_again_that_it_does_not_change(monkeypatch):
    """Nor does undoing it, as 100,000 jobs take a second; edited notes are those of the edits."""
    document = Document()
    document.open(example("three-jobs-4x4x4"))
    before, draft = document.edited.workload.jobs, document.draft

    def change_job(place: int, **changes: object) -> None:
        jobs = [
            {**job, **changes} if row == place else job for row, job in enumerate(draft["workload"]["jobs"])
        ]
        document.change({**draft, "workload": {**draft["workload"], "jobs": jobs}})

    change_job(0, service=7.0)
    after = document.edited.workload.jobs
    assert after[0].service == 7.0
    assert all(one is other for one, other in zip(after[1:], before[1:], strict=True))
    document.change({**document.draft, "seed": "none"})
    assert document.fault is not None
    document.undo()
    document.undo()
    assert document.edited == document.scenario
    assert all(one is other for one, other in zip(document.edited.workload.jobs[1:], before[1:], strict=True))
    change_job(1, size=[9, 9, 9])
    assert document.fault.field == "workload.jobs.1.size"
    document = Document()
    document.open(example("first-fit-16x16"), as_example=True)
    with monkeypatch.context() as patch:
        patch.setattr(Scenario, "model_dump", lambda *_, **__: pytest.fail("the scenario was written"))
        notes = document.notes
    assert notes
    document.change({**(document.draft or {}), "notes": "mine"})
    assert document.notes == "mine"


def test_a_document_knows_its_file_as_it_was_read_or_written(tmp_path: Path, monkeypatch):
    """What another writes there is a change until the document is saved or read, even in between."""
    file, document = tmp_path / "mine.meshgui.json", opened()
    assert document.look_at_file() == FileState.SAME
    document.save(file)
    for known_again in (document.open, document.save):
        assert document.look_at_file() == FileState.SAME
        file.write_bytes(file.read_bytes() + b"\n")
        assert document.look_at_file() == FileState.CHANGED
        assert not document.modified
        known_again(file)
    assert document.look_at_file() == FileState.SAME

    def load_and_change(path: Path) -> ScenarioFile:
        loaded = load_file(path)
        path.write_bytes(path.read_bytes() + b"\n")
        return loaded

    monkeypatch.setattr("meshgui.model.document.load_file", load_and_change)
    document.open(file)
    assert document.look_at_file() == FileState.CHANGED


def test_a_scenario_whose_file_is_removed_is_unsaved(tmp_path: Path):
    """It is nowhere else, so closing has to ask; where the file comes back, nothing is to be saved."""
    file = tmp_path / "mine.meshgui.json"
    document, seen = opened(), []
    document.save(file)
    document.draft_changed.connect(lambda: seen.append(document.modified))
    file.rename(tmp_path / "moved")
    assert document.look_at_file() == FileState.GONE
    assert document.modified
    (tmp_path / "moved").rename(file)
    assert document.look_at_file() == FileState.SAME
    assert seen == [True, False]
    file.unlink()
    document.look_at_file()
    document.save(file)
    assert not document.modified
    assert file.is_file()
