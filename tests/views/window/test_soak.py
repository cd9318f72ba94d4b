"""The short forms of `make soak` and `make monkey`: nothing is left behind, and nothing goes wrong."""

import random

import pytest

from tests.tools import tool

soak = tool("soak")


def test_rounds_of_a_lecture_leave_nothing_behind(make_window, monkeypatch):
    """After the first two, which fill what is kept, no handle and no widget is added, and few bytes."""
    monkeypatch.setattr(soak, "_OPENED", ("three-jobs-4x4x4",))
    monkeypatch.setattr(soak, "_STEPS", 3)
    window, draw, levels = make_window(), random.Random(1), []
    assert window.job_card.why.view is not None  # made when a job waits, which may not be in the first rounds
    for _ in range(4):
        soak.round_of(window, draw)
        levels.append(soak.level())
    assert soak.grown(levels) == []


def test_growth_is_seen():
    """Of each kind, once it continues in the last quarter; what is kept from the first rounds is no leak."""
    level = soak.Level(1 << 29, 12, 500, 10**5)
    early = [level._replace(bytes_=0, handles=3, widgets=100)] * 2
    assert soak.grown([*early, *[level] * 6]) == []
    for part in ({"handles": 13}, {"widgets": 501}, {"bytes_": 1 << 30}):
        assert len(soak.grown([*early, *[level] * 4, *[level._replace(**part)] * 2])) == 1


monkey = tool("monkey")
ACTIONS = 150


@pytest.mark.parametrize("seed", [3, 11])
def test_nothing_happens_that_should_not(make_window, tmp_path, seed):
    """Commands, clicks, keys, typing, the wheel and drags at random: no exception, and no warning of Qt."""
    window = make_window()
    actor = monkey.Monkey(window, seed, tmp_path)
    with monkey.watched(actor.faults), monkey.no_file_dialogs(tmp_path, seed):
        actor.act(ACTIONS)
    assert actor.faults == [], actor.done
    assert len(actor.done) > 30


def test_the_monkey_sees_what_goes_wrong(make_window, tmp_path):
    """An error in a slot and a warning of Qt are faults; or the test above could not fail."""
    window = make_window()
    actor = monkey.Monkey(window, 1, tmp_path)
    window.runs.started.connect(lambda: 1 // 0)
    with monkey.watched(actor.faults):
        window.runs.started.emit()
        monkey.QTimer.singleShot(-5, window.update)
    assert len(actor.faults) == 2
    assert actor.faults[0].startswith("ZeroDivisionError at ")
    assert actor.faults[1].startswith("Qt: ")
