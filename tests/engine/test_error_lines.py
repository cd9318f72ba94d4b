"""The one line about a bad scenario names the field as the file does, and says what was expected."""

import pickle
from typing import Any

import pytest
from pydantic import Field

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scenario import ScenarioError, parse_scenario, scenario_from


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
        (
            drawn(sides={"kind": "intervals"}),
            "workload.sides.intervals: expected a value, but there is none",
        ),
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
