"""Gzipped traces from the command line; the transcripts have what is said of traces."""

import gzip

import pytest

from tests.traces import line, trace_text


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_gzipped_trace_is_read_and_a_broken_one_is_one_line(here, scenario_file, tmp_path, command):
    """With the scenario, the field and the trace; the status is 2."""
    trace = tmp_path / "small.swf.gz"
    path = scenario_file(workload={"kind": "swf", "path": trace.name})
    trace.write_bytes(gzip.compress(trace_text(line(1, 0, 10, 4)).encode()))
    assert here(command, path).returncode == 0
    trace.write_bytes(gzip.compress(b"1")[:-4])
    done = here(command, path)
    expected = "expected a gzipped file that is whole, got a broken one"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"meshgui: {path}: workload.path: {trace}: {expected}\n"
