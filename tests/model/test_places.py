"""Places that are typed or have names."""

import pytest

from meshgui.engine.runs.simulation import simulate
from meshgui.model.bookmarks import Bookmark, Bookmarks, instant_data, instant_from, settled
from meshgui.model.instant import Instant, InstantPhase
from meshgui.model.place_words import read_place
from tests.runs import run_of
from tests.scenarios import listed

RUN = simulate(listed((4, 4), [(0.0, (4, 2), 5.0), (1.0, (2, 2), 9.0), (2.0, (3, 3), 1.0)]))


@pytest.mark.parametrize(
    ("typed", "time", "job"),
    [
        ("1.5", 1.5, None),
        ("t 1,5", 1.5, None),
        ("job 2", 10.0, 2),
        ("J#1 arrives", 1.0, 1),
        ("job 0 finishes", 5.0, 0),
        ("event 0", 0.0, None),
        ("event 3", 1.0, None),
    ],
)
def test_a_place_is_typed_as_one_says_it(typed, time, job):
    """A time, a job and what happens to it, or the number of an event; with a network a cycle."""
    place = read_place(typed, RUN)
    assert (place.instant.time, place.job, place.fault) == (time, job, "")
    assert read_place("cycle 7", run_of("one-packet-6x4")).instant.time == 7.0


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("nowhere", "expected a time, a job, a cycle or an event"),
        ("job 3", "the jobs of this run are numbered 0 to 2"),
        ("99", "the run ends at 11.00"),
        ("cycle 3", "this scenario has no network, and so no cycles"),
        ("event 99", "this run has 9 events"),
        ("3 arrives", "only a job arrives, starts and finishes"),
    ],
)
def test_what_cannot_be_reached_is_said(typed, fault):
    """With what this run has."""
    place = read_place(typed, RUN)
    assert place.instant is None
    assert place.fault.startswith(fault)


def test_a_place_survives_being_written_and_read():
    """To the step of an attempt or release; bookmarks are named by their time where no name is given."""
    buddies = simulate(listed((4, 4), [(0.0, (4, 2), 5.0), (1.0, (2, 2), 9.0)], name="mbs"))
    places = [
        Instant(0),
        Instant.after_events(RUN, 4),
        Instant.in_attempt(RUN, 1, 2),
        Instant.at_time(RUN, 1.5),
    ]
    places = [(RUN, place) for place in places]
    for run, place in [*places, (buddies, Instant.in_release(buddies, buddies.next_release(0), 1))]:
        assert settled(instant_from(instant_data(place)), run) == place
    for odd in (None, {}, {"time": "soon"}, {"time": float("nan")}, {"time": -1}, {"time": 10**400}):
        assert instant_from(odd) is None
    other = simulate(listed((4, 4), [(0.5, (4, 2), 5.0), (1.0, (2, 2), 9.0)]))
    assert settled(Instant.after_events(RUN, 2), other) == Instant.at_time(other, 0.0)
    assert settled(Instant(7, InstantPhase.ATTEMPT, 5, 1, 2.0), other) == Instant.at_time(other, 2.0)
    assert settled(Instant(0, InstantPhase.BETWEEN, time=99.0), other).time == other.end_time
    bookmarks = Bookmarks()
    late = bookmarks.add(Instant.at_time(RUN, 3.0), "late")
    early = bookmarks.add(Instant.in_attempt(RUN, 1, 2))
    assert early.name == "t 1.00, step 3"
    assert bookmarks.all == (early, late)
    assert bookmarks.next_after(early.instant) == late
    assert bookmarks.next_after(late.instant) == early
    bookmarks.rename(early, "early")
    bookmarks.remove(late)
    assert [b.name for b in bookmarks.all] == ["early"]
    assert Bookmark.from_data(bookmarks.all[0].as_data()) == bookmarks.all[0]
