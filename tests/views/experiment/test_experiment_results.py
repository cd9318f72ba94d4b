"""The results of an experiment while they come in, without a window and without a thread."""

from collections import Counter

import pytest

from meshgui.experiment.differences import Baseline
from meshgui.experiment.executors import InProcess
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.model.experiment_charts import Results
from meshgui.views.experiment.results import ExperimentResults
from meshgui.views.widgets.list_popup import ListButton
from tests.experiments import small_experiment


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


@pytest.fixture
def reports():
    """A grid of two fields with two, three and four runs of each point."""
    axes = ("allocator.name=ff,gabl", "workload.load=1,2")
    found = []
    with Store() as store:
        for runs in (2, 3, 4):
            experiment = small_experiment(*axes, least=runs, most=runs)
            Sweep(experiment, store, InProcess()).run()
            found.append(Results(experiment, results_of(experiment, store)))
    return found


def test_a_finished_point_refills_no_chooser(qtbot, themes, refills, reports):
    """All are filled with the first results; no later report touches any of them."""
    results = ExperimentResults(themes)
    qtbot.addWidget(results)
    for report in reports:
        results.show_results(report, {}, running=True)
        assert refills == {"Figure": 1, "Mean or difference": 1, "Across": 1, "allocator.name": 1}
    assert [point.runs for point in results.results.points] == [4] * 4


def test_another_axis_refills_only_the_slices(qtbot, themes, refills, reports):
    """The lines of the other choosers are what they were."""
    results = ExperimentResults(themes)
    qtbot.addWidget(results)
    results.show_results(reports[-1], {})
    refills.clear()
    results.across.choose(("allocator.name",))
    results.across.edited.emit()
    assert sum(refills.values()) == 1
    assert list(results.slices) == ["workload.load"]


def test_differences_to_a_strategy_stand_in_chart_and_table(qtbot, themes, reports):
    """One choice sets every point beside the one of that strategy, until the means are chosen again."""
    results = ExperimentResults(themes)
    qtbot.addWidget(results)
    results.show_results(reports[-1], {})
    assert [line.title for line in results.baseline._lines] == ["mean", "− ff", "− gabl"]
    results.baseline.choose((Baseline("allocator.name", 0),))
    results.baseline.edited.emit()
    differences = results.differences
    [series] = results.chart.chart.series
    found = [differences.of(point, "turnaround") for point in reports[-1].points[2:]]
    assert (series.label, series.y.tolist()) == ("gabl", [one.mean for one in found])
    assert "− ff" in [column.title for column in results.table.rows.columns]
    assert not results.log_y.isEnabled()
    results.baseline.choose((None,))
    results.baseline.edited.emit()
    assert results.differences is None
    assert len(results.chart.chart.series) == 2
    assert "− ff" not in [column.title for column in results.table.rows.columns]


def test_only_fields_that_are_no_numbers_give_differences(qtbot, themes):
    """Over loads alone there is nothing to choose; a choice is forgotten with its experiment."""
    results = ExperimentResults(themes)
    qtbot.addWidget(results)
    for axes, offered in ((("allocator.name=ff,gabl",), True), (("workload.load=1,2",), False)):
        experiment = small_experiment(*axes, least=2, most=2)
        with Store() as store:
            Sweep(experiment, store, InProcess()).run()
            results.show_results(Results(experiment, results_of(experiment, store)), {})
        assert results.baseline.isVisibleTo(results) == offered
        assert results.differences is None
        if offered:
            results.baseline.choose((Baseline("allocator.name", 1),))
            results.baseline.edited.emit()
            assert results.differences.label == "gabl"
