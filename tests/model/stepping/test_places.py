"""Places, what is selected, the window of time, and breakpoints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import languages
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.moment.position import Position
from meshgui.model.stepping.bookmarks import Bookmark, Bookmarks, instant_data, instant_from, settled
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Breakpoints
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.place_words import found_places, read_place
from meshgui.model.stepping.player import Granularity, Player
from meshgui.model.stepping.selection import Selection, SelectionChange
from meshgui.views.timeline.time_window import TimeWindow
from tests.processes import python
from tests.runs import cursor_in, report_at_every_event, run_of
from tests.scenarios import listed

READS_ITS_EXAMPLES = """
import sys
from meshgui.model.stepping.place_words import PLACE_HINT, read_place
from tests.runs import run_of

run = run_of("blocking-chain-8x6")
examples = PLACE_HINT.replace("17", "1").replace("300", "3").replace("40", "4")
for typed in [*examples.split(", "), *sys.argv[1:]]:
    print(typed, "→", read_place(typed, run).fault)
"""
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


@pytest.mark.parametrize("language", languages())
def test_a_place_is_typed_in_the_words_of_each_language(language):
    """Those that the program gives as examples; in Arabic with its article, digits and decimal sign too."""
    more = ("المهمة 1", "دورة 3", "الزمن ١٢٫٥") if language == "ar" else ()
    done = python("-c", READS_ITS_EXAMPLES, *more, MESHGUI_LANGUAGE=language)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 5 + len(more)
    assert [line for line in lines if not line.endswith("→ ")] == []


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        (
            "1",
            ["Job 1 arrives, at 1.00", "Job 1 starts, at 1.00", "Job 1 finishes, at 10.00", "Go to time 1"],
        ),
        ("#2 starts", ["Job 2 starts, at 10.00"]),
        ("go to .5", ["Go to time 0.5"]),
        ("t=3", ["Go to time 3"]),
        ("4", ["Go to time 4"]),
        ("job 3", []),
        ("99", []),
        ("3 arrives", []),
        ("event 3", []),
        ("nowhere", []),
    ],
)
def test_a_number_may_mean_several_places(typed, titles):
    """Those that the run has: what happens to a job, and a time."""
    assert [place.title for place in found_places(typed, RUN)] == titles


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


def test_a_run_in_progress_is_said_to_have_come_so_far_not_to_end(monkeypatch):
    """It may well reach the time that was typed."""
    report_at_every_event(monkeypatch)
    partial, so_far = Simulation(listed((4, 4), [(0.0, (4, 4), 5.0), (1.0, (4, 4), 9.0)])), []
    partial.run(Work(lambda _: so_far.append(partial.recording())))
    short = next(run for run in so_far if len(run) and not run.over)
    assert read_place("99", short).fault == f"the run has come to {short.end_time:.2f}"


@pytest.mark.parametrize("name", ["ff", "mbs"])
def test_a_place_is_reached_once_the_run_that_is_made_again_has_all_of_it(monkeypatch, name):
    """Then it is found there to the step; before, the run in progress may have its time and not its step."""
    report_at_every_event(monkeypatch)
    again, so_far = Simulation(listed((4, 4), [(0.0, (4, 3), 5.0), (0.0, (3, 3), 9.0)], name=name)), []
    again.run(Work(lambda _: so_far.append(again.recording())))
    whole = again.recording()
    cursor, places = cursor_in(whole), []
    while cursor.instant not in places:
        places.append(cursor.instant)
        cursor.next_step()
    phases = {InstantPhase.EVENT, InstantPhase.ATTEMPT} | ({InstantPhase.RELEASE} if name == "mbs" else set())
    assert {place.phase for place in places} == phases
    for part in [*so_far, whole]:
        reached = [place for place in places if place.is_reached(part)]
        assert [settled(place, part) for place in reached] == reached
    assert reached == places
    assert any(settled(place, part) != place for part in so_far for place in places)


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


MARK = Mark(Role.TRIED, Box(0, 0, 0, 1, 1, 1), ())


@pytest.fixture
def heard():
    """A selection, and the changes it tells of."""
    selection, changes = Selection(), []
    selection.changed.connect(changes.append)
    return selection, changes


@pytest.mark.parametrize(
    ("act", "change"),
    [
        (lambda chosen: chosen.select(3), SelectionChange.JOB),
        (lambda chosen: chosen.select_packet(7, 3), SelectionChange.PACKET | SelectionChange.JOB),
        (lambda chosen: chosen.select_channel(12), SelectionChange.CHANNEL),
        (lambda chosen: chosen.select_span((2, 9)), SelectionChange.SPAN),
        (lambda chosen: chosen.point_out(MARK), SelectionChange.MARK),
        (lambda chosen: chosen.hover(3), SelectionChange.HOVER),
        (lambda chosen: chosen.hover(None, None, 12), SelectionChange.HOVER),
    ],
)
def test_a_change_says_what_it_is_about(heard, act, change):
    """Each act names what has changed, and repeated it changes nothing."""
    selection, changes = heard
    act(selection)
    act(selection)
    assert changes == [change]


def test_a_change_names_all_that_has_changed_at_once_and_the_innermost_is_deselected_first(heard):
    """A job replaces packet and channel; channel, packet, job and span go one after the other."""
    selection, changes = heard
    selection.select_packet(7, 3)
    selection.select_packet(8, 3)
    assert changes[1:] == [SelectionChange.PACKET]
    selection.select_channel(12)
    selection.select(4)
    assert changes[-1] == SelectionChange.JOB | SelectionChange.PACKET | SelectionChange.CHANNEL
    assert (selection.job, selection.packet, selection.channel) == (4, None, None)
    selection.clear()
    assert changes[-1] == SelectionChange.ALL
    assert (selection.job, selection.packet) == (None, None)
    selection, _ = heard
    selection.select_span((2, 9))
    selection.select_packet(7, 3)
    selection.select_channel(12)
    seen = []
    while selection.deselect_innermost():
        seen.append((selection.channel, selection.packet, selection.job, selection.span))
    assert seen == [(None, 7, 3, (2, 9)), (None, None, 3, (2, 9)), (None, None, None, (2, 9)), (None,) * 4]


def test_the_chain_that_is_read_stays_while_packets_of_it_are_selected():
    """One from outside begins its own, and so does one selected twice; stepping there and back keeps it."""
    cursor, selection = Cursor(), Selection()
    cursor.show(run_of("blocking-chain-8x6"))

    def read(cycle):
        cursor.go_to_time(cycle)
        selection.chain_of = cursor.view.chain_of
        return list(selection.chain_read(selection.chain_of))

    assert read(30.0) == []
    selection.select_packet(0, 0)
    selection.select_packet(3, 3)
    assert (selection.packet, read(30.0)) == (3, [0, 1, 2, 3, 4])
    assert [read(cycle) for cycle in (20.0, 30.0)] == [[3, 4], [0, 1, 2, 3, 4]]
    selection.select_packet(3, 3)
    assert read(30.0) == [3, 4]
    selection.select_packet(0, 0)
    assert read(30.0) == [0, 1, 2, 3, 4]
    # Where the selected one has left the chain, its own is read, and is the one that stays
    selection.select_packet(2, 2)
    assert read(20.0) == [2, 3, 4]
    selection.select_packet(4, 4)
    assert (read(20.0), read(30.0)) == ([2, 3, 4], [2, 3, 4])
    selection.select(4)
    assert read(30.0) == []


@pytest.fixture
def window():
    """A run of a hundred time units, all in sight."""
    window = TimeWindow()
    window.set_end(100.0)
    return window


def test_zoom_keeps_the_moment_in_its_place(window):
    """The moment zoomed about stands at the same share of the width."""
    window.zoom(30.0, 0.5)
    assert (window.low, window.high) == (15.0, 65.0)
    window.zoom(30.0, 0.1)
    assert (30.0 - window.low) / window.span == pytest.approx(0.3)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0.01, 10), st.floats(-300, 300)), max_size=20))
def test_it_never_leaves_the_run(moves):
    """Whatever is zoomed and panned, what is in sight lies within the run."""
    window = TimeWindow()
    window.set_end(100.0)
    for about, factor, by in moves:
        window.zoom(about, factor)
        window.pan(by)
        assert 0 <= window.low < window.high <= 100.0 + 1e-9


def test_a_growing_run_stays_in_sight_unless_zoomed_and_a_moment_out_of_sight_is_revealed(window):
    """What one zoomed to stays where it is; a moment in sight moves nothing."""
    window.set_end(200.0)
    assert window.fits_all
    window.zoom(50.0, 0.1)
    part = window.low, window.high
    window.set_end(300.0)
    assert (window.low, window.high) == part
    window.zoom(50.0, 0.1)
    assert not window.reveal(50.0)
    assert window.reveal(80.0)
    assert window.low < 80.0 < window.low + window.span / 2
    assert window.reveal(10.0)
    assert window.high - window.span / 2 < 10.0 < window.high


@pytest.mark.parametrize("end", [50.0, 1e4, 3e6, 4e9])
def test_with_a_least_span_the_zoom_ends_there(end):
    """Single cycles come in sight in runs of any length, and one zooms no further; a shorter run is whole."""
    window = TimeWindow()
    window.set_end(end, 20.0)
    for _ in range(200):
        window.zoom(end / 3, 0.8)
    assert window.span == pytest.approx(20.0)
    assert window.low < end / 3 < window.high
    window.set_end(12.0, 20.0)
    window.zoom(5.0, 0.5)
    assert window.fits_all


JOBS = [(0.0, (4, 2), 5.0), (1.0, (2, 2), 9.0), (2.0, (3, 3), 1.0), (3.0, (2, 1), 1.0)]


def run(*breakpoints: Breakpoint) -> tuple[Cursor, Player, list[str]]:
    """A small run with breakpoints, and what has stopped it so far."""
    cursor = Cursor()
    player = Player(cursor)
    stopped: list[str] = []
    cursor.breakpoints = lambda: breakpoints
    cursor.stopped.connect(lambda stop: stopped.append(stop.breakpoint.describe(cursor.recording)))
    cursor.show(simulate(listed((4, 4), JOBS, name="tbl")))
    return cursor, player, stopped


def test_playing_stops_at_a_breakpoint_and_goes_on_past_it():
    """Job 2 arrives at 2, in one change of the views; played again, the run ends without another stop."""
    cursor, player, stopped = run(Breakpoint(BreakKind.ARRIVAL, job=2))
    player.play()
    for _ in range(1000):
        player.advance(0.1)
        if not player.playing:
            break
    assert (cursor.time, stopped) == (2.0, ["Job 2 arrives"])
    assert cursor.recording.event(cursor.position.events - 1).kind == EventKind.ARRIVE
    player.play()
    player.advance(1e6)
    assert (cursor.time, stopped) == (cursor.recording.end_time, ["Job 2 arrives"])
    cursor.first()
    seen = []
    cursor.changed.connect(lambda _change: seen.append(cursor.time))
    player.leap_forward()
    assert seen == [2.0]


@pytest.mark.parametrize("granularity", [Granularity.LINE, Granularity.DECISION, Granularity.EVENT])
def test_steps_and_leaps_stop_too(granularity):
    """A leap of ten events ends at the first start of a job."""
    cursor, player, stopped = run(Breakpoint(BreakKind.START, job=1))
    player.step_by(granularity)
    for _ in range(40):
        player.leap_forward()
        if stopped:
            break
    assert stopped == ["Job 1 starts"]
    assert cursor.position == Position(int(cursor.recording.started[1]) + 1)


def test_a_failing_attempt_stops_at_its_last_step_and_playing_goes_on_by_events():
    """Inside an attempt one steps by line, but what played by events before the stop does so after it."""
    cursor, player, _ = run(Breakpoint(BreakKind.FAILURE))
    player.play()
    player.advance(1e6)
    attempt = cursor.position.attempt
    assert cursor.recording.attempts[attempt].job == 2
    assert cursor.position.step == len(cursor.recording.trace(attempt).steps) - 1
    assert (player.playing, player.granularity) == (False, Granularity.LINE)
    player.play()
    assert player.granularity == Granularity.EVENT


def test_one_goes_on_from_stop_to_stop_but_going_to_a_place_does_not_stop():
    """The timeline and the keys for start and end lead where they say; four jobs arrive one after another."""
    cursor, player, stopped = run(Breakpoint(BreakKind.ARRIVAL))
    cursor.last()
    cursor.go_to_time(2.5)
    cursor.first()
    assert stopped == []
    while player.run_to_stop():
        pass
    assert (cursor.time, stopped) == (3.0, ["A job arrives"] * 4)


def test_breakpoints_survive_being_written_and_read_and_every_kind_is_described():
    """What is not known is left out; in words that name the job, the value, the node or the line."""
    every = [
        Breakpoint(BreakKind.LINE, line="fail"),
        Breakpoint(BreakKind.WAIT, job=3, value=2.5, enabled=False),
        Breakpoint(BreakKind.NODE, node=(1, 2, 0)),
    ]
    assert [Breakpoint.from_data(b.as_data()) for b in every] == every
    assert every[0].as_data() == {"kind": "line", "line": "fail"}
    for odd in (None, {}, {"kind": "moon"}, [1]):
        assert Breakpoint.from_data(odd) is None
    assert Breakpoint.from_data({"kind": "start", "job": "x", "node": 3}) == Breakpoint(BreakKind.START)
    assert Breakpoint.from_data({"kind": "wait", "value": 10**400}) == Breakpoint(BreakKind.WAIT)
    recording = run_of("tbl-under-load")
    assert Breakpoint(BreakKind.LINE, line="fail").describe(recording) == "Line 7: no plane is left: fail"
    opens = recording.strategy.lines[
        0
    ]  # a line that others follow ends with a colon, which a sentence has not
    assert opens.text.endswith(":")
    assert Breakpoint(BreakKind.LINE, line=opens.label).describe(recording) == f"Line 1: {opens.text[:-1]}"
    assert (
        Breakpoint(BreakKind.LINE, line="x").describe(recording)
        == "Line “x”, which this strategy does not have"
    )
    assert Breakpoint(BreakKind.WAIT, job=3, value=2.5).describe() == "Job 3 waits longer than 2.5"
    assert all(Breakpoint(kind).describe(recording) for kind in BREAK_KINDS)


def test_a_line_is_toggled_and_a_list_has_no_doubles():
    """A second click on a line's number takes its breakpoint away."""
    breakpoints, changes = Breakpoints(), []
    breakpoints.changed.connect(lambda: changes.append(len(breakpoints.all)))
    breakpoints.toggle_line("fail")
    breakpoints.add(Breakpoint(BreakKind.FAILURE))
    breakpoints.add(Breakpoint(BreakKind.FAILURE))
    breakpoints.enable(Breakpoint(BreakKind.FAILURE), on=False)
    assert breakpoints.enabled == [Breakpoint(BreakKind.LINE, line="fail")]
    breakpoints.toggle_line("fail")
    assert changes == [1, 2, 2, 1]
