"""Published results as tables of numbers in full, and as scenarios to be opened."""

import pytest

from meshgui.catalogue.entries import ResultPoint, catalogue
from meshgui.catalogue.judging import judge
from meshgui.catalogue.sources import PAPERS
from meshgui.experiment.figures import FIGURES
from meshgui.experiment.run_spec import run_spec_of
from meshgui.model.published_scenarios import points_of, scenario_to_see
from meshgui.model.published_tables import COLUMNS, table_of

CATALOGUE = catalogue()


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_every_number_is_a_row(entry):
    """With as many cells as there are titles; published values are there before anything is run."""
    judged = judge(entry, {})
    rows = list(table_of(entry, judged, "t").rows)
    assert len(rows) == len(judged)
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert {row[COLUMNS.index("verdict")] for row in rows} == {"not run"}
    assert all(row[COLUMNS.index("published in words")] for row in rows)


def test_numbers_are_in_full_and_an_order_has_a_row_for_each_strategy():
    """As they were computed, with their ratio; an order is under one verdict."""
    entry = CATALOGUE["000-T3.2"]
    runs = {p: [dict.fromkeys(FIGURES, 90.0 + n) for n in range(3)] for p in entry.points}
    judged = judge(entry, runs)
    row = dict(zip(COLUMNS, next(iter(table_of(entry, judged, "t").rows)), strict=True))
    assert (row["published"], row["measured"], row["runs"]) == (96.580111, 91.0, 3)
    assert row["half width"] == judged[0].measured.half_width
    assert row["ratio"] == 91.0 / 96.580111
    entry = CATALOGUE["003"]
    judged = judge(entry, {p: [dict.fromkeys(FIGURES, 1.0 + n) for n in range(2)] for p in entry.points})
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in table_of(entry, judged[:1], "t").rows]
    assert [row["strategy"] for row in rows] == list(entry.settings["003"].strategies)
    assert len({row["verdict"] for row in rows}) == 1


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_what_is_opened_is_what_is_run(entry):
    """Every point opens as its first run was: the same work, with seed 1, under a title of its own."""
    points = [point for setting in entry.settings.values() for point in points_of(entry, setting)]
    scenarios = [scenario_to_see(entry, point) for point in points]
    assert {scenario.seed for scenario in scenarios} == {1}
    for scenario, point in zip(scenarios, points, strict=True):
        assert scenario.title.startswith(PAPERS[entry.source.split(" ")[0]].short)
        assert run_spec_of(scenario).key == run_spec_of(entry.scenario(point)).key
    assert len({scenario.title for scenario in scenarios}) == len(points)


def test_the_first_point_is_that_of_the_first_number():
    """It is what the button opens."""
    entry = CATALOGUE["000-C3"]
    assert points_of(entry, entry.settings["uniform"])[0] == ResultPoint("uniform", "bl", 3.4)
