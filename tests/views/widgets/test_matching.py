"""Ranking of commands by a few typed letters."""

from meshgui.views.widgets.matching import match_score, names_a_word


def test_the_start_of_a_title_beats_its_middle():
    """Typing `next` prefers "Next event" to "Go to the next line"."""
    assert match_score("next", "Next event") > match_score("next", "Go to the next line") > 0


def test_a_word_beats_a_part_of_a_word():
    """`top` fits "The top view" better than "Stop the run"."""
    assert match_score("top", "The top view") > match_score("top", "Stop the run") > 0


def test_title_beats_help():
    """A word in the title counts more than the same word in the help."""
    assert match_score("job", "Job numbers") > match_score("job", "Go to end", "The last job finishes.") > 0


def test_initials_fit():
    """The first letters of the words are enough."""
    assert match_score("ne", "Next event") > 0
    assert match_score("lod", "Light or dark") > 0


def test_every_word_must_fit():
    """One word that fits nowhere rules the command out."""
    assert match_score("next picture", "Next event", "Goes on.") == 0
    assert match_score("xyz", "Next event") == 0


def test_an_empty_query_fits_everything():
    """Before anything is typed every command is listed."""
    assert match_score("", "Next event") > 0


def test_a_word_that_is_typed_whole_is_named():
    """Or the first three letters of one; two may be initials."""
    assert names_a_word("gabl", "Run with gabl: Greedy Available Busy List")
    assert names_a_word("gab", "Run with gabl: Greedy Available Busy List")
    assert names_a_word("ff", "Run with ff: First Fit")
    assert not names_a_word("ne", "Next event")
    assert not names_a_word("gabl", "Run with sdsc: Paragon anchor-block 2D buddy")
    assert not names_a_word("", "Next event")


def test_letters_here_and_there_fit_only_if_wanted():
    """`gabl` is in "Paragon anchor-block", letter by letter."""
    title = "Run with sdsc: Paragon anchor-block 2D buddy"
    assert match_score("gabl", title) > 0
    assert match_score("gabl", title, letters=False) == 0
    assert match_score("buddy", title, letters=False) > 0


def test_a_few_letters_begin_a_word_of_the_help():
    """`ff` is in "off", and does not mean it."""
    assert match_score("ff", "Show the network", "Show it, or switch it off.") == 0
    assert match_score("off", "Show the network", "Show it, or switch it off.") > 0
    assert match_score("itch", "Show the network", "Show it, or switch it off.") > 0
