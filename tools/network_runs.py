"""Runs of published settings, by independent replications, kept so that they can be gone on with.

A variant changes one thing in the model, to show what moves a result: fields of the scenario, or a part that
the engine has no field for and that is exchanged for the time of a run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from meshgui.catalogue.entries import Setting
from meshgui.engine.allocation.base import Boxes, Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage
from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.runs.figures import Figures, figures_of
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling.disciplines import ShortestServiceDemand
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["AS_IT_IS", "VARIANTS", "Runs", "Samples", "Variant"]

Samples = dict[str, list[Figures]]
"""Of each strategy, the figures of its runs, in order of seed: the same seeds for all."""

Data = dict[str, Any]
AS_IT_IS: Final = "as it is"
_AT_ONCE: Final = 5  # runs in one task of a process


class InTurn(Pattern):
    """All to all a round at a time: in round k every process sends to the k-th after it in the array."""

    id = "all-to-all"
    title = "All to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        del random
        n = len(processes)
        rounds, sources = np.divmod(np.arange(min(n * (n - 1), most)), n)
        yield Stage(sources, (sources + 1 + rounds) % n)


class FromItsPlace(Pattern):
    """One to all, the targets in array order from the source's own place on, and round."""

    id = "one-to-all"
    title = "One to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        n = len(processes)
        source = int(random.random(1)[0] * n)
        targets = (source + 1 + np.arange(min(n - 1, most))) % n
        yield Stage(np.full(len(targets), source), targets)


class InAnyOrder(Pattern):
    """One to all, the targets in an order drawn at random."""

    id = "one-to-all"
    title = "One to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        n = len(processes)
        order = np.argsort(random.random(n), kind="stable")
        targets = order[1 : most + 1]
        yield Stage(np.full(len(targets), order[0]), targets)


class FromTheFirst(Pattern):
    """One to all from the job's first process."""

    id = "one-to-all"
    title = "One to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        del random
        n = len(processes)
        targets = np.arange(1, min(n, most + 1))
        yield Stage(np.zeros(len(targets), dtype=np.int64), targets)


