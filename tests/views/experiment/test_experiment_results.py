"""The results of an experiment while they come in, without a window and without a thread."""

from collections import Counter

import pytest

from meshgui.engine.scenario import load_scenario, scenario_from
from meshgui.experiment.differences import Baseline
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import FieldAxis
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.model.document.examples import example, example_groups
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.axis_values import axis_of, text_of
from meshgui.model.studies.experiment_charts import Results
from meshgui.model.studies.varied_fields import varied_fields
from meshgui.views.experiment.results import ExperimentResults
from meshgui.views.widgets.list_popup import ListButton
from tests.experiments import SMALL, small_experiment


@pytest.fixture
def refills(monkeypatch):
    """How often a list of choices is filled, by the name of its button."""
    counts = Counter()
    fill = ListButton._fill

    def counted(button, *given):
        counts[button.accessibleName()] += 1
        fill(button, *given)

    monkeypatch.setattr(ListButton, "_fill", counted)
    return counts


def results_at(runs, *axes):
    """Results of a grid after some runs of each point."""
    experiment = small_experiment(*axes, least=runs, most=runs)
    with Store() as store:
        Sweep(experiment, store, InProcess()).run()
        return Results(experiment, results_of(experiment, store))


@pytest.fixture
def reports():
    """A grid of two fields with two, three and four runs of each point."""
    return [results_at(runs, "allocator.name=ff,gabl", "workload.load=1,2") for runs in (2, 3, 4)]


@pytest.fixture
def results(qtbot, themes):
    """The part of the window that shows results."""
    made = ExperimentResults(themes)
    qtbot.addWidget(made)
    return made


def choose(button, value):
    """Choose a line of a list, as a click on it does."""
    button.choose((value,))
    button.edited.emit()


def test_a_finished_point_refills_no_chooser(results, refills, reports):
    """All are filled with the first results; no later report touches any of them, another axis the slices."""
    for report in reports:
        results.show_results(report, {}, running=True)
        assert refills == {"Figure": 1, "Mean or difference": 1, "Across": 1, "allocator.name": 1}
    assert [point.runs for point in results.results.points] == [4] * 4
    refills.clear()
    choose(results.across, "allocator.name")
    assert sum(refills.values()) == 1
    assert list(results.slices) == ["workload.load"]


def test_differences_to_a_strategy_stand_in_chart_and_table(results, reports):
    """One choice sets every point beside the one of that strategy, until the means are chosen again."""
    results.show_results(reports[-1], {})
    ff, gabl = (Baseline("allocator.name", place) for place in range(2))
    results.baseline.choose((None, ff, gabl))
    names = (strategy_name("ff"), strategy_name("gabl"))
    assert results.baseline.toolTip() == f"mean, − {names[0]}, − {names[1]}"
    choose(results.baseline, ff)
    differences = results.differences
    [series] = results.chart.chart.series
    found = [differences.of(point, "turnaround") for point in reports[-1].points[2:]]
    assert (series.label, series.y.tolist()) == ("gabl", [one.mean for one in found])
    assert "− ff" in [column.title for column in results.table.rows.columns]
    assert not results.log_y.isEnabled()
    choose(results.baseline, None)
    assert results.differences is None
    assert len(results.chart.chart.series) == 2
    assert "− ff" not in [column.title for column in results.table.rows.columns]
    # Over loads alone there is nothing to choose; a choice is forgotten with its experiment
    results.show_results(results_at(2, "allocator.name=ff,gabl"), {})
    assert results.baseline.isVisibleTo(results)
    choose(results.baseline, Baseline("allocator.name", 1))
    assert results.differences.label == "gabl"
    results.show_results(results_at(2, "workload.load=1,2"), {})
    assert not results.baseline.isVisibleTo(results)
    assert results.differences is None


EXAMPLES = [path for paths in example_groups().values() for path in paths]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_every_field_offered_can_be_varied_over_what_it_holds(path):
    """As it stands: an axis of the one value is an experiment. No two fields have one name."""
    scenario = load_scenario(path)
    fields = varied_fields(scenario)
    for field in fields:
        if field.kind == "choice":
            axis = FieldAxis(key=field.key, values=(field.now,))
        elif field.now is None:
            continue  # not stated: it has a value only once one is typed
        else:
            axis = axis_of(field.key, text_of((field.now,)))
        experiment_of(scenario, (axis,), Target())
    assert len({(field.group, field.label) for field in fields}) == len(fields)
    groups = [field.group for field in fields]
    assert groups == sorted(groups, key=groups.index)


NEED_MORE = {"network.switching", "network.compute", "scheduler.name"}


def test_every_choice_makes_a_scenario_or_says_why_not():
    """Strategies that do not fit the mesh, and kinds that need more than their name, are refused."""
    scenario = load_scenario(example("gabl-contention-16x16"))
    for field in varied_fields(scenario):
        for choice in field.choices:
            if not choice.refusal and field.key not in NEED_MORE:
                experiment_of(scenario, (FieldAxis(key=field.key, values=(choice.value,)),), Target())
    # Sides by intervals have no default; tree strategies do not fit an odd mesh
    fields = {f.key: f for f in varied_fields(scenario_from(SMALL | {"mesh": {"shape": [5, 7]}}))}
    sides = {choice.value: choice.refusal for choice in fields["workload.sides.kind"].choices}
    assert sides["exponential"] == ""
    assert "intervals" in sides["intervals"]
    strategies = {choice.value: choice.refusal for choice in fields["allocator.name"].choices}
    assert strategies["ff"] == ""
    assert strategies["2dbs"]
    # A service that is not stated is varied as a whole: there is nothing in it whose kind could be set
    field = next(f for f in varied_fields(scenario_from(SMALL)) if f.key.startswith("workload.service"))
    assert field.key == "workload.service"
    assert {"kind": "constant"} in [choice.value for choice in field.choices]


def test_the_column_of_strategies_has_room_for_the_widest_name_not_only_for_the_longest(results):
    """`2D Buddy System 2dbs` has fewer letters than `Turning Busy List tbl`, but wider ones."""
    names = "2dbs", "bf", "ff", "tbl"
    results.show_results(results_at(2, f"allocator.name={','.join(names)}"), {})
    table = results.table
    table.fit()
    assert [table.shown(row, 0) for row in range(len(names))] == [strategy_name(name) for name in names]
