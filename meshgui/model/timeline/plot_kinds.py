"""The live plots of a run, each one record: its words and units, and where its figures come from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.model.charts.curves import StepCurve
from meshgui.model.timeline.plot_data import PlotData, PlotSeries


@dataclass(frozen=True, kw_only=True)
class PlotKind(ABC):
    """The kind of a plot."""

    title: str
    help: str
    axis: str
    summary: str
    """What is said of it at a moment."""
    counted: bool = False
    """Whether its amounts are whole numbers."""
    digits: int = 1
    """Those of its mean behind the point."""

    @property
    @abstractmethod
    def thing(self) -> str:
        """What a dot stands for, or a curve shows."""


@dataclass(frozen=True, kw_only=True)
class DotsKind(PlotKind):
    """A figure of each job or packet."""

    figures: Callable[[PlotData], PlotSeries]
    of_packets: bool = False

    @property
    def thing(self) -> str:
        """What a dot stands for."""
        return tr("a packet") if self.of_packets else tr("a job")


@dataclass(frozen=True, kw_only=True)
class CurveKind(PlotKind):
    """A quantity over time."""

    curve: Callable[[PlotData], StepCurve]
    top: float | None = None
    """The upper end of its axis, where that is not its maximum."""
    after: Callable[[PlotData, int], float] | None = None
    """What it is after some events, where several at one time are told apart."""

    @property
    def thing(self) -> str:
        """What the curve shows."""
        return within(self.help)


PLOTS: Final[tuple[PlotKind, ...]] = (
    DotsKind(
        title=tr("Turnaround"),
        help=tr("From arrival to finish, job by job"),
        axis=tr("time units"),
        summary=tr("mean turnaround {mean:.2f} over {jobs}"),
        figures=lambda data: data.turnaround,
        digits=2,
    ),
    CurveKind(
        title=tr("Utilisation"),
        help=tr("The share of processors in use"),
        axis=tr("percent"),
        summary=tr("in use {now:.0f} %, mean {mean:.1f} %"),
        curve=lambda data: data.in_use,
        top=100.0,
        after=PlotData.in_use_after,
    ),
    DotsKind(
        title=tr("Operations"),
        help=tr("Nodes or boxes examined to allocate and release each job"),
        axis=tr("operations"),
        summary=tr("mean {mean:.1f} operations over {jobs}"),
        figures=lambda data: data.operations,
        counted=True,
    ),
    DotsKind(
        title=tr("Allocation time"),
        help=tr("Wall time to allocate and release each job"),
        axis="µs",
        summary=tr("mean {mean:.1f} µs over {jobs}"),
        figures=lambda data: data.microseconds,
    ),
)

NETWORK_PLOTS: Final[tuple[PlotKind, ...]] = (
    DotsKind(
        title=tr("Latency"),
        help=tr("From injection to the arrival of the last flit, packet by packet"),
        axis=tr("cycles"),
        summary=tr("mean latency {mean:.1f} cycles over {jobs}"),
        figures=lambda data: data.latency,
        of_packets=True,
        counted=True,
    ),
    DotsKind(
        title=tr("Blocking"),
        help=tr("How long each packet's header was blocked on its way"),
        axis=tr("cycles"),
        summary=tr("mean blocking {mean:.1f} cycles over {jobs}"),
        figures=lambda data: data.blocked,
        of_packets=True,
        counted=True,
    ),
    CurveKind(
        title=tr("Under way"),
        help=tr("Packets in the network"),
        axis=tr("packets"),
        summary=tr("{now:.0f} under way, mean {mean:.1f}"),
        curve=lambda data: data.under_way,
        counted=True,
    ),
)
"""Further plots of a scenario with a network."""
