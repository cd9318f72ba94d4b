"""The ready scenarios about machines of today: what their notes state is what their runs come to."""

import re
from operator import attrgetter

import numpy as np
import pytest

from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.queue_heads import queue_heads
from meshgui.itself import resource
from meshgui.model.jobs.waiting import why_it_waits
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from tests.runs import run_of
from tests.scenarios import parse_scenario

MACHINES = ("tpu-v4-wired", "tpu-v4-switched")


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["tpu-v4-wired", "tpu-v4-switched", "tpu-v5e-pod", "bluegene-l-rack"])
def test_every_job_is_a_slice_of_the_machine(name):
    """None is rejected, all finish, in one block each."""
    scenario = run_of(name).scenario
    found = summary(run_of(name))
    assert (found["jobs"], found["rejected"]) == (len(scenario.workload.jobs), 0)
    assert found["contiguous_ratio"] == 1.0
    assert scenario.machine.rings[: scenario.machine.dims] == (True,) * scenario.machine.dims


@pytest.mark.kernel
def test_switches_leave_no_free_cubes_to_jobs_that_wait():
    """The same jobs on both machines; the waits that the notes state; what is idle for want of a box."""
    wired, switched = (run_of(name).scenario for name in MACHINES)
    assert wired.workload == switched.workload
    runs = [summary(run_of(name)) for name in MACHINES]
    for scenario, run in zip((wired, switched), runs, strict=True):
        [stated] = re.findall(r"waits ([\d.]+) hours on average", scenario.notes)
        assert f"{run['waiting']['mean']:.1f}" == stated
    idle = [run["external_fragmentation"] for run in runs]
    assert idle[0] > 0.15
    assert idle[1] < 0.002  # within a cube alone
    assert runs[0]["utilization"] < runs[1]["utilization"]
    assert len(set(map(attrgetter("machine"), (wired, switched)))) == 1


@pytest.mark.kernel
def test_the_manual_states_what_both_runs_come_to():
    """Its table of wires and switches, figure by figure; and its sweep has a scenario that works."""
    page = resource("manual", "machines-of-today.md").read_text(encoding="utf-8")
    runs = [summary(run_of(name)) for name in MACHINES]
    rows = {
        "mean waiting time": [f"{run['waiting']['mean']:.2f} h" for run in runs],
        "mean turnaround": [f"{run['turnaround']['mean']:.2f} h" for run in runs],
        "utilisation": [f"{run['utilization']:.1%}".replace("%", " %") for run in runs],
        "external fragmentation": [f"{run['external_fragmentation']:.1%}".replace("%", " %") for run in runs],
        "the last job ends": [f"{run['finish_time']:.1f} h" for run in runs],
    }
    for title, figures in rows.items():
        assert f"| {title} | {' | '.join(figures)} |" in page
    [text] = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    shown = parse_scenario(text)
    assert shown.allocator.name == "tpu-static"
    assert f"same {len(run_of('tpu-v4-wired').jobs)} jobs" in page


def test_what_keeps_a_slice_waiting_is_said_as_the_machine_has_it():
    """Without counting places between cubes or anchors; of switched cubes nothing is said of a box."""
    for name, said in zip(MACHINES, ("no 4×8×8 box is", "not as TPU pod"), strict=True):
        recording = run_of(name)
        free = recording.mesh.processors - recording.busy_steps()[1]
        heads = queue_heads(recording)
        reasons = [
            why_it_waits(View(recording, Position(n + 1), float(recording.times[n])), int(heads[n]))
            for n in np.flatnonzero((heads >= 0) & (recording.jobs.processors[heads] <= free)).tolist()
            if n + 1 < len(recording) and recording.times[n + 1] > recording.times[n]
        ]
        assert any(said in str(reason.text) for reason in reasons)
        assert not any(blocker.places for reason in reasons for blocker in reason.blockers)
