"""Threads: what is polled, an interpreter that ends beside them, and a property that one computes."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from meshgui.engine.basics import polling
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.runs.simulation import Cancelled, Simulation
from tests.scenarios import scenario

JOBS = 3 * polling.PIECE


class Poll:
    """Counts the looks, and ends the work at one of them."""

    def __init__(self, most: int) -> None:
        self.looks, self.most = 0, most

    def __call__(self) -> None:
        """Look."""
        self.looks += 1
        if self.looks > self.most:
            raise Cancelled


def test_pieces_are_bounded_and_all_of_it():
    """Also where nothing polls."""
    assert [len(range(polling.PIECE * 2 + 5)[part]) for part in polling.pieces(polling.PIECE * 2 + 5)] == [
        polling.PIECE,
        polling.PIECE,
        5,
    ]
    assert list(polling.pieces(0)) == []
    numbers = np.arange(polling.PIECE + 3, dtype=np.float64)
    assert polling.mapped(lambda number: 2 * number, numbers).tolist() == (2 * numbers).tolist()


@pytest.mark.parametrize("most", [0, 1, 5, 9])
def test_the_drawing_of_jobs_can_be_ended_in_each_of_its_pieces(most):
    """Arrivals, sides and service times: of a million jobs that takes seconds."""
    poll = Poll(most)
    with pytest.raises(Cancelled), polling.polled(poll):
        Simulation(scenario(jobs=JOBS, sides={"kind": "exponential"}))
    assert poll.looks == most + 1


def test_who_polls_is_forgotten_after_the_block():
    """So that other work of the thread goes on."""
    poll = Poll(100)
    with polling.polled(poll):
        Simulation(scenario(jobs=JOBS))
    assert poll.looks >= 9
    seen = poll.looks
    Simulation(scenario(jobs=JOBS))
    assert poll.looks == seen


def test_compiled_work_is_stopped_by_a_look_beside_it():
    """It is told, and is over when the caller goes on; its answer is passed on where nothing ends it."""
    begun, told = threading.Event(), threading.Event()
    before = set(threading.enumerate())

    def work() -> str:
        begun.set()
        return "told" if told.wait(60) else "never"

    def poll() -> None:
        if begun.wait(60):
            raise Cancelled

    with polling.polled(lambda: None):
        assert polling.beside(lambda: 5, told.set) == 5
        (helper,) = set(threading.enumerate()) - before
        assert helper.name == "compiled work"
        assert polling.beside(threading.current_thread, told.set) is helper
        with pytest.raises(ZeroDivisionError):
            polling.beside(lambda: 1 // 0, told.set)
    assert not told.is_set()
    with pytest.raises(Cancelled), polling.polled(poll):
        polling.beside(work, told.set)
    assert told.is_set()
    for ending in set(threading.enumerate()) - before:
        ending.join(60)
        assert not ending.is_alive()


def test_a_compiler_is_left_to_itself_by_who_is_to_end():
    """It works in another thread than the main one, which does not wait for it; elsewhere it need not."""
    begun, gate = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def make() -> bool:
        threads.append(threading.current_thread())
        begun.set()
        return gate.wait(60)

    def poll() -> None:
        if begun.wait(60):
            raise Cancelled

    with pytest.raises(Cancelled), polling.polled(poll):
        polling.compiled_beside(make)
    assert threads[0] is not threading.main_thread()
    assert threads[0].is_alive()
    gate.set()
    threads[0].join()
    assert polling.compiled_beside(lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        polling.compiled_beside(lambda: 1 // 0)
    with polling.polled(lambda: None):
        helper, inner = polling.beside(
            lambda: (threading.current_thread(), polling.compiled_beside(threading.current_thread)), gate.set
        )
    assert inner is helper

    def work() -> None:
        with polling.polled(lambda: None):
            threads.extend((threading.current_thread(), polling.compiled_beside(threading.current_thread)))

    other = threading.Thread(target=work)
    other.start()
    other.join()
    assert threads[-2] is other
    assert threads[-1] is not other


def busy() -> float:
    """The seconds of its thread that some work takes."""
    begun = time.thread_time()
    sum(range(2_000_000))
    return time.thread_time() - begun


def test_work_beside_counts_as_the_threads_own():
    """A pace is known by it; where nobody polls, nothing is done beside."""
    assert polling.beside(threading.current_thread, lambda: None) is threading.current_thread()
    with polling.polled(lambda: None):
        assert polling.beside(threading.current_thread, lambda: None) is not threading.current_thread()
        before = polling.seconds_worked() - time.thread_time()
        took = polling.beside(busy, lambda: None)
        assert polling.seconds_worked() - time.thread_time() > before + took / 2


PROGRAM = """
import sys, threading, types
from meshgui.engine.basics import polling

entered, go_on = threading.Event(), threading.Event()
source = '''
def compile_it(entered, go_on):
    entered.set()
    go_on.wait()
    print("compiled to its end", flush=True)
'''
compiler = types.ModuleType("numba.core.stand_in")
exec(source, compiler.__dict__)

def poll():
    if entered.is_set():
        raise KeyboardInterrupt

def leave():
    threading.Timer(0.0, go_on.set).start()

if "at once" not in sys.argv:
    import atexit
    atexit.register(leave)  # called before those registered earlier
try:
    with polling.polled(poll):
        polling.beside(lambda: compiler.compile_it(entered, go_on), lambda: None)
except KeyboardInterrupt:
    print("interrupted", flush=True)
if "at once" in sys.argv:
    from meshgui.cli import signals
    print(signals.compiles(), flush=True)
    signals.leave(130)
"""


def test_what_is_being_compiled_is_compiled_to_its_end(tmp_path: Path) -> None:
    """The caller is free at once, and only the process waits; but not where a signal ends it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == ["interrupted", "compiled to its end"]
    words = [sys.executable, "-c", PROGRAM, "at once"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout.splitlines()) == (130, ["interrupted", "True"])


class Slow:
    """Has a property that waits until it is let go."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate, self.begun = gate, threading.Event()
        self.computed = 0

    @cached_property
    def answer(self) -> bool:
        """Whether it was let go."""
        self.computed += 1
        self.begun.set()
        return self.gate.wait(60)


def test_another_object_s_property_is_computed_meanwhile():
    """Each is computed once, and kept."""
    closed, opened = threading.Event(), threading.Event()
    opened.set()
    slow, quick = Slow(closed), Slow(opened)
    thread = threading.Thread(target=lambda: slow.answer, daemon=True)
    thread.start()
    assert slow.begun.wait(60)
    other = threading.Thread(target=lambda: quick.answer, daemon=True)
    other.start()
    other.join(30)
    assert not other.is_alive()
    closed.set()
    thread.join()
    assert (slow.answer, quick.answer, slow.computed, quick.computed) == (True, True, 1, 1)
    assert isinstance(Slow.answer, cached_property)
