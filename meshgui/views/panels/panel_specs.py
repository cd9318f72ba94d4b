"""The records of the panels about jobs, the algorithm, and where a run stops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from meshgui.engine.basics.translation import tr
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import CursorChange
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.panels.algorithm import AlgorithmView
from meshgui.views.panels.job import JobCard
from meshgui.views.panels.queue import QueuePanel
from meshgui.views.style.theme import LECTURE_ZOOM
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.row_scroll import RowScroll

if TYPE_CHECKING:
    from meshgui.views.panels.stops import StopsPanel
    from meshgui.views.panels.why_sheet import WhySheet


def _queue(host: HostWindow) -> QueuePanel:
    panel = QueuePanel(*host.context.views)
    panel.move_asked.connect(host.move_job)
    return panel


def _job(host: HostWindow) -> RowScroll:
    card = JobCard(*host.context.views)
    card.end_asked.connect(host.end_job)
    return RowScroll(card)


def _algorithm(host: HostWindow) -> AlgorithmView:
    """The algorithm; it is brought to the front when its lines begin to be stepped through."""
    cursor = host.context.cursor
    view = AlgorithmView(*host.context.views, host.context.breakpoints)
    view.about_asked.connect(lambda: host.trigger("run.about"))
    host.panels.text_enlarged.connect(
        lambda percent: view.code.set_zoom(1.0 if percent is None else LECTURE_ZOOM)
    )
    stepped_in: list[Position | None] = [None]  # the first step of where the cursor was inside

    def follow(_change: CursorChange) -> None:
        position = cursor.position
        where = position._replace(step=0) if position.inside else None
        if where is not None and where != stepped_in[0]:
            host.panels.bring_forward("algorithm")
        stepped_in[0] = where

    cursor.changed.connect(follow)
    return view


def _why_sheet(host: HostWindow) -> WhySheet:
    from meshgui.views.panels.why_sheet import WhySheet  # noqa: PLC0415 - while presenting

    return WhySheet(host)


def _stops(host: HostWindow) -> Deferred[StopsPanel]:
    context = host.context

    def make() -> StopsPanel:
        from meshgui.views.panels.stops import StopsPanel  # noqa: PLC0415 - hidden at first

        panel = StopsPanel(context.cursor, context.breakpoints, context.bookmarks, context.themes)
        panel.removed.connect(lambda said, back: host.done(said, put_back=back))
        panel.go_on_asked.connect(lambda: host.trigger("stop.continue"))
        return panel

    panel = Deferred(make)
    context.breakpoints.changed.connect(lambda: panel.view)  # it chooses the one that stops a run
    return panel


QUEUE: Final = PanelSpec(
    "queue",
    tr("Queue"),
    tr("The jobs that wait, the next one first, and those that run."),
    _queue,
    "start",
    Place(width=280, height=320, least=140),  # a row of each list: in a lower one all of it scrolls
    frozenset({Mode.LESSON}),
    "list-ordered",
    ("Ctrl+1",),
    tr("waiting jobs running list"),
)
JOB: Final = PanelSpec(
    "job",
    tr("Job"),
    tr("What is known of the selected job at this moment, and why it waits."),
    _job,
    "start",
    Place(height=400, least=300),  # with the facts and buttons of a job that runs
    frozenset({Mode.LESSON}),
    "info",
    ("Ctrl+2", "Ctrl+9"),
    tr("facts details turnaround waiting blocked delay reason explanation why"),
    sheet=_why_sheet,
)
ALGORITHM: Final = PanelSpec(
    "algorithm",
    tr("Algorithm"),
    tr("The pseudo-code of the current allocation or release, and the current line."),
    _algorithm,
    "end",
    Place(width=340, height=420, with_network=(400, 320), least=336),  # seven lines of code
    frozenset({Mode.LECTURE}),
    "code",
    ("Ctrl+3",),
    tr("pseudo-code pseudocode program lines strategy steps"),
)
STOPS: Final = PanelSpec(
    "stops",
    tr("Breakpoints"),
    tr("Where the run stops by itself."),
    _stops,
    "end",
    Place(behind="algorithm", hidden=True),
)
