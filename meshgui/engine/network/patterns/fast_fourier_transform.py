"""The pattern 2D FFT."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_fast_fourier_transform(
    n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints
) -> int:
    """Write the butterfly over 2 to the power of `stage` processes."""
    span = 1 << stage
    written = min(n, most) if span < n else 0
    for i in range(written):
        sources[i] = i
        targets[i] = i ^ span
    return written


class FastFourierTransform(CompiledPattern):
    """A two-dimensional transform: butterflies over 1, 2, 4 … processes, along the rows, then across them."""

    id = "fft"
    title = "2D FFT"
    powers_of_two = True
    write_stage = write_fast_fourier_transform
