"""Exercises about the network: which packet holds the channel that another waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import WAYS, describe_node
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import Draw, Exercise, ExerciseKey, Judgement, PacketForm, said
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.packet_states import describe_state, states_at
from meshgui.model.moment.position import Position

_CYCLES_TRIED: Final = 40
_PARTLY: Final = 0.5


@dataclass(frozen=True, eq=False)
class PacketExercise(Exercise):
    """Which packet blocks another one."""

    kind: ClassVar = "packet"
    title: ClassVar = tr("Which packet is in the way?")

    packet: int

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return not strategy.switched

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one."""
        network = recording.network
        if network is None:
            return None
        cycles = sorted(set(recording.times.tolist()))  # a run that is cut off there ends with an event
        for cycle in draw.some_of(cycles, _CYCLES_TRIED):
            position = recording.position_at(cycle)
            moment = View(recording, Position(position), cycle).network
            if moment is None:
                continue
            held = np.flatnonzero(moment.blocked_by != NO_PACKET).tolist()
            if held and len(moment.packets) > 2:  # one of which waits: there is a choice
                packet = int(moment.blocked[draw.one_of(held)])
                job = int(network.jobs[packet])
                return cls(key, recording, position, cycle, job, None, packet)
        return None

    @property
    def _network(self) -> tuple[NetworkRecord, NetworkMoment]:
        now = View(self.recording, Position(self.position), self.time).network_now
        if now is None:
            raise ValueError(tr("expected a run with a network"))
        return now

    @property
    def question(self) -> str:
        return said(
            tr(
                "In cycle {cycle}, packet {packet} of job {job} waits at {node} for a channel. "
                "Which packet holds it?"
            ),
            cycle=int(self.time),
            node=self._node,
            packet=self.packet,
            job=self.job,
        )

    @property
    def _node(self) -> str:
        """Where the packet waits."""
        moment = self._network[1]
        channel = int(moment.blocked_at[moment.blocked.tolist().index(self.packet)])
        return describe_node(self.mesh, channel // WAYS)

    @property
    def form(self) -> PacketForm:
        packets = self._network[1].packets.tolist()
        return PacketForm(tuple(packet for packet in packets if packet != self.packet))

    @property
    def right(self) -> int:
        moment = self._network[1]
        return int(moment.blocked_by[moment.blocked.tolist().index(self.packet)])

    def judge(self, answer: object) -> Judgement:
        given, right = self.form.read(answer), self.right
        network, moment = self._network
        job = int(network.jobs[right])
        words: dict[str, object] = {"given": given, "right": right, "packet": self.packet, "job": job}
        if given == right:
            return Judgement(1.0, said(tr("Right: packet {right} of job {job}."), **words))
        if given in moment.chain(self.packet):
            text = tr("Packet {given} is farther on in the chain: packet {packet} waits for packet {right}.")
            return Judgement(_PARTLY, said(text, **words))
        if int(network.jobs[given]) == job:
            text = tr("It is another packet of job {job}: packet {right}.")
            return Judgement(_PARTLY, said(text, **words))
        return Judgement(0.0, said(tr("Packet {given} is not in its way: packet {right} is."), **words))

    @property
    def explanation(self) -> str:
        network, moment = self._network
        states = states_at(network, moment, np.array([self.packet], dtype=np.int64))
        return said(
            tr("Packet {packet} {waits_or_moves}."),
            packet=self.packet,
            waits_or_moves=describe_state(network, states, 0),
        )
