"""What is made of a recording once."""

import gc
from weakref import ref

from meshgui.model.base.kept import kept


class Run:
    """What something is made of."""


def test_it_is_made_once_for_each_object_and_goes_with_it():
    """Two objects have two; the first is let go of with what was made of it."""
    made = list[Run]()

    @kept
    def notes(of: Run) -> list[int]:
        made.append(of)
        return []

    first, second = Run(), Run()
    notes(first).append(1)
    assert (notes(first), notes(second)) == ([1], [])
    assert made == [first, second]
    gone, left = ref(first), ref(second)
    made.clear()
    del first
    gc.collect()
    assert (gone(), left()) == (None, second)
