"""Small scenarios for the tests, on one line each, and Hypothesis strategies for random ones."""

from collections import deque
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from meshgui.engine.scenario import Scenario, parse_file, saving, scenario_from
from meshgui.engine.scenario.specs import SHORTEST_RING
from meshgui.engine.workload.generator import job_stream
from meshgui.engine.workload.job_stream import JobStream

STRATEGIES = ("ff", "tff", "bl", "tbl")
SCHEDULERS = (
    {"name": "fcfs"},
    {"name": "ssd", "options": {"demand": "processor-time"}},
    {"name": "ssd", "options": {"demand": "time"}},
    {"name": "ooo"},
    {"name": "easy"},
    {"name": "sjf"},
    {"name": "ljf"},
    {"name": "lcfs"},
    {"name": "conservative"},
)

PLANNERS = ("easy", "conservative")  # not for strategies that make reservations themselves


def scenario_of(shape, workload, name="ff", options=None, **parts) -> Scenario:
    """A scenario of a workload, or of a list of jobs; further keywords are its other parts."""
    workload = {"kind": "list", "jobs": workload} if isinstance(workload, list) else workload
    allocator = {"name": name, "options": options or {}}
    data = {"meshgui": 1, "mesh": {"shape": list(shape)}, "allocator": allocator, "workload": workload}
    return scenario_from(data | parts)


def scenario(shape=(8, 8), name="tbl", jobs=100, load=5.0, seed=1, scheduler=None, **workload) -> Scenario:
    """A stochastic scenario; further keywords go into the workload."""
    drawn = {"kind": "stochastic", "jobs": jobs, "load": load, **workload}
    return scenario_of(shape, drawn, name, scheduler=scheduler or SCHEDULERS[0], seed=seed)


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """A scenario from JSON text; `name` is what errors call it."""
    return parse_file(text, name).scenario


def save_scenario(scenario: Scenario, path: Path, view: Mapping[str, Any] | None = None) -> None:
    """Write a scenario in one go."""
    deque(saving(scenario, path, view), maxlen=0)


def jobs_of(scenario: Scenario, seed: int) -> JobStream:
    """The jobs of a scenario for a seed."""
    return job_stream(scenario.workload, scenario.network, scenario.machine, seed)


def listed(shape, jobs, name="ff", scheduler=None, options=None, wrap=()) -> Scenario:
    """A scenario of explicit jobs `(arrival, size, service)`."""
    rows = [{"arrival": a, "size": list(size), "service": s} for a, size, s in jobs]
    mesh = {"shape": list(shape), "wrap": list(wrap)}
    return scenario_of(shape, rows, name, options, scheduler=scheduler or SCHEDULERS[0], mesh=mesh)


# Few different times, so that arrivals, finishes and ends of no duration fall together often.
_ARRIVALS = st.one_of(st.integers(0, 8), st.floats(0, 8, allow_nan=False))
_SERVICES = st.one_of(st.integers(0, 3), st.floats(0, 5, allow_nan=False))


_SHAPES = st.one_of(
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)),
)
_NAMES, _QUEUES = st.sampled_from(STRATEGIES), st.sampled_from(SCHEDULERS)


@st.composite
def crowded(draw, most=14):
    """A listed scenario on a small mesh, of any strategy and scheduler; some requests fit only turned."""
    shape = draw(_SHAPES)
    jobs = draw(_crowds(shape, most))
    wrap = [side >= SHORTEST_RING and draw(st.booleans()) for side in shape]
    return listed(shape, jobs, draw(_NAMES), draw(_QUEUES), wrap=wrap if any(wrap) else ())


@cache  # to make a Hypothesis strategy takes longer than to draw from it
def _crowds(shape, most):
    sizes = st.tuples(*(st.integers(1, n) for n in shape)).flatmap(_turned)
    return st.lists(st.tuples(_ARRIVALS, sizes, _SERVICES), min_size=1, max_size=most)


@cache
def _turned(sides):
    return st.permutations(sides).map(tuple)
