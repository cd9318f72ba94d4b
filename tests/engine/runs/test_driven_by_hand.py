"""Jobs of a list that are ended by hand, and jobs moved in the queue by hand."""

from typing import Any

import pytest

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate, simulate_figures
from meshgui.engine.scenario import Scenario, ScenarioError
from tests.scenarios import scenario_of
from tests.twins.runs import NaiveRun, told_of

JOBS = [(0.0, 5.0, None), (1.0, 5.0, None), (2.0, 5.0, None), (3.0, 5.0, None)]


def scenario(
    jobs: list[tuple[float, float, float | None]] = JOBS, moves: Any = (), queue: str = "fcfs", **parts: Any
) -> Scenario:
    """Jobs that take the whole mesh, by arrival, service, and when they are ended."""
    rows = [
        {"arrival": at, "size": [2, 2], "service": service, "ended_after": ended}
        for at, service, ended in jobs
    ]
    made = {"workload": {"kind": "list", "jobs": rows, "moves": moves}, "scheduler": {"name": queue}}
    return scenario_of((2, 2), **made | parts)


def starts(recording: Recording) -> list[tuple[int, float]]:
    """The jobs in the order of their starts, with their times."""
    chosen = recording.kinds == EventKind.START
    return list(zip(recording.event_jobs[chosen].tolist(), recording.times[chosen].tolist(), strict=True))


def test_a_job_ended_by_hand_frees_its_box_then():
    """Its service stays as stated, what waits starts earlier; EASY plans as without."""
    recording = simulate(scenario([(0.0, 5.0, 1.5), (1.0, 5.0, None), (2.0, 5.0, 9.0)]))
    assert starts(recording) == [(0, 0.0), (1, 1.5), (2, 6.5)]
    assert recording.end_time == 11.5
    assert recording.stated_service(0) == 5.0
    rows = [(0.0, [2, 1], 10.0), (1.0, [2, 2], 1.0), (2.0, [2, 1], 7.0), (3.0, [2, 1], 9.0)]
    jobs = [{"arrival": at, "size": size, "service": service} for at, size, service in rows]
    plain = scenario(queue="easy", workload={"kind": "list", "jobs": jobs})
    ended = scenario(
        queue="easy", workload={"kind": "list", "jobs": [jobs[0] | {"ended_after": 5.0}, *jobs[1:]]}
    )
    assert starts(simulate(plain))[:2] == starts(simulate(ended))[:2] == [(0, 0.0), (2, 2.0)]


@pytest.mark.parametrize(
    ("move", "order"),
    [((3.5, 3, 0), [0, 3, 1, 2]), ((3.5, 1, 2), [0, 2, 3, 1]), ((3.5, 3, 1), [0, 1, 3, 2]),
     ((2.0, 2, 0), [0, 2, 1, 3])],
)  # fmt: skip
@pytest.mark.parametrize("queue", ["fcfs", "ooo", "easy"])
def test_a_moved_job_is_served_at_its_place(move: tuple[float, int, int], order: list[int], queue: str):
    """From that time on; the queue before it is as it was."""
    recording = simulate(scenario(moves=[move], queue=queue))
    assert [job for job, _ in starts(recording)] == order
    (moved,) = (recording.kinds == EventKind.MOVE).nonzero()[0].tolist()
    assert recording.event(moved).time == move[0]
    before = recording.queue(moved).tolist()
    assert before == sorted(before)
    assert recording.queue(moved + 1).tolist().index(move[1]) == move[2]


def test_a_job_that_does_not_wait_is_not_moved():
    """Then nothing is recorded; the log names a move, and runs for figures have the same schedule."""
    plain = simulate(scenario())
    for move in ((4.0, 0, 1), (4.0, 1, 0), (99.0, 2, 0)):
        recording = simulate(scenario(moves=[move]))
        assert recording.times.tolist() == plain.times.tolist()
        assert starts(recording) == starts(plain)
    lines = list(log_lines(simulate(scenario(moves=[(3.5, 3, 0)]))))
    assert {"t": 3.5, "event": "move", "job": 3, "place": 0} in lines
    by_hand = scenario([(0.0, 5.0, 1.5), *JOBS[1:]], moves=[(3.5, 3, 0)])
    recorded = simulate(by_hand)
    assert starts(simulate_figures(by_hand)) == starts(recorded)
    assert told_of(recorded) == NaiveRun(by_hand).run()


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"moves": [[2.5, 9, 0]]}, "workload.moves.0: expected a job from 0 to 3, got 9"),
        ({"moves": [[0.5, 1, 0]]}, "moves.0: expected a time from when job 1 arrives at 1, got 0.5"),
        ({"moves": [[2.5, 1, 0]], "queue": "ssd"}, "workload.moves: expected none: ssd keeps the queue in"),
        (
            {"jobs": [(0.0, 1.0, 0.5)], "network": {"pattern": "random"}},
            "workload.jobs.0.ended_after: expected none: a job ends when its messages arrive",
        ),
    ],
)  # fmt: skip
def test_what_no_run_could_do_is_refused(parts: dict[str, Any], fault: str):
    """The line names the field and what was expected."""
    with pytest.raises(ScenarioError, match=fault):
        scenario(**parts)
