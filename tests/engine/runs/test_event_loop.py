"""The event loop records what its naive twin does, whatever is compiled and whatever is plain Python."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import fields
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.busy_list import BusyList
from meshgui.engine.allocation.busy_list_kernel import BusyListState
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelRequest
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.allocation.tree_allocation import TreeAllocation
from meshgui.engine.allocation.tree_allocation_kernel import PROMISED, QUEUED, TreeState
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.runs import event_loop
from meshgui.engine.runs.loop_state import AnswerFault, Count, HowFar
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling.registry import discipline, disciplines
from tests.engine.network.patterns.test_patterns import with_network
from tests.properties.stories import CASES, FIRST_CASES, stories
from tests.scale import COMPILED, cases
from tests.scenarios import PLANNERS, SCHEDULERS, listed, scenario, scenario_of
from tests.twins.runs import NaiveRun, told_of

ARRIVALS = st.one_of(st.integers(0, 12), st.floats(0, 12, allow_nan=False))
SERVICES = st.one_of(st.integers(0, 3), st.floats(0, 5, allow_nan=False))


def of(case, mesh, jobs, scheduler, network=None):
    """A scenario of listed jobs `(arrival, size, service[, requested time])`.

    With a network, its services are only stated.
    """
    names = ("arrival", "size", "service", "requested_time")
    rows = [dict(zip(names, job, strict=False)) | {"size": list(job[1][: mesh.dims])} for job in jobs]
    if network is not None:
        rows = [{**row, "messages": 1 + 7 * n % 40} for n, row in enumerate(rows)]
    plain = network is not None and case.name != "torus3d"  # around rings a network may deadlock
    wrap = [] if plain else list(mesh.wrap)
    parts = {"scheduler": scheduler, "network": network, "mesh": {"shape": list(mesh.shape), "wrap": wrap}}
    return scenario_of(mesh.shape, rows, case.name, dict(case.options), **parts)


@st.composite
def runs(draw, case, schedulers=SCHEDULERS, network=None):
    """A scenario of jobs that come close together, some of which fit only turned or not at all."""
    story = draw(stories(case, 4, 24))
    sizes = [act.size for act in story.acts if hasattr(act, "size")] or [(1, 1, 1)]
    asks = st.tuples(SERVICES) if draw(st.booleans()) else st.just(())  # for more or less than it takes
    jobs = [(draw(ARRIVALS), size, draw(SERVICES), *draw(asks)) for size in sizes]
    return of(case, story.mesh, jobs, draw(st.sampled_from(schedulers)), network)


def reserving(case):
    """Whether the strategy of a case plans ahead, which a discipline then must not."""
    cls = strategy(case.name)
    return cls.reserves(cls.options_model(**dict(case.options)))


def assert_equal(one, other):
    """All that both runs record is equal, and the strategy was in the same state."""
    assert list(one.attempts) == list(other.attempts)
    for frame in one.key_frames:
        state = other.state_at(frame.position)
        assert frame.state.keys() == state.keys()
        assert all(np.array_equal(frame.state[name], state[name]) for name in state)
    assert_same_figures(one, other)


def assert_same_figures(one, other):
    """All that figures are made of is equal, but for the time it took."""
    for field in fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray) and field.name != "seconds":
            assert left.dtype == right.dtype, field.name
            assert np.array_equal(left, right), field.name
    assert dict(summary(one), overhead=0) == dict(summary(other), overhead=0)
    for left, right in zip(one.packets or (), other.packets or (), strict=True):
        assert np.array_equal(left, right)


def by_steps(wanted):
    """The run, made by one step after another."""
    run = Simulation(wanted)
    while run.step():
        pass
    return run.recording()


@contextmanager
def in_python(of):
    """A scenario whose strategy is called through Python, and whose queue is served by it."""

    class Plain(strategy(of.allocator.name)):
        id = "plain"

        def allocate(self, request, log=None):
            return super().allocate(request, log)

    class Served(discipline(of.scheduler.name)):
        id = "served"

        def serve(self, queue):
            serve_in_python(queue, self.serving)

    with patch.dict(strategies(), plain=Plain), patch.dict(disciplines(), served=Served):
        parts = {"allocator": {"name": "plain"}, "scheduler": {"name": "served"}}
        data = of.model_dump()
        yield scenario_from(data | {key: data[key] | part for key, part in parts.items()})


def serve_in_python(queue, serving):
    """The ways of serving, by what a discipline of one's own has."""
    if serving == Serving.CONSERVATIVE:
        queue.serve(serving)
        return
    waiting, placed = queue.waiting(), 0
    if serving == Serving.EVERY:
        for job in waiting:
            if queue.free:
                queue.try_to_place(job)
        return
    while placed < len(waiting) and queue.try_to_place(waiting[placed]):
        placed += 1
    if serving == Serving.EASY and len(later := waiting[placed + 1 :]):
        head = waiting[placed]
        start = queue.plan().start_of(head)
        for job in later:
            if queue.now + queue.service(job) <= start or queue.plan().allows(job, head, start):
                queue.try_to_place(job)


