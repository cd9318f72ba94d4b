"""The word that was probably meant."""

from meshgui.experiment.nearest import closest, nearest

WORDS = ("gabl", "paging", "first-fit", "first-fits")


def test_the_most_similar_word_is_proposed_and_a_very_long_word_is_not_compared():
    """Nothing where none is similar; a very long word is not compared, as nothing known is as long."""
    assert closest("frst-fit", WORDS) == "first-fit"
    assert closest("pagin", WORDS) == "paging"
    assert closest("entirely", WORDS) is None
    assert nearest("pagin", WORDS) == ": did you mean paging?"
    assert nearest("entirely", WORDS) == ""
    assert closest("x" * 101, ["x" * 101]) is None
    assert closest("x" * 100, ["x" * 100]) == "x" * 100
