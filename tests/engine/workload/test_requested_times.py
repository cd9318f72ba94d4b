"""What schedulers see of a job and what happens: requested times, statuses and numbers of a trace."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.cli.run_csv import job_table
from meshgui.cli.trace_summary import trace_summary
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import ScenarioError, load_scenario, scenario_from
from meshgui.model.document.job_edits import move_job
from tests.engine.workload.test_trace_workload import of_rows
from tests.scenarios import jobs_of, parse_scenario, scenario_of
from tests.traces import line, real_trace, trace_text

TRACE = trace_text(
    line(11, 0, run=10, allocated=16, requested_time=10),
    line(12, 1, run=4, allocated=8, status=0),  # failed, and nothing is known of a request
    line(15, 2, run=2, allocated=8, requested_time=20),
    line(13, 3, run=5, allocated=13, requested_time=3, status=5),  # cancelled
    line(14, 4, run=6, allocated=1, requested_time=8, status=-1),
)


@pytest.fixture
def traced(tmp_path):
    """Makes a scenario of the trace."""
    (tmp_path / "small.swf").write_text(TRACE)

    def make(name="random", scheduler="fcfs", **workload):
        of = of_rows(name=name, scheduler=scheduler).model_dump(mode="json")
        of["workload"] = {"kind": "swf", "path": "small.swf"} | workload
        (tmp_path / "it.meshgui.json").write_text(json.dumps(of))
        return load_scenario(tmp_path / "it.meshgui.json")

    return make


def starts(scenario):
    """When each job of a run starts."""
    recording = simulate(scenario)
    return {
        event.job: event.time
        for event in map(recording.event, range(len(recording)))
        if event.kind == EventKind.START
    }


def test_disciplines_see_requested_times_and_jobs_run_their_run_times(traced):
    """Where nothing is known of a request, its run time is what is seen."""
    plain, seen = (jobs_of(traced(estimates=one), 1) for one in ("run-time", "requested-time"))
    assert plain.service.tolist() == plain.lasting.tolist() == [10, 4, 2, 5, 6]
    assert plain.run_time is None
    assert seen.service.tolist() == [10, 4, 20, 3, 8]
    assert seen.lasting.tolist() == seen.run_time.tolist() == [10, 4, 2, 5, 6]
    assert [seen.requested_time(job) for job in range(5)] == [None, None, 20, 3, 8]
    scaled = jobs_of(traced(estimates="requested-time", time_scale=10.0), 1)
    assert scaled.service.tolist() == [100, 40, 200, 30, 80]


def test_easy_plans_with_what_is_requested(traced):
    """Job 4 of 1 processor would end in time, but has asked for longer than the head can wait."""
    rows = [[0, 10, 12], [1, 5, 16], [2, 3, 4]]
    of = of_rows(rows, name="random", scheduler="easy", requested_times=[10, 5, 30], estimates="run-time")
    assert starts(of) == {0: 0, 1: 10, 2: 2}
    asked = of_rows(
        rows, name="random", scheduler="easy", requested_times=[10, 5, 30], estimates="requested-time"
    )
    assert starts(asked) == {0: 0, 1: 10, 2: 15}
    ranked = of_rows(
        [[0, 10, 16], [1, 2, 16], [2, 3, 16]],
        name="random",
        scheduler="ssd",
        requested_times=[10, 9, 5],
        estimates="requested-time",
    )
    assert starts(ranked) == {0: 0, 2: 10, 1: 13}


def test_a_job_may_run_longer_than_it_asked_for():
    """Nothing ends it; a job that waits for it keeps waiting."""
    jobs = [
        {"arrival": 0, "size": [4, 4], "service": 10, "requested_time": 3},
        {"arrival": 1, "size": [4, 4], "service": 1},
        {"arrival": 2, "size": [1, 1], "service": 1, "requested_time": 2},
    ]
    of = scenario_of((4, 4), jobs, scheduler={"name": "easy"})
    assert starts(of) == {0: 0, 1: 10, 2: 11}
    recording = simulate(of)
    arrivals = [line for line in log_lines(recording) if line["event"] == "arrive"]
    assert [(line["service"], line.get("requested_time")) for line in arrivals] == [
        (10, 3),
        (1, None),
        (1, 2),
    ]
    table = csv.DictReader(io.StringIO(b"".join(job_table(recording)).decode()))
    assert [(row["service"], row["requested_time"]) for row in table] == [
        ("10.0", "3.0"),
        ("1.0", "1.0"),
        ("1.0", "2.0"),
    ]
    edited = move_job(recording, 2.5, 2, 0).scenario
    kept = [(job.service, job.requested_time) for job in edited.workload.jobs]
    assert kept == [(10, 3), (1, None), (1, 2)]


def test_with_a_network_a_requested_time_is_enough_to_plan_with():
    """The service is left to the messages."""
    job = {"arrival": 0, "size": [2, 2], "requested_time": 40}
    network = {"pattern": "random", "messages": 5}
    of = scenario_of((4, 4), [job, job], scheduler={"name": "easy"}, network=network)
    assert jobs_of(of, 1).service.tolist() == [40, 40]
    assert simulate(of).complete
    with pytest.raises(ScenarioError, match="expected stated service times: easy plans"):
        scenario_of((4, 4), [{**job, "requested_time": None}], scheduler={"name": "easy"}, network=network)


@pytest.mark.parametrize(
    ("status", "numbers"),
    [("any", [11, 12, 15, 13, 14]), ("completed", [11, 15]), ("not-cancelled", [11, 12, 15, 14])],
)
def test_a_status_says_which_jobs_are_usable(traced, status, numbers):
    """They keep the numbers of their trace, in events and in the table of jobs."""
    of = traced(status=status)
    assert jobs_of(of, 1).numbers.tolist() == numbers
    recording = simulate(of)
    assert [line["number"] for line in log_lines(recording) if line["event"] == "arrive"] == numbers
    table = csv.DictReader(io.StringIO(b"".join(job_table(recording)).decode()))
    assert {int(row["job"]): int(row["number"]) for row in table} == dict(enumerate(numbers))
    account = trace_summary(of.workload, of.machine)
    assert (account.usable, account.other_status) == (len(numbers), 5 - len(numbers))
    assert (("other status", str(5 - len(numbers))) in account.rows()) == (status != "any")
    last = traced(status=status, first_job=len(numbers) - 1)
    assert jobs_of(last, 1).numbers.tolist() == numbers[-1:]


def test_a_whole_scenario_keeps_requests_and_numbers(traced):
    """It runs the same without its file; what is not known stays so."""
    of = traced(status="not-cancelled", estimates="requested-time", first_job=1)
    whole = of.whole()
    assert whole.workload.numbers == (12, 15, 14)
    assert whole.workload.requested_times == (None, 20, 8)
    again = parse_scenario(whole.model_dump_json())
    assert again == whole
    assert list(log_lines(simulate(again))) == list(log_lines(simulate(of)))
    kept = of.workload.with_all_jobs()
    assert (kept.numbers, kept.first_job, kept.status) == ((11, 12, 15, 14), 1, "any")
    completed = of.workload.model_copy(update={"status": "completed"})
    assert completed.traced().number.tolist() == [15]


@given(st.lists(st.integers(1, 16), min_size=1, max_size=12))
def test_strategies_that_need_no_box_get_the_processors_of_the_trace(counts):
    """Not one more, which a box that fits might have."""
    rows = [[n, 3, count] for n, count in enumerate(counts)]
    for name, cls in strategies().items():
        if not cls.needs_box:
            of = of_rows(rows, name=name, shape="none")
            assert jobs_of(of, 1).processors.tolist() == counts
            assert (simulate(of).kinds == EventKind.FINISH).sum() == len(counts)
    assert trace_summary(of.workload, of.machine).rounded_up == 0


@pytest.mark.parametrize("name", sorted(strategies()))
def test_the_sides_of_a_request_matter_to_the_others_alone(name):
    """A 2×6 and a 12×1 request get the same boxes exactly where a strategy needs no box."""
    cls = strategies()[name]
    if 2 not in cls.dims:
        return
    if cls.needs_box:
        with pytest.raises(
            ScenarioError, match=f"workload.shape: expected most-square or .*: {name} places boxes"
        ):
            of_rows(name=name, shape="none")
        return
    given = []
    for size in ((2, 6), (12, 1), (4, 3)):
        jobs = [{"arrival": 0, "size": list(size), "service": 1}]
        recording = simulate(scenario_of((8, 8), jobs, name))
        given.append(recording.boxes_of(0))
    assert given[0] == given[1] == given[2]


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        ({"numbers": [1]}, "workload.numbers: expected a value for each of the 2 jobs, got 1"),
        (
            {"requested_times": [1, 2, 3]},
            "workload.requested_times: expected a value for each of the 2 jobs, got 3",
        ),
        ({"status": "completed"}, "workload.status: expected completed to leave some jobs: none of the 2 in"),
        ({"status": "good"}, "workload.status: expected any, completed or not-cancelled, got"),
        (
            {"requested_times": [1e12, 1], "estimates": "requested-time", "time_scale": 2.0},
            "workload.time_scale: expected times up to 1e+12, got 2e+12",
        ),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_bad_column_is_one_line(workload, expected):
    """With the field and what was expected."""
    data = of_rows([[0, 1, 1], [1, 1, 1]]).model_dump(mode="json")
    data["workload"] = {"kind": "swf", "jobs": [[0, 1, 1], [1, 1, 1]]} | workload
    with pytest.raises(ScenarioError) as caught:
        scenario_from(data)
    assert str(caught.value).startswith(f"scenario: {expected}")
    with pytest.raises(ScenarioError, match="numbers: expected none: the trace has them itself"):
        scenario_from(data | {"workload": {"kind": "swf", "path": "a.swf", "numbers": [1]}})


def test_the_real_trace_states_no_requested_times_and_all_numbers():
    """The archive has left jobs out of it, and numbers the others as before."""
    of = scenario_of(
        (16, 8), {"kind": "swf", "path": str(real_trace()), "max_jobs": 500, "shape": "none"}, "mbs"
    )
    jobs = jobs_of(of, 1)
    assert jobs.numbers.tolist()[:6] == [1, 2, 3, 4, 5, 57]
    assert jobs.run_time is None
    assert trace_summary(of.workload, of.machine).requested_times == 0
