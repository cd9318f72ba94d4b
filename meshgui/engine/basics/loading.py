"""Loads modules without looking for garbage meanwhile."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["loading"]


@contextmanager
def loading() -> Iterator[None]:
    """A module stays, so there is nothing to find in all that is loaded: neither now nor later.

    Where somebody else has switched the search off, as the window does, what it may find is theirs to say.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.freeze()
            gc.enable()
