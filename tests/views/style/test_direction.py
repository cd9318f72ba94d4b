"""What is read from left to right among Arabic letters."""

import pytest

from meshgui.views.style.direction import isolated


@pytest.mark.parametrize("text", ["1" * 200_000, "1," * 100_000, "1." * 100_000])
def test_digits_alone_are_gone_through_once(text: str):
    """A page of them within the limits once took minutes."""
    assert isolated(f"\u0627 {text}") == f"\u0627 {text}"


def test_a_box_is_kept_in_order():
    """Its places and the sign between them, whatever stands before."""
    assert isolated("\u0627 (0,0,5)–(4,6,7)") == "\u0627 \u2066(0,0,5)–(4,6,7)\u2069"
    assert isolated("\u0627,4×5") == "\u0627,\u20664×5\u2069"
