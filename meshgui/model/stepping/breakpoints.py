"""Breakpoints on meaning: what happens in a run, at which playing and stepping stop."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeGuard

from meshgui.engine.basics.geometry import Node
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import in_quotes
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.signals import Signal
from meshgui.model.moment.instant import Instant
from meshgui.model.stepping.bookmarks import count_in


class BreakKind(StrEnum):
    """What a breakpoint stops at."""

    LINE = "line"
    FAILURE = "failure"
    ARRIVAL = "arrival"
    START = "start"
    FINISH = "finish"
    WAIT = "wait"
    NODE = "node"
    QUEUE = "queue"
    FRAGMENTATION = "fragmentation"
    BLOCKS = "blocks"
    PACKET = "packet"
    DETOUR = "detour"
    DEADLOCK = "deadlock"
    RESERVATION = "reservation"
    OUTAGE = "outage"
    KILL = "kill"
    SPLIT = "split"
    MERGE = "merge"


class BreakField(StrEnum):
    """What a breakpoint has to say beside its kind."""

    JOB = "job"  # a number, or none for any job
    VALUE = "value"
    NODE = "node"
    LINE = "line"


class BreakRule(NamedTuple):
    """A kind of breakpoint in words, and the fields it needs."""

    title: str
    words: str  # with {job}, {value}, {node}, {line}
    fields: tuple[BreakField, ...] = ()
    unit: str = ""
    counted: bool = False  # whether its value is a number of things, and so whole
    network: bool = False  # whether it takes a network
    of_any: str = ""  # its words where it is about any job


_J, _V = BreakField.JOB, BreakField.VALUE

BREAK_KINDS: Final[Mapping[BreakKind, BreakRule]] = {
    BreakKind.LINE: BreakRule(tr("A line of code"), tr("Line {line}"), (BreakField.LINE,)),
    BreakKind.FAILURE: BreakRule(
        tr("An attempt fails"),
        tr("An attempt to place job {job} fails"),
        (_J,),
        of_any=tr("An attempt to place a job fails"),
    ),
    BreakKind.ARRIVAL: BreakRule(
        tr("A job arrives"), tr("Job {job} arrives"), (_J,), of_any=tr("A job arrives")
    ),
    BreakKind.START: BreakRule(tr("A job starts"), tr("Job {job} starts"), (_J,), of_any=tr("A job starts")),
    BreakKind.FINISH: BreakRule(
        tr("A job finishes"), tr("Job {job} finishes"), (_J,), of_any=tr("A job finishes")
    ),
    BreakKind.WAIT: BreakRule(
        tr("A job waits longer than"),
        tr("Job {job} waits longer than {value}"),
        (_J, _V),
        tr("time"),
        of_any=tr("A job waits longer than {value}"),
    ),
    BreakKind.NODE: BreakRule(
        tr("A node is taken or freed"), tr("Node {node} is taken or freed"), (BreakField.NODE,)
    ),
    BreakKind.QUEUE: BreakRule(
        tr("The queue is longer than"), tr("More than {value} jobs wait"), (_V,), tr("jobs"), counted=True
    ),
    BreakKind.FRAGMENTATION: BreakRule(
        tr("External fragmentation above"), tr("External fragmentation rises above {value} %"), (_V,), "%"
    ),
    BreakKind.BLOCKS: BreakRule(
        tr("A job gets more blocks than"),
        tr("A job gets more than {value} blocks"),
        (_V,),
        tr("blocks"),
        counted=True,
    ),
    BreakKind.PACKET: BreakRule(
        tr("A packet is blocked longer than"),
        tr("A packet is blocked longer than {value} cycles"),
        (_V,),
        tr("cycles"),
        counted=True,
        network=True,
    ),
    BreakKind.DETOUR: BreakRule(
        tr("A packet takes another direction than xy"),
        tr("A packet takes another direction than xy"),
        network=True,
    ),
    BreakKind.DEADLOCK: BreakRule(tr("A deadlock"), tr("The network is in a deadlock"), network=True),
    BreakKind.RESERVATION: BreakRule(
        tr("The strategy reserves"),
        tr("A box is reserved for job {job}"),
        (_J,),
        of_any=tr("A box is reserved for a job"),
    ),
    BreakKind.OUTAGE: BreakRule(tr("A processor fails"), tr("A processor fails")),
    BreakKind.KILL: BreakRule(
        tr("A failure hits a job"),
        tr("A failure hits job {job}"),
        (_J,),
        of_any=tr("A failure hits a job"),
    ),
    BreakKind.SPLIT: BreakRule(tr("The strategy splits a block"), tr("The strategy splits a block")),
    BreakKind.MERGE: BreakRule(tr("The strategy merges blocks"), tr("The strategy merges blocks")),
}
"""The kinds of breakpoints, as a form lists them."""


class Breakpoint(NamedTuple):
    """A condition on what happens in a run."""

    kind: BreakKind
    job: int | None = None  # None: any
    value: float = 0.0
    node: Node = (0, 0, 0)
    line: str = ""  # the label of a line of the strategy
    enabled: bool = True

    def describe(self, recording: Recording | None = None) -> str:
        """The condition in words; a line of code with its number where the strategy is known."""
        rule = BREAK_KINDS[self.kind]
        flat = recording is not None and recording.mesh.dims == 2
        words = rule.of_any if self.job is None and rule.of_any else rule.words
        return words.format(
            job=self.job,
            value=formatted(self.value, "g"),
            node=f"({','.join(map(str, self.node[: 2 if flat else 3]))})",
            line=self._line_in_words(recording),
        )

    def _line_in_words(self, recording: Recording | None) -> str:
        if recording is None:
            return in_quotes(self.line)
        for lines, words in (
            (recording.strategy.lines, "{number}: {code}"),  # untranslated: no words
            (recording.strategy.release_lines, tr("{number} of releases: {code}")),
        ):
            for number, line in enumerate(lines, 1):
                if line.label == self.line:
                    return words.format(number=number, code=line.text.removesuffix(":"))
        return tr("“{line}”, which this strategy does not have").format(line=self.line)

    def as_data(self) -> dict[str, Any]:
        """The breakpoint as JSON has it: its kind and what differs from the defaults."""
        default = Breakpoint(self.kind)
        given = {name: value for name, value in self._asdict().items() if value != getattr(default, name)}
        return {"kind": self.kind.value} | {
            k: list(v) if isinstance(v, tuple) else v for k, v in given.items()
        }

    @classmethod
    def from_data(cls, data: object) -> Breakpoint | None:
        """A breakpoint from JSON; None where this version does not know it."""
        if not isinstance(data, dict) or data.get("kind") not in set(BreakKind):
            return None
        job, value, node, line = (data.get(key) for key in ("job", "value", "node", "line"))
        numbers = node if isinstance(node, list) and all(count_in(n) is not None for n in node) else []
        x, y, z, *_ = [*numbers, 0, 0, 0]
        return cls(
            BreakKind(data["kind"]),
            count_in(job),
            float(value) if _is_value(value) else 0.0,
            (x, y, z),
            line if isinstance(line, str) else "",
            data.get("enabled") is not False,
        )


def _is_value(value: object) -> TypeGuard[float]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max  # JSON has whole numbers that are larger


class Stop(NamedTuple):
    """Where a run stops, and why."""

    instant: Instant
    breakpoint: Breakpoint


class Breakpoints:
    """The breakpoints of a scenario, in the order they were set. Emits `changed`."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self._all: tuple[Breakpoint, ...] = ()

    @property
    def all(self) -> tuple[Breakpoint, ...]:
        """All of them, also those switched off."""
        return self._all

    def replace(self, breakpoints: Iterable[Breakpoint]) -> None:
        """Have these in place of those there are."""
        new = tuple(dict.fromkeys(breakpoints))
        if new != self._all:
            self._all = new
            self.changed.emit()

    def add(self, added: Breakpoint) -> None:
        """Set a breakpoint; one that is set already is switched on."""
        others = [b for b in self._all if b._replace(enabled=True) != added]
        self.replace((*others, added))

    def remove(self, removed: Breakpoint) -> None:
        """Remove a breakpoint."""
        self.replace(b for b in self._all if b != removed)

    def enable(self, changed: Breakpoint, *, on: bool) -> None:
        """Switch a breakpoint on or off."""
        self.replace(b._replace(enabled=on) if b == changed else b for b in self._all)

    def toggle_line(self, label: str) -> None:
        """Set a breakpoint on a line of code, or remove it."""
        there = self.on_line(label)
        if there is None:
            self.add(Breakpoint(BreakKind.LINE, line=label))
        else:
            self.remove(there)

    def on_line(self, label: str) -> Breakpoint | None:
        """The breakpoint on a line of code."""
        return next((b for b in self._all if b.kind == BreakKind.LINE and b.line == label), None)

    @property
    def enabled(self) -> Sequence[Breakpoint]:
        """Those that are switched on."""
        return [b for b in self._all if b.enabled]
