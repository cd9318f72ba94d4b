"""The plots of a run: what is drawn in a part of time, and the chart that pictures show of it."""

from dataclasses import replace

import numpy as np
import pytest

from meshgui.engine.runs.measures import JobFigures
from meshgui.model.timeline.plot_data import PlotData
from meshgui.model.timeline.plot_kinds import NETWORK_PLOTS, PLOTS, CurveKind
from meshgui.model.timeline.run_plots import run_plot
from tests.networks import busy
from tests.runs import run_of

SECONDS = 3  # the place of the plot of wall times


def plots():
    """Every plot of a run with a network."""
    data = PlotData(busy())
    return [run_plot(kind, data) for kind in (*PLOTS, *NETWORK_PLOTS)]


@pytest.mark.parametrize("plot", plots(), ids=lambda plot: plot.kind.title)
def test_a_part_of_time_has_points_of_that_part_and_its_chart_shows_them(plot):
    """The chart has what is drawn and the mean, and no ring without a job."""
    end = plot.data.end
    for low, high in ((0.0, end), (0.25 * end, 0.5 * end), (2 * end, 3 * end)):
        points = plot.points(low, high)
        if high <= end:
            assert len(points.x)
            assert low <= points.x.min() <= points.x.max() <= high
            assert points.y.max() <= plot.highest
        chart = plot.chart(low, high, None, None, "t")
        figures, mean, *above = chart.series
        assert (figures.label, figures.shape, mean.key) == (
            plot.kind.thing, "area" if isinstance(plot.kind, CurveKind) else "dots", "mean",
        )  # fmt: skip
        assert bool(above) == bool(plot.outliers)
        assert figures.x.tolist() == points.x.tolist()
        assert mean.y.tolist() == points.mean_y.tolist()


def test_the_chart_of_a_selected_job_rings_its_dot():
    """A plot of a quantity over time has no dot to ring."""
    recording = run_of()
    figures, data = JobFigures(recording), PlotData(recording)
    turnaround, in_use = (run_plot(kind, data) for kind in PLOTS[:2])
    ring = turnaround.chart(0.0, data.end, int(figures.job[7]), None, "").series[-1]
    assert (ring.current, ring.x.tolist(), ring.y.tolist()) == (
        True, [figures.finish[7]], [figures.turnaround[7]],
    )  # fmt: skip
    assert [one.key for one in in_use.chart(0.0, data.end, 7, None, "").series] == ["use", "mean"]


def test_dots_far_above_the_usual_lie_at_the_upper_edge():
    """The words count them and name the highest."""
    seconds = np.full(1000, 20e-6)
    seconds[[3, 500]] = 1.0, 0.5
    plot = run_plot(PLOTS[SECONDS], PlotData(replace(run_of(), seconds=seconds)))
    assert plot.highest == pytest.approx(40)
    assert plot.outliers == "2 above, up to 1\u202f000\u202f000 µs (job 3)"
    above = plot.chart(0.0, plot.data.end, None, None, "").series[-1]
    assert (above.label, len(above), set(above.y.tolist())) == (plot.outliers, 2, {plot.highest})


def test_the_axis_of_time_counts_cycles_where_there_is_a_network():
    """As that of the timeline and of compared runs does."""
    for recording, axis in ((run_of(), "time"), (busy(), "cycle")):
        data = PlotData(recording)
        assert {run_plot(kind, data).chart(0.0, data.end, None, None, "").x_label for kind in PLOTS} == {axis}
