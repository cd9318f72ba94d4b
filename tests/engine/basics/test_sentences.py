"""Sentences: text that knows which of its words name a job, a packet or a channel."""

import pickle

import pytest

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
from meshgui.engine.basics.words import counted, duration, few, grouped, plural, so_many


def test_a_sentence_is_its_text_and_a_sentence_comes_back_whole_from_another_process():
    """It compares, prints and is measured as text, and names what it names, in another process as well."""
    said = Sentence(job_name(3), " waits for ", packet_name(7, 2), ".")
    assert said == "job 3 waits for packet 7 of job 2."
    assert [piece.link for piece in said.pieces if piece.link] == [JobLink(3), PacketLink(7, 2)]
    said = Sentence("held by ", job_name(3))
    again = pickle.loads(pickle.dumps(said))  # noqa: S301 - its own
    assert (again, again.pieces) == (said, said.pieces)


def test_sentences_are_put_together_without_losing_names():
    """Text between names is one piece; a capital changes the first word alone."""
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
    assert (counted(number, "box"), so_many(number, "box")) == (sentence, figures)


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
