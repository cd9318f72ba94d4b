"""The record of the live plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.widgets.deferred import Deferred

if TYPE_CHECKING:
    from meshgui.views.charts.plots import PlotsView


def _plots(host: HostWindow) -> Deferred[PlotsView]:
    def make() -> PlotsView:
        from meshgui.views.charts.plots import PlotsView  # noqa: PLC0415 - pyqtgraph is not needed for the first paint

        return PlotsView(*host.context.views)

    return Deferred(make)


PLOTS: Final = PanelSpec(
    "plots",
    tr("Plots"),
    tr("Turnaround, utilisation and the cost of allocation over the run."),
    _plots,
    "bottom",
    Place(behind="timeline"),
    frozenset({Mode.LECTURE}),
    "chart-line",
    ("Ctrl+7",),
    tr(
        "charts curves measures statistics graphs "
        "turnaround utilisation operations allocation time latency blocking"
    ),
)
