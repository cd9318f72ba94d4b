"""The event loop against a naive one, its order at one time, and the same bytes from the same seed."""

import gc
import json
import math
import os
import subprocess
import sys
import weakref
from itertools import pairwise

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import scenario_from
from tests.networks import sending
from tests.scenarios import SCHEDULERS, STRATEGIES, listed, scenario


def told(recording):
    """The events as (time, kind, job, box or None)."""
    lines = []
    for index in range(len(recording)):
        event = recording.event(index)
        box = None
        if event.kind == EventKind.START:
            [box] = recording.boxes_of(event.job)
        lines.append((event.time, event.kind.name.lower(), event.job, box and tuple(box)))
    return lines


def test_at_one_time_jobs_finish_then_arrive_then_start():
    """Each by job number; a job that waits for processors that are free at once starts then."""
    of = listed((2, 1), [(0, (1, 1), 5), (0, (1, 1), 5), (5, (1, 1), 1), (5, (1, 1), 1)])
    assert [(kind, job) for time, kind, job, _ in told(simulate(of)) if time == 5] == [
        ("finish", 0), ("finish", 1), ("arrive", 2), ("arrive", 3), ("start", 2), ("start", 3),
    ]  # fmt: skip
    of = listed((1, 1), [(1, (1, 1), 0), (1, (1, 1), 0), (1, (1, 1), 2)])
    assert told(simulate(of)) == [
        (1, "arrive", 0, None), (1, "arrive", 1, None), (1, "arrive", 2, None),
        (1, "start", 0, (0, 0, 0, 1, 1, 1)), (1, "finish", 0, None),
        (1, "start", 1, (0, 0, 0, 1, 1, 1)), (1, "finish", 1, None),
        (1, "start", 2, (0, 0, 0, 1, 1, 1)), (3, "finish", 2, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kinds"), [("ff", ["arrive", "reject"]), ("tff", ["arrive", "start", "finish"])]
)
def test_what_fits_in_no_way_is_rejected_on_arrival(name, kinds):
    """A request too long unturned is rejected by First Fit, logged with a reason, and blocks no other job."""
    recording = simulate(listed((4, 2), [(0, (2, 4), 1), (0, (1, 1), 1)], name))
    assert [kind for _, kind, job, _ in told(recording) if job == 0] == kinds
    assert [kind for _, kind, job, _ in told(recording) if job == 1] == ["arrive", "start", "finish"]
    reasons = [line["reason"] for line in log_lines(recording) if line["event"] == "reject"]
    assert len(reasons) == kinds.count("reject")
    assert all("2×4" in reason and "4×2" in reason for reason in reasons)


def test_allocation_stops_at_the_first_job_that_cannot_be_placed():
    """Under FCFS; an arrival behind the head costs no attempt, a departure does, a better rank is offered."""
    of = listed((2, 2), [(0, (2, 1), 10), (1, (2, 2), 1), (2, (1, 1), 1)])
    starts = {job: time for time, kind, job, _ in told(simulate(of)) if kind == "start"}
    assert starts == {0: 0, 1: 10, 2: 11}
    of = listed((2, 2), [(0, (2, 1), 10), (1, (2, 2), 1), (2, (1, 1), 1), (3, (1, 1), 1)])
    recording = simulate(of)
    attempts = [(attempt.job, attempt.outcome) for attempt in recording.attempts]
    assert attempts == [(0, True), (1, False), (1, True), (2, False), (2, True), (3, True)]
    of = listed((2, 2), [(0, (2, 1), 10), (1, (2, 2), 5), (2, (1, 1), 1)], "ff", SCHEDULERS[2])
    starts = {job: time for time, kind, job, _ in told(simulate(of)) if kind == "start"}
    assert starts == {0: 0, 2: 2, 1: 10}


@pytest.mark.parametrize("name", STRATEGIES)
def test_progress_changes_nothing(name):
    """Watching a run, and looking into it on the way, leaves the event log as it is."""
    of = scenario((4, 4, 4), name, jobs=600)
    seen = []
    simulation = Simulation(of)

    def hear(progress):
        seen.append(progress)
        recording = simulation.recording()
        recording.snapshot(min(10, len(recording)))

    watched = simulation.run(Work(hear))
    assert list(log_lines(watched)) == list(log_lines(simulate(of)))
    assert len(seen) >= 3
    assert all(earlier <= later for earlier, later in pairwise(seen))
    assert seen[-1][0] <= 600 == seen[-1][1]


def test_progress_is_reported_while_plain_python_is_slow(monkeypatch):
    """After 0.05 seconds within the loop, not at every event, nor after hundreds of slow ones."""
    now, ended = [0.0], []

    class Slow(strategies()["ff"]):
        def allocate(self, request, log=None):
            now[0] += 0.02
            return super().allocate(request, log)

    monkeypatch.setattr("meshgui.engine.runs.python_calls.monotonic", lambda: now[0])
    monkeypatch.setitem(strategies(), "ff", Slow)
    jobs = [(n, (1, 1), 0.5) for n in range(200)]
    simulate(listed((4, 4), jobs), work=Work(lambda _: ended.append(now[0])))
    within = sorted(set(ended))
    assert len(within) >= 200 // 4
    assert max(later - earlier for earlier, later in pairwise(within)) < 0.09


def test_what_a_job_cost_is_its_attempts_and_its_release():
    """Counted by the strategy; a job that is rejected costs nothing, and has ended all the same."""
    simulation = Simulation(listed((4, 3), [(0, (1, 1), 5), (1, (4, 3), 1), (2, (3, 4), 1)], "ff"))
    recording = simulation.run()
    working = recording.new_strategy()
    costs = []
    for act in (
        lambda: working.allocate(Request(0, (1, 1, 1))),
        lambda: working.allocate(Request(1, (4, 3, 1))),
        lambda: working.release(0),
        lambda: working.allocate(Request(1, (4, 3, 1))),
        lambda: working.release(1),
    ):
        before = working.operations
        act()
        costs.append(working.operations - before)
    first, in_vain, left, second, last = costs
    assert recording.operations.tolist() == [first + left, in_vain + second + last, 0]
    assert (recording.seconds > 0).tolist() == [True, True, False]
    assert simulation._ended == 3


def test_a_strategy_learns_of_no_service_where_none_is_stated(monkeypatch):
    """With a network its request has 0 then; not where no message arrives for ever."""
    asked = []

    class Asking(strategies()["ff"]):
        def allocate(self, request, log=None):
            asked.append((request.job, request.service))
            return super().allocate(request, log)

    monkeypatch.setitem(strategies(), "ff", Asking)
    simulate(sending([(0, (2, 2), 3), (1, (2, 2), 3)]))
    assert set(asked) == {(0, 0.0), (1, 0.0)}
    monkeypatch.setattr(Traffic, "compiled", False)
    monkeypatch.setattr(Traffic, "next_completion", lambda *_: math.inf)
    data = {
        "meshgui": 1,
        "mesh": {"shape": [4, 4]},
        "allocator": {"name": "ff"},
        "workload": {"kind": "stochastic", "jobs": 3, "load": 1},
        "network": {"pattern": "random", "messages": 2},
    }
    recording = simulate(scenario_from(data))
    assert not recording.complete
    assert EventKind.START in recording.kinds
    assert EventKind.FINISH not in recording.kinds


def test_who_follows_a_run_may_stop_it():
    """It ends with Stopped, and what has happened is still there."""
    simulation = Simulation(scenario((8, 8), jobs=600))
    work = Work(lambda progress: progress.done < 100 or work.stop())
    with pytest.raises(Stopped):
        simulation.run(work)
    partial = simulation.recording()
    assert not partial.complete
    assert 0 < len(partial) < 1800


@pytest.mark.parametrize("record", [True, False])
def test_a_run_that_is_over_is_kept_by_nothing(record):
    """Its arrays go when it is let go: a sweep makes thousands before garbage is looked for."""
    run = Simulation(scenario(jobs=50), record=record)
    gc.collect()
    gc.disable()
    try:
        run.run(Work())
        kept = weakref.ref(run)
        del run
        assert kept() is None
    finally:
        gc.enable()


_PRINT_LOGS = """
import json, sys
from pathlib import Path
from meshgui.engine.scenario import load_scenario
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import simulate
watched, *paths = sys.argv[1:]
for path in paths:
    work = Work() if watched == "watched" else None
    for line in log_lines(simulate(load_scenario(Path(path)), work=work)):
        print(json.dumps(line))
"""


def logs_of_a_process(paths, watched, **environment):
    """The event lines another process writes, byte for byte."""
    return subprocess.run(
        [sys.executable, "-c", _PRINT_LOGS, watched, *map(str, paths)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        check=True,
    ).stdout


def test_every_process_writes_the_same_bytes(tmp_path):
    """One scenario, one seed: other hash seeds, other kinds of processor, watched or not, compiled or not."""
    scenarios = [
        scenario((4, 4, 4), name, jobs=200, sides={"kind": "exponential"}) for name in ("tff", "tbl")
    ]
    paths = [tmp_path / of.allocator.name for of in scenarios]
    for of, path in zip(scenarios, paths, strict=True):
        path.write_text(of.model_dump_json(), encoding="utf-8")
    first = logs_of_a_process(paths, "unwatched", PYTHONHASHSEED="0")
    assert logs_of_a_process(paths, "watched", PYTHONHASHSEED="12345") == first
    # NumPy picks its loops by what the processor can do; the log must not depend on it.
    plain = {"NUMBA_DISABLE_JIT": "1", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512_SKX AVX2 FMA3"}
    assert logs_of_a_process(paths, "unwatched", PYTHONHASHSEED="random", **plain) == first
    lines = [json.dumps(line) for of in scenarios for line in log_lines(simulate(of))]
    assert len(lines) == 2 * 3 * 200
    assert first.decode().splitlines() == lines


@pytest.mark.parametrize("sides", ["uniform", "exponential"])
def test_all_strategies_see_the_same_jobs(sides):
    """Common random numbers: for the same seed, neither strategy nor scheduler touches the job stream."""
    streams = [
        Simulation(scenario((6, 5, 4), name, jobs=200, seed=7, scheduler=by, sides={"kind": sides})).jobs
        for name in STRATEGIES
        for by in SCHEDULERS
    ]
    for stream in streams[1:]:
        for part in ("arrival", "sizes", "service"):
            np.testing.assert_array_equal(getattr(stream, part), getattr(streams[0], part))


def test_another_seed_gives_other_jobs():
    """The seed given to the simulation wins over the scenario's, and decides the stream."""
    of = scenario(jobs=50, seed=3)
    assert Simulation(of).jobs.arrival.tolist() == Simulation(of, 3).jobs.arrival.tolist()
    assert Simulation(of).jobs.arrival.tolist() != Simulation(of, 4).jobs.arrival.tolist()


@pytest.mark.parametrize(
    "of",
    [
        scenario(jobs=80),
        scenario(jobs=80, scheduler={"name": "easy"}),
        sending([(0, (2, 2), 5), (7, (4, 4), 9)]),
    ],
    ids=["fcfs", "easy", "network"],
)
def test_a_run_is_its_steps(of):
    """Peek names the next time, and as often as it is called; step goes there and nowhere else."""
    simulation = Simulation(of)
    while (upcoming := simulation.peek()) < math.inf:
        before = simulation.recording()
        assert simulation.peek() == upcoming
        assert simulation.now <= upcoming
        assert simulation.step()
        assert simulation.now == upcoming
        assert set(simulation.recording().times[len(before) :]) <= {upcoming}
    assert not simulation.step()
    assert list(log_lines(simulation.recording())) == list(log_lines(simulate(of)))
