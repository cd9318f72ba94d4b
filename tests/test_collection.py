"""Two processes that collect the same tests agree on their names, or no two workers could share them."""

import os
import sys
from itertools import filterfalse
from pathlib import Path
from time import sleep, time

import pytest

from tests.processes import completed

COLLECTED = time()


@pytest.mark.qt
def test_names_do_not_hang_on_the_clock_on_addresses_or_on_the_order_of_sets(request: pytest.FixtureRequest):
    """What this run has collected is what another process collects at another time with other hashes."""
    sleep(max(0.0, COLLECTED + 1.1 - time()))  # gzip's header, for one, holds whole seconds
    names = [item.nodeid for item in request.session.items]
    files = dict.fromkeys(str(item.path) for item in request.session.items)
    hashes = {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    done = completed(
        *(sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files),
        cwd=Path(__file__).parents[1],
        env={key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"} | hashes,
        seconds=400,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    again = [each for each in done.stdout.splitlines() if "::" in each]
    assert list(filterfalse(set(again).__contains__, names)) == []
    assert list(filter(set(names).__contains__, again)) == names
