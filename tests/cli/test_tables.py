"""The tables that `meshgui run` writes: the measures of each job, and the use of channels over time."""

import csv
import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from meshgui.engine.basics.geometry import places
from meshgui.engine.network.routing import EJECT, INJECT, WAYS, describe_channel
from meshgui.engine.runs.measures import job_figures
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario

OF_JOBS = [
    "job",
    "width",
    "depth",
    "height",
    "arrival",
    "start",
    "finish",
    "turnaround",
    "waiting",
    "service",
    "asked",
    "held",
    "blocks",
    "contiguous",
    "dispersal",
    "weighted_dispersal",
    "pairwise_distance",
    "attempts",
    "operations",
    "seconds",
]
OF_MESSAGES = ["messages", "latency", "blocking", "message_distance"]
OF_CHANNELS = ["begin", "end", "channel", "x", "y", "z", "way", "flits", "use"]
STEPS = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}


def table(path):
    """The heading of a table, and its rows as dicts of words."""
    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    return heading, [dict(zip(heading, row, strict=True)) for row in rows]


@pytest.fixture
def busy(scenario_file):
    """A scenario whose jobs lie in several blocks and get in each other's way; some have one processor."""

    def write(**changes):
        return scenario_file(
            **{
                "mesh": {"shape": [8, 8]},
                "allocator": {"name": "gabl"},
                "workload": {
                    "kind": "stochastic",
                    "jobs": 60,
                    "load": 0.2,
                    "sides": {"kind": "uniform", "high": 3},
                },
                "network": {"pattern": "all-to-all", "messages": 20},
                **changes,
            }
        )

    return write


@pytest.fixture
def channels(here, tmp_path):
    """The rows of the table of channels of a scenario, and its run."""

    def call(path, *words):
        out = tmp_path / "channels.csv"
        done = here("run", path, "--channels", out, *words)
        assert (done.returncode, done.stderr) == (0, "")
        heading, rows = table(out)
        assert heading == OF_CHANNELS
        return rows, simulate(load_scenario(path))

    return call


def test_every_finished_job_has_a_row_of_its_measures(here, busy, tmp_path):
    """Each number is the engine's to the last digit; only the time it took differs from run to run."""
    path, out = busy(), tmp_path / "jobs.csv"
    done = here("run", path, "--per-job", out)
    assert (done.returncode, done.stderr) == (0, "")
    heading, rows = table(out)
    assert heading == [*OF_JOBS, *OF_MESSAGES]
    recording = simulate(load_scenario(path))
    of, stream = job_figures(recording), recording.jobs
    assert len(rows) == len(of.job) == 60
    same = {name: name for name in (*OF_JOBS[7:19], "job", "messages", "latency", "blocking")}
    for name, figure in (same | {"message_distance": "distance"}).items():
        values = [math.nan if row[name] == "" else float(row[name]) for row in rows]
        assert np.array_equal(values, getattr(of, figure).astype(float), equal_nan=True), name
    for row in rows:
        job = int(row["job"])
        assert (int(row["width"]), int(row["depth"]), int(row["height"])) == stream.size(job)
        assert float(row["arrival"]) == stream.arrival[job]
        assert float(row["start"]) == recording.times[recording.started[job]]
        assert float(row["finish"]) == recording.times[recording.ended[job]]
        assert float(row["seconds"]) > 0
        assert row["contiguous"] == ("1" if row["blocks"] == "1" else "0")
    assert {"0", "1"} == {row["contiguous"] for row in rows}
    assert any(float(row["blocking"] or 0) > 0 for row in rows)


def test_a_job_that_sent_nothing_has_no_means(here, busy, tmp_path):
    """Nothing stands where there is nothing to average: a latency of 0 would be a claim."""
    out = tmp_path / "jobs.csv"
    assert here("run", busy(), "--per-job", out).returncode == 0
    silent = [row for row in table(out)[1] if row["asked"] == "1"]
    assert silent
    assert all(row["messages"] == "0" for row in silent)
    assert {row[name] for row in silent for name in OF_MESSAGES[1:]} == {""}


