"""Edits of jobs at a moment: when they happen, what a new job is, and what cannot be done, in sentences."""

import re

import pytest

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.job_edits import JobEditError, draw_job, end_job, move_job, place_after, time_just_after
from tests.networks import sending, sent
from tests.scenarios import listed, scenario

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
