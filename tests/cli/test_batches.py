"""`meshgui run --batches`: means of one run with intervals, in words and as JSON."""

import json

import pytest

from meshgui.engine.basics.statistics import autocorrelation, estimate
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.experiment.batches import Batches, batch_figures
from tests.cli.conftest import is_one_line


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


def test_the_table_stands_behind_the_summary(here, scenario_file):
    """A row a figure, with the relative error and how batches hang together; a warning where they do."""
    path = scenario_file(workload={"kind": "stochastic", "jobs": 200, "load": 4.0})
    plain, cut = here("run", path), here("run", path, "--batches", 10)
    first, second = cut.stdout.split("\n\n", 3)[:2], cut.stdout.split("\n\n", 2)[2]
    assert first[0] == plain.stdout.split("\n\n")[0]
    heading, *rows, gap, said, warning = second.splitlines()
    assert heading.split() == ["Mean", "Relative", "error", "Lag-1", "autocorrelation"]
    assert rows[0].startswith("Turnaround ")
    assert all("±" in row for row in rows)
    assert (gap, said) == ("", "Means of 10 batches with 95 % intervals.")
    assert warning.startswith("Successive batches are correlated (lag-1 autocorrelation 0.")
    assert len({len(row) for row in (heading, *rows)}) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--batches", 0), "--batches: expected a whole number from 2 to 1000, got 0"),
        (("--batches", "ten"), "--batches: expected a whole number"),
        (("--warm-up", 3), "--warm-up: expected --batches N as well"),
        (("--batches", 41), "small.meshgui.json: --batches: expected at least 41 finished jobs"),
        (
            ("--batches", 40, "--warm-up", 1),
            "--batches: expected at least 41 finished jobs for 40 batch",
        ),
    ],
)
def test_bad_arguments_are_one_line(here, scenario_file, words, complaint):
    """Before the run, with status 2."""
    done = here("run", scenario_file(), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert is_one_line(done.stderr)


def test_too_few_jobs_finished_is_one_line(here, scenario_file):
    """Some were rejected, which is known after the run only."""
    jobs = [{"arrival": 0, "size": [4, 2], "service": 1}] * 4
    path = scenario_file(
        mesh={"shape": [4, 2]},
        allocator={"name": "ff"},
        workload={"kind": "list", "jobs": [*jobs, {"arrival": 1, "size": [2, 4], "service": 1}]},
    )
    done = here("run", path, "--batches", 5)
    assert (done.returncode, done.stdout) == (1, "")
    assert "--batches: expected at least 5 finished jobs for 5 batches after 0 of warm-up, got" in done.stderr
    assert is_one_line(done.stderr)
