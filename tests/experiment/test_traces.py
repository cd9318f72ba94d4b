"""Experiments on a trace: their works and their plans need its file no more."""

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.experiment.run_spec import run_spec_of

ROWS = [[10 * k, 5 + k % 3, 1 + k % 4] for k in range(12)]


def scenario(**workload):
    """A scenario with twelve jobs of a trace, or a part of them."""
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [4, 4]},
            "allocator": {"name": "ff"},
            "workload": {"kind": "swf", **workload},
        }
    )


@pytest.fixture
def trace(tmp_path):
    """The jobs as a file."""
    path = tmp_path / "small.swf"
    lines = (" ".join(map(str, [k + 1, at, -1, run, n, *[-1] * 13])) for k, (at, run, n) in enumerate(ROWS))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_same_jobs_are_the_same_work_however_they_are_given(trace):
    """From the file, from rows, from a slice of either."""
    by_file = run_spec_of(scenario(path=str(trace), first_job=2, max_jobs=5))
    assert by_file == run_spec_of(scenario(jobs=ROWS, first_job=2, max_jobs=5))
    assert by_file == run_spec_of(scenario(jobs=ROWS[2:7]))
    assert by_file != run_spec_of(scenario(jobs=ROWS[2:8]))


@pytest.mark.parametrize(
    "axis", ["workload.max_jobs=3,6", "workload.first_job=0,4", "workload.gap_scale=0.5,1"]
)
def test_a_plan_read_back_without_the_file_has_the_same_points(trace, axis):
    """Also where the part of the trace that is taken is what is varied."""
    first = experiment_of(
        scenario(path=str(trace), first_job=1, max_jobs=8), (axis_from(axis),), Target(least=1, most=1)
    )
    data = first.as_data()
    keys = [point.spec.key for point in first.points]
    trace.unlink()
    again = Experiment.from_data(data)
    assert [point.spec.key for point in again.points] == keys
    assert again.id == first.id
