"""The English article before a number is that of its first word."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.engine.basics.words import before_numbers


@pytest.mark.parametrize("number", ["8×1", "11×16", "18", "80×2", "85", "800", "8000", "11000", "18000×4"])
def test_an_stands_before_a_vowel(number):
    """Eight, eleven, eighteen, eighty, and as many hundreds or thousands."""
    assert before_numbers(f"in a {number} box") == f"in an {number} box"


@pytest.mark.parametrize("number", ["1×8", "2", "10", "12", "17", "110×2", "118", "1100", "1800", "100"])
def test_a_stands_before_a_consonant(number):
    """One, two, ten; a hundred and ten begins with one, as eleven hundred is a thousand and one hundred."""
    assert before_numbers(f"a {number} box") == f"a {number} box"


def test_other_languages_have_no_such_article():
    """A word that is spelt a stays."""
    with speaking("de"):
        assert before_numbers("a 8×1") == "a 8×1"
