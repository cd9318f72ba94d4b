"""What the bench runs: a machine for every strategy."""

import pytest

from meshgui.bench.loops import scenario_for
from meshgui.engine.allocation.registry import strategies, strategy

OURS = [name for name in strategies() if strategy(name).__module__.startswith("meshgui.")]


@pytest.mark.parametrize("name", OURS)
def test_every_strategy_has_a_machine_it_works_on(name):
    """A plain mesh, or a torus for those that work on nothing else."""
    machine = scenario_for(name).machine
    assert all(machine.rings) == (name == "torus3d")
