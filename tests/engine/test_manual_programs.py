"""What the manual says about strategies, disciplines and patterns of one's own is true."""

import ast
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.stepping.cursor import Cursor
from meshgui.plugin_kinds import plugins_in
from tests.scenarios import scenario_of

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "resources" / "manual"
PAGE, KERNELS = MANUAL / "own-strategies.md", MANUAL / "kernel-strategies.md"
PROGRAMS = [
    program
    for page in (PAGE, KERNELS)
    for program in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]


def defined(program, name):
    """A class that one of the page's programs defines, as it stands there."""
    scope = {}
    exec(compile(PROGRAMS[program], str(PAGE), "exec"), scope)  # noqa: S102 - our own page
    return scope[name]


def api_imports(program):
    """Whether the program takes names from the public API, and from nowhere else in the project."""
    imports = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Import | ast.ImportFrom)]
    named = {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    return "meshgui.api" in named and {name for name in named if name.startswith("meshgui")} == {
        "meshgui.api"
    }


def test_all_python_in_the_manual_takes_its_names_from_the_api():
    """As do the packages that show how."""
    packages = sorted((ROOT / "tests" / "packages").glob("*_fit/*_fit.py"))
    assert len(PROGRAMS) == 4
    assert len(packages) == 2
    assert all(map(api_imports, [*PROGRAMS, *(path.read_text(encoding="utf-8") for path in packages)]))


def test_the_manual_s_discipline_changes_the_order_and_the_manual_s_pattern_sends(monkeypatch):
    """As they stand there: smallest first, but one that has waited long; a ring of four."""
    monkeypatch.setitem(disciplines(), "ageing", defined(1, "SmallestWithAgeing"))
    sizes = ((0, [2, 2], 8), (0, [2, 1], 1), (0, [1, 1], 9), (9, [1, 1], 1))
    jobs = [{"arrival": at, "size": size, "service": service} for at, size, service in sizes]
    recording = simulate(scenario_of((2, 2), jobs, scheduler={"name": "ageing"}))
    assert np.argsort(recording.started).tolist() == [2, 1, 3, 0]
    late = [{**job, "arrival": 10.5 if job["arrival"] else 0} for job in jobs]
    late[2]["service"] = 12
    again = simulate(
        recording.scenario.model_validate(
            {**recording.scenario.model_dump(), "workload": {"kind": "list", "jobs": late}}
        )
    )
    assert np.argsort(again.started).tolist() == [2, 1, 0, 3]
    monkeypatch.setitem(patterns(), "ring", defined(2, "Ring"))
    jobs = [{"arrival": 0, "size": [2, 2], "messages": 4}]
    recording = simulate(scenario_of((4, 4), jobs, network={"pattern": "ring"}))
    sent = zip(recording.network.sources.tolist(), recording.network.targets.tolist(), strict=True)
    assert list(sent) == [(0, 1), (1, 4), (4, 5), (5, 0)]


@pytest.mark.parametrize(
    ("program", "name"), [(0, "last"), pytest.param(3, "last-kernel", marks=pytest.mark.kernel)]
)
def test_the_manual_s_strategies_run_and_step(monkeypatch, tmp_path, program, name):
    """The classes in the manual, as they stand there, are simulated, and stepped line by line."""
    file = tmp_path / f"manual_{program}.py"
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setitem(sys.modules, file.stem, ModuleType(file.stem))  # removed behind the test
    file.write_text(PROGRAMS[program], encoding="utf-8")
    [(_, cls)] = plugins_in(file, "strategy")
    monkeypatch.setitem(strategies(), name, cls)
    jobs = [{"arrival": 0, "size": [2, 2], "service": 5}, {"arrival": 1, "size": [3, 1], "service": 5}]
    of = scenario_of((4, 4), jobs, name)
    assert issubclass(strategy(name), KernelStrategy) == (name == "last-kernel")
    recording = Simulation(of).run()
    assert [tuple(recording.boxes_of(job)[0]) for job in (0, 1)] == [(2, 2, 0, 2, 2, 1), (1, 1, 0, 3, 1, 1)]
    cursor = Cursor()
    cursor.show(recording)
    said = []
    while cursor.position.events < len(recording):
        cursor.next_step()
        said.append(cursor.view.sentence)
    assert "Job 1 (3×1): (1,1)–(3,1) is free." in said
