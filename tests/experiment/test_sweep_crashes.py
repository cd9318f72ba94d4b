"""A sweep that ends at any statement of its store, and continues: nothing is lost or made twice."""

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from tests.crashes import CrashError
from tests.experiments import small_experiment
from tests.stores import replications

CONNECT = sqlite3.connect
EXPERIMENT = small_experiment("allocator.name=ff,gabl", least=3, most=3)


class Counting(InProcess):
    """Counts the runs that it is asked for."""

    runs = 0

    def submit(self, task):
        """Make it."""
        self.runs += 1
        super().submit(task)


class Connection(sqlite3.Connection):
    """A connection that is gone before a chosen statement, with its program; SQLite undoes what is open."""

    left: ClassVar = 0  # statements
    opened: ClassVar = []

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        Connection.opened.append(self)

    def _step(self):
        if Connection.left == 0:
            raise CrashError
        Connection.left -= 1

    @property
    def in_transaction(self):
        """Nothing can be undone by a program that is gone."""
        return Connection.left != 0 and super().in_transaction

    def execute(self, *args):
        """Execute it, unless the program is gone."""
        self._step()
        return super().execute(*args)

    def executemany(self, *args):
        """Execute it for all, unless the program is gone."""
        self._step()
        return super().executemany(*args)


@pytest.fixture(autouse=True)
def breakable(monkeypatch):
    """Stores are opened by connections that can be gone."""
    monkeypatch.setattr(sqlite3, "connect", partial(CONNECT, factory=Connection))


def statements_of_a_sweep(path: Path, executor: InProcess, at_most: int = 10_000) -> int:
    """Sweep until the end, or until the program is gone, and count the statements."""
    Connection.left = at_most
    try:
        with suppress(CrashError), Store(path) as store:
            Sweep(EXPERIMENT, store, executor).run()
        return at_most - Connection.left
    finally:
        for connection in Connection.opened:
            connection.close()
        Connection.opened.clear()


def samples_in(path: Path) -> dict[tuple[str, int], bytes]:
    """What counts of the runs of a store, which is whole."""
    return {run: samples for run, (samples, *_) in replications(path).items()}


def test_a_sweep_that_ends_before_any_statement_goes_on_from_there(tmp_path):
    """What was kept stays as it was, and in the end all is as if nothing had happened."""
    statements = statements_of_a_sweep(tmp_path / "whole.db", InProcess())
    whole = samples_in(tmp_path / "whole.db")
    assert len(whole) == 6
    numbers = []
    for at in range(statements):
        path = tmp_path / f"{at}.db"
        assert statements_of_a_sweep(path, InProcess(), at) == at
        before = samples_in(path)
        numbers.append(len(before))
        assert before.items() <= whole.items()
        made = Counting()
        statements_of_a_sweep(path, made)
        assert made.runs == 6 - len(before)
        assert samples_in(path) == whole
    assert numbers == sorted(numbers)
    assert set(numbers) == {0, 1, 2, 3, 4, 5}
