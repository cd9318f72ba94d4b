"""What a third party's kernels answer and are made of is held to the protocol before it is used."""

from typing import NamedTuple

import numpy as np
import pytest

from meshgui.api import ATTEMPTS, RESERVED, Reservation, StrategyKernels, kernel, new_tally, take
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from tests.engine.allocation.kernel_fits import OF_KERNELS, find, give, of_faulty, variant

pytestmark = pytest.mark.kernel


@kernel
def too_many(state, asked, given, log):
    """Says that it wrote a million boxes."""
    find(state, asked, given, log)
    return 1_000_000


@kernel
def outside(state, asked, given, log):
    """A box beyond the edge."""
    give(given, 3, 0, 0, 2, 1, 1)
    return 1


@kernel
def overlapping(state, asked, given, log):
    """Always the same corner."""
    give(given, 0, 0, 0, asked.w, 1, 1)
    return 1


@kernel
def too_little(state, asked, given, log):
    """One processor, whatever is asked for."""
    find(state, asked, given, log)
    given[0, 3] = 1
    return 1


@kernel
def less_than_nothing(state, asked, given, log):
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
def promise(state, asked, given, log):
    """Promises wide jobs the lower corner."""
    if asked.w < 3 or state.processors.free[0] == state.processors.held.size:
        return find(state, asked, given, log)
    give(given, 0, 0, 0, asked.w, 1, 1)
    state.tally[ATTEMPTS] = 1
    return RESERVED


@kernel
def promise_or_take(state, asked, given, log):
    """The same with the boxes taken."""
    count = promise(state, asked, given, log)
    if count > 0:
        state.tally[ATTEMPTS] = 0
        take(state, asked.job, given, count)
    return count


@kernel
def due_when_empty(state, given):
    """Job 2, once all others have left."""
    given[0, 0] = 2
    return state.tally[ATTEMPTS] if state.processors.free[0] == state.processors.held.size else 0


RESERVING = StrategyKernels(OF_KERNELS.release, allocate=promise_or_take, due=due_when_empty)


@kernel
def due_a_stranger(state, given):
    """A job that there is not."""
    given[0, 0] = 1 << 30
    return 1


@kernel
def promise_outside(state, asked, given, log):
    """The same with a promise beyond the edge."""
    count = promise_or_take(state, asked, given, log)
    if count == RESERVED:
        given[0, 0] = 3
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
