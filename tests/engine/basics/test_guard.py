"""Calls into third-party code: answered, failed, stopped or given up, and what they leave behind."""

import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from meshgui.engine.basics import call_thread, guard
from meshgui.engine.basics.guard import (
    StrategyError,
    StuckError,
    call,
    calls_in_one_thread,
    long_calls,
    short_calls,
    work_of_caller,
)
from meshgui.engine.basics.work import Stopped, Work

EARLIER = set()  # threads of other tests that never end


@pytest.fixture(autouse=True)
def _only_later_threads():
    """Count the threads of the test at hand alone."""
    EARLIER.clear()
    EARLIER.update(threads())


def threads():
    """The guard's threads that run."""
    return [
        thread
        for thread in threading.enumerate()
        if thread.name == "third-party code" and thread not in EARLIER
    ]


def gone():
    """Whether no thread of the guard is left in the end."""
    for thread in threads():
        thread.join(60)
    return not threads()


class Clock:
    """What the guard reads: seconds pass only where a test, or a function that never ends, lets them."""

    now = 0.0

    def __call__(self):
        """The seconds that have passed."""
        return self.now

    def loop(self):
        """Never end."""
        while True:
            self.now += 0.001
            time.sleep(0)


def raiser(error):
    """A function that raises."""

    def fail():
        raise error

    return fail


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Calls may take 0.4 s, and a quarter of that in a window; what was given up is forgotten."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.4")
    clock = Clock()
    monkeypatch.setattr(guard, "monotonic", clock)
    yield clock
    with long_calls():
        pass


def test_an_answer_comes_with_the_time_it_took(monkeypatch):
    """The time is the function's own."""
    ticks = SimpleNamespace(perf_counter_ns=iter((1000, 8000)).__next__, thread_time=time.thread_time)
    monkeypatch.setattr(call_thread, "time", ticks)
    assert call("x", "thinking", lambda: 7) == (7, 7000)
    assert gone()


def test_the_calls_of_a_block_share_a_thread_that_ends_with_it():
    """No call after the first pays for a thread."""
    with long_calls():
        idents = {call("x", "thinking", threading.get_ident)[0] for _ in range(3)}
        with short_calls():
            idents.add(call("x", "thinking", threading.get_ident)[0])
        assert len(threads()) == 1
    assert len(idents) == 1
    assert idents != {threading.get_ident()}
    assert not threads()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("two\nlines"), "x failed at job 3: ValueError: two lines"),
        (AssertionError(), "x failed at job 3: AssertionError"),
        (SystemExit(2), "x failed at job 3: SystemExit: 2"),
        (GeneratorExit(), "x failed at job 3: GeneratorExit"),
    ],
)
def test_whatever_is_raised_is_the_strategy_s_fault(error, said):
    """Also what would end a program; the error is kept as the cause."""
    with pytest.raises(StrategyError) as caught:
        call("x", "thinking", raiser(error), 3)
    assert str(caught.value) == said
    assert caught.value.__cause__ is error
    assert gone()


def test_a_call_without_end_is_given_up_and_its_thread_ends(clock):
    """The error names who did not return from what; the next call gets another thread."""
    with long_calls():
        with pytest.raises(StuckError, match=r"x did not return from thinking for job 3 within 0\.4 s"):
            call("x", "thinking", clock.loop, 3)
        assert call("x", "thinking", lambda: 7)[0] == 7
    assert gone()


def test_whoever_looks_on_waits_once(clock):
    """What did not come back is not asked again before the next run; all of a block shares its time."""
    with short_calls(), pytest.raises(StuckError):
        call("x", "thinking", clock.loop)
    asked = []
    with pytest.raises(StuckError, match="x did not return from thinking"):
        call("x", "thinking", lambda: asked.append(7))
    assert asked == []
    assert call("x", "speaking", lambda: 7)[0] == 7
    with long_calls():
        assert call("x", "thinking", lambda: 7)[0] == 7
    assert call("x", "thinking", lambda: 7)[0] == 7
    with short_calls():
        clock.now += 0.2  # the block's time is over, though each call is quick
        with pytest.raises(StuckError):
            call("x", "speaking", clock.loop)


def test_a_caller_that_is_stopped_does_not_wait(monkeypatch, clock):
    """What `look` raises ends the wait, and the thread."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "600")

    class StopError(Exception):
        pass

    with pytest.raises(StopError), long_calls(), Work(lambda _: raiser(StopError())()).under_way():
        call("x", "thinking", clock.loop)
    assert gone()


def test_an_interrupt_is_no_fault():
    """Ctrl-C inside the strategy, wherever it lands, stays what it is."""
    with pytest.raises(KeyboardInterrupt):
        call("x", "thinking", raiser(KeyboardInterrupt()))


def test_compiling_is_not_the_strategy_s_time(monkeypatch, clock):
    """A kernel's first call may take longer than any call may, and is not stopped in the midst of it."""
    compiled = threading.Event()

    def is_compiling(_):
        clock.now += 0.3
        if clock.now > 1:
            compiled.set()
        return not compiled.is_set()

    monkeypatch.setattr(call_thread.CallThread, "compiles", property(is_compiling))
    work = Work()
    with long_calls(), work.under_way():
        work.stop()
        with suppress(Stopped):
            call("x", "thinking", lambda: compiled.wait(60))
    assert clock.now > 1  # more than twice as long as a call may take
    assert compiled.is_set()


@pytest.mark.parametrize("text", ["", "soon", "-1", "0", "nan", "inf"])
def test_a_limit_that_is_not_valid_is_not_taken(monkeypatch, clock, text):
    """What is not a number of seconds leaves the usual limit."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", text)
    with long_calls():
        clock.now += 1
        assert call("x", "thinking", lambda: setattr(clock, "now", clock.now + 10) or 7)[0] == 7


def test_a_call_that_never_ends_does_not_keep_the_program():
    """It is made in a thread that ends with the program."""
    thread, _ = call("mine", "asking", threading.current_thread)
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_the_callers_work_in_a_call_is_not_in_its_time(clock):
    """As the placing of a job is, for a discipline: what is waited for is named, and no one else."""
    looks = []

    def turn(after):
        def works():
            with work_of_caller():
                clock.now += 10
                seen = len(looks)
                while len(looks) < seen + 2:
                    time.sleep(0)
            return after()

        return works

    with long_calls(), Work(lambda _: looks.append(clock.now)).under_way():
        assert calls_in_one_thread(lambda: call("x", "serving", turn(lambda: 7))[0], lambda: None) == 7
        with pytest.raises(StuckError, match=r"^x did not return from serving within"):
            calls_in_one_thread(lambda: call("x", "serving", turn(clock.loop)), lambda: None)
        with pytest.raises(StuckError, match=r"^y did not return from allocating for job 3 within"):
            calls_in_one_thread(
                lambda: call("x", "serving", lambda: call("y", "allocating", clock.loop, 3)), lambda: None
            )
    assert gone()
