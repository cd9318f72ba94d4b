"""The one line about a bad scenario names the field as the file does, and says what was expected."""

import pickle
from copy import deepcopy
from functools import reduce
from typing import Any

import pytest
from pydantic import Field

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scenario import ScenarioError, scenario_from
from tests.scenarios import parse_scenario


def line_about(**parts: Any) -> str:
    """The complaint about a scenario that is sound but for the given parts."""
    sound = {
        "meshgui": 1,
        "mesh": {"shape": [4, 4]},
        "allocator": {"name": "ff"},
        "workload": {"kind": "stochastic", "load": 1},
    }
    with pytest.raises(ScenarioError) as caught:
        scenario_from(sound | parts)
    return str(caught.value)


def drawn(**parts: Any) -> dict[str, Any]:
    """A stochastic workload."""
    return {"kind": "stochastic", "load": 1} | parts


@pytest.mark.parametrize(
    ("workload", "line"),
    [
        (
            drawn(sides={"kind": "intervals", "intervals": [[1, 2, -1]]}),
            "workload.sides.intervals.0.2: expected more than 0, got -1",
        ),
        (drawn(sides={"kind": "intervals"}), "workload.sides.intervals: expected a value, but there is none"),
    ],
)
def test_a_workload_s_complaint_names_the_place_in_the_file(workload, line):
    """Tags of unions are no part of the place, even where a kind and a field share a name."""
    assert line_about(workload=workload) == f"scenario: {line}"


def test_a_strategy_s_option_is_named_among_the_options(monkeypatch):
    """A complaint about an option says allocator.options, where the file has it."""

    class Depths(Options):
        depth: int = Field(3, ge=1)

    class Deep(strategies()["ff"]):
        id = "deep"
        options_model = Depths

    monkeypatch.setitem(strategies(), "deep", Deep)
    allocator = {"name": "deep", "options": {"depth": 0}}
    expected = "scenario: allocator.options.depth: expected at least 1, got 0"
    assert line_about(allocator=allocator) == expected


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"workload": drawn(sides={"kind": "intervals"})}, ("workload", "sides", "intervals")),
        ({"scheduler": {"name": "none"}}, ("scheduler", "name")),
        ({"scheduler": {"options": {"a.b": "c"}}}, ("scheduler", "options", "a.b")),
        ({"mesh": {"shape": [4, 0]}}, ("mesh", "shape", 1)),
        ({"seed": -1}, ("seed",)),
        ({"a key: of two": 1}, ("a key: of two",)),
    ],
)
def test_an_error_carries_the_path_of_the_field_and_the_message(parts, path):
    """Keys and indices as the document has them; joined, they are what the line says."""
    with pytest.raises(ScenarioError) as caught:
        scenario_from(
            {"meshgui": 1, "mesh": {"shape": [4, 4]}, "allocator": {"name": "ff"}}
            | {"workload": drawn()}
            | parts,
            "here.json",
        )
    error = caught.value
    assert (error.path, error.file) == (path, "here.json")
    assert str(error) == f"here.json: {'.'.join(map(str, path))}: {error.message}"


@pytest.mark.parametrize("text", ["[", "[1]", '{"a": 1, "a": 2}'])
def test_what_is_no_document_has_no_path(text):
    """The file as a whole is at fault."""
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "here.json")
    assert caught.value.path is None
    assert str(caught.value) == f"here.json: {caught.value.message}"


def test_an_error_survives_the_way_to_another_process():
    """Its line is the same there."""
    error = ScenarioError("expected less", ("seed",), "here.json")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own


def places_in(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places_in(item, (*path, key)))]


WHOLE = {
    "meshgui": 1,
    "title": "A title",
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "paging", "options": {"side": 1, "order": "row-major"}},
    "scheduler": {"name": "ssd", "options": {"demand": "processor-time"}},
    "workload": drawn(jobs=10, sides={"kind": "uniform"}, service={"kind": "exponential", "mean": 1.0}),
    "seed": 1,
}


ODD: list[Any] = ["long" * 10_000, 10**4000, -(10**4000), [0] * 10_000, {"key" * 10_000: 1}, [["x" * 10_000]]]


@pytest.mark.parametrize("place", places_in(WHOLE)[1:], ids=lambda place: ".".join(map(str, place)))
def test_what_an_error_quotes_is_cut(place):
    """Whatever stands at a place, an error about it can be read: in a value, a key or the name of a kind."""
    *above, key = place
    lines = []
    for odd in ODD:
        document = deepcopy(WHOLE)
        holder = reduce(lambda part, step: part[step], above, document)
        holder[key] = odd
        try:
            scenario_from(document)
        except ScenarioError as error:
            lines.append(str(error))
    assert max(map(len, lines)) < 1000, max(lines, key=len)[:2000]


def test_keys_that_stand_twice_and_long_numbers_are_cut_too():
    """These are found in the text, before there is a document."""
    key = '"' + "key" * 10_000 + '"'
    for text in (f"{{{key}: 1, {key}: 2}}", '{"meshgui": ' + "1" * 10_000 + "}"):
        with pytest.raises(ScenarioError) as caught:
            parse_scenario(text)
        assert len(str(caught.value)) < 1000
