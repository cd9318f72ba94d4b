"""Work, counted: the calls that a piece of it makes, which no busy machine changes."""

import sys
from collections.abc import Callable
from typing import Any


def calls_in(work: Callable[[], object]) -> int:
    """How many functions of Python and C it calls, at every depth."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before: Any = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
