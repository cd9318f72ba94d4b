"""Reads the store of an experiment in a thread of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import experiment_from
from meshgui.experiment.results import results_of
from meshgui.experiment.store import ExperimentRecord, Store, StoreError
from meshgui.model.studies.experiment_session import StoredExperiment
from meshgui.views.experiment.worker import with_estimates
from meshgui.views.style.direction import among_words
from meshgui.views.widgets.work_thread import WorkThread


class StoreReader(WorkThread):
    """Reads the list of a store's experiments, or one of them with its results, until it is interrupted."""

    listed = Signal(object, object)  # the file, and its sweeps
    read = Signal(object)  # a StoredExperiment
    failed = Signal(str)

    def __init__(self, path: Path, sweep: ExperimentRecord | None = None) -> None:
        super().__init__()
        self._path, self._sweep = path, sweep

    def run(self) -> None:
        """The thread's work."""
        try:
            with self.stoppable(), Store(self._path, read_only=True) as store:
                if self._sweep is None:
                    self.listed.emit(self._path, store.sweeps())
                else:
                    experiment = experiment_from(self._sweep.data)
                    self.read.emit(
                        StoredExperiment(
                            self._path, experiment, with_estimates(results_of(experiment, store))
                        )
                    )
        except StoreError as error:
            self.failed.emit(str(error))
        except (ScenarioError, FieldError) as error:
            self.failed.emit(
                tr("{path}: the experiment cannot be read: {error}").format(
                    path=among_words(self._path), error=error
                )
            )
        except (AttributeError, KeyError, TypeError, ValueError):  # pydantic's errors are among them
            self.failed.emit(
                tr("{path}: the experiment cannot be read: expected one of this version").format(
                    path=among_words(self._path)
                )
            )
