"""Exercises about routes: the directions that a header may take, and whether a set of turns is safe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Final, Self

import numpy as np

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.geometry import Mesh, node_at, node_number
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.routing import describe_node, roads_of
from meshgui.engine.network.switching import ROUTINGS
from meshgui.engine.network.turn_models import permitted
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import ChoiceForm, Draw, Exercise, ExerciseKey, Judgement, said

Turn = tuple[int, int]
"""The way by which a packet comes, and the one by which it goes on."""

_SIGNS: Final = ("+x", "−x", "+y", "−y")
_ASKED: Final = ("xy", "yx", "west-first", "north-last", "negative-first", "odd-even")
_LEFT: Final[tuple[Turn, ...]] = ((0, 2), (2, 1), (1, 3), (3, 0))
_RIGHT: Final[tuple[Turn, ...]] = ((0, 3), (3, 1), (1, 2), (2, 0))
_PLACES_TRIED: Final = 40
_SETS_TRIED: Final = 40
_SIDE: Final = 5  # of the mesh on which a circle is looked for: eight turns need no larger one
_PARTLY: Final = 0.5


@dataclass(frozen=True, eq=False)
class DirectionExercise(Exercise):
    """Which directions a header may take at a node under a routing."""

    kind: ClassVar = "direction"
    title: ClassVar = tr("Which direction does the header take?")

    routing: str
    source: int
    here: int
    target: int

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return 2 in strategy.dims

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise on this mesh, if it is one of two dimensions with room for a choice."""
        mesh = recording.mesh
        if mesh.dims != 2 or min(mesh.shape) < 3:
            return None
        routing = draw.one_of(_ASKED)
        for _ in range(_PLACES_TRIED):
            source, here, target = (draw.below(mesh.processors) for _ in range(3))
            (sx, sy, _), (x, y, _), (tx, ty, _) = (node_at(mesh, n) for n in (source, here, target))
            between = min(sx, tx) <= x <= max(sx, tx) and min(sy, ty) <= y <= max(sy, ty)
            if between and x != tx and y != ty and cls._comes_there(mesh, routing, source, here, target):
                return cls(key, recording, 0, 0.0, 0, None, routing, source, here, target)
        return None

    @staticmethod
    def _comes_there(mesh: Mesh, routing: str, source: int, here: int, target: int) -> bool:
        """Whether a packet can come by a node on its way."""
        reached, ahead = {source}, [source]
        while ahead:
            node = ahead.pop()
            for way in _ways(mesh, routing, node, source, target):
                beyond = _beyond(mesh, node, way)
                if beyond is not None and beyond not in {*reached, target}:
                    reached.add(beyond)
                    ahead.append(beyond)
        return here in reached

    @property
    def question(self) -> str:
        return said(
            tr(
                "A packet from {source} to {target} is at {here}, and its routing is {routing}. "
                "Which directions may its header take?"
            ),
            routing=self.routing,
            **{name: describe_node(self.mesh, n) for name, n in self._nodes.items()},
        )

    @property
    def _nodes(self) -> dict[str, int]:
        return {"source": self.source, "here": self.here, "target": self.target}

    @property
    def _options(self) -> tuple[tuple[int, ...], ...]:
        """The two directions that lead nearer, both, and one that leads away."""
        (x, y, _), (tx, ty, _) = node_at(self.mesh, self.here), node_at(self.mesh, self.target)
        along, across = int(tx < x), 2 + int(ty < y)
        return (along,), (across,), (along, across), (along ^ 1,)

    @property
    def form(self) -> ChoiceForm:
        return ChoiceForm(tuple(map(_directions, self._options)))

    @property
    def right(self) -> int:
        ways = _ways(self.mesh, self.routing, self.here, self.source, self.target)
        return self._options.index(ways)

    def judge(self, answer: object) -> Judgement:
        given, right = self._options[self.form.read(answer)], self._options[self.right]
        words = {"right": _directions(right), "routing": self.routing}
        if given == right:
            return Judgement(1.0, said(tr("Right: {right}."), **words))
        text = tr("With {routing} it may take {right}.")
        return Judgement(_PARTLY if set(given) & set(right) else 0.0, said(text, **words))


