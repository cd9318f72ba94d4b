"""On a large mesh steps are searched for beside the window, which says so and can stop it."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.inspection import Panel
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.basics import work
from meshgui.engine.basics.kernel_counts import counts
from meshgui.engine.basics.work import Progress
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario.files import scenario_from
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.stepping import move_searches
from meshgui.model.stepping.bookmarks import instant_from
from meshgui.model.stepping.breakpoints import BreakKind, Breakpoint
from meshgui.model.timeline import run_curves
from meshgui.views.inspector.panel import Section
from meshgui.views.panels import why
from meshgui.views.stepping.step_search import SearchProgress
from meshgui.views.widgets.progress_strip import COMPILING
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.conftest import wait_for_run

SIDE = 130  # the least mesh on which searches may take long


def open_large(window: MainWindow, qtbot: QtBot, side: int = SIDE, first: int = 3) -> None:
    """Run three jobs on a large mesh, of which the first has a side of its own."""
    jobs = [{"arrival": n, "size": [3 if n else first] * 2, "service": 9} for n in range(3)]
    data = {
        "meshgui": 1,
        "mesh": {"shape": [side, side]},
        "allocator": {"name": "genalg"},
        "scheduler": {"name": "fcfs"},
        "workload": {"kind": "list", "jobs": jobs},
    }
    assert window.files.open_scenario(scenario_from(data))
    wait_for_run(window, qtbot)


def end_searches(window: MainWindow) -> None:
    """End every search, and handle what they have left."""
    window.search.end()
    WorkThread.end_all()
    handle_events()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> "Held":
    """Searches that wait until they are let go."""
    return Held(monkeypatch)


class Held:
    """Holds searches up, and keeps where they were made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.threads: list[threading.Thread] = []
        self.places: list[Position] = []
        self._made = move_searches.search_steps
        monkeypatch.setattr(move_searches, "search_steps", self._search)

    def _search(self, recording: Recording, place: Position) -> View:
        self.threads.append(threading.current_thread())
        self.places.append(place)
        while not self.gate.wait(0.01):
            work.look()  # as a kernel does: a window that is closed ends it
        return self._made(recording, place)


def test_a_search_on_a_large_mesh_is_made_in_another_thread(window, qtbot, held):
    """The cursor stays until the answer arrives, and then stands at the first step."""
    open_large(window, qtbot)
    window.time_cursor.enter_attempt(0)
    assert not window.time_cursor.position.inside
    held.gate.set()
    qtbot.waitUntil(lambda: window.time_cursor.position.inside)
    assert window.time_cursor.position == Position(1, 0)
    assert held.threads
    assert threading.main_thread() not in held.threads


def test_a_fault_of_a_search_ends_it_and_the_next_one_is_made(window, qtbot, monkeypatch):
    """It comes to those who watch for faults; the cursor stays, and nothing is held up."""

    def fail(recording: object, place: Position) -> View:
        raise ZeroDivisionError("a fault of the search")

    open_large(window, qtbot)
    with monkeypatch.context() as broken, qtbot.captureExceptions() as met:
        broken.setattr(move_searches, "search_steps", fail)
        window.time_cursor.enter_attempt(0)
        qtbot.waitUntil(lambda: bool(met) and not WorkThread.under_way())
    assert [kind for kind, *_ in met] == [ZeroDivisionError]
    assert not window.time_cursor.position.inside
    window.time_cursor.enter_attempt(0)
    qtbot.waitUntil(lambda: window.time_cursor.position.inside)


def test_undo_shows_the_time_until_the_step_that_was_left_is_found(window, qtbot, held):
    """The run is made again, and its steps are searched for beside the window."""
    held.gate.set()
    open_large(window, qtbot)
    cursor, run = window.time_cursor, window.scenario_run
    second = next(n for n, attempt in enumerate(cursor.recording.attempts) if attempt.job == 1)
    cursor.go_to(Position(cursor.recording.attempts[second].position, second, 2))
    qtbot.waitUntil(lambda: cursor.position.inside)
    left, before = cursor.instant, cursor.recording
    window.strategy.run_with("ff")
    qtbot.waitUntil(lambda: cursor.recording is not before and not run.resuming and not run.running)
    held.gate.clear()
    window.commands.trigger("edit.undo")
    after = cursor.recording
    qtbot.waitUntil(lambda: cursor.recording is not after and not run.resuming)
    assert (cursor.position.inside, cursor.time) == (False, left.time)
    assert left.time
    held.gate.set()
    qtbot.waitUntil(lambda: cursor.instant == left)


