"""Makes exercises from their keys, and keys for sets of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.guard import StrategyError, long_calls
from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise import KINDS, Draw, Exercise, ExerciseError, ExerciseKey, said
from meshgui.model.exercises.exercise_orders import OrderExercise, StructureExercise
from meshgui.model.exercises.exercise_packets import PacketExercise
from meshgui.model.exercises.exercise_places import FragmentExercise, PlaceExercise, WaitExercise
from meshgui.model.exercises.exercise_routes import DirectionExercise, TurnsExercise
from meshgui.model.exercises.exercise_runs import drawn_run, usual_shape

_RUNS_TRIED: Final = 8
ASKED_OF: Final = (
    PlaceExercise,
    WaitExercise,
    StructureExercise,
    PacketExercise,
    FragmentExercise,
    OrderExercise,
    DirectionExercise,
    TurnsExercise,
)
"""The kinds of exercises."""
_ASKED_ORALLY: Final = ("wait", "place", "order")  # what is answered in a word
_ASKED_ANYTHING: Final = "bl"  # a strategy with pseudo-code and a list, for any question


def title_of(kind: str) -> str:
    """What a kind of exercise asks, in short."""
    return {cls.kind: cls.title for cls in ASKED_OF}[kind]


@lru_cache(maxsize=256)
def exercise(key: ExerciseKey) -> Exercise:
    """The exercise of a key, always the same; an ExerciseError where there is none."""
    cls = {asked.kind: asked for asked in ASKED_OF}[key.kind]
    draw = Draw(key.seed, KINDS.index(key.kind), *key.shape)
    try:
        with long_calls():
            for _ in range(_RUNS_TRIED):
                recording = drawn_run(key, draw, network=key.kind == PacketExercise.kind)
                made: Exercise | None = cls.ask(key, recording, draw)
                if made is not None:
                    return made
    except StrategyError as error:
        raise ExerciseError(str(error)) from None
    why = (
        tr("with {strategy} this cannot be asked: “{kind}” Choose another strategy, for example {other}")
        if key.strategy != _ASKED_ANYTHING
        else tr("with {strategy} this cannot be asked: “{kind}” Choose another mesh")
    )
    title, other = strategy(key.strategy).title, strategy(_ASKED_ANYTHING).title
    raise ExerciseError(said(why, strategy=title, kind=title_of(key.kind), other=other))


def oral_question(key: ExerciseKey) -> Exercise | None:
    """Another question on the same strategy, mesh and seed, as those who have found the answer can answer."""
    for kind in _ASKED_ORALLY:
        if kind != key.kind:
            try:
                return exercise(key.model_copy(update={"kind": kind}))
            except ExerciseError:
                continue
    return None


def exercise_set(
    strategies: Sequence[str],
    kinds: Sequence[str],
    count: int,
    seed: int,
    shape: tuple[int, ...] | None = None,
) -> tuple[ExerciseKey, ...]:
    """Keys of this many exercises in turn; kinds that a strategy does not have are left out."""
    keys: list[ExerciseKey] = []
    pairs = [(name, kind) for kind in kinds for name in strategies]
    Draw(seed).shuffle(pairs)
    shapes = {name: shape or usual_shape(name) for name in strategies}
    drawn, fault = 0, ""
    while len(keys) < count and pairs:
        name, kind = pairs[drawn % len(pairs)]
        key = ExerciseKey.model_validate(
            {"kind": kind, "strategy": name, "shape": shapes[name], "seed": seed + drawn}
        )
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
