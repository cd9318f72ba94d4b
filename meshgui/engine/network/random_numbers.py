"""NumPy's random numbers in compiled code: the stream of `Generator(PCG64(SeedSequence(words)))`.

A job's messages are drawn from a stream of its own. To make NumPy's generator takes longer than to draw and
send a few messages, and a kernel cannot make one at all.

Numbers of 32, 64 and 128 bits are handled in parts of 32 bits, the lowest first, so that no product overflows
64 bits: the same code then runs compiled and as plain Python.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel

Words = NDArray[np.uint64]

PARTS: Final = 8  # of a generator: four of its state, four of its increment

_MASK = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_16 = np.uint64(16)
# M. E. O'Neill's seed_seq as NumPy has it
_POOL: Final = 4
_START_IN, _FACTOR_IN = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_START_OUT, _FACTOR_OUT = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_MIX_LEFT, _MIX_RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_WHOLE = np.uint64(1 << 32)
# PCG64: the multiplier of the linear congruence, and the last step of its output (XSL-RR)
_MULTIPLIER = np.array([0x9FCCF645, 0x4385DF64, 0x1FC65DA4, 0x2360ED05], dtype=np.uint64)
_ROTATE, _LOW, _64 = np.uint64(58), np.uint64(63), np.uint64(64)
_DROPPED = np.uint64(11)
_UNIT: Final = 2.0**-53


def words_of(*numbers: int) -> Words:
    """Numbers in words of 32 bits, the lowest first, as NumPy's SeedSequence takes them."""
    words = [number >> 32 * i & 0xFFFFFFFF for number in numbers for i in range(_count(number))]
    return np.array(words, dtype=np.uint64)


def _count(number: int) -> int:
    return max(1, -(-number.bit_length() // 32))


@kernel
def hashed(value: np.uint64, factor: np.uint64, following: np.uint64) -> np.uint64:
    """One word hashed; `following` is the factor for the next word."""
    value = (value ^ factor) * following & _MASK
    return value ^ value >> _16


@kernel
def mixed(left: np.uint64, right: np.uint64) -> np.uint64:
    """Two words mixed."""
    value = (_MIX_LEFT * left + (_WHOLE - (_MIX_RIGHT * right & _MASK))) & _MASK
    return value ^ value >> _16


@kernel
def seed_generator(words: Words, generator: Words) -> None:
    """Start a generator from the words of its seed."""
    pool = np.zeros(_POOL, dtype=np.uint64)
    factor = _START_IN
    for i in range(_POOL):
        following = factor * _FACTOR_IN & _MASK
        pool[i] = hashed(words[i] if i < words.size else pool[i], factor, following)
        factor = following
    for source in range(max(_POOL, words.size)):
        for target in range(_POOL):
            if source != target:
                following = factor * _FACTOR_IN & _MASK
                word = pool[source] if source < _POOL else words[source]
                pool[target] = mixed(pool[target], hashed(word, factor, following))
                factor = following
    out = np.empty(PARTS, dtype=np.uint64)
    factor = _START_OUT
    for i in range(PARTS):
        following = factor * _FACTOR_OUT & _MASK
        out[i] = hashed(pool[i % _POOL], factor, following)
        factor = following
    # NumPy hands on four words of 64 bits: the high and the low half of the state, then of the increment.
    carry = np.uint64(1)
    for i in range(4):
        start, step = out[(i + 2) % 4], out[4 + (i + 2) % 4]
        generator[i] = start
        generator[4 + i] = (step << np.uint64(1) & _MASK) | carry
        carry = step >> np.uint64(31)
    # The state begins as the increment; the seed is added, then comes one step.
    carry = np.uint64(0)
    for i in range(4):
        total = generator[i] + generator[4 + i] + carry
        generator[i] = total & _MASK
        carry = total >> _32
    advance_generator(generator)


@kernel
def advance_generator(generator: Words) -> None:
    """Go on to the next state: the state times the multiplier, plus the increment."""
    first, second, third, fourth = generator[0], generator[1], generator[2], generator[3]
    carry = np.uint64(0)
    for i in range(4):
        # What has been carried so far is in `carry`, and may take more than 32 bits.
        low, high = generator[4 + i] + (carry & _MASK), carry >> _32
        for j in range(i + 1):
            part = first if j == 0 else second if j == 1 else third if j == 2 else fourth
            product = part * _MULTIPLIER[i - j]
            low += product & _MASK
            high += product >> _32
        generator[i] = low & _MASK
        carry = high + (low >> _32)


@kernel
def draw(generator: Words) -> float:
    """The next number from 0 up to 1."""
    advance_generator(generator)
    high = generator[3] << _32 | generator[2]
    value = high ^ (generator[1] << _32 | generator[0])
    turn = high >> _ROTATE
    value = value >> turn | value << (_64 - turn & _LOW)
    return float(value >> _DROPPED) * _UNIT