@dataclass(frozen=True, eq=False)
class TurnsExercise(Exercise):
    """Whether packets that make only certain turns can wait for each other in a circle."""

    kind: ClassVar = "turns"
    title: ClassVar = tr("Is this set of turns safe?")

    turns: tuple[Turn, ...]

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise about some of the eight turns; all kinds of answers come alike often."""
        wanted = draw.below(len(_answers()))
        every = [*_LEFT, *_RIGHT]
        for _ in range(_SETS_TRIED):
            turns = tuple(sorted(draw.some_of(every, 5 + draw.below(3))))
            if circle_of(turns) == wanted:
                return cls(key, recording, 0, 0.0, 0, None, turns)
        return None

    @property
    def question(self) -> str:
        turns = ", ".join(f"{_SIGNS[a]}→{_SIGNS[b]}" for a, b in self.turns)
        text = tr(
            "On a 2D mesh packets may go straight on and make these turns alone: {turns}. "
            "Can they wait for each other in a circle?"
        )
        return said(text, turns=turns)

    @property
    def form(self) -> ChoiceForm:
        return ChoiceForm(_answers())

    @property
    def right(self) -> int:
        return circle_of(self.turns)

    def judge(self, answer: object) -> Judgement:
        given, right = self.form.read(answer), self.right
        if given == right:
            return Judgement(1.0, said(tr("Right: {answer}."), answer=_answers()[right]))
        score = _PARTLY if given and right else 0.0  # that there is a circle is half of it
        return Judgement(score, said(tr("It is otherwise: {answer}."), answer=_answers()[right]))


def _answers() -> tuple[str, str, str, str]:
    left, right = ("→".join(_SIGNS[a] for a, _ in (*circle, circle[0])) for circle in (_LEFT, _RIGHT))
    return (
        tr("no, no circle can close"),
        tr("yes, a circle of left turns: {circle}").format(circle=left),
        tr("yes, a circle of right turns: {circle}").format(circle=right),
        tr("yes, but only a circle of left and right turns"),
    )


def circle_of(turns: Collection[Turn]) -> int:
    """Which circle packets can close with these turns, as an answer's number: 0 if none.

    Four turns to the same side close one; else the channels of a mesh and what may follow each are searched.
    """
    for number, circle in enumerate((_LEFT, _RIGHT), 1):
        if set(circle) <= set(turns):
            return number
    follow = defaultdict(list)
    mesh = Mesh((_SIDE, _SIDE))
    for node, way in product(range(mesh.processors), range(4)):
        beyond = _beyond(mesh, node, way)
        if beyond is not None:
            ahead = [onward for onward in range(4) if onward == way or (way, onward) in turns]
            follow[node, way] = [(beyond, on) for on in ahead if _beyond(mesh, beyond, on) is not None]
    return 3 if _has_circle(follow) else 0


def _has_circle(follow: dict[tuple[int, int], list[tuple[int, int]]]) -> bool:
    """Whether channels remain after all have been taken away again and again that nothing can follow."""
    left = {channel: set(ahead) for channel, ahead in follow.items()}
    while ends := [channel for channel, ahead in left.items() if not ahead & left.keys()]:
        for channel in ends:
            del left[channel]
    return bool(left)


def _ways(mesh: Mesh, routing: str, here: int, source: int, target: int) -> tuple[int, ...]:
    nodes = np.array([node_at(mesh, n) for n in range(mesh.processors)], dtype=np.int32)
    ways = np.zeros(3, dtype=np.int32)
    count = permitted(ROUTINGS.index(routing), here, source, target, nodes, roads_of(mesh), ways)
    return tuple(ways[:count].tolist())


def _beyond(mesh: Mesh, node: int, way: int) -> int | None:
    """The node to which a way leads; None off the mesh."""
    place = list(node_at(mesh, node))
    place[way // 2] += -1 if way % 2 else 1
    x, y, _ = place
    inside = 0 <= x < mesh.shape[0] and 0 <= y < mesh.shape[1]
    return node_number(mesh, (x, y, 0)) if inside else None


def _directions(ways: Collection[int]) -> str:
    """Directions in words: +x, or +x or +y."""
    *others, last = _signs(ways)
    return tr("{first} or {last}").format(first=others[0], last=last) if others else last


def _signs(ways: Collection[int]) -> Iterator[str]:
    return (_SIGNS[way] for way in ways)
