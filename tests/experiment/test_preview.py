"""Quick results that get more precise pass by pass."""

import pytest

from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.fields import FieldError
from meshgui.experiment.preview import PASSES, check_previewed, previews
from meshgui.experiment.run_spec import run_once
from tests.experiments import SMALL, small_experiment


def test_every_pass_has_all_points_and_the_last_has_the_runs_of_a_sweep():
    """Its samples are those that the runs of the same seeds give, figure by figure."""
    experiment = small_experiment("allocator.name=ff,gabl", "workload.load=1,2", most=9, least=9)
    seen = list(previews(experiment))
    assert [preview.passed for preview in seen] == list(PASSES)
    assert [preview.last for preview in seen] == [False, False, True]
    for preview in seen:
        assert [result.point.index for result in preview.points] == [0, 1, 2, 3]
    for result in seen[-1].points:
        runs = [run_once(result.point.spec.text, experiment.seed + n).samples[0] for n in range(5)]
        assert list(result.sampled) == runs


def test_the_first_pass_runs_fewer_jobs_of_a_longer_workload():
    """A hundred jobs, later up to a thousand; nothing more comes once it is stopped."""
    longer = SMALL | {"workload": {"kind": "stochastic", "jobs": 300, "load": 1.0}}
    seen = list(previews(small_experiment(data=longer)))
    jobs = [preview.points[0].sampled[0]["jobs"] for preview in seen]
    assert jobs == [100.0, 300.0, 300.0]
    assert [preview.points[0].runs for preview in seen] == [1, 1, 5]


def test_an_outdated_preview_ends_at_once():
    """Nothing more comes once it is stopped, not even the pass under way."""
    work = Work()
    work.stop()
    with work.under_way(), pytest.raises(Stopped):
        next(previews(small_experiment("workload.load=1,2")))


@pytest.mark.parametrize(
    ("experiment", "fault"),
    [
        (small_experiment("workload.load=" + ",".join(map(str, range(1, 202)))), "at most 200 points"),
        (small_experiment("mesh.shape=4x4,32x32"), "at most 512 processors"),
    ],
)
def test_what_cannot_follow_a_slider_says_why(experiment, fault):
    """One sentence with the bound."""
    with pytest.raises(FieldError, match=fault):
        check_previewed(experiment)
