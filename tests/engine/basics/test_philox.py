"""The kernel's random numbers are NumPy's."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from meshgui.engine.basics.philox import draw_four

pytestmark = pytest.mark.kernel
KEYS = st.integers(0, 2**63 - 1)


@given(key=KEYS, other_key=KEYS, fours=st.integers(1, 8))
@example(key=0, other_key=0, fours=8)
@example(key=2**63 - 1, other_key=2**63 - 1, fours=8)
def test_every_stream_is_that_of_numpy(key, other_key, fours):
    """Whatever the two keys and however far into the stream."""
    drawn = [int(number) for place in range(fours) for number in draw_four(key, other_key, place)]
    stream = np.random.Philox(key=np.array((key, other_key), dtype=np.uint64))
    assert drawn == stream.random_raw(4 * fours).tolist()
