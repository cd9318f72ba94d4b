"""How much a test does: thousands of cases with compiled kernels, fewer where they run as plain Python."""

import os

from hypothesis import settings

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}


def cases(count: int, *, kernels: bool = True) -> settings:
    """So many Hypothesis examples, more if the profile asks for more than usual.

    A twentieth where kernels take most of the time and are not compiled.
    """
    if kernels and not COMPILED:
        return settings(max_examples=max(count // 20, 5))
    asked, usual = settings().max_examples, settings.get_profile("default").max_examples
    return settings(max_examples=max(count, asked) if asked > usual else count)
