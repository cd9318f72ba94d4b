"""The commands that show panels, fold them, and put them back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.views.docks.panel_spec import PanelSpec
from meshgui.views.widgets.command import Command, Condition, commands_in

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks


def panel_commands(panels: PanelDocks, specs: Iterable[PanelSpec]) -> list[Command]:
    """Showing each panel, folding all, and the first layout: where no page has the window for itself."""
    beside_mesh = Condition(lambda: not panels.covered, (panels.covering_changed,))
    each = (
        Command(
            f"panel.{spec.name}",
            tr("{panel} panel").format(panel=spec.title),
            tr("Show or hide the {panel} panel; its key goes into it, and from there hides it").format(
                panel=within(spec.title)
            ),
            partial(panels.toggle, spec.name),
            spec.keys,
            spec.icon,
            mark=partial(panels.is_shown, spec.name),
            enabled_when=beside_mesh,
            synonyms=spec.synonyms,
            by_key=partial(panels.use, spec.name),
        )
        for spec in specs
        if spec.icon
    )
    return commands_in(
        tr("Panels"),
        *each,
        None,
        Command(
            "panel.next",
            tr("Next panel"),
            tr("Take the keys to the next panel, or to the mesh"),
            partial(panels.step_keys, 1),
            ("F6",),
            "panel-right",
            enabled_when=beside_mesh,
            synonyms=tr("focus cycle go round keyboard"),
        ),
        Command(
            "panel.previous",
            tr("Previous panel"),
            tr("Take the keys to the previous panel, or to the mesh"),
            partial(panels.step_keys, -1),
            ("Shift+F6",),
            "panel-left",
            enabled_when=beside_mesh,
        ),
        None,
        Command(
            "panel.fold",
            tr("Only the mesh"),
            tr("Fold every panel away, or bring all back where they were"),
            panels.toggle_fold,
            ("M",),
            "maximize",
            mark=lambda: panels.folded,
            enabled_when=beside_mesh,
            synonyms=tr("hide show all panels maximize zen"),
        ),
        Command(
            "panel.reset",
            tr("Reset the panels"),
            tr("Put every panel back in its default place"),
            panels.reset,
            ("Shift+M",),
            "undo-2",
            enabled_when=beside_mesh,
            synonyms=tr("layout default docks restore arrange"),
        ),
    )