def test_a_second_undo_before_the_step_is_found_keeps_the_steps_of_both(window, qtbot, held):
    """Undo leads back to the step of each edit, and redo to the one that was searched for meanwhile."""
    held.gate.set()
    open_large(window, qtbot)
    cursor, run = window.time_cursor, window.scenario_run
    lefts = []

    def settled(before):
        qtbot.waitUntil(lambda: cursor.recording is not before and not run.resuming and not run.running)

    for strategy, step in (("ff", 2), ("bf", 3)):
        second = next(n for n, attempt in enumerate(cursor.recording.attempts) if attempt.job == 1)
        cursor.go_to(Position(cursor.recording.attempts[second].position, second, step))
        qtbot.waitUntil(lambda: cursor.position.inside)
        lefts.append(cursor.instant)
        before = cursor.recording
        window.strategy.run_with(strategy)
        settled(before)
    held.gate.clear()
    for command in ("edit.undo", "edit.undo"):
        before = cursor.recording
        window.commands.trigger(command)
        settled(before)
        assert not cursor.position.inside
    held.gate.set()
    qtbot.waitUntil(lambda: cursor.instant == lefts[0])
    window.commands.trigger("edit.redo")
    qtbot.waitUntil(lambda: cursor.instant == lefts[1])


def test_steps_of_a_known_search_are_made_at_once(window, qtbot, held):
    """Back and forth within an attempt nothing is searched for again."""
    held.gate.set()
    open_large(window, qtbot)
    cursor = window.time_cursor
    cursor.enter_attempt(0)
    qtbot.waitUntil(lambda: cursor.position.inside)
    for move, step in ((cursor.next_step, 1), (cursor.next_step, 2), (cursor.previous_step, 1)):
        move()
        assert cursor.position.step == step
    cursor.next_decision()
    assert cursor.position.step > 1
    assert len(held.places) == 1
    # With a breakpoint set as well
    window.driving.breakpoints.add(Breakpoint(BreakKind.LINE, line="best"))
    cursor.enter_attempt(0)
    for step in (1, 2, 3):
        cursor.next_step()
        assert cursor.position.step == step
    assert len(held.places) == 1


def test_the_window_says_that_it_searches_and_stops_at_a_click(window, qtbot, held):
    """The button leaves the cursor where it was, and nothing arrives afterwards."""
    open_large(window, qtbot)
    shown = window.findChild(SearchProgress)
    before = window.time_cursor.position
    window.time_cursor.enter_attempt(1)
    qtbot.waitUntil(shown.isVisible)
    shown.findChild(QToolButton).click()
    assert not shown.isVisible()
    assert not window.search.searching
    held.gate.set()
    end_searches(window)
    assert window.time_cursor.position == before


def test_a_later_search_takes_the_place_of_an_earlier_one(window, qtbot, held):
    """Only the attempt asked for last is shown."""
    open_large(window, qtbot)
    seen: list[Position] = []
    cursor = window.time_cursor
    cursor.changed.connect(lambda _change: seen.append(cursor.position))
    cursor.enter_attempt(0)
    cursor.enter_attempt(2)
    held.gate.set()
    qtbot.waitUntil(lambda: cursor.position.inside)
    end_searches(window)
    assert [position.attempt for position in seen] == [2]


@pytest.mark.parametrize("leave", ["last", "first"])
def test_another_move_drops_the_search(window, qtbot, held, leave):
    """Who scrubs elsewhere is not taken back."""
    open_large(window, qtbot)
    cursor = window.time_cursor
    cursor.go_to(Position(2))
    cursor.enter_attempt(0)
    getattr(cursor, leave)()
    there = cursor.position
    held.gate.set()
    end_searches(window)
    assert cursor.position == there


def test_a_key_that_repeats_searches_once(window, qtbot, held):
    """The same step asked for again continues the search that there is."""
    open_large(window, qtbot)
    cursor = window.time_cursor
    cursor.go_to(Position(1))
    for _ in range(3):
        cursor.next_step()
    held.gate.set()
    qtbot.waitUntil(lambda: cursor.position.inside)
    end_searches(window)
    assert len(held.places) == 1