def one_by_one(cls: type[Pattern]) -> type[Pattern]:
    """The same messages, each sent when the one before it has arrived."""

    def iteration(self: Pattern, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        for stage in cls.iteration(self, processes, random, most):
            for k in range(len(stage.sources)):
                yield Stage(stage.sources[k : k + 1], stage.targets[k : k + 1])

    return type(f"{cls.__name__}OneByOne", (cls,), {"iteration": iteration})


def last_first(strategy: Strategy, boxes: Boxes) -> NDArray[np.int64]:
    """A job's processors with its blocks in the other order."""
    return _NODES(strategy, tuple(reversed(boxes)))


def shuffled(strategy: Strategy, boxes: Boxes) -> NDArray[np.int64]:
    """A job's processors in an order drawn at random, the same whenever it holds the same ones."""
    nodes = _NODES(strategy, boxes)
    return np.random.default_rng(nodes.tolist()).permutation(nodes)


def processors_times_messages(discipline: ShortestServiceDemand, jobs: JobStream) -> NDArray[np.float64]:
    """The demand of jobs whose service is not stated, with the processors in it, as 002 has it."""
    del discipline
    return (jobs.messages * jobs.processors).astype(np.float64)


_NODES: Final = Strategy.nodes


@dataclass(frozen=True)
class Variant:
    """One thing done otherwise."""

    words: str
    change: Callable[[Data], Data] = lambda data: data
    patches: tuple[tuple[str, object], ...] = ()
    patterns: dict[str, type[Pattern]] = field(default_factory=dict)
    nodes: Callable[[Strategy, Boxes], NDArray[np.int64]] | None = None  # how a job's processors are listed


def with_network(**fields: object) -> Callable[[Data], Data]:
    """Change fields of the network."""
    return lambda data: data | {"network": data["network"] | fields}


_IN_BLOCKS: Final = {"gabl", "mbs", "pald-ff", "pald-bf", "bgp"}


def row_major(data: Data) -> Data:
    """List a job's processors in row-major order; submeshes and Paging's single ones are already."""
    allocator = data["allocator"]
    if allocator["name"] not in _IN_BLOCKS:
        return data
    options = allocator.get("options", {}) | {"mapping": "row-major"}
    return data | {"allocator": allocator | {"options": options}}


# Messages of one iteration of 25 processes, the mean of sides U[2,8]; of 32, in powers of two.
_SMALLER: Final = {
    "all-to-all-rounds": 600,
    "one-to-all": 24,
    "n-body": 325,
    "fft-longest-first": 160,
    "multigrid": 226,
}
_IN_POWERS_OF_TWO: Final = {"kind": "intervals", "intervals": [[2, 2, 2 / 7], [4, 4, 4 / 7], [8, 8, 1 / 7]]}


def sides_to_8(data: Data) -> Data:
    """001's sides U[2,8], as its appendix states them, instead of U[2,16]."""
    pattern = data["network"]["pattern"]
    uniform = {"kind": "uniform", "low": 2, "high": 8}
    sides = _IN_POWERS_OF_TWO if pattern in {"fft-longest-first", "multigrid"} else uniform
    changed = with_network(messages=_SMALLER[pattern])(data)
    return changed | {"workload": changed["workload"] | {"sides": sides}}


VARIANTS: Final[dict[str, Variant]] = {
    AS_IT_IS: Variant("the model as it is"),
    "startup": Variant(
        "`startup` 30: a processor is busy for 30 cycles before each send", with_network(startup=30)
    ),
    "mapping": Variant(
        "a job's processors listed row-major over the whole job, not block by block", row_major
    ),
    "last first": Variant(
        "a job's blocks listed in the other order, the last given first",
        nodes=last_first,
    ),
    "shuffled": Variant(
        "every job's processors listed in an order drawn at random",
        nodes=shuffled,
    ),
    "by processors": Variant(
        "SSD's demand is messages times processors, not messages",
        patches=(
            (
                "meshgui.engine.scheduling.disciplines.ShortestServiceDemand.ranks",
                processors_times_messages,
            ),
        ),
    ),
    "in turn": Variant(
        "all-to-all round by round, all sources at once, each from its own place on",
        patterns={"all-to-all": InTurn, "all-to-all-rounds": InTurn},
    ),
    "by source": Variant("all-to-all source by source", with_network(pattern="all-to-all")),
    "shortest first": Variant(
        "the narrowest butterflies first, with barriers between stages", with_network(pattern="fft")
    ),
    "shortest first by iteration": Variant(
        "the narrowest butterflies first, with barriers between iterations",
        with_network(pattern="fft", barrier="iteration"),
    ),
    "from its place": Variant(
        "one-to-all: targets in array order from the source's place on", patterns={"one-to-all": FromItsPlace}
    ),
    "in any order": Variant(
        "one-to-all: targets in an order drawn at random", patterns={"one-to-all": InAnyOrder}
    ),
    "from the first": Variant(
        "one-to-all: always from the job's first process", patterns={"one-to-all": FromTheFirst}
    ),
    "one by one": Variant(
        "each message of a job sent when the one before has arrived",
        patterns={cls.id: one_by_one(cls) for cls in COMPILED},
    ),
    "fixed": Variant(
        "every job sends the mean number of messages",
        with_network(quota="fixed"),
    ),
    "drawn": Variant("the number of messages exponential, with that mean", with_network(quota="exponential")),
    "by stage": Variant("`barrier` `stage`", with_network(barrier="stage")),
    "by iteration": Variant("`barrier` `iteration`", with_network(barrier="iteration")),
    "free ports": Variant("`ports` `free`", with_network(ports="free")),
    "header": Variant(
        "`per_hop` `header` and a routing delay of 2, as the appendix states it",
        with_network(per_hop="header", routing_delay=2),
    ),
    "U[2,8]": Variant("sides U[2,8], with an iteration of as many messages", sides_to_8),
}


def run(data: Data, variant: str, seeds: list[int]) -> list[Figures]:
    """The figures of runs of a scenario, in a process of its own."""
    how = VARIANTS[variant]
    with ExitStack() as stack:
        for name, replacement in how.patches:
            stack.enter_context(patch(name, replacement))
        stack.enter_context(patch.dict(patterns(), how.patterns))
        scenario = scenario_from(data)
        if how.nodes is not None:  # of the class itself: the event loop lists what no class lists otherwise
            stack.enter_context(patch.object(strategy(scenario.allocator.name), "nodes", how.nodes))
        return [figures_of(Simulation(scenario, seed, record=False).run())[0] for seed in seeds]


class Runs:
    """The runs made so far, in a folder: a file for each scenario and variant, a line for each seed."""

    def __init__(self, folder: Path, processes: int) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))

    def of(
        self,
        setting: Setting,
        runs: int,
        variant: str = AS_IT_IS,
        load: float | None = None,
        jobs: int = 1000,
    ) -> Samples:
        """The figures of the runs with the seeds 1, 2, 3 … of each strategy."""
        scenarios = {name: self._data(setting, name, variant, load, jobs) for name in setting.strategies}
        kept = {name: self._kept(data, variant) for name, data in scenarios.items()}
        waiting = []
        for name, data in scenarios.items():
            seeds = [seed for seed in range(1, runs + 1) if seed not in kept[name]]
            for at in range(0, len(seeds), _AT_ONCE):
                some = seeds[at : at + _AT_ONCE]
                waiting.append((name, some, self._pool.submit(run, data, variant, some)))
        for name, seeds, task in waiting:
            done = dict(zip(seeds, task.result(), strict=True))
            kept[name] |= done
            self._keep(scenarios[name], variant, done)
        if waiting:
            sys.stderr.write(f"{setting.name} ({variant}): {runs} runs\n")
        return {name: [kept[name][seed] for seed in range(1, runs + 1)] for name in scenarios}

    def _data(self, setting: Setting, strategy: str, variant: str, load: float | None, jobs: int) -> Data:
        return VARIANTS[variant].change(setting.data_of(strategy, load, jobs))

    def _file(self, data: Data, variant: str) -> Path:
        how = VARIANTS[variant]
        text = json.dumps([data, list(how.patterns), bool(how.patches or how.nodes)])
        kind = "" if variant == AS_IT_IS else variant
        return self.folder / (hashlib.sha256((text + kind).encode()).hexdigest()[:20] + ".jsonl")

    def _kept(self, data: Data, variant: str) -> dict[int, Figures]:
        file = self._file(data, variant)
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
        rows = [json.loads(line) for line in lines]
        return {row["seed"]: row["figures"] for row in rows}

    def _keep(self, data: Data, variant: str, done: dict[int, Figures]) -> None:
        with self._file(data, variant).open("a", encoding="utf-8") as file:
            for seed, figures in done.items():
                file.write(json.dumps({"seed": seed, "figures": figures}) + "\n")

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)
