"""Long work says how far it is and is stopped in one way, also while compiled functions do it."""

import threading
import time
from math import inf

import pytest

from meshgui.engine.basics import work as work_module
from meshgui.engine.basics.compiled_work import compile_interruptible, run_interruptible, seconds_worked
from meshgui.engine.basics.kernel_counts import counts
from meshgui.engine.basics.work import PIECE, Progress, Stopped, Work, look, pieces, report, telling
from meshgui.engine.runs.simulation import Simulation
from tests.scenarios import scenario

JOBS = 3 * PIECE


def ends_at(most: int) -> tuple[Work, list[Progress]]:
    """Work that is stopped when it is heard for the last of these times, and what is heard."""
    heard: list[Progress] = []

    def hear(progress: Progress) -> None:
        heard.append(progress)
        if len(heard) > most:
            work.stop()

    work = Work(hear)
    return work, heard


def test_pieces_are_bounded_and_all_of_it():
    """Also where nothing is followed."""
    assert [len(range(PIECE * 2 + 5)[part]) for part in pieces(PIECE * 2 + 5)] == [PIECE, PIECE, 5]
    assert list(pieces(0)) == []


@pytest.mark.parametrize("most", [0, 1, 5, 9])
def test_the_drawing_of_jobs_can_be_ended_in_each_of_its_pieces(most):
    """Arrivals, sides and service times: of a million jobs that takes seconds."""
    work, heard = ends_at(most)
    with pytest.raises(Stopped), work.under_way():
        Simulation(scenario(jobs=JOBS, sides={"kind": "exponential"}))
    assert len(heard) == most + 1


def test_work_is_over_after_its_block():
    """Other work of the thread continues, and is not heard."""
    work, heard = ends_at(100)
    with work.under_way():
        Simulation(scenario(jobs=JOBS))
    assert len(heard) >= 9
    seen = len(heard)
    Simulation(scenario(jobs=JOBS))
    assert len(heard) == seen


def test_a_look_reaches_all_work_around_and_a_report_the_innermost():
    """So a part is stopped with the whole, and its counts are not taken for those of the whole."""
    whole, heard = ends_at(inf)
    parts: list[Progress] = []
    with whole.under_way(lambda: Progress(1, 2)), Work(parts.append).under_way():
        report(3, 4, "a")
        with telling(lambda: Progress(words="half of it")):
            look()
        look()
        whole.stop()
        with pytest.raises(Stopped):
            look()
    assert heard == [Progress(1, 2)] * 3
    assert parts == [Progress(3, 4, "a"), Progress(words="half of it"), Progress(3, 4, "a")]
    assert [progress.share for progress in (*heard[:1], *parts[:2], Progress(3, 2))] == [0.5, 0.75, None, 1.0]


def test_who_hears_is_not_disturbed_too_often_and_a_deadline_ends_the_work(monkeypatch):
    """A stop is seen at each look all the same."""
    now = [0.0]
    monkeypatch.setattr(work_module, "monotonic", lambda: now[0])
    heard: list[float] = []
    work = Work(lambda _: heard.append(now[0]), between=0.1, until=0.5)

    def go_on() -> None:
        while True:
            look()
            now[0] += 0.04

    with pytest.raises(Stopped), work.under_way():
        go_on()
    assert heard == pytest.approx([0.0, 0.12, 0.24, 0.36, 0.48])
    assert now[0] == pytest.approx(0.52)
    work.stop()
    with pytest.raises(Stopped):
        work.look()
    assert len(heard) == 5


def test_compiling_is_heard_until_the_work_goes_on(monkeypatch):
    """Whichever thread compiles."""
    heard: list[bool] = []
    work = Work(lambda progress: heard.append(progress.compiling))
    with work.under_way():
        report(0, 9)
        monkeypatch.setattr(counts, "compiled", counts.compiled + 1)
        for done in (0, 0, 1, 1):
            report(done, 9)
    assert heard == [False, True, True, False, False]


def test_compiled_work_is_stopped_by_a_look_beside_it():
    """It is over when the caller continues; its answer is passed on where nothing ends it."""
    begun, ended = threading.Event(), threading.Event()
    before = set(threading.enumerate())

    def function() -> str:
        begun.set()
        return "ended" if ended.wait(60) else "never"

    with Work().under_way():
        assert run_interruptible(lambda: 5, ended.set) == 5
        (helper,) = set(threading.enumerate()) - before
        assert helper.name == "compiled work"
        assert run_interruptible(threading.current_thread, ended.set) is helper
        with pytest.raises(ZeroDivisionError):
            run_interruptible(lambda: 1 // 0, ended.set)
    assert not ended.is_set()
    with pytest.raises(Stopped), once(begun).under_way():
        run_interruptible(function, ended.set)
    assert ended.is_set()
    for ending in set(threading.enumerate()) - before:
        ending.join(60)
        assert not ending.is_alive()


def once(begun: threading.Event) -> Work:
    """Work that is stopped once something has begun."""
    work = Work(lambda _: begun.wait(60) and work.stop())
    return work


def test_a_compiler_is_left_to_itself_by_who_is_to_end():
    """It works in another thread than the main one, which does not wait for it; elsewhere it need not."""
    begun, gate = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def make() -> bool:
        threads.append(threading.current_thread())
        begun.set()
        return gate.wait(60)

    with pytest.raises(Stopped), once(begun).under_way():
        compile_interruptible(make)
    assert threads[0] is not threading.main_thread()
    assert threads[0].is_alive()
    gate.set()
    threads[0].join()
    assert compile_interruptible(lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        compile_interruptible(lambda: 1 // 0)
    with Work().under_way():
        helper, inner = run_interruptible(
            lambda: (threading.current_thread(), compile_interruptible(threading.current_thread)), gate.set
        )
    assert inner is helper

    def work() -> None:
        with Work().under_way():
            threads.extend((threading.current_thread(), compile_interruptible(threading.current_thread)))

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
    """A pace is known by it; where no work is under way, nothing is done beside."""
    assert run_interruptible(threading.current_thread, lambda: None) is threading.current_thread()
    with Work().under_way():
        assert run_interruptible(threading.current_thread, lambda: None) is not threading.current_thread()
        before = seconds_worked() - time.thread_time()
        took = run_interruptible(busy, lambda: None)
        assert seconds_worked() - time.thread_time() > before + took / 2
