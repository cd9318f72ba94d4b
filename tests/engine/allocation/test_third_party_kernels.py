"""Kernels of third parties: what they are given, and which answers of theirs are taken."""

import inspect
from typing import NamedTuple

import numpy as np
import pytest

from meshgui.api import (
    ATTEMPTS,
    RESERVED,
    HeldProcessorsStrategy,
    Inspection,
    KernelStrategy,
    Reservation,
    StrategyKernels,
    kernel,
    new_tally,
    release,
    take,
)
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.guard import StrategyError, StuckError
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import scenario_from
from tests.engine.allocation.kernel_fits import JOBS, OF_KERNELS, LastFit, find, give, of_faulty, variant
from tests.scale import COMPILED
from tests.scenarios import SCHEDULERS, listed, scenario

pytestmark = pytest.mark.kernel

compiled = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.mark.parametrize(
    "discipline", [SCHEDULERS[0], {"name": "easy"}, {"name": "ooo"}], ids=lambda d: d["name"]
)
def test_the_event_loop_runs_it(install, discipline):
    """Its kernels are called in place of its methods: events, boxes and counts are those of the twin."""
    install(last=LastFit)
    of = scenario((5, 4), "last", jobs=60, scheduler=discipline)
    assert issubclass(strategy(of.allocator.name), KernelStrategy)
    recorded, twin, figures = Simulation(of).run(), simulate(of), simulate_figures(of)
    for one in (recorded, figures):
        for part in ("times", "boxes", "operations"):
            assert getattr(one, part).tolist() == getattr(twin, part).tolist()
    assert recorded.boxes_of(0)[0].end[:2] == (4, 3)


def test_processors_may_fail_under_it(install):
    """What is down is held by its own kernels, in the run and when that is stepped."""
    install(last=LastFit)
    data = scenario((5, 4), "last", jobs=60).model_dump()
    of = scenario_from(data | {"machine": {"failures": {"between": 8.0, "repair": 1.0}}})
    recorded, twin = Simulation(of).run(), simulate_figures(of)
    assert len(recorded.outages.kills) > 3
    assert recorded.times.tolist() == twin.times.tolist()
    for position in range(0, len(recorded), 10):
        held = recorded.state_at(position)["held"][0] != -1
        snapshot = recorded.snapshot(position)
        assert held.sum() == snapshot.busy + snapshot.failed


def test_its_attempts_are_stepped_and_its_answers_checked(install):
    """What is shown goes through the guard; asked without the loop, it comes to the same state."""
    install(last=LastFit)
    run = Simulation(listed((4, 1), JOBS, "last"), record=True).run()
    trace = run.trace(1)
    assert [step.line for step in trace.steps] == [0, 0, 0, 1]
    seen = run.new_strategy().inspect(trace.moment(4))
    assert "(1,0)" in seen.says
    install(faulty=variant(inspect=lambda self, moment: Inspection((), (), 7)))  # noqa: ARG005
    working = strategy("faulty")(Mesh((4, 1)))
    with pytest.raises(StrategyError, match="faulty shows an inspection, says: expected text, got 7"):
        working.inspect(Moment(working.capture()))
    install(last=LastFit)
    working = strategy("last")(Mesh((4, 1)))
    assert issubclass(type(working), KernelStrategy)
    assert working.allocate(Request(3, (2, 1, 1))) == (Box(2, 0, 0, 2, 1, 1),)
    assert working.capture()["held"].tolist() == [[[-1, -1, 3, 3]]]
    assert working.state.processors.held.tolist() == [[[-1, -1, 3, 3]]]
    assert (working.operations, working.due()) == (1, ())
    working.release(3)
    assert working.state.processors.free[0] == 4


@kernel
def of_width_two(state, request, boxes_out, log):
    """Raises at a job of this width."""
    if request.w == 1:
        raise ValueError("a width of 1")
    return find(state, request, boxes_out, log)


RAISED_AT = inspect.getsourcelines(of_width_two.python)[1] + 4


@kernel
def raising_release(state, job, log):
    """Raises when job 1 leaves."""
    if job == 1:
        raise ValueError("job 1 cannot leave")
    release(state, job, log)


@pytest.mark.parametrize(
    ("kernels", "said"),
    [
        (OF_KERNELS._replace(search=of_width_two), "a width of 1"),
        (OF_KERNELS._replace(release=raising_release), "job 1 cannot leave"),
    ],
    ids=["search", "release"],
)
def test_an_error_that_a_kernel_raises_in_the_loop_ends_the_run(install, kernels, said):
    """One line names the strategy, what was raised, and where: compiled code would have gone on with a 0."""
    install(faulty=variant(kernels=kernels))
    for run in (Simulation(of_faulty(), record=False), Simulation(of_faulty(), record=True)):
        with pytest.raises(
            StrategyError, match=rf"^faulty failed .*ValueError: {said} \(test_third_party_kernels"
        ) as caught:
            run.run()
    if kernels.search is of_width_two:
        assert str(caught.value).endswith(f"kernels.py:{RAISED_AT})")


