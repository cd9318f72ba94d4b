"""How much a test does: the same few cases at each change, thousands of new ones in `make thorough`."""

import os

from hypothesis import settings

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}


def cases(count: int, *, kernels: bool = True) -> settings:
    """Hypothesis examples: all of the count, or more, where the profile asks for more than usual.

    Else a quarter, as they are drawn alike each time; a twentieth where kernels take most of the time and are
    not compiled.
    """
    asked, usual = settings().max_examples, settings.get_profile("default").max_examples
    if kernels and not COMPILED:
        return settings(max_examples=max(count // 20, 5))
    return settings(max_examples=max(count, asked) if asked > usual else max(count // 4, min(count, 25)))
