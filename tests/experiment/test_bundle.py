"""Bundles: an experiment in one file, made again to the last digit; a stranger's zip does no harm."""

import csv
import io
import json
import random
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.runs.dictionary import FIGURES
from meshgui.experiment import bundle as bundles
from meshgui.experiment.batches import Batches
from meshgui.experiment.bundle import Bundle, is_bundle, read_bundle
from meshgui.experiment.bundle_check import first_difference
from meshgui.experiment.bundle_format import BundleError, versions_here
from meshgui.experiment.bundle_writer import fit_to_bundle, write_bundle
from meshgui.experiment.executors import InProcess
from meshgui.experiment.results import results_of
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.run_spec import MODEL
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from tests.experiments import SMALL, small_experiment
from tests.stores import runs_in

MEMBERS = {
    "README.txt", "versions.json", "experiment.json", "points.json", "results.csv", "replications.csv",
    "replications.db",
}  # fmt: skip


def swept(experiment, store):
    """The store with all that is made of an experiment."""
    Sweep(experiment, store, InProcess()).run()
    return store


def bundled(experiment, path):
    """The bundle of an experiment, in a file."""
    with Store() as store, path.open("wb") as file:
        write_bundle(file, experiment, swept(experiment, store))
    return path


def difference(bundle):
    """What comes out otherwise when it is run again."""
    with Store() as store:
        return first_difference(bundle, swept(bundle.experiment, store))


@pytest.fixture(scope="module")
def experiment():
    """Two strategies at two loads."""
    return small_experiment("allocator.name=ff,gabl", "workload.load=0.5,2", most=5)


@pytest.fixture(scope="module")
def made(experiment, tmp_path_factory):
    """Its bundle."""
    return bundled(experiment, tmp_path_factory.mktemp("bundle") / "made.zip")


@pytest.fixture
def changed(made, tmp_path):
    """Writes the bundle with other members, or without some (None)."""

    def write(members=(), method=zipfile.ZIP_DEFLATED):
        path = tmp_path / "changed.zip"
        with zipfile.ZipFile(made) as old:
            contents = {info.filename: old.read(info.filename) for info in old.infolist()} | dict(members)
        with zipfile.ZipFile(path, "w", method) as new:
            for name, content in contents.items():
                if content is not None:
                    new.writestr(name, content)
        return path

    return write


