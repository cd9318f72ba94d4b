"""Ranking of commands by a few typed letters."""

from meshgui.views.widgets.matching import match_score


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
