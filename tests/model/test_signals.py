"""Change events: every listener hears of a change, whatever another one does."""

import pytest

from meshgui.model.signals import Signal


def fail(fault: BaseException):
    """A listener that raises."""

    def listener(_value: int) -> None:
        raise fault

    return listener


def test_a_listener_that_raises_keeps_no_other_from_hearing():
    """Its error is raised once all others were called."""
    signal: Signal[[int]] = Signal()
    heard: list[int] = []
    fault = ZeroDivisionError("a mistake")
    signal.connect(fail(fault))
    signal.connect(heard.append)
    with pytest.raises(ZeroDivisionError) as raised:
        signal.emit(7)
    assert raised.value is fault
    assert heard == [7]


def test_the_errors_of_several_listeners_are_raised_together():
    """None of them is lost, and every other listener hears."""
    signal: Signal[[int]] = Signal()
    heard: list[int] = []
    faults = [ZeroDivisionError("one"), KeyError("two")]
    for fault in faults:
        signal.connect(fail(fault))
        signal.connect(heard.append)
    with pytest.raises(ExceptionGroup) as raised:
        signal.emit(7)
    assert list(raised.value.exceptions) == faults
    assert heard == [7, 7]


def test_an_interrupt_is_not_held_back():
    """Ctrl+C in a listener ends the work at once."""
    signal: Signal[[int]] = Signal()
    heard: list[int] = []
    signal.connect(fail(KeyboardInterrupt()))
    signal.connect(heard.append)
    with pytest.raises(KeyboardInterrupt):
        signal.emit(7)
    assert heard == []
