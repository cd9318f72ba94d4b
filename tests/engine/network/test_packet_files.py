"""Files of explicit packets: what is read and written, and one line for everything that is wrong."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.words import legible
from meshgui.engine.basics.work import Work
from meshgui.engine.network import packet_files
from meshgui.engine.network.packet_files import (
    COLUMNS,
    OUTCOMES,
    PacketFileError,
    check_packets,
    read_packets,
    write_packets,
)
from meshgui.engine.scenario import ScenarioError, load_scenario
from tests.scenarios import save_scenario

HEADING = ",".join(COLUMNS)
MESH = Mesh((4, 3))


@pytest.fixture
def written(tmp_path):
    """Writes a file of packets."""

    def write(content):
        path = tmp_path / "packets.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def read_and_checked(path, mesh, most=100):
    """The packets of a file that can all be sent."""
    rows = read_packets(path, most)
    check_packets(path, rows, mesh)
    return rows


def complaint(path, mesh=MESH):
    """The one line a file is refused with, after its name."""
    with pytest.raises(PacketFileError) as caught:
        read_and_checked(path, mesh)
    fault = caught.value
    assert fault.path == path
    assert str(fault) == f"{legible(str(path))}: {fault.message}"
    assert fault.message.isprintable()
    assert fault.in_folder == f"{legible(path.name)}: {fault.message}"
    return fault.message


def test_columns_may_have_any_order_and_the_job_may_be_left_out(written):
    """A heading says which is which, in any case and with any spaces; what else there is is passed over."""
    assert read_packets(written(f"{HEADING}\n5,0,1,0,3,2,0\n"), 9).tolist() == [[5, 0, 1, 0, 3, 2, 0, 0]]
    mixed = " Job ,dx,dy,dz,note,SX,sy,sz,time\r\n2, 3,2,0 ,7,0,1,0,+5\r\n\r\n"
    assert read_packets(written(mixed), 9).tolist() == [[5, 0, 1, 0, 3, 2, 0, 2]]
    assert read_packets(written(f"\ufeff{HEADING}\n1,2,3,4,5,6,7"), 9).tolist() == [[1, 2, 3, 4, 5, 6, 7, 0]]
    for texts in ("a note", '"a, b"', ""):
        rows = read_packets(written(f"{HEADING},note\n1,2,3,4,5,6,7,{texts}\n"), 9)
        assert rows.tolist() == [[1, 2, 3, 4, 5, 6, 7, 0]]


# What the file holds, and what the line says.
BAD_FILES = [
    ("", "line 1: expected the columns time, sx, sy, sz, dx, dy, dz in a heading"),
    ("\n", "line 1: expected the columns"),
    ("time,sx,sy,dx,dy,dz\n0,0,0,1,1,0\n", "line 1: expected the column sz in a heading time,sx,sy,sz"),
    ("0,0,0,0,1,0,0\n", "line 1: expected the columns"),
    (HEADING, "expected at least one packet below the heading"),
    (f"{HEADING}\n\n \n", "expected at least one packet below the heading"),
    (f"{HEADING}\n0,0,0,0,1,0,0\n3,0,0,", "line 3: expected 7 values, got 4"),
    (f"{HEADING}\n0,0,0,0,1,0,0\n3,0,0,0,1,0,", "line 3: dz: expected a whole number, got nothing"),
    (f"{HEADING}\n0,0,0,0,1,0,0,0\n", "line 2: expected 7 values, got 8"),
    (f"{HEADING}\n0.5,0,0,0,1,0,0\n", "line 2: time: expected a whole number, got 0.5"),
    (f"{HEADING}\n0,0,0,0,x,0,0\n", "line 2: dx: expected a whole number, got x"),
    (f"{HEADING}\n0,0,0,0,{'x' * 99},0,0\n", "line 2: dx: expected a whole number, got xxx"),
    (f"{HEADING}\n0,0,0,0,1,0,nan\n", "line 2: dz: expected a whole number, got nan"),
    (f"{HEADING}\n1e3,0,0,0,1,0,0\n", "line 2: time: expected a whole number, got 1e3"),
    (f"{HEADING}\n0,0,0,0,1,0,0\n\U000e0001", "line 3: expected 7 values, got 1"),  # NumPy crashes over it
    (f"{HEADING}\n0,0,0,0,1,0,0\n0,0,0,0,1,0,\U0010ffff", "line 3: dz: expected a whole number"),
    (f"{HEADING}\n0,0,0,0,1,0,٣\n", "line 2: dz: expected a whole number"),
    (f"{HEADING}\n\n0,0,0,0,1,0,\0\n", "line 3: dz: expected a whole number"),
    (f"{HEADING}\n{2**53 + 1},0,0,0,1,0,0\n", "line 2: time: expected a number up to 9007199254740992"),
    (f"{HEADING}\n{'9' * 5000},0,0,0,1,0,0\n", "line 2: time: expected a number up to 9007199254740992"),
    (f"{HEADING}\n-{10**30},0,0,0,1,0,0\n", "line 2: time: expected a number up to 9007199254740992"),
    (f"{HEADING}\n".encode() + b"\xff\xfe0,0,0\n", "expected comma-separated text in UTF-8"),
    (f"{HEADING}\n" + "0,0,0,0,1,0,0\n" * 101, "expected at most 100 packets, got 101"),
    (f"{HEADING}\n" + f'0,0,0,0,1,0,"{"9" * 200_000}\n', "line 2: expected comma-separated text"),
    (f"{HEADING}\n0,0,0,0,1,0,0\n0,0\r0,0,1,0,0\n", "line 3: expected comma-separated text"),
    (f'{HEADING},note\n0,0,0,0,1,0,0,"a\n\nb"\n0,0\n', "line 5: expected 8 values, got 2"),
]


@pytest.mark.parametrize(("content", "expected"), BAD_FILES, ids=lambda value: repr(value[:30]))
def test_a_bad_file_is_one_line_with_the_place_and_the_expectation(written, content, expected):
    """Named by line and column, whatever is missing, cut off, doubled or not a number."""
    assert expected in complaint(written(content))


BAD_PACKETS = [
    ("-1,0,0,0,1,0,0", "expected a time from 0 to 1000000000000, got -1"),
    (f"{10**12 + 1},0,0,0,1,0,0", "expected a time from 0 to 1000000000000, got 1000000000001"),
    ("0,4,0,0,1,0,0", "expected a source on the 4×3 mesh, got (4,0,0)"),
    ("0,0,-1,0,1,0,0", "expected a source on the 4×3 mesh, got (0,-1,0)"),
    ("0,0,0,1,1,0,0", "expected a source on the 4×3 mesh, got (0,0,1)"),
    ("0,0,0,0,1,3,0", "expected a target on the 4×3 mesh, got (1,3,0)"),
    (f"0,0,0,0,1,0,{2**53}", f"expected a target on the 4×3 mesh, got (1,0,{2**53})"),
    ("0,1,2,0,1,2,0", "expected a target other than the source, got (1,2,0) for both"),
]


@pytest.mark.parametrize(("row", "expected"), BAD_PACKETS)
def test_a_bad_packet_is_named_by_its_line(written, row, expected):
    """The first of them: off the mesh, to itself, or at a time there cannot be."""
    good = "0,0,0,0,3,2,0\n"
    text = f"{HEADING}\n{good}\n{good}{row}\n9,9,9,9,9,9,9\n"
    assert complaint(written(text)) == f"line 5: {expected}"


def test_each_column_stands_once(written):
    """Of two none is meant; carriage returns alone end lines; the last time and nodes can be sent."""
    path = written(f"{HEADING},time\n0,0,0,0,3,2,0,500\n")
    assert complaint(path) == "line 1: expected the column time once"
    path = written(f"{HEADING}\r7,0,0,0,3,2,0\r")
    assert read_packets(path, 9).tolist() == [[7, 0, 0, 0, 3, 2, 0, 0]]
    path = written(f"{HEADING}\n{10**12},0,0,0,3,2,0\n0,3,2,0,0,0,0\n")
    assert len(read_and_checked(path, MESH, most=2)) == 2


def test_what_is_no_file_is_one_line_and_an_endless_file_ends(tmp_path, monkeypatch):
    """Missing, a folder, a name that no file can have, or longer than there may be."""
    assert complaint(tmp_path / "none.csv")
    assert complaint(tmp_path)
    assert complaint(tmp_path / ("x" * 5000))
    with pytest.raises(PacketFileError, match=r"\\x00"):
        read_packets(tmp_path / "a\0b", 9)
    monkeypatch.setattr(packet_files, "MAX_PACKET_FILE", 1 << 20)
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert complaint(path) == "expected a file of at most 1 MiB"


@given(
    content=st.one_of(st.binary(max_size=80), st.text(max_size=80).map(lambda t: f"{HEADING}\n{t}".encode()))
)
def test_any_bytes_are_packets_or_one_line(tmp_path_factory, content):
    """Never another error."""
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    said, rows = "", np.empty((1, 8))
    try:
        rows = read_packets(path, 100)
    except PacketFileError as error:
        said = str(error)
    assert said.isprintable()
    assert rows.shape == (len(rows), 8)


whole = st.integers(-(2**53), 2**53)


@given(rows=st.lists(st.tuples(*[whole] * 8), min_size=1, max_size=6), texts=st.booleans())
def test_numbers_are_read_as_they_are_written(tmp_path_factory, rows, texts):
    """The fast way and the careful one, which a column of texts brings about, read the same."""
    path = tmp_path_factory.getbasetemp() / "numbers.csv"
    lines = [",".join(map(str, row)) + (",a" if texts else "") for row in rows]
    path.write_text("\n".join([f"{HEADING},job{',note' if texts else ''}", *lines]), encoding="utf-8")
    assert read_packets(path, 9).tolist() == [list(row) for row in rows]


def test_what_became_of_packets_is_written_beside_them_and_a_scenario_takes_in_its_packets(
    tmp_path, written, scenario_file
):
    """They can be read as packets again; a scenario that is saved is whole without the file."""
    rows = np.array([[5, 0, 1, 0, 3, 2, 0, 0], [0, 3, 2, 0, 0, 0, 0, 0]])
    path = tmp_path / "out.csv"
    with path.open("wb") as file:
        write_packets(file, rows, np.array([[5, 40, 35, 3], [0, 32, 32, 0]]))
    assert path.read_text(encoding="utf-8").splitlines() == [
        f"{HEADING},{','.join(OUTCOMES)}", "5,0,1,0,3,2,0,5,40,35,3", "0,3,2,0,0,0,0,0,32,32,0",
    ]  # fmt: skip
    assert read_packets(path, 9).tolist() == rows.tolist()
    many = np.zeros((70_000, 8), dtype=np.int64)
    many[:, 0] = np.arange(len(many))
    with path.open("wb") as file:
        write_packets(file, many, np.zeros((len(many), 4), dtype=np.int64))
    assert read_packets(path, len(many)).tolist() == many.tolist()
    packets = written(f"{HEADING},job\n5,0,1,0,3,2,0,0\n")
    loaded = load_scenario(scenario_file('{"pattern": "file", "path": "packets.csv"}'))
    assert loaded.network.packets == ((5, 0, 1, 0, 3, 2, 0, 0),)
    assert loaded.network.path is None
    packets.unlink()
    saved = tmp_path / "elsewhere"
    saved.mkdir()
    save_scenario(loaded, saved / "whole.meshgui.json")
    assert load_scenario(saved / "whole.meshgui.json") == loaded


def scenario_text(network, jobs='[{"arrival": 0, "size": [2, 2]}]'):
    """A scenario file with a network."""
    return (
        '{"meshgui": 1, "mesh": {"shape": [4, 3]}, "allocator": {"name": "ff"},'
        f' "workload": {{"kind": "list", "jobs": {jobs}}}, "network": {network}}}'
    )


@pytest.fixture
def scenario_file(tmp_path):
    """Writes a scenario."""

    def write(*parts):
        path = tmp_path / "lecture.meshgui.json"
        path.write_text(scenario_text(*parts), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "network.path: "),
        (f"{HEADING}\n5,0,1,0,", "network.path: {file}: line 2: expected 7 values, got 5"),
        (
            f"{HEADING}\n5,0,1,0,4,2,0",
            "network.path: {file}: line 2: expected a target on the 4×3 mesh, got (4,2,0)",
        ),
        (
            f"{HEADING},job\n5,0,1,0,3,2,0,1",
            "network.path: {file}: line 2: expected a job from 0 to 0, got 1",
        ),
        (f"{HEADING}\n" + "0,0,0,0,1,0,0\n" * 100_001, "expected at most 100000 packets, got 100001"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_bad_file_of_a_scenario_is_one_line(written, scenario_file, tmp_path, content, expected):
    """With the scenario's name, the field, and what the file's own line says."""
    if content is not None:
        written(content)
    path = scenario_file('{"pattern": "file", "path": "packets.csv"}')
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: network.pa")
    assert expected.format(file=tmp_path / "packets.csv") in message
    assert message.isprintable()


def test_packets_come_from_a_file_or_from_the_scenario(written, scenario_file):
    """Both is one too many."""
    written(f"{HEADING}\n5,0,1,0,3,2,0\n")
    both = '{"pattern": "file", "path": "packets.csv", "packets": [[5, 0, 1, 0, 3, 2, 0]]}'
    with pytest.raises(ScenarioError, match=r"network\.path: expected this or packets, got both"):
        load_scenario(scenario_file(both))


@pytest.mark.parametrize("fault", ["", "0,0,0,0,1,0,x\n"], ids=["sound", "faulty"])
def test_reading_says_how_far_it_is(written, fault):
    """Between pieces, at once by NumPy and line by line; what the listener raises ends it."""
    path = written(f"{HEADING}\n" + "0,0,0,0,1,0,0\n" * 100_000 + fault)
    shares = []
    with suppress(PacketFileError), Work(lambda progress: shares.append(progress.share)).under_way():
        read_packets(path, 200_000)
    assert len(shares) >= 5
    assert all(0 < share <= 1 for share in shares)

    def end(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Work(end).under_way():
        read_packets(path, 200_000)
