"""What becomes of packets, beside a network that moves every flit; the transcripts have the messages."""

import csv
import json
import random

import pytest

from tests.twins.network import FlitNetwork

HEADING = "time,sx,sy,sz,dx,dy,dz"
OUTCOMES = "injected,delivered,latency,blocked"
SOUND = [(0, 0, 0, 0, 3, 0, 0), (0, 0, 1, 0, 3, 1, 0), (2, 1, 0, 0, 3, 3, 0)]


@pytest.fixture
def packet_file(tmp_path):
    """Writes packets into a file."""

    def write(packets=SOUND):
        path = tmp_path / "in.csv"
        rows = (",".join(map(str, packet)) for packet in packets)
        path.write_text("\n".join([HEADING, *rows, ""]), encoding="utf-8", newline="\r\n")
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
        ((4, 4, 1), (8, 3, 1, "wormhole", "flit", "free")),
        ((4, 3, 2), (5, 1, 2, "wormhole", "flit", "one")),
        ((4, 4, 1), (6, 2, 6, "virtual-cut-through", "header", "free")),
    ],
)
def test_every_packet_fares_as_when_every_flit_is_moved(network, packet_file, shape, law):
    """All options take effect, in 2D and 3D, and the rows come out in the order they went in."""
    packets = crowd(shape, 120, seed=sum(shape))
    options = ("flits", "routing-delay", "buffer", "switching", "per-hop", "ports")
    words = [word for name, value in zip(options, law, strict=False) for word in (f"--{name}", value)]
    sides = shape if shape[2] > 1 else shape[:2]
    done, rows = network(packet_file(packets), *words, shape=",".join(map(str, sides)))
    assert (done.returncode, done.stderr) == (0, "")
    assert rows == by_moving_every_flit(packets, shape, *law)
    assert any(row["blocked"] for row in rows)


def test_more_hops_than_memory_holds_are_refused(network, packet_file, monkeypatch):
    """Before the work, with the bound and what was asked for."""
    monkeypatch.setattr("meshgui.cli.network.MAX_HOPS", 10)
    path = packet_file()
    done, rows = network(path)
    assert (done.returncode, rows) == (2, None)
    assert done.stderr == f"meshgui: {path}: expected packets that take at most 10 channels in all, got 17\n"


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
