"""The one line about a bad scenario names the field as the file does, and says what was expected."""

from typing import Any

import pytest
from pydantic import Field

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scenario import ScenarioError, scenario_from


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
