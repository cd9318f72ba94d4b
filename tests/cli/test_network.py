"""`meshgui network`, and what the other commands say of a scenario with a network."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tests.processes import ScopedProcess
from tests.twins.network import FlitNetwork

HEADING = "time,sx,sy,sz,dx,dy,dz"
OUTCOMES = "injected,delivered,latency,blocked"
SOUND = [(0, 0, 0, 0, 3, 0, 0), (0, 0, 1, 0, 3, 1, 0), (2, 1, 0, 0, 3, 3, 0)]


@pytest.fixture
def packet_file(tmp_path):
    """Writes packets, or any text, into a file."""

    def write(packets=SOUND, heading=HEADING):
        path = tmp_path / "in.csv"
        lines = packets if isinstance(packets, str) else "\n".join(",".join(map(str, p)) for p in packets)
        path.write_text(f"{heading}\n{lines}\n", encoding="utf-8")
        return path

    return write


@pytest.fixture
def network(here, tmp_path):
    """Sends the packets of a file through a mesh; what came of the command, and the rows that came out."""

    def call(path, *words, shape="4,4"):
        out = tmp_path / "out.csv"
        out.unlink(missing_ok=True)
        done = here("network", "--shape", shape, *words, "--packets", path, "--out", out)
        return done, rows_of(out) if out.exists() else None

    return call


def rows_of(path):
    """The rows of a file as dicts of whole numbers."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: int(value) for name, value in row.items()} for row in csv.DictReader(file)]


def by_moving_every_flit(packets, shape, *law):
    """The same rows from the naive network, which numbers packets as they are listed too."""
    twin = FlitNetwork(shape, *law)
    for at, *ends in packets:
        twin.send(at, tuple(ends[:3]), tuple(ends[3:]))
    return [
        dict(zip(f"{HEADING},{OUTCOMES}".split(","), (*packet, *outcome), strict=True))
        for packet, outcome in zip(packets, twin.run(), strict=True)
    ]


def crowd(shape, count, seed):
    """Packets between random nodes, all within a few cycles, in no order of time."""
    draws = random.Random(seed)
    packets = []
    while len(packets) < count:
        ends = [draws.randrange(side) for side in (*shape, *shape)]
        if ends[:3] != ends[3:]:
            packets.append((draws.randrange(60), *ends))
    return packets


@pytest.mark.parametrize(
    ("shape", "law"),
    [
        ((4, 4, 1), (8, 3, 1, "wormhole")),
        ((5, 3, 1), (6, 1, 3, "wormhole")),
        ((3, 2, 3), (4, 2, 1, "wormhole")),
        ((4, 4, 1), (5, 0, 6, "virtual-cut-through")),
        ((3, 3, 2), (5, 3, 5, "store-and-forward")),
    ],
)
def test_every_packet_fares_as_when_every_flit_is_moved(network, packet_file, shape, law):
    """All options take effect, in 2D and 3D, and the rows come out in the order they went in."""
    packets = crowd(shape, 120, seed=sum(shape))
    flits, delay, buffer, switching = law
    words = ("--flits", flits, "--routing-delay", delay, "--buffer", buffer, "--switching", switching)
    sides = shape if shape[2] > 1 else shape[:2]
    done, rows = network(packet_file(packets), *words, shape=",".join(map(str, sides)))
    assert (done.returncode, done.stderr) == (0, "")
    assert rows == by_moving_every_flit(packets, shape, *law)
    assert any(row["blocked"] for row in rows)


def test_the_summary_has_packets_latency_blocking_cycles_and_the_busiest_link(network, packet_file):
    """In words, from the rows that come out: here three packets, of which one waits for another."""
    done, rows = network(packet_file())
    said = dict(line.split("  ", 1) for line in done.stdout.splitlines()[2:])
    assert done.stdout.startswith("4×4 mesh, wormhole, packets of 8 flits, routing delay 3, buffers of 1\n")
    assert said["packets"].split() == ["3"]
    assert said["latency"].split()[0] == f"{sum(row['latency'] for row in rows) / 3:.6g}"
    assert said["blocking"].split()[0] == f"{sum(row['blocked'] for row in rows) / 3:.6g},"
    assert said["cycles"].split() == ["0", "to", str(max(row["delivered"] for row in rows))]
    assert said["use of links"].endswith(" of (1,0)→(2,0)")


