"""All that has to do with the scenarios that are open in a window, made together."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.shipped import pictured_moment
from meshgui.model.lessons.lesson_files import is_lesson
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.done_toast import DoneToast
from meshgui.views.document.driven_jobs import DrivenJobs
from meshgui.views.document.file_watch import FileWatch
from meshgui.views.document.files import Files
from meshgui.views.document.open_scenarios import OpenScenarios, OwnTab
from meshgui.views.document.run_control import RunControl
from meshgui.views.document.scenario_edits import ScenarioEdits
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.document.strategy_switch import StrategySwitch
from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.save_dialog import SaveDialog


class Documents(QObject):
    """Files, tabs, runs and edits of a window's scenarios, each of which acts on the others."""

    def __init__(self, host: HostWindow, recent: RecentFiles) -> None:
        super().__init__(host)
        self._host, context = host, host.context
        self.runs = RunControl(host)
        self.files = Files(context, recent, host)
        self.run = ScenarioRun(context, self.runs, host)
        self.scenarios = OpenScenarios(context, self.run, self.files, host)
        self.done = DoneToast(host, self.run)
        self.strategy = StrategySwitch(host, self.done)
        self.files.opened.connect(self.run.run_opened)
        self.files.saved.connect(self.run.run_edits)
        host.apply, host.done = self.run.apply, self.done.show
        host.save_dialog = SaveDialog(host, host.settings, lambda: context.document.path)

    def build(self, mesh: MeshView) -> None:
        """Make what needs the mesh, or the panel of the form."""
        host = self._host
        self.edits = ScenarioEdits(host, self.run)
        self.jobs = DrivenJobs(host, self.run, mesh, self.done)
        host.go_to_field, host.move_job, host.end_job = self.edits.go_to_field, self.jobs.move, self.jobs.end
        FileWatch(host, self.files)
        self.files.unsound.connect(lambda: self.edits.show_fault(tr("Nothing was saved")))
        self.run.unsound.connect(lambda: self.edits.show_fault(tr("Nothing was run")))
        self.files.created.connect(lambda: host.go_to_field(("title",)))
        self.scenarios.keep(lambda: mesh.viewpoint, mesh.restore)

    def own_tab(self) -> OwnTab:
        """A tab for scenarios that are not the user's."""
        return OwnTab(self.scenarios, self.files)

    def dropped(self, data: QMimeData) -> tuple[list[Path], list[Path]]:
        """Of the local files of a drop those that may be scenarios, and the files and folders of lessons."""
        files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        scenarios = [file for file in files if file.suffix.lower() == ".json"]
        return scenarios, [file for file in files if is_lesson(file)]

    def open_example(self, path: Path) -> None:
        """Open one of the ready scenarios at the time of its run that its picture shows."""
        self.files.open(path, as_example=True, time=pictured_moment(path).get("time", 0.0))

    def open_worked_example(self, text: str) -> None:
        """Open the example of a page of help."""
        self.files.open_text(text, tr("the worked example"))

    def open_scenario(self, scenario: Scenario) -> None:
        """Open a scenario without a file, and bring the window to the front."""
        if self.files.open_scenario(scenario):
            self._host.raise_()
            self._host.activateWindow()
