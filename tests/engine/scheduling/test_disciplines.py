"""The queue disciplines, by the order in which a crowd of waiting jobs is served."""

from math import inf, nextafter
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import ScenarioError, SchedulerSpec, scenario_from
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.disciplines import EasyBackfilling, FirstComeFirstServed
from meshgui.engine.scheduling.registry import disciplines
from tests.scenarios import SCHEDULERS, crowded, listed, scenario_of

FCFS, SSD_PROCESSOR_TIME, SSD_TIME, OOO, EASY, SJF, LJF, LCFS, CONSERVATIVE = SCHEDULERS

# The first holds the whole 4×4 mesh; of the others none fits beside another, so they are served one by one.
CROWD = [
    (0.0, (4, 4), 10.0),
    (1.0, (3, 3), 4.0),  # demand 36
    (2.0, (4, 3), 2.0),  # demand 24
    (3.0, (3, 4), 2.5),  # demand 30
    (4.0, (4, 4), 1.5),  # demand 24 again, later than job 2
]


def order_of_starts(scheduler, jobs=CROWD):
    """The jobs in the order in which they are started."""
    return order_of(simulate(listed((4, 4), jobs, scheduler=scheduler)))


def order_of(recording):
    """The jobs of a run in the order in which they are started."""
    return recording.event_jobs[recording.kinds == EventKind.START].tolist()


@pytest.mark.parametrize(
    ("scheduler", "order"),
    [
        (FCFS, [0, 1, 2, 3, 4]),
        (SSD_PROCESSOR_TIME, [0, 2, 4, 3, 1]),  # equal demands keep their order of arrival
        ({"name": "ssd"}, [0, 2, 4, 3, 1]),  # as in 002
        (SSD_TIME, [0, 4, 2, 3, 1]),
        (SJF, [0, 1, 2, 3, 4]),
        (LJF, [0, 4, 2, 3, 1]),
        (LCFS, [0, 4, 3, 2, 1]),
    ],
    ids=str,
)
def test_the_jobs_that_wait_are_served_in_the_order_of_the_discipline(scheduler, order):
    """By arrival, either demand, size either way, or the last to come."""
    assert order_of_starts(scheduler) == order


@pytest.mark.parametrize(
    ("demand", "order"),
    [("processor-time", [0, 1, 2, 3]), ("time", [0, 1, 2, 3]), ("processor-messages", [0, 2, 3, 1])],
)
def test_with_a_network_demand_is_of_messages(demand, order):
    """Their number, or as an option that number times the processors: 48, 36 and 45 wait for the first."""
    jobs = [(0, (4, 4), 50), (1, (4, 4), 3), (1, (3, 3), 4), (1, (3, 3), 5)]
    listed = [{"arrival": at, "size": size, "messages": messages} for at, size, messages in jobs]
    of = scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [4, 4]},
            "allocator": {"name": "ff"},
            "scheduler": {"name": "ssd", "options": {"demand": demand}},
            "workload": {"kind": "list", "jobs": listed},
            "network": {"pattern": "random"},
        }
    )
    assert order_of(simulate(of)) == order


def test_a_short_job_overtakes_and_out_of_order_lets_pass_who_fits_and_what_disciplines_say_of_themselves():
    """By demand among those that wait; a job without a place blocks no other; checks go by three words."""
    late = [*CROWD, (9.0, (4, 4), 0.5)]
    assert order_of_starts(SSD_TIME, late) == [0, 5, 4, 2, 3, 1]
    jobs = [(0, (4, 3), 10), (1, (4, 4), 1), (2, (4, 1), 20), (3, (4, 2), 1), (12, (4, 3), 5)]
    assert order_of_starts(OOO, jobs) == [0, 2, 3, 4, 1]
    known = disciplines().values()
    assert [cls.id for cls in known if cls.plans] == ["easy", "conservative"]
    assert [cls.id for cls in known if cls.ranks_by_service] == ["ssd"]
    assert [cls.id for cls in known if cls.by_arrival] == ["fcfs", "ooo", "easy", "conservative"]
    assert not Discipline.by_arrival


@pytest.mark.parametrize("scheduler", [OOO, EASY], ids=["ooo", "easy"])
def test_a_size_that_failed_is_tried_again_once_a_job_has_left(scheduler):
    """Two rows are free from 10 on: the job that was refused at 3 starts then, the head does not."""
    jobs = [(0, (4, 2), 20), (0, (4, 1), 10), (1, (4, 4), 1), (3, (4, 2), 5)]
    assert starts_of(scheduler, jobs, "bl") == {0: 0, 1: 0, 2: 20, 3: 10}


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=lambda of: of["name"])
def test_all_that_fit_start_at_once(scheduler):
    """A job that has been placed is no reason to end the turn."""
    assert starts_of(scheduler, [(0, (2, 2), 1)] * 4) == dict.fromkeys(range(4), 0)


