"""What `import meshgui` gives: runs, tables, moments, steps, sweeps and strategies of one's own."""

import csv
import io
import json
import re
import sys

import numpy as np
import pytest

import meshgui
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.runs.dictionary import FIGURES, NUMBERS
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.table_dictionary import TABLES
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.fields import FieldError
from meshgui.experiment.results_csv import columns_of
from meshgui.library.tables import MissingPackageError
from tests.networks import crowd, ring
from tests.processes import completed
from tests.scenarios import listed, save_scenario, scenario, scenario_of
from tests.third_party import own_programs

SCOPE = {"__name__": "cell"}
exec(own_programs()["own_last"], SCOPE)  # noqa: S102 - the manual's example, as a cell of a notebook
LastFit = SCOPE["LastFit"]

AT_LEAST = {"job", "arrival", "start", "finish", "waiting", "turnaround", "service"}
AT_LEAST |= {"w", "d", "h", "processors", "blocks", "held"}  # the contract


@pytest.fixture(scope="module")
def made():
    """A run."""
    return meshgui.run(scenario((8, 8), "gabl", jobs=50, load=2))


@pytest.fixture(scope="module")
def sending():
    """A run with a network."""
    return meshgui.Run(crowd())


@pytest.fixture(scope="module")
def failing():
    """A run in which processors fail."""
    data = scenario((8, 8), "gabl", jobs=50, load=2).model_dump(mode="json")
    machine = {"failures": {"between": 40.0, "repair": 1.0, "unit": [2, 2]}}
    return meshgui.run(data | {"machine": machine})


def test_the_import_takes_neither_qt_nor_numba_nor_numpy():
    """Names come at their first use; `dir` and `from meshgui import …` know them before."""
    program = (
        "import sys, meshgui; print(sorted({m.split('.')[0] for m in sys.modules}));"
        " print([n for n in meshgui.__all__ if n not in dir(meshgui)]);"
        " from meshgui import Scenario, load; print(Scenario.__name__, load.__name__)"
    )
    done = completed(sys.executable, "-c", program)
    modules, missing, names = done.stdout.splitlines()
    assert not {"PySide6", "pyqtgraph", "numba", "numpy", "pydantic"} & set(eval(modules))  # noqa: S307
    assert (missing, names) == ("[]", "Scenario load")
    program = "import sys, meshgui; meshgui.load; print('PySide6' in sys.modules, 'numba' in sys.modules)"
    assert completed(sys.executable, "-c", program).stdout.split() == ["False", "False"]


def test_every_name_is_there_documented_and_no_other_is():
    """A name that never was is an error, as in any module."""
    for name in meshgui.__all__:
        assert getattr(meshgui, name).__doc__, name
    assert meshgui.__all__ == sorted(meshgui.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = meshgui.Nothing


def test_a_scenario_is_run_as_it_is_from_a_file_or_from_plain_data(tmp_path):
    """With its seed, or another; a file that is not valid is one clear sentence."""
    of = scenario((4, 4), jobs=20, seed=3)
    path = tmp_path / "small.meshgui.json"
    save_scenario(of, path)
    one, other = meshgui.run(path), meshgui.run(of.model_dump(mode="json"), seed=4)
    assert (one.seed, other.seed) == (3, 4)
    assert one.figures["turnaround"] == meshgui.run(meshgui.load(path)).figures["turnaround"]
    assert one.figures["turnaround"] != other.figures["turnaround"]
    with pytest.raises(ScenarioError, match="no such file"):
        meshgui.run(tmp_path / "none.meshgui.json")


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1"])
def test_a_seed_is_refused_as_one_in_a_file_is(seed):
    """In one sentence, and not by NumPy; a number of NumPy's is one."""
    of = scenario((4, 4), jobs=20)
    with pytest.raises(ScenarioError, match=r"^seed: expected a whole number from 0 to \d+, got "):
        meshgui.run(of, seed=seed)
    assert meshgui.run(of, seed=np.int64(3)).figures["waiting"] == meshgui.run(of, seed=3).figures["waiting"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"jobs": 0}, "jobs: expected a whole number from 1 to 512, got 0"),
        (
            {"until": ["busy_list_mean.p95"]},
            "until: no figure is called busy_list_mean.p95: did you mean busy_list.p95?",
        ),
        ({"vary": {"workload.load": 3}}, "workload.load: expected a list of values, got 3"),
        ({"vary": {"allocator.name": "ff"}}, "allocator.name: expected a list of values, got ff"),
        ({"vary": {"workload.load": []}}, "workload.load: expected at least 1 value, got 0"),
    ],
)
def test_a_wrong_argument_of_a_sweep_is_one_sentence(words, said):
    """Before anything is run."""
    words = {"vary": {"workload.load": [1.0]}} | words
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(said)}"):
        meshgui.sweep(scenario((4, 4), jobs=5), **words)


