"""Hypothesis profiles (HYPOTHESIS_PROFILE or ``--hypothesis-profile``), and third-party packages."""

import faulthandler
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.third_party import install

# The first example of a kernel compiles it, so neither deadlines nor the speed of generation say anything.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
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


def pytest_unconfigure() -> None:
    """End a process that does not end by itself within a minute, and print where it stands."""
    faulthandler.dump_traceback_later(60, file=sys.__stderr__, exit=True)


@pytest.fixture(scope="session")
def third_party(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the packages of tests/packages are installed."""
    return install(tmp_path_factory.mktemp("third-party"))