@kernel
def endless_until_stopped(state, request, boxes_out, log):
    """Does not return for a width of 1 until it is stopped, so that no thread of it outlives the test."""
    n = 0
    while request.w == 1 and n >= 0 and state.tally[5] == 0:
        n = (n + 1) % 1000
        boxes_out[0, n % 6] = n  # written, or LLVM would look at the tally once
    return find(state, request, boxes_out, log)


@compiled
def test_a_kernel_that_never_ends_is_given_up_by_name(install, monkeypatch):
    """As a call of a plain strategy is, with the whole limit for each call."""
    install(faulty=variant(endless_until_stopped))
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.5")
    with pytest.raises(StuckError, match=r"^faulty did not return from running its kernels within 0\.5 s$"):
        simulate_figures(of_faulty())


@compiled
def test_a_kernel_that_never_ends_can_be_stopped(install):
    """Who follows the run hears of it while the kernel works."""
    install(faulty=variant(endless_until_stopped))
    heard = []
    work = Work(lambda progress: heard.append(progress) or len(heard) < 3 or work.stop())
    with pytest.raises(Stopped):
        simulate_figures(of_faulty(), work=work)


@kernel
def sums(state, request):
    """Does not compile."""
    return state.processors.held + "one" + request.w


@kernel
def uncompilable(state, request, boxes_out, log):
    """Calls what does not compile."""
    return sums(state, request)


SUMS_AT = inspect.getsourcelines(sums.python)[1] + 3


@compiled
def test_a_kernel_that_does_not_compile_is_one_sentence(install):
    """It names the strategy, its package and the line, says what the compiler misses, and no page of it."""
    install(faulty=variant(uncompilable))
    with pytest.raises(StrategyError) as caught:
        simulate_figures(of_faulty())
    said = str(caught.value)
    assert said.startswith("faulty failed while compiling the kernels of the package tests: TypingError: ")
    assert "nopython" not in said
    assert "add(array(int32, 3d, C), Literal[str](one))" in said
    assert said.endswith(f"(test_third_party_kernels.py:{SUMS_AT})")
    assert said.isprintable()


@pytest.mark.parametrize("method", ["allocate", "release", "due", "nodes"])
def test_one_with_a_method_of_its_own_is_run_by_it(install, method):
    """Then its kernels are not all that it does, whatever it says of itself."""
    original = getattr(LastFit, method)
    install(
        faulty=variant(
            **{method: lambda self, *given: original(self, *given)},  # noqa: PLW0108 - not the same
            is_kernels_alone=classmethod(lambda cls: True),  # noqa: ARG005
        )
    )
    assert not issubclass(strategy(of_faulty().allocator.name), KernelStrategy)
    boxes = [(x, 0, 0, w, 1, 1) for x, w in ((2, 2), (1, 1), (1, 3))]
    assert list(map(tuple, simulate_figures(of_faulty()).boxes.tolist())) == boxes


def test_what_it_answers_on_the_empty_machine_is_asked_once(install):
    """A machine is made for each run of a sweep, and each size would be a call into another thread."""
    asked = []

    def refusal(self, size):
        asked.append(size)
        return HeldProcessorsStrategy.refusal(self, size)

    install(faulty=variant(refusal=refusal))
    said = [strategy("faulty")(Mesh((4, 1))).refusal((5, 1, 1)) for _ in range(2)]
    assert said == ["5×1 does not fit into the empty 4×1 mesh"] * 2
    assert asked == [(5, 1, 1)]


@kernel
def too_many(state, request, boxes_out, log):
    """Says that it wrote a million boxes."""
    find(state, request, boxes_out, log)
    return 1_000_000


@kernel
def outside(state, request, boxes_out, log):
    """A box beyond the edge."""
    give(boxes_out, 3, 0, 0, 2, 1, 1)
    return 1


@kernel
def overlapping(state, request, boxes_out, log):
    """Always the same corner."""
    give(boxes_out, 0, 0, 0, request.w, 1, 1)
    return 1


@kernel
def too_little(state, request, boxes_out, log):
    """One processor, whatever is asked for."""
    find(state, request, boxes_out, log)
    boxes_out[0, 3] = 1
    return 1


@kernel
def less_than_nothing(state, request, boxes_out, log):
    """A number that means nothing."""
    return -7


