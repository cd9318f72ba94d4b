"""A steady load of packets as a scenario: what a run shows of it, and its sweep over rates."""

import json

import numpy as np
import pytest

from meshgui.engine.network.loads.registry import load
from meshgui.engine.network.open_loop import measure
from meshgui.engine.network.steady_load import SteadyLoad
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import ScenarioError, scenario_from
from meshgui.experiment.batches import Batches
from meshgui.experiment.fields import FieldError
from meshgui.experiment.preview import previews
from meshgui.experiment.run_spec import run_once, run_spec_of
from meshgui.experiment.store import Store
from tests.experiments import run_experiment, small_experiment


def loaded(shape=(4, 4), wrap=None, network=None, jobs=None, **traffic):
    """The data of a scenario with a steady load on the whole machine."""
    mesh = {"shape": list(shape)} | ({} if wrap is None else {"wrap": [wrap] * len(shape)})
    given = {"traffic": "uniform", "rate": 0.2, "cycles": 400, "warm_up": 100} | traffic
    return {
        "meshgui": 1,
        "mesh": mesh,
        "allocator": {"name": "ff"},
        "workload": {"kind": "list", "jobs": jobs or [{"arrival": 0, "size": list(shape)}]},
        "network": {"pattern": "file", "flits": 4, "load": given, **(network or {})},
    }


def test_a_run_of_it_sends_the_packets_that_are_measured_and_ends_when_they_have_arrived():
    """Each in the cycle of its birth, from node to node as drawn from the seed."""
    scenario = scenario_from(loaded())
    recording = simulate(scenario, 7)
    under = SteadyLoad(scenario.machine, scenario.network.law, load("uniform"), 0.2, 400, 100, 7)
    times, sources, targets = under.born()
    record = recording.network
    assert np.array_equal(np.sort(record.sent), np.sort(times))
    drawn = sorted(zip(times.tolist(), sources.tolist(), targets.tolist(), strict=True))
    ran = zip(record.sent.tolist(), record.sources.tolist(), record.targets.tolist(), strict=True)
    assert sorted(ran) == drawn
    assert recording.complete
    assert recording.times[-1] == record.delivered.max()


def test_the_figures_of_a_sweep_are_those_that_the_command_measures():
    """Latency from birth and in the network, throughput, and what an empty network would take."""
    scenario = scenario_from(loaded(network={"routing": "odd-even", "channels": 2}))
    figures = run_once(run_spec_of(scenario).text, 3).samples[0]
    found = measure(SteadyLoad(scenario.machine, scenario.network.law, load("uniform"), 0.2, 400, 100, 3))
    assert figures["packet_latency"] == found.latency.mean()
    assert figures["latency"] == found.network_latency.mean()
    assert figures["empty_latency"] == found.empty.mean()
    assert (figures["throughput"], figures["offered_flits"]) == (found.throughput, found.offered)
    assert figures["packet_latency"] >= figures["latency"] >= figures["empty_latency"]


def test_a_point_in_a_deadlock_is_kept_as_such_and_the_others_of_the_curve_go_on(tmp_path):
    """On rings of one channel; two are the way out."""
    data = loaded(wrap=True, rate=0.8, network={"flits": 8, "channels": 1})
    experiment = small_experiment("network.channels=1,2", data=data, least=2, most=2)
    stuck, flowing = run_experiment(experiment, store=Store(tmp_path / "runs.db"))
    assert "deadlock in cycle" in stuck.fault
    assert not flowing.fault
    assert flowing.estimates["packet_latency"].mean > 0


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        (loaded(traffic="none-such"), "network.load.traffic"),
        (loaded((3, 3), traffic="shuffle"), "network.load.traffic"),
        (loaded(rate=5.0), "network.load.rate"),
        (loaded(warm_up=400), "network.load.warm_up"),
        (loaded(network={"pattern": "random"}), "network.load"),
        (loaded(network={"packets": [[0, 0, 0, 0, 1, 0, 0, 0]]}), "network.load"),
        (loaded(jobs=[{"arrival": 0, "size": [2, 4]}]), "workload.jobs"),
    ],
    ids=str,
)
def test_a_load_that_does_not_fit_is_refused_by_its_field(changed, path):
    """When the scenario is read."""
    with pytest.raises(ScenarioError) as caught:
        scenario_from(changed)
    assert ".".join(map(str, caught.value.path)) == path


def test_it_has_no_batches_and_a_file_without_a_load_stays_as_it_was():
    """The field is written where it says something alone."""
    with pytest.raises(FieldError, match="no batches of jobs"):
        small_experiment(data=loaded(), batches=Batches(count=4))
    plain = loaded()
    del plain["network"]["load"]
    assert "load" not in json.dumps(scenario_from(plain).model_dump(mode="json")["network"])


def test_curves_that_follow_a_slider_are_of_shorter_loads_and_go_on_after_a_deadlock():
    """The last pass is the sweep's own where that is no longer."""
    data = loaded(wrap=True, rate=0.8, cycles=30_000, warm_up=3_000, network={"flits": 8})
    experiment = small_experiment("network.channels=1,2", data=data)
    first = next(previews(experiment))
    stuck, flowing = first.points
    assert "deadlock in cycle" in stuck.fault
    assert flowing.estimates["packets"].mean == pytest.approx(0.8 / 8 * 16 * 1800, rel=0.1)
    short = small_experiment("network.load.rate=0.1", data=loaded(), least=5, most=5)
    *_, last = previews(short)
    seeds = range(short.seed, short.seed + 5)
    runs = [run_once(short.points[0].spec.text, seed).samples[0] for seed in seeds]
    mean = np.mean([figures["packet_latency"] for figures in runs])
    assert last.points[0].estimates["packet_latency"].mean == pytest.approx(mean)
