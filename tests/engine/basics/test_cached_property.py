"""A property that one thread computes does not hold up another one."""

import threading

from meshgui.engine.basics.cached_property import cached_property


class Slow:
    """Has a property that waits until it is let go."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate, self.begun = gate, threading.Event()
        self.computed = 0

    @cached_property
    def answer(self) -> bool:
        """Whether it was let go."""
        self.computed += 1
        self.begun.set()
        return self.gate.wait(60)


def test_another_object_s_property_is_computed_meanwhile():
    """Each is computed once, and kept."""
    closed, opened = threading.Event(), threading.Event()
    opened.set()
    slow, quick = Slow(closed), Slow(opened)
    thread = threading.Thread(target=lambda: slow.answer, daemon=True)
    thread.start()
    assert slow.begun.wait(60)
    other = threading.Thread(target=lambda: quick.answer, daemon=True)
    other.start()
    other.join(30)
    assert not other.is_alive()
    closed.set()
    thread.join()
    assert (slow.answer, quick.answer, slow.computed, quick.computed) == (True, True, 1, 1)
    assert isinstance(Slow.answer, cached_property)
