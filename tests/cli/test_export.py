"""`meshgui export`: a run for other programs."""

import json

import pytest

from meshgui.model.export import trace_events


@pytest.fixture
def path(scenario_file):
    """Ten jobs on a small mesh."""
    return scenario_file(mesh={"shape": [4, 4]}, workload={"kind": "stochastic", "jobs": 10, "load": 1})


def test_a_trace_is_written_whole_and_quietly(here, path, tmp_path):
    """With another seed another run."""
    traces = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.json"
        done = here("export", path, "--seed", seed, "--trace-events", out)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        traces.append(json.loads(out.read_text(encoding="utf-8")))
    assert [trace["otherData"]["seed"] for trace in traces] == [1, 2]
    assert traces[0]["traceEvents"] != traces[1]["traceEvents"]


def test_what_is_not_to_be_written_is_refused_in_a_line(here, path, tmp_path, monkeypatch):
    """No form, the scenario itself, a folder that is not there, and more slices than a viewer opens."""
    done = here("export", path)
    assert (done.returncode, done.stderr) == (2, "meshgui export: expected --trace-events OUT.json\n")
    done = here("export", path, "--trace-events", path)
    assert done.returncode == 2
    assert done.stderr.endswith("--trace-events: expected another file than the scenario itself\n")
    done = here("export", path, "--trace-events", tmp_path / "none" / "out.json")
    assert done.returncode == 1
    assert "the trace could not be written" in done.stderr
    monkeypatch.setattr(trace_events, "MOST_SLICES", 10)
    out = tmp_path / "out.json"
    done = here("export", path, "--trace-events", out)
    assert done.returncode == 1
    assert "--trace-events: expected at most 10 slices, one for each processor of each job" in done.stderr
    assert not out.exists()
