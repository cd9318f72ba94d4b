"""The document that is open, the history of its edits, and edits of its jobs."""

import re
from pathlib import Path
from typing import Any

import pytest

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import (
    Scenario,
    ScenarioError,
    ScenarioFile,
    load_file,
    load_scenario,
    scenario_from,
)
from meshgui.model.document.document import Document
from meshgui.model.document.edit_history import difference, shared
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example, examples
from meshgui.model.document.job_edits import (
    JobEditError,
    draw_job,
    end_job,
    move_job,
    place_after,
    time_just_after,
)
from meshgui.model.document.known_file import FileState
from meshgui.model.document.window_moment import WindowMoment
from meshgui.model.moment.instant import Instant
from tests.networks import sending, sent
from tests.scenarios import listed, scenario


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


def test_an_example_that_was_only_switched_is_nothing_to_lose(tmp_path: Path):
    """It is modified, and a click would switch it again; anything else, or a file of its own, is work."""
    document = opened()
    assert document.scenario is not None
    was = document.scenario.allocator
    switched = scenario_from(document.scenario.model_dump(mode="json") | {"allocator": {"name": "ff"}})
    document.edit(switched)
    assert (document.modified, document.state.is_worth_saving) == (True, False)
    edited(document, "Mine")
    assert document.state.is_worth_saving
    document.save(tmp_path / "mine.meshgui.json")
    assert not document.state.is_worth_saving
    document.edit(document.scenario.model_copy(update={"allocator": was}))
    assert document.state.is_worth_saving


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

    monkeypatch.setattr("meshgui.model.document.document.load_file", load_and_change)
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


BUSY = [(0.0, (4, 4), 10.0), (1.0, (2, 2), 2.0), (2.0, (1, 1), 3.0), (20.0, (1, 1), 1.0)]


def busy(**parts):
    """A run in which job 0 holds the mesh while 1 and 2 wait, and 3 comes later."""
    return simulate(listed((4, 4), BUSY, **parts))


def packets():
    """A run of packets alone."""
    return sent((0, (0, 0), (1, 0)))


def traced(*rows):
    """A run of a trace: arrival, service, processors."""
    data = scenario((4, 4)).model_dump(mode="json") | {"workload": {"kind": "swf", "jobs": rows}}
    return simulate(scenario_from(data))


@pytest.mark.parametrize(("time", "after"), [(2.0, 2.001), (5.0, 5.001), (4.123456, 4.124), (0.0, 0.001)])
def test_an_edit_takes_place_a_little_after_the_moment(time: float, after: float):
    """With few digits, before the next event; a job can be drawn when all have left."""
    run = busy()
    assert time_just_after(run, time) == after
    edit = draw_job(run, run.end_time, (1, 1))
    assert simulate(edit.scenario).started[edit.job] > 0


def test_a_new_job_is_numbered_by_its_arrival_and_runs_as_the_others_do():
    """Those who come later move on by one; the sentence says what it asks for."""
    edit = draw_job(busy(), 5.0, (3, 2))
    assert edit.job == 3
    assert [job.arrival for job in edit.scenario.workload.jobs] == [0.0, 1.0, 2.0, 5.001, 20.0]
    assert edit.scenario.workload.jobs[3].service == 4.0
    assert edit.said == "Job 3 asks for 3×2 for 4, the mean of the others."
    assert edit.words == "drawing job 3"
    assert not edit.listed


def test_a_new_job_before_a_move_leaves_the_move_to_its_job():
    """Moves name jobs by number, which shift; the others keep the numbers that were drawn."""
    run = simulate(move_job(busy(), 5.0, 2, 0).scenario)
    edit = draw_job(run, 1.5, (1, 1))
    assert edit.job == 2
    assert [job for _, job, _ in edit.scenario.workload.moves] == [3]
    run = simulate(sending([(0, (2, 2), 4), (1, (2, 2), 8)]))
    edit = draw_job(run, 2.0, (2, 1))
    assert [job.messages for job in edit.scenario.workload.jobs] == [4, 8, 6]
    assert edit.said == "Job 2 asks for 2×1 until its 6 messages have arrived."


