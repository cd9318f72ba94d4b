"""The properties that every queue discipline and every pattern owes, seen in small runs: `meshgui check`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.guard import StuckError
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import Pattern, Processes, Stage, stages
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate, simulate_figures
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.registry import disciplines
from meshgui.plugin_kinds import FAULTS, offered
from meshgui.stories import PropertyError, choices_of, require

_CROWDS: Final = (1, 2, 3, 5, 8, 13, 24)  # jobs: what fails shows itself in the smallest that does
_SEEDS: Final = 3
_PROCESSES: Final = tuple(range(2, 18))
_QUOTAS: Final = (1, 2, 3, 7, 40)


@dataclass(frozen=True)
class RunProperty:
    """Something that is owed, and what raises an error where a class does not keep it."""

    words: str
    check: Callable[[type[Any]], None]

    def fault(self, cls: type[Any]) -> str | None:
        """What was found in place of it, or None."""
        try:
            self.check(cls)
        except StuckError:
            raise  # it would not come back from the others either
        except (PropertyError, *FAULTS) as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - any error of a third party's class
            return f"{type(error).__name__}: {error}"
        return None


# Disciplines


def _crowds(cls: type[Discipline], *, network: bool = False) -> Iterator[Scenario]:
    """Jobs that come close together on a small mesh, few of them first; with each choice of options."""
    for options in choices_of(cls.options_model):
        for jobs in _CROWDS:
            for seed in range(_SEEDS):
                yield _crowd(cls.id, options.model_dump(mode="json"), jobs, seed, network=network)


def _crowd(
    name: str, options: dict[str, Any], count: int, seed: int, *, network: bool, moves: tuple[Any, ...] = ()
) -> Scenario:
    draw = random.Random(1000 * count + seed)
    jobs: list[dict[str, Any]] = [
        {
            "arrival": draw.randint(0, count),
            "size": [draw.randint(1, 4), draw.randint(1, 4)],
            "service": draw.randint(0, 6),
        }
        for _ in range(count)
    ]
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [4, 4]},
            "allocator": {"name": ("tff", "gabl", "random")[seed % 3]},
            "scheduler": {"name": name, "options": options},
            "workload": {"kind": "list", "jobs": jobs, "moves": moves},
            "network": {"pattern": "random", "messages": 3, "flits": 2} if network else None,
            "seed": seed,
        }
    )


def _every_job_ends(recording: Recording, where: str) -> None:
    ended = np.isin(recording.kinds, (EventKind.FINISH, EventKind.REJECT)).sum()
    said = tr("{ended} of {jobs} jobs have ended{where}")
    require(recording.complete, said.format(ended=ended, jobs=len(recording.jobs), where=where))


def _serves(cls: type[Discipline], *, network: bool = False) -> None:
    with offered(disciplines(), cls):
        for of in _crowds(cls, network=network):
            _every_job_ends(simulate(of), _options(of))


def _repeats(cls: type[Discipline]) -> None:
    with offered(disciplines(), cls):
        for of in _crowds(cls):
            same = list(log_lines(simulate(of))) == list(log_lines(simulate(of)))
            said = tr("of {jobs} jobs the second run differs from the first{options}")
            require(same, said.format(jobs=of.job_count, options=_options(of)))


def _same_in_figures(cls: type[Discipline]) -> None:
    with offered(disciplines(), cls):
        for of in _crowds(cls):
            one, other = simulate(of), simulate_figures(of)
            same = all(
                getattr(one, name).tolist() == getattr(other, name).tolist()
                for name in ("times", "event_jobs", "boxes", "operations")
            )
            said = tr("of {jobs} jobs a run of which only figures are wanted differs{options}")
            require(same, said.format(jobs=of.job_count, options=_options(of)))


def _lets_jobs_be_moved(cls: type[Discipline]) -> None:
    if not cls.by_arrival:
        return
    with offered(disciplines(), cls):
        for count in _CROWDS:
            moves = tuple([count + 0.5, job, 0] for job in range(0, count, 3))
            of = _crowd(cls.id, {}, count, 0, network=False, moves=moves)
            _every_job_ends(simulate(of), _options(of))


def _options(of: Scenario) -> str:
    stated = of.scheduler.options.model_dump(mode="json")
    given = ", ".join(f"{key} {value}" for key, value in stated.items())
    return tr(" with {options}").format(options=given) if given else ""


DISCIPLINE_PROPERTIES: Final = (
    RunProperty(tr("ranks every job by a number, and serves all"), _serves),
    RunProperty(tr("makes the same run of the same jobs again"), _repeats),
    RunProperty(tr("makes the same run where only figures are wanted"), _same_in_figures),
    RunProperty(tr("serves jobs that end when their messages arrive"), partial(_serves, network=True)),
    RunProperty(tr("lets jobs be moved by hand, where it goes by arrival"), _lets_jobs_be_moved),
)


# Patterns


def _numbers_of_processes(cls: type[Pattern]) -> list[int]:
    return [n for n in _PROCESSES if not (cls.powers_of_two and n & (n - 1))]


def _sent(cls: type[Pattern], n: int, quota: int, seed: int = 1) -> list[Stage]:
    mesh = Mesh((n, 1))
    processes = Processes(mesh, (Box(0, 0, 0, n, 1, 1),), np.arange(n))
    return list(stages(cls(), processes, quota, np.random.default_rng(seed)))


def _fills_quotas(cls: type[Pattern]) -> None:
    for n in _numbers_of_processes(cls):
        for quota in _QUOTAS:
            sent = sum(len(stage.sources) for stage in _sent(cls, n, quota))
            said = tr("{n} processes sent {sent} messages of {quota}")
            require(sent == quota, said.format(n=n, sent=sent, quota=quota))


def _same_of_same_numbers(cls: type[Pattern]) -> None:
    for n in _numbers_of_processes(cls):
        one, other = (
            [(stage.sources.tolist(), stage.targets.tolist()) for stage in _sent(cls, n, max(_QUOTAS))]
            for _ in range(2)
        )
        require(one == other, tr("{n} processes sent other messages the second time").format(n=n))


def _runs(cls: type[Pattern]) -> None:
    sides = [1, 2, 4] if cls.powers_of_two else [1, 2, 3, 4]
    with offered(patterns(), cls):
        for barrier in ("stage", "iteration"):
            jobs = [
                {"arrival": n, "size": [w, d]}
                for n, (w, d) in enumerate((w, d) for w in sides for d in sides)
            ]
            data = {
                "meshgui": 1,
                "mesh": {"shape": [4, 4]},
                "allocator": {"name": "gabl"},
                "workload": {"kind": "list", "jobs": jobs},
                "network": {"pattern": cls.id, "messages": 6, "flits": 2, "barrier": barrier},
            }
            _every_job_ends(simulate(scenario_from(data)), "")


PATTERN_PROPERTIES: Final = (
    RunProperty(tr("makes stages between processes there are, and fills every quota"), _fills_quotas),
    RunProperty(tr("makes the same stages of the same random numbers"), _same_of_same_numbers),
    RunProperty(tr("brings runs with a network to their end"), _runs),
)