def test_a_size_that_failed_is_not_tried_for_another_job():
    """Until a job has left. With no processor free the scan ends (000 §2.2.1, footnote 3)."""
    jobs = [(0, (4, 2), 20), (0, (4, 1), 10), (1, (4, 4), 1), (3, (4, 2), 5), (4, (4, 2), 5)]
    recording = simulate(listed((4, 4), jobs, "bl", scheduler=OOO))
    assert [attempt.job for attempt in recording.attempts][:6] == [0, 1, 2, 3, 2, 3]
    recording = simulate(listed((2, 1), [(0, (2, 1), 9), (1, (1, 1), 1), (2, (1, 1), 1)], scheduler=OOO))
    assert [attempt.job for attempt in recording.attempts] == [0, 1, 2]


# The head of the queue (job 1) needs the whole machine, which comes free at 10.
BACKFILL = [(0, (4, 3), 10), (1, (4, 4), 5)]


def starts_of(scheduler, jobs, name="ff"):
    """When each job starts."""
    recording = simulate(listed((4, 4), jobs, name, scheduler=scheduler))
    return {job: float(recording.times[recording.started[job]]) for job in range(len(jobs))}


def test_easy_fills_in_who_does_not_delay_the_head_and_a_plan_is_of_the_machine_as_it_is(install):
    """By the head's planned start, or beside it; a job that never fits never starts, one refused may."""
    assert starts_of(EASY, [*BACKFILL, (2, (4, 1), 8)]) == {0: 0, 1: 10, 2: 2}
    assert starts_of(EASY, [*BACKFILL, (2, (4, 1), 8.5)]) == {0: 0, 1: 10, 2: 15}
    jobs = [(0, (4, 3), 10), (1, (4, 3), 5), (2, (4, 1), 100)]
    assert starts_of(EASY, jobs) == {0: 0, 1: 10, 2: 2}
    jobs = [(0, (4, 3), 10), (1, (3, 4), 5), (2, (4, 4), 5), (11, (1, 4), 20)]
    assert starts_of(EASY, jobs) == {0: 0, 1: 10, 2: 15, 3: 20}
    said = []

    class Asking(FirstComeFirstServed):
        id = "asking"

        def serve(self, queue):
            if queue.waiting() == [0, 1, 2]:
                plan = queue.plan()
                said.append((plan.start_of(0), [plan.allows(1, head, 0.0) for head in (0, 0, 1, 1)]))
            super().serve(queue)

    install(asking=Asking)
    jobs = [(0, (2, 2), 1), (0, (2, 1), 1), (0, (1, 2), 1)]
    simulate(listed((2, 2), jobs, "ff", {"name": "asking"}))
    assert said == [(inf, [False, False, True, True])]


def test_conservative_backfilling_delays_no_job_for_a_later_one():
    """Also not the second of the queue, which EASY does not look at; nor the head, if it is moved there."""
    jobs = [(0, (4, 3), 10), (1, (4, 3), 5), (2, (4, 4), 5), (3, (4, 1), 100)]
    assert starts_of(EASY, jobs) == {0: 0, 1: 10, 2: 103, 3: 3}
    assert starts_of(CONSERVATIVE, jobs) == {0: 0, 1: 10, 2: 15, 3: 20}
    short = [*jobs[:3], (3, (4, 1), 7), (3, (4, 1), 12), (4, (2, 1), 12), (4, (2, 1), 12)]
    assert starts_of(CONSERVATIVE, short) == {0: 0, 1: 10, 2: 15, 3: 3, 4: 20, 5: 20, 6: 20}
    assert starts_of(CONSERVATIVE, [*short[:4], (3, (4, 1), 5), (4, (2, 1), 5)]) == (
        {0: 0, 1: 10, 2: 15, 3: 3, 4: 10, 5: 20}
    )


def run_of(rows, moves=()):
    """A run under conservative backfilling of jobs with requested times; when each starts."""
    rows = [
        {"arrival": arrival, "size": size, "service": service, "requested_time": requested}
        for arrival, size, service, requested in rows
    ]
    workload = {"kind": "list", "jobs": rows, "moves": moves}
    recording = simulate(scenario_of((4, 4), workload, scheduler=CONSERVATIVE))
    return recording.times[recording.started].tolist()


