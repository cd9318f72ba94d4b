"""Why a job waits."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, orientations
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.sentences import JobLink
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.jobs.job_tables import JobRows, boxes_on_mesh, job_facts
from meshgui.model.jobs.waiting import WaitReason, why_it_waits
from meshgui.model.jobs.waiting_tables import BlockerRows, TriedRows
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from tests.networks import sending
from tests.runs import cursor_in, first_events, run_of
from tests.scenarios import crowded, listed

BUSY = [(0.0, (4, 2), 5.0), (1.0, (2, 2), 9.0), (2.0, (3, 3), 1.0), (3.0, (2, 1), 1.0)]


def after(recording: Recording, kind: EventKind, job: int) -> View:
    """The view right after an event."""
    events = [recording.event(i) for i in range(len(recording))]
    position = next(i for i, event in enumerate(events, 1) if (event.kind, event.job) == (kind, job))
    return at(recording, position)


def at(recording: Recording, position: int) -> View:
    """The view at a position."""
    return cursor_in(recording, Position(position)).view


def asked(view: View, job: int) -> WaitReason:
    """The reason of a job that waits."""
    reason = why_it_waits(view, job)
    assert reason is not None
    return reason


@pytest.fixture(scope="module")
def busy() -> Recording:
    """A run in which jobs 0 and 1 keep job 2 and those behind it waiting."""
    return simulate(listed((4, 4), BUSY))


def test_titles_of_tables_say_a_late_time_whole():
    """To the hundredth, as the clock does; not in six digits."""
    late = [(1234560.0, (4, 2), 5.0), (1234561.25, (4, 4), 9.0)]
    view = after(simulate(listed((4, 4), late)), EventKind.ARRIVE, 1)
    reason = asked(view, 1)
    assert reason.attempt is not None
    titles = (
        JobRows.waiting(view).title,
        JobRows.running(view).title,
        boxes_on_mesh(view).title,
        job_facts(view, 1).title,
        BlockerRows(view, reason).title,
        TriedRows(view, reason.attempt).title,
    )
    assert all("at 1234561.25" in title for title in titles), titles


def test_the_head_waits_for_the_jobs_that_stand_in_its_places(busy: Recording):
    """Job 2 wants 3×3 of 4×4 and jobs 0 and 1 are there; first come, first served lets nothing past it."""
    view = after(busy, EventKind.ARRIVE, 2)
    reason = asked(view, 2)
    assert reason.subject == 2
    assert reason.text == (
        "Job 2 (3×3) is at the head of the queue. It waits: it asks for 9 processors, but only 4 are free."
        " Job 0 is in all 4 places for a 3×3 box. It could start at 10.00 in (0,0)–(2,2), once job 0 and"
        " job 1 have left, if no other job takes the room first."
    )
    blockers = [(b.job, b.places, b.alone, b.leaves) for b in reason.blockers]
    assert blockers == [(0, 4, 0, 5.0), (1, 4, 0, 10.0)]
    assert [(mark.role.name, mark.box) for mark in reason.marks(view.snapshot)] == [
        ("CANDIDATE", Box(0, 0, 0, 3, 3, 1)),
        ("BLOCKED", Box(0, 0, 0, 4, 2, 1)),
        ("BLOCKED", Box(0, 2, 0, 2, 2, 1)),
    ]
    reason = asked(after(busy, EventKind.ARRIVE, 3), 3)
    assert reason.subject == 2
    assert reason.text.startswith(
        "Job 3 (2×1) is 2nd in the queue, behind job 2. First come, first served places no job before the"
        " head of the queue: all wait for job 2. It would fit now, in (2,2)–(3,2). Job 2 (3×3) waits:"
    )
    assert {piece.link for piece in reason.text.pieces} - {None} == {JobLink(job) for job in range(4)}


@pytest.mark.parametrize(
    ("scheduler", "jobs", "subject", "said"),
    [
        (
            *("ooo", [*BUSY[:3], (3.0, (3, 2), 1.0)], 3),
            "Out of order skips jobs that cannot be placed; this one was tried too.",
        ),
        (  # a long job behind the head is not tried: it would delay the head
            *("easy", [(0.0, (4, 3), 5.0), (1.0, (4, 2), 1.0), (2.0, (1, 1), 99.0), (3.0, (4, 1), 99.0)], 1),
            "EASY backfilling places a job before the head only if that does not delay the head.",
        ),
        (
            "conservative",
            [(0.0, (4, 3), 5.0), (1.0, (4, 2), 1.0), (2.0, (1, 1), 99.0), (3.0, (4, 1), 99.0)],
            1,
            "Conservative backfilling places a job before others only if that delays none of them.",
        ),
    ],
)
def test_a_discipline_says_whom_it_tries(scheduler, jobs, subject, said):
    """Where that is the job itself, its own attempt is the reason, else that of the head."""
    recording = simulate(listed((4, 4), jobs, scheduler={"name": scheduler}))
    reason = asked(after(recording, EventKind.ARRIVE, 3), 3)
    assert (reason.subject, said in reason.text) == (subject, True)


def test_a_strategy_of_blocks_waits_for_processors_and_a_reserved_job_waits_for_its_box():
    """Multiple Buddy needs no box; EAFR has promised one that another job still holds."""
    jobs = [(0.0, (4, 2), 5.0), (1.0, (2, 3), 9.0), (2.0, (3, 2), 1.0)]
    reason = asked(after(simulate(listed((4, 4), jobs, name="mbs")), EventKind.ARRIVE, 2), 2)
    assert reason.places == 0
    assert [(b.job, b.processors, b.leaves) for b in reason.blockers] == [(0, 8, 5.0), (1, 6, 10.0)]
    assert (reason.opening.time, reason.opening.after) == (5.0, (0,))
    jobs = [(0.0, (4, 4), 5.0), (1.0, (2, 2), 1.0)]
    recording = simulate(listed((4, 4), jobs, name="ta", options={"eafr": True}))
    reason = asked(after(recording, EventKind.RESERVE, 1), 1)
    assert reason.text == (
        "Job 1 (2×2) has left the queue: (0,0)–(3,3) is reserved for it, and job 0 holds parts of it"
        " until 5.00."
    )


def test_a_job_that_does_not_wait_has_no_reason(busy: Recording):
    """It runs, it has finished, it is to come, or it is about to be rejected, and queues for no time."""
    assert why_it_waits(after(busy, EventKind.ARRIVE, 2), 0) is None
    assert why_it_waits(at(busy, len(busy)), 2) is None
    assert why_it_waits(at(busy, 0), 2) is None
    rejecting = simulate(listed((4, 2), [(0.0, (4, 1), 1.0), (1.0, (2, 4), 1.0)], name="ff"))
    assert why_it_waits(after(rejecting, EventKind.ARRIVE, 1), 1) is None


def test_each_box_that_was_tried_names_the_job_met_and_until_when():
    """Low bases of a 3×2 box meet job 0, high ones job 1; with a network the ends are not known."""
    jobs = [(0.0, (4, 2), 5.0), (1.0, (2, 1), 9.0), (2.0, (3, 2), 1.0)]
    view = after(simulate(listed((4, 4), jobs, name="bf")), EventKind.ARRIVE, 2)
    rows = TriedRows(view, asked(view, 2).attempt)
    tried = [rows.candidate(row) for row in range(len(rows))]
    met = {candidate.box: candidate.jobs for candidate in tried if candidate.jobs}
    assert met[Box(0, 0, 0, 3, 2, 1)] == (0,)
    assert met[Box(1, 2, 0, 3, 2, 1)] == (1,)
    assert {candidate.leaves for candidate in tried if candidate.jobs} == {5.0, 10.0}
    whole = simulate(sending([(0, (4, 4), 5), (1, (4, 4), 5)]))
    reason = asked(at(first_events(whole, 3), 3), 1)
    assert "It is not known yet when the running jobs leave." in reason.text
    assert reason.opening is None


@pytest.mark.parametrize("name", ["ff", "tff", "tbl"])
@settings(max_examples=25)
@given(scenario=crowded(most=8))
def test_places_and_the_first_chance_are_those_of_a_search_of_all_boxes(name, scenario):
    """Counted box by box, and by letting the running jobs leave one time after another."""
    scenario = scenario_from({**scenario.model_dump(), "allocator": {"name": name, "options": {}}})
    recording = simulate(scenario)
    for position in range(len(recording) + 1):
        view = at(recording, position)
        queue = view.snapshot.queue.tolist()
        reason = why_it_waits(view, queue[0]) if queue else None
        if reason is not None:
            _compare(view, reason, turning=name != "ff")


def _compare(view: View, reason: WaitReason, *, turning: bool) -> None:
    recording, snapshot = view.recording, view.snapshot
    boxes = list(_places(recording, recording.size(reason.subject), turning=turning))
    held = {job: recording.boxes_of(job) for job in snapshot.running.tolist()}
    parts = [recording.mesh.parts(box) for box in boxes]
    met = [
        {job for job, own in held.items() if any(part.overlaps(b) for b in own for part in box)}
        for box in parts
    ]
    assert reason.places == len(boxes)
    for blocker in reason.blockers:
        assert blocker.places == sum(blocker.job in jobs for jobs in met)
        assert blocker.alone == sum(jobs == {blocker.job} for jobs in met)
    ends = {job: float(recording.times[recording.ended[job]]) for job in held}
    earliest = min(max((ends[job] for job in jobs), default=snapshot.time) for jobs in met)
    assert reason.opening.time == max(earliest, snapshot.time)


def _places(recording, size, *, turning):
    mesh = recording.mesh
    for turn in orientations(size, mesh.dims) if turning else (size,):
        if mesh.fits(turn):
            rings = mesh.rings if recording.across else (False, False, False)
            sides = zip(mesh.extents, turn, rings, strict=True)
            ranges = (range(m if ring and n < m else m - n + 1) for m, n, ring in sides)
            for base in product(*ranges):
                yield Box(*base, *turn)


@pytest.mark.parametrize("name", ["first-fit-16x16", "tbl-under-load"])
def test_marks_show_the_boxes_that_meet_those_of_the_first_chance(name: str) -> None:
    """Found by counts of processors, the same boxes as by looking at every pair."""
    recording = run_of(name)
    view = at(recording, recording.position_at(30.0))
    snapshot = view.snapshot
    reason = asked(view, int(snapshot.queue[0]))
    rows = [Box(*row) for row in snapshot.boxes[np.isin(snapshot.owners, reason.opening.after)].tolist()]
    expected = [row for row in rows if any(row.overlaps(box) for box in reason.opening.boxes)]
    assert [mark.box for mark in reason.marks(snapshot)] == [*reason.opening.boxes, *expected]
    assert expected


def test_very_many_processors_of_the_first_chance_are_marked_by_rows() -> None:
    """One mark for each would take long to draw."""
    recording = simulate(listed((60, 60), [(0.0, (60, 60), 5.0), (1.0, (40, 40), 5.0)], "genalg"))
    view = at(recording, 3)
    reason = asked(view, 1)
    candidates = [mark.box for mark in reason.marks(view.snapshot) if mark.role == Role.CANDIDATE]
    assert len(reason.opening.boxes) == 1600
    assert sum(box.volume for box in candidates) == 1600
    assert len(candidates) < 100
