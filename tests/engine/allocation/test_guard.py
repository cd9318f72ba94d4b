"""Calls into third-party code: answered, failed, stopped or given up, and what they leave behind."""

import threading
import time
from time import monotonic

import numba
import numpy as np
import pytest

from meshgui.engine.allocation.guard import StrategyError, StuckError, call, long_calls, short_calls
from tests.scale import COMPILED


def threads():
    """The guard's threads that run."""
    return [thread for thread in threading.enumerate() if thread.name == "third-party strategy"]


def gone(seconds=5.0):
    """Whether no thread of the guard is left, soon."""
    end = monotonic() + seconds
    while threads() and monotonic() < end:
        time.sleep(0.01)
    return not threads()


def loop():
    """Never ends."""
    while True:
        pass


def raiser(error):
    """A function that raises."""

    def fail():
        raise error

    return fail


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Calls may take 0.4 s, and a quarter of that where somebody looks on; what was given up is forgotten."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.4")
    yield
    with long_calls():
        pass


def test_an_answer_comes_with_the_time_it_took():
    """The time is the function's own."""
    value, nanoseconds = call("x", "thinking", lambda: time.sleep(0.02) or 7)
    assert value == 7
    assert 0.02e9 <= nanoseconds < 0.4e9
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


def test_a_call_without_end_is_given_up_and_its_thread_ends():
    """The error names who did not come back from what; the next call gets another thread."""
    with long_calls():
        begun = monotonic()
        with pytest.raises(StuckError, match=r"x did not come back from thinking for job 3 within 0\.4 s"):
            call("x", "thinking", loop, 3)
        assert 0.4 <= monotonic() - begun < 5
        assert call("x", "thinking", lambda: 7)[0] == 7
    assert gone()


def test_whoever_looks_on_waits_once():
    """What did not come back is not asked again before the next run; all of a block shares its time."""
    with short_calls(), pytest.raises(StuckError):
        call("x", "thinking", loop)
    begun = monotonic()
    with pytest.raises(StuckError, match="x did not come back from thinking"):
        call("x", "thinking", lambda: 7)
    assert monotonic() - begun < 0.05
    assert call("x", "speaking", lambda: 7)[0] == 7
    with long_calls():
        assert call("x", "thinking", lambda: 7)[0] == 7
    assert call("x", "thinking", lambda: 7)[0] == 7
    with short_calls():
        time.sleep(0.2)  # the block's time is over, though each call is quick
        with pytest.raises(StuckError):
            call("x", "speaking", lambda: time.sleep(0.02))


def test_a_caller_that_is_stopped_does_not_wait(monkeypatch):
    """What `look` raises ends the wait, and the thread."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "600")

    class StopError(Exception):
        pass

    with pytest.raises(StopError), long_calls(raiser(StopError())):
        call("x", "thinking", loop)
    assert gone()


def test_an_interrupt_is_no_fault():
    """Ctrl-C inside the strategy, wherever it lands, stays what it is."""
    with pytest.raises(KeyboardInterrupt):
        call("x", "thinking", raiser(KeyboardInterrupt()))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_compiling_is_not_the_strategy_s_time(monkeypatch):
    """A kernel's first call may take longer than any call may."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.2")
    source = "def many(a):\n" + "".join(f"    a[{n}] = a[{n} + 1] * {n} + a.sum()\n" for n in range(60))
    scope = {}
    exec(source, scope)  # noqa: S102 - ours
    many = numba.njit(scope["many"])
    begun, looks = monotonic(), []
    with long_calls(lambda: looks.append(monotonic())):
        call("x", "thinking", lambda: many(np.zeros(100)))
    assert monotonic() - begun > 0.4
    assert len(looks) < 4  # nor can it be stopped in the midst of it, which would leave half of it behind


@pytest.mark.parametrize("text", ["", "soon", "-1", "0", "nan", "inf"])
def test_a_limit_that_is_none_is_not_taken(monkeypatch, text):
    """What is no number of seconds leaves the usual limit."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", text)
    with long_calls():
        assert call("x", "thinking", lambda: time.sleep(0.1) or 7)[0] == 7


def test_a_call_that_never_ends_does_not_keep_the_program():
    """It is made in a thread that ends with the program."""
    thread, _ = call("mine", "asking", threading.current_thread)
    assert thread is not threading.current_thread()
    assert thread.daemon
