"""A task: a run to make, and what became of it, wherever it is made."""

from __future__ import annotations

from typing import NamedTuple

from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.engine.basics.work import RunError, Stopped, Work
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.batches import BatchError
from meshgui.experiment.run_spec import OtherCodeError, RunResult, RunSpec, run_once


class Task(NamedTuple):
    """A piece of work with a seed, under a number of its own."""

    number: int
    spec: RunSpec
    seed: int


class TaskOutcome(NamedTuple):
    """What became of a task: what it made, or in one sentence why not."""

    number: int
    result: RunResult | None
    fault: str = ""
    unfit: bool = False  # whether the process can make no task of this kind: the fault is not the task's


def outcome_of(number: int, text: str, seed: int, work: Work | None = None) -> TaskOutcome:
    """Make a task; what a strategy or a scenario did wrong is its outcome."""
    try:
        return TaskOutcome(number, run_once(text, seed, work))
    except (RunError, BatchError, ScenarioError) as error:
        return TaskOutcome(number, None, str(error))
    except OtherCodeError as error:
        return TaskOutcome(number, None, str(error), unfit=True)
    except Stopped:
        raise
    except MemoryError:
        return TaskOutcome(number, None, tr("out of memory"))
    except Exception as error:  # noqa: BLE001 - it is reported, and costs one point, not the sweep
        return TaskOutcome(
            number,
            None,
            tr("internal error, {name}: {error}").format(
                name=type(error).__name__, error=legible(printable(str(error)))
            ),
        )
