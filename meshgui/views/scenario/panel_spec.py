"""The record of the form that edits the scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from meshgui.engine.allocation.registry import loading
from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import PanelSpec, Place
from meshgui.views.widgets.deferred import Deferred

if TYPE_CHECKING:
    from meshgui.views.scenario.form import ScenarioForm


class FormPanel(Deferred["ScenarioForm"]):
    """The form; the window answers while the strategies are loaded and the fields are made."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(self._finish, self._begin)
        self._host = host
        self._begun: ScenarioForm | None = None

    def _begin(self) -> Iterator[None]:
        yield from loading()
        from meshgui.views.scenario.form import ScenarioForm  # noqa: PLC0415 - loaded at first use

        yield
        context = self._host.context
        self._begun = ScenarioForm(context.themes, context.document, at_once=False)
        yield from self._begun.steps()

    def _finish(self) -> ScenarioForm:
        from meshgui.views.scenario.form import ScenarioForm  # noqa: PLC0415 - loaded at first use

        context = self._host.context
        form = self._begun or ScenarioForm(context.themes, context.document)
        form.finish()
        self._begun = None
        form.applied.connect(self._host.apply)
        form.reverted.connect(lambda: self._host.done(tr("The edits since the last run are undone.")))
        form.vary_asked.connect(self._host.vary)
        return form


SCENARIO: Final = PanelSpec(
    "scenario",
    tr("Scenario"),
    tr("Everything that the run depends on, to be edited."),
    FormPanel,
    "end",
    Place(behind="algorithm", hidden=True, alone=True),
    icon="sliders-horizontal",
    keys=("Ctrl+4", "Ctrl+E"),
    synonyms=tr("edit the scenario form change settings parameters fields workload strategy discipline mesh"),
)
