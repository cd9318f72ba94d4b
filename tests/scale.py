"""How much a test does: the same few cases at each change, thousands of new ones in `make thorough`."""

import os

from hypothesis import settings

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}


def cases(count: int, *, kernels: bool = True) -> settings:
    """Hypothesis examples: all of the count, or more, where the profile asks for more than usual.

    Else a part, as they are drawn alike each time: a quarter, but of what kernels do a tenth, and a twentieth
    where they are not compiled, with which `make mutants` finds the faults that it seeds.
    """
    asked, usual = settings().max_examples, settings.get_profile("default").max_examples
    if asked > usual and (COMPILED or not kernels):
        return settings(max_examples=max(count, asked))
    part, least = (4, 25) if not kernels else (10, 10) if COMPILED else (20, 5)
    return settings(max_examples=max(count // part, min(count, least)))