def test_all_are_planned_again_when_a_job_leaves_early_or_late_or_is_moved():
    """They come earlier; a job that waits for a late one keeps waiting, and others do not overtake it."""
    rows = [(0, (4, 3), 10, 10), (1, (4, 4), 5, 5), (2, (4, 2), 5, 5), (3, (4, 1), 9, 9)]
    assert run_of(rows) == [0, 10, 15, 15]
    assert run_of([(0, (4, 3), 4, 10), *rows[1:]]) == [0, 4, 9, 9]
    assert run_of([(0, (4, 3), 14, 10), *rows[1:]]) == [0, 14, 19, 19]
    assert run_of([*rows[:3], (3, (4, 1), 9, 7)]) == [0, 12, 17, 3]
    assert run_of(rows, [[5, 3, 0]]) == [0, 14, 19, 5]


def counted(jobs, machine):
    """When jobs `(arrival, processors, service, requested)` start where processors are all that counts."""
    running, waiting, starts, promised = {}, [], {}, {}
    coming = list(range(len(jobs)))
    while coming or running:
        now = min([jobs[job][0] for job in coming[:1]] + [end for end, _ in running.values()])
        left = [job for job in running if running[job][0] == now]
        for job in left:
            del running[job]
        while coming and jobs[coming[0]][0] == now:
            waiting.append(coming.pop(0))
        late = any(starts[job] + jobs[job][3] <= now for job in running)
        if left or late:
            promised.clear()
        for job in waiting:
            if job not in promised:
                holding = [(now, _after(end, now), held) for _, (end, held) in _stated(running, jobs, starts)]
                holding += [(at, at + jobs[other][3], jobs[other][1]) for other, at in promised.items()]
                promised[job] = _first_room(now, holding, jobs[job][1], jobs[job][3], machine)
        for job in [job for job in waiting if promised[job] == now]:
            starts[job] = now
            running[job] = (now + jobs[job][2], jobs[job][1])
            waiting.remove(job)
            del promised[job]
    return starts


def _stated(running, jobs, starts):
    return [(job, (starts[job] + jobs[job][3], held)) for job, (_, held) in running.items()]


def _after(end, now):
    return max(end, nextafter(now, inf))


def _first_room(now, holding, wanted, service, machine):
    """The first time from which that many processors are free for that long."""
    for time in sorted({now, *(end for _, end, _ in holding)}):
        changes = [time, *(begin for begin, _, _ in holding if time <= begin < time + service)]
        held = [sum(held for begin, end, held in holding if begin <= at < end) for at in changes]
        if max(held) + wanted <= machine:
            return time
    raise AssertionError


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(1, 16), st.integers(1, 9), st.integers(1, 9)), max_size=25
    )
)
def test_where_processors_are_all_that_counts_conservative_backfilling_is_its_textbook(jobs):
    """A profile of free processors says when each job starts, whether it leaves in time, early or late."""
    jobs = sorted(jobs)
    rows = [
        {"arrival": at, "size": [wanted, 1], "service": service, "requested_time": requested}
        for at, wanted, service, requested in jobs
    ]
    if rows:
        recording = simulate(scenario_of((16, 1), rows, "random", scheduler=CONSERVATIVE))
        assert dict(enumerate(recording.times[recording.started].tolist())) == counted(jobs, 16)


@given(of=crowded())
def test_easy_never_delays_a_head(of):
    """Once planned, the job at the head of the queue starts at that time or earlier."""
    promised = {}

    class Watched(EasyBackfilling):
        id = "watched"

        def serve(self, queue):
            while (head := queue.head()) is not None and queue.try_to_place(head):
                pass
            if head is not None:
                promised[head] = min(promised.get(head, inf), queue.plan().start_of(head))
            super().serve(queue)

    with patch.dict(disciplines(), watched=Watched):
        recording = simulate(of.model_copy(update={"scheduler": SchedulerSpec(name="watched")}))
    for job, time in promised.items():
        assert recording.times[recording.started[job]] <= time


def test_easy_is_not_for_a_strategy_that_reserves_itself():
    """Two that plan ahead would plan against each other: the scenario says so in one line."""
    assert listed((4, 4), CROWD, "ta", EASY).scheduler.name == "easy"
    with pytest.raises(ScenarioError, match=r"scheduler\.name: expected a discipline other than easy: ta"):
        listed((4, 4), CROWD, "ta", EASY, {"eafr": True})
