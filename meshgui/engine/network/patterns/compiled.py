"""The patterns whose stages are written by kernels, and the kernel that calls the right one."""

from __future__ import annotations

from typing import Final

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.patterns.all_to_all import AllToAll, write_all_to_all
from meshgui.engine.network.patterns.base import CompiledPattern
from meshgui.engine.network.patterns.fast_fourier_transform import (
    FastFourierTransform,
    write_fast_fourier_transform,
)
from meshgui.engine.network.patterns.multigrid import Multigrid, write_multigrid
from meshgui.engine.network.patterns.n_body import NBody, write_n_body
from meshgui.engine.network.patterns.one_to_all import OneToAll, write_one_to_all
from meshgui.engine.network.patterns.random_pairs import RandomPairs, write_random_pairs

COMPILED: Final[tuple[type[CompiledPattern], ...]] = (  # as menus list them
    OneToAll,
    AllToAll,
    RandomPairs,
    NBody,
    FastFourierTransform,
    Multigrid,
)


@kernel
def write_stage(
    pattern: int, n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints
) -> int:
    """Write a stage of the pattern of that place in COMPILED, as its own kernel does."""
    if pattern == 0:
        return write_one_to_all(n, stage, most, drawn, sources, targets)
    if pattern == 1:
        return write_all_to_all(n, stage, most, drawn, sources, targets)
    if pattern == 2:
        return write_random_pairs(n, stage, most, drawn, sources, targets)
    if pattern == 3:
        return write_n_body(n, stage, most, drawn, sources, targets)
    if pattern == 4:
        return write_fast_fourier_transform(n, stage, most, drawn, sources, targets)
    return write_multigrid(n, stage, most, drawn, sources, targets)