def test_small_meshes_are_searched_at_once_unless_kernels_may_have_to_be_compiled(
    lecture, held, qtbot, monkeypatch
):
    """The cursor is there when the call returns; else the window says what it waits for, and stays in use."""
    lecture.time_cursor.enter_attempt(0)
    assert lecture.time_cursor.position.inside
    assert not held.threads
    lecture.search.may_compile = lambda: True
    lecture.time_cursor.first()
    lecture.time_cursor.enter_attempt(1)
    assert not lecture.time_cursor.position.inside
    qtbot.waitUntil(lambda: bool(held.threads))
    monkeypatch.setattr(counts, "compiled", counts.compiled + 1)  # as before a kernel is compiled
    qtbot.waitUntil(lambda: COMPILING in lecture.findChild(SearchProgress).findChild(QLabel).text())
    held.gate.set()
    qtbot.waitUntil(lambda: lecture.time_cursor.position.inside)
    assert threading.main_thread() not in held.threads


def test_a_strategy_is_looked_at_once_its_run_has_had_it_compiled(lecture):
    """Until then the inspector says what it waits for, and the window answers."""
    cursor, inspector = lecture.time_cursor, lecture.inspector
    whole = cursor.recording
    simulation, waits = Simulation(whole.scenario), "Its structures are shown once the run has begun."
    lecture.search.may_compile = lambda: True
    cursor.show(simulation.recording())
    assert (inspector.empty.text(), inspector.sections) == (waits, {})
    cursor.extend(simulation.recording())
    assert (inspector.empty.text(), inspector.sections) == (waits, {})
    cursor.extend(simulation.run())
    assert inspector.empty.isHidden()
    assert inspector.sections
    lecture.search.may_compile = lambda: False
    cursor.show(Simulation(whole.scenario).recording())
    assert inspector.sections


def test_a_run_that_grows_draws_nothing_again_of_which_nothing_has_changed(window, qtbot, monkeypatch):
    """A longer recording of the same run, seen at the same place, has the same scene."""
    open_large(window, qtbot)
    cursor = window.time_cursor
    scene, drawn = window.mesh.source.scene, []
    window.mesh.source.changed.connect(lambda: drawn.append(True))
    recording = cursor.recording
    assert recording is not None
    cursor.extend(replace(recording))
    assert window.mesh.source.scene is scene
    assert not drawn
    cursor.go_to(Position(2))
    assert drawn
    # Nor are the strategy's state and its inspectors' contents made again
    before = cursor.view
    inspection = before.inspection
    cursor.extend(replace(before.recording))
    assert cursor.view is not before
    assert cursor.view.inspection is inspection


def test_the_inspector_is_not_filled_again_while_a_run_grows_and_nothing_in_it_changes(lecture, monkeypatch):
    """Its grid of a large mesh takes a tenth of a second; a window of a structure's own is filled at once."""
    filled: list[Panel] = []
    show = Section.show_panel

    def noted(section: Section, panel: Panel, *given: Any, **named: Any) -> None:
        filled.append(panel)
        show(section, panel, *given, **named)

    monkeypatch.setattr(Section, "show_panel", noted)
    cursor, recording = lecture.time_cursor, lecture.time_cursor.recording
    assert recording is not None
    cursor.extend(replace(recording))
    assert not filled
    lecture.inspector.enlarge()
    assert filled
    filled.clear()
    cursor.go_to(Position(2))
    assert filled


