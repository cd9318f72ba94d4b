"""Philox4x64-10: random numbers that follow from a key and a place alone, as NumPy's `Philox` draws them.

J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Products and sums are made of
halves, so that they wrap silently where Numba is switched off, too.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.basics.kernel import kernel

_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_NONE = np.uint64(0)
_FIRST, _SECOND = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)  # multipliers
_BUMP, _OTHER_BUMP = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)  # of the keys
_ROUNDS = 10


@kernel
def _sum(a: np.uint64, b: np.uint64) -> np.uint64:
    """The sum modulo 2⁶⁴."""
    low = (a & _LOW) + (b & _LOW)
    return (((a >> _HALF) + (b >> _HALF) + (low >> _HALF)) << _HALF) | (low & _LOW)


@kernel
def _product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The product: (its upper, its lower 64 bits)."""
    low = (a & _LOW) * (b & _LOW)
    one = (a >> _HALF) * (b & _LOW) + (low >> _HALF)
    other = (a & _LOW) * (b >> _HALF) + (one & _LOW)
    return (a >> _HALF) * (b >> _HALF) + (one >> _HALF) + (other >> _HALF), (other << _HALF) | (low & _LOW)


@kernel
def draw_four(key: int, other_key: int, place: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The four numbers at a place, counted from 0, of the stream with these keys."""
    one, other = np.uint64(key), np.uint64(other_key)
    a, b, c, d = np.uint64(place + 1), _NONE, _NONE, _NONE
    for _ in range(_ROUNDS):
        upper, lower = _product(_FIRST, a)
        other_upper, other_lower = _product(_SECOND, c)
        a, b, c, d = other_upper ^ b ^ one, other_lower, upper ^ d ^ other, lower
        one, other = _sum(one, _BUMP), _sum(other, _OTHER_BUMP)
    return a, b, c, d
