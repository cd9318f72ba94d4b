"""What an experiment will take, its preview, and traces in it."""

from collections.abc import Callable

import pytest

from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.scenario import scenario_from
from meshgui.experiment import forecast as forecasts
from meshgui.experiment.fields import FieldError, axis_from
from meshgui.experiment.forecast import StoppedTrial, forecast, run_trial
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.experiment.preview import PASSES, check_previewed, previews
from meshgui.experiment.run_spec import run_once, run_spec_of
from meshgui.experiment.store import Store
from tests.experiments import SMALL, small_experiment
from tests.stores import runs_in

LONG = SMALL | {"workload": SMALL["workload"] | {"jobs": 20_000}}


def stopped_after(jobs: int) -> Callable[[], Work]:
    """What makes work that is stopped once that many jobs have ended."""

    def make() -> Work:
        work = Work(lambda progress: progress.done >= jobs and work.stop())
        return work

    return make


def test_a_trial_that_was_cut_says_how_far_it_was(monkeypatch):
    """A run takes as many times as long as there are times as many jobs; the forecast goes by that."""
    monkeypatch.setattr(forecasts, "Work", stopped_after(1))
    experiment = small_experiment("workload.load=0.5,1", data=LONG)
    with Store() as store:
        cut = run_trial(experiment, store, 60.0)
        assert cut is not None
        assert cut.run is not None
        assert cut.run > 2 * cut.after  # one job is far from the end of twenty thousand
        assert runs_in(store) == 0
        found = forecast(experiment, store, 2, cut)
        assert found.seconds == pytest.approx(found.likely * cut.run / 2)
        assert found.cut == cut


def test_a_trial_in_which_no_job_ended_says_nothing_of_the_time(monkeypatch):
    """But that it was longer than the trial."""
    monkeypatch.setattr(forecasts, "Work", stopped_after(0))
    experiment = small_experiment("workload.load=0.5,1", data=LONG)
    with Store() as store:
        cut = run_trial(experiment, store, 60.0)
        assert cut is not None
        assert cut.run is None or cut.run > cut.after
        assert forecast(experiment, store, 1, StoppedTrial(2.5)).seconds is None
    experiment = small_experiment("workload.load=0.5,1")
    with Store() as store:
        assert run_trial(experiment, store, 60.0) is None
        found = forecast(experiment, store, 1, StoppedTrial(2.5, 1e9))
        assert found.cut is None
        assert found.seconds is not None
        assert found.seconds < 1e6


def test_every_pass_has_all_points_and_the_last_has_the_runs_of_a_sweep():
    """Figure by figure; a hundred jobs, later up to a thousand, and nothing once it is unwanted."""
    experiment = small_experiment("allocator.name=ff,gabl", "workload.load=1,2", most=9, least=9)
    seen = list(previews(experiment))
    assert [preview.passed for preview in seen] == list(PASSES)
    assert [preview.last for preview in seen] == [False, False, True]
    for preview in seen:
        assert [result.point.index for result in preview.points] == [0, 1, 2, 3]
    for result in seen[-1].points:
        runs = [run_once(result.point.spec.text, experiment.seed + n).samples[0] for n in range(5)]
        assert list(result.sampled) == runs
    longer = SMALL | {"workload": {"kind": "stochastic", "jobs": 300, "load": 1.0}}
    seen = list(previews(small_experiment(data=longer)))
    jobs = [preview.points[0].sampled[0]["jobs"] for preview in seen]
    assert jobs == [100.0, 300.0, 300.0]
    assert [preview.points[0].runs for preview in seen] == [1, 1, 5]
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