def test_what_came_out_can_go_in_again(here, packet_file, tmp_path):
    """Columns may stand in any order, and those that say nothing of the packet do not matter."""
    first, second, third = (tmp_path / name for name in ("1.csv", "2.csv", "3.csv"))
    call = ("network", "--shape", "4,4")
    assert here(*call, "--packets", packet_file(), "--out", first).returncode == 0
    assert here(*call, "--packets", first, "--out", second).returncode == 0
    with first.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    mixed = tmp_path / "mixed.csv"
    lines = [",".join([*reversed(row), "job" if row is rows[0] else "any"]) for row in rows]
    mixed.write_text("\r\n".join(lines), encoding="utf-8")
    assert here(*call, "--packets", mixed, "--out", third).returncode == 0
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()


def test_a_heading_in_quotation_marks_is_one(network, packet_file):
    """As some programs write it."""
    quoted = ",".join(f'"{name}"' for name in HEADING.split(","))
    assert network(packet_file(heading=quoted))[1] == network(packet_file())[1]


def test_packets_can_be_piped_on(packet_file, tmp_path):
    """On /dev/stdout there are the rows and nothing else; a pipe is no input, a file at /dev/stdin is."""
    program = f'"{sys.executable}" -m meshgui network --shape 4,4'
    line = f"{program} --packets {packet_file()} --out /dev/stdout"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    kept = tmp_path / "kept.csv"
    once, twice = (
        subprocess.run(
            ["bash", "-c", of + " | cat"],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            timeout=240,
        )
        for of in (line, f"{line} > {kept}; {program} --packets /dev/stdin --out /dev/stdout < {kept}")
    )
    assert once.stdout.startswith(f"{HEADING},{OUTCOMES}\n0,0,0,0,3,0,0,0,")
    assert once.stdout.count("\n") == 4
    assert once.stdout == twice.stdout
    assert once.stderr == twice.stderr == ""


