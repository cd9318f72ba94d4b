"""Charts to draw, a theme, and a widget that shows them."""

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from meshgui.model.charts.charts import ChartData, ChartSeries
from meshgui.views.charts import plots
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.style.theme import ThemeManager
from tests.views.timeline.conftest import cursor, recording, selection, shown  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def few_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first four live plots and three of a network, whose room is tested, however many there are."""
    monkeypatch.setattr(plots, "PLOTS", plots.PLOTS[:4])
    monkeypatch.setattr(plots, "NETWORK_PLOTS", plots.NETWORK_PLOTS[:3])


def curves(count: int, points: int = 10, **more: object) -> ChartData:
    """A number of rising curves over the load, one above the other."""
    x = np.linspace(0.1, 1.0, points)
    series = [
        ChartSeries.of(
            f"s{i}", f"Strategy {i}", i, x, 5 + 3 * i + 4 * x**2, half=0.5 + x, runs=np.full(points, 10)
        )
        for i in range(count)
    ]
    return ChartData("Turnaround", "load", "turnaround, s", tuple(series), **more)


def bars(count: int, groups: tuple[str, ...] = ("uniform", "decreasing", "exponential"), **more) -> ChartData:
    """A number of bars in each group, with intervals."""
    x = np.arange(len(groups))
    series = [
        ChartSeries.of(f"s{i}", f"Strategy {i}", i, x, 10.0 + 7 * i + x, half=np.full(len(groups), 2.0))
        for i in range(count)
    ]
    return ChartData("Use", "sides", "percent", tuple(series), "bars", groups, **more)


@pytest.fixture(scope="session")
def make_curves() -> Callable[..., ChartData]:
    """Make a chart of curves."""
    return curves


@pytest.fixture(scope="session")
def make_bars() -> Callable[..., ChartData]:
    """Make a chart of bars."""
    return bars


@pytest.fixture
def view(qtbot: QtBot, themes: ThemeManager) -> ResultChart:
    """The widget, open, 900 by 600."""
    view = ResultChart(themes)
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view
