"""The boxes of an answer are checked against the mesh, reserved ones too."""

import pytest

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.guard import StrategyError
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.runs.audit import Audit


def test_a_reserved_box_lies_inside_the_mesh():
    """As one that is given does."""
    audit = Audit("mine", Mesh((4, 4)))
    with pytest.raises(StrategyError, match="which is not inside the mesh"):
        audit.reserve(1, Reservation(Box(3, 3, 0, 2, 2, 1)))
    assert audit.reserved == set()
    audit.reserve(1, Reservation(Box(2, 2, 0, 2, 2, 1)))
    assert audit.reserved == {1}
