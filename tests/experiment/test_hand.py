"""A hand makes tasks in a process of its own: what becomes of it costs its holder nothing but the task."""

import json
import os
import signal
import sys
from time import monotonic

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import ExecutorError, outcome_of
from meshgui.experiment.hand import Hands
from meshgui.experiment.work import work_of
from tests.cluster import eventually
from tests.experiments import SMALL
from tests.third_party import three_jobs

LONG = SMALL | {"workload": SMALL["workload"] | {"jobs": 300_000}}


def text_of(data=SMALL):
    """The work of a scenario."""
    return work_of(scenario_from(data)).text


def text_for(strategy, folder):
    """The work of a scenario with a strategy that this process does not have."""
    data = json.loads(three_jobs(folder, "ff").read_text(encoding="utf-8"))
    return text_of(data).replace('"name":"ff"', f'"name":"{strategy}"')


@pytest.fixture
def hands():
    """Hands, all gone afterwards."""
    there = Hands()
    yield there
    there.end()


def test_it_makes_what_this_process_makes(hands):
    """The same figures to the last digit, task after task."""
    hand = hands.take()
    for seed in (1, 2):
        made = hand.make(5, text_of(), seed, lambda: True)
        assert made.number == 5
        assert made.made.samples == outcome_of(5, text_of(), seed).made.samples
    hands.give_back(hand)
    assert hands.take() is hand
    hands.give_back(hand)


def test_figures_do_not_depend_on_the_machine_s_way_to_add_up(hands, monkeypatch):
    """Processors of two generations, one and two of them: BLAS would add products in other orders."""
    text = text_of(SMALL | {"mesh": {"shape": [8, 8]}, "workload": SMALL["workload"] | {"jobs": 12_000}})
    found = set()
    for threads, processor in ((1, "Haswell"), (2, "Haswell"), (2, "Nehalem")):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", str(threads))
        monkeypatch.setenv("OPENBLAS_CORETYPE", processor)
        hand = hands.take()
        found.add(repr(hand.make(1, text, 1, lambda: True).made.samples))
        hand.end()
    assert len(found) == 1


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("dies", "the worker process died (exit status 3)"),
        ("raises", "raises failed at job 1: ZeroDivisionError: by zero"),
        ("unknown", "scenario: allocator.name: no strategy is called unknown"),
    ],
)
def test_what_goes_wrong_is_the_outcome(hands, third_party, tmp_path, monkeypatch, name, fault):
    """A strategy that ends the process, one that raises, one that is not there: each in one line."""
    monkeypatch.setattr(sys, "path", [str(third_party), *sys.path])
    hand = hands.take()
    found = hand.make(1, text_for(name, tmp_path), 1, lambda: True)
    assert found.made is None
    assert found.fault.startswith(fault)
    assert "\n" not in found.fault
    assert hand.lives == (name != "dies")
    hands.give_back(hand)
    again = hands.take()
    assert (again is hand) == (name != "dies")
    assert again.make(2, text_of(), 1, lambda: True).made is not None
    hands.give_back(again)


def test_one_that_is_killed_is_replaced(hands):
    """Killed with nothing to do, it is not handed out again."""
    hand = hands.take()
    hands.give_back(hand)
    os.kill(hand.pid, signal.SIGKILL)
    eventually(lambda: not hand.lives)
    other = hands.take()
    assert other is not hand
    assert other.make(1, text_of(), 1, lambda: True).made is not None
    hands.give_back(other)


def test_what_is_no_longer_wanted_is_not_finished(hands):
    """The process is ended in the midst of it."""
    hand, begun = hands.take(), monotonic()
    assert hand.make(1, text_of(LONG), 1, lambda: monotonic() < begun + 0.5) is None
    assert not hand.lives
    assert monotonic() < begun + 5


def test_one_with_nothing_to_do_is_let_go():
    """After a while its process is gone."""
    hands = Hands(idle=0.1)
    hand = hands.take()
    assert hand.lives
    hands.give_back(hand)
    eventually(lambda: not hand.lives)


def test_where_none_can_begin_it_is_said(hands, monkeypatch):
    """An interpreter that ends at once."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ExecutorError, match=r"end before they have begun \(exit status 1\)"):
        hands.take()