def test_without_a_network_the_table_has_no_columns_of_it(here, scenario_file, tmp_path):
    """And jobs that were rejected have no row."""
    jobs = [{"arrival": t, "size": size, "service": 2} for t, size in enumerate(([4, 1], [2, 4], [2, 2]))]
    path = scenario_file(
        mesh={"shape": [4, 2]}, allocator={"name": "ff"}, workload={"kind": "list", "jobs": jobs}
    )
    out = tmp_path / "jobs.csv"
    assert here("run", path, "--per-job", out).returncode == 0
    heading, rows = table(out)
    assert heading == OF_JOBS
    assert [row["job"] for row in rows] == ["0", "2"]
    assert ",".join(rows[0].values()).startswith(
        f"0,4,1,1,0.0,0.0,2.0,2.0,0.0,2.0,4,4,1,1,0.0,0.0,{5 / 3},1,"
    )
    assert ",".join(rows[1].values()).startswith("2,2,2,1,2.0,2.0,4.0,2.0,0.0,2.0,4,4,1,1,0.0,0.0,")


LAWS = [
    {},
    {"flits": 3, "buffer": 2, "routing_delay": 0},
    {"flits": 5, "buffer": 6, "switching": "store-and-forward"},
]


@pytest.mark.parametrize("law", LAWS)
def test_over_all_slices_every_packet_s_flits_crossed_every_channel_of_its_way(channels, busy, law):
    """Each puts all its flits over each channel; what carried nothing at all has no row."""
    rows, recording = channels(busy(network={"pattern": "random", "messages": 20, **law}), "--every", 37)
    network, mesh = recording.network, recording.mesh
    expected, carried = Counter(), Counter()
    for packet in range(len(network)):
        for passage in network.passages(packet):
            expected[describe_channel(mesh, passage.channel)] += network.law.flits
    for row in rows:
        carried[row["channel"]] += int(row["flits"])
    assert carried == expected
    slices = Counter(row["channel"] for row in rows)
    assert set(slices.values()) == {math.ceil(recording.end_time / 37)}


@pytest.mark.parametrize("shape", [[8, 8], [4, 3, 3]])
@pytest.mark.parametrize("law", LAWS)
def test_each_slice_counts_the_cycles_in_which_a_flit_crossed(channels, busy, law, shape):
    """Of the cycles after its begin up to its end, by each channel's crossings one by one."""
    path = busy(mesh={"shape": shape}, network={"pattern": "all-to-all", "messages": 9, **law})
    rows, recording = channels(path, "--every", 100)
    network, mesh = recording.network, recording.mesh
    named = {describe_channel(mesh, c): c for c in set(network.raw.channels.tolist())}
    crossings = {name: network.crossings(channel) for name, channel in named.items()}
    for row in rows:
        begin, end = int(row["begin"]), int(row["end"])
        crossed = crossings[row["channel"]]
        assert int(row["flits"]) == np.count_nonzero((crossed > begin) & (crossed <= end))
        assert float(row["use"]) == int(row["flits"]) / (end - begin)
    assert {row["channel"] for row in rows} == set(named)
    assert max(float(row["use"]) for row in rows) > 0


