"""What sentence, panel, mesh and curves say of one moment agrees with the run and with each other."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.allocation.steps import Role, parted
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.document.examples import examples
from meshgui.model.jobs.job_tables import JobRows
from meshgui.model.jobs.waiting import why_it_waits
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.scene.theme_colours import LIGHT
from meshgui.model.stepping.selection import Selection
from meshgui.model.timeline.plot_data import plot_data
from meshgui.model.timeline.run_curves import run_curves
from tests.naive import nodes
from tests.runs import run_of
from tests.scenarios import listed

MOST = 60  # events of each example, and of its end
STEPS = 12  # of an attempt that are looked at


def views(recording: Recording) -> Iterator[View]:
    """The views right after the first events of a run, and after the last ones."""
    count = len(recording)
    for position in sorted({*range(min(MOST, count + 1)), *range(max(0, count - MOST), count + 1)}):
        time = float(recording.times[position - 1]) if position else 0.0
        yield View(recording, Position(position), time)


@dataclass
class Told:
    """What the events of a run say by themselves: who waits, and who runs since when and where."""

    waiting: dict[int, float] = field(default_factory=dict)  # since when
    running: dict[int, tuple[Box, ...]] = field(default_factory=dict)


def told(recording: Recording, asked: Collection[int]) -> dict[int, Told]:
    """After the numbers of events that are asked for."""
    events = zip(
        recording.times.tolist(), recording.kinds.tolist(), recording.event_jobs.tolist(), strict=True
    )
    now, found = Told(), {0: Told()}
    for number, (time, kind, job) in enumerate(events, 1):
        if kind == EventKind.ARRIVE:
            now.waiting[job] = time
        elif kind in {EventKind.REJECT, EventKind.RESERVE}:
            now.waiting.pop(job)
        elif kind == EventKind.START:
            now.waiting.pop(job, None)  # not where it was reserved a box, or begins again
            boxes = recording.boxes_of(job, number)
            now.running[job] = tuple(part for box in boxes for part in recording.mesh.parts(box))
        elif kind in {EventKind.FINISH, EventKind.KILL}:
            del now.running[job]
        if number in asked:
            found[number] = Told(dict(now.waiting), dict(sorted(now.running.items())))
    return found


def compare_with_events(view: View, told_: Told) -> None:
    """The rows of the Queue panel and the boxes that the mesh draws, beside what has happened."""
    waiting, running = JobRows.waiting(view), JobRows.running(view)
    scene = build_scene(view, Selection(), LIGHT)
    drawn: dict[int, set[Box]] = {}
    for job, box in zip(scene.jobs.tolist(), scene.boxes.tolist(), strict=True):
        drawn.setdefault(job, set()).add(Box(*box))
    assert drawn == {job: set(boxes) for job, boxes in told_.running.items()}
    assert [running.job(row) for row in range(len(running))] == list(told_.running)
    for row, (job, boxes) in enumerate(told_.running.items()):
        whole = {part for box in running.boxes(row) for part in view.recording.mesh.parts(box)}
        assert whole == set(boxes), job
    listed_ = {waiting.job(row): waiting.waited(row) for row in range(len(waiting))}
    assert {job for job in listed_ if job in told_.waiting} == set(told_.waiting)
    for job, since in told_.waiting.items():
        assert listed_[job] == pytest.approx(view.time - since)


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
    recording = run_of(path.name.partition(".")[0])
    shown = [*views(recording)]
    after = told(recording, {view.position.events for view in shown})
    for number, view in enumerate(shown):
        compare(view)
        if number % 4 == 0 or view is shown[-1]:  # each takes as long as all the others
            compare_with_events(view, after[view.position.events])


def stepped(recording: Recording) -> Iterator[list[View]]:
    """Some attempts, from the first to the last: views of some steps of each, the last one among them."""
    last = len(recording.attempts) - 1
    for attempt in sorted({0, 1, 2, last // 3, last // 2, last - 1, last} & {*range(last + 1)}):
        before = recording.attempts[attempt].position
        time = float(recording.times[before - 1])
        trace = View(recording, Position(before, attempt), time).trace
        if trace is not None:
            count = len(trace.steps)
            steps = sorted({*range(0, count, -(-count // STEPS)), count - 1})
            yield [View(recording, Position(before, attempt, step), time) for step in steps]


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name.partition(".")[0])
def test_steps_of_attempts_are_of_one_voice_with_the_run(path):
    """The machine stays as it is, what is said is said of the job, and the last step shows what it gets."""
    recording = run_of(path.name.partition(".")[0])
    attempts, mesh = [*stepped(recording)], recording.mesh
    starts = {int(recording.started[steps[0].job]) + 1 for steps in attempts}
    after = told(recording, {steps[0].position.events for steps in attempts} | starts)
    for steps in attempts:
        job, before = steps[0].job, after[steps[0].position.events]
        for view in steps:
            compare_with_events(view, before)
            assert view.sentence.startswith(f"Job {job} (")
            assert view.inspection.says in view.sentence
            marks = parted(view.inspection.marks, mesh)
            placed = {node for mark in marks if mark.role == Role.PLACED for node in nodes(mark.box)}
            assert not placed & {
                node for boxes in before.running.values() for box in boxes for node in nodes(box)
            }
        outcome = recording.attempts[view.position.attempt].outcome
        if outcome != AttemptOutcome.PLACED:
            assert not placed
        elif recording.outages is None:  # or it may have begun again elsewhere
            got = after[int(recording.started[job]) + 1].running[job]
            assert placed == {node for box in got for node in nodes(box)}
            if len(got) == 1 and "–(" in view.sentence:
                assert got[0].describe(flat=mesh.dims == 2) in view.sentence


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
