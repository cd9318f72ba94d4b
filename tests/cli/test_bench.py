"""The benchmark's figures: ratios, verdicts, and the engine's budgets themselves."""

import json

import pytest

from meshgui.bench import network as network_bench
from meshgui.bench import sweep as sweep_bench
from meshgui.bench.measurement import Measurement, alternate, not_measured, seconds


def figure(**changes):
    """A figure within its budget, with changes."""
    made = {"name": "n", "what": "w", "unit": "s", "measured": 2.0, "baseline": 4.0}
    return Measurement(**(made | {"baseline_what": "b", "budget": 1.0} | changes))


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "within budget"),
        ({"measured": 5.0}, "over budget"),
        ({"of_ratio": False}, "over budget"),
        ({"of_ratio": False, "budget": 3.0}, "within budget"),
        ({"budget": None}, "no budget"),
        ({"measured": None}, "not measured"),
        ({"baseline": None}, "not measured"),
    ],
)
def test_a_verdict_follows_from_value_and_budget(changes, verdict):
    """The budget bounds the ratio, or the value where the figure says so; a gap says why."""
    assert figure(**changes).verdict == verdict
    missing = not_measured("n", "w", "no screen")
    assert (missing.verdict, missing.ratio, missing.note) == ("not measured", None, "no screen")
    assert json.loads(json.dumps(missing.as_json()))["measured"] is None


def test_measures_are_taken_in_turn():
    """Each repeat takes every measure once, the median of each is given; seconds are those of the work."""
    order = []

    def measure(name, values):
        return lambda: order.append(name) or values.pop(0)

    assert alternate(measure("a", [1.0, 9.0, 2.0]), measure("b", [4.0, 3.0, 5.0]), repeats=3) == [2.0, 4.0]
    assert order == ["a", "b"] * 3
    assert seconds(lambda: order.append("c")) > 0
    assert order[6:] == ["c"]


def test_bench_measures_the_strategies_work_within_budget(here):
    """TBL examines at most 6 % of what TFF does, hardly more on a larger mesh; in words a row a figure."""
    figures = json.loads(here("bench", "--only", "allocation", "--json").stdout)["figures"]
    assert [f["verdict"] for f in figures] == ["within budget"] * 2
    assert figures[0]["ratio"] == figures[0]["measured"] / figures[0]["baseline"] <= 0.06
    out = here("bench", "--only", "allocation").stdout.splitlines()
    assert out[0].split() == ["what", "measured", "baseline", "ratio", "budget", "verdict"]
    assert all(line.endswith("within budget") for line in out[1:3])
    assert "allocation: TBL, 8×8×8, load 4.6: the baseline is TFF" in out


def test_bench_measures_the_network(here, monkeypatch):
    """A hop beside a bare queue and a small mesh, few messages, recording, memory; no time is judged here."""
    monkeypatch.setattr(network_bench, "_HOPS", 50_000)
    monkeypatch.setattr(network_bench, "_REPEATS", 1)
    figures = json.loads(here("bench", "--only", "network", "--json").stdout)["figures"]
    assert [f["what"].split(",")[0] for f in figures] == [
        "a header hop",
        "a header hop",
        "a flit move",
        *["a hop sent by stage", "a hop in the run"] * 2,
        "1000 jobs of 50 messages",
        "memory",
    ]
    assert all(f["measured"] > 0 and f["baseline"] > 0 for f in figures)
    assert figures[0]["budget"] == pytest.approx(1e9 / 3e6)
    assert (figures[-1]["verdict"], figures[-1]["budget"]) == ("within budget", 64)


@pytest.mark.parametrize("side", [8, 64])
def test_the_kernel_is_measured_under_the_same_traffic_on_every_mesh(side):
    """As many packets, each of four hops within the mesh, and one a node in a hundred cycles."""
    times, sources, targets = network_bench._traffic(side)
    (sx, sy), (tx, ty) = ((nodes % side, nodes // side) for nodes in (sources, targets))
    assert (abs(sx - tx) + abs(sy - ty) == 4).all()
    assert min(sources.min(), targets.min()) >= 0
    assert max(sources.max(), targets.max()) < side**2
    assert len(times) / side**2 / times.max() == pytest.approx(1 / 100, rel=0.02)


def test_the_large_run_is_measured_in_a_process_of_its_own(monkeypatch, tmp_path):
    """Its figures come from what the process says; where it fails, the reason is given instead."""
    script = tmp_path / "large_run.py"
    monkeypatch.setattr(network_bench, "_SCRIPT", script)
    said = {"before": 2**29, "peak": 2**30, "hops": 10**7}
    said |= {"run": 9.0, "kernel": 3.0, "seek": 0.02, "copy": 0.01}
    script.write_text(f"print({json.dumps(said)!r})")
    memory, run, seek = network_bench.large()
    assert (memory.measured, memory.ratio, memory.verdict) == (1.0, 2.0, "within budget")
    assert (run.ratio, run.verdict) == (3.0, "no budget")
    assert (seek.measured, seek.verdict) == (20.0, "within budget")
    script.write_text("raise SystemExit('no memory left')")
    (missing,) = network_bench.large()
    assert (missing.verdict, missing.note) == ("not measured", "no memory left")


@pytest.mark.qt
def test_bench_says_why_windows_are_not_measured(meshgui):
    """Without a screen the window's figures are missing, and the reason is given; that is no failure."""
    done = meshgui("bench", "--only", "drawing", "--json")
    assert done.returncode == 0
    (drawing,) = json.loads(done.stdout)["figures"]
    assert drawing["verdict"] == "not measured"
    assert "there is no screen" in drawing["note"]


def test_bench_measures_a_sweep_with_two_workers_beside_one(here, monkeypatch):
    """The budget is the inverse of the speed-up wanted; both kept the same runs; one core compares none."""
    for name, value in {"_REPEATS": 1, "_RUNS": 4, "_JOBS": 30, "cores": lambda: 2}.items():
        monkeypatch.setattr(sweep_bench, name, value)
    [figure] = json.loads(here("bench", "--only", "sweep", "--json").stdout)["figures"]
    assert min(figure["measured"], figure["baseline"]) > 0
    assert figure["budget"] == pytest.approx(1 / 1.7)
    assert f"speed-up {1 / figure['ratio']:.2f}" in figure["note"]
    monkeypatch.setattr(sweep_bench, "cores", lambda: 1)
    [figure] = sweep_bench.sweep()
    assert (figure.verdict, figure.note) == ("not measured", "there is only one processor")
