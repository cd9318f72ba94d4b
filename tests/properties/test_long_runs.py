"""Long runs, and edits of lists of jobs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Mesh, region
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.document.job_edits import JobEdit, draw_job, end_job, move_job
from tests.properties.stories import CASES, FIRST_CASES, mesh_for
from tests.scale import COMPILED
from tests.scenarios import PLANNERS, SCHEDULERS, crowded, scenario
from tests.twins import TWINS

FREE = -1
SHARE = 1 if COMPILED else 200
LONGEST = {"ff", "tff", "bl", "tbl"}
FLAT, DEEP = (8, 8), (4, 4, 4)  # meshes that every strategy of their dimensions works on


def runs():
    """Every strategy on every kind of mesh, with how many operations."""
    for case in FIRST_CASES:
        for mesh in [mesh_for(case.name)] if case.name == "torus3d" else map(Mesh, (FLAT, DEEP)):
            try:
                case.make(mesh)
            except ValueError:  # its options ask for another mesh: those are left to the other properties
                continue
            operations = (40_000 if case.name in LONGEST else 4_000) // SHARE
            yield pytest.param(case, mesh, operations, id=f"{case}-{mesh.dims}d-{operations}-operations")


@pytest.mark.kernel
def test_every_strategy_runs_long():
    """No strategy is left out for want of a mesh it works on."""
    assert {param.values[0].name for param in runs()} == {case.name for case in CASES}


@pytest.mark.kernel
@pytest.mark.parametrize(("case", "mesh", "operations"), list(runs()))
def test_long_run(case, mesh, operations):
    """Jobs come and go at random; every box is free when given, and only the job's own is freed."""
    asks = TWINS[case.name].asks
    working, empty = case.make(mesh), case.make(mesh).capture()
    rng = np.random.default_rng(20_090_101)
    held, present, boxes_of = mesh.occupancy(), [], {}
    promised = {}
    given = 0
    # Sides lean towards small ones, so that the machine is crowded and cut up.
    sides = np.minimum(*rng.integers(1, np.array(mesh.extents) + 1, (2, operations, 3))).tolist()
    if asks is not None:
        sides = [asks(dict(case.options), tuple(size)) for size in sides]
    leaves = (rng.random(operations) < 0.45).tolist()
    picks = rng.integers(0, 1 << 30, operations).tolist()

    def take(request, boxes):
        for box in boxes:
            part = region(held, box)
            assert part.size == box.volume
            assert part.max() == FREE
            part[...] = request.job
        assert sum(box.volume for box in boxes) == working.granted(request.size)
        present.append(request.job)
        boxes_of[request.job] = boxes

    def leave(which):
        job = present.pop(which % len(present))
        working.release(job)
        for box in boxes_of.pop(job):
            region(held, box)[...] = FREE
        for due in working.due():
            take(promised[due], working.allocate(promised.pop(due)))

    for number in range(operations):
        if leaves[number] and present:
            leave(picks[number])
            continue
        request = Request(number, tuple(sides[number]), float(number), 3.0)
        outcome = working.allocate(request)
        if isinstance(outcome, Reservation):
            promised[number] = request
        elif outcome is not None:
            take(request, outcome)
            given += 1
    assert given > operations // 10
    while present:
        leave(0)
    assert not promised
    left = working.capture()
    assert all(np.array_equal(left[key], empty[key]) for key in empty if key not in working.learns)


def check_past(before: Recording, edit: JobEdit, time: float) -> Recording:
    """The run with the edit has the same events, boxes and queue until the moment; returns it."""
    after = simulate(edit.scenario)
    position = before.position_at(time)
    assert edit.time > time
    assert after.position_at(time) == position
    for name in ("times", "kinds", "event_jobs"):
        assert (getattr(after, name)[:position] == getattr(before, name)[:position]).all(), name
    for job in before.event_jobs[:position][before.kinds[:position] == EventKind.START].tolist():
        assert after.boxes_of(job) == before.boxes_of(job)
    for place in {position, position // 2}:
        assert after.queue(place).tolist() == before.queue(place).tolist()
        assert (after.snapshot(place).boxes == before.snapshot(place).boxes).all()
    tries = before.attempts_at(position).start
    assert [after.attempts[a] for a in range(tries)] == [before.attempts[a] for a in range(tries)]
    return after


def edits_of(before: Recording, time: float) -> list[JobEdit]:
    """A job drawn, one that runs ended, and one that waits moved, as far as there are such."""
    position = before.position_at(time)
    edits = [draw_job(before, time, (1,) * before.mesh.dims)]
    if before.scenario.network is None:
        edits += [end_job(before, time, job) for job in before.snapshot(position).running.tolist()[-1:]]
    if before.scenario.scheduler.name in {"fcfs", "ooo", *PLANNERS}:
        edits += [move_job(before, time, job, 0) for job in before.queue(position).tolist()[-1:]]
    return edits


@given(of=crowded(), share=st.floats(0, 1))
def test_what_was_before_a_moment_stays(of: Scenario, share: float):
    """On any small scenario, with any discipline, also where many things happen at one time."""
    before = simulate(of)
    time = share * before.end_time
    for moment in (time, float(before.times[before.position_at(time) - 1])):
        for edit in edits_of(before, max(moment, 0.0)):
            check_past(before, edit, max(moment, 0.0))


NETWORK = {"pattern": "random", "messages": 6, "flits": 4}


@settings(max_examples=40)
@given(
    queue=st.sampled_from(SCHEDULERS),
    name=st.sampled_from(["tbl", "gabl", "random", "ta"]),
    share=st.floats(0, 1),
    network=st.booleans(),
    seed=st.integers(1, 5),
)
def test_drawn_jobs_become_a_list_that_runs_the_same(
    queue: dict[str, object], name: str, share: float, network: bool, seed: int
):
    """Stochastic jobs with and without a network, edited one after another at later and later moments."""
    if name == "ta" and queue["name"] in PLANNERS:
        queue = SCHEDULERS[0]
    load = 0.05 if network else 8.0
    plain = scenario((8, 8), name, 30, load, seed, queue).model_dump(mode="json")
    if network and queue["name"] in PLANNERS:
        plain["workload"]["service"] = {"kind": "constant", "value": 60.0}
    of = scenario_from(plain | {"network": NETWORK if network and name != "ta" else None})
    run = simulate(of)
    time = share * run.end_time
    for _ in range(2):
        for edit in edits_of(run, time):
            after = check_past(run, edit, time)
        run, time = after, edit.time
    assert len(run.jobs) >= 30
    assert np.isfinite(run.times).all()
