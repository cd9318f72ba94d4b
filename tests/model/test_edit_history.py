"""The edits of a scenario: undone and redone in order, merged while one field is typed into, and named."""

from typing import Any

import pytest

from meshgui.engine.scenario import load_scenario
from meshgui.model.document import Document
from meshgui.model.edit_history import difference, shared
from meshgui.model.examples import example


def opened(name: str) -> Document:
    """A document with an example."""
    document = Document()
    document.take(load_scenario(example(name)), None)
    return document


def with_part(data: Any, path: list[str], value: object) -> Any:
    """A copy of plain data with one part replaced."""
    if not path:
        return value
    first, *rest = path
    if isinstance(data, dict):
        return {**data, first: with_part(data.get(first), rest, value)}
    place = int(first)
    return [*data[:place], with_part(data[place], rest, value), *data[place + 1 :]]


def change(document: Document, path: str, value: object) -> None:
    """Replace one value of the draft, as the form does."""
    document.change(with_part(document.draft, path.split("."), value))


def undo_words(document: Document) -> str:
    """What undo would undo."""
    last = document.history.last
    return last.words if last is not None else ""


@pytest.mark.parametrize(
    ("name", "path", "value", "words"),
    [
        ("tbl-under-load", "title", "Mine", "change of title"),
        ("tbl-under-load", "seed", 5, "change of seed"),
        ("tbl-under-load", "mesh.shape.1", 5, "change of depth"),
        ("tbl-under-load", "allocator", {"name": "tff", "options": {}}, "change of strategy"),
        ("tbl-under-load", "scheduler", {"name": "ssd", "options": {}}, "change of scheduler"),
        ("tbl-under-load", "workload.load", 3, "change of load"),
        ("tbl-under-load", "workload.service", {"kind": "constant", "value": 1}, "change of service"),
        ("heavy-tail-ssd", "workload.service.q", 5, "change of q service"),
        ("three-jobs-4x4x4", "workload.jobs.1.size", [2, 2], "change of size of job 1"),
        ("three-jobs-4x4x4", "workload.jobs.1.size.0", 3, "change of size of job 1"),
        ("three-jobs-4x4x4", "workload.jobs.0.arrival", 99, "change of arrival of job 2"),
        ("three-jobs-4x4x4", "workload.jobs.0.arrival", "x", "change of arrival of row 1 of jobs"),
        ("three-jobs-4x4x4", "workload.jobs", [], "removing 3 jobs"),
        ("one-packet-6x4", "network.packets.0.2", 3, "change of row 1 of packets"),
        ("one-packet-6x4", "network", None, "change of network"),
    ],
)
def test_an_edit_says_what_it_changed(name: str, path: str, value: object, words: str):
    """In the words of the form, for the menu that undoes it."""
    document = opened(name)
    change(document, path, value)
    assert undo_words(document) == words


def test_a_wrong_edit_is_kept_and_named():
    """There is no scenario of it, and it counts as a change; jobs drawn have words of their own."""
    document = opened("tbl-under-load")
    change(document, "workload.load", "x")
    assert document.edited is None
    assert document.fault.path == ("workload", "load")
    assert (document.modified, document.pending) == (True, True)
    document.undo()
    assert document.edited == document.scenario
    assert not document.modified
    document = opened("tbl-under-load")
    document.edit(document.scenario.model_copy(update={"seed": 9}), "drawing a job")
    assert undo_words(document) == "drawing a job"
    assert not document.pending
    document.undo()
    assert document.edited.seed == 1
    change(document, "seed", 2)
    document.take(load_scenario(example("three-jobs-4x4x4")), None)
    assert document.undo() is None


def test_typing_in_one_field_is_one_edit_until_it_is_sealed():
    """Undo goes back to before the first key; a run, a save or leaving the field begins another edit."""
    document = opened("tbl-under-load")
    for text in ("", 7, 7.2, 7.25):
        change(document, "workload.load", text)
    change(document, "seed", 2)
    document.history.seal()
    change(document, "seed", 3)
    document.undo()
    assert document.edited.seed == 2
    document.undo()
    assert (document.edited.seed, document.edited.workload.load) == (1, 7.25)
    document.undo()
    assert document.edited == document.scenario
    assert document.undo() is None


def test_redo_repeats_until_something_else_is_edited():
    """Undo and redo go to and fro, a paste of two rows as one; a new edit forgets what was undone."""
    document = opened("three-jobs-4x4x4")
    jobs = document.draft["workload"]["jobs"]
    change(document, "workload.jobs", [*jobs, jobs[0]])
    assert undo_words(document) == "adding a job"
    change(document, "workload.jobs", [*jobs, *jobs])
    assert undo_words(document) == "adding 2 jobs"
    document.undo()
    document.undo()
    document.redo()
    assert (len(document.draft["workload"]["jobs"]), undo_words(document)) == (4, "adding a job")
    document.redo()
    assert len(document.draft["workload"]["jobs"]) == 6
    document.undo()
    change(document, "seed", 3)
    assert document.redo() is None


def test_snapshots_share_what_did_not_change():
    """A list of many jobs costs memory once, however often other fields are edited."""
    old = {"jobs": [{"size": [1, 2]}, {"size": [3, 4]}], "seed": 1}
    edited = {"jobs": [{"size": [1, 2]}, {"size": [3, 5]}], "seed": 1}
    new = shared(old, edited)
    assert new == edited
    assert new["jobs"][0] is old["jobs"][0]
    assert difference(old, new) == ("jobs", 1, "size", 1)
    assert difference({"packets": [], "path": None}, {}) is None, "what is left out is no change"
