"""An exercise that is drawn beside the window can be stopped, whatever it asks."""

import pytest

from meshgui.engine.basics.work import Progress, Stopped, Work
from meshgui.model.exercises.exercise import KINDS, ExerciseKey
from meshgui.model.exercises.exercises import exercise


@pytest.mark.parametrize("kind", KINDS)
def test_it_looks_whether_it_is_wanted_and_is_not_kept_half_made(kind: str):
    """Stopped where it says for the first time how far it is, it ends there; asked for again it is whole."""
    key = ExerciseKey.model_validate({"kind": kind, "strategy": "bl", "shape": (8, 8), "seed": 7001})
    heard: list[Progress] = []

    def stop(progress: Progress) -> None:
        heard.append(progress)
        work.stop()

    work = Work(stop)
    with pytest.raises(Stopped), work.under_way():
        exercise(key)
    assert len(heard) == 1
    assert exercise(key).key == key
