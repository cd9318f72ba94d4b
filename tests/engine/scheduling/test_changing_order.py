"""A discipline may change the order of the queue over time: what was recorded is the order that was."""

import random
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.measures import external_fragmentation_steps, summary
from meshgui.engine.runs.queue_heads import queue_heads
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling.disciplines import FirstComeFirstServed, SmallestJobFirst
from meshgui.model.jobs.job_tables import WAITING_COLUMNS, JobRows
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.tables.columns import export
from tests.networks import sending
from tests.runs import same_snapshot
from tests.scenarios import SCHEDULERS, listed, scenario

AGEING = {"name": "ageing", "options": {"patience": 3.0}}


@pytest.fixture
def watched(ageing):
    """A run under load in which old jobs overtake small ones, and its queue as it was."""
    simulation, seen = Simulation(scenario((8, 8), "tbl", jobs=300, load=4, scheduler=AGEING)), {0: []}
    while simulation.step():
        seen[len(simulation.recording())] = simulation.queue.waiting()
    recording = simulation.recording()
    assert len(recording.rank_positions)
    return recording, seen


def test_the_order_of_starts_is_the_disciplines(ageing):
    """Worked by hand: the small jobs pass the large one until it has waited for three."""
    jobs = [
        (0.0, (4, 4), 2.0),
        (1.0, (4, 4), 1.0),  # waits behind jobs 2 and 3, and is old at 4
        (1.5, (4, 3), 1.0),
        (1.7, (4, 3), 1.5),
        (3.9, (4, 3), 1.0),  # smaller than job 1, but that is old when the machine comes free at 4.5
    ]
    recording = simulate(listed((4, 4), jobs, scheduler=AGEING))
    starts = recording.event_jobs[recording.kinds == EventKind.START].tolist()
    assert starts == [0, 2, 3, 1, 4]
    before = recording.position_at(4.0)  # jobs 1 and 4 wait, and job 1 is not known to be old yet
    assert recording.queue(before).tolist() == [4, 1]
    assert recording.queue(recording.position_at(4.5) - 1).tolist() == [1, 4]


def test_the_queue_at_any_moment_is_the_queue_that_was(watched):
    """Going forwards, backwards and anywhere; so do its heads and the processors idle beside them."""
    recording, seen = watched
    positions = list(seen)
    anywhere = random.Random(1).sample(positions, len(positions))
    for position in (*positions, *reversed(positions), *anywhere):
        assert recording.snapshot(position).queue.tolist() == seen[position]
    by_first_ranks = [sorted(queue, key=lambda job: (recording.ranks[job], job)) for queue in seen.values()]
    assert sum(was != ranked for was, ranked in zip(seen.values(), by_first_ranks, strict=True)) > 20
    recording, seen = watched
    heads = queue_heads(recording)
    times, idle = external_fragmentation_steps(recording)
    area = 0.0
    for index in range(len(recording)):  # between the events of one time, too
        queue = recording.snapshot(index + 1).queue
        assert heads[index] == (queue[0] if len(queue) else -1)
    for position, queue in seen.items():
        if not position:
            continue
        free = recording.snapshot(position).free
        fits = bool(queue) and prod(recording.size(queue[0])) <= free
        assert idle[position - 1] == (free if fits else 0)
        if position < len(recording):
            area += (times[position] - times[position - 1]) * idle[position - 1]
    share = area / recording.end_time / recording.mesh.processors
    assert summary(recording)["external_fragmentation"] == pytest.approx(share)


def test_panel_and_sentence_tell_the_order_that_was(watched):
    """The table of waiting jobs has that order, and it is the head of it that waits."""
    recording, seen = watched
    cursor = Cursor()
    cursor.show(recording)
    sentences = 0
    for position in [*seen, *reversed(seen)]:
        cursor.go_to_time(float(recording.times[max(position - 1, 0)]))
        if cursor.view.snapshot.position != position:
            continue
        table = export(WAITING_COLUMNS, JobRows.waiting(cursor.view))
        assert [row[0] for row in table.rows] == seen[position]
        if " waits: " in cursor.view.sentence:
            assert f"Job {seen[position][0]} (" in cursor.view.sentence
            sentences += 1
    assert sentences > 20


def test_a_run_in_progress_shows_the_beginning_of_the_whole(ageing, monkeypatch):
    """Every recording published on the way has the queues of the finished one."""
    monkeypatch.setattr("meshgui.engine.runs.simulation._MOST_EVENTS_AT_ONCE", 64)
    monkeypatch.setattr(
        "meshgui.engine.runs.python_calls._SECONDS_BETWEEN_LOOKS", 0.0
    )  # within each time, too
    simulation, published = Simulation(scenario((8, 8), jobs=400, load=4, scheduler=AGEING)), []
    whole = simulation.run(Work(lambda _: published.append(simulation.recording())))
    assert len(published) >= 3
    for partial in published:
        for position in range(0, len(partial) + 1, 7):
            assert same_snapshot(partial.snapshot(position), whole.snapshot(position))


