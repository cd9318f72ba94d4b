"""All that views draw of one moment of a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor
from typing import Final, TypeVar

from meshgui.engine.allocation.base import AttemptTrace, ReleaseTrace, Strategy
from meshgui.engine.allocation.inspection import Inspection, Moment
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.sentences import Sentence
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.deadlock import Deadlock
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.model.moment.narration import (
    narrate,
    narrate_deadlock,
    narrate_network,
    narrate_packet,
    narrate_step,
)
from meshgui.model.moment.packet_states import chain_at
from meshgui.model.moment.position import Position

R = TypeVar("R")
_STATE: Final = frozenset({"snapshot", "trace", "moment", "inspection"})  # of a view: what was so stays so

_NOT_YET: Final = tr("Its structures are shown once the run has begun.")


class View:
    """All that views draw at one position; computed at first use."""

    def __init__(
        self, recording: Recording, position: Position, time: float, *, asks_strategy: bool = True
    ) -> None:
        self.recording = recording
        self.position = position
        self.time = time
        self.asks_strategy = asks_strategy  # not while that has yet to be compiled
        # why parts of the view are empty: the strategy's fault, as a rule
        self.fault: str | None = None if asks_strategy else _NOT_YET

    @cached_property
    def snapshot(self) -> Snapshot:
        """The state of the machine."""
        return self.recording.snapshot(self.position.events)

    @property
    def cycle(self) -> int:
        """The cycle of the network whose end is shown."""
        return floor(self.time)

    @cached_property
    def network(self) -> NetworkMoment | None:
        """The state of the network, if there is one, without jobs that have not started yet."""
        record = self.recording.network
        if record is None:
            return None
        return record.at(self.cycle, self.recording.started[record.jobs] < self.position.events)

    @property
    def network_now(self) -> tuple[NetworkRecord, NetworkMoment] | None:
        """The network's record and its state, if there is a network."""
        record, moment = self.recording.network, self.network
        return None if record is None or moment is None else (record, moment)

    def chain_of(self, packet: int) -> Sequence[int]:
        """A packet that waits and those it waits for, each for the next; empty if it does not wait."""
        now = self.network_now
        return chain_at(*now, packet) if now is not None else ()

    @property
    def deadlock(self) -> Deadlock | None:
        """The deadlock in which the run has ended, where that is shown."""
        found = self.recording.deadlock
        there = found is not None and not self.position.inside and self.time >= found.cycle
        return found if there else None

    @cached_property
    def trace(self) -> AttemptTrace | ReleaseTrace | None:
        """The attempt or release at the cursor; None also if the strategy cannot be stepped."""
        recording, (events, attempt, _, release) = self.recording, self.position
        if release:
            return self._ask(lambda: recording.trace_release(events))
        return None if attempt is None else self._ask(lambda: recording.trace(attempt))

    def take_steps(self, other: View | None) -> None:
        """Take the steps from another view of the same attempt or release, which has searched for them."""
        if other is not None and "trace" in vars(other):
            self.trace = other.trace
            self.fault = other.fault if other.trace is None else None

    def take_state(self, other: View) -> None:
        """Take what is known from a view of the same place in a shorter recording of the same run."""
        vars(self).update({name: part for name, part in vars(other).items() if name in _STATE})
        self.fault = other.fault

    @property
    def job(self) -> int | None:
        """The job whose attempt or release is stepped."""
        if self.position.release:
            return self.recording.leaving_at(self.position.events)
        attempt = self.position.attempt
        return None if attempt is None else self.recording.attempts[attempt].job

    @property
    def lines(self) -> tuple[Line, ...]:
        """The pseudo-code: that of the release inside one, else that of allocations."""
        return self.strategy.release_lines if self.position.release else self.strategy.lines

    @property
    def strategy(self) -> type[Strategy]:
        """The strategy, for its words about itself; its state is the moment's."""
        return self.recording.strategy

    @cached_property
    def moment(self) -> Moment:
        """The strategy's state, and the steps made up to here."""
        trace = self.trace
        if trace is None:
            known = None if self.fault else self._ask(lambda: self.recording.state_at(self.position.events))
            return Moment(known or {})
        return trace.moment(self.position.step + 1)

    @cached_property
    def inspection(self) -> Inspection:
        """The contents of the strategy's inspectors."""
        return self._inspect(self.moment) or Inspection((), (), "")

    def with_whole_trees(self) -> Inspection | None:
        """The contents of the inspectors where trees are largest: an attempt's end, or a release's start."""
        trace = self.trace
        return (
            None
            if trace is None
            else self._inspect(trace.moment(0 if self.position.release else len(trace.steps)))
        )

    def _inspect(self, moment: Moment) -> Inspection | None:
        def inspect() -> Inspection:
            looker = self.recording.new_strategy()
            return looker.inspect(moment) if moment.leaving is None else looker.inspect_release(moment)

        return None if self.fault else self._ask(inspect)

    @property
    def line(self) -> int | None:
        """The pseudo-code line at the cursor."""
        step = self.moment.step
        return step.line if step is not None else None

    @cached_property
    def sentence(self) -> Sentence:
        """The last event, or why there is none."""
        if self.deadlock is not None:
            return narrate_deadlock(self.recording, self.deadlock)
        now = self.network_now
        if now is not None and self.between_events:
            return narrate_network(*now, complete=self.recording.complete)
        job = self.job
        if job is not None:
            says = self.inspection.says
            return narrate_step(self.recording, job, self.fault or says, leaving=self.position.release)
        told = self._ask(lambda: narrate(self.recording, self.snapshot))
        return told if told is not None else Sentence(f"{self.fault}")

    @property
    def between_events(self) -> bool:
        """Whether the cursor lies between two events."""
        return not self.position.inside and self.position.events > 0 and self.time > self.snapshot.time

    def sentence_about(self, packet: int | None) -> Sentence:
        """The sentence; between events, what the selected packet does."""
        now = self.network_now
        if now is None or packet is None or packet >= len(now[0]) or not self.between_events:
            return self.sentence
        return narrate_packet(*now, packet)

    def _ask(self, question: Callable[[], R]) -> R | None:
        """Call the strategy with a short limit; None after a failure, whose reason is in `fault`."""
        try:
            with short_calls():
                return question()
        except StrategyError as error:
            self.fault = str(error)
            return None
