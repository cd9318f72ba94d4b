"""What is said of a moment, and why a job waits."""

from itertools import product

import numpy as np
import pytest

from meshgui.engine.basics.geometry import Box, region
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.model.jobs.job_tables import job_now
from meshgui.model.jobs.waiting import why_it_waits
from meshgui.model.moment.position import Position
from tests.networks import alone, sent, sent_on_torus, three_in_a_row
from tests.runs import cursor_in, run_of
from tests.scenarios import listed, scenario


def run(allocator: str, shape: list[int], jobs: list[tuple[float, list[int], float]]) -> Recording:
    """The recording of listed jobs: arrival, size, service."""
    return simulate(listed(shape, jobs, allocator))


def sentence(recording: Recording, kind: EventKind, job: int) -> str:
    """What is said right after an event."""
    events = [recording.event(i) for i in range(len(recording))]
    position = next(i for i, event in enumerate(events, 1) if (event.kind, event.job) == (kind, job))
    return cursor_in(recording, Position(position)).view.sentence


FLAT = [(0.0, [4, 2], 5.0), (1.0, [2, 4], 9.0), (2.0, [3, 3], 1.0), (2.5, [1, 1], 1.0), (3.0, [1, 1], 1.0)]
DEEP = [(0.0, [2, 2, 1], 5.0), (1.0, [1, 2, 2], 9.0), (2.0, [2, 2, 2], 1.0)]


NONE_FREE = "Job 2 (3×3) waits: it asks for 9 processors, but none is free."
NOT_DENIED = "Job 1 (4×1) waits: 8 processors are free, but Tree Allocation has no 4×1 box for it."
EIGHT_FREE = "Job 2 (3×3) waits: it asks for 9 processors, but only 8 are free."


def test_an_empty_machine_says_how_large_it_is_and_how_much_is_to_come():
    """Before the first event; one job and one processor are spoken of in the singular."""
    said = cursor_in(run("tbl", [4, 4], FLAT)).view.sentence
    assert said == "The machine is empty: 16 processors, 5 jobs to come."
    said = cursor_in(run("fs", [4, 1], [(0.0, [4, 1], 5.0)])).view.sentence
    assert said == "The machine is empty: 4 processors, 1 job to come."
    alone = run("fs", [4, 1], [(0.0, [4, 1], 5.0), (1.0, [1, 1], 1.0)])
    assert sentence(alone, EventKind.ARRIVE, 1).endswith("it asks for 1 processor, but none is free.")


@pytest.mark.parametrize(
    ("kind", "job", "said"),
    [
        (EventKind.ARRIVE, 0, "Job 0 (4×2) arrives."),
        (EventKind.START, 0, "Job 0 (4×2) starts in (0,0)–(3,1)."),
        (EventKind.START, 1, "Job 1 (2×4) starts in (0,2)–(3,3), turned to 4×2."),
        (EventKind.ARRIVE, 2, f"Job 2 (3×3) arrives. {NONE_FREE}"),
        (EventKind.ARRIVE, 3, f"Job 3 (1×1) arrives; 1 job waits before it. {NONE_FREE}"),
        (EventKind.ARRIVE, 4, f"Job 4 (1×1) arrives; 2 jobs wait before it. {NONE_FREE}"),
        (EventKind.FINISH, 0, f"Job 0 (4×2) finishes and frees 8 processors. {EIGHT_FREE}"),
        (EventKind.START, 2, "Job 2 (3×3) starts in (0,0)–(2,2), after a wait of 8.00."),
        (EventKind.FINISH, 4, "Job 4 (1×1) finishes and frees 1 processor. It was the last job."),
    ],
)
def test_each_event_on_a_flat_mesh_has_its_sentence(kind, job, said):
    """Arrivals, starts, turned starts, finishes and waiting, in 2D."""
    assert sentence(run("tbl", [4, 4], FLAT), kind, job) == said