def member(path, name):
    """A member's text."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def looked_through(path):
    """The bundle, every replication of it read."""
    bundle = read_bundle(path)
    list(bundle.replications())
    return bundle


def test_a_bundle_holds_what_is_promised(made, experiment):
    """Its members; the same experiment; the versions of all that made it."""
    with zipfile.ZipFile(made) as archive:
        assert {info.filename for info in archive.infolist()} == MEMBERS
    found = read_bundle(made)
    assert found.experiment.id == experiment.id
    assert found.experiment.points == experiment.points
    assert found.versions == versions_here()
    assert found.versions["model"] == MODEL
    assert {"meshgui", "python", "numpy", "numba", "platform"} <= set(found.versions)
    assert "meshgui sweep BUNDLE.zip --check" in member(made, "README.txt")
    assert is_bundle(made)


def test_the_numbers_in_it_are_those_of_the_store(made, experiment):
    """Seeds, every figure of every run with all its digits, and the results as the table has them."""
    with Store() as store:
        swept(experiment, store)
        results = results_of(experiment, store)
        assert member(made, "results.csv").encode() == csv_of(experiment, results)
        found = list(read_bundle(made).replications())
        wanted = [
            (result.point.index, experiment.seed + number, (sample,))
            for result in results
            for number, sample in enumerate(result.sampled)
        ]
        assert [(r.point, r.seed, r.samples) for r in found] == wanted
    points = json.loads(member(made, "points.json"))
    assert [point["runs"] for point in points] == [result.runs for result in results]
    assert [point["values"] for point in points] == [
        dict(zip(experiment.keys, result.point.values, strict=True)) for result in results
    ]
    heading, *rows = csv.reader(io.StringIO(member(made, "replications.csv"), newline=""))
    assert heading[:2] == ["point", "seed"]
    of_runs = {name for name, figure in FIGURES.items() if not figure.network and not figure.failures}
    assert of_runs - {"overhead_seconds", "part_attempts_per_job"} <= set(heading[2:])
    assert len(rows) == sum(result.runs for result in results)


def test_the_store_in_it_has_exactly_these_replications(made, experiment, tmp_path):
    """It opens as any other, with nothing left to run; whenever it is written."""
    path = tmp_path / "replications.db"
    with zipfile.ZipFile(made) as archive:
        path.write_bytes(archive.read("replications.db"))
    with Store(path) as store:
        assert runs_in(store) == read_bundle(made).runs
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        assert sweep.progress.completed == 0
    more = small_experiment("allocator.name=ff,gabl", "workload.load=0.5,2", least=8, most=8)
    with Store() as store, (tmp_path / "few.zip").open("wb") as file:
        swept(more, store)
        write_bundle(file, experiment, swept(experiment, store))
        runs = sum(result.runs for result in results_of(experiment, store))
        assert runs_in(store) == 32 > runs
    assert read_bundle(tmp_path / "few.zip").runs == runs
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    with Store() as store, one.open("wb") as first, other.open("wb") as second:
        swept(experiment, store)
        write_bundle(first, experiment, store)
        write_bundle(second, experiment, store)
    assert one.read_bytes() == other.read_bytes()


def test_made_again_nothing_differs_and_the_first_number_that_differs_is_found(made, changed):
    """From the file alone; an empty store differs at the first run, another at one digit of one number."""
    bundle = read_bundle(made)
    with Store() as store:
        first = first_difference(bundle, store)
        assert first is not None
        assert (first.point, first.seed, first.figure) == (0, SMALL["seed"], "")
    assert difference(bundle) is None
    rows = list(csv.reader(io.StringIO(member(made, "replications.csv"), newline="")))
    bundle = read_bundle(made)
    draw = random.Random(4)
    with Store() as store:
        swept(bundle.experiment, store)
        for _ in range(8):
            row, column = draw.randrange(1, len(rows)), draw.randrange(2, len(rows[0]))
            if not rows[row][column]:
                continue
            other = [list(cells) for cells in rows]
            other[row][column] = repr(float(rows[row][column]) * (1 + 1e-15) + 1e-300)
            text = io.StringIO(newline="")
            csv.writer(text).writerows(other)
            found = first_difference(read_bundle(changed({"replications.csv": text.getvalue()})), store)
            assert found is not None
            assert (found.point, found.seed, found.figure) == (
                int(rows[row][0]), int(rows[row][1]), rows[0][column],
            )  # fmt: skip
            assert found.bundled == float(other[row][column])
            assert found.found == float(rows[row][column])


def test_batches_have_rows_of_their_own_and_only_experiments_that_name_no_file_are_bundled(tmp_path):
    """A row a batch; networks and laws come out as they went in; a null is no name of a file."""
    cut = small_experiment("allocator.name=ff,gabl", batches=Batches(count=4, warm_up=2))
    path = bundled(cut, tmp_path / "batches.zip")
    bundle = read_bundle(path)
    assert [(r.point, len(r.samples)) for r in bundle.replications()] == [(0, 4), (1, 4)]
    assert member(path, "replications.csv").startswith("point,seed,batch,turnaround,")
    assert difference(bundle) is None
    papers = '{"pattern":"random","messages":2,"per_hop":"flit","ports":"free"}'
    grid = small_experiment(f'network=null,{{"pattern":"random","messages":2}},{papers}', least=2, most=2)
    bundle = looked_through(bundled(grid, tmp_path / "objects.zip"))
    assert bundle.experiment.points == grid.points
    assert difference(bundle) is None
    data = SMALL | {"network": {"pattern": "random"}}
    fit_to_bundle(small_experiment('network={"pattern":"random","path":null},null', data=data))
    with pytest.raises(BundleError, match="expected an experiment whose points name no other file"):
        fit_to_bundle(small_experiment("network.path=null", data=data))


# Strangers' files


BAD_MEMBERS = {
    "no experiment": ({"experiment.json": None}, "with one experiment.json, got none"),
    "no replications": ({"replications.csv": None}, "with one replications.csv, got none"),
    "another version": ({"versions.json": '{"format": 2}'}, "expected a bundle of version 1, got 2"),
    "versions of nothing": ({"versions.json": "[]"}, "expected a bundle of version 1, got null"),
    "no JSON": ({"experiment.json": "{"}, "experiment.json: expected JSON"),
    "bytes": ({"experiment.json": b"\xff\xfe\x00"}, "experiment.json: expected JSON"),
    "deep JSON": ({"experiment.json": "[" * 100_000}, "experiment.json: expected less deeply nested JSON"),
    "an empty experiment": ({"experiment.json": "{}"}, "experiment.json: expected an experiment"),
    "a list": ({"experiment.json": "[]"}, "experiment.json: expected an experiment"),
    "points of another": ({"points.json": "[]"}, "points.json: expected 4 points, got 0"),
    "points of numbers": ({"points.json": "[1, 2, 3, 4]"}, "points.json: 0: "),
    "an empty table": ({"replications.csv": ""}, "replications.csv: expected the columns of a bundle"),
    "another table": ({"replications.csv": "a,b\n1,2\n"}, "replications.csv: expected the columns"),
    "no rows": ({"replications.csv": "point,seed,waiting\n"}, "expected the run of point 0 with seed 7 next"),
    "no number": ({"replications.csv": "point,seed,waiting\n0,7,ten\n"}, "expected numbers, got"),
    "an endless line": ({"replications.csv": "x" * (3 << 20)}, "expected lines of less than"),
    "half a quotation": ({"replications.csv": 'point,seed,"waiting\n'}, "expected comma-separated values"),
    "bytes in the table": ({"replications.csv": b"point,seed,\xff\n"}, "expected a whole bundle"),
}


@pytest.mark.parametrize("name", BAD_MEMBERS)
def test_a_foreign_or_damaged_zip_is_one_sentence(changed, name):
    """It names the file, and the member if that is to blame."""
    members, complaint = BAD_MEMBERS[name]
    path = changed(members)
    with pytest.raises(BundleError) as raised:
        looked_through(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert complaint in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("scenario", {"meshgui": 1}, "experiment.json: scenario: mesh: expected a value"),
        ("axes", [{"key": "workload.laod", "values": [1]}], "did you mean workload.load?"),
        ("axes", [{"key": "workload.load", "values": []}], "experiment.json: values: "),
        ("axes", [{"key": "workload.jobs", "values": list(range(1, 20_000))}], "at most 10000 points"),
        ("target", {"precision": -1}, "experiment.json: precision: "),
        ("batches", {"count": 1}, "experiment.json: count: "),
        ("title", 5, "experiment.json: title: expected text"),
        ("title", "x" * 5000, "experiment.json: title: expected text"),
        ("scenario", None, "experiment.json: expected an experiment"),
        ("axes", {"key": "workload.load"}, "experiment.json: "),
    ],
)
def test_an_unsound_experiment_is_one_sentence(made, changed, part, value, complaint):
    """As it would be on the command line."""
    data = json.loads(member(made, "experiment.json")) | {part: value}
    with pytest.raises(BundleError) as raised:
        looked_through(changed({"experiment.json": json.dumps(data)}))
    assert complaint in str(raised.value)


def test_more_runs_than_said_are_noticed(made, changed):
    """And fewer."""
    table = member(made, "replications.csv")
    for text, said in (
        (table + table.splitlines()[-1] + "\n", "runs, got more"),
        ("\n".join(table.splitlines()[:-1]), "expected the run of point 3 with seed"),
    ):
        with pytest.raises(BundleError, match=said):
            looked_through(changed({"replications.csv": text}))


def test_nothing_is_unpacked_wherever_a_name_leads(changed, tmp_path):
    """Names that lead out of a folder are never made into files; what is not known is not looked at."""
    path = changed({"../slipped.txt": "out of here", "/slipped.txt": "out of here"})
    before = sorted(tmp_path.parent.rglob("*"))
    looked_through(path)
    assert sorted(tmp_path.parent.rglob("*")) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice_is_refused_and_a_password_is_refused(made, tmp_path):
    """It could not be told which of the two counts; in one sentence, too."""
    path = tmp_path / "twice.zip"
    path.write_bytes(made.read_bytes())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("experiment.json", "{}")
    with pytest.raises(BundleError, match=r"with one experiment\.json, got several"):
        read_bundle(path)
    content = bytearray(made.read_bytes())
    at = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    content[at + 8] |= 1
    path = tmp_path / "locked.zip"
    path.write_bytes(content)
    with pytest.raises(BundleError, match="without a password"):
        read_bundle(path)


@pytest.mark.parametrize("name", ["experiment.json", "points.json", "versions.json"])
def test_a_zip_bomb_is_refused_before_it_is_unpacked(changed, monkeypatch, name):
    """By the size it says it has; and it cannot give more than it says."""
    monkeypatch.setattr(bundles, "MAX_BUNDLED_TEXT", 100_000)
    path = changed({name: b" " * 50_000_000})
    with pytest.raises(BundleError, match=f"{name}: expected at most 100000 bytes, got 50000000"):
        read_bundle(path)
    liar = path.read_bytes().replace(struct.pack("<L", 50_000_000), struct.pack("<L", 99_999))
    path.write_bytes(liar)
    with pytest.raises(BundleError):
        read_bundle(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(changed, method):
    """Python would unpack them without a bound."""
    with pytest.raises(BundleError, match="expected it stored or deflated"):
        read_bundle(changed(method=method))


@settings(max_examples=150)
@given(data=st.data())
def test_whatever_is_done_to_its_bytes_it_is_a_bundle_or_one_sentence(made, data):
    """Cut off, or with bytes changed at random."""
    content = bytearray(made.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))
    path = made.with_name("damaged.zip")
    path.write_bytes(content[:end])
    complaint = ""
    try:
        assert isinstance(looked_through(path), Bundle)
    except BundleError as error:
        complaint = str(error)
    assert complaint.isprintable()


def test_what_is_no_zip_is_no_bundle(tmp_path):
    """A scenario, a folder, nothing; a zip of something else is one, and refused."""
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(SMALL), encoding="utf-8")
    assert not is_bundle(path)
    assert not is_bundle(tmp_path)
    assert not is_bundle(tmp_path / "none.zip")
    with pytest.raises(BundleError, match=r"none\.zip: no such file"):
        read_bundle(tmp_path / "none.zip")
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("hello.txt", "hello")
    assert is_bundle(other)
    with pytest.raises(BundleError, match=r"expected a bundle of MeshGUI with one versions\.json, got none"):
        read_bundle(other)
