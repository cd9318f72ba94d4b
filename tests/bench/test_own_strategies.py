"""The strategies of the manual can be measured like any other."""

import sys

import pytest

from meshgui.bench.own_strategies import IN_KERNELS, IN_PYTHON, manuals_strategies
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.runs.simulation import simulate_figures
from tests.scenarios import listed


@pytest.mark.kernel
def test_both_give_the_same_boxes_and_only_one_runs_by_its_kernels():
    """Scenarios can name them within the block alone."""
    known = {*strategies()}, [*sys.path]
    with manuals_strategies():
        runs = [listed((4, 3), [(0, (2, 2), 5), (1, (3, 1), 1)], name) for name in (IN_KERNELS, IN_PYTHON)]
        assert [issubclass(strategy(run.allocator.name), KernelStrategy) for run in runs] == [True, False]
        kernels, python = map(simulate_figures, runs)
    assert kernels.boxes.tolist() == python.boxes.tolist() == [[2, 1, 0, 2, 2, 1], [1, 0, 0, 3, 1, 1]]
    assert ({*strategies()}, sys.path) == known