BAD = {
    "off the mesh": ("0,0,0,0,4,0,0", "line 2: expected a target on the 4×4 mesh, got (4,0,0)"),
    "off a flat mesh": ("0,0,0,1,1,0,0", "line 2: expected a source on the 4×4 mesh, got (0,0,1)"),
    "a negative node": ("0,0,-1,0,1,0,0", "line 2: expected a source on the 4×4 mesh, got (0,-1,0)"),
    "to itself": ("0,0,0,0,1,0,0\n0,2,1,0,2,1,0", "line 3: expected a target other than the source"),
    "before time": ("-1,0,0,0,1,0,0", "line 2: expected a time from 0 to 1000000000000, got -1"),
    "beyond time": ("1000000000001,0,0,0,1,0,0", "line 2: expected a time from 0 to 1000000000000"),
    "beyond all numbers": (f"{'9' * 40},0,0,0,1,0,0", "line 2: time: expected a number up to"),
    "no number": ("0,0,0,0,1,0,0\n\n0,x,0,0,1,0,0", "line 4: sx: expected a whole number, got x"),
    "a fraction": ("0.5,0,0,0,1,0,0", "line 2: time: expected a whole number, got 0.5"),
    "a gap": ("0,0,0,0,,0,0", "line 2: dx: expected a whole number, got nothing"),
    "cut short": ("0,0,0,0,1,0,0\n0,0,0,0,1", "line 3: expected 7 values, got 5"),
    "commas alone": ("0,0,0,0,1,0,0\n,,,,,,", "line 3: time: expected a whole number, got nothing"),
    "a quotation mark too many": (
        '0,0,0,0,1,0,0\n0,"' + "1" * 200_000,
        "line 3: expected comma-separated text",
    ),
    "nothing": ("", "expected at least one packet below the heading"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_packets_are_one_line(network, packet_file, name):
    """The line names the file, the line or packet, and what was expected; nothing is written."""
    text, expected = BAD[name]
    path = packet_file(text)
    done, rows = network(path)
    assert (done.returncode, done.stdout, rows) == (2, "", None)
    assert done.stderr.startswith(f"meshgui: {path}: {expected}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("heading", "missing"),
    [("time,sx,sy,dx,dy,dz", "column sz"), ("a;b", "columns time, sx, sy, sz, dx, dy, dz")],
)
def test_a_heading_without_a_column_is_one_line(network, packet_file, heading, missing):
    """What is missing is named."""
    path = packet_file("0,0,0,1,0,0", heading)
    done, rows = network(path)
    assert (done.returncode, rows) == (2, None)
    assert done.stderr == f"meshgui: {path}: line 1: expected the {missing} in a heading {HEADING}\n"


def test_more_hops_than_memory_holds_are_refused(network, packet_file, monkeypatch):
    """Before the work, with the bound and what was asked for."""
    monkeypatch.setattr("meshgui.cli.network.MAX_HOPS", 10)
    path = packet_file()
    done, rows = network(path)
    assert (done.returncode, rows) == (2, None)
    assert done.stderr == f"meshgui: {path}: expected packets that take at most 10 channels in all, got 17\n"


def test_files_that_are_not_there_or_not_to_be_written(here, packet_file, tmp_path):
    """A missing file of packets is a bad argument; an output that cannot be written is a failure."""
    path, out = packet_file(), tmp_path / "out.csv"
    call = ("network", "--shape", "4,4", "--packets")
    missing = here(*call, tmp_path / "none.csv", "--out", out)
    assert missing.stderr == f"meshgui: {tmp_path}/none.csv: no such file or directory\n"
    nowhere = here(*call, path, "--out", tmp_path / "none" / "out.csv")
    assert (
        nowhere.stderr
        == f"meshgui: {tmp_path}/none/out.csv: could not be written: no such file or directory\n"
    )
    assert (missing.returncode, nowhere.returncode) == (2, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_line(here, packet_file):
    """With status 1, and no summary."""
    done = here("network", "--shape", "4,4", "--packets", packet_file(), "--out", "/dev/full")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "meshgui: /dev/full: could not be written: no space left on device\n"


def test_the_packets_are_never_replaced(here, packet_file, tmp_path):
    """Naming one file twice, by whatever way, is a mistake; the packets are still whole."""
    path = packet_file()
    before, link = path.read_bytes(), tmp_path / "link.csv"
    link.symlink_to(path)
    for out in (path, link):
        done = here("network", "--shape", "4,4", "--packets", path, "--out", out)
        assert done.returncode == 2
        assert done.stderr == f"meshgui: {out}: --out: expected another file than the packets themselves\n"
    assert path.read_bytes() == before


def test_a_wait_that_cannot_be_kept_is_one_line(network, packet_file, monkeypatch):
    """The network gives up in words, with the file it was at work on, and leaves nothing behind."""
    monkeypatch.setattr("meshgui.cli.network.Network.advance", _give_up)
    path = packet_file()
    done, rows = network(path)
    assert (done.returncode, rows) == (1, None)
    assert done.stderr == f"meshgui: {path}: a packet waited\n"
    assert [file.name for file in path.parent.iterdir()] == ["in.csv"]


def _give_up(*_):
    from meshgui.engine.network.patterns.base import NetworkError  # noqa: PLC0415

    raise NetworkError("a packet waited")


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_the_old_file_whole(packet_file, tmp_path, sent, status):
    """In the midst of the network's work, with nothing half-written."""
    path = packet_file(crowd((48, 48, 1), 40_000, seed=1))
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    words = ["network", "--shape", "48,48", "--flits", "64", "--packets", str(path), "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with ScopedProcess(
        [sys.executable, "-m", "meshgui", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        for _ in range(600):
            if len(list(tmp_path.iterdir())) > 2:  # it has begun its file beside the old one
                break
            time.sleep(0.02)
        running.send_signal(sent)
        stdout, stderr = running.communicate(timeout=60)
    assert (stdout, stderr) == ("", "")
    assert running.returncode in {status, -sent}  # by itself, or by the signal: all one to a shell
    assert out.read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv", "out.csv"]


@pytest.fixture
def communicating(scenario_file):
    """A scenario of three jobs that send, of which one has its number of messages stated."""
    jobs = [
        {"arrival": 0.5, "size": [2, 2], "messages": 7},
        {"arrival": 1, "size": [4, 2], "messages": 20},
        {"arrival": 2, "size": [4, 4], "messages": 1},
    ]
    return scenario_file(
        workload={"kind": "list", "jobs": jobs}, network={"pattern": "all-to-all", "messages": 3}
    )


def test_the_summary_of_a_run_has_the_keys_of_the_network(here, communicating):
    """As one object and in words; without a network there is not a word of it."""
    of = json.loads(here("run", communicating, "--json").stdout)
    assert of["packets"] == 28
    assert of["latency"]["mean"] > of["blocking"]["mean"] >= 0
    assert set(of["latency"]) == set(of["blocking"]) == set(of["turnaround"])
    assert {"message_distance", "messages_per_job", "blocked_packets", "channel_use"} <= of.keys()
    words = here("run", communicating).stdout
    rows = dict(line.split("  ", 1) for line in words.splitlines()[3:])
    assert rows["packets"].split()[0] == "28,"
    assert rows["latency"].split()[0] == f"{of['latency']['mean']:.6g}"
    assert rows["blocking"].split()[0] == f"{of['blocking']['mean']:.6g},"
    assert max(map(len, words.splitlines())) <= 80


def test_without_a_network_the_summary_has_no_word_of_it(here, scenario_file):
    """The keys are those of ever."""
    path = scenario_file()
    of = json.loads(here("run", path, "--json").stdout)
    assert not {"packets", "latency", "blocking", "channel_use"} & of.keys()
    assert "packets" not in here("run", path).stdout


def test_the_event_file_tells_messages_and_leaves_unstated_services_open(here, communicating, tmp_path):
    """Jobs end when their messages have arrived."""
    file = tmp_path / "e.jsonl"
    assert here("run", communicating, "--events", file).returncode == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {
        "t": 0.5,
        "event": "arrive",
        "job": 0,
        "size": [2, 2],
        "service": None,
        "messages": 7,
    }
    arrivals = [line for line in lines if line["event"] == "arrive"]
    assert [line["messages"] for line in arrivals] == [7, 20, 1]
    assert sum(line["event"] == "finish" for line in lines) == 3


def test_a_scenario_of_explicit_packets_runs_as_the_command_does(here, network, scenario_file, packet_file):
    """One job on all of the mesh, with the packets in a file beside the scenario, from cycle 0."""
    packets = crowd((4, 4, 1), 50, seed=2)
    _, rows = network(packet_file(packets))
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        network={"pattern": "file", "path": "in.csv"},
    )
    assert here("validate", path).returncode == 0
    of = json.loads(here("run", path, "--json").stdout)
    assert of["packets"] == 50
    assert of["latency"]["mean"] == pytest.approx(sum(row["latency"] for row in rows) / 50)
    assert of["blocking"]["mean"] == pytest.approx(sum(row["blocked"] for row in rows) / 50)
    assert of["finish_time"] == max(row["delivered"] for row in rows)
    traced = json.loads(here("trace", path, "--job", 0, "--json").stdout)
    assert traced["attempts"][-1]["boxes"] == [[0, 0, 0, 4, 4, 1]]


def test_a_fault_in_a_scenario_s_packets_names_both_files(here, scenario_file, packet_file):
    """The scenario, the field, the file it names, and the line in it."""
    packets = packet_file("0,0,0,0,1")
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        network={"pattern": "file", "path": "in.csv"},
    )
    for words in (["validate", path], ["run", path], ["trace", path, "--job", 0]):
        done = here(*words)
        assert done.returncode == 2
        line = f"meshgui: {path}: network.path: {packets}: line 2: expected 7 values, got 5\n"
        assert done.stderr == line


def test_the_schema_describes_every_part_of_the_network(here, communicating):
    """Each key has a word of explanation, and schema and program agree on what is good and bad."""
    schema = json.loads(here("schema").stdout)
    part = schema["$defs"]["NetworkSpec"]["properties"]
    assert all(key.get("description") for key in part.values())
    data = json.loads(communicating.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(data)
    for change in ({"flits": 0}, {"buffer": 0}, {"pattern": "gossip"}, {"startup": -1}, {"colour": 1}):
        data["network"] = {"pattern": "random", **change}
        assert not validator.is_valid(data)
        communicating.write_text(json.dumps(data), encoding="utf-8")
        assert here("validate", communicating).returncode == 2
