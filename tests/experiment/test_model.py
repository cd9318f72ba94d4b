"""The model's version: pinned figures of a handful of runs, which results kept in stores rely on."""

import json
from pathlib import Path

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.run_spec import MODEL, run_once, run_spec_of

PINNED = json.loads((Path(__file__).parents[1] / "golden" / "model_figures.json").read_text("utf-8"))


@pytest.mark.parametrize("run", PINNED["runs"], ids=lambda run: run["scenario"]["allocator"]["name"])
def test_the_same_work_comes_to_the_same_figures_as_ever(run):
    """Otherwise results kept before would be taken for results of now."""
    spec = run_spec_of(scenario_from({"meshgui": 1} | run["scenario"]))
    [found] = run_once(spec.text, PINNED["seed"]).samples
    assert {name: found[name] for name in run["figures"]} == pytest.approx(run["figures"], rel=1e-9), (
        "the figures of a run have changed: MODEL in meshgui/experiment/run_spec.py must be raised,"
        " and tests/golden/model_figures.json have the figures and the number of the new model"
    )


def test_the_pinned_figures_are_those_of_this_version():
    """Whoever raises MODEL pins the new figures."""
    assert PINNED["model"] == MODEL, "MODEL was raised: pin the new figures, and raise the number beside them"