def test_stated_times_are_not_dropped_without_a_word():
    """Where jobs end with their messages; as the command line says it."""
    of = scenario_of(
        (4, 4), [{"arrival": 0, "size": [2, 2], "service": 9.0}], network={"pattern": "one-to-all"}
    )
    said = "the times that the workload states only rank and plan"
    with pytest.warns(UserWarning, match=said):
        meshgui.run(of)
    with pytest.warns(UserWarning, match=said):
        meshgui.sweep(of, {"allocator.name": ["ff"]}, max_runs=1)


def test_the_names_agree_in_library_json_and_csv(made, sending, failing, here, tmp_path):
    """Figures and columns of jobs; the contract's keys and former headings are still written."""
    for run in (made, sending, failing):
        path, out = tmp_path / "of.meshgui.json", tmp_path / "jobs.csv"
        save_scenario(run.scenario, path)
        done = here("run", path, "--seed", run.seed, "--json", "--per-job", out)
        summary = json.loads(done.stdout)
        assert list(run.figures) == [name for name in NUMBERS if name in run.figures]
        assert set(summary["figures"]) == set(run.figures)
        for name, figure in NUMBERS.items():
            if name in run.figures and not figure.wall:
                assert summary["figures"][name] == run.figures[name], name
        for name in ("turnaround", "waiting", "service"):
            assert summary[name]["mean"] == run.figures[name]
        assert summary["overhead"]["operations_mean"] == run.figures["overhead_operations"]
        assert summary["busy_list_mean"] == run.figures["busy_list_mean"]
        rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
        assert set(run.jobs) >= AT_LEAST
        assert set(run.jobs) <= set(rows[0])
        for name in set(run.jobs) - {"seconds"}:
            of_file = [float(row[name] or "nan") for row in rows]
            assert np.array_equal(of_file, run.jobs[name].astype(float), equal_nan=True), name
        assert set(summary["by_size"][0]) == set(run.by_size)


def test_tables_have_the_columns_and_units_of_the_dictionary(sending):
    """They are mappings, cannot be written to, and are the same object each time."""
    for name, entry in TABLES.items():
        table = getattr(sending, name)
        of_failures = name == "failures"  # empty here, as those of packets are without a network
        columns = [one for one in entry.columns if not one.stated and (of_failures or not one.failures)]
        assert list(table) == [column.name for column in columns]
        assert dict(table.units) == {column.name: column.unit for column in columns}
        assert table is getattr(sending, name)
        assert len(table) == len(columns)
        assert table.rows == len(table[next(iter(table))])
    with pytest.raises(ValueError, match="read-only"):
        sending.jobs["turnaround"][0] = 1
    assert sending.figures.units["turnaround"] == "time"
    idle = meshgui.run(scenario((4, 4), jobs=5))
    assert idle.packets.rows == idle.channels.rows == 0
    for name in ("packets", "channels"):  # of the same kinds, so that files of several runs agree
        columns, others = getattr(idle, name), getattr(sending, name)
        assert {key: columns[key].dtype.kind for key in columns} == {
            key: others[key].dtype.kind for key in others
        }


