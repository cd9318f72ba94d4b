"""The base class of patterns of communication (000 §2.3.3, 001 §4.2 and appendix).

A job's n processes form a linear array. A pattern is an iteration of stages, over and over: all messages of a
stage are sent at once, and the next stage begins when all of them have arrived; or those of all stages of an
iteration are sent at once. Sending stops when the job's quota of messages is reached, in the midst of a stage
if need be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Box, Mesh, places
from meshgui.engine.basics.guard import call
from meshgui.engine.basics.kernel import Kernel
from meshgui.engine.basics.plugins import is_own, package_of, quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError

StageKernel = Kernel[[int, int, int, Floats, Ints, Ints], int]
"""Writes a stage of an iteration among n processes: (n, number of the stage, most, drawn, sources, targets).

It returns how many messages it wrote, `most` at most, and 0 once the iteration has no further stage. `drawn`
are the random numbers of the iteration.
"""


class NetworkError(RunError):
    """Packets that the network cannot carry."""


class PatternError(NetworkError):
    """A pattern that cannot be used, named, with the reason."""


class Stage(NamedTuple):
    """Messages that are sent at the same time: source and target processes."""

    sources: Ints
    targets: Ints


class FirstStage(Stage):
    """The first stage of an iteration, or all of one."""


@dataclass(frozen=True, slots=True, eq=False)
class Processes:
    """The processes of a job in the order of their linear array, and the processors they run on."""

    mesh: Mesh
    boxes: tuple[Box, ...]  # of the job; with internal fragmentation they hold further processors
    nodes: Ints  # the number of each process's processor, counted row by row, x fastest

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def coordinates(self) -> Ints:
        """The x, y and z of each process's processor, [n, 3]."""
        return places(self.mesh, self.nodes)


class RandomNumbers(Protocol):
    """The source of random numbers: a NumPy generator, or a test's own."""

    def random(self, size: int) -> Floats:
        """Numbers from 0 up to 1."""


class Pattern(ABC):
    """A pattern of communication."""

    id: ClassVar[str]
    title: ClassVar[str]
    powers_of_two: ClassVar[bool] = False  # whether it is defined for such numbers of processes only

    @abstractmethod
    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """The stages of one iteration among two processes or more; `most` messages of a stage are enough."""


class CompiledPattern(Pattern):
    """A pattern whose stages a kernel writes, so that runs send them without going through Python."""

    write_stage: ClassVar[StageKernel]
    draws: ClassVar[int] = 0  # random numbers of an iteration
    draws_each: ClassVar[int] = 0  # and further ones for each message still to be sent

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        drawn = random.random(self.draws + self.draws_each * most)
        for number in count():
            sources, targets = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
            written = self.write_stage(len(processes), number, most, drawn, sources, targets)
            if not written:
                return
            yield Stage(sources[:written], targets[:written])


def stages(
    pattern: Pattern, processes: Processes, quota: int, random: RandomNumbers, *, by_iteration: bool = False
) -> Iterator[Stage]:
    """The stages that a job sends until its quota is reached; a single process sends nothing.

    By iteration, all stages of an iteration are one.
    """
    if len(processes) < 2:
        return
    left = quota
    while left > 0:
        before = left
        together: list[Stage] = []
        for stage in _iteration(pattern, processes, random, left):
            kind = Stage if together else FirstStage
            part = kind(stage.sources[:left], stage.targets[:left])
            left -= len(part.sources)
            together.append(part)
            if not by_iteration:
                yield part
            if not left:
                break
        if together and by_iteration:
            yield FirstStage(*map(np.concatenate, zip(*together, strict=True)))
        if left == before:
            said = tr("the pattern {pattern} has no stage for {processes} processes")
            raise PatternError(said.format(pattern=pattern.id, processes=len(processes)))


def _iteration(pattern: Pattern, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
    """The stages of a pattern, each with messages; errors of a third party's pattern name it."""
    stages_made = pattern.iteration(processes, random, most)
    if is_own(type(pattern)):
        yield from stages_made
        return
    name, home = tr("the pattern {pattern}").format(pattern=pattern.id), package_of(type(pattern))
    while True:
        stage, _ = call(
            name, tr("making a stage"), lambda: next(stages_made, None), home=home, error=PatternError
        )
        if stage is None:
            return
        fault = _fault_of(stage, len(processes))
        if fault is not None:
            said = tr("{name} made {fault} for {processes} processes")
            raise PatternError(said.format(name=name, fault=fault, processes=len(processes)))
        yield Stage(*stage)


def _fault_of(stage: Any, n: int) -> str | None:  # noqa: ANN401 - a third party's answer
    """The fault of a stage among n processes, or None."""
    if not isinstance(stage, tuple) or list(map(type, stage)) != [np.ndarray, np.ndarray]:
        return tr("{quoted}: expected a Stage of two arrays").format(quoted=quoted(stage))
    sources, targets = stage
    if sources.ndim != 1 or sources.shape != targets.shape:
        said = tr("a stage of {sources} sources and {targets} targets")
        return said.format(sources=sources.shape, targets=targets.shape)
    if not len(sources):
        return tr("a stage without messages")
    both = np.concatenate((sources, targets))
    if not np.issubdtype(both.dtype, np.integer) or ((both < 0) | (both >= n)).any():
        return tr("a stage with processes that do not exist")
    return tr("a stage in which a process sends to itself") if (sources == targets).any() else None
