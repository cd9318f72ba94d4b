"""The figures of a run against naive integration over time."""

import numpy as np
import pytest
from hypothesis import given

from meshgui.engine.basics.work import Work
from meshgui.engine.runs.measures import job_figures, summary
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.experiment.figures import FIGURES, figures_of, schedule_of
from tests.networks import crowd
from tests.scale import cases
from tests.scenarios import crowded, listed, scenario
from tests.twins.runs import NaiveRun, measures

MEANS = ("turnaround", "waiting", "service")


@cases(400)
@given(of=crowded())
def test_every_figure_is_what_a_walk_through_time_gives(of):
    """Means over jobs, and integrals over time of processors, boxes, queue and blocked head."""
    measured = summary(simulate(of))
    for name, value in measures(NaiveRun(of)).items():
        given_value = measured[name]["mean"] if name in MEANS else measured[name]
        assert given_value == pytest.approx(value, rel=1e-9, abs=1e-9), name


def test_a_run_worked_out_by_hand():
    """Two jobs on two processors, one after the other; the second waits three units for the first."""
    measured = summary(simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)])))
    assert measured["turnaround"]["mean"] == pytest.approx((4 + 4) / 2)
    assert measured["waiting"]["mean"] == pytest.approx((0 + 3) / 2)
    assert measured["service"]["mean"] == pytest.approx((4 + 1) / 2)
    assert measured["finish_time"] == 5
    assert measured["utilization"] == pytest.approx((2 * 4 + 1 * 1) / (2 * 5))
    assert measured["queue_length_mean"] == pytest.approx(3 / 5)
    assert measured["busy_list_mean"] == pytest.approx(1)
    assert measured["external_fragmentation"] == 0
    assert (measured["blocks_per_job"], measured["contiguous_ratio"]) == (1, 1)
    assert measured["internal_fragmentation"] == 0
    assert measured["attempts_per_job"] == pytest.approx(3 / 2)


def test_what_is_held_beyond_the_request_is_a_share_of_what_is_held():
    """Paging in 2×2 pages holds more than is asked for; 001 §3.4.1 weighs by what is held."""
    of = listed((8, 4), [(0, (3, 3), 1), (0, (1, 1), 1)], "paging", options={"size_index": 1})
    recording = simulate(of)
    assert job_figures(recording).internal_fragmentation.tolist() == [3 / 12, 3 / 4]
    measured = summary(recording)
    assert measured["internal_fragmentation"] == 6 / 16
    assert (measured["utilization"], measured["utilization_requested"]) == (16 / 32, 10 / 32)
    page = (2, 2)
    jobs = [(0, page, 9), (0, page, 1), (0, page, 9), (0, page, 1), (2, (3, 2), 1)]
    figures = job_figures(simulate(listed((8, 2), jobs, "paging", options={"size_index": 1})))
    assert figures.asked.tolist() == [4, 4, 4, 4, 6]
    assert figures.dispersal.tolist() == [0, 0, 0, 0, 4 / 12]
    assert figures.weighted_dispersal[-1] == pytest.approx(8 * 4 / 12)


def test_processors_that_are_idle_beside_a_waiting_head_are_external_fragmentation():
    """Their share of the machine over time, where enough are free but not side by side; of job 0, too."""
    of = listed((3, 1), [(0, (1, 1), 2), (0, (1, 1), 4), (0, (1, 1), 2), (1, (2, 1), 1)])
    # From 2 to 4 the middle processor alone is held, and two processors are asked for side by side.
    assert summary(simulate(of))["external_fragmentation"] == pytest.approx(2 / 3 * 2 / 5)
    jobs = [(0, (2, 1), 1), (0, (1, 1), 2), (0, (1, 1), 4), (0, (1, 1), 2)]
    measured = summary(simulate(listed((3, 1), jobs, scheduler={"name": "sjf"})))
    assert measured["external_fragmentation"] == pytest.approx(2 / 3 * 2 / 5)


