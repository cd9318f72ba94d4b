"""Sentences and the names in them, words in them, and the word that was probably meant."""

import pickle

import pytest

from meshgui.engine.basics.nearest import closest, nearest
from meshgui.engine.basics.sentences import (
    JobLink,
    PacketLink,
    Piece,
    Sentence,
    compose,
    job_name,
    joined,
    packet_name,
)
from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.engine.basics.words import (
    count_of,
    counted,
    duration,
    few,
    grouped,
    in_quotes,
    legible,
    plural,
    shortened,
    within,
)


def test_a_sentence_is_its_text_and_keeps_its_names_in_other_processes_and_other_sentences():
    """It compares, prints and is measured as text, names what it names, and keeps that when put together."""
    said = Sentence(job_name(3), " waits for ", packet_name(7, 2), ".")
    assert said == "job 3 waits for packet 7 of job 2."
    assert [piece.link for piece in said.pieces if piece.link] == [JobLink(3), PacketLink(7, 2)]
    said = Sentence("held by ", job_name(3))
    again = pickle.loads(pickle.dumps(said))  # noqa: S301 - its own
    assert (again, again.pieces) == (said, said.pieces)
    said = joined((Sentence(job_name(3), " ", "starts."), "", Sentence("And ", job_name(4), ".")))
    assert said.pieces == (
        Piece("job 3", JobLink(3)),
        Piece(" starts. And "),
        Piece("job 4", JobLink(4)),
        Piece("."),
    )
    assert said.with_capital().pieces[0] == Piece("Job 3", JobLink(3))
    said = compose("{box} is held by {job} for {time:.1f}.", {"box": "(0,0)", "job": job_name(5), "time": 2})
    assert said == "(0,0) is held by job 5 for 2.0."
    assert said.pieces[1] == Piece("job 5", JobLink(5))


@pytest.mark.parametrize(
    ("number", "sentence", "figures"),
    [(0, "no boxes", "0 boxes"), (1, "1 box", "1 box"), (2, "2 boxes", "2 boxes")],
)
def test_things_are_counted_in_one_way(number, sentence, figures):
    """In a sentence none are `no`; in figures 0."""
    assert (counted(number, "box"), count_of(number, "box")) == (sentence, figures)


def test_plurals_and_thousands():
    """Entries and packets; 12 000."""
    assert [plural(thing, 2) for thing in ("entry", "packet", "process")] == [
        "entries",
        "packets",
        "processes",
    ]
    assert grouped(12_000) == "12\u202f000"
    assert [few(n) for n in range(3)] == ["none is", "only 1 is", "only 2 are"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (0.2, "1 s"), (40, "40 s"), (89, "89 s"), (90, "2 min"), (90.5, "2 min"), (91, "2 min"),
     (179, "3 min"), (181, "4 min"), (5399, "90 min"), (5400, "1.5 h"), (7200, "2.0 h")],
)  # fmt: skip
def test_times_are_said_as_people_say_them(seconds, words):
    """Seconds below 90, minutes below 90, then hours; never nothing."""
    assert duration(seconds) == words


def test_a_title_in_a_sentence_begins_small_and_long_words_and_quotes_are_cut():
    """But in German; the first end is twice as long as the last, and quotes have sixty letters at most."""
    assert within("First Fit") == "first Fit"
    with speaking(PSEUDO):
        assert within("First Fit") == "first Fit"
    with speaking("de"):
        assert within("Erste Lücke") == "Erste Lücke"
    cut = legible("a" * 500 + "z" * 500)
    first, last = cut.split("…")
    assert set(first) == {"a"}
    assert set(last) == {"z"}
    assert len(first) + 1 + len(last) < 200
    assert len(first) == 2 * len(last) - 1 or abs(len(first) - 2 * len(last)) <= 2
    assert legible("a" * 20) == "a" * 20
    assert shortened("a" * 60) == "a" * 60
    assert shortened("a" * 61) == "a" * 59 + "…"


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


@pytest.mark.parametrize(("name", "words"), [("en", "“Buddies”"), ("de", "„Buddies“"), ("ar", "«Buddies»")])
def test_a_title_stands_between_the_quotation_marks_of_the_language(name, words):
    """Those of English stood in German and in Arabic sentences."""
    with speaking(name):
        assert in_quotes("Buddies") == words
