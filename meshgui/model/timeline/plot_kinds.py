"""The kinds of plots of a run: their words and units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within


@dataclass(frozen=True)
class PlotKind:
    """The kind of a plot: its words and units."""

    title: str
    help: str
    axis: str
    field: Literal["turnaround", "operations", "microseconds", "in_use", "latency", "blocked", "under_way"]
    summary: str

    @property
    def stepped(self) -> bool:
        """Whether it is a quantity over time, and not one figure of each job or packet."""
        return self.field in {"in_use", "under_way"}

    @property
    def counted(self) -> bool:
        """Whether its amounts are whole numbers."""
        return self.field in {"operations", "latency", "blocked", "under_way"}

    @property
    def thing(self) -> str:
        """What a dot stands for, or a curve shows."""
        return within(self.help) if self.stepped else tr("a packet") if self.of_packets else tr("a job")

    @property
    def of_packets(self) -> bool:
        """Whether it is about packets."""
        return self.field in {"latency", "blocked"}


PLOTS: Final = (
    PlotKind(
        tr("Turnaround"),
        tr("From arrival to finish, job by job"),
        tr("time units"),
        "turnaround",
        tr("mean turnaround {mean:.2f} over {jobs}"),
    ),
    PlotKind(
        tr("Utilisation"),
        tr("The share of processors in use"),
        "percent",
        "in_use",
        tr("in use {now:.0f} %, mean {mean:.1f} %"),
    ),
    PlotKind(
        tr("Operations"),
        tr("Nodes or boxes examined to allocate and release each job"),
        "operations",
        "operations",
        tr("mean {mean:.1f} operations over {jobs}"),
    ),
    PlotKind(
        tr("Allocation time"),
        tr("Wall time to allocate and release each job"),
        "µs",
        "microseconds",
        tr("mean {mean:.1f} µs over {jobs}"),
    ),
)

NETWORK_PLOTS: Final = (
    PlotKind(
        tr("Latency"),
        tr("From injection to the arrival of the last flit, packet by packet"),
        "cycles",
        "latency",
        tr("mean latency {mean:.1f} cycles over {jobs}"),
    ),
    PlotKind(
        tr("Blocking"),
        tr("How long each packet's header was blocked on its way"),
        "cycles",
        "blocked",
        tr("mean blocking {mean:.1f} cycles over {jobs}"),
    ),
    PlotKind(
        tr("Under way"),
        tr("Packets in the network"),
        "packets",
        "under_way",
        tr("{now:.0f} under way, mean {mean:.1f}"),
    ),
)
"""Further plots of a scenario with a network."""
