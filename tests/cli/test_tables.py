"""Tables of a run, and what is said of its network."""

import csv
import json
import math
import random
from collections import Counter

import numpy as np
import pytest

from meshgui.engine.basics.geometry import places
from meshgui.engine.network import routing
from meshgui.engine.network.routing import EJECT, INJECT, WAYS, describe_channel
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.tables import table_of
from meshgui.engine.scenario import load_scenario
from tests.twins.network import FlitNetwork

HEADING = (
    "job,width,depth,height,arrival,start,finish,turnaround,waiting,service,asked,held,blocks,contiguous,"
    "dispersal,weighted_dispersal,pairwise_distance,attempts,operations,seconds"
)
OF_JOBS = HEADING.split(",")
FORMER = {"w": "width", "d": "depth", "h": "height", "processors": "asked"}
OF_MESSAGES = ["messages", "latency", "blocking", "message_distance"]
ADDED = ["slowdown", "bounded_slowdown", "internal_fragmentation", "w", "d", "h", "processors"]
OF_CHANNELS = ["begin", "end", "channel", "x", "y", "z", "way", "flits", "use", "virtual"]
STEPS = dict(zip(("+x", "-x", "+y", "-y", "+z", "-z"), routing.STEPS, strict=True))


def table(path):
    """The heading of a table, and its rows as dicts of words."""
    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    return heading, [dict(zip(heading, row, strict=True)) for row in rows]


@pytest.fixture
def busy(scenario_file):
    """A scenario whose jobs lie in several blocks and get in each other's way; some have one processor."""
    usual = {
        "mesh": {"shape": [8, 8]},
        "allocator": {"name": "gabl"},
        "workload": {"kind": "stochastic", "jobs": 60, "load": 0.2, "sides": {"kind": "uniform", "high": 3}},
        "network": {"pattern": "all-to-all", "messages": 20},
    }
    return lambda **changes: scenario_file(**(usual | changes))


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
    assert heading == [*OF_JOBS, *OF_MESSAGES, *ADDED]
    recording = simulate(load_scenario(path))
    of, stream = JobFigures(recording), recording.jobs
    assert len(rows) == len(of.job) == 60
    figures = {former: name for name, former in FORMER.items()}
    for name in (*OF_JOBS[7:19], "job", *OF_MESSAGES):
        values = [math.nan if row[name] == "" else float(row[name]) for row in rows]
        figure = getattr(of, figures.get(name, name))
        assert np.array_equal(values, figure.astype(float), equal_nan=True), name
    for row in rows:
        job = int(row["job"])
        assert (int(row["width"]), int(row["depth"]), int(row["height"])) == stream.size(job)
        assert all(row[name] == row[former] for name, former in FORMER.items())
        assert float(row["arrival"]) == stream.arrival[job]
        assert float(row["start"]) == recording.times[recording.started[job]]
        assert float(row["finish"]) == recording.times[recording.ended[job]]
        assert float(row["seconds"]) > 0
        assert row["contiguous"] == ("1" if row["blocks"] == "1" else "0")
    assert {"0", "1"} == {row["contiguous"] for row in rows}
    assert any(float(row["blocking"] or 0) > 0 for row in rows)
    silent = [row for row in rows if row["asked"] == "1"]  # of whom a latency of 0 would be a claim
    assert {tuple(row[name] for name in OF_MESSAGES) for row in silent} == {("0", "", "", "")}


def test_without_a_network_the_table_has_no_columns_of_it(here, scenario_file, tmp_path):
    """And jobs that were rejected have no row."""
    jobs = [{"arrival": t, "size": size, "service": 2} for t, size in enumerate(([4, 1], [2, 4], [2, 2]))]
    path = scenario_file(
        mesh={"shape": [4, 2]}, allocator={"name": "ff"}, workload={"kind": "list", "jobs": jobs}
    )
    out = tmp_path / "jobs.csv"
    assert here("run", path, "--per-job", out).returncode == 0
    heading, *rows = out.read_text(encoding="utf-8").splitlines()
    assert heading == ",".join([HEADING, *ADDED])
    assert rows[0].startswith(f"0,4,1,1,0.0,0.0,2.0,2.0,0.0,2.0,4,4,1,1,0.0,0.0,{5 / 3},1,")
    assert rows[1].startswith("2,2,2,1,2.0,2.0,4.0,2.0,0.0,2.0,4,4,1,1,0.0,0.0,")
    assert len(rows) == 2


