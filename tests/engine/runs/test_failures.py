"""Processors that fail and are repaired: the naive run, figures, stepping, and what no strategy may do."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import same_state
from meshgui.engine.allocation.fuzzy_control import BUSY, UTILIZATION, value_of
from meshgui.engine.allocation.inspection import JobCell, Request
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.geometry import Box, boxes_of
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.work import RunError
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import ScenarioError, scenario_from
from tests.engine.runs.test_event_loop import assert_equal, assert_same_figures, by_steps, in_python
from tests.naive import nodes
from tests.properties.stories import FIRST_CASES, mesh_for, stories
from tests.scale import cases
from tests.scenarios import SCHEDULERS, STRATEGIES, scenario, scenario_of
from tests.twins.failures import FailingRun
from tests.twins.runs import told_of

pytestmark = pytest.mark.kernel

RULES = ({"on_failure": "end"}, {"on_failure": "requeue"}, {"on_failure": "checkpoint", "interval": 1.5})


def failing(shape, jobs, failures, name="ff", scheduler=None, **rules):
    """A scenario of jobs `(arrival, size, service)` on a machine of which parts fail."""
    rows = [{"arrival": a, "size": list(size), "service": s} for a, size, s in jobs]
    machine = {"failures": failures, **rules}
    return scenario_of(shape, rows, name, scheduler=scheduler or SCHEDULERS[0], machine=machine)


def log_of(of):
    """The events of a run as its file has them."""
    return list(log_lines(simulate(of)))


OF_OCCUPANCY = ("ff", "tff", "bf", "tbf")
"""Strategies to which a box that is down and its processors one by one are the same; not to a busy list."""


@st.composite
def failing_runs(draw, names=STRATEGIES):
    """Few times, so that finishes, failures, repairs and arrivals fall together, and failures overlap."""
    shape = draw(st.sampled_from([(3, 2), (4, 3), (2, 2, 2), (1, 1), (5, 1)]))
    times, sides = st.integers(0, 9), st.tuples(*(st.integers(1, n) for n in shape))
    jobs = draw(st.lists(st.tuples(times, sides, st.integers(0, 5)), min_size=1, max_size=8))
    failures = []
    for _ in range(draw(st.integers(1, 5))):
        base = draw(st.tuples(*(st.integers(0, n - 1) for n in shape)))
        size = [draw(st.integers(1, n - b)) for n, b in zip(shape, base, strict=True)]
        begin = draw(times)
        until = draw(st.one_of(st.integers(begin + 1, 14), st.integers(begin + 1, 14), st.none()))
        failures.append({"box": [*base, *size], "from": begin, "until": until})
    name, queue = draw(st.sampled_from(names)), draw(st.sampled_from(SCHEDULERS))
    return failing(shape, jobs, failures, name, queue, **draw(st.sampled_from(RULES)))


@cases(150)
@given(of=failing_runs(OF_OCCUPANCY))
def test_a_run_is_the_naive_ones(of):
    """The same events, attempts, boxes and losses, and the figures by looking at every time."""
    recording, naive = simulate(of), FailingRun(of)
    told, expected = told_of(recording), naive.run()
    assert told.events == expected.events
    assert told.attempts == expected.attempts
    kills = recording.outages.kills
    assert list(zip(kills["job"].tolist(), kills["lost"].tolist(), strict=True)) == naive.lost
    if of.allocator.name in {"ff", "tff"}:  # the others count what they compare a box with
        assert told.operations == expected.operations
    started = {job for _, kind, job in expected.events if kind == EventKind.START}
    left = {job for job in started if recording.box_count[job]}
    assert {job: told.boxes[job] for job in left} == {job: expected.boxes[job] for job in left}
    assert_figures(recording, naive)


def assert_middle_of_availability(recording, downs):
    """The least share that is up, or more, for a part of the time, and the largest that lasts."""
    processors, flat = recording.mesh.processors, figures_of(recording)[0]
    lasts = Counter()
    for (time, amount), (later, _) in pairwise([(0.0, 0), *downs]):
        lasts[1 - amount / processors] += later - time
    shares = sorted(share for share, time in lasts.items() if time > 0)
    for part, of in (("median", 0.5), ("p95", 0.95)):
        enough = (
            s for s in shares if sum(lasts[t] for t in shares if t <= s) >= of * sum(lasts.values()) - 1e-9
        )
        assert flat[f"availability.{part}"] == pytest.approx(next(enough, 1.0))
    assert flat["availability.max"] == pytest.approx(shares[-1] if shares else 1.0)


def assert_figures(recording, naive):
    """The figures of a run, from its events alone."""
    figures, span = summary(recording), recording.end_time
    downs = [(time, down) for time, down in naive.down_over_time if time <= span] + [(span, 0)]
    down = sum(amount * (later - time) for (time, amount), (later, _) in pairwise(downs))
    lost = sum(amount for _, amount in naive.lost)
    assert figures["killed"] == len(naive.lost)
    assert figures["lost_time"] == pytest.approx(lost)
    processors = recording.mesh.processors
    assert figures["availability"] == pytest.approx(1 - down / (span * processors) if span else 1)
    assert_middle_of_availability(recording, downs)
    queue = held = 0.0
    for position in range(1, len(recording)):
        snapshot, lasts = (
            recording.snapshot(position),
            recording.times[position] - recording.times[position - 1],
        )
        queue, held = queue + len(snapshot.queue) * lasts, held + snapshot.busy * lasts
    assert figures["queue_length_mean"] == pytest.approx(queue / span if span else 0)
    assert figures["utilization"] == pytest.approx(held / span / processors if span else 0)
    jobs = JobFigures(recording)
    assert jobs.arrival + jobs.waiting + jobs.service == pytest.approx(jobs.finish)
    assert (jobs.waiting >= -1e-9).all()


@cases(40)
@given(of=failing_runs())
def test_every_way_to_run_it_records_the_same(of):
    """In one go, step by step, called through Python, and without a recording of attempts."""
    recording = simulate(of)
    assert_equal(recording, by_steps(of))
    assert_same_figures(recording, simulate_figures(of))
    with in_python(of) as plain:
        other = simulate(plain)
    assert list(recording.attempts) == list(other.attempts)
    assert recording.operations.tolist() == other.operations.tolist()
    for one, two in ((recording, other), (recording, simulate_figures(of))):
        for name in ("changes", "boxes", "holds", "kills"):
            assert np.array_equal(getattr(one.outages, name), getattr(two.outages, name))


@cases(40)
@given(of=failing_runs())
def test_every_position_shows_what_is_so(of):
    """What is down, who runs and who waits follow from the events before; the strategy holds just that."""
    recording, down, running, queue = simulate(of), set(), {}, set()
    for position in range(len(recording) + 1):
        snapshot = recording.snapshot(position)
        assert {node for box in snapshot.down for node in nodes(box)} == down
        assert snapshot.running.tolist() == sorted(running)
        assert set(snapshot.queue.tolist()) == queue
        held = {node for job in running for box in running[job] for node in nodes(box)}
        assert snapshot.busy == len(held)
        assert snapshot.free == recording.mesh.processors - len(held | down)
        if position == len(recording):
            break
        event = recording.event(position)
        if event.kind in {EventKind.FAIL, EventKind.REPAIR}:
            there = {node for box in recording.outages.boxes_at(position) for node in nodes(box)}
            down = down | there if event.kind == EventKind.FAIL else down - there
        elif event.kind == EventKind.START:
            running[event.job] = recording.boxes_of(event.job, position)
        if event.kind == EventKind.ARRIVE or (
            event.kind == EventKind.KILL and of.reliability.on_failure != "end"
        ):
            queue.add(event.job)
        else:
            queue.discard(event.job)
        if event.kind in {EventKind.FINISH, EventKind.KILL}:
            del running[event.job]


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_state_of_every_position_is_that_of_the_run(name, monkeypatch):
    """From key frames close together, over failures, kills and repairs: that from the beginning."""
    monkeypatch.setattr("meshgui.engine.runs.running_loop._EVENTS_BETWEEN_FRAMES", 5)
    monkeypatch.setattr("meshgui.engine.runs.running_loop._FRAME_BYTES_PER_EVENT", 10**6)
    machine = {"failures": {"between": 6.0, "repair": 1.0}, "on_failure": "checkpoint", "interval": 0.25}
    drawn = scenario((4, 4), name, jobs=30, load=1.0)
    of = scenario_from(drawn.model_dump() | {"machine": machine})
    recording = simulate(of)
    assert len(recording.key_frames) > 10
    assert len(recording.outages.kills) > 5
    plain = replace(recording, key_frames=())
    for position in range(0, len(recording), 7):  # also just before and just behind a frame, one in 5
        assert same_state(recording.state_at(position), plain.state_at(position))
    for attempt in range(0, len(recording.attempts), 5):
        recording.trace(attempt)  # which answers as the run did, or it raises


def test_at_one_time_jobs_finish_then_processors_fail_then_jobs_arrive_then_start():
    """A job that ends then is not hit; failures come before repairs, and each kill behind its failure."""
    of = failing(
        (2, 2),
        [(0, (2, 1), 4), (0, (2, 1), 9), (4, (1, 1), 1)],
        [{"node": [0, 0], "from": 1, "until": 4}, {"box": [0, 1, 2, 1], "from": 4, "until": 5}],
    )
    told = [(line["t"], line["event"], line.get("job")) for line in log_of(of)]
    assert told[:6] == [
        (0, "arrive", 0), (0, "arrive", 1), (0, "start", 0), (0, "start", 1), (1, "fail", None),
        (1, "kill", 0),
    ]  # fmt: skip
    assert told[6:12] == [
        (4, "fail", None), (4, "kill", 1), (4, "repair", None), (4, "arrive", 2), (4, "start", 0),
        (5, "repair", None),
    ]  # fmt: skip


def test_overlapping_and_touching_failures_are_one():
    """What is down does not fail again; it comes up with the last failure, and so if they only touch."""
    of = failing(
        (4, 1),
        [(0, (1, 1), 9)],
        [
            {"box": [1, 0, 2, 1], "from": 1, "until": 3},
            {"box": [2, 0, 2, 1], "from": 2, "until": 4},
            {"node": [1, 0], "from": 3, "until": 5},
        ],
    )
    changes = [(line["t"], line["event"], line["blocks"]) for line in log_of(of) if "blocks" in line][1:]
    assert changes == [
        (1, "fail", [[1, 0, 0, 2, 1, 1]]),
        (2, "fail", [[3, 0, 0, 1, 1, 1]]),
        (4, "repair", [[2, 0, 0, 2, 1, 1]]),
        (5, "repair", [[1, 0, 0, 1, 1, 1]]),
    ]


@pytest.mark.parametrize(
    ("rule", "lost", "finish"),
    [
        ({"on_failure": "end"}, 7.0, None),
        ({}, 7.0, 14.0),
        ({"on_failure": "checkpoint", "interval": 2}, 1.0, 8.0),
    ],
)
def test_a_job_that_is_hit_loses_its_work_or_what_follows_its_last_checkpoint(rule, lost, finish):
    """3.5 time units on 2 processors; the rest of 10 starts at once elsewhere."""
    of = failing((4, 1), [(0.0, (2, 1), 10.0)], [{"node": [0, 0], "from": 3.5, "until": 99}], **rule)
    lines = {line["event"]: line for line in log_of(of)}
    assert lines["kill"]["lost"] == (1.5 * 2 if "interval" in rule else lost)
    figures = summary(simulate(of))
    assert figures["jobs"] == (0 if rule.get("on_failure") == "end" else 1)
    if finish is not None:
        assert figures["finish_time"] == (3.5 + 8 if "interval" in rule else 13.5)


def test_jobs_go_back_to_the_head_in_order_of_number():
    """Before all that wait, whatever the discipline; a later one with a lower number goes first."""
    jobs = [(0, (1, 1), 9), (0, (1, 1), 8), (0, (2, 1), 1), (1, (1, 1), 1)]
    of = failing(
        (2, 1), jobs, [{"node": [1, 0], "from": 2, "until": 20}, {"node": [0, 0], "from": 3, "until": 20}]
    )
    recording = simulate(of)
    at = [recording.position_at(time) for time in (2, 3)]
    assert [recording.queue(position).tolist() for position in at] == [[1, 2, 3], [0, 1, 2, 3]]
    of = failing((2, 1), jobs, [{"box": [0, 0, 2, 1], "from": 2, "until": 20}], scheduler={"name": "sjf"})
    recording = simulate(of)
    assert recording.queue(recording.position_at(2)).tolist()[:2] == sorted(
        recording.outages.kills["job"].tolist()
    )


def test_what_fits_no_longer_is_rejected_where_a_failure_has_no_end():
    """Jobs that wait, and those that arrive later; a smaller one keeps running."""
    jobs = [(0, (2, 2), 5), (1, (2, 2), 1), (2, (1, 2), 1), (7, (2, 2), 1)]
    lines = log_of(failing((2, 2), jobs, [{"node": [0, 0], "from": 3}]))
    assert [(line["t"], line["job"]) for line in lines if line["event"] == "reject"] == [
        (3, 0),
        (3, 1),
        (7, 3),
    ]
    assert all("down for ever" in line["reason"] for line in lines if line["event"] == "reject")
    assert [line["job"] for line in lines if line["event"] == "finish"] == [2]


def test_what_joins_a_failure_without_end_has_none_either():
    """(0,0) is down from 1 to 5, and from 4 for ever: what needs all of 2×2 is rejected when it arrives."""
    down = [{"node": [0, 0], "from": 1, "until": 5}, {"node": [0, 0], "from": 4, "until": None}]
    of = failing((2, 2), [(2, (2, 2), 1.0), (2, (1, 1), 1.0)], down)
    events = [(line["t"], line["event"], line.get("job")) for line in log_of(of)]
    assert (2.0, "reject", 0) in events
    assert (2.0, "start", 1) in events


def test_a_run_that_failures_never_let_end_is_one_sentence(monkeypatch):
    """A job that is hit again and again, and one for which the whole machine would have to be up at once."""
    hit = {"machine": {"failures": {"between": 20.0, "repair": 2.0}}}
    job = {"arrival": 0.0, "size": [7, 7], "service": 20.0}
    monkeypatch.setattr("meshgui.engine.runs.failing_machine.MAX_HITS", 50)
    with pytest.raises(RunError, match=r"^job 0 was hit by 50 failures up to time \d+[.\d]*, and can hardly"):
        simulate(scenario_of((8, 8), [job], "ff", **hit))
    monkeypatch.setattr("meshgui.engine.runs.failing_machine.MAX_CHANGES", 500)
    job["size"] = [8, 8]
    with pytest.raises(RunError, match=r"^500 failures and repairs up to time .*: expected a run that ends"):
        simulate(scenario_of((8, 8), [{**job, "arrival": 30.0}], "ff", **hit))


def test_drawn_failures_are_those_of_the_seed_and_leave_the_jobs_as_they_are():
    """Each unit is up and down in turns, exponentially; other seeds fail otherwise."""
    plain = scenario((8, 8), "ff", jobs=300, load=0.5)
    machine = {"failures": {"between": 40.0, "repair": 10.0, "unit": [4, 2]}}
    of = scenario_from(plain.model_dump() | {"machine": machine})
    recording, again, other = simulate(of), simulate(of), simulate(of, 9)
    assert list(log_lines(recording)) == list(log_lines(again))
    assert not np.array_equal(recording.times, other.times)
    assert np.array_equal(recording.jobs.arrival, simulate(plain).jobs.arrival)
    assert {
        box.size for p in recording.outages.changes["position"] for box in recording.outages.boxes_at(p)
    } == {(4, 2, 1)}
    assert summary(recording)["availability"] == pytest.approx(0.8, abs=0.05)


def test_a_run_without_failures_is_as_it_was():
    """A machine of which nothing is listed changes nothing, and is not written where nothing is said."""
    plain = scenario((4, 4), "ff", jobs=50)
    assert "machine" not in plain.model_dump()
    told = scenario_from(plain.model_dump() | {"machine": {"failures": []}})
    assert list(log_lines(simulate(plain))) == list(log_lines(simulate(told)))
    assert simulate(told).outages is None
    assert summary(simulate(told)).keys() == summary(simulate(plain)).keys()
    assert scenario_from(told.model_dump(mode="json")) == told


@pytest.mark.parametrize(
    ("machine", "field", "said"),
    [
        (
            {"failures": [{"node": [9, 0], "from": 1}]},
            "machine.failures.0.node",
            "expected processors of the 4×4 mesh",
        ),
        ({"failures": [{"box": [3, 3, 2, 1], "from": 1}]}, "machine.failures.0.box", "4×4"),
        ({"failures": [{"node": [0], "from": 1}]}, "machine.failures.0.node", "2 numbers in 2D and 3 in 3D"),
        (
            {"failures": [{"node": [0, 0], "from": 3, "until": 2}]},
            "machine.failures.0.until",
            "a time after 3",
        ),
        ({"failures": [{"from": 3}]}, "machine.failures.0", "either a node or a box"),
        ({"failures": [{"node": [0, 0], "since": 3}]}, "machine.failures.0.since", "node, box, from, until"),
        ({"failures": {"between": 5}}, "machine.failures.repair", "there is none"),
        ({"failures": {"between": 5, "repair": 1, "unit": [3, 1]}}, "machine.failures.unit", "divide"),
        ({"failures": 7}, "machine.failures", "an object"),
        ({"on_failure": "checkpoint"}, "machine.interval", "expected a value"),
        ({"on_failure": "stop"}, "machine.on_failure", "end, requeue or checkpoint"),
    ],
)
def test_a_wrong_machine_is_one_sentence(machine, field, said):
    """It names the field as the file has it."""
    data = scenario((4, 4), "ff", jobs=5).model_dump(mode="json") | {"machine": machine}
    with pytest.raises(ScenarioError, match=said) as error:
        scenario_from(data)
    assert error.value.field == field


def test_what_cannot_take_processors_out_says_so():
    """Tree Allocation, and any network."""
    data = scenario((4, 4), "ta", jobs=5).model_dump(mode="json")
    machine = {"machine": {"failures": [{"node": [0, 0], "from": 1}]}}
    with pytest.raises(ScenarioError, match="ta cannot take processors that are down out"):
        scenario_from(data | machine)
    network = {"network": {"pattern": "random", "messages": 3}, "allocator": {"name": "ff"}}
    with pytest.raises(ScenarioError, match="not modelled"):
        scenario_from(data | machine | network)


# Every strategy


HOLDING = [case for case in FIRST_CASES if strategy(case.name).can_hold_out()]


def test_all_but_tree_allocation_can():
    """The others hold what is down as if a job had it."""
    own = {name for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}
    assert {name for name in own if not strategies()[name].can_hold_out()} == {"ta"}


@pytest.mark.parametrize("case", HOLDING, ids=str)
@cases(12)
@given(data=st.data())
def test_no_job_is_placed_on_what_is_down_and_repairs_leave_no_trace(case, data):
    """After the repair the state is that of a machine on which the jobs are, and nothing ever failed."""
    story = data.draw(stories(case, 4, 16))
    working, mesh = case.make(story.mesh), story.mesh
    held, out = {}, []
    for number, act in enumerate(story.acts):
        if not hasattr(act, "size"):
            job = sorted(held)[act.which % len(held)] if held else None
            if job is not None:
                working.release(job)
                del held[job]
            continue
        if number % 4 == 1:
            down = data.draw(st.integers(0, mesh.processors - 1))
            node = tuple(np.unravel_index(down, mesh.extents[::-1])[::-1])
            for box in working.out_boxes(Box(*map(int, node), 1, 1, 1)):
                taken = [*out, *(given for boxes in held.values() for given in boxes)]
                if not any(box.overlaps(other) for other in taken):
                    working.hold_out(box)
                    out.append(box)
        if not mesh.fits(act.size) and case.name != "random":
            continue
        answer = working.allocate(Request(number, act.size, float(number), act.service, 5))
        if answer is not None:
            assert not any(box.overlaps(other) for box in answer for other in out)
            held[number] = answer
    for box in out:
        working.let_in(box)
    fresh = case.make(mesh)
    for job, boxes in held.items():
        fresh.replay(Request(job, (1, 1, 1)), boxes)
    learned = strategy(case.name).learns
    one, other = working.capture(), fresh.capture()
    for name in one.keys() - learned:
        assert np.array_equal(one[name], other[name]), name


@pytest.mark.parametrize("case", HOLDING, ids=str)
def test_panels_and_sentences_name_no_job_where_something_is_down(case):
    """At every step of an attempt beside a failure: a link to its number would lead nowhere."""
    working = case.make(mesh_for(case.name))
    for box in working.out_boxes(Box(0, 0, 0, 1, 1, 1)):
        working.hold_out(box)
    first = working.trace(Request(1, (2, 2, 1)))
    second = working.trace(Request(2, (3, 1, 1)))
    seen = [
        working.inspect(trace.moment(steps))
        for trace in (first, second)
        for steps in range(len(trace.steps) + 1)
    ]
    words = " ".join(one.says for one in seen)
    for panel in (panel for one in seen for panel in one.panels):
        for row in getattr(panel, "rows", ()):
            cells = [cell for cell in row.cells if isinstance(cell, JobCell)]
            assert all(cell.job is None or cell.job >= 0 for cell in cells)
            words += " ".join(cell.text for cell in cells)
        assert all(node.job is None or node.job >= 0 for node in getattr(panel, "nodes", ()))
    assert not re.search(r"job -\d", words)


@pytest.mark.parametrize("case", HOLDING, ids=str)
def test_a_run_of_every_strategy_outlives_failures(case):
    """All jobs end, and no start touches what is down: the loop would say so."""
    mesh = mesh_for(case.name)
    data = scenario(mesh.shape, jobs=40, load=2.0).model_dump(mode="json")
    data["mesh"] = {"shape": mesh.shape, "wrap": mesh.wrap}
    data["allocator"] = {"name": case.name, "options": dict(case.options)}
    unit = [4, 4, 2] if mesh.processors == 512 else [2, 2, 1]  # sixteen of them in every machine
    data["machine"] = {"failures": {"between": 30.0, "repair": 2.0, "unit": unit}}
    recording = Simulation(scenario_from(data)).run()
    assert recording.complete
    assert len(recording.outages.changes) > 5
    for index in np.flatnonzero(recording.kinds == EventKind.START).tolist():
        job = int(recording.event_jobs[index])
        down = recording.down_at(index)
        assert not any(box.overlaps(bad) for box in recording.boxes_of(job, index) for bad in down)


# A controller that holds the utilisation


def controlled(failures, jobs, measure, **rules):
    """A run of bounded partitioning on 4×4 whose bound is controlled, and what it saw at each start."""
    of = failing((4, 4), jobs, failures, "bgp", **rules).model_dump(mode="json")
    of["allocator"]["options"] = {"fuzzy": True, "measure": measure}
    recording = simulate(scenario_from(of))
    return recording, utilisation_seen(recording)


def utilisation_seen(recording):
    """The utilisation in per cent that the controller has gone by at each start."""
    seen = []
    for index in np.flatnonzero(recording.kinds == EventKind.START).tolist():
        control = recording.strategy_at(index + 1).state.limit
        busy = int(control.history[control.remembered[0] - 1, BUSY])
        seen.append(value_of(control, UTILIZATION, busy, recording.mesh.processors))
    return seen


HALF_DOWN = [{"box": [0, 0, 4, 2], "from": 1, "until": 10}]
BESIDE = [(2, (2, 2), 5.0), (4, (2, 1), 5.0), (20, (2, 1), 5.0)]


def test_a_controller_counts_as_busy_what_jobs_hold_and_not_what_is_down():
    """Half of 4×4 is down, and jobs of 4, then 4 + 2, then 2 processors run."""
    recording, seen = controlled(HALF_DOWN, BESIDE, "current")
    assert seen == [25.0, 37.5, 12.5]
    assert recording.strategy.id == "bgp"
    assert recording.state_at(len(recording))["controller_bound"].tolist() == [7000]  # up by one each time


def test_a_controller_sums_up_what_jobs_held_over_failures_and_repairs():
    """0 until 2; 4 processors for 2 of 4 times 16; 4·5 + 2·5 of 20 times 16."""
    _, seen = controlled(HALF_DOWN, BESIDE, "cumulative")
    assert seen == [0.0, pytest.approx(12.5), pytest.approx(100 * 30 / 320)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["on_failure"])
def test_a_controller_counts_what_a_job_held_until_it_was_hit(rule):
    """All of 4×4 from 0 to 10, when one processor fails, and again from 10.5 where it is not ended."""
    down = [{"box": [0, 0, 1, 1], "from": 10, "until": 10.5}]
    _, seen = controlled(down, [(0, (4, 4), 12.0), (25, (1, 1), 1.0)], "cumulative", **rule)
    again = {"end": 0.0, "requeue": 12.0, "checkpoint": 12.0 - 9.0}[rule["on_failure"]]
    assert seen[-1] == pytest.approx(100 * (10 + again) / 25)


def test_what_needs_more_boxes_than_a_controlled_bound_may_allow_is_rejected():
    """Only one column is left, in which 2×1 would need two boxes, and full machines lower the bound."""
    down = [{"box": [0, 0, 3, 4], "from": 9, "until": None}]
    jobs = [*((n, (4, 4), 1.0) for n in range(5)), (9, (2, 1), 1.0), (9, (1, 3), 1.0)]
    recording, seen = controlled(down, jobs, "current")
    assert seen == [100.0] * 5 + [18.75]
    [rejected] = recording.event_jobs[recording.kinds == EventKind.REJECT].tolist()
    assert rejected == 5


@cases(60)
@given(of=failing_runs(["bgp"]), measure=st.sampled_from(["current", "cumulative"]))
def test_a_controller_sees_the_utilisation_of_the_run(of, measure):
    """At every start: the processors held then, or their mean since the run began."""
    data = of.model_dump(mode="json")
    data["allocator"]["options"] = {"fuzzy": True, "measure": measure}
    run = Simulation(scenario_from(data))
    recording = run.run()
    assert same_state(recording.state_at(len(recording)), run.strategy.capture())
    expected, area, last, busy = [], 0.0, 0.0, 0
    for index, now in enumerate(recording.times.tolist()):
        area, last, busy = area + busy * (now - last), now, recording.snapshot(index + 1).busy
        if recording.kinds[index] == EventKind.START:
            mean = area / now if measure == "cumulative" and now else busy
            expected.append(100 * mean / recording.mesh.processors)
    assert utilisation_seen(recording) == pytest.approx(expected)


def test_boxes_cover_a_mask_and_nothing_else():
    """Disjoint, and one for a box."""
    mask = np.zeros((3, 4, 5), dtype=bool)
    mask[1:3, 1:3, 2:5] = True
    assert boxes_of(mask) == (Box(2, 1, 1, 3, 2, 2),)
    mask[1, 1, 2] = False
    covered = [node for box in boxes_of(mask) for node in nodes(box)]
    assert len(covered) == len(set(covered)) == 11
