"""The state of the experiment window, without a window."""

from dataclasses import replace
from pathlib import Path

import pytest

from meshgui.experiment.executors import InProcess
from meshgui.experiment.forecast import Forecast
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep, SweepProgress
from meshgui.model.batch_session import Phase
from meshgui.model.compute_target import ComputeTarget
from meshgui.model.experiment_session import DraftForecast, ExperimentSession, StoredExperiment
from tests.experiments import small_experiment

TO_DO = Forecast(2, 0, 6, 24, 6, 40.0)
PROGRESS = SweepProgress(done=3, needed=6, open_points=1, failed_points=0, completed=3, seconds_left=20.0)


@pytest.fixture(scope="module")
def experiment():
    """Two points."""
    return small_experiment("workload.load=1,2")


@pytest.fixture(scope="module")
def points(experiment):
    """Both points with their runs."""
    with Store() as store:
        Sweep(experiment, store, InProcess()).run()
        return results_of(experiment, store)


@pytest.fixture
def session(experiment):
    """A session that knows what its draft takes."""
    session = ExperimentSession()
    session.await_forecast(1, ComputeTarget(2))
    session.take_forecast(DraftForecast(1, experiment, TO_DO, ()))
    return session


def test_a_forecast_says_what_the_draft_takes_and_makes_it_ready(session, experiment):
    """With the place and runs of other code; nothing can be started until a newer one is there."""
    assert session.words == "2 points, 6 runs at least; about 40 s on 2 cores"
    assert session.ready
    assert session.results is None
    session.take_forecast(DraftForecast(1, experiment, TO_DO, (), other_code=True))
    assert session.words.endswith("on 2 cores; runs of other code in the store are not used")
    session.reject_draft()
    assert (session.words, session.ready) == ("", False)
    session.edit()
    session.await_forecast(2, ComputeTarget())
    assert not session.take_forecast(DraftForecast(1, experiment, TO_DO, ()))
    assert not session.ready
    assert session.start() is None


def test_a_run_reports_its_progress_and_results_and_a_cancelled_run_keeps_its_results(
    session, experiment, points
):
    """The share is not known before the first run; then it only grows, and it says that it stops."""
    assert session.start() is experiment
    assert (session.phase, session.share, session.words) == (Phase.RUNNING, None, "Starting the first runs.")
    session.report(PROGRESS, points, ())
    assert session.share == PROGRESS.share
    assert session.results.points == points
    session.report(PROGRESS._replace(done=2), points, ())
    assert session.share == PROGRESS.share
    session.start()
    session.stop()
    session.report(PROGRESS, points, ())
    assert session.words.startswith("Stopping. 3 of about 6 runs")
    session.end(whole=False)
    assert session.results.points == points
    assert not session.ready


def test_failed_points_are_named_and_a_run_that_fails_can_be_started_again(session, points):
    """With their values and faults; the fault of all is said beside what became of the runs."""
    session.start()
    session.report(PROGRESS, [replace(points[0], fault="seed 7: it was lost"), points[1]], ())
    assert session.failures == ["1: seed 7: it was lost"]
    session.fail("no process could be started")
    assert session.words == "The experiment stopped; every run made is kept."
    assert (session.fault, session.ready) == ("no process could be started", True)


def test_results_after_the_end_are_not_taken(session, points):
    """A report that was on its way when the window was closed changes nothing."""
    session.start()
    session.reset()
    session.report(PROGRESS, points, ())
    assert session.results is None


def test_runs_of_memory_are_moved_to_the_file_that_is_chosen(session, experiment, points):
    """They count as saved once they are there, and as unsaved again where the file is lost during a run."""
    session.start()
    session.report(PROGRESS, points, ())
    session.end(whole=True)
    assert session.keep_in(Path("runs.mgstore")) is experiment
    assert (session.moving, session.unsaved) == (True, True)
    session.end_move(whole=True)
    assert (session.moving, session.unsaved) == (False, False)
    session.use_store(Path("runs.mgstore"))
    session.take_forecast(DraftForecast(1, experiment, TO_DO, ()))
    session.start()
    assert not session.unsaved
    session.lose_store()
    assert (session.store, session.unsaved, session.busy) == (None, True, False)


def test_an_opened_experiment_has_its_results_at_once(session, experiment, points):
    """Before anything is forecast."""
    path = Path("runs.mgstore")
    session.open(StoredExperiment(path, experiment, points))
    assert (session.store, session.results_store) == (path, path)
    assert session.results.points == points
