"""Whether a run depends on its seed."""

from __future__ import annotations

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.plugins import is_own
from meshgui.engine.network.patterns.registry import FILE
from meshgui.engine.scenario.failures import DrawnFailures
from meshgui.engine.scenario.models import Scenario
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import StochasticWorkload


def depends_on_seed(scenario: Scenario) -> bool:
    """Whether runs of a scenario with different seeds may differ; of third parties nothing is known."""
    if isinstance(scenario.workload, StochasticWorkload):
        return True
    if scenario.network is not None and scenario.network.load is not None:
        return True
    if scenario.reliability is not None and isinstance(scenario.reliability.failures, DrawnFailures):
        return True
    if scenario.network is not None and scenario.network.pattern != FILE:
        return True  # messages and their ends are drawn
    cls = strategy(scenario.allocator.name)
    return cls.draws_lots or not is_own(cls) or not is_own(discipline(scenario.scheduler.name))
