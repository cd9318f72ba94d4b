"""The state of the window of published results, without a window."""

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.model.batch_session import Phase
from meshgui.model.gallery_session import GallerySession

NAME = "004-E1"


@pytest.fixture
def session():
    """A session of the whole catalogue."""
    return GallerySession(catalogue())


def after(session, counted):
    """The results of one entry after some of its runs."""
    return [session.results[NAME]._replace(counted=counted)]


def test_only_changed_entries_are_announced(session):
    """At first nothing has been run, and all numbers are counted; at the end no entry is running."""
    heard = []
    assert "not run" in session.words
    assert not session.busy
    session.results_changed.connect(heard.extend)
    session.start((NAME,))
    session.report(ReproductionProgress(3, 10, 1, 60.0), after(session, 3))
    assert [results.entry.id for results in heard] == [NAME]
    assert session.results[NAME].counted == 3
    assert session.words == "3 of about 10 runs, 60 s left; 1 entry to go"
    assert session.share == 0.3
    session.start((NAME,))
    session.end("no process could be started")
    assert (session.running, session.fault) == ((), "no process could be started")
    assert session.words == session.summary


def test_a_reading_counts_until_a_run_begins_or_its_store_cannot_be_read(session):
    """What a run has made since a reading was ordered is newer; results of another store are forgotten."""
    session.take_reading(session.begin_reading(), after(session, 9))
    assert session.results[NAME].counted == 9
    session.forget_results()
    assert session.results[NAME].counted == 0
    number = session.begin_reading()
    session.start((NAME,))
    session.take_reading(number, after(session, 9))
    assert session.results[NAME].counted == 0
    assert session.phase is Phase.RUNNING
