"""The record of the inspector."""

from __future__ import annotations

from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.inspector.panel import InspectorView

INSPECTOR: Final = PanelSpec(
    "inspector",
    tr("Inspector"),
    tr("What the strategy keeps: its lists, trees, maps and charts at this step."),
    lambda host: InspectorView(*host.context.views),
    "end",
    Place(width=340, height=380, with_network=(400, 480)),
    frozenset({Mode.LECTURE}),
    "table",
    ("Ctrl+5",),
    tr("structures tables tree busy list free lists"),
)
