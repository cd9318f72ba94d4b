"""The tables of variants: what the choices that the model makes do to a published result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from network_runs import Samples

from meshgui.catalogue.entries import Setting
from meshgui.catalogue.judging import ratio_of_means
from meshgui.experiment.statistics import Estimate, estimate

__all__ = ["MOVED", "Column", "Moved"]


@dataclass(frozen=True)
class Column:
    """A figure of a strategy, or its ratio to another's."""

    figure: str
    strategy: str
    to: str = ""

    def published(self, setting: Setting) -> float | None:
        """The published number, as a ratio where this is one; None if there is none."""
        by_strategy = {n.strategy: n.value for n in setting.numbers if n.figure == self.figure and not n.to}
        stated = [n.value for n in setting.numbers if (n.figure, n.strategy, n.to) == self._key]
        above, below = by_strategy.get(self.strategy), by_strategy.get(self.to)
        return stated[0] if stated else above / below if above and below else None

    def measured(self, samples: Samples) -> Estimate:
        """The mean, or the ratio of means, of runs."""
        mine = [run[self.figure] for run in samples[self.strategy]]
        if not self.to:
            return estimate(mine)
        return ratio_of_means(mine, [run[self.figure] for run in samples[self.to]])

    @property
    def _key(self) -> tuple[str, str, str]:
        return self.figure, self.strategy, self.to


@dataclass(frozen=True)
class Moved:
    """A setting that is run with variants of the model."""

    setting: str
    variants: tuple[str, ...]
    columns: tuple[Column, ...]

    def among(self, setting: Setting) -> Setting:
        """The setting with the strategies only that the table needs."""
        named = {name for column in self.columns for name in (column.strategy, column.to)}
        return replace(setting, strategies={n: d for n, d in setting.strategies.items() if n in named})


def _beside(strategy: str, others: tuple[str, ...], *figures: str) -> Iterator[Column]:
    """A strategy's figures over those of others."""
    yield from (Column(figure, strategy, other) for figure in figures for other in others)


def _over(other: str, strategies: tuple[str, ...], *figures: str) -> Iterator[Column]:
    """The figures of strategies over those of another."""
    yield from (Column(figure, strategy, other) for strategy in strategies for figure in figures)


_OF_GABL: Final = tuple(Column(figure, "gabl") for figure in ("turnaround", "service", "message_distance"))
_FOUR: Final = (*_beside("gabl", ("ff", "paging(0)", "mbs"), "turnaround"), *_OF_GABL)
_THREE: Final = (*_beside("gabl", ("paging(0)", "mbs"), "turnaround"), *_OF_GABL)
_LO: Final = (
    *_over("ff", ("mbs", "paging(0)"), "finish_time", "blocking", "latency"),
    Column("finish_time", "ff"),
    Column("message_distance", "ff"),
)
_GAINS: Final = (
    Column("utilization", "pald-ff", "ff"),
    Column("utilization", "pald-bf", "bf"),
    *(Column("utilization", name) for name in ("pald-ff", "ff")),
)
_BOUNDS: Final = (
    *_over(
        "bgp(1,0)",
        ("bgp(2,0)", "bgp(4,0)", "bgp(8,0)", "bgp(20,0)", "bgp(60,1)", "bgp(80,1)"),
        "finish_time",
    ),
    *_over("bgp(1,0)", ("bgp(8,0)", "bgp(20,0)", "bgp(60,1)"), "blocking"),
    Column("finish_time", "bgp(1,0)"),
)

MOVED: Final = (
    Moved(
        "one-to-all, uniform, 0.0185",
        (
            "startup", "mapping", "last first", "from its place", "in any order", "from the first",
            "one by one", "fixed",
        ),
        _FOUR,
    ),
    Moved(
        "all-to-all, uniform, 0.0305",
        ("startup", "mapping", "last first", "in turn", "one by one", "fixed"),
        _FOUR,
    ),
    Moved("random, exponential, 0.1", ("startup", "mapping", "one by one", "fixed"), _FOUR),
    Moved(
        "all-to-all, exponential, 64 flits",
        ("startup", "mapping", "last first", "in turn", "fixed"),
        _THREE,
    ),
    Moved("all-to-all, uniform, 64×64", ("startup", "mapping", "last first", "fixed"), _FOUR),
    Moved("001 n-body", ("startup", "mapping", "shuffled"), _LO),
    Moved("002 one-to-all, ssd", ("startup", "mapping", "in any order", "by processors"), _GAINS),
    Moved("002 all-to-all, fcfs", ("startup", "mapping", "in turn", "fixed"), _GAINS),
    Moved(
        "002 bounds",
        ("startup", "mapping", "fixed"),
        (Column("utilization", "pald-bf, 10"), Column("utilization", "pald-bf, 20", "pald-bf, 10")),
    ),
    Moved("003", ("startup", "mapping", "in turn", "drawn"), _BOUNDS),
)  # fmt: skip
