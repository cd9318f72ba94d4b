"""A steady load on a network: nodes make packets at random, whether or not the network takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_PACKETS_SENT
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load
from meshgui.engine.network.switching import Law

_DRAWN_AT_ONCE: Final = 1 << 20  # nodes × cycles


@dataclass(frozen=True, slots=True)
class SteadyLoad:
    """A network, and the load on it."""

    mesh: Mesh
    law: Law
    load: type[Load]
    rate: float  # flits that a node makes in a cycle, on average
    cycles: int
    warm_up: int = 0  # cycles whose packets are not measured
    seed: int = 1

    def fault(self) -> tuple[str, str] | None:
        """The field that does not fit, and why; None if all do."""
        if (fault := self.load.unfit(self.mesh)) is not None:
            return "traffic", fault
        if self.mesh.processors < 2:
            return "traffic", tr("expected a mesh of at least 2 processors")
        if not 0 < self.rate <= self.law.flits:
            said = tr("expected a rate above 0, and at most {flits}: a packet of each node in each cycle")
            return "rate", said.format(flits=self.law.flits)
        if not 0 <= self.warm_up < self.cycles:
            said = tr("expected fewer cycles than {cycles}, the whole run, got {warm_up}")
            return "warm-up", said.format(cycles=self.cycles, warm_up=self.warm_up)
        packets = self.rate / self.law.flits * self.mesh.processors * self.cycles
        if packets > MAX_PACKETS_SENT:
            said = tr("expected at most {most} packets in all, got about {packets:.0f}")
            return "cycles", said.format(most=MAX_PACKETS_SENT, packets=packets)
        return None

    @property
    def drawn_at_once(self) -> int:
        """The cycles whose packets are drawn together."""
        return max(1, _DRAWN_AT_ONCE // self.mesh.processors)

    def packets(self) -> LoadPackets:
        """Its packets, to be drawn from the first cycle on."""
        return LoadPackets(self)

    def born(self) -> tuple[Ints, Ints, Ints]:
        """Those of the run: cycles, sources and targets."""
        packets, step = self.packets(), self.drawn_at_once
        parts = [packets.between(at, min(at + step, self.cycles)) for at in range(0, self.cycles, step)]
        times, sources, targets = (np.concatenate(column) for column in zip(*parts, strict=True))
        return times, sources, targets


class LoadPackets:
    """The packets of a load, drawn piece by piece."""

    def __init__(self, under: SteadyLoad) -> None:
        self._under, self._load = under, under.load()
        self._random = np.random.default_rng(under.seed)

    def between(self, begin: int, end: int) -> tuple[Ints, Ints, Ints]:
        """The packets born from one cycle until before another: cycles, sources and targets."""
        under = self._under
        drawn = self._random.random((end - begin, under.mesh.processors))
        times, sources = np.nonzero(drawn < under.rate / under.law.flits)
        targets = self._load.targets(under.mesh, sources, self._random)
        sent = sources != targets
        return times[sent] + begin, sources[sent], targets[sent]
