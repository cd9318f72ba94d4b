"""Ranking of commands by a few typed letters."""

import pytest

from meshgui.views.widgets.matching import match_score, names_a_word

RUN_SDSC = "Run with sdsc: Paragon anchor-block 2D buddy"
SHOW = "Show the network", "Show it, or switch it off."


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        pytest.param("next", ["Next event"], ["Go to the next line"], id="the start of a title"),
        pytest.param("top", ["The top view"], ["Stop the run"], id="a word before a part of one"),
        pytest.param("job", ["Job numbers"], ["Go to end", "The last job finishes."], id="title before help"),
    ],
)
def test_what_fits_better_comes_first(typed, better, worse):
    """And what fits less still fits."""
    assert match_score(typed, *better) > match_score(typed, *worse) > 0


@pytest.mark.parametrize(
    ("typed", "words", "fits"),
    [
        pytest.param("ne", ["Next event"], True, id="initials of two words"),
        pytest.param("lod", ["Light or dark"], True, id="initials of three"),
        pytest.param("next picture", ["Next event", "Goes on."], False, id="a word that fits nowhere"),
        pytest.param("xyz", ["Next event"], False, id="letters that fit nowhere"),
        pytest.param("", ["Next event"], True, id="nothing typed yet"),
        pytest.param("gabl", [RUN_SDSC], True, id="letters here and there"),
        pytest.param("ff", SHOW, False, id="letters inside a word of the help"),
        pytest.param("itch", SHOW, True, id="more letters inside a word of the help"),
        pytest.param("off", SHOW, True, id="a whole word of the help"),
    ],
)
def test_every_word_that_is_typed_must_fit(typed, words, fits):
    """By its first letters, or in the title by letters here and there."""
    assert (match_score(typed, *words) > 0) == fits


def test_letters_here_and_there_fit_only_if_wanted():
    """`gabl` is in "Paragon anchor-block", letter by letter."""
    assert match_score("gabl", RUN_SDSC, letters=False) == 0
    assert match_score("buddy", RUN_SDSC, letters=False) > 0


def test_a_word_that_is_typed_whole_is_named():
    """Or the first three letters of one; two may be initials."""
    gabl = "Run with gabl: Greedy Available Busy List"
    named = [("gabl", gabl), ("gab", gabl), ("ff", "Run with ff: First Fit")]
    assert all(names_a_word(*pair) for pair in named)
    assert not any(
        names_a_word(*pair) for pair in [("ne", "Next event"), ("gabl", RUN_SDSC), ("", "Next event")]
    )
