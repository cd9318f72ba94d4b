"""Hypothesis profiles (HYPOTHESIS_PROFILE or ``--hypothesis-profile``), time limit, third-party packages."""

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

# Before the program is imported, which chooses its language then; some tests are run again in another one.
os.environ["MESHGUI_LANGUAGE"] = os.environ.get("MESHGUI_TEST_LANGUAGE", "en")

import pytest
from hypothesis import HealthCheck, settings

from meshgui.engine.basics.call_thread import CallThread
from tests import processes
from tests.skips import refuse_unknown_skip
from tests.third_party import installed

# A test that waits for ever must fail, not stop all others. Most take below a second, the longest some ten,
# on a loaded machine some hundred. What only C code could end is ended by faulthandler_timeout.
SECONDS = 480
SECONDS_AGAIN = 20  # if the test waits once more while it cleans up


class TooLongError(BaseException):
    """A test took too long; no `except Exception`, and no Hypothesis, catches it."""


# Windows that are opened as users open them would compile all kernels in the background.
os.environ.setdefault("MESHGUI_PREPARE", "0")

# The first example of a kernel compiles it, so neither deadlines nor the speed of generation say anything.
# They are drawn alike each time, so that more of them find nothing more the next time.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=40
)
# Many more examples, and new ones each time except in CI, where a failure must be repeatable.
settings.register_profile(
    "thorough",
    settings.get_profile("default"),
    max_examples=2000,
    derandomize="CI" in os.environ,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# What is loaded, collected and compiled is much, and stays: to look through it for garbage at every 700 new
# objects, as Python does, takes a tenth of the tests' time.
gc.set_threshold(20_000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have one worker collect in another second: names that hang on the clock then differ between workers.

    So do those that hang on addresses or on the order of sets; pytest-xdist ends a run whose workers differ.
    """
    if getattr(session.config, "workerinput", {}).get("workerid") == "gw1":
        time.sleep(1.1)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave the modules and tests out of every search for garbage to come."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    """End a process that does not end by itself within a minute, and print where it stands.

    A worker waits for the others first, and is ended by the process that started it.
    """
    if not hasattr(config, "workerinput"):
        faulthandler.dump_traceback_later(60, file=sys.__stderr__, exit=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Raise in a test, its fixtures included, that takes too long."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooLongError(f"{item.nodeid} took more than {SECONDS} s")

    if not hasattr(signal, "setitimer"):  # not on every system
        return (yield)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS_AGAIN)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let no test be skipped for a reason that is not known."""
    report = yield
    refuse_unknown_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Nor a whole file."""
    report = yield
    refuse_unknown_skip(report)
    return report


@pytest.fixture(autouse=True)
def no_started_program_is_left() -> Iterator[None]:
    """Kill what a test has started by `tests.processes` and that still runs, also when it fails."""
    yield
    processes.kill_started()


@pytest.fixture(autouse=True)
def no_call_goes_on() -> Iterator[None]:
    """Fail a test after which a call that was given up still works: it would take the time of all others."""
    known = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - known:
        if isinstance(thread, CallThread):
            thread.join(60)
            assert not thread.is_alive(), f"still at work after the test: {thread.name}"


@pytest.fixture(scope="session")
def third_party() -> Path:
    """Where the packages of tests/packages are installed."""
    return installed()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share files out alike in every run, where they are not to be split."""
    from tests.sharing import FixedShares  # noqa: PLC0415 - where there is xdist

    return FixedShares(config, log) if config.getvalue("dist") == "loadfile" else None