def test_a_row_names_the_node_and_the_way_of_its_channel(channels, busy):
    """The words and the columns say the same, for links and for the processors' own channels."""
    rows, recording = channels(busy(mesh={"shape": [4, 3, 3]}))
    mesh = recording.mesh
    numbers = {describe_channel(mesh, c): c for c in set(recording.network.raw.channels.tolist())}
    for row in rows:
        number = numbers[row["channel"]]
        node = tuple(int(row[axis]) for axis in "xyz")
        assert node == tuple(places(mesh, np.array([number // WAYS]))[0].tolist())
        if row["way"] in STEPS:
            beyond = tuple(a + b for a, b in zip(node, STEPS[row["way"]], strict=True))
            assert row["channel"] == "→".join(f"({x},{y},{z})" for x, y, z in (node, beyond))
        else:
            assert number % WAYS == {"inject": INJECT, "eject": EJECT}[row["way"]]
            assert row["channel"].startswith({"inject": "into (", "eject": "out of ("}[row["way"]])
    assert {row["way"] for row in rows} == {*STEPS, "inject", "eject"}


def edges(rows):
    """The slices of a table, each once, in its order."""
    return list(dict.fromkeys((int(row["begin"]), int(row["end"])) for row in rows))


def test_slices_follow_each_other_from_0_to_the_end_of_the_run(channels, busy):
    """Twenty of nearly one length unless told; of N cycles where told, the last one shorter if need be."""
    path = busy()
    rows, recording = channels(path)
    end = math.ceil(recording.end_time)
    twenty = edges(rows)
    assert len(twenty) == 20
    assert len({until - begin for begin, until in twenty}) <= 2
    assert max(until - begin for begin, until in twenty) == math.ceil(end / 20)
    told = edges(channels(path, "--every", 100)[0])
    assert [until - begin for begin, until in told] == [100] * (end // 100) + [end % 100] * (end % 100 > 0)
    [whole] = edges(channels(path, "--every", 2**63 - 1)[0])
    assert whole == (0, end)
    for slices in (twenty, told):
        assert (slices[0][0], slices[-1][1]) == (0, end)
        assert [until for _, until in slices[:-1]] == [begin for begin, _ in slices[1:]]


def test_a_run_of_fewer_cycles_than_slices_has_a_slice_a_cycle(channels, scenario_file):
    """A packet alone over one hop takes 16; the body waits until the header goes on, 4 cycles on."""
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        network={"pattern": "file", "packets": [[0, 0, 0, 0, 1, 0, 0, 0]]},
    )
    rows, _ = channels(path)
    assert edges(rows) == [(t, t + 1) for t in range(16)]
    link = [row for row in rows if row["way"] == "+x"]
    assert "".join(row["flits"] for row in link) == "0000100011111110"
    assert {row["channel"] for row in rows} == {"into (0,0)", "(0,0)→(1,0)", "out of (1,0)"}


def test_where_nothing_was_sent_the_table_is_its_heading_and_the_summary_has_no_latency(
    channels, here, scenario_file
):
    """However short a slice of however long a run is; no mean of nothing is shown."""
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 1e9, "size": [1, 1]}]}, network={"pattern": "random"}
    )
    assert channels(path, "--every", 1)[0] == []
    said = here("run", path).stdout
    assert "\npackets           none\n" in said
    assert "latency" not in said
    assert "blocking" not in said


def test_the_summary_in_words_has_the_dispersal(here, busy):
    """Its mean and the weighted one's, as in the table of jobs."""
    path = busy()
    of = job_figures(simulate(load_scenario(path)))
    row = f"dispersal         {of.dispersal.mean():.4g}, weighted {of.weighted_dispersal.mean():.4g}\n"
    assert row in here("run", path).stdout
    assert of.dispersal.mean() > 0


def test_all_files_of_one_run_stand_beside_each_other(here, busy, tmp_path):
    """Each is what it is alone; of the tables only the seconds differ."""
    path = busy()
    options = ("--events", "--per-job", "--channels")
    alone = [tmp_path / f"alone{option}" for option in options]
    together = [tmp_path / f"together{option}" for option in options]
    for option, out in zip(options, alone, strict=True):
        assert here("run", path, option, out).returncode == 0
    words = [word for pair in zip(options, together, strict=True) for word in pair]
    assert here("run", path, *words).returncode == 0
    assert alone[0].read_bytes() == together[0].read_bytes()
    assert alone[2].read_bytes() == together[2].read_bytes()
    one, other = (table(out)[1] for out in (alone[1], together[1]))
    assert [row | {"seconds": ""} for row in one] == [row | {"seconds": ""} for row in other]


