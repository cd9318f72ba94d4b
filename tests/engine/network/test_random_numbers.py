"""The random numbers of kernels are NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
