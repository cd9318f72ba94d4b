"""Writes the time: as a cycle in a run with a network, otherwise as a number."""

from __future__ import annotations

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import Recording


def clock_words(recording: Recording, time: float) -> str:
    """`cycle 1284` in a run with a network; what lies between two cycles, and any other run, as `t 12.40`."""
    if recording.network is not None and time == int(time):
        return tr("cycle {cycle}").format(cycle=int(time))
    return f"t {formatted(time, '.2f')}"


def time_words(time: float) -> str:
    """A time within a title or a sentence: whole to the hundredth, without the zeros of the clock."""
    return formatted(round(time, 2), ".12g")


def at_time(what: str, time: float, *, in_cycles: bool = False) -> str:
    """What is shown of a moment, in words: Mesh at 12.4, or in a run with a network Mesh at cycle 74."""
    return tr("{what} at {time}").format(what=what, time=_time_or_cycle(time, in_cycles=in_cycles))


def between_times(what: str, first: float, last: float, *, in_cycles: bool = False) -> str:
    """What is shown of some time: film from 12.4 to 376.2; of a moment as of any other."""
    begin, end = (_time_or_cycle(time, in_cycles=in_cycles) for time in (first, last))
    if begin == end:
        return at_time(what, first, in_cycles=in_cycles)
    return tr("{what} from {begin} to {end}").format(what=what, begin=begin, end=end)


def _time_or_cycle(time: float, *, in_cycles: bool) -> str:
    if in_cycles and time == int(time):
        return tr("cycle {cycle}").format(cycle=int(time))
    return time_words(time)


def over_time(what: str, recording: Recording) -> str:
    """What is of a whole run, in words: page from 0 to 376.2, or in a run with a network page to cycle 85."""
    end = recording.end_time
    if recording.network is not None and end == int(end):
        return tr("{what} to cycle {cycle}").format(what=what, cycle=int(end))
    return tr("{what} from 0 to {time}").format(what=what, time=time_words(end))


def longest_clock_words(recording: Recording) -> str:
    """The longest text that any time of the run has."""
    end = recording.end_time
    return max(f"t {formatted(end, '.2f')}", clock_words(recording, float(int(end))), key=len)
