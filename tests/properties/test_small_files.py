"""A small file of a stranger asks for little: calls, comparisons and bytes are counted, never seconds."""

import gzip
import io
import json
import random
import zipfile
import zlib
from base64 import urlsafe_b64encode

import pytest

from meshgui.engine.basics.files import InputFileError
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.json_text import JsonError, TooDeepError, no_key_twice, read_json
from meshgui.engine.basics.limits import FREE_UNPACKED, MAX_JSON_DEPTH
from meshgui.engine.runs.expectation import expectation
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_file, scenario_from
from meshgui.engine.workload import box_shapes, swf
from meshgui.engine.workload.box_shapes import boxes_for
from meshgui.engine.workload.swf import TraceError, read_trace
from meshgui.experiment import bundle_writer
from meshgui.experiment.fields import FieldError, axis_from
from meshgui.experiment.limits import MAX_VALUES
from meshgui.model.base.limits import MAX_FAULTS, MAX_MARKS
from meshgui.model.document.window_moment import read_bookmarks, read_breakpoints
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.stepping.breakpoints import BreakKind
from tests.counting import calls_in
from tests.experiments import SMALL, small_experiment
from tests.fuzzing import TARGETS, feed, memory_bound_of, memory_of

SCENARIO = {
    "meshgui": 1,
    "mesh": {"shape": [8, 8]},
    "allocator": {"name": "ff"},
    "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [1, 1], "service": 1}]},
}