def test_a_table_can_be_piped_on(busy, tmp_path):
    """On /dev/stdout it stands before the summary, and a pipe gets it as it is."""
    path, out = busy(), tmp_path / "all.txt"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    line = f'"{sys.executable}" -m meshgui run {path} --per-job /dev/stdout --channels >(cat >&2) > {out}'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, encoding="utf-8", check=True, env=environment, timeout=120
    )
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == ",".join([*OF_JOBS, *OF_MESSAGES])
    assert lines[61] == "Small"
    assert done.stderr.startswith(",".join(OF_CHANNELS) + "\n0,")


BAD = {
    "no network": (None, ["--channels", "{out}"], "{file}: --channels: expected a scenario with a network"),
    "slices of nothing": ({}, ["--every", 5], "run: --every: expected --channels OUT.csv as well"),
    "empty slices": (
        {},
        ["--channels", "{out}", "--every", 0],
        "run: --every: expected at least 1 cycle, got 0",
    ),
    "no number": (
        {},
        ["--channels", "{out}", "--every", "1.5"],
        "run: --every: expected a whole number from 0 to 9223372036854775807, got 1.5",
    ),
    "the scenario": (
        {},
        ["--per-job", "{file}"],
        "{file}: --per-job: expected another file than the scenario itself",
    ),
    "the scenario again": (
        {},
        ["--channels", "{file}"],
        "{file}: --channels: expected another file than the scenario itself",
    ),
    "one file for two": (
        {},
        ["--per-job", "{out}", "--events", "{out}"],
        "{out}: --per-job: expected another file than that of --events",
    ),
    "one file by two ways": (
        {},
        ["--per-job", "{out}", "--channels", "{folder}/./out.csv"],
        "{folder}/out.csv: --channels: expected another file than that of --per-job",
    ),
}

OF_ARGUMENTS = {"slices of nothing", "empty slices", "no number"}


@pytest.mark.parametrize("name", BAD)
def test_bad_uses_are_one_line(here, busy, scenario_file, tmp_path, name):
    """With status 2, before the run; nothing is written, and the scenario is whole."""
    changes, words, expected = BAD[name]
    path = scenario_file() if changes is None else busy(**changes)
    before = path.read_bytes()
    named = {"file": path, "out": tmp_path / "out.csv", "folder": tmp_path}
    done = here("run", path, *(str(word).format(**named) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    expected = expected.format(**named)
    assert done.stderr == (f"meshgui {expected}\n" if name in OF_ARGUMENTS else f"meshgui: {expected}\n")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_more_rows_than_ten_million_are_refused(here, scenario_file, tmp_path):
    """Before any file is written: the old ones are whole, and the line says how many rows there would be."""
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 1e9, "size": [4, 4]}]},
        network={"pattern": "file", "packets": [[0, 0, 0, 0, 1, 0, 0, 0]]},
    )
    out, events = tmp_path / "out.csv", tmp_path / "events.jsonl"
    out.write_text("old", encoding="utf-8")
    done = here("run", path, "--events", events, "--channels", out, "--every", 10)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "meshgui run: --channels: expected at most 10000000 rows, got 300000006:"
        " 3 channels in 100000002 slices of time; a larger --every makes fewer\n"
    )
    assert out.read_text(encoding="utf-8") == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.csv", path.name]


@pytest.mark.parametrize(
    ("option", "what"), [("--per-job", "the measures of jobs"), ("--channels", "the use of channels")]
)
def test_a_table_that_cannot_be_written_is_one_line(here, busy, tmp_path, option, what):
    """The line names its own file, not another's that is written too; that one stays as it was."""
    path, events = busy(), tmp_path / "events.jsonl"
    events.write_text("old", encoding="utf-8")
    missing = tmp_path / "none" / "out.csv"
    faults = {missing: "no such file or directory", tmp_path: "is a directory"}
    if Path("/dev/full").exists():
        faults[Path("/dev/full")] = "no space left on device"
    for out, fault in faults.items():
        done = here("run", path, "--events", events, option, out)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"meshgui: {out}: {what} could not be written: {fault}\n"
        assert events.read_text(encoding="utf-8") == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["events.jsonl", path.name]