@pytest.mark.parametrize(
    ("search", "complaint"),
    [
        (too_many, "gave job 0 1000000 boxes: expected at most 1"),
        (outside, "which is not inside the mesh"),
        (overlapping, "part of which is held already"),
        (too_little, "fewer processors"),
        (less_than_nothing, "gave job 0 -7 boxes: expected at most 1"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_boxes_that_a_job_must_not_get_end_the_run(install, search, complaint):
    """The loop looks at every answer, and at none that there is no room for."""
    install(faulty=variant(search))
    with pytest.raises(StrategyError, match=rf"^faulty .*{complaint}"):
        simulate_figures(of_faulty())


@kernel
def promise(state, request, boxes_out, log):
    """Promises wide jobs the lower corner."""
    if request.w < 3 or state.processors.free[0] == state.processors.held.size:
        return find(state, request, boxes_out, log)
    give(boxes_out, 0, 0, 0, request.w, 1, 1)
    state.tally[ATTEMPTS] = 1
    return RESERVED


@kernel
def promise_or_take(state, request, boxes_out, log):
    """The same with the boxes taken."""
    count = promise(state, request, boxes_out, log)
    if count > 0:
        state.tally[ATTEMPTS] = 0
        take(state, request.job, boxes_out, count)
    return count


@kernel
def due_when_empty(state, boxes_out):
    """Job 2, once all others have left."""
    boxes_out[0, 0] = 2
    return state.tally[ATTEMPTS] if state.processors.free[0] == state.processors.held.size else 0


RESERVING = StrategyKernels(OF_KERNELS.release, allocate=promise_or_take, due=due_when_empty)


@kernel
def due_a_stranger(state, boxes_out):
    """A job that there is not."""
    boxes_out[0, 0] = 1 << 30
    return 1


@kernel
def promise_outside(state, request, boxes_out, log):
    """The same with a promise beyond the edge."""
    count = promise_or_take(state, request, boxes_out, log)
    if count == RESERVED:
        boxes_out[0, 0] = 3
    return count


RESERVES = classmethod(lambda cls, options: True)  # noqa: ARG005


def test_reservations_are_kept_and_strangers_not_started(install):
    """Jobs that are due are those with a reservation, and a box outside the mesh is not reserved."""
    install(faulty=variant(kernels=RESERVING, reserves=RESERVES))
    run = Simulation(of_faulty(), record=True).run()
    assert run.times[run.started].tolist() == [0, 1, 5]
    assert run.reservation_of(2) == Box(0, 0, 0, 3, 1, 1)
    answer = simulate(of_faulty()).new_strategy().allocate(Request(0, (1, 1, 1)))
    assert isinstance(answer, tuple | Reservation)
    for changed, said in (
        ({"due": due_a_stranger}, r"faulty calls \(1073741824,\) due"),
        ({"allocate": promise_outside}, r"faulty gave job 2 the box \(3, .*, which is not inside the mesh"),
    ):
        install(faulty=variant(kernels=RESERVING._replace(**changed), reserves=RESERVES))
        with pytest.raises(StrategyError, match=said):
            simulate_figures(of_faulty())


class Untyped(NamedTuple):
    """A state without a tally."""

    held: np.ndarray


class OfFloats(NamedTuple):
    """A state with a number that is not whole."""

    tally: np.ndarray
    share: float


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        (None, "expected a named tuple, got None"),
        (Untyped(np.zeros(3)), "expected a first field called tally"),
        (OfFloats(np.zeros(2, dtype=np.int64), 1), "tally: expected the array of new_tally()"),
        (OfFloats(new_tally(), 0.5), "share: expected an array of numbers or a whole number, got 0.5"),
        (OfFloats(new_tally(), np.array(["a"])), "share: expected an array of numbers or a whole number"),
    ],
    ids=["none", "no tally", "short tally", "float", "texts"],
)
def test_a_state_that_kernels_cannot_work_on_is_refused(install, state, complaint):
    """It is laid out in memory: what is of another kind would be read as something else."""
    install(faulty=variant(empty_state=lambda self: state))  # noqa: ARG005
    with pytest.raises(StrategyError) as caught:
        simulate_figures(of_faulty())
    assert str(caught.value).startswith("faulty begins with a state that kernels cannot work on: ")
    assert complaint in str(caught.value)


@pytest.mark.parametrize("most", [0, 5])
def test_room_for_boxes_is_at_most_one_for_each_processor(install, most):
    """`most_boxes` is how much is laid out for a job's boxes."""
    install(faulty=variant(most_boxes=most))
    with pytest.raises(StrategyError, match="faulty has most_boxes: expected a whole number from 1 to 4"):
        simulate_figures(of_faulty())


@pytest.mark.parametrize(
    ("kernels", "complaint"),
    [
        (None, "kernels: expected a StrategyKernels, got None"),
        (OF_KERNELS._replace(search=None), "kernels: expected search and take, or allocate"),
        (OF_KERNELS._replace(search=max), "kernels, search: expected a kernel of 4 parameters"),
        (OF_KERNELS._replace(take=due_a_stranger), "kernels, take: expected a kernel of 4 parameters"),
    ],
    ids=["none", "without search", "plain function", "parameters"],
)
def test_kernels_of_another_kind_are_refused_when_it_is_loaded(install, kernels, complaint):
    """The doctor lists the strategy with the reason."""
    install(faulty=variant(kernels=kernels))
    with pytest.raises(StrategyError) as caught:
        strategy("faulty")
    assert complaint in str(caught.value)
