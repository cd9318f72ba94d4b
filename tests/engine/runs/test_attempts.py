"""Attempts kept in compressed blocks are read as they were recorded."""

import random

import numpy as np
import pytest

from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.runs.attempts import _BLOCK, Attempt, AttemptRecorder, Attempts

JOBS = 40


def made(count):
    """So many attempts, some with several at one position, some positions with more than a block holds."""
    chosen, position = random.Random(count), 0
    attempts = []
    while len(attempts) < count:
        position += chosen.choice((1, 1, 1, 2, 50))
        tried = chosen.choice((1, 3, 30, 30, 5000 if chosen.random() < 0.1 else 1))
        outcomes = (AttemptOutcome(chosen.randrange(3)) for _ in range(tried))
        attempts += [Attempt(position, chosen.randrange(JOBS), outcome) for outcome in outcomes]
    return attempts[:count]


def recorded(attempts):
    """The recorder that was given them all."""
    recorder = AttemptRecorder()
    recorder.extend(rows_of(attempts))
    return recorder


def rows_of(attempts):
    """Attempts as the loop hands them on."""
    return np.array(attempts, dtype=np.int32).reshape(-1, 3)


@pytest.mark.parametrize("count", [0, 1, 100, 4095, 4096, 4097, 30_000])
def test_attempts_are_read_as_they_were_recorded(count):
    """One by one, by their place from either end, at a position, and of a job."""
    attempts = made(count)
    kept = recorded(attempts).attempts()
    assert len(kept) == count
    assert list(kept) == attempts
    assert kept[-3:] == attempts[-3:]
    assert kept.nbytes < 12 * count + 100
    last = attempts[-1].position if attempts else 5
    for position in {0, *random.Random(1).choices(range(last + 2), k=50), last}:
        numbers = kept.at(position)
        assert [attempts[n] for n in numbers] == [one for one in attempts if one.position == position]
        assert numbers.start == sum(one.position < position for one in attempts)
    for job in (0, JOBS - 1):
        numbers = [n for n, attempt in enumerate(attempts) if attempt.job == job]
        assert kept.of(job, 0, last) == numbers
        if numbers:
            first, latest = attempts[numbers[0]].position, attempts[numbers[-1]].position
            assert kept.of(job, first, latest) == numbers


def test_what_was_published_stays_as_it_was():
    """Later ones are in later publications alone; one block may end within a time."""
    attempts = made(9000)
    recorder = recorded(attempts[:5000])
    published = recorder.attempts()
    recorder.extend(rows_of(attempts[5000:5001]))
    recorder.extend(rows_of(attempts[5001:]))
    assert list(published) == attempts[:5000]
    assert list(recorder.attempts()) == attempts
    waits, placed = AttemptOutcome.WAITS, AttemptOutcome.PLACED
    before = [(number, 0, waits) for number in range(_BLOCK - 1)]
    attempts = recorded(before + [(_BLOCK, 7, outcome) for outcome in (waits, waits, placed)]).attempts()
    expected = [_BLOCK - 1, _BLOCK, _BLOCK + 1]
    assert attempts.of(7, _BLOCK, _BLOCK) == expected
    assert list(attempts.at(_BLOCK)) == expected
    assert [attempts[number].outcome for number in expected] == [waits, waits, placed]
    assert attempts.next_with(placed, 0) == _BLOCK + 1


def test_the_next_attempt_with_an_outcome_is_found_and_there_is_no_attempt_behind_the_last():
    """From any number on, of any job or of one, across blocks; none behind the last."""
    attempts = made(9000)
    kept = recorded(attempts).attempts()
    for first in (0, 1, 4095, 4096, 4100, 8999):
        for job in (None, 0, 7):
            for outcome in AttemptOutcome:
                fits = (
                    n
                    for n, one in enumerate(attempts)
                    if n >= first and one.outcome == outcome and job in {None, one.job}
                )
                assert kept.next_with(outcome, first, job) == next(fits, None)
    with pytest.raises(IndexError):
        recorded(made(3)).attempts()[3]
    with pytest.raises(IndexError):
        Attempts()[0]
