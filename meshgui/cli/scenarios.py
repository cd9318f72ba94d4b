"""Reads and runs a scenario for a command, with the faults of either in the command line's terms."""

from __future__ import annotations

from pathlib import Path

from meshgui.cli.faults import BadUse, WorkFailed
from meshgui.cli.output import Progress
from meshgui.engine.allocation.registry import StrategyError
from meshgui.engine.recording import Recording
from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario
from meshgui.engine.simulation import Simulation

__all__ = ["read", "recorded"]


def read(path: Path) -> Scenario:
    """The scenario in a file."""
    try:
        return load_scenario(path)
    except ScenarioError as error:
        raise BadUse(str(error)) from None


def recorded(simulation: Simulation, path: Path) -> Recording:
    """Run to the end, with progress; `path` is what a fault names."""
    try:
        with Progress("Simulating", "jobs") as progress:
            return simulation.run(progress)
    except StrategyError as error:
        raise WorkFailed(f"{path}: {error}") from None
