"""The JSON Schema of scenarios, with the options of every strategy and queue discipline."""

from __future__ import annotations

from typing import Any

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario.files import VIEW
from meshgui.engine.scenario.models import Scenario
from meshgui.engine.scheduling.registry import disciplines


def json_schema() -> dict[str, Any]:
    """The scenario's JSON Schema, with the options of every strategy and scheduler."""
    schema = Scenario.model_json_schema()
    defs = schema["$defs"]
    for part in defs.values():
        if "kind" in part["properties"]:  # it has a default in Python, but a file has to say it
            part["required"] = sorted({"kind", *part.get("required", [])})
    given = (("path", "string"), ("jobs", "array"))
    defs["TraceWorkload"]["oneOf"] = [
        {"properties": {name: {"type": kind}}, "required": [name]} for name, kind in given
    ]
    defs["AllocatorSpec"] = {
        "oneOf": [
            {
                "type": "object",
                "title": cls.title,
                "properties": {"name": {"const": name}, "options": _options_schema(cls.options_model, defs)},
                "required": ["name"],
                "additionalProperties": False,
            }
            for name, cls in strategies().items()
        ]
    }
    defs["SchedulerSpec"] = {
        "oneOf": [
            {
                "type": "object",
                "title": cls.title,
                "properties": {"name": {"const": name}, "options": _options_schema(cls.options_model, defs)},
                "required": ["name"],
                "additionalProperties": False,
            }
            for name, cls in disciplines().items()
        ]
    }
    defs.pop("Options", None)  # untranslated: names of classes
    defs.pop("DisciplineOptions", None)  # untranslated: likewise
    schema["required"] = ["meshgui", *schema["required"]]
    schema["properties"][VIEW] = {
        "type": "object",  # untranslated: of the format
        "title": tr("View"),
        "description": tr(
            "what a window shows of the scenario: time, selection, camera, panels, breakpoints and"
            " bookmarks; no run depends on it"
        ),
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _options_schema(model: type[Part], defs: dict[str, Any]) -> dict[str, Any]:
    """Options of a strategy or scheduler; what their schema refers to goes into `$defs`."""
    schema = model.model_json_schema()
    schema.pop("description", None)
    defs.update(schema.pop("$defs", {}))
    return schema