@pytest.mark.parametrize("record", [True, False])
def test_figures_do_not_depend_on_what_else_is_recorded(ageing, record):
    """The order is kept where attempts and key frames are not."""
    of = scenario((8, 8), jobs=200, load=4, scheduler=AGEING)
    whole, run = simulate(of), Simulation(of, record=record).run()
    assert queue_heads(run).tolist() == queue_heads(whole).tolist()


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=lambda of: of["name"])
def test_an_order_that_stays_takes_no_memory(scheduler):
    """The project's own disciplines never change theirs, so nothing is recorded of it."""
    assert not len(simulate(scenario(jobs=60, scheduler=scheduler)).rank_positions)


class Impatient(SmallestJobFirst):
    """The smallest first, but those that have waited for long before them; the rest stays as it stands."""

    id = "impatient"

    def serve(self, queue):
        waiting = queue.waiting()
        old = [job for job in waiting if queue.now - queue.arrival(job) >= 5]
        queue.reorder(old + [job for job in waiting if job not in old])
        super().serve(queue)


def test_a_job_joins_by_the_first_ranks_of_those_that_wait(install):
    """Many old jobs have overtaken a small one; a larger one that arrives still goes behind that."""
    install(impatient=Impatient)
    jobs = [
        (0.0, (4, 4), 9.0),
        (1.0, (4, 3), 1.0),
        (1.5, (4, 3), 1.0),
        (2.0, (4, 3), 1.0),
        (6.5, (4, 2), 1.0),  # small, but at 7 the three before are old
        (7.0, (4, 4), 1.0),  # large
        (8.0, (3, 3), 1.0),  # between them
    ]
    recording = simulate(listed((4, 4), jobs, scheduler={"name": "impatient"}))
    assert recording.queue(recording.position_at(8.0)).tolist() == [1, 2, 3, 4, 6, 5]


def queue_of(count):
    """The queue of a run with that many jobs, none of which has arrived."""
    return Simulation(listed((1, 1), [(n, (1, 1), 1) for n in range(count)], "ff", {"name": "ooo"})).queue


def changed(queue):
    """The latest new rank of each job that has one."""
    return dict(zip(queue.changes.jobs.tolist(), queue.changes.ranks.tolist(), strict=True))


@given(data=st.data())
def test_any_order_can_be_had_and_is_told_by_its_changes(data):
    """However often it changes while jobs join: sorted by the ranks told, the jobs stand as wanted."""
    queue = queue_of(12)

    def ranks_now():
        return dict(enumerate(queue.first_ranks.tolist())) | changed(queue)

    for job in range(12):
        queue.join(job)
        ranks = ranks_now()
        waiting = queue.waiting()
        assert sorted(waiting, key=lambda job: (ranks[job], job)) == waiting
        for _ in range(data.draw(st.integers(0, 3))):
            wanted = data.draw(st.permutations(queue.waiting()))
            queue.reorder(wanted)
            ranks = ranks_now()
            assert queue.waiting() == wanted
            assert sorted(wanted, key=lambda job: (ranks[job], job)) == wanted


def test_a_job_joins_behind_its_equals_in_any_order_and_a_job_that_moves_is_one_change():
    """Also where jobs move between the same two until no number lies between theirs."""
    queue = queue_of(5)
    for job in range(3):
        queue.join(job)
    queue.reorder([2, 0, 1])
    queue.join(3)
    assert queue.waiting() == [2, 0, 1, 3]
    queue = queue_of(300)
    for job in range(3):
        queue.join(job)
    queue.reorder([2, 0, 1])
    assert len(queue.changes.jobs) == 1
    for job in range(3, 300):
        queue.join(job)
        others = [other for other in queue.waiting() if other != job]
        queue.reorder([others[0], job, *others[1:]])
        ranks = dict(enumerate(queue.first_ranks.tolist())) | changed(queue)
        assert sorted(queue.waiting(), key=lambda job: (ranks[job], job)) == queue.waiting()
    assert len(queue.changes.jobs) < 5 * 300


def test_a_queue_tells_of_each_job_what_the_stream_says(install):
    """A service that is not stated is 0."""
    said = []

    class Asking(FirstComeFirstServed):
        id = "asking"

        def serve(self, queue):
            said.extend((queue.arrival(job), queue.size(job), queue.service(job)) for job in queue.waiting())
            super().serve(queue)

    install(asking=Asking)
    of = sending([(1, (2, 2), 3), (2, (2, 1), 3)]).model_dump() | {"scheduler": {"name": "asking"}}
    simulate(scenario_from(of))
    assert said == [(1.0, (2, 2, 1), 0.0), (2.0, (2, 1, 1), 0.0)]
