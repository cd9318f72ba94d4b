"""Drawing, ending and moving a job at a moment leaves all as it was that happened until then."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.job_edits import JobEdit, draw_job, end_job, move_job
from tests.scenarios import SCHEDULERS, crowded, scenario


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
    if before.scenario.scheduler.name in {"fcfs", "ooo", "easy"}:
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
    if name == "ta" and queue["name"] == "easy":
        queue = SCHEDULERS[0]
    load = 0.05 if network else 8.0
    plain = scenario((8, 8), name, 30, load, seed, queue).model_dump(mode="json")
    if network and queue["name"] == "easy":
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