def test_a_distribution_has_its_ends_and_its_middle():
    """Five jobs side by side, of 1, 2, 3, 4 and 10 units; of a single one nothing scatters."""
    measured = summary(simulate(listed((5, 1), [(0, (1, 1), n) for n in (3, 1, 10, 2, 4)])))["turnaround"]
    assert measured == {
        "mean": 4,
        "sd": pytest.approx(12.5**0.5),
        "min": 1,
        "median": 3,
        "p95": pytest.approx(8.8),
        "max": 10,
    }
    pair = summary(simulate(listed((5, 1), [(0, (1, 1), 3), (0, (1, 1), 5)])))["turnaround"]
    assert pair["sd"] == pytest.approx(2**0.5)
    alone = summary(simulate(listed((5, 1), [(0, (1, 1), 3)])))["turnaround"]
    assert alone == {"mean": 3, "sd": 0, "min": 3, "median": 3, "p95": 3, "max": 3}


@pytest.mark.parametrize("jobs", [1, 2, 6, 41, 300])
def test_quantiles_are_numpys_to_the_last_bit(jobs):
    """However the jobs fall around the place that is asked for."""
    recording = simulate(scenario((4, 4), "ff", jobs=jobs, load=2))
    turnaround = job_figures(recording).turnaround
    found = summary(recording)["turnaround"]
    assert [found["median"], found["p95"]] == np.quantile(turnaround, (0.5, 0.95)).tolist()


def test_a_run_of_rejected_jobs_has_no_figures():
    """Nothing is divided by 0; every look of First Fit is accounted to the job it was for."""
    measured = summary(simulate(listed((4, 2), [(0, (2, 4), 1)])))
    assert (measured["jobs"], measured["rejected"]) == (0, 1)
    del measured["rejected"]
    for figure in measured.values():
        assert set(figure.values() if isinstance(figure, dict) else [figure]) == {0}
    recording = simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)]))
    scan_and_count, not_enough, give_back = 1 + 2, 1, 2
    assert job_figures(recording).operations.tolist() == [
        scan_and_count + give_back,
        not_enough + (1 + 1) + give_back,
    ]
    assert all(job_figures(recording).seconds > 0)


def test_a_run_in_progress_has_the_figures_of_its_finished_jobs():
    """Jobs that still wait or run count for nothing yet."""
    simulation, partial = Simulation(scenario((8, 8), jobs=400, load=3)), []

    def watch(*_):
        partial.append(simulation.recording())

    whole = job_figures(simulation.run(Work(watch)))
    for recording in partial:
        figures = job_figures(recording)
        assert 0 < len(figures.job) < 400
        same = [whole.job.tolist().index(job) for job in figures.job.tolist()]
        assert figures.turnaround.tolist() == whole.turnaround[same].tolist()
        assert summary(recording)["jobs"] == len(figures.job)


def test_attempts_for_parts_are_told_of_strategies_that_count_them():
    """000's b: 6×2 above a held row of 4×4 takes 5×2, 4×2, 2×2 and 1×2 twice; the first job takes none.

    A job that has not started has none, either.
    """
    jobs = [(0, (4, 1), 10), (1, (6, 2), 5)]
    recording = simulate(listed((4, 4), jobs, "gabl"))
    assert recording.part_attempts.tolist() == [0, 5]
    assert Simulation(listed((4, 4), jobs, "gabl")).recording().part_attempts.tolist() == [0, 0]
    assert summary(recording)["part_attempts_per_job"] == 2.5
    assert "part_attempts_per_job" not in summary(simulate(listed((4, 4), jobs, "mbs")))


def test_the_figures_of_a_network_are_those_that_a_run_without_one_lacks():
    """Wall times stand apart, as they differ; a schedule has start, finish and boxes by their sides."""
    plain, wall = figures_of(simulate(scenario((4, 4), jobs=20)))
    with_network, wall_too = figures_of(crowd())
    assert set(FIGURES).intersection(with_network.keys() - plain.keys()) == {
        name for name, figure in FIGURES.items() if figure.network
    }
    assert set(wall) == set(wall_too) == {name for name, figure in FIGURES.items() if figure.wall}
    assert "turnaround.p95" in plain
    schedule = schedule_of(simulate(listed((2, 1), [(0, (2, 1), 4), (1, (1, 1), 1)])))
    sides = dict(zip("xyzwdh", (0, 0, 0, 2, 1, 1), strict=True))
    first = {"job 0 start": 0, "job 0 finish": 4} | {f"job 0 box 0 {side}": n for side, n in sides.items()}
    second = {"job 1 start": 4, "job 1 finish": 5} | {
        f"job 1 box 0 {side}": n for side, n in (sides | {"w": 1}).items()
    }
    assert schedule == first | second
