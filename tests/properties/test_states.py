"""What every strategy owes its machine: sound boxes, an honest state, one answer to one question."""

from itertools import product

import pytest
from hypothesis import given

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.worlds import NAMES, Ask, Bench, Place, same_state, worlds
from tests.scale import cases

pytestmark = pytest.mark.kernel

every_strategy = pytest.mark.parametrize("name", NAMES)


def go_by(bench, acts):
    """Let things happen; yield the request and what it got, before the twin is told."""
    for act in acts:
        if isinstance(act, Ask):
            request = bench.request(act.size)
            before = bench.working.capture()
            boxes = bench.working.allocate(request)
            yield request, before, boxes
            if boxes is not None:
                bench.take(request, boxes[0])
        elif isinstance(act, Place):
            bench.place(act.box)
        else:
            bench.leave(act.which)


@every_strategy
@cases(150)
@given(world=worlds())
def test_what_is_given_is_inside_and_free_and_as_asked(name, world):
    """One box, inside the mesh, not held by anybody, of exactly the asked size up to turning."""
    bench = Bench(name, world.mesh)
    for request, _, boxes in go_by(bench, world.acts):
        if boxes is None:
            continue
        [box] = boxes
        assert world.mesh.holds(box)
        assert naive.is_free(bench.twin.held, tuple(box))
        if bench.working.rotates:
            assert box.size in naive.turns(request.size, world.mesh.dims == 2)
        else:
            assert box.size == request.size


@every_strategy
@cases(150)
@given(world=worlds())
def test_a_failed_request_leaves_the_state_untouched(name, world):
    """A request that gets nothing changes nothing."""
    bench = Bench(name, world.mesh)
    for _, before, boxes in go_by(bench, world.acts):
        assert (boxes is None) == same_state(before, bench.working.capture())


@every_strategy
@cases(150)
@given(world=worlds())
def test_after_all_have_left_the_state_is_the_first_again(name, world):
    """Nothing leaks: when the last job has gone, the strategy is as good as new."""
    bench = Bench(name, world.mesh)
    initial = bench.working.capture()
    for _ in go_by(bench, world.acts):
        pass
    bench.empty()
    assert same_state(bench.working.capture(), initial)


@every_strategy
@cases(100)
@given(world=worlds(), rest=worlds())
def test_a_captured_state_is_restored_whole(name, world, rest):
    """A strategy restored from a capture goes on as the one captured, whatever it had been doing."""
    bench = Bench(name, world.mesh)
    for _ in go_by(bench, world.acts):
        pass
    state = bench.working.capture()
    other = strategy(name)(world.mesh)
    other.allocate(bench.request((1, 1, 1)))
    other.restore(state)
    assert same_state(other.capture(), state)
    sizes = [act.size for act in rest.acts if isinstance(act, Ask)]
    requests = [bench.request(size) for size in sizes if bench.twin.turns(size)]
    got = [bench.working.allocate(request) for request in requests]
    assert [other.allocate(request) for request in requests] == got
    assert same_state(other.capture(), bench.working.capture())
    bench.working.restore(state)
    assert same_state(bench.working.capture(), state)


@every_strategy
@cases(100)
@given(world=worlds())
def test_a_capture_is_a_copy(name, world):
    """What happens after a capture does not reach into it."""
    bench = Bench(name, world.mesh)
    captured = []
    for _ in go_by(bench, world.acts):
        state = bench.working.capture()
        captured.append((state, {key: array.copy() for key, array in state.items()}))
    bench.empty()
    assert all(same_state(state, copy) for state, copy in captured)


@every_strategy
@cases(100)
@given(world=worlds())
def test_the_log_watches_the_very_search(name, world):
    """With a log come the same box, cost and state as without, and the log tells of that box."""
    bench, logged = Bench(name, world.mesh), strategy(name)(world.mesh)
    for request, before, boxes in go_by(bench, world.acts):
        logged.restore(before)
        logged.operations, spent = 0, bench.working.operations
        log = StepLog(8192)
        assert logged.allocate(request, log) == boxes
        assert same_state(logged.capture(), bench.working.capture())
        bench.working.restore(before)
        bench.working.operations = 0
        assert bench.working.allocate(request) == boxes
        assert logged.operations == bench.working.operations
        bench.working.operations = spent
        last = log.steps()[-1]
        if boxes is not None:
            assert last.marks[0].box == boxes[0]
        assert (logged.lines[last.line].label == "found") == (boxes is not None)


@every_strategy
@cases(50)
@given(world=worlds())
def test_a_log_that_is_too_small_says_how_much_it_needs(name, world):
    """An overflowing log still counts, disturbs nothing, and a second one of that size holds it all."""
    bench = Bench(name, world.mesh)
    for request, before, boxes in go_by(bench, world.acts):
        after = bench.working.capture()
        roomy, small = StepLog(8192), StepLog(2)
        for log in (roomy, small):
            bench.working.restore(before)
            assert bench.working.allocate(request, log) == boxes
        assert small.count == roomy.count
        assert small.overflowed == (roomy.count > 2)
        exact = StepLog(roomy.count)
        bench.working.restore(before)
        bench.working.allocate(request, exact)
        assert not exact.overflowed
        assert exact.steps().rows.tolist() == roomy.steps().rows.tolist()
        assert same_state(bench.working.capture(), after)


@every_strategy
def test_a_trace_makes_room_for_every_step(name):
    """An attempt of more steps than the log first holds is traced whole, and takes effect once."""
    mesh = Mesh((48, 48))
    working, plain = strategy(name)(mesh), strategy(name)(mesh)
    for job, (x, y) in enumerate(product(range(0, 48, 3), range(0, 48, 6))):
        box = Box(x, y, 0, 1, 1, 1)
        working.replay(Request(job, box.size), (box,))
        plain.replay(Request(job, box.size), (box,))
    request = Request(1000, (3, 47, 1))
    trace = working.trace(request)
    assert len(trace.steps.rows) > 1024
    assert trace.boxes == plain.allocate(request)
    assert same_state(working.capture(), plain.capture())
    assert working.lines[trace.steps[-1].line].label in {"found", "fail"}


@every_strategy
@cases(50)
@given(world=worlds())
def test_the_same_questions_get_the_same_answers(name, world):
    """Two strategies of a kind, led through the same, agree on every box, cost and state."""
    runs = []
    for _ in range(2):
        bench = Bench(name, world.mesh)
        got = [boxes for _, _, boxes in go_by(bench, world.acts)]
        runs.append((got, bench.working.operations, bench.working.capture()))
    (got, operations, state), (again, cost, other) = runs
    assert (got, operations) == (again, cost)
    assert same_state(state, other)


@every_strategy
@cases(50)
@given(world=worlds())
def test_replaying_is_allocating_without_the_search(name, world):
    """Doing an allocation again by its outcome leads to the same state as the search did."""
    bench, other = Bench(name, world.mesh), strategy(name)(world.mesh)
    for request, before, boxes in go_by(bench, world.acts):
        if boxes is not None:
            other.restore(before)
            other.replay(request, boxes)
            assert same_state(other.capture(), bench.working.capture())