class CountedKey(str):
    """A key that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        CountedKey.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def as_file(data):
    """Compact JSON."""
    return json.dumps(data, separators=(",", ":")).encode()


def refused(kind, content, folder):
    """How a file of a kind is refused, after little work."""
    calls = 0
    line = ""

    def read():
        nonlocal line
        line = feed(TARGETS[kind], content, folder)

    read()  # what is loaded and compiled once is no work of the file
    calls = calls_in(read)
    assert calls < 200_000 + 4 * len(content), f"{calls} calls for {len(content)} bytes"
    assert memory_of(TARGETS[kind], content, folder) < memory_bound_of(content)
    assert line
    return line


# JSON


def test_a_doubled_key_is_found_in_one_pass():
    """Among thousands of others, with fewer comparisons than there are keys."""
    keys = [CountedKey(number) for number in range(5000)]
    CountedKey.compared = 0
    with pytest.raises(JsonError, match="the key “4999” appears twice"):
        no_key_twice([(key, 0) for key in (*keys, CountedKey("4999"))])
    assert CountedKey.compared < len(keys)


@pytest.mark.parametrize("kind", ["scenario", "hand-in", "set of exercises"])
def test_doubled_keys_are_refused_at_once(kind, tmp_path):
    """160 KB of keys, the last of them twice: ten seconds before."""
    keys = ",".join(f'"{number:05d}":0' for number in range(16_000))
    assert "the key “a” appears twice" in refused(kind, f'{{{keys},"a":1,"a":2}}'.encode(), tmp_path)


@pytest.mark.parametrize("kind", ["scenario", "hand-in", "set of exercises", "autosave"])
@pytest.mark.parametrize("depth", [MAX_JSON_DEPTH + 1, 500, 100_000])
def test_deep_lists_are_refused(kind, depth, tmp_path):
    """Wherever they are, before anything is done with them."""
    sound = TARGETS[kind].examples()[0].rstrip().removesuffix(b"}")
    line = refused(kind, sound + b',"deep":{"x":' + b"[" * depth + b"]" * depth + b"}}", tmp_path)
    assert "less deeply nested" in line or kind == "autosave"


def test_lists_of_the_largest_depth_are_read():
    """No deeper ones, though letters look like them; empty lists take thirty times their letters."""
    deep = "[" * MAX_JSON_DEPTH + '"[[[["' + "]" * MAX_JSON_DEPTH
    assert read_json(deep)
    with pytest.raises(TooDeepError):
        read_json(f'{{"a": {deep}}}')
    text = "[" + "[]," * 10_000 + "0]"
    assert len(read_json(text)) == 10_001
    with pytest.raises(JsonError, match="whose values take at most 1 MiB"):
        read_json(text, most=1 << 20)


# Scenarios


@pytest.mark.parametrize("job", [{}, {"q": 1}, {"arrival": 0, "size": []}, 1])
def test_one_wrong_job_of_many_is_enough(job, tmp_path):
    """A fault is looked for in the first that is wrong, not in all: 600 KB took 520 MB before."""
    content = as_file(SCENARIO | {"workload": {"kind": "list", "jobs": [job] * 50_000}})
    assert "workload.jobs.0" in refused("scenario", content, tmp_path)


@pytest.mark.parametrize(
    "part",
    [
        {"network": {"pattern": "file", "packets": [["x"] * 8] * 50_000}},
        {"workload": {"kind": "swf", "jobs": [[]] * 50_000}},
        {"workload": SCENARIO["workload"] | {"moves": [[]] * 50_000}},
        {"mesh": {"shape": [1] * 100_000}},
        {"mesh": {"shape": [100_000, 100_000]}},
        {"workload": {"kind": "stochastic", "jobs": 10**9, "load": 1}},
        {"allocator": {"name": "x" * 1_000_000}},
        {"x" * 1_000_000: 1},
        {"allocator": {"name": "ff", "options": {f"k{number}": 1 for number in range(20_000)}}},
        {f"k{number}": 1 for number in range(20_000)},
    ],
    ids=lambda part: next(iter(part))[:20],
)
def test_what_is_large_and_wrong_is_refused_at_once(part, tmp_path):
    """Lists, sizes, names and keys."""
    assert refused("scenario", as_file(SCENARIO | part), tmp_path)


def test_a_hundred_thousand_jobs_are_still_read(tmp_path):
    """Honest use stays below all limits: jobs in a list, and packets."""
    draw = random.Random(1)
    jobs = [{"arrival": n, "size": [draw.randint(1, 8), 1], "service": 1.5} for n in range(100_000)]
    packets = [[n, 0, 0, 0, 1, 0, 0, n] for n in range(100_000)]
    path = tmp_path / "large.meshgui.json"
    network = {"pattern": "file", "packets": packets}
    path.write_bytes(as_file(SCENARIO | {"workload": {"kind": "list", "jobs": jobs}, "network": network}))
    scenario = load_file(path).scenario
    assert (scenario.job_count, len(scenario.network.packets)) == (100_000, 100_000)


# Lessons


def lesson(moment):
    """A lesson with one step."""
    return f"# T\n\n## S\n\n```moment\n{moment}\n```\n".encode()


def test_unknown_keys_of_a_lesson_are_refused_at_once(tmp_path):
    """36 KB took forty seconds before."""
    keys = ",\n".join(f'"k{number:04d}": 0' for number in range(3000))
    assert "unknown key" in refused("lesson", lesson(f"{{{keys}}}"), tmp_path)
    keys = ",\n".join(f'"k{number:04d}": 0,\n"k{number:04d}": 0' for number in range(3000))
    assert refused("lesson", lesson(f"{{{keys}}}"), tmp_path)
    path = tmp_path / "x.lesson.md"
    path.write_bytes(lesson(f"{{{keys}}}"))
    _, faults = check_lesson(path)
    assert sum("appears twice" in fault.message for fault in faults) == MAX_FAULTS
    assert faults[1].line == 7  # the second of the two


# Experiments


def test_ranges_make_no_more_values_than_an_experiment_has_points():
    """The values of the ranges after that are not even made."""
    ranges = ",".join(f"{begin}..{begin + 9999}" for begin in range(0, 80_000_000, 10_000))

    def read():
        with pytest.raises(FieldError, match=f"expected at most {MAX_VALUES} values"):
            axis_from(f"workload.load={ranges}")

    assert calls_in(read) < 100 * MAX_VALUES


JOBS = [{"arrival": n, "size": [1, 1], "service": 1} for n in range(2000)]
PACKETS = {"pattern": "file", "packets": [[0, 0, 0, 0, 1, 0, 0]] * 1500}


@pytest.mark.parametrize(
    ("parts", "axes"),
    [
        ({"workload": {"kind": "list", "jobs": JOBS}}, ("workload.jobs.0.arrival=1..8000",)),
        ({"workload": {"kind": "list", "jobs": JOBS[:1]}, "network": PACKETS}, ("network.flits=1..8000",)),
    ],
    ids=["jobs", "packets"],
)
def test_what_is_listed_and_points_are_bounded_together(parts, axes):
    """Each point is a scenario with all the jobs and packets."""
    with pytest.raises(FieldError, match="at most 10000000 listed jobs and packets at all points"):
        small_experiment(*axes, data=SMALL | parts)


# Packed content


def bundle_with(name, content, tmp_path):
    """A sound bundle with another member, and the bytes that are packed of it."""
    path = tmp_path / "bomb.zip"
    sound = tmp_path / "sound.zip"
    sound.write_bytes(TARGETS["bundle"].examples()[0])
    with (
        zipfile.ZipFile(sound) as old,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
    ):
        for info in old.infolist():
            new.writestr(info.filename, content if info.filename == name else old.read(info))
    return path.read_bytes()


@pytest.mark.parametrize("name", ["experiment.json", "points.json", "versions.json", "replications.csv"])
def test_a_bundle_that_unpacks_to_much_is_refused(name, tmp_path):
    """260 KB took 6.7 GB before."""
    content = bundle_with(name, b"[" + b"[]," * 20_000_000 + b"0]", tmp_path)
    assert len(content) < 300_000
    assert f"{name}: expected at most" in refused("bundle", content, tmp_path)


def test_a_bundle_whose_values_take_much_is_refused(tmp_path):
    """Also below the limit of its length; not with all that is wrong with each."""
    content = bundle_with("points.json", b"[" + b"{}," * 1_300_000 + b"0]", tmp_path)
    assert "whose values take at most" in refused("bundle", content, tmp_path)
    content = bundle_with("points.json", as_file([{"values": {}, "x": 1}] * 10_000), tmp_path)
    assert "points.json: 0" in refused("bundle", content, tmp_path)


def test_points_are_counted_before_they_are_made_and_bookmarks_are_as_many_as_one_sets_by_hand(tmp_path):
    """A bundle that lists others has none of them; what a file lists beyond that is left out."""
    content = TARGETS["bundle"].examples()[0]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        experiment = json.loads(archive.read("experiment.json"))
    experiment["axes"] = [{"key": "workload.load", "values": list(range(1, 10_001))}]
    content = bundle_with("experiment.json", as_file(experiment), tmp_path)
    assert "points.json: expected 10000 points, got 2" in refused("bundle", content, tmp_path)
    bookmark = {"name": "here", "time": 1.0, "events": 0}
    assert len([*read_bookmarks([bookmark] * (MAX_MARKS + 1))]) == MAX_MARKS
    breakpoint_ = {"kind": next(iter(BreakKind)), "job": 1}
    assert len([*read_breakpoints([breakpoint_] * (MAX_MARKS + 1))]) == MAX_MARKS


def test_a_bundle_cannot_say_that_it_is_longer_than_it_is(tmp_path):
    """How much it may unpack to goes by that; what shrinks to nearly nothing is stored as it is."""
    content = bundle_with("points.json", b" " * (FREE_UNPACKED + 1), tmp_path)
    with zipfile.ZipFile(tmp_path / "bomb.zip") as archive:
        packed = archive.getinfo("points.json").compress_size.to_bytes(4, "little")
    content = content.replace(packed, (1 << 28).to_bytes(4, "little"))
    assert "its files are longer than the bundle" in refused("bundle", content, tmp_path)
    path = tmp_path / "made.zip"
    with zipfile.ZipFile(path, "w") as archive:
        bundle_writer._put(archive, "experiment.json", b" " * (FREE_UNPACKED + (1 << 20)))
        bundle_writer._put(archive, "points.json", b" " * FREE_UNPACKED)
    with zipfile.ZipFile(path) as archive:
        ways = [info.compress_type for info in archive.infolist()]
    assert ways == [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]


@pytest.mark.parametrize("lists", [1_000_000, 14_000_000, 20_000_000])
@pytest.mark.parametrize("where", ["scenario", "view"])
def test_a_link_that_unpacks_to_much_is_refused(where, lists, tmp_path):
    """82 KB took 1.9 GB before; and so did the packed view of a link."""
    packed = urlsafe_b64encode(zlib.compress(b"[" + b"[]," * lists + b"0]", 9)).rstrip(b"=")
    sound = TARGETS["link"].examples()[0].partition(b"?")[0]
    link = b"meshgui://scenario/" + packed if where == "scenario" else sound + b"?view=" + packed
    assert "expected a link" in refused("link", link, tmp_path)


def test_a_trace_that_unpacks_to_much_is_refused(tmp_path, monkeypatch):
    """3 MB took 4.4 GB and 199 seconds before; a few blocks of it are parsed now."""
    lines = b"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
    content = gzip.compress(lines * 1_000_000, 9)
    parsed = []
    numbers = swf._numbers
    monkeypatch.setattr(
        swf, "_numbers", lambda *given: parsed.append(given[2].count(b"\n")) or numbers(*given)
    )
    path = tmp_path / "bomb.swf"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match="which unpacks to at most 32 times its size"):
        swf.read_trace(path)
    assert sum(parsed) * len(lines) < FREE_UNPACKED + 32 * len(content)
    assert memory_of(TARGETS["trace"], content, tmp_path) < memory_bound_of(content)


@pytest.mark.parametrize("shape", [(100, 100, 100), (1024, 1024), (2, 2, 2)])
def test_the_boxes_of_a_mesh_are_listed_once(shape):
    """However many different numbers of processors a trace has: 208 KB took 17 seconds before."""
    box_shapes._fitting_boxes.cache_clear()
    counts = box_shapes.np.arange(1, 3000)
    calls = calls_in(lambda: boxes_for(counts, Mesh(shape), "most-square-that-fits"))
    assert box_shapes._fitting_boxes.cache_info().misses == 1
    assert calls < 300 * len(counts)


# What a run will take


def test_a_network_is_part_of_what_is_said_beforehand(tmp_path):
    """Listed packets by the way that each takes: 2.2 GB came unannounced; no digits are cut in each way."""

    def expected(packets):
        network = {"pattern": "file", "packets": [[n, 0, 0, 0, 1023, 1023, 0] for n in range(packets)]}
        scenario = scenario_from(SCENARIO | {"mesh": {"shape": [1024, 1024]}, "network": network})
        return expectation(scenario, Simulation(scenario).jobs)

    one, many = expected(1), expected(2000)
    assert 0.5e9 < one.bytes_ < 1e9  # measured: 0.6 GB
    hops = 2000 * (2046 + 2)
    assert many.bytes_ - one.bytes_ == pytest.approx(2 * (8 * hops + 44 * 2000), rel=0.01)
    assert many.seconds == pytest.approx(hops / 5e6)
    file = tmp_path / "a.swf"
    file.write_bytes(b"1" * 1_000_000 + b"x" + b" 1" * 17 + b"\n")
    with pytest.raises(TraceError, match="expected a number"):
        read_trace(file)
