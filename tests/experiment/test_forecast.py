"""What an experiment will take, where not one run could be tried to its end."""

from collections.abc import Callable

import pytest

from meshgui.engine.basics.work import Work
from meshgui.experiment import forecast as forecasts
from meshgui.experiment.forecast import StoppedTrial, forecast, run_trial
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