@pytest.mark.parametrize("case", CASES, ids=str)
@cases(25)
@given(data=st.data())
def test_the_loop_makes_the_run_of_its_twin(case, data):
    """Every event, box, attempt and operation, whatever the discipline; recorded or not, and step by step."""
    schedulers = [s for s in SCHEDULERS if not (s["name"] in PLANNERS and reserving(case))]
    wanted = data.draw(runs(case, schedulers))
    recorded = simulate(wanted)
    assert told_of(recorded) == NaiveRun(wanted).run()
    assert_same_figures(simulate_figures(wanted), recorded)
    assert_equal(by_steps(wanted), recorded)


@pytest.mark.parametrize("case", FIRST_CASES, ids=str)
@cases(10)
@given(data=st.data())
def test_what_is_plain_python_runs_alike(case, data):
    """The strategy, the discipline, and both in the loop that is not recorded."""
    schedulers = [s for s in SCHEDULERS if not (s["name"] in PLANNERS and reserving(case))]
    wanted = data.draw(runs(case, schedulers))
    recorded = simulate(wanted)
    with in_python(wanted) as plain:
        assert_equal(recorded, simulate(plain))
        assert_same_figures(simulate_figures(plain), recorded)


@pytest.mark.parametrize("case", [case for case in FIRST_CASES if not strategy(case.name).switched], ids=str)
@cases(15)
@given(data=st.data())
def test_with_a_network_a_run_is_its_steps(case, data):
    """Jobs finish when their messages have arrived: in one kernel as between calls of two."""
    law = {
        "pattern": data.draw(st.sampled_from(["random", "one-to-all", "n-body"])),
        "barrier": data.draw(st.sampled_from(["stage", "iteration"])),
        "startup": data.draw(st.sampled_from([0, 3])),
    }
    schedulers = [
        s for s in SCHEDULERS if s["name"] != "ssd" and not (s["name"] in PLANNERS and reserving(case))
    ]
    wanted = data.draw(runs(case, schedulers, law))
    recorded = simulate(wanted)
    assert_equal(recorded, by_steps(wanted))
    assert_same_figures(simulate_figures(wanted), recorded)
    with in_python(wanted) as plain:
        assert_equal(recorded, simulate(plain))


@pytest.mark.parametrize("mapping", ["blocks", "row-major", "hilbert"])
@pytest.mark.parametrize("pattern", ["random", "all-to-all", "multigrid"])
def test_a_long_run_with_a_network_is_its_steps(pattern, mapping):
    """Hundreds of jobs, whose packets outgrow their room, and of which some send nothing; then in Python."""
    options = {"mapping": mapping}
    wanted = with_network("gabl", pattern, jobs=300, options=options, messages=40.0, routing_delay=1)
    recorded = simulate(wanted)
    assert_equal(by_steps(wanted), recorded)
    assert_same_figures(simulate_figures(wanted), recorded)
    cls = patterns()[pattern]
    with patch.dict(patterns(), {pattern: type(cls.__name__, (cls,), {})}):
        assert_equal(simulate(wanted), recorded)


def test_there_is_room_for_the_boxes_of_every_job_beside_a_pattern_in_python():
    """Each takes the whole machine, processor by processor."""
    of = with_network("random", "n-body", jobs=5, messages=2.0, quota="fixed")
    jobs = [{"arrival": 0, "size": [8, 8]} for _ in range(5)]
    of = scenario_from(of.model_dump() | {"workload": {"kind": "list", "jobs": jobs}})
    recorded = simulate(of)
    with patch.dict(patterns(), {"n-body": type("Mine", (patterns()["n-body"],), {})}):
        run = Simulation(of, record=False)
        assert not run._traffic.compiled
        assert_same_figures(run.run(), recorded)
    assert len(recorded.boxes) == 5 * 64


LASTING = [
    case for case in CASES if strategy(case.name).fails_until_release and "bound" not in dict(case.options)
]


