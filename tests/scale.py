"""How much a test does: thousands of cases with compiled kernels, fewer where they run as plain Python."""

import os

from hypothesis import settings

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}


def cases(count: int) -> settings:
    """At least so many Hypothesis examples, more if the profile asks for more; a twentieth uncompiled."""
    if not COMPILED:
        return settings(max_examples=max(count // 20, 5))
    return settings(max_examples=max(count, settings().max_examples))
