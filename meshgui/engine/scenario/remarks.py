"""What the author of a scenario may not expect though nothing is wrong, for those who open its file."""

from __future__ import annotations

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario.models import Scenario
from meshgui.engine.scheduling.disciplines import DemandOptions


def remarks(scenario: Scenario) -> tuple[str, ...]:
    """A sentence for each."""
    try:
        of_strategy = strategy(scenario.allocator.name).remarks(scenario.allocator.options)
    except StrategyError as error:  # of a third party; a run will end with it
        of_strategy = (str(error),)
    return of_strategy + _of_demand(scenario) + dropped_times(scenario)


def dropped_times(scenario: Scenario) -> tuple[str, ...]:
    """Where stated times do not say how long jobs run."""
    network = scenario.network
    if network is None or not scenario.workload.states_services(network):
        return ()
    if network.compute is not None and network.compute.kind == "stated":
        return ()
    said = tr(
        "network.compute: jobs end when their messages have arrived, so the times that the workload states "
        "only rank and plan; with kind stated they also compute for these times"
    )
    return (said,)


def _of_demand(scenario: Scenario) -> tuple[str, ...]:
    """Where the option of `ssd` changes nothing."""
    options, network = scenario.scheduler.options, scenario.network
    if not isinstance(options, DemandOptions):
        return ()
    by_messages = options.demand == "processor-messages"
    if by_messages and network is None:
        said = tr(
            "scheduler.options.demand: jobs send no messages without a network: "
            "the demand is processors × service"
        )
        return (said,)
    stated = "demand" in options.model_fields_set
    if stated and not by_messages and not scenario.workload.states_services(network):
        said = tr(
            "scheduler.options.demand: it changes nothing: no job states a service time, "
            "so messages are the demand"
        )
        return (said,)
    return ()