@pytest.mark.parametrize("case", LASTING, ids=str)
@cases(25)
@given(data=st.data())
def test_a_size_that_failed_fails_until_a_release(case, data):
    """Where a strategy says so, it holds whatever is placed meanwhile."""
    story = data.draw(stories(case))
    working, failed, present = case.make(story.mesh), set(), []
    for job, act in enumerate(story.acts):
        if not hasattr(act, "size"):
            if present:
                working.release(present.pop(act.which % len(present)))
                failed.clear()
            continue
        placed = working.trace(Request(job, act.size)).outcome is not None
        assert not (placed and act.size in failed)
        if placed:
            present.append(job)
            for size in sorted(failed):
                assert working.allocate(Request(1000, size)) is None
        else:
            failed.add(act.size)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "scheduler", [s for s in SCHEDULERS if s["name"] in {"fcfs", "ooo", "sjf", *PLANNERS}], ids=str
)
@pytest.mark.parametrize(("name", "options"), [("ff", {}), ("tbl", {}), ("ta", {"eafr": True})])
def test_a_crowded_machine_is_served_alike(name, options, scheduler):
    """Full for most of the time, so that heads are delayed, boxes reserved and jobs tried without success."""
    sizes = [(1 + n % 3, 1 + n * 5 % 4) for n in range(60 if COMPILED else 40)]
    jobs = [(n / 3, size, 1.0 + n * 7 % 5) for n, size in enumerate(sizes)]
    if scheduler["name"] in PLANNERS and options:
        return  # it plans, and so must not the strategy
    wanted = listed((4, 4), jobs, name, scheduler, options)
    recorded = simulate(wanted)
    assert told_of(recorded) == NaiveRun(wanted).run()
    assert (recorded.seconds > 0).all()
    with in_python(wanted) as plain:
        assert_equal(recorded, simulate(plain))


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
def test_a_long_run_of_stochastic_jobs_is_equal(scheduler):
    """Hundreds of jobs, with room for their boxes and attempts made on the way; fewer in plain Python."""
    many = 400 if COMPILED else 150
    jobs = 60 if scheduler["name"] == "conservative" else many  # its twin tries every start of every plan
    wanted = scenario((4, 4, 4), "gabl", jobs=jobs, load=6.0, scheduler=scheduler)
    recorded = simulate(wanted)
    assert told_of(recorded) == NaiveRun(wanted).run()
    assert_same_figures(simulate_figures(wanted), recorded)
    with in_python(wanted) as plain:
        assert_equal(recorded, simulate(plain))


def test_a_figures_run_can_be_stopped():
    """Who follows it hears how many jobs have ended, and stops it; nothing is heard after that."""
    seen = []
    work = Work(lambda progress: progress.done and (seen.append(progress) or work.stop()))
    with pytest.raises(Stopped):
        Simulation(scenario(jobs=5000), record=False).run(work)
    assert len(seen) == 1
    assert 0 < seen[0].done < seen[0].of == 5000
    assert work.progress == seen[0]


def test_a_rejected_job_has_ended_once():
    """Progress reports the number of jobs, whether they ran or not."""
    run = Simulation(listed((4, 3), [(0, (3, 4), 1), (0, (1, 1), 2), (1, (3, 4), 1)], "ff"))
    recording = run.run()
    assert run._loop.counters[Count.ENDED] == 3
    assert recording.ended.tolist() == [1, 6, 5]
    assert run._loop.counters[Count.RUNNING] == 0


@kernel
def misplaced(state: BusyListState, request: KernelRequest, boxes_out, log):
    """Always the lowest corner; but outside the mesh for jobs of width 2, and too little for those of 3."""
    boxes_out[0, 0], boxes_out[0, 1], boxes_out[0, 2] = 0, 0, 0
    boxes_out[0, 3], boxes_out[0, 4], boxes_out[0, 5] = request.w, request.d, request.h
    if request.w == 2:
        boxes_out[0, 0] = state.turning.extents[0]
    if request.w == 3:
        boxes_out[0, 3] = 1
    return 1


class Misplacing(BusyList):
    """Gives boxes that it must not give."""

    kernels = BusyList.kernels._replace(search=misplaced)


