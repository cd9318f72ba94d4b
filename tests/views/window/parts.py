"""The main window with short names for its parts, as tests speak of them."""

from PySide6.QtWidgets import QWidget

from meshgui.views.inspector.panel import InspectorView
from meshgui.views.panels.algorithm import AlgorithmView
from meshgui.views.panels.job import JobCard
from meshgui.views.panels.queue import QueuePanel
from meshgui.views.timeline.overview import RunOverview
from meshgui.views.timeline.panel import TimelineView
from meshgui.views.window.main_window import MainWindow


def _panel(kind: type[QWidget]) -> property:
    return property(lambda window: window.panels.view(kind))


def _deferred(name: str) -> property:
    return property(lambda window: window.panels.views[name])


def _part(path: str) -> property:
    owner, name = path.split(".")
    return property(lambda window: getattr(getattr(window, owner), name))


class WindowWithParts(MainWindow):
    """A main window to be tested."""

    queue = _panel(QueuePanel)
    job_card = _panel(JobCard)
    algorithm = _panel(AlgorithmView)
    inspector = _panel(InspectorView)
    timeline = _panel(TimelineView)
    overview = _panel(RunOverview)
    plots = _deferred("plots")
    network = _deferred("network")
    why = property(lambda window: window.job_card.why)
    stops = _deferred("stops")
    form = _deferred("scenario")
    runs = _part("documents.runs")
    scenario_run = _part("documents.run")
    edits = _part("documents.edits")
    strategy = _part("documents.strategy")
    jobs = _part("documents.jobs")
    transport = _part("bars.transport")
    sentence = _part("bars.sentence")
    progress = _part("bars.progress")
    title = _part("bars.title")
    toolbar = _part("bars.tools")
    welcome = _part("centre.welcome")
    tabs = _part("centre.tabs")
    palette_sheet = _part("commands.palette")
    shortcut_sheet = _part("commands.sheet")
    exporter = _part("exports.exporter")
    open_example = _part("documents.open_example")
    show_welcome = _part("scenarios.toggle_empty")
