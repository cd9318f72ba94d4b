"""The boxes of an answer are checked against the mesh, reserved ones too."""

import numpy as np
import pytest

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.runs.audit import Audit, mark


def test_a_reserved_box_lies_inside_the_mesh():
    """As one that is given does."""
    audit = Audit("mine", Mesh((4, 4)))
    with pytest.raises(StrategyError, match="which is not inside the mesh"):
        audit.reserve(1, Reservation(Box(3, 3, 0, 2, 2, 1)))
    assert audit.reserved == set()
    audit.reserve(1, Reservation(Box(2, 2, 0, 2, 2, 1)))
    assert audit.reserved == {1}


@pytest.mark.parametrize("box", [(0, 0, 0, 0, 2, 2), (0, 0, 0, 2, 0, 2), (0, 0, 0, 2, 2, 0)])
def test_a_box_without_processors_is_no_box(box):
    """Nothing is marked, and it is refused."""
    occupied = np.full((2, 2, 2), False)
    assert not mark(occupied, *box, True)
    assert not occupied.any()
    with pytest.raises(StrategyError, match="which is not inside the mesh"):
        Audit("mine", Mesh((2, 2, 2))).take(1, (1, 1, 1), (Box(*box),))