@pytest.mark.parametrize(
    ("sizes", "fault"),
    [
        ([(1, 1), (1, 1)], "gave job 1 the box (0, 0, 0, 1, 1, 1), part of which is held already"),
        ([(2, 1)], "gave job 0 the box (8, 0, 0, 2, 1, 1), which is not inside the mesh"),
        ([(3, 1)], "gave job 0 fewer processors than it asked for"),
    ],
)
def test_unsound_answers_end_the_run(sizes, fault, monkeypatch):
    """The loop stops there, and says what is wrong."""
    monkeypatch.setattr("meshgui.engine.runs.simulation.strategy", lambda _: Misplacing)
    jobs = [(0.0, size, 5.0) for size in sizes]
    with pytest.raises(StrategyError, match=re.escape(f"bl {fault}")):
        simulate_figures(listed((8, 8), jobs, "bl"))


@kernel
def hasty(state: TreeState, boxes_out):
    """Calls a job due as soon as it has a reservation."""
    if state.lengths[QUEUED] == 0:
        return 0
    boxes_out[0, 0] = state.nodes[state.queue[0], PROMISED]
    return 1


def test_a_job_called_due_too_soon_ends_the_run(monkeypatch):
    """What it has reserved is held by another then."""

    class Hasty(TreeAllocation):
        kernels = TreeAllocation.kernels._replace(due=hasty)

    monkeypatch.setattr("meshgui.engine.runs.simulation.strategy", lambda _: Hasty)
    jobs = [(0.0, (2, 1), 5.0), (1.0, (2, 1), 5.0), (2.0, (2, 1), 5.0)]
    of = listed((2, 1), jobs, "ta", options={"eafr": True})
    with pytest.raises(StrategyError, match="did not give job 1 what it had reserved for it"):
        simulate_figures(of)


COUNTED = """
import json, sys
from meshgui.engine.runs import event_loop, loop_jobs, loop_queue, loop_serving
from meshgui.engine.runs.simulation import simulate, simulate_figures
from tests.scenarios import scenario

LOOP = {module.__file__ for module in (event_loop, loop_jobs, loop_queue, loop_serving)}

def lines_a_job(run, name, jobs):
    of, lines = scenario((4, 4), "ff", jobs=jobs, load=6, scheduler={"name": name}), 0
    def count(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return count
    sys.settrace(lambda frame, event, argument: count if frame.f_code.co_filename in LOOP else None)
    run(of)
    sys.settrace(None)
    return lines / jobs

runs = (simulate, simulate_figures)
print(json.dumps({name: [[lines_a_job(run, name, jobs) for jobs in (200, 800)] for run in runs]
                  for name in sys.argv[1:]}))
"""


def test_a_job_costs_as_much_however_many_wait_where_the_head_alone_is_served():
    """Lines of the loop in plain Python, recorded and not: they grow as the depth of a heap does."""
    names = [name for name, cls in disciplines().items() if cls.serving == Serving.HEAD]
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *names],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name, counted in json.loads(done.stdout).items():
        for few, many in counted:
            assert many < 1.25 * few, name


def test_an_attempt_for_which_there_is_no_room_is_a_fault_and_writes_nothing():
    """No strategy that keeps its word comes to it: each attempt of one time holds or reserves a processor."""
    run = Simulation(scenario(jobs=5))
    run.peek()
    loop = run._loop
    assert loop.arrays.attempts.shape == (0, 3)
    assert event_loop.step(loop.arrays, loop.machine, loop.upcoming) == HowFar.FAULT
    assert loop.counters[Count.FAULT] == AnswerFault.ATTEMPTS
    assert loop.counters[Count.ATTEMPTED] == 0


def test_only_equal_sizes_have_one_number_and_sides_of_millions_are_not_taken_for_small_ones():
    """Not those whose sides add up to the same, nor one turned, nor millions in a row."""
    sizes = [(1, 3), (3, 1), (2, 2), (2, 2), (3, 4), (1, 2), (4, 1)]
    run = Simulation(listed((4, 3), [(0, size, 1) for size in sizes], "ff"))
    run.peek()
    loop = run._loop.arrays
    codes = loop.jobs["size"][:-1].tolist()
    assert [codes.index(code) for code in codes] == [0, 1, 2, 2, 4, 5, 6]
    assert loop.sizes["refused"][codes].tolist() == [size == (3, 4) for size in sizes]
    trace = {"kind": "swf", "jobs": [[0, 1, 14680063], [0, 1, 4194319], [0, 1, 15]]}
    data = {"meshgui": 1, "mesh": {"shape": [2, 2, 64]}, "allocator": {"name": "ff"}, "workload": trace}
    of = scenario_from(data)
    assert told_of(simulate(of)) == NaiveRun(of).run()
    assert summary(simulate_figures(of))["rejected"] == 2
