"""Points shared among computers: each makes its own, and the merged stores have the whole sweep."""

import pytest

from meshgui.experiment.executors import InProcess
from meshgui.experiment.results import results_of
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.run_spec import RunResult
from meshgui.experiment.store import RunRecord, Store, StoreError
from meshgui.experiment.store_merge import Merged, merge
from meshgui.experiment.sweep import Shard, Sweep
from tests.experiments import run_experiment, small_experiment

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,2")


def swept(path, experiment, shard=None):
    """Sweep a shard into a store; its points."""
    with Store(path) as store:
        sweep = Sweep(experiment, store, InProcess(), shard)
        sweep.run()
        assert sweep.progress.open_points == 0
        return [result.point.index for result in sweep.results]


@pytest.mark.parametrize("of", [1, 2, 4, 7])
def test_the_merged_stores_of_all_shards_are_the_whole_sweep(tmp_path, of):
    """Every point is in one shard; nothing is left to make, and no digit differs."""
    experiment = small_experiment(*AXES)
    points = []
    for number in range(of):
        points += swept(tmp_path / f"{number}.db", experiment, Shard(number, of))
    assert sorted(points) == list(range(6))
    with Store(tmp_path / "all.db") as target:
        for number in range(of):
            with Store(tmp_path / f"{number}.db", read_only=True) as source:
                merge(target, source)
                again = merge(target, source)
                assert again.added == 0
        merged = results_of(experiment, target)
        assert [sweep.id for sweep in target.sweeps()] == [experiment.id]
    assert all(result.decided for result in merged)
    whole = run_experiment(experiment)
    assert csv_of(experiment, merged) == csv_of(experiment, whole)


def test_two_points_of_the_same_scenario_are_made_once():
    """Also where they are in different shards, as a store knows work by what is run."""
    experiment = small_experiment('workload.sides={"kind":"uniform"},{"kind":"uniform","low":1}')
    assert len({point.spec.key for point in experiment.points}) == 1
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess(), Shard(1, 2))
        sweep.run()
        assert [result.decided for result in sweep.results] == [True]


def test_a_run_that_differs_is_not_merged(tmp_path):
    """One line names both stores and the run; what was merged before stays."""
    experiment = small_experiment()
    swept(tmp_path / "one.db", experiment)
    key = experiment.points[0].spec.key
    with Store(tmp_path / "one.db", read_only=True) as one, Store(tmp_path / "two.db") as two:
        found = one.results(key)
        two.register([point.spec for point in experiment.points])
        other = found[8]._replace(samples=({**found[8].samples[0], "turnaround": 0.0},))
        slower = RunResult(found[7].samples, {"overhead_seconds": 1.0}, 9.0)
        two.keep([RunRecord(key, 7, slower), RunRecord(key, 8, other)])
        with pytest.raises(StoreError) as caught:
            merge(two, one)
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    assert str(caught.value) == f"{one}: the run with seed 8 of {key[:12]} has other figures than in {two}"


def test_a_clock_makes_no_difference(tmp_path):
    """Runs are equal whose figures are, however long they took."""
    experiment = small_experiment(least=3, most=3)
    for name in ("one.db", "two.db"):
        swept(tmp_path / name, experiment)
    with Store(tmp_path / "one.db", read_only=True) as one, Store(tmp_path / "two.db") as two:
        assert merge(two, one) == Merged(0, 3)


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1/9999999"])
def test_a_shard_is_one_of_some(text):
    """Counted from 1."""
    assert Shard.of_text("2/3") == Shard(1, 3)
    with pytest.raises(ValueError, match="expected I/N with I from 1 to N, got"):
        Shard.of_text(text)