def test_csv_of_a_table_reads_back_to_the_last_digit(made, tmp_path):
    """Nothing for a number that there is not; the file has what the text has, and its name is said."""
    path = tmp_path / "jobs.csv"
    text = made.jobs.to_csv(path)
    assert path.read_bytes() == text.encode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == list(made.jobs)
    assert [float(row["turnaround"]) for row in rows] == made.jobs["turnaround"].tolist()
    missing = path.parent / "none" / "jobs.csv"
    with pytest.raises(FileNotFoundError, match=re.escape(str(missing))):
        made.jobs.to_csv(missing)
    without = meshgui.run(listed((2, 1), [(0, (2, 1), 0)])).jobs.to_csv().splitlines()
    assert dict(zip(*(line.split(",") for line in without), strict=True))["slowdown"] == ""


def test_data_frames_and_parquet_have_the_same_names_and_numbers(made, sending, failing, tmp_path):
    """Of pandas, Polars and Arrow, with units; words are words."""
    pandas, polars, parquet = (
        pytest.importorskip(name, reason="the extra data is not installed")
        for name in ("pandas", "polars", "pyarrow.parquet")
    )
    plain = (made.jobs, made.events, made.figures, sending.packets, sending.channels, made.by_size)
    for table in (*plain, failing.jobs, failing.failures, failing.utilisation):
        path = tmp_path / "table.parquet"
        table.to_parquet(path)
        read = parquet.read_table(path)
        assert read.column_names == list(table)
        assert {field.name: field.metadata[b"unit"].decode() for field in read.schema} == dict(table.units)
        frame, other = table.to_pandas(), table.to_polars()
        assert isinstance(frame, pandas.DataFrame)
        assert isinstance(other, polars.DataFrame)
        assert list(frame) == other.columns == list(table)
        assert frame.attrs["units"] == dict(table.units)
        for name in table:
            column = np.atleast_1d(table[name]).tolist()
            for values in (read[name].to_pylist(), frame[name].tolist(), other[name].to_list()):
                if column and isinstance(column[0], str):
                    assert values == column
                else:
                    assert np.array_equal(np.array(values, float), np.array(column, float), equal_nan=True)