@pytest.mark.parametrize(
    ("allocator", "shape", "jobs", "kind", "job", "said"),
    [
        ("tbl", [2, 2, 2], DEEP, EventKind.START, 0, "Job 0 (2×2×1) starts in (0,0,0)–(1,1,0)."),
        (
            *("tbl", [2, 2, 2], DEEP, EventKind.START, 1),
            "Job 1 (1×2×2) starts in (0,0,1)–(1,1,1), turned to 2×2×1.",
        ),
        (
            *("bl", [4, 2], [(0.0, [2, 4], 1.0)], EventKind.REJECT, 0),
            "Job 0 (2×4) is rejected: 2×4 does not fit into the empty 4×2 mesh.",
        ),
        (  # after a 2×2 job the top row of a 4×3 mesh is free, but lies in two nodes of the allocation tree
            *("ta", [4, 3], [(0.0, [2, 2], 5.0), (1.0, [4, 1], 1.0)], EventKind.ARRIVE, 1),
            f"Job 1 (4×1) arrives. {NOT_DENIED}",
        ),
    ],
    ids=["in 3D", "turned in 3D", "rejected", "a free box that the strategy passes over"],
)
def test_an_event_elsewhere_has_its_sentence(allocator, shape, jobs, kind, job, said):
    """With three coordinates, a reason, and no denial of what is free."""
    assert sentence(run(allocator, shape, jobs), kind, job) == said


def test_a_step_is_said_with_the_name_of_the_job():
    """The narrations of the strategies have what is said of it."""
    recording = run("tff", [2, 1], [(0.0, [1, 1], 9.0), (1.0, [1, 1], 9.0)])
    said = cursor_in(recording, Position(recording.attempts[1].position, 1, 0)).view.sentence
    assert said == "Job 1 (1×1): Try it as asked."


@pytest.mark.parametrize(
    ("allocator", "size", "why"),
    [
        ("tbl", [3, 2], "no 3×2 box is, however turned"),
        ("bl", [3, 2], "no 3×2 box is"),
        ("tbl", [3, 3], "no 3×3 box is"),
    ],
)
def test_enough_free_processors_in_the_wrong_places_are_named(allocator, size, why):
    """Turning is mentioned only where it was tried: a square has one orientation."""
    columns = [(0.0, [1, 5], 9.0 if held else 1.0) for held in (False, True, False, True, False)]
    said = sentence(run(allocator, [5, 5], [*columns, (0.5, size, 1.0)]), EventKind.FINISH, 4)
    assert said == (
        "Job 4 (1×5) finishes and frees 5 processors."
        f" Job 5 ({size[0]}×{size[1]}) waits: 15 processors are free, but {why}."
    )


def test_a_reservation_has_its_sentence():
    """Job 4 of 004's Example 1 is promised the bottom row; then no job waits in the queue."""
    recording = run_of("tree-allocation-example-1")
    said = "Job 4 (1×4) leaves the queue: (0,0)–(3,0) is reserved for it."
    assert sentence(recording, EventKind.RESERVE, 4) == said
    assert sentence(recording, EventKind.ARRIVE, 4) == "Job 4 (1×4) arrives."
    started = "Job 4 (1×4) starts in (0,0)–(3,0), turned to 4×1, after a wait of 4.00."
    assert sentence(recording, EventKind.START, 4) == started


@pytest.mark.parametrize("name", ["first-fit-16x16", "tbl-under-load"])
def test_what_is_said_of_free_boxes_is_true(name):
    """First Fit and Busy List find every free box: where they fail with enough processors, none is there."""
    recording = run_of(name)
    cursor, denied = cursor_in(recording), 0
    for position in range(min(len(recording), 400)):
        cursor.go_to(Position(position))
        assert "for it." not in cursor.view.sentence
        denied += "box is" in cursor.view.sentence
    assert denied


def at_cycle(recording, cycle, packet=None):
    """What is said in a cycle, possibly with a packet selected."""
    return cursor_in(recording, time=cycle).view.sentence_about(packet)


def test_between_events_the_network_speaks():
    """Of a packet on its way, of another behind it, and of the next one; at events the jobs do."""
    assert at_cycle(alone(), 0) == "Job 0 (4×4) starts in (0,0)–(3,3)."
    assert at_cycle(alone(), 9) == "Cycle 9: packet 0 of job 0 is being routed at (2,0)."
    finish = "Job 0 (4×4) finishes: its only message has arrived. It frees 16 processors. It was the last"
    assert at_cycle(alone(), 24) == f"{finish} job."
    behind = sent((0, (0, 0), (3, 0)), (0, (0, 0), (0, 3)))
    said = "Cycle 9: packet 0 of job 0 is being routed at (2,0); 1 more waits to be injected."
    assert at_cycle(behind, 9) == said
    apart = sent((0, (0, 0), (1, 0)), (60, (0, 0), (1, 0)))
    said = "Cycle 40: no packet is in the network; the next one sets out in cycle 60."
    assert at_cycle(apart, 40) == said


