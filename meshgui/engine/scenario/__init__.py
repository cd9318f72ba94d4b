"""What to simulate: the scenario's models, their checks against each other, its files and its JSON Schema."""

from meshgui.engine.scenario.files import (
    VIEW,
    ScenarioError,
    ScenarioFile,
    load_file,
    load_scenario,
    parse_file,
    refuse_elsewhere,
    saving,
    scenario_from,
    write_pieces,
    write_whole,
)
from meshgui.engine.scenario.models import Scenario
from meshgui.engine.scenario.remarks import remarks
from meshgui.engine.scenario.schema import json_schema
from meshgui.engine.scenario.slices import SlicedData
from meshgui.engine.scenario.specs import AllocatorSpec, MeshSpec, SchedulerSpec

__all__ = [
    "VIEW",
    "AllocatorSpec",
    "MeshSpec",
    "Scenario",
    "ScenarioError",
    "ScenarioFile",
    "SchedulerSpec",
    "SlicedData",
    "json_schema",
    "load_file",
    "load_scenario",
    "parse_file",
    "refuse_elsewhere",
    "remarks",
    "saving",
    "scenario_from",
    "write_pieces",
    "write_whole",
]
