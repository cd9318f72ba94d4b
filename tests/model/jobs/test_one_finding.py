"""What sentence, panel, mesh and curves say of one moment agrees with the run and with each other."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import examples
from meshgui.model.jobs.waiting import why_it_waits
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.timeline.plot_data import plot_data
from meshgui.model.timeline.run_curves import run_curves
from tests.scenarios import listed

MOST = 60  # events of each example, and of its end


def views(recording: Recording) -> Iterator[View]:
    """The views right after the first events of a run, and after the last ones."""
    count = len(recording)
    for position in sorted({*range(min(MOST, count + 1)), *range(max(0, count - MOST), count + 1)}):
        time = float(recording.times[position - 1]) if position else 0.0
        yield View(recording, Position(position), time)


def starts_now(view: View, job: int) -> bool:
    """Whether the run has the job start at the time of the view."""
    start = int(view.recording.stints_at(view.position.events).started[job])
    return start != NEVER and view.position.events <= start and view.recording.times[start] == view.time


def _shortage(sentence: str, job: int) -> str | None:
    """Why the job waits in the words of the sentence; None where it does not say that it waits."""
    found = re.search(rf"Job {job} \([\d×]+\) waits: (.*)", sentence)
    return None if found is None else found[1]


def compare(view: View) -> None:
    """Each pair of those that speak of the moment."""
    recording, snapshot = view.recording, view.snapshot
    readings = run_curves(recording).readings(view.position.events)
    assert readings.in_use == pytest.approx(100 * snapshot.utilization)
    assert (readings.waiting, readings.running) == (len(snapshot.queue), len(snapshot.running))
    plot = plot_data(recording)
    assert plot.in_use_after(view.position.events) == readings.in_use
    assert plot.finished_after(view.position.events) == snapshot.finished
    sentence = view.sentence
    for job in snapshot.queue.tolist()[:4]:
        reason = why_it_waits(view, job)
        if reason is None:
            continue
        said, shortage = reason.text, _shortage(sentence, job)
        if starts_now(view, job):
            assert shortage is None
            assert "It starts now, in" in said
            assert " waits: " not in said
            assert reason.opening is not None
            assert tuple(reason.opening.boxes) == recording.boxes_of(job, view.position.events)
        elif shortage is not None:
            assert f"waits: {shortage}" in said
        assert "starts now" not in said or starts_now(view, reason.subject)


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name.partition(".")[0])
def test_examples_are_of_one_voice(path):
    """Each of the program's own, over its first and last events."""
    for view in views(simulate(load_scenario(path))):
        compare(view)


TIED = st.lists(
    st.tuples(
        st.sampled_from([0.0, 1.0, 2.0, 3.0]),
        st.tuples(st.integers(1, 4), st.integers(1, 4)),
        st.sampled_from([1.0, 2.0]),
    ),
    min_size=2,
    max_size=9,
)


@pytest.mark.parametrize("allocator", ["ff", "2dbs", "mbs", "gabl"])
@pytest.mark.parametrize("scheduler", ["fcfs", "ssd", "ooo", "easy"])
@settings(max_examples=15)
@given(jobs=TIED)
def test_many_things_at_one_time_are_of_one_voice(allocator, scheduler, jobs):
    """Jobs that come, leave and start at the same times."""
    for view in views(simulate(listed((4, 4), sorted(jobs), allocator, {"name": scheduler}))):
        compare(view)


def test_a_job_that_starts_at_this_time_is_not_said_to_wait():
    """Eight jobs arrive at once, and all start then."""
    recording = simulate(listed((8, 8), [(0.0, (8, 1), 5.0)] * 8))
    arrived = [View(recording, Position(position), 0.0) for position in range(1, 9)]
    assert {int(view.snapshot.event.kind) for view in arrived} == {int(EventKind.ARRIVE)}
    assert not [view.sentence for view in arrived if " waits: " in view.sentence]
    reason = why_it_waits(arrived[7], 3)
    assert reason is not None
    assert reason.text.endswith("It starts now, in (0,3)–(7,3).")


def test_while_a_run_goes_on_nothing_is_said_of_what_it_has_not_tried():
    """At the last event that is known so far."""
    simulation = Simulation(listed((4, 4), [(0.0, (4, 4), 5.0), (1.0, (2, 2), 1.0), (1.0, (3, 3), 1.0)]))
    while simulation.step():
        part = simulation.recording()
        for view in views(part):
            compare(view)


@pytest.mark.parametrize(
    ("allocator", "size", "said"),
    [
        ("2dbs", (5, 3), "Job 0 (5×3) starts in (0,0)–(7,7), rounded up to 8×8."),
        ("tff", (3, 5), "Job 0 (3×5) starts in (0,0)–(2,4)."),
        ("tff", (1, 9), "Job 0 (1×9) starts in (0,0)–(8,0), turned to 9×1."),
        ("gabl", (2, 9), "Job 0 (2×9) starts in"),
        ("mbs", (8, 2), "Job 0 (8×2) starts in (0,0)–(3,3), as 4×4."),
    ],
)
def test_a_box_of_another_shape_is_called_what_it_is(allocator, size, said):
    """Rounded up is not turned."""
    shape = (8, 8) if 9 not in size else (16, 8)
    recording = simulate(listed(shape, [(0.0, size, 5.0)], allocator))
    sentences = [View(recording, Position(at), 0.0).sentence for at in range(1, len(recording) + 1)]
    assert any(text.startswith(said) for text in sentences), sentences
