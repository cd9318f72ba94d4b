"""The record of the panel of packets and channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.widgets.deferred import Deferred

if TYPE_CHECKING:
    from meshgui.views.network.panel import NetworkView


def _network(host: HostWindow) -> Deferred[NetworkView]:
    def make() -> NetworkView:
        from meshgui.views.network.panel import NetworkView  # noqa: PLC0415 - most scenarios have no network

        view = NetworkView(*host.context.views)
        view.edit_asked.connect(lambda: host.panels.show("scenario"))
        return view

    return Deferred(make)


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
