"""What the author of a scenario may not expect though nothing is wrong, for those who open its file."""

from __future__ import annotations

from meshgui.engine.scenario.models import Scenario


def remarks(scenario: Scenario) -> tuple[str, ...]:
    """A sentence for each."""
    network = scenario.network
    services = scenario.workload.states_services(network)
    return (
        *scenario.allocator.options.remarks(),
        *scenario.scheduler.options.remarks(services=services, messages=network is not None),
    )
