"""What is made of a recording once, and kept as long as the recording is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

K = TypeVar("K")
R = TypeVar("R")


def kept(make: Callable[[K], R]) -> Callable[[K], R]:
    """Make it at the first call for an object. It must not hold the object, which would stay with it then.

    What holds it, or is of a part of it alone, is kept by `lru_cache` for the last ones that were asked for.
    """
    known: WeakKeyDictionary[K, R] = WeakKeyDictionary()

    @wraps(make)
    def look_up(of: K) -> R:
        found = known.get(of)
        if found is None:
            found = known[of] = make(of)
        return found

    return look_up