@pytest.mark.parametrize(
    ("run", "edit", "said"),
    [
        (busy, lambda run: end_job(run, 5.0, 1), "Job 1 cannot be ended: it does not run now."),
        (busy, lambda run: move_job(run, 5.0, 0, 0), "Job 0 cannot be moved: it does not wait now."),
        (
            lambda: busy(scheduler={"name": "lcfs"}),
            lambda run: move_job(run, 5.0, 1, 0),
            "lcfs keeps it in an order of its own.",
        ),
        (
            busy,
            lambda run: draw_job(run, 5.0, (5, 5)),
            "No such job can be drawn here: expected a request no larger than the 4×4 mesh, got 5×5.",
        ),
        (packets, lambda run: draw_job(run, 1.0, (1, 1)), "No job can be drawn here: each sends"),
        (packets, lambda run: end_job(run, 1.0, 0), "when all its messages have arrived."),
        (
            lambda: traced([0, 5, 2], [1, 5, 99], [2, 5, 2]),
            lambda run: draw_job(run, 1.5, (1, 1)),
            "The jobs of this run cannot become a list, because of job 1: expected a request",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run, edit, said):
    """Who does not run is not ended, who does not wait is not moved, and orders of their own are kept."""
    with pytest.raises(JobEditError, match=re.escape(said)):
        edit(run())


def test_a_trace_becomes_a_list_with_its_boxes_and_a_waiting_job_has_places_beside_its_own():
    """Of the sizes that were derived; none beyond the queue, and none for a job that runs."""
    edit = draw_job(traced([0, 5, 4], [1, 5, 6]), 1.5, (1, 1))
    assert edit.listed
    assert {tuple(sorted(job.size)) for job in edit.scenario.workload.jobs} == {(2, 2), (2, 3), (1, 1)}
    run = busy()
    assert [place_after(run, 5.0, 1, by) for by in (-1, 1, 2)] == [None, 1, None]
    assert place_after(run, 5.0, 0, 1) is None


def an_example(name: str) -> Document:
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
    document = an_example(name)
    change(document, path, value)
    assert undo_words(document) == words


def test_a_wrong_edit_is_kept_and_named():
    """There is no scenario of it, and it counts as a change; jobs drawn have words of their own."""
    document = an_example("tbl-under-load")
    change(document, "workload.load", "x")
    assert document.edited is None
    assert document.fault.path == ("workload", "load")
    assert (document.modified, document.pending) == (True, True)
    document.undo()
    assert document.edited == document.scenario
    assert not document.modified
    document = an_example("tbl-under-load")
    document.edit(document.scenario.model_copy(update={"seed": 9}), "drawing a job")
    assert undo_words(document) == "drawing a job"
    assert not document.pending
    document.undo()
    assert document.edited.seed == 1
    change(document, "seed", 2)
    document.take(load_scenario(example("three-jobs-4x4x4")), None)
    assert document.undo() is None


def test_typing_in_one_field_is_one_edit_until_it_is_sealed():
    """A run, a save or leaving the field seals it; a paste of two rows is one edit."""
    document = an_example("tbl-under-load")
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
    document = an_example("three-jobs-4x4x4")
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


def test_undo_and_redo_lead_back_to_where_the_reader_stood():
    """Each to the place at which that side of the edit was left, also when the reader has moved since."""
    document = an_example("tbl-under-load")

    def stand_at(events: int) -> None:
        document.moment = lambda: WindowMoment(Instant(events))

    for events, path, value in ((1, "seed", 5), (2, "workload.load", 7), (3, "workload.load", 7.2)):
        stand_at(events)
        change(document, path, value)
    went = []
    for events, step in enumerate((document.undo, document.undo, document.redo, document.redo), start=4):
        stand_at(events)
        went.append(step().moment.instant.events)
    assert went == [2, 1, 5, 4]  # what was typed in one field in a row is one edit
    assert [document.undo().moment.instant.events for _ in range(2)] == [7, 6]


def test_snapshots_share_what_did_not_change():
    """A list of many jobs costs memory once, however often other fields are edited."""
    old = {"jobs": [{"size": [1, 2]}, {"size": [3, 4]}], "seed": 1}
    edited = {"jobs": [{"size": [1, 2]}, {"size": [3, 5]}], "seed": 1}
    new = shared(old, edited)
    assert new == edited
    assert new["jobs"][0] is old["jobs"][0]
    assert difference(old, new) == ("jobs", 1, "size", 1)
    assert difference({"packets": [], "path": None}, {}) is None, "what is left out is no change"
