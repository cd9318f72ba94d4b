"""The first difference between runs: the earliest moment, found as by looking at every moment of each."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box
from meshgui.engine.runs.simulation import simulate
from meshgui.model.divergence import Divergence, divergence_sentence, first_divergence, share_jobs
from tests.runs import first_events
from tests.scenarios import SCHEDULERS, scenario

CHOICES = [("ff", 0), ("tbl", 0), ("bl", 3), ("mbs", 0), ("gabl", 5), ("random", 0)]


def run(choice, seed=1):
    """A small run under load."""
    name, order = choice
    return simulate(scenario((6, 5), name, 25, seed=seed, scheduler=SCHEDULERS[order]))


def started_by(recording, time):
    """The jobs that have started by a time, with their boxes."""
    position = recording.position_at(time)
    jobs = range(len(recording.jobs))
    return {job: set(recording.boxes_of(job)) for job in jobs if recording.started[job] < position}


def brute(recordings):
    """Job and time of the first difference, by comparing the state of all jobs at every moment."""
    for time in sorted({time for recording in recordings for time in recording.times.tolist()}):
        states = [started_by(recording, time) for recording in recordings]
        for job in range(len(recordings[0].jobs)):
            if any(state.get(job) != states[0].get(job) for state in states[1:]):
                return job, time
    return None


@pytest.mark.parametrize("choices", [CHOICES[:2], CHOICES[1:4], CHOICES[:4], [CHOICES[4], CHOICES[1]]])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_found_as_by_looking_at_every_moment(choices, seed):
    """Two to four strategies and disciplines on the same jobs."""
    recordings = [run(choice, seed) for choice in choices]
    found = first_divergence(recordings)
    assert (found and (found.job, found.time)) == brute(recordings)
    assert share_jobs(recordings)


def test_equal_runs_have_none_and_seeds_draw_other_jobs():
    """One run, the same run twice, and no run; of two seeds no job is the same in both runs."""
    one, same, other = run(CHOICES[0]), run(CHOICES[0]), run(CHOICES[0], 2)
    assert [first_divergence(runs) for runs in ([one, same], [one], [])] == [None] * 3
    assert not share_jobs([one, other])
    assert first_divergence([one, other]) is not None


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 75), st.integers(0, 75))
def test_runs_in_progress_are_compared_as_far_as_they_have_gone(first, second):
    """What is found early is what is found at the end; nothing is found that is not sure yet."""
    whole = [run(CHOICES[0]), run(CHOICES[3])]
    in_the_end = first_divergence(whole)
    counts = [min(count, len(one)) for count, one in zip((first, second), whole, strict=True)]
    parts = [first_events(one, count) for one, count in zip(whole, counts, strict=True)]
    found = first_divergence(parts)
    known = min((part.end_time for part in parts if not part.complete), default=inf)
    if in_the_end.time < known:
        assert (found.job, found.time) == (in_the_end.job, in_the_end.time)
    else:
        assert found is None


BOX, OTHER = Box(0, 0, 0, 2, 2, 1), Box(2, 0, 0, 2, 2, 1)


@pytest.mark.parametrize(
    ("starts", "boxes", "said"),
    [
        ((42.0, 51.0), ((BOX,), (BOX,)), "at 42 with tbl and at 51 with ff."),
        ((42.0, 51.0, 51.0), ((BOX,),) * 3, "at 42 with tbl, and at 51 with ff and mbs."),
        ((42.0, 42.0), ((BOX,), (OTHER,)), "at 42 in (0,0)–(1,1) with tbl and (2,0)–(3,1) with ff."),
        (
            (42.0, 42.0, 42.0),
            ((BOX,), (OTHER,), (BOX, OTHER)),
            "at 42 in (0,0)–(1,1) with tbl, (2,0)–(3,1) with ff, and 2 boxes with mbs.",
        ),
        ((1.0, inf), ((BOX,), ()), "at 1 with tbl and never with ff."),
    ],
)
def test_it_is_said_in_a_sentence(starts, boxes, said):
    """Times where they differ, else the boxes; runs that do the same are named together."""
    found = Divergence(17, min(starts), starts, boxes)
    sentence = divergence_sentence(found, ("tbl", "ff", "mbs")[: len(starts)], flat=True)
    assert sentence == f"Job 17 starts {said}"
