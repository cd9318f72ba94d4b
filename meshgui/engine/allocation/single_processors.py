"""The base of strategies that give processors one by one."""

from __future__ import annotations

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.held_processors import HeldProcessorsStrategy


class SingleProcessorsStrategy(HeldProcessorsStrategy):
    """Gives a job just as many processors as it asks for, each of them a box, if this many are free."""

    contiguous = False
    any_shape = True
    rotates = False
    fails_until_release = True
    options_model = BlockOptions
