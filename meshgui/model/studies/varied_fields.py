"""The fields of a scenario that an experiment can vary, in the words of the scenario's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.registry import by_title
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.base.list_item import ListItem
from meshgui.model.base.named import id_of
from meshgui.model.fields.field_schema import (
    Schema,
    choice_words,
    entries,
    fields_of,
    in_words,
    inlined,
    without_null,
)
from meshgui.model.fields.names import discipline_name, strategy_name

_TAG: Final = "kind"

ValueKind = Literal["choice", "number", "shape", "text"]


class VariedField(NamedTuple):
    """A field: its label, its present value, and its list of values if it has one."""

    key: str
    label: str
    group: str
    kind: ValueKind
    now: object
    hint: str = ""
    choices: tuple[ListItem, ...] = ()


def varied_fields(scenario: Scenario) -> list[VariedField]:
    """Every field that this scenario has and that can be varied, group by group."""
    data: dict[str, Any] = scenario.model_dump(mode="json")
    schema = fields_of(Scenario)
    found = [
        VariedField(
            "mesh.shape", tr("Shape"), tr("Machine"), "shape", data["mesh"]["shape"], tr("Processors a side")
        ),
        _strategy(scenario, data),
    ]
    options = inlined(type(scenario.allocator.options).model_json_schema())
    found += _inside(options, data["allocator"]["options"], ("allocator", "options"), tr("Allocation"))
    found.append(_scheduler(data))
    options = inlined(type(scenario.scheduler.options).model_json_schema())
    now = scenario.scheduler.options.model_dump(mode="json")
    found += _inside(options, now, ("scheduler", "options"), tr("Scheduler"))
    kinds = {kind["properties"][_TAG]["const"]: kind for kind in schema["workload"]["oneOf"]}
    found += _inside(kinds[data["workload"][_TAG]], data["workload"], ("workload",), tr("Workload"))
    if data["network"] is not None:
        network, _ = without_null(schema["network"])
        found += _inside(network, data["network"], ("network",), tr("Network"))
    if (machine := data.get("machine")) is not None:
        rules, _ = without_null(schema["machine"])
        found += _inside(rules, machine, ("machine",), tr("Failures"))
        if isinstance(machine["failures"], dict):
            _, drawn = rules["properties"]["failures"]["oneOf"]
            found += _inside(drawn, machine["failures"], ("machine", "failures"), tr("Failures"))
    return found


def _strategy(scenario: Scenario, data: Mapping[str, Any]) -> VariedField:
    choices = []
    for cls in by_title(grouped=True):
        group = (
            tr("Contiguous: one box a job") if cls.contiguous else tr("Non-contiguous: several boxes a job")
        )
        try:
            refusal = cls.unfit(scenario.machine, cls.options_model.model_construct()) or ""
        except StrategyError as error:
            refusal = str(error)
        choices.append(
            ListItem(cls.id, strategy_name(cls.id), group, cite(cls.source), refusal, brief=cls.id)
        )
    name = data["allocator"]["name"]
    return VariedField("allocator.name", tr("Strategy"), tr("Allocation"), "choice", name, "", tuple(choices))


def _scheduler(data: Mapping[str, Any]) -> VariedField:
    choices = tuple(ListItem(name, discipline_name(name), brief=name) for name in disciplines())
    name = data["scheduler"]["name"]
    return VariedField("scheduler.name", tr("Scheduler"), tr("Scheduler"), "choice", name, "", choices)


def _inside(
    schema: Schema, data: Mapping[str, Any], path: tuple[str, ...], group: str, over: str = ""
) -> Iterator[VariedField]:
    """The fields of an object that hold one value each."""
    for name, given in entries(schema).items():
        part, optional = without_null(given)
        here = (*path, name)
        label = f"{over}: {within(in_words(name))}" if over else in_words(name)
        hint = str(part.get("description", "")).partition("\n")[0]
        value = data.get(name, given.get("default"))
        if "discriminator" in part:
            yield from _kinds(part, value, here, group, label)
        elif (found := _plain(name, part, value, optional=optional)) is not None:
            kind, choices = found
            yield VariedField(".".join(here), label, group, kind, value, hint, choices)


def _plain(
    name: str, part: Schema, value: object, *, optional: bool
) -> tuple[ValueKind, tuple[ListItem, ...]] | None:
    """The kind of a field's values; None for lists of rows and for texts, which cannot be varied."""
    if "enum" in part:
        none = (ListItem(None, tr("None")),) if optional else ()
        words = (
            ListItem(one, found, brief=id_of(found))
            for one in part["enum"]
            if one != "file" and (found := choice_words(name, one))
        )
        return "choice", (*none, *words)
    kind = part.get("type")
    if kind == "boolean":
        return "choice", (ListItem(False, tr("no")), ListItem(True, tr("yes")))
    if kind in {"integer", "number"}:
        return "number", ()
    if kind == "array" and "prefixItems" in part and value is not None:
        return "text", ()
    return None


def _kinds(
    part: Schema, value: Mapping[str, Any] | None, path: tuple[str, ...], group: str, label: str
) -> Iterator[VariedField]:
    """Yield the kind and the fields of the present kind. An unstated part is varied as a whole."""
    stated = value is not None
    choices = []
    for kind in part["oneOf"]:
        name = kind["properties"][_TAG]["const"]
        missing = [field for field in kind.get("required", ()) if field != _TAG]
        if missing and not (stated and value is not None and value[_TAG] == name):
            fields = tr(" and ").join(missing)
            refusal = tr("it needs its {fields}: choose it in the scenario first").format(fields=fields)
        else:
            refusal = ""
        hint = str(kind.get("description", "")).partition("\n")[0]
        choices.append(ListItem(name if stated else {_TAG: name}, in_words(name), "", hint, refusal))
    if value is None:
        none = ListItem(None, tr("Not stated"))
        yield VariedField(".".join(path), label, group, "choice", None, "", (none, *choices))
        return
    key = ".".join((*path, _TAG))
    yield VariedField(key, label, group, "choice", value[_TAG], "", tuple(choices))
    kind = next(one for one in part["oneOf"] if one["properties"][_TAG]["const"] == value[_TAG])
    yield from _inside(kind, value, path, group, label)
