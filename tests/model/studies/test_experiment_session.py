"""An experiment as it is run, a batch of runs, and the gallery."""

from dataclasses import replace
from pathlib import Path

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.experiment.executors import InProcess
from meshgui.experiment.forecast import Forecast
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep, SweepProgress
from meshgui.model.studies.batch_session import BatchSession, Phase
from meshgui.model.studies.compute_target import ComputeTarget
from meshgui.model.studies.experiment_session import DraftForecast, ExperimentSession, StoredExperiment
from meshgui.model.studies.gallery_session import GallerySession
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


def test_results_after_the_end_are_not_taken(session, points, experiment):
    """A late report changes nothing; the results are there before anything is forecast."""
    session.start()
    session.reset()
    session.report(PROGRESS, points, ())
    assert session.results is None
    path = Path("runs.mgstore")
    session.open(StoredExperiment(path, experiment, points))
    assert (session.store, session.results_store) == (path, path)
    assert session.results.points == points


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


@pytest.fixture
def batch():
    """A batch that has just begun."""
    batch = BatchSession()
    batch.begin()
    return batch


def test_a_pause_is_said_before_the_progress_until_it_or_the_run_ends(batch):
    """The progress stays what it is; neither a fault alone nor a run that stops holds."""
    batch.text = "3 of 10 runs"
    batch.toggle_pause()
    assert (batch.paused, batch.words) == (True, "Paused. 3 of 10 runs")
    batch.toggle_pause()
    assert (batch.paused, batch.words) == (False, "3 of 10 runs")
    batch.toggle_pause()
    batch.rest("All points are done.")
    assert (batch.paused, batch.words) == (False, "All points are done.")
    batch.begin()
    batch.text = "3 of 10 runs"
    batch.say("The page is in page.md.")
    assert batch.words == "3 of 10 runs"
    batch.rest("")
    batch.say("The page is in page.md.")
    assert batch.words == "The page is in page.md."
    batch.begin()
    batch.get_stuck("the disk is full")
    assert (batch.phase, batch.fault, batch.busy) == (Phase.STUCK, "the disk is full", True)
    batch.retry()
    assert (batch.phase, batch.fault) == (Phase.RUNNING, "")
    batch.stop()
    batch.get_stuck("the disk is full")
    assert (batch.phase, batch.fault, batch.words) == (Phase.STOPPING, "", "Stopping.")
    batch.rest("Nothing runs.", "no process could be started")
    assert (batch.phase, batch.fault) == (Phase.IDLE, "no process could be started")


@pytest.mark.parametrize("store", [None, Path("runs.mgstore")])
def test_runs_in_memory_would_be_missed_and_those_in_a_file_would_not(store):
    """From the moment the batch begins."""
    batch = BatchSession()
    batch.use_store(store)
    batch.begin()
    assert batch.unsaved == (store is None)


@pytest.mark.parametrize("act", ["begin", "toggle_pause", "wait_for_store", "retry", "stop"])
def test_every_change_is_announced(batch, act):
    """What shows the batch hears of it once."""
    heard = []
    batch.changed.connect(lambda: heard.append(batch.phase))
    getattr(batch, act)()
    assert len(heard) == 1


NAME = "004-E1"


@pytest.fixture
def gallery():
    """A gallery of the whole catalogue."""
    return GallerySession(catalogue())


def after(gallery, counted):
    """The results of one entry after some of its runs."""
    return [gallery.results[NAME]._replace(counted=counted)]


def test_only_changed_entries_are_announced(gallery):
    """At first nothing has been run; what a run has made since a reading was ordered is newer."""
    heard = []
    assert "not run" in gallery.words
    assert not gallery.busy
    gallery.results_changed.connect(heard.extend)
    gallery.start((NAME,))
    gallery.report(ReproductionProgress(3, 10, 1, 60.0), after(gallery, 3))
    assert [results.entry.id for results in heard] == [NAME]
    assert gallery.results[NAME].counted == 3
    assert gallery.words == "3 of about 10 runs, 60 s left; 1 entry to go"
    assert gallery.share == 0.3
    gallery.start((NAME,))
    gallery.end("no process could be started")
    assert (gallery.running, gallery.fault) == ((), "no process could be started")
    assert gallery.words == gallery.summary
    gallery.take_reading(gallery.begin_reading(), after(gallery, 9))
    assert gallery.results[NAME].counted == 9
    gallery.forget_results()
    assert gallery.results[NAME].counted == 0
    number = gallery.begin_reading()
    gallery.start((NAME,))
    gallery.take_reading(number, after(gallery, 9))
    assert gallery.results[NAME].counted == 0
    assert gallery.phase is Phase.RUNNING
