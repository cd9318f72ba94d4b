"""The trace of the NASA Ames iPSC/860 (1993), as the Parallel Workloads Archive has cleaned it.

The totals were added up with awk; the trace itself does not belong to the project, so that these tests are
skipped where it does not lie beside it.
"""

import heapq

import numpy as np
import pytest

from meshgui.cli.trace_summary import trace_summary
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.workload.swf import read_trace
from tests.scenarios import scenario_of
from tests.traces import real_trace

JOBS = 18_239
PROCESSOR_SECONDS = 474_238_015


@pytest.fixture(scope="module")
def path():
    """Where the trace lies."""
    return real_trace()


def of_the_trace(path, name, **workload):
    """A scenario of the trace on a mesh as large as its machine."""
    return scenario_of((16, 8), {"kind": "swf", "path": str(path), **workload}, name)


def test_the_trace_has_the_jobs_its_archive_says(path):
    """18 239 usable ones of powers of two processors, and so are the boxes of 128 = 16 × 8."""
    trace = read_trace(path)
    assert len(trace) == trace.jobs == JOBS
    assert trace.left_out == {}
    assert trace.title == "Intel iPSC/860, NASA Ames Research Center"
    assert trace.directives("MaxProcs") == ("128",)
    assert trace.directives("Queue") == ("0 interactive", "1 batch")
    assert trace.processors.max() == 128
    assert trace.run_time.sum() == 13_950_781
    assert (trace.run_time * trace.processors).sum() == PROCESSOR_SECONDS
    assert trace.submit[0] == 0
    assert trace.submit[-1] == 7_948_936
    scenario = of_the_trace(path, "gabl")
    account = trace_summary(scenario.workload, scenario.machine)
    assert (account.jobs, account.rounded_up, account.larger_than_mesh) == (JOBS, 0, 0)


def first_come_first_served(submit, run_time, processors, machine):
    """When each job starts on a machine on which processors are all that counts."""
    free, now, running, starts = machine, 0.0, [], []
    for at, seconds, wanted in zip(submit, run_time, processors, strict=True):
        now = max(now, at)
        while running and (running[0][0] <= now or free < wanted):
            end, held = heapq.heappop(running)
            now, free = max(now, end), free + held
        starts.append(now)
        free -= wanted
        heapq.heappush(running, (now + seconds, wanted))
    return starts


@pytest.mark.parametrize(("gap_scale", "most_waiting"), [(1.0, 0.001), (0.5, 1.0)])
def test_where_any_free_processors_will_do_jobs_start_when_counting_says(path, gap_scale, most_waiting):
    """Job for job. At the trace's own load hardly one waits: its times of submission are those of starts."""
    recording = simulate(of_the_trace(path, "random", gap_scale=gap_scale))
    trace, jobs = read_trace(path), JobFigures(recording)
    columns = (trace.submit * gap_scale, trace.run_time, trace.processors)
    starts = first_come_first_served(*(column.tolist() for column in columns), machine=128)
    assert jobs.start.tolist() == starts
    assert (jobs.processors * jobs.service).sum() == PROCESSOR_SECONDS
    assert np.count_nonzero(jobs.waiting) <= most_waiting * JOBS