def test_of_many_packets_the_one_in_greatest_trouble_is_named():
    """Who has waited longest; a selected one names who holds it up in the end, or how it fared."""
    recording = three_in_a_row()
    assert at_cycle(recording, 5) == "Cycle 5: 3 packets are under way, none of them blocked."
    assert at_cycle(recording, 10) == (
        "Cycle 10: 3 packets are under way, 2 of them blocked. Packet 1 of job 0 waits at (2,0)"
        " for (2,0)→(3,0), held by packet 0, for 2 cycles so far."
    )
    assert at_cycle(recording, 44) == (
        "Cycle 44: packet 1 of job 0 arrives after 44 cycles, 16 of them blocked."
        " Now 1 packet is under way, not blocked."
    )
    recording = three_in_a_row()
    assert at_cycle(recording, 10, 2) == (
        "Cycle 10: packet 2 of job 0 waits at (1,0) for (1,0)→(2,0), held by packet 1, for 2 cycles so far."
        " At the end of the chain packet 0 of job 0 arrives at (3,0): 2 of its 16 flits are there."
    )
    assert at_cycle(recording, 30, 0) == (
        "Cycle 30: packet 0 of job 0 arrived at (3,0) in cycle 24, after 24 cycles, never blocked."
        " 2 packets are under way, 1 of them blocked."
    )
    assert at_cycle(recording, 67, 0).startswith("Job 0 (4×4) finishes")


def test_a_box_across_a_seam_is_found_and_named_by_its_corners():
    """Free only where the ring closes; the start, the list of jobs and the reason of a wait name one box."""
    jobs = [(0, (2, 2), 1), (0, (4, 2), 9), (2, (4, 2), 3), (3, (4, 2), 1)]
    recording = simulate(listed((8, 2), jobs, "ff", wrap=(True, False)))
    starts = int(recording.started[2])
    assert recording.snapshot(starts).has_free_box(((4, 2, 1),))
    assert not recording.snapshot(starts + 1).has_free_box(((4, 2, 1),))
    view = cursor_in(recording, Position(starts + 1)).view
    assert str(view.sentence).startswith("Job 2 (4×2) starts in (6,0)–(1,1).")
    assert job_now(view, 2).boxes == (Box(6, 0, 0, 4, 2, 1),)
    reason = why_it_waits(cursor_in(recording, Position(int(recording.arrived[3]) + 1)).view, 3)
    assert reason is not None
    assert "It could start at 5.00 in (6,0)–(1,1), once job 2 has left" in reason.text


def test_a_free_box_is_found_where_one_is_and_nowhere_else():
    """At moments of a crowded run, for every size up to the mesh and beyond, as a naive search finds it."""
    recording = simulate(scenario((4, 3, 2), "gabl", jobs=30, load=5.0))
    for position in range(0, len(recording), 9):
        snapshot = recording.snapshot(position)
        held = np.zeros((2, 3, 4), dtype=bool)
        for box in snapshot.boxes.tolist():
            region(held, Box(*box))[:] = True
        for w, d, h in product(range(1, 6), range(1, 5), range(1, 4)):
            places = product(range(4 - w + 1), range(3 - d + 1), range(2 - h + 1))
            free = any(not held[z : z + h, y : y + d, x : x + w].any() for x, y, z in places)
            assert snapshot.has_free_box(((w, d, h),)) == free, (position, w, d, h)


def test_a_deadlock_is_said_with_its_circle_and_what_stays_unfinished():
    """In its cycle, and not in the one before; the last job to finish is then not called the last."""
    recording = sent_on_torus(*((0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)), flits=16)
    cycle = recording.deadlock.cycle
    cursor = cursor_in(recording)
    cursor.go_to_time(cycle)
    assert cursor.view.sentence == (
        f"Deadlock in cycle {cycle}: nothing can move any more. Each waits for the next: "
        "packet 0 → packet 1 → packet 2 → packet 3 → packet 0. 1 job stays unfinished."
    )
    cursor.go_to_time(cycle - 1)
    assert "Deadlock" not in cursor.view.sentence
