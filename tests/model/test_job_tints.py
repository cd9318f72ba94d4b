"""Jobs that touch or run together look different, and a job looks the same at every moment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.job_tints import ALIKE, HUE_COUNT, PATTERN_COUNT, choose_tints, job_tints
from tests.scenarios import scenario


def scenario_of(allocator="random", shape=(8, 8), jobs=60, load=12.0, seed=1):
    """A busy machine."""
    return scenario(shape, allocator, jobs, load, seed)


def touching(recording, job, others):
    """Those of the other jobs a box of which touches one of the job's, at a face, an edge or a corner."""
    mine = np.array([tuple(box) for box in recording.boxes_of(job)])
    found = set()
    for other in others:
        theirs = np.array([tuple(box) for box in recording.boxes_of(other)])
        apart = mine[:, None, :3] > theirs[None, :, :3] + theirs[None, :, 3:]
        apart |= theirs[None, :, :3] > mine[:, None, :3] + mine[:, None, 3:]
        if (~apart.any(axis=2)).any():
            found.add(other)
    return found


@settings(max_examples=25, deadline=None)
@given(
    allocator=st.sampled_from(["random", "ff", "mbs", "gabl"]),
    load=st.floats(2.0, 60.0),
    seed=st.integers(0, 1000),
    shape=st.sampled_from([(8, 8), (16, 8), (5, 3)]),
)
def test_neighbours_and_jobs_that_run_together_differ(allocator, load, seed, shape):
    """By hue as long as one is left, from the neighbours first; by pattern where the hue is shared."""
    recording = simulate(scenario_of(allocator, shape, load=load, seed=seed))
    tints = job_tints(recording)
    for job in np.flatnonzero(recording.started < len(recording)).tolist():
        running = recording.snapshot(int(recording.started[job])).running
        hues = set((tints[running] % HUE_COUNT).tolist())
        hue = int(tints[job]) % HUE_COUNT
        near = {int(tints[other]) % HUE_COUNT for other in touching(recording, job, running.tolist())}
        assert hue not in near or len(near) == HUE_COUNT
        assert hue not in hues or len(hues) == HUE_COUNT or not set(range(HUE_COUNT)) - hues - near
        alike = [other for other in running.tolist() if tints[other] % HUE_COUNT == hue]
        assert tints[job] not in tints[alike] or len(alike) >= PATTERN_COUNT


def test_a_tint_never_changes_once_its_job_has_started():
    """While a run grows its jobs keep what they were given; the end has the same as a run seen only then."""
    simulation, seen = Simulation(scenario_of()), {}
    while simulation.step():
        part = simulation.recording()
        tints = job_tints(part)
        for job in np.flatnonzero(part.started < len(part)).tolist():
            assert seen.setdefault(job, int(tints[job])) == tints[job]
    whole = simulate(scenario_of())
    assert {job: int(job_tints(whole)[job]) for job in seen} == seen


def test_jobs_after_one_another_have_the_hues_in_order_where_nothing_speaks_against_it():
    """Alone on the machine each job has the hue of its number, which differs from those of the next ones."""
    recording = simulate(scenario_of("ff", load=0.001, jobs=20))
    assert job_tints(recording).tolist() == [job % HUE_COUNT for job in range(20)]


@pytest.mark.kernel
def test_the_kernel_chooses_as_its_naive_twin_does():
    """The same tints as by the rule in words, on blocks that lie scattered."""
    recording = simulate(scenario_of(load=40.0))
    expected = {}
    for job in np.argsort(recording.started, kind="stable").tolist():
        if recording.started[job] >= len(recording):
            break
        running = recording.snapshot(int(recording.started[job])).running.tolist()
        near = {expected[other] % HUE_COUNT for other in touching(recording, job, running)}
        used = [expected[other] for other in running]
        counts = [sum(tint % HUE_COUNT == hue for tint in used) for hue in range(HUE_COUNT)]

        def cost(hue, near=near, counts=counts):
            beside = sum(ALIKE[hue][other] for other in near)
            away = sum(ALIKE[hue][other] for other in range(HUE_COUNT) if counts[other] and other not in near)
            return hue in near, counts[hue], 20 * beside + away

        hue = min(((job + step) % HUE_COUNT for step in range(HUE_COUNT)), key=cost)
        expected[job] = min(range(hue, HUE_COUNT * PATTERN_COUNT, HUE_COUNT), key=used.count)
    tints = np.arange(len(recording.jobs)) % HUE_COUNT
    w, d, h = recording.mesh.extents
    boxes = recording.first_box, recording.box_count, recording.boxes
    owners, counts = np.full((h, d, w), -1), np.zeros(HUE_COUNT * PATTERN_COUNT, dtype=np.int64)
    choose_tints(recording.kinds, recording.event_jobs, *boxes, ALIKE, owners, counts, tints)
    assert {job: int(tints[job]) for job in expected} == expected
