"""Makes exercises from their keys, and keys for sets of them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from meshgui.engine.allocation.registry import by_title, strategies, strategy
from meshgui.engine.basics.guard import StrategyError, long_calls
from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise import KINDS, LEVELS, Draw, Exercise, ExerciseError, ExerciseKey, said
from meshgui.model.exercises.exercise_failures import FailureExercise
from meshgui.model.exercises.exercise_orders import OrderExercise, StructureExercise
from meshgui.model.exercises.exercise_packets import PacketExercise
from meshgui.model.exercises.exercise_places import FragmentExercise, PlaceExercise, WaitExercise
from meshgui.model.exercises.exercise_routes import DirectionExercise, TurnsExercise
from meshgui.model.exercises.exercise_runs import drawn_run, usual_shape
from meshgui.model.exercises.whole_algorithm import WholeExercise

LESSON_SET: Final = 6
"""Exercises to a lesson."""
_RUNS_TRIED: Final = 8
ASKED_OF: Final = (
    PlaceExercise,
    WaitExercise,
    StructureExercise,
    PacketExercise,
    FragmentExercise,
    OrderExercise,
    WholeExercise,
    FailureExercise,
    DirectionExercise,
    TurnsExercise,
)
"""The kinds of exercises."""
_CLASSES: Final = {cls.kind: cls for cls in ASKED_OF}
_ASKED_ORALLY: Final = ("wait", "place", "order")  # what is answered in a word
_ASKED_ANYTHING: Final = "bl"  # a strategy with pseudo-code and a list, for any question


def title_of(kind: str) -> str:
    """What a kind of exercise asks, in short."""
    return _CLASSES[kind].title


def suited(kind: str) -> list[str]:
    """The strategies of which a kind of exercise can be asked."""
    return [cls.id for cls in by_title() if _CLASSES[kind].suits(cls)]


@lru_cache(maxsize=256)
def exercise(key: ExerciseKey) -> Exercise:
    """The exercise of a key, always the same; an ExerciseError where there is none."""
    cls = _CLASSES[key.kind]
    if key.strategy in strategies() and not cls.suits(strategy(key.strategy)):
        raise ExerciseError(_unsuited(key))
    draw = Draw(key.seed, KINDS.index(key.kind), *key.shape)
    try:
        with long_calls():
            for _ in range(_RUNS_TRIED):
                recording = drawn_run(key, draw)
                made: Exercise | None = cls.ask(key, recording, draw)
                if made is not None:
                    return made
    except StrategyError as error:
        raise ExerciseError(str(error)) from None
    raise ExerciseError(_unsuited(key))


def _unsuited(key: ExerciseKey) -> str:
    """What is said where an exercise cannot be asked."""
    why = (
        tr("with {strategy} this cannot be asked: “{kind}” Choose another strategy, for example {other}")
        if key.strategy != _ASKED_ANYTHING
        else tr("with {strategy} this cannot be asked: “{kind}” Choose another mesh")
    )
    title, other = strategy(key.strategy).title, strategy(_ASKED_ANYTHING).title
    return said(why, strategy=title, kind=title_of(key.kind), other=other)


def oral_question(key: ExerciseKey) -> Exercise | None:
    """Another question on the same strategy, mesh and seed, as those who have found the answer can answer."""
    for kind in _ASKED_ORALLY:
        if kind != key.kind:
            try:
                return exercise(key.model_copy(update={"kind": kind}))
            except ExerciseError:
                continue
    return None


def exercise_set_of(lesson: str, practice: str) -> tuple[ExerciseKey, ...]:
    """The exercises to a lesson of this name, the same on every machine.

    What is practised are strategies and kinds, as a lesson states them: “ff,bf place,wait”.
    """
    names, _, kinds = practice.partition(" ")
    return exercise_set(names.split(","), kinds.split(","), LESSON_SET, lesson_seed(lesson))


def lesson_seed(lesson: str) -> int:
    """The first seed of the exercises to a lesson."""
    return zlib.crc32(lesson.encode()) % 10**6


def exercise_set(
    strategies: Sequence[str],
    kinds: Sequence[str],
    count: int,
    seed: int,
    shape: tuple[int, ...] | None = None,
    level: int = LEVELS[0],
) -> tuple[ExerciseKey, ...]:
    """Keys of this many exercises in turn; kinds that a strategy does not have are left out.

    The level is that of whole algorithms.
    """
    keys: list[ExerciseKey] = []
    pairs = [(name, kind) for kind in kinds for name in strategies]
    Draw(seed).shuffle(pairs)
    shapes = {name: shape or usual_shape(name) for name in strategies}
    drawn, fault = 0, ""
    while len(keys) < count and pairs:
        name, kind = pairs[drawn % len(pairs)]
        data = {"kind": kind, "strategy": name, "shape": shapes[name], "seed": seed + drawn}
        key = ExerciseKey.model_validate(data | ({"level": level} if kind == WholeExercise.kind else {}))
        try:
            exercise(key)
        except ExerciseError as error:
            fault = str(error)
            pairs.remove((name, kind))
            continue
        keys.append(key)
        drawn += 1
    if not keys:
        raise ExerciseError(fault or tr("expected at least one exercise"))
    return tuple(keys)
