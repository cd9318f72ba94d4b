"""Attempts are found again by number, position and job, also where they lie in several blocks."""

from meshgui.engine.runs.attempts import _BLOCK, AttemptOutcome, AttemptRecorder

WAITS, PLACED = AttemptOutcome.WAITS, AttemptOutcome.PLACED


def test_a_jobs_attempts_at_one_time_are_found_on_both_sides_of_a_block():
    """The last of one block and the first of the next were made after the same event."""
    recorder = AttemptRecorder()
    for number in range(_BLOCK - 1):
        recorder.add(number, 0, WAITS)
    for outcome in (WAITS, WAITS, PLACED):
        recorder.add(_BLOCK, 7, outcome)
    attempts = recorder.attempts()
    expected = [_BLOCK - 1, _BLOCK, _BLOCK + 1]
    assert attempts.of(7, _BLOCK, _BLOCK) == expected
    assert list(attempts.at(_BLOCK)) == expected
    assert [attempts[number].outcome for number in expected] == [WAITS, WAITS, PLACED]
    assert attempts.next_with(PLACED, 0) == _BLOCK + 1
