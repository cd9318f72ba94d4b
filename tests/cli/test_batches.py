"""`meshgui run --batches` as data; the transcripts have its table."""

import json

from meshgui.engine.basics.statistics import autocorrelation, estimate
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.experiment.batches import Batches, batch_figures


def test_json_has_the_summary_and_the_batches(here, scenario_file):
    """Every number is the engine's."""
    path = scenario_file()
    found = json.loads(here("run", path, "--batches", 5, "--warm-up", 4, "--json").stdout)
    assert found["jobs"] == 40
    cut = found["batches"]
    assert (cut["count"], cut["warm_up"], cut["confidence"]) == (5, 4, 0.95)
    samples = batch_figures(Simulation(load_scenario(path)).run(), Batches(count=5, warm_up=4))
    assert set(cut["figures"]) == set(samples[0])
    for name, figure in cut["figures"].items():
        values = [sample[name] for sample in samples]
        wanted = estimate(values)
        assert (figure["mean"], figure["half_width"]) == (wanted.mean, wanted.half_width)
        assert figure["autocorrelation"] == autocorrelation(values)
