"""What a strategy answers in stories, as text: by compiled kernels, and by the same in plain Python.

Compiled code reads beyond an array, and counts beyond 64 bits, without a word; plain Python raises.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final, NamedTuple
from zlib import crc32

from meshgui import itself
from meshgui.conformance import Failure
from meshgui.engine.allocation.base import Allocation, Strategy
from meshgui.engine.basics.guard import StrategyError, StuckError
from meshgui.engine.basics.translation import tr
from meshgui.stories import DrawnStory, PropertyError, StoryRun, drawn_stories

_STORIES: Final = 20
_SECONDS: Final = 60.0  # plain Python is a hundred times slower


class _Act(NamedTuple):
    """What happened in a story, what the strategy answered, and what that led to."""

    events: list[str]
    answer: str
    operations: int
    state: int  # a digest


def answers(cls: type[Strategy]) -> Iterator[str]:
    """What a strategy answers in each of some stories, on a line for each."""
    for drawn in drawn_stories(cls, _STORIES):
        yield json.dumps([] if drawn is None else _acts(cls, drawn))


def _acts(cls: type[Strategy], drawn: DrawnStory) -> list[_Act]:
    events: list[str] = []
    acts: list[_Act] = []
    try:
        run = StoryRun(lambda mesh: cls(mesh, drawn.options), drawn.story.mesh, events=events)
        for answer in run.play(drawn.story.acts):
            digest = 0
            for key, array in sorted(run.working.capture().items()):
                digest = crc32(array.tobytes(), crc32(key.encode(), digest))
            acts.append(_Act(list(events), _in_words(answer.outcome), run.working.operations, digest))
    except StuckError:
        raise
    except (PropertyError, StrategyError) as error:
        acts.append(_Act(list(events), str(error), 0, 0))
    return acts


def _in_words(outcome: Allocation) -> str:
    if outcome is None:
        return tr("no box")
    return ", ".join(str(tuple(box)) for box in outcome)


def difference(cls: type[Strategy], named: str) -> Failure | None:
    """The first answer that differs when the kernels of a strategy, `named` so, are not compiled."""
    words = itself.command("check", named, "--answers", cls.id)
    try:
        done = subprocess.run(  # noqa: S603 - ourselves
            words,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        said, error, ended = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as stopped:  # what it has answered is compared
        said, error, ended = stopped.stdout or b"", b"", 0
    lines = [line for line in said.decode().splitlines(keepends=True) if line.endswith("\n")]
    for number, (drawn, compiled) in enumerate(zip(drawn_stories(cls, _STORIES), answers(cls), strict=True)):
        if drawn is None:
            continue
        if number >= len(lines):
            found = tr("as plain Python it ends: {error}").format(error=error.decode().strip())
            return Failure(drawn.options, drawn.story.mesh, (), found) if ended else None
        if (plain := lines[number].strip()) != compiled:
            return _first_difference(drawn, json.loads(compiled), json.loads(plain))
    return None


def _first_difference(drawn: DrawnStory, compiled: list[list[Any]], plain: list[list[Any]]) -> Failure:
    for one, other in zip_longest(map(_Act._make, compiled), map(_Act._make, plain)):
        if one != other:
            events = (one or other or _Act([], "", 0, 0)).events
            found = tr("compiled: {one}; as plain Python: {other}").format(
                one=_words_of(one), other=_words_of(other)
            )
            return Failure(drawn.options, drawn.story.mesh, tuple(events), found)
    raise ValueError(drawn)


def _words_of(act: _Act | None) -> str:
    if act is None:
        return tr("nothing more")
    return tr("{answer}, {operations} operations, state {state:08x}").format(
        answer=act.answer, operations=act.operations, state=act.state
    )
