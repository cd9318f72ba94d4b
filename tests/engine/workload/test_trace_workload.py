"""Scenarios whose jobs come from a trace: which are taken, how they run, and files that name other files."""

import json
import pickle
import runpy
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.cli.trace_summary import trace_summary
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import ScenarioError, json_schema, load_scenario, scenario_from
from meshgui.engine.scheduling.registry import disciplines
from meshgui.engine.workload import swf
from meshgui.model.document.examples import example
from meshgui.model.manual.sheet_text import worth_seeing
from tests.scenarios import jobs_of, parse_scenario, save_scenario, scenario, scenario_of
from tests.traces import ROOT, line, trace_text

ROWS = [[100, 10, 4], [160, 20, 7], [100, 0, 1], [400, 5.5, 16], [500, 1, 17]]


def of_rows(rows=ROWS, mesh=(4, 4), name="ff", scheduler="fcfs", network=None, **workload):
    """A scenario of a trace's rows."""
    return scenario_of(
        mesh, {"kind": "swf", "jobs": rows, **workload}, name, scheduler={"name": scheduler}, network=network
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with a scenario and, below it, its trace."""
    (tmp_path / "traces").mkdir()
    jobs = [line(i, 100 * i, 50 + i, 1 + i % 5) for i in range(1, 9)]
    (tmp_path / "traces" / "small.swf").write_text(trace_text(*jobs, line(9, run=-1)))
    return tmp_path


def write(folder, name="lecture.meshgui.json", **workload):
    """A scenario file that names the trace."""
    data = of_rows().model_dump(mode="json")
    data["workload"] = {"kind": "swf", "path": "traces/small.swf"} | workload
    path = folder / name
    path.write_text(json.dumps(data))
    return path


def test_the_first_job_arrives_at_0_and_scales_multiply_times():
    """Rows may have any order; of a slice the first that is left arrives at 0."""
    jobs = jobs_of(of_rows(), 1)
    assert jobs.arrival.tolist() == [0, 0, 60, 300, 400]
    assert jobs.service.tolist() == [10, 0, 20, 5.5, 1]
    assert jobs.sizes.tolist() == [[2, 2, 1], [1, 1, 1], [4, 2, 1], [4, 4, 1], [17, 1, 1]]
    assert jobs.processors.tolist() == [4, 1, 8, 16, 17]
    scaled = jobs_of(of_rows(time_scale=10.0, gap_scale=0.5), 1)
    assert scaled.arrival.tolist() == [0, 0, 300, 1500, 2000]
    assert scaled.service.tolist() == [100, 0, 200, 55, 10]
    part = of_rows(first_job=2, max_jobs=2)
    assert part.job_count == 2
    jobs = jobs_of(part, 1)
    assert jobs.arrival.tolist() == [0, 240]
    assert jobs.service.tolist() == [20, 5.5]
    assert of_rows(first_job=4, max_jobs=99).job_count == 1


def test_what_is_taken_is_accounted_for(folder):
    """Jobs that had to ask for more, and those no mesh of this size can hold."""
    account = trace_summary(of_rows().workload, of_rows().machine)
    assert account.as_json() == {
        "path": None,
        "title": "",
        "jobs": 5,
        "usable": 5,
        "in_trace": 5,
        "left_out": {},
        "rounded_up": 1,
        "larger_than_mesh": 1,
        "other_status": 0,
        "requested_times": 0,
    }
    assert account.rows() == [
        ("trace", "the scenario's own rows"),
        ("jobs taken", "5 of 5 in the trace"),
        ("left out", "none"),
        ("rounded up", "1 to a box that fits the mesh"),
        ("too large", "1 larger than the mesh"),
    ]
    assert account.line().startswith(
        "trace: the scenario's own rows; jobs taken: 5 of 5 in the trace; left out"
    )
    assert replace(account, larger_than_mesh=0).rows()[-1] == ("too large", "none")
    assert replace(account, title="T" * 60).rows()[0][1] == "T" * 60
    assert replace(account, title="T" * 61).rows()[0][1] == "T" * 59 + "…"
    loaded = load_scenario(write(folder, max_jobs=3))
    account = trace_summary(loaded.workload, loaded.machine)
    assert (account.title, account.jobs) == ("Test Cube, Lecture Hall", 3)
    assert (account.usable, account.in_trace) == (8, 9)
    assert account.left_out == {"no run time": 1}


@pytest.mark.parametrize("most", [4, 5])
def test_a_trace_may_have_as_many_jobs_as_a_run_may(monkeypatch, most):
    """And not one more."""
    monkeypatch.setattr("meshgui.engine.scenario.checks.MAX_JOBS", most)
    if most == 5:
        assert of_rows().workload.job_count == 5
    else:
        with pytest.raises(ScenarioError, match=r"max_jobs: expected at most 4 jobs, got 5"):
            of_rows()


def test_a_job_that_fits_in_no_orientation_is_rejected_when_it_arrives():
    """One larger than the mesh by every strategy; one whose box is too long by those that want it whole."""
    rows = [[0, 1, 4], [1, 1, 7], [2, 1, 17]]
    for name, rejected in (("tbl", [1, 2]), ("ff", [1, 2]), ("mbs", [2]), ("random", [2])):
        recording = simulate(of_rows(rows, name=name, shape="most-square"))
        found = recording.event_jobs[recording.kinds == EventKind.REJECT].tolist()
        assert found == rejected, name
        assert recording.complete


@pytest.mark.parametrize(
    ("name", "scheduler"),
    [(name, "fcfs") for name in sorted(strategies())]
    + [(name, "easy") for name in sorted(strategies()) if name != "ta"],
)
def test_every_strategy_runs_a_trace(name, scheduler):
    """All jobs finish or are rejected; with planning, too, but for Tree Allocation, which plans itself."""
    data = worth_seeing(strategies()[name])
    rng = np.random.default_rng(7)
    rows = [[10 * i, int(rng.integers(0, 60)), int(rng.integers(1, 20))] for i in range(60)]
    data |= {"workload": {"kind": "swf", "jobs": rows}, "scheduler": {"name": scheduler}}
    recording = simulate(scenario_from(data))
    ended = np.isin(recording.kinds, (EventKind.FINISH, EventKind.REJECT)).sum()
    assert recording.complete
    assert ended == 60


@pytest.mark.parametrize("scheduler", sorted(disciplines()))
def test_every_queue_runs_a_trace(scheduler):
    """Service times are stated, so all can order by them."""
    rows = [[i, 9 - i % 7, 1 + 5 * i % 16] for i in range(50)]
    recording = simulate(of_rows(rows, name="gabl", scheduler=scheduler))
    assert (recording.kinds == EventKind.FINISH).sum() == 50


@pytest.mark.parametrize("pattern", ["one-to-all", "fft"])
def test_with_a_network_jobs_end_when_their_messages_have_arrived(pattern):
    """Their numbers are drawn per seed; planning goes by the stated times."""
    network = {"pattern": pattern, "messages": 5}
    rows = [[30 * i, 40, 1 + i % 9] for i in range(20)] + [[700, 1, 40]]
    of = of_rows(rows, (8, 4), "gabl", "easy", network)
    one, same, other = (simulate(of, seed) for seed in (1, 1, 2))
    assert (one.kinds == EventKind.FINISH).sum() == 20
    assert (one.kinds == EventKind.REJECT).sum() == 1
    assert one.jobs.messages.tolist() == same.jobs.messages.tolist() != other.jobs.messages.tolist()
    assert (one.times == same.times).all()
    if pattern == "fft":
        sides = one.jobs.sizes[:-1]
        assert (sides & (sides - 1) == 0).all()
    assert one.jobs.processors[-1] == 40  # not cut until it fits


def test_a_whole_scenario_needs_no_file(folder):
    """Its jobs are as they were cut; another part can still be taken; it runs the same."""
    loaded = load_scenario(write(folder, first_job=2, max_jobs=4, gap_scale=0.25, time_scale=2.0))
    whole = loaded.whole()
    cut = load_scenario(write(folder, first_job=2, max_jobs=4)).workload
    (folder / "traces" / "small.swf").unlink()
    workload = whole.workload
    assert (workload.path, workload.first_job, workload.max_jobs) == (None, 0, None)
    assert workload.jobs == ((300, 53, 4), (400, 54, 5), (500, 55, 1), (600, 56, 2))
    assert (workload.gap_scale, workload.time_scale) == (0.25, 2)
    again = parse_scenario(whole.model_dump_json())
    assert again == whole
    assert list(log_lines(simulate(again))) == list(log_lines(simulate(loaded)))
    assert whole.whole() is whole
    drawn = scenario()
    assert drawn.whole() is drawn
    kept = cut.with_all_jobs()
    assert (kept.path, kept.first_job, kept.max_jobs) == (None, 2, 4)
    assert kept.jobs == tuple((100 * i, 50 + i, 1 + i % 5) for i in range(1, 9))
    assert kept.with_all_jobs() is kept


def test_what_was_checked_is_what_runs_and_a_copy_with_another_trace_has_its_jobs(folder):
    """Also in another process, and when the file has gone; a copy has the jobs of its own trace."""
    loaded = load_scenario(write(folder))
    (folder / "traces" / "small.swf").unlink()
    assert simulate(pickle.loads(pickle.dumps(loaded))).complete  # noqa: S301 - our own bytes
    with pytest.raises(ScenarioError, match=r"workload\.path: .*no such file"):
        scenario_from(loaded.model_dump())
    workload = loaded.workload
    (folder / "other.swf").write_text(trace_text(line(1, 5, 5, 5)))
    other = workload.model_copy(update={"path": str(folder / "other.swf")})
    assert len(workload.source) == 8
    assert other.traced().processors.tolist() == [5]


def test_a_trace_is_found_from_the_scenario_s_folder(folder, monkeypatch):
    """Wherever one stands; saved below the same folder it is named from there again."""
    path = write(folder)
    monkeypatch.chdir(folder / "traces")
    loaded = load_scenario(path)
    assert loaded.workload.path == str(folder / "traces" / "small.swf")
    monkeypatch.chdir(folder)
    assert load_scenario(path.relative_to(folder)) == loaded
    save_scenario(loaded, folder / "copy.meshgui.json")
    assert json.loads((folder / "copy.meshgui.json").read_text())["workload"]["path"] == "traces/small.swf"
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    save_scenario(loaded, elsewhere / "copy.meshgui.json")
    named = json.loads((elsewhere / "copy.meshgui.json").read_text())["workload"]["path"]
    assert named == str(folder / "traces" / "small.swf")
    for saved in (folder, elsewhere):
        assert load_scenario(saved / "copy.meshgui.json") == loaded
    moved = folder.parent / f"{folder.name}-moved"
    folder.rename(moved)
    assert load_scenario(moved / "copy.meshgui.json").job_count == 8


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        ({}, "workload.path: expected a trace in the Standard Workload Format, got no file"),
        ({"path": ""}, "workload.path: expected a trace in the Standard Workload Format, got no file"),
        ({"path": 3}, "workload.path: expected text, got 3"),
        ({"path": "a.swf", "jobs": [[0, 1, 1]]}, "workload.path: expected this or jobs, got both"),
        ({"jobs": []}, "workload.jobs: expected at least 1 value, got 0"),
        ({"jobs": [[0, 1]]}, "workload.jobs.0.2: expected a value, but there is none"),
        ({"jobs": [[0, 1, 0]]}, "workload.jobs.0.2: expected at least 1, got 0"),
        ({"jobs": [[0, 1, 1.5]]}, "workload.jobs.0.2: expected a whole number, got 1.5"),
        ({"jobs": [[-1, 1, 1]]}, "workload.jobs.0.0: expected at least 0, got -1"),
        (
            {"jobs": ROWS, "first_job": 5},
            "workload.first_job: expected at most 4: the trace has 5 usable jobs",
        ),
        ({"jobs": ROWS, "first_job": -1}, "workload.first_job: expected at least 0, got -1"),
        ({"jobs": ROWS, "max_jobs": 0}, "workload.max_jobs: expected at least 1, got 0"),
        (
            {"jobs": ROWS, "shape": "round"},
            "workload.shape: expected most-square, most-square-that-fits or none",
        ),
        ({"jobs": ROWS, "gap_scale": 0}, "workload.gap_scale: expected more than 0, got 0"),
        ({"jobs": ROWS, "time_scale": 1e11}, "workload.time_scale: expected times up to 1e+12, got 4e+13"),
        (
            {"jobs": [[0, 10, 1], [0, 1, 1]], "time_scale": 2e11},
            "workload.time_scale: expected times up to 1e+12, got 2e+12",
        ),
        ({"jobs": ROWS, "speed": 1}, "workload.speed: unknown key"),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_bad_workload_is_one_line(workload, expected):
    """With the field and what was expected."""
    data = of_rows().model_dump(mode="json") | {"workload": {"kind": "swf"} | workload}
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(json.dumps(data), "lecture")
    assert str(caught.value).startswith(f"lecture: {expected}")


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)


@given(
    st.sampled_from(["path", "jobs", "first_job", "max_jobs", "time_scale", "gap_scale", 0, 1, 2]), _ANYTHING
)
def test_anything_anywhere_is_taken_or_refused_in_one_line(place, value):
    """In a field of the workload, or in a row; what is taken is whole."""
    workload = {"kind": "swf", "jobs": [[0, 1, 3], [1, 1, 1]]}
    if isinstance(place, int):
        workload["jobs"][0][place] = value
    else:
        workload[place] = value
    data = of_rows().model_dump(mode="json") | {"workload": workload}
    said = "scenario: workload."
    try:
        assert parse_scenario(json.dumps(data)).job_count >= 1
    except ScenarioError as error:
        said = str(error)
    assert said.startswith("scenario: workload.")
    assert said.isprintable()


def test_a_bad_trace_is_one_line_with_the_scenario_the_field_and_the_trace(folder):
    """And the line in it, if one is at fault."""
    path = write(folder)
    trace = folder / "traces" / "small.swf"
    trace.write_text(trace_text(line(), "1 2"))
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert str(caught.value) == f"{path}: workload.path: {trace}: line 6: expected 18 fields, got 2"
    trace.unlink()
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    wanted = "expected a trace in the Standard Workload Format: no such file or directory"
    assert str(caught.value) == f"{path}: workload.path: {trace}: {wanted}"


def test_too_many_messages_and_packets_by_hand_do_not_go_with_a_trace(folder):
    """As with drawn jobs; exactly one of path and jobs, as in the program."""
    many = [[0, 1, 1]] * 11
    assert of_rows(many[:10], network={"pattern": "random", "messages": 1e6}).job_count == 10
    with pytest.raises(ScenarioError, match=r"network\.messages: expected at most 909091 on average for 11"):
        of_rows(many, network={"pattern": "random", "messages": 1e6})
    with pytest.raises(ScenarioError, match=r"network\.pattern: expected a pattern other than file"):
        of_rows(network={"pattern": "file"})
    validator = jsonschema.Draft202012Validator(json_schema())
    good = of_rows().model_dump(mode="json")
    validator.validate(good)
    loaded = load_scenario(write(folder)).model_dump(mode="json")
    validator.validate(loaded)
    for wrong in ({}, {"path": "a.swf", "jobs": ROWS}, {"jobs": []}, {"path": None, "jobs": None}):
        assert not validator.is_valid(good | {"workload": {"kind": "swf"} | wrong}), wrong


def test_checking_an_edit_does_not_read_the_trace_again(folder, monkeypatch):
    """Only the first check reads it; the shipped one is drawn byte for byte, and no job is rejected."""
    loaded = load_scenario(write(folder))
    monkeypatch.setattr(swf, "_from_file", lambda _: pytest.fail("it was read again"))
    changed = loaded.model_dump() | {"title": "Another"}
    assert scenario_from(changed).workload == loaded.workload
    monkeypatch.undo()
    drawn = runpy.run_path(str(ROOT / "tools" / "draw_trace.py"))
    assert drawn["PLACE"].read_text(encoding="utf-8") == drawn["drawn"]()
    of = load_scenario(example("from-a-trace-8x8"))
    account = trace_summary(of.workload, of.machine)
    assert account.jobs == account.in_trace == drawn["JOBS"]
    assert account.rounded_up > 0
    assert account.larger_than_mesh == 0
    assert (simulate(of).kinds == EventKind.FINISH).sum() == drawn["JOBS"]
