"""The signals of models: what happens to listeners when one of them fails."""

import pytest

from meshgui.model.base.signals import Signal


def fail(fault: BaseException):
    """A listener that raises."""

    def listener(_value: int) -> None:
        raise fault

    return listener


ONE, TWO = ZeroDivisionError("one"), KeyError("two")


@pytest.mark.parametrize(
    ("faults", "raised", "heard"),
    [
        ([ONE], ZeroDivisionError, [7]),
        ([ONE, TWO], ExceptionGroup, [7, 7]),
        ([KeyboardInterrupt()], KeyboardInterrupt, []),
    ],
    ids=["one", "several", "an interrupt"],
)
def test_a_listener_that_raises_keeps_no_other_from_hearing(faults, raised, heard):
    """Its error is raised once all others were called, those of several together; Ctrl+C ends all at once."""
    signal: Signal[[int]] = Signal()
    seen: list[int] = []
    for fault in faults:
        signal.connect(fail(fault))
        signal.connect(seen.append)
    with pytest.raises(raised) as caught:
        signal.emit(7)
    assert list(getattr(caught.value, "exceptions", [caught.value])) == faults
    assert seen == heard
