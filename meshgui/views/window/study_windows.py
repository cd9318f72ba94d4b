"""The windows of experiments and published results, and the page of a comparison, created at first use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.question import Question

if TYPE_CHECKING:
    from meshgui.experiment.grid import Experiment
    from meshgui.views.batch.study_window import StudyWindow
    from meshgui.views.compare.page import ComparisonPage
    from meshgui.views.experiment.window import ExperimentWindow
    from meshgui.views.gallery.window import GalleryWindow


class StudyWindows(QObject):
    """Opens the windows, gives them scenarios and runs the ones they send back."""

    scenario_asked = Signal(object)  # a Scenario to run in the main window
    comparison_asked = Signal(object)  # the ComparisonPage to show
    unsound = Signal(str)  # the edits of the scenario are wrong: what was not opened

    def __init__(
        self, context: Context, settings: QSettings, shared: Sequence[Command], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shared = shared  # commands that each window has, too
        self._presenting = False
        self._context, self._document = context, context.document
        self._cursor, self._selection, self._themes = context.views
        self._icons, self._settings = context.icons, settings

    def commands(self) -> list[Command]:
        """The commands that open them; those that show the figures of runs are found by them."""
        figures = " ".join(figure.title for figure in FIGURES.values())
        return commands_in(
            tr("Run"),
            Command(
                "run.experiment",
                tr("Experiment…"),
                tr("Vary fields of the scenario, and run every combination until its figures are precise"),
                self.open_experiment,
                ("Ctrl+Shift+E",),
                "flask-conical",
                enabled_when=self._context.has_scenario,
                synonyms=" ".join((tr("sweep vary load compare curves confidence study batch"), figures)),
            ),
            Command(
                "run.compare",
                tr("Compare runs…"),
                tr("See strategies, disciplines, networks or seeds side by side, with one clock"),
                self.open_comparison,
                ("Ctrl+Shift+M",),
                "columns-2",
                enabled_when=self._context.has_scenario,
                synonyms=" ".join(
                    (tr("difference versus side by side strategies schedulers networks seeds"), figures)
                ),
            ),
            Command(
                "run.gallery",
                tr("Published results…"),
                tr("Compare the numbers of papers with those of runs here, and open their scenarios"),
                self.open_gallery,
                ("Ctrl+Shift+G",),
                "list",
                synonyms=tr("papers literature figures reproduce catalogue validation"),
            ),
        )

    @cached_property
    def experiment(self) -> ExperimentWindow:
        """The experiment window."""
        from meshgui.catalogue.published_values import published_values  # noqa: PLC0415 - not needed for the first paint
        from meshgui.views.experiment.window import ExperimentWindow  # noqa: PLC0415 - likewise

        window = ExperimentWindow(self._themes, self._icons, self._settings, published_of=published_values)
        window.scenario_asked.connect(self._pass_scenario)
        window.run_asked.connect(self.scenario_asked)
        window.offer(self._shared_and("run.gallery"))
        return window

    @cached_property
    def comparison(self) -> ComparisonPage:
        """The page of runs side by side."""
        from meshgui.views.compare.page import ComparisonPage  # noqa: PLC0415 - not needed for the first paint

        return ComparisonPage(self._themes, self._icons, self._settings, self._context.messages.notice)

    @cached_property
    def gallery(self) -> GalleryWindow:
        """The gallery of published results."""
        from meshgui.views.gallery.window import GalleryWindow  # noqa: PLC0415 - not needed for the first paint

        window = GalleryWindow(self._themes, self._icons, self._settings)
        window.scenario_asked.connect(self.scenario_asked)
        window.offer(self._shared_and("run.experiment"))
        return window

    def _shared_and(self, other: str) -> list[Command]:
        """The commands that each window has, and the one that opens another."""
        return [*self._shared, *(command for command in self.commands() if command.id == other)]

    def open_experiment(self) -> None:
        """Show the experiment window, for the open scenario with its edits unless it is busy with another."""
        scenario = self._document.edited
        if self._document.fault is not None:
            self.unsound.emit(tr("No experiment was opened"))
        if scenario is None:
            return
        window = self.experiment
        if window.scenario is None or not window.in_use:
            window.show_scenario(scenario)
        else:
            window.offer_scenario(scenario)
        self._to_front(window)

    def show_experiment(self, experiment: Experiment) -> None:
        """Show the experiment window with an experiment filled in."""
        self.experiment.show_experiment(experiment)
        self._to_front(self.experiment)

    def open_comparison(self) -> None:
        """Compare runs of the open scenario with its edits, from the present moment on."""
        scenario = self._document.edited
        if self._document.fault is not None:
            self.unsound.emit(tr("No comparison was opened"))
        if scenario is not None:
            self.comparison.show_scenario(scenario, self._cursor.time, self._selection.job)
            self.comparison_asked.emit(self.comparison)

    def open_gallery(self) -> None:
        """Show the gallery of published results."""
        self._to_front(self.gallery)

    def vary(self, key: str) -> None:
        """Show the experiment window with a field of the scenario added to what is varied."""
        self.open_experiment()
        if self._document.edited is not None:
            self.experiment.vary(key)

    def offer_scenario(self) -> None:
        """Pass another open scenario to the experiment window."""
        if "experiment" in self.__dict__:
            self.experiment.offer_scenario(self._document.scenario)

    def ask_nothing(self) -> None:
        """Take back their own questions: the main window asks for all."""
        for window in self._created:
            window.closing.refuse()

    def close(self) -> None:
        """Close all, without a question."""
        for window in self._created:
            if window.isVisible():
                window.closing.close()
            window.end()
        if "comparison" in self.__dict__:
            self.comparison.end()

    def questions(self) -> Iterator[Question]:
        """What would be lost in any of them."""
        for window in self._created:
            if window.isVisible():
                yield from window.questions()

    def writing(self) -> str:
        """What is being written by itself in any of them."""
        return next(filter(None, (window.writing() for window in self._created)), "")

    @property
    def _created(self) -> list[ExperimentWindow | GalleryWindow]:
        names = ("experiment", "gallery")
        return [getattr(self, name) for name in names if name in self.__dict__]

    def _pass_scenario(self) -> None:
        if (scenario := self._document.edited or self._document.scenario) is not None:
            self.experiment.show_scenario(scenario)

    def present(self, percent: int | None) -> None:
        """Open windows as the lecture is shown from now on; with None have all as at the desk again."""
        self._presenting = percent is not None
        if not self._presenting:
            for window in self._created:
                window.present(on=False)

    def _to_front(self, window: StudyWindow) -> None:
        """Show a window, in a lecture over all of it: words of that would stand out beside it."""
        if self._presenting:
            window.present(on=True)
        window.show()
        window.raise_()
        window.activateWindow()
