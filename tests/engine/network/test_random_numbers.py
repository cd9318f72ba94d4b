"""The random numbers of kernels are NumPy's."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from meshgui.engine.basics.philox import draw_four
from meshgui.engine.network.random_numbers import PARTS, draw, seed_generator, words_of
from tests.scale import cases

pytestmark = pytest.mark.kernel


@cases(2000)
@given(numbers=st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**70)), min_size=1, max_size=7))
def test_a_stream_is_that_of_numpy_with_the_same_seed(numbers):
    """Number for number, from seeds of one word to more than NumPy's pool holds."""
    generator = np.zeros(PARTS, dtype=np.uint64)
    seed_generator(words_of(*numbers), generator)
    numpys = np.random.Generator(np.random.PCG64(np.random.SeedSequence(numbers)))
    assert [draw(generator) for _ in range(20)] == numpys.random(20).tolist()


KEYS = st.integers(0, 2**63 - 1)


@given(key=KEYS, other_key=KEYS, fours=st.integers(1, 8))
@example(key=0, other_key=0, fours=8)
@example(key=2**63 - 1, other_key=2**63 - 1, fours=8)
def test_every_stream_is_that_of_numpy(key, other_key, fours):
    """Whatever the two keys and however far into the stream."""
    drawn = [int(number) for place in range(fours) for number in draw_four(key, other_key, place)]
    stream = np.random.Philox(key=np.array((key, other_key), dtype=np.uint64))
    assert drawn == stream.random_raw(4 * fours).tolist()
