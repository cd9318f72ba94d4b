"""The state of a batch of runs, without a window."""

from pathlib import Path

import pytest

from meshgui.model.batch_session import BatchSession, Phase


@pytest.fixture
def session():
    """A batch that has just begun."""
    session = BatchSession()
    session.begin()
    return session


def test_a_pause_is_said_before_the_progress_until_it_or_the_run_ends(session):
    """The progress itself stays what it is."""
    session.text = "3 of 10 runs"
    session.toggle_pause()
    assert (session.paused, session.words) == (True, "Paused. 3 of 10 runs")
    session.toggle_pause()
    assert (session.paused, session.words) == (False, "3 of 10 runs")
    session.toggle_pause()
    session.rest("All points are done.")
    assert (session.paused, session.words) == (False, "All points are done.")
    session.text = "3 of 10 runs"
    session.say("The page is in page.md.")
    assert session.words == "3 of 10 runs"
    session.rest("")
    session.say("The page is in page.md.")
    assert session.words == "The page is in page.md."


def test_a_store_that_fails_holds_the_run_until_it_is_tried_again(session):
    """Neither a fault alone nor a store that fails while the run stops holds anything."""
    session.get_stuck("the disk is full")
    assert (session.phase, session.fault, session.busy) == (Phase.STUCK, "the disk is full", True)
    session.retry()
    assert (session.phase, session.fault) == (Phase.RUNNING, "")
    session.stop()
    session.get_stuck("the disk is full")
    assert (session.phase, session.fault, session.words) == (Phase.STOPPING, "", "Stopping.")
    session.rest("Nothing runs.", "no process could be started")
    assert (session.phase, session.fault) == (Phase.IDLE, "no process could be started")


@pytest.mark.parametrize("store", [None, Path("runs.mgstore")])
def test_runs_in_memory_would_be_missed_and_those_in_a_file_would_not(store):
    """From the moment the batch begins."""
    session = BatchSession()
    session.use_store(store)
    session.begin()
    assert session.unsaved == (store is None)


@pytest.mark.parametrize("act", ["begin", "toggle_pause", "wait_for_store", "retry", "stop"])
def test_every_change_is_announced(session, act):
    """Whoever shows the session hears of it once."""
    heard = []
    session.changed.connect(lambda: heard.append(session.phase))
    getattr(session, act)()
    assert len(heard) == 1
