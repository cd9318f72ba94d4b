"""What the README says about strategies of one's own is true."""

import re
from pathlib import Path

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scenario import scenario_from
from meshgui.engine.simulation import simulate
from meshgui.model.cursor import Cursor

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_s_strategy_runs_and_steps(monkeypatch):
    """The class in the README, as it stands there, is simulated, and stepped line by line."""
    program = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert program is not None
    scope: dict[str, object] = {}
    exec(compile(program[1], str(README), "exec"), scope)  # noqa: S102 - our own README
    monkeypatch.setitem(strategies(), "last", scope["LastFit"])
    jobs = [{"arrival": 0, "size": [2, 2], "service": 5}, {"arrival": 1, "size": [3, 1], "service": 5}]
    recording = simulate(
        scenario_from(
            {
                "meshgui": 1,
                "mesh": {"shape": [4, 4]},
                "allocator": {"name": "last"},
                "workload": {"kind": "list", "jobs": jobs},
            }
        )
    )
    assert [tuple(recording.boxes_of(job)[0]) for job in (0, 1)] == [(2, 2, 0, 2, 2, 1), (1, 1, 0, 3, 1, 1)]
    cursor = Cursor()
    cursor.show(recording)
    said = []
    while cursor.position.events < len(recording):
        cursor.next_step()
        said.append(cursor.view.sentence)
    assert "Job 1 (3×1): (1,1)–(3,1) is free." in said