def test_a_parquet_file_that_cannot_be_written_leaves_the_old_one(made, tmp_path, monkeypatch):
    """Nothing half written: what was there stays."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra data is not installed")
    path = tmp_path / "jobs.parquet"
    made.jobs.to_parquet(path)
    before = path.read_bytes()

    def full(table, file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(OSError, match="No space"):
        made.jobs.to_parquet(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_package_that_is_missing_is_named_with_its_extra(made, monkeypatch):
    """One sentence that says what to install."""
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingPackageError, match=r'this needs polars: pip install "meshgui\[data\]"'):
        made.jobs.to_polars()


def test_a_moment_is_the_snapshot_of_the_recording(made):
    """All that happens at the time has happened; a time before 0 is refused."""
    recording = simulate(made.scenario)
    time = float(recording.times[20])
    moment, wanted = made.at(time), recording.snapshot(recording.position_at(time))
    assert (moment.time, moment.busy, moment.queue.tolist()) == (time, wanted.busy, wanted.queue.tolist())
    for bad in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="expected a time from 0"):
            made.at(bad)


def test_a_run_that_ends_in_a_deadlock_has_its_figures_and_says_so(made):
    """Those of the dictionary: what is unfinished is in the tables of jobs and events."""
    stuck = meshgui.run(ring())
    assert stuck.deadlock == (30, (0, 1, 2, 3))
    assert stuck.figures["jobs"] == 0
    assert set(stuck.figures) <= set(NUMBERS)
    assert made.deadlock is None


def test_steps_are_those_of_the_trace_command(made, here, tmp_path):
    """Of the last attempt, or of one by its number; a job or an attempt that is not there is refused."""
    path = tmp_path / "of.meshgui.json"
    save_scenario(made.scenario, path)
    attempts = json.loads(here("trace", path, "--job", 7, "--json").stdout)["attempts"]
    for number, attempt in enumerate(attempts):
        steps = made.steps(7, number)
        assert [(s.line, s.label, s.text, s.sentence) for s in steps] == [
            (s["line"], s["label"], s["text"], s["says"]) for s in attempt["steps"]
        ]
        assert [m[1] and list(m[1]) for s in steps for m in s.marks] == [
            m["box"] for s in attempt["steps"] for m in s["marks"]
        ]
    assert made.steps(7) == made.steps(7, len(attempts) - 1)
    with pytest.raises(ValueError, match="expected a job from 0 to 49, got 50"):
        made.steps(50)
    with pytest.raises(ValueError, match="expected one of them"):
        made.steps(7, len(attempts))


def test_a_run_shows_what_failures_cost_where_processors_may_fail(made, failing):
    """The hits and the time lost of finished jobs are those of all jobs, as all finish."""
    assert failing.jobs.rows == 50
    assert failing.jobs["killed"].sum() == failing.figures["killed"] > 0
    assert failing.jobs["lost_time"].sum() == pytest.approx(failing.figures["lost_time"])
    for name in ("availability", "lost_time"):
        assert FIGURES[name].title in failing._repr_html_()
        assert FIGURES[name].title not in made._repr_html_()
    after = failing.at(failing.failures["t"][0])
    assert sum(box.volume for box in after.down) > 0


def test_a_run_shows_itself_and_its_title_is_text():
    """Figures and curves; what a title has of HTML stays text."""
    of = scenario((4, 4), jobs=20).model_copy(update={"title": "<script>alert(1)</script>"})
    shown = meshgui.run(of)._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert shown.count("<svg") == 2
    assert FIGURES["turnaround"].title in shown
    assert "4×4" in repr(meshgui.run(of))
    empty = meshgui.run(listed((4, 2), [(0, (2, 4), 1)]))
    assert "<svg" not in empty._repr_html_()


VARY = {"allocator.name": ["ff", "tbl"], "workload.load": np.array([1.0, 2.0])}


@pytest.fixture(scope="module")
def swept():
    """A small sweep."""
    return meshgui.sweep(scenario((4, 4, 2), jobs=30), VARY, min_runs=3, max_runs=3)


def test_a_sweep_has_the_columns_of_its_csv(swept, here, tmp_path):
    """Every name and number, the median, p95 and maximum of figures among them."""
    path, out = tmp_path / "of.meshgui.json", tmp_path / "out.csv"
    save_scenario(scenario((4, 4, 2), jobs=30), path)
    words = ("--vary", "allocator.name=ff,tbl", "workload.load=1,2", "--min-runs", 3, "--max-runs", 3)
    done = here("sweep", path, *words, "--against", "allocator.name=ff", "--csv", out)
    assert done.returncode == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    table, differences = swept.table, swept.differences
    assert list(table) == list(rows[0])[: len(table)] == columns_of(swept._experiment, swept._results)
    assert set(differences) == {*list(rows[0])[len(table) :], *swept.keys}
    for name in table:
        values = [row[name] for row in rows]
        if name == "precise":
            assert [value == "yes" for value in values] == table[name].tolist()
        elif table[name].dtype.kind == "U":
            assert values == table[name].tolist()
        else:
            numbers = [float(value or "nan") for value in values]
            assert np.array_equal(numbers, table[name], equal_nan=True), name
    for figure in FIGURES.values():
        if figure.name in table:
            assert {figure.spread_name(part) for part in figure.spreads} <= set(table)
    assert differences["pairs"].tolist() == [3, 3]


def test_replications_are_the_runs_one_by_one(swept):
    """Each as a run of its point with its seed; their means are the table's."""
    rows = swept.replications
    assert rows.rows == 12
    one = scenario((4, 4, 2), "tbl", jobs=30, load=2.0)
    chosen = (rows["allocator.name"] == "tbl") & (rows["workload.load"] == 2) & (rows["seed"] == 2)
    assert rows["turnaround"][chosen].tolist() == [meshgui.run(one, seed=2).figures["turnaround"]]
    assert rows["turnaround.p95"][rows["point"] == 3].mean() == pytest.approx(
        swept.table["turnaround.p95"][3]
    )
    assert "turnaround" in swept._repr_html_()
    cut = meshgui.sweep(scenario((4, 4), jobs=200), {"workload.load": [2]}, batches=4)
    assert cut.replications["batch"].tolist() == [0, 1, 2, 3]


