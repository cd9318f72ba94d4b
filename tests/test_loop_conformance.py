"""A run by the compiled loop is compared with calls of the same strategy, one after another."""

import pytest

from meshgui.conformance import PROPERTIES, failure_of
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.gabl import GreedyAvailableBusyList
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.tree_allocation import TreeAllocation

[IN_THE_LOOP] = [one for one in PROPERTIES if "compiled loop" in one.words]
pytestmark = pytest.mark.kernel


class CountsMore(FirstFit):
    """Counts what it is asked outside its kernels, which the loop does not see."""

    def allocate_rows(self, request, log=None):
        self.operations += 1
        return super().allocate_rows(request, log)


class GivesAnother(FirstFit):
    """Gives other boxes outside its kernels."""

    def allocate_rows(self, request, log=None):
        rows = super().allocate_rows(request, log)
        return rows if rows is None else rows[:, [1, 0, 2, 3, 4, 5]]


@pytest.mark.parametrize("cls", [FirstFit, GreedyAvailableBusyList, TreeAllocation])
def test_those_of_the_project_give_the_same(cls):
    """With reservations too; nothing of it stays among the strategies that scenarios can name."""
    known = dict(strategies())
    assert failure_of(IN_THE_LOOP, cls, stories=8) is None
    assert strategies() == known


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        (CountsMore, "operations, but its calls by themselves"),
        (GivesAnother, "in the loop job"),
    ],
)
def test_what_differs_is_named_with_its_story(cls, found):
    """The loop's answer and that of a call."""
    failure = failure_of(IN_THE_LOOP, cls)
    assert failure is not None
    assert found in failure.found
    assert failure.events