def test_the_curves_of_a_run_are_made_in_its_thread(window, qtbot, monkeypatch):
    """Of a long run they would halt the window at each look."""
    complete: list[threading.Thread] = []

    class Noted(run_curves.RunCurves):
        def __init__(self, recording: Recording) -> None:
            if recording.over:
                complete.append(threading.current_thread())
            super().__init__(recording)

    monkeypatch.setattr(run_curves, "RunCurves", Noted)
    open_large(window, qtbot, 8)
    assert complete
    assert threading.main_thread() not in complete


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads in which a strategy searches."""
    threads: list[threading.Thread] = []
    made = KernelStrategy.allocate_rows

    def allocate_rows(strategy: KernelStrategy, *arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return made(strategy, *arguments)

    monkeypatch.setattr(KernelStrategy, "allocate_rows", allocate_rows)
    return threads


def next_failure(window: MainWindow) -> None:
    """Shift+F8."""
    window.commands.trigger("stop.failure")


def next_breakpoint(window: MainWindow) -> None:
    """F8, with a line of code to stop at."""
    window.driving.breakpoints.add(Breakpoint(BreakKind.LINE, line="found"))
    window.commands.trigger("stop.continue")


def event_to_a_line(window: MainWindow) -> None:
    """A step by event that a line of code stops on the way."""
    window.driving.breakpoints.add(Breakpoint(BreakKind.LINE, line="found"))
    window.time_cursor.next_event(3)


def kept_place(window: MainWindow) -> None:
    """A place that names only a time and a step."""
    kept = instant_from({"time": 0, "step": 2})
    assert kept is not None
    window.time_cursor.go_to_kept(kept)


@pytest.mark.parametrize("move", [next_failure, next_breakpoint, event_to_a_line, kept_place])
def test_every_move_that_needs_steps_searches_beside_the_window(window, qtbot, searches, move):
    """The cursor stands there in the end, and the window's thread has asked no strategy for an attempt."""
    open_large(window, qtbot, first=SIDE)
    window.time_cursor.first()
    searches.clear()
    move(window)
    assert window.search.searching
    qtbot.waitUntil(lambda: window.time_cursor.position.inside)
    assert searches
    assert threading.main_thread() not in searches


def test_why_a_job_waits_is_searched_for_beside_the_window(window, qtbot, searches):
    """The card says so, and has the reason once it is found; the marks are those of few boxes."""
    open_large(window, qtbot, first=SIDE)
    window.panels.show("job")
    searches.clear()
    window.time_cursor.go_to_time(1.0)
    qtbot.waitUntil(lambda: window.why.made is not None and window.why.view.reason is not None)
    assert window.why.view.reason.job == 1
    assert searches
    assert threading.main_thread() not in searches


def test_a_stopped_search_for_a_reason_is_said_to_be_stopped(window, qtbot, monkeypatch):
    """The panel shows no half of a reason, and nothing arrives."""
    gate = threading.Event()
    monkeypatch.setattr(why, "find_reason", lambda *_: gate.wait() and None)
    open_large(window, qtbot, first=SIDE)
    window.panels.show("job")
    window.time_cursor.go_to_time(1.0)
    qtbot.waitUntil(lambda: window.search.words == "Searching why job 1 waits …")
    assert window.why.view.words.plain == "Searching why job 1 waits …"
    window.search.stop()
    assert window.why.view.words.plain.startswith("The search was stopped.")
    gate.set()
    end_searches(window)
    assert window.why.view.words.plain.startswith("The search was stopped.")


def test_how_far_a_search_is_stands_beside_what_it_is_for(window, qtbot, monkeypatch):
    """The thread is asked while it works, and tells what the work says."""
    gate = threading.Event()

    def search(*_: object) -> None:
        with work.telling(lambda: Progress(words="half of it")):
            while not gate.wait(0.001):
                work.look()

    monkeypatch.setattr(move_searches, "search_steps", search)
    open_large(window, qtbot)
    window.time_cursor.enter_attempt(1)
    shown = window.findChild(SearchProgress)
    words = shown.findChild(QLabel)
    qtbot.waitUntil(lambda: words.text() == "Searching the steps of job 1 …  half of it")
    window.search.stop()
    gate.set()
    end_searches(window)


def test_no_search_goes_on_when_the_window_is_closed(make_window, qtbot, monkeypatch):
    """It is stopped, and its thread has ended when the window has."""
    begun, threads = threading.Event(), []

    def search(*_: object) -> None:
        threads.append(threading.current_thread())
        begun.set()
        never = threading.Event()
        while not never.wait(0.001):
            work.look()

    monkeypatch.setattr(move_searches, "search_steps", search)
    window = make_window()
    open_large(window, qtbot)
    window.time_cursor.enter_attempt(0)
    qtbot.waitUntil(begun.is_set)
    (searching,) = WorkThread.under_way()
    window.closing.close()
    qtbot.waitUntil(lambda: searching not in WorkThread.under_way())