def test_until_takes_a_quantile_and_bad_words_are_refused():
    """What counts may be `turnaround.p95`; unknown fields, figures and baselines are one sentence."""
    of = scenario((4, 4), jobs=20)
    found = meshgui.sweep(of, {"workload.load": [1]}, until=["turnaround.p95"], min_runs=2, max_runs=2)
    assert "turnaround.p95" in found._repr_html_()
    with pytest.raises(ValueError, match="no figure is called speed"):
        meshgui.sweep(of, {"workload.load": [1]}, until=["speed"])
    with pytest.raises(FieldError, match="no field of a scenario"):
        meshgui.sweep(of, {"workload.lod": [1]})
    with pytest.raises(FieldError, match="expected one of its values"):
        meshgui.sweep(of, {"workload.load": [1]}, against={"workload.load": 3}, max_runs=2)
    with pytest.raises(ValueError, match="nothing to compare with"):
        _ = meshgui.sweep(of, {}, min_runs=2, max_runs=2).differences


@pytest.fixture
def registered():
    """What is registered is gone after the test."""
    known = strategies()
    yield
    for name in [*known.registered]:
        del known[name], known.registered[name]


def test_a_strategy_of_this_process_is_run_swept_and_replaced(registered):
    """Under its id, behind the same guard as those of packages; another strategy's id is refused."""
    assert meshgui.register(LastFit) is LastFit
    assert LastFit.id in meshgui.strategies()
    of = scenario((4, 4), LastFit.id, jobs=10, load=2)
    first = meshgui.run(of)
    assert first.figures["jobs"] == 10
    assert first.steps(0)
    vary = {"allocator.name": ["ff", LastFit.id]}
    assert meshgui.sweep(of, vary, min_runs=2, max_runs=2).table.rows == 2
    with pytest.raises(ValueError, match="expected jobs=1"):
        meshgui.sweep(of, vary, min_runs=2, max_runs=2, jobs=2)
    meshgui.register(LastFit)

    class Impostor(LastFit):
        """Another strategy under a name that is taken."""

        id = "ff"

    with pytest.raises(StrategyError, match="ff is the id of another strategy"):
        meshgui.register(Impostor)
    with pytest.raises(StrategyError, match="is not a Strategy"):
        meshgui.register(int)


def test_what_a_registered_strategy_ran_is_not_taken_for_results_of_its_next_version(registered, tmp_path):
    """A store that is kept runs it again after it was registered again."""
    meshgui.register(LastFit)
    of, db = scenario((4, 4), LastFit.id, jobs=10, load=2), tmp_path / "runs.db"
    arguments = {"vary": {"workload.load": [2]}, "min_runs": 2, "max_runs": 2, "store": db}
    keys = {meshgui.sweep(of, **arguments)._experiment.id for _ in range(2)}
    meshgui.register(LastFit)
    keys.add(meshgui.sweep(of, **arguments)._experiment.id)
    assert len(keys) == 2
