"""The record of the panel of packets and channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.style.theme import LECTURE_ZOOM
from meshgui.views.widgets.deferred import Deferred

if TYPE_CHECKING:
    from meshgui.views.network.panel import NetworkView


def _network(host: HostWindow) -> Deferred[NetworkView]:
    def make() -> NetworkView:
        from meshgui.views.network.panel import NetworkView  # noqa: PLC0415 - most scenarios have no network

        view = NetworkView(*host.context.views)
        view.edit_asked.connect(lambda: host.panels.show("scenario"))
        view.set_zoom(LECTURE_ZOOM if host.panels.presenting else 1.0)
        return view

    def enlarge(percent: int | None) -> None:
        if panel.made is not None:
            panel.made.set_zoom(1.0 if percent is None else LECTURE_ZOOM)

    panel = Deferred(make)
    host.panels.text_enlarged.connect(enlarge)
    return panel


NETWORK: Final = PanelSpec(
    "network",
    tr("Network"),
    tr("The packets under way, what they wait for, and how much each channel is used."),
    _network,
    "end",
    Place(behind="inspector", hidden=True),
    frozenset({Mode.LECTURE}),
    "network",
    ("Ctrl+8",),
    tr("packets channels latency blocking"),
    needs_network=True,
)
