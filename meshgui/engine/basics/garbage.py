"""Makes many objects that stay, without looking for garbage among them meanwhile.

Python, or the window in its place, would go through all of them again and again: that doubles the time, and
halts every thread for tenths of a second.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_blocks = 0
_was_enabled = False


@contextmanager
def growing() -> Iterator[None]:
    """A block that makes many objects; such blocks may overlap, in any threads."""
    global _blocks, _was_enabled  # noqa: PLW0603 - Python's collector is one as well
    with _lock:
        if not _blocks:
            _was_enabled = gc.isenabled()
            gc.disable()
        _blocks += 1
    try:
        yield
    finally:
        with _lock:
            _blocks -= 1
            if not _blocks and _was_enabled:
                gc.enable()


@contextmanager
def loading() -> Iterator[None]:
    """Such a block, for modules: they stay, so later searches need not go through them either.

    Where somebody else has switched the search off, as the window does, what it may find is theirs to say.
    """
    with growing():
        yield
    if gc.isenabled():
        gc.freeze()


def is_growing() -> bool:
    """Whether such a block is in progress."""
    return _blocks > 0