def test_jobs_by_size_are_the_table_of_the_library(here, busy, tmp_path):
    """A row for each class, every number to the last digit."""
    path, out = busy(), tmp_path / "sizes.csv"
    assert here("run", path, "--by-size", out).returncode == 0
    heading, rows = table(out)
    wanted = table_of(simulate(load_scenario(path)), "by_size")
    assert heading == list(wanted)
    for name, column in wanted.items():
        assert [float(row[name]) for row in rows] == column.tolist()
    assert len(rows) > 1


LAWS = [
    {},
    {"flits": 3, "buffer": 2, "routing_delay": 0},
    {"flits": 5, "buffer": 6, "switching": "store-and-forward"},
]


@pytest.mark.parametrize("shape", [[8, 8], [4, 3, 3]])
@pytest.mark.parametrize("law", LAWS)
def test_each_slice_counts_the_cycles_in_which_a_flit_crossed(channels, busy, law, shape):
    """After its begin up to its end; in all each packet's flits crossed every channel of its way."""
    path = busy(mesh={"shape": shape}, network={"pattern": "random", "messages": 9, **law})
    rows, recording = channels(path, "--every", 100)
    network, mesh = recording.network, recording.mesh
    named = {describe_channel(mesh, c): c for c in set(network.raw.channels.tolist())}
    crossings = {name: network.crossings(channel) for name, channel in named.items()}
    carried = Counter()
    for row in rows:
        begin, end = int(row["begin"]), int(row["end"])
        crossed = crossings[row["channel"]]
        assert int(row["flits"]) == np.count_nonzero((crossed > begin) & (crossed <= end))
        assert float(row["use"]) == int(row["flits"]) / (end - begin)
        carried[row["channel"]] += int(row["flits"])
    ways = (network.passages(packet) for packet in range(len(network)))
    crossed = Counter(describe_channel(mesh, passage.channel) for way in ways for passage in way)
    assert carried == {channel: packets * network.law.flits for channel, packets in crossed.items()}
    slices = Counter(row["channel"] for row in rows)
    assert set(slices.values()) == {math.ceil(recording.end_time / 100)}


def test_a_row_names_the_node_and_the_way_of_its_channel(channels, busy):
    """Words and columns agree; twenty slices of nearly one length, or of N cycles with --every."""
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
    path = busy()
    rows, recording = channels(path)
    end = math.ceil(recording.end_time)
    twenty = edges(rows)
    assert len(twenty) == 20
    assert len({until - begin for begin, until in twenty}) <= 2
    assert max(until - begin for begin, until in twenty) == math.ceil(end / 20)
    hundred = edges(channels(path, "--every", 100)[0])
    assert [until - begin for begin, until in hundred] == [100] * (end // 100) + [end % 100] * (end % 100 > 0)
    [whole] = edges(channels(path, "--every", 2**63 - 1)[0])
    assert whole == (0, end)
    for slices in (twenty, hundred):
        assert (slices[0][0], slices[-1][1]) == (0, end)
        assert [until for _, until in slices[:-1]] == [begin for begin, _ in slices[1:]]


def edges(rows):
    """The slices of a table, each once, in its order."""
    return list(dict.fromkeys((int(row["begin"]), int(row["end"])) for row in rows))


def test_a_run_of_fewer_cycles_than_slices_has_a_slice_a_cycle(channels, scenario_file):
    """A packet alone over one hop takes 16; the body waits until the header moves, 4 cycles later."""
    path = scenario_file(
        workload={"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        network={"pattern": "file", "packets": [[0, 0, 0, 0, 1, 0, 0, 0]]},
    )
    rows, _ = channels(path)
    assert edges(rows) == [(t, t + 1) for t in range(16)]
    link = [row for row in rows if row["way"] == "+x"]
    assert "".join(row["flits"] for row in link) == "0000100011111110"


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


PACKET_HEADING = "time,sx,sy,sz,dx,dy,dz"
OUTCOMES = "injected,delivered,latency,blocked"
SOUND = [(0, 0, 0, 0, 3, 0, 0), (0, 0, 1, 0, 3, 1, 0), (2, 1, 0, 0, 3, 3, 0)]


@pytest.fixture
def packet_file(tmp_path):
    """Writes packets into a file."""

    def write(packets=SOUND):
        path = tmp_path / "in.csv"
        rows = (",".join(map(str, packet)) for packet in packets)
        path.write_text("\n".join([PACKET_HEADING, *rows, ""]), encoding="utf-8", newline="\r\n")
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
        dict(zip(f"{PACKET_HEADING},{OUTCOMES}".split(","), (*packet, *outcome), strict=True))
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
