"""Words in a sentence: titles in small letters, and what is quoted cut to a readable length."""

from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.engine.basics.words import legible, shortened, within


def test_a_title_in_a_sentence_begins_small():
    """But in German, which writes its nouns with capitals everywhere."""
    assert within("First Fit") == "first Fit"
    with speaking(PSEUDO):
        assert within("First Fit") == "first Fit"
    with speaking("de"):
        assert within("Erste Lücke") == "Erste Lücke"


def test_of_a_long_word_both_ends_are_kept_and_a_quoted_text_has_at_most_sixty_letters():
    """The first twice as long as the last; of a quoted text of more than sixty letters the first."""
    cut = legible("a" * 500 + "z" * 500)
    first, last = cut.split("…")
    assert set(first) == {"a"}
    assert set(last) == {"z"}
    assert len(first) + 1 + len(last) < 200
    assert len(first) == 2 * len(last) - 1 or abs(len(first) - 2 * len(last)) <= 2
    assert legible("a" * 20) == "a" * 20
    assert shortened("a" * 60) == "a" * 60
    assert shortened("a" * 61) == "a" * 59 + "…"
