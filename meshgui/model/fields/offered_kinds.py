"""The strategies and queue disciplines that the scenario form offers, and why some cannot be picked."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, get_origin

from pydantic.fields import FieldInfo

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.base import BlockOptions, Strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless
from meshgui.engine.scheduling.base import Discipline
from meshgui.model.base.named import named
from meshgui.model.fields.field_schema import Schema, inlined
from meshgui.model.manual.pages import translated


class OfferedKind(NamedTuple):
    """A kind that can be picked: its name in the file, its title and hint, its fields, and its group."""

    name: str
    title: str
    hint: str
    schema: Schema
    group: str = ""


def first_line(schema: Schema) -> str:
    """The first line of a schema's description, which is the docstring of its class."""
    return harmless(translated(str(schema.get("description", "")).partition("\n")[0]))


@cache  # a schema takes milliseconds, and every form needs those of all strategies
def strategy_kind(cls: type[Strategy]) -> OfferedKind:
    """Describe a strategy with its options."""
    hint = f"{cls.title} ({cite(cls.source)})"
    schema = inlined(cls.options_model.model_json_schema())
    group = tr("Contiguous: one box a job") if cls.contiguous else tr("Non-contiguous: several boxes a job")
    return OfferedKind(cls.id, named(cls.title, cls.id), hint, schema, group)


def refusal_of(cls: type[Strategy], mesh: Mesh) -> str:
    """Return the reason why a strategy cannot be picked for a mesh, or nothing.

    Where its own sizes may help it can be picked: they are seen only then, and what is wrong is said there.
    Choices and switches do not help.
    """
    own = cls.options_model.model_fields.keys() - BlockOptions.model_fields.keys()
    fields = [cls.options_model.model_fields[name] for name in own]
    if mesh.dims in cls.dims and not all(map(_is_choice, fields)):
        return ""
    try:
        return cls.unfit(mesh, cls.options_model.model_construct()) or ""
    except StrategyError as error:
        return str(error)


def _is_choice(field: FieldInfo) -> bool:
    return field.annotation is bool or get_origin(field.annotation) is Literal


@cache
def discipline_kind(cls: type[Discipline]) -> OfferedKind:
    """Describe a queue discipline with its options."""
    schema = inlined(cls.options_model.model_json_schema())
    return OfferedKind(cls.id, named(cls.title, cls.id), cls.title, schema)
