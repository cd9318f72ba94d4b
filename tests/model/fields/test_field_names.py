"""The labels of scenario files: none is made up of what the program itself writes."""

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.network.loads.registry import loads
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scenario.schema import json_schema
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.fields.field_names import FIELD_NAMES


def test_every_key_and_value_of_the_schema_has_a_name_of_its_own():
    """What the program itself writes into scenarios is a message; only what plug-ins add is made up."""
    named = {"meshgui"} | set(FIELD_NAMES) | set(strategies()) | set(disciplines()) | set(patterns())
    named |= set(loads())
    assert sorted(name for name in _names_in(json_schema()) if len(name) > 1 and name not in named) == []


def _names_in(schema):
    if isinstance(schema, list):
        return {name for part in schema for name in _names_in(part)}
    if not isinstance(schema, dict):
        return set()
    own = {*schema.get("properties", {}), *schema.get("enum", []), schema.get("const")}
    inside = {name for part in schema.values() for name in _names_in(part)}
    return {name for name in own if isinstance(name, str)} | inside
