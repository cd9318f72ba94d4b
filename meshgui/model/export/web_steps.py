"""Chosen allocation attempts of a run, line by line, with what the strategy keeps at each step."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from meshgui.engine.allocation.base import AttemptTrace
from meshgui.engine.allocation.inspection import (
    Chart,
    Grid,
    Inspection,
    JobCell,
    Panel,
    Polyline,
    Table,
    TableRow,
    Tree,
)
from meshgui.engine.allocation.steps import Mark, parted
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.translation import said_again, tr
from meshgui.engine.basics.work import look
from meshgui.engine.runs.recording import Recording
from meshgui.model.export.web_words import in_each_language, page_languages
from meshgui.model.moment.narration import narrate_step

MOST_STEPS: Final = 10_000
"""Steps of one page: what the strategy keeps is there for each of them."""

_USUAL_STEPS: Final = 600  # where no job is named
_LONGEST: Final = 300  # steps of an attempt among those
_USUAL_ATTEMPTS: Final = 12
_USUAL_ROWS: Final = 16_000  # that their steps show, all together
_ROWS_OF_STEP: Final = 40  # what a step costs beside the rows of its panels
_VALUES_OF_ROW: Final = 8  # of a grid or a chart, that take as long as a row
_MOST_ROWS: Final = 400  # of a table


class TooManyStepsError(ValueError):
    """More steps were asked for than a page takes."""


def attempts_of_job(recording: Recording, first: int, last: int, job: int) -> list[int]:
    """The attempts for one job from one position to another."""
    return [n for n in recording.attempts_of(job) if first <= recording.attempts[n].position <= last]


def attempts_of_jobs(recording: Recording, first: int, last: int, jobs: Sequence[int]) -> list[int]:
    """All attempts for some jobs from one position to another; too many raise TooManyStepsError."""
    numbers = sorted({number for job in jobs for number in attempts_of_job(recording, first, last, job)})
    steps = 0
    for number in numbers:
        trace = _traced(recording, number)
        steps += 0 if trace is None else len(trace.steps)
        if steps > MOST_STEPS:
            said = tr("expected at most {most} steps of attempts; fewer jobs have fewer")
            raise TooManyStepsError(said.format(most=MOST_STEPS))
    return numbers


def usual_attempts(recording: Recording, first: int, last: int) -> list[int]:
    """The first attempts from one position to another, as far as they are short."""
    numbers: list[int] = []
    steps = rows = 0
    begin = recording.attempts.at(first).start
    for number in islice(range(begin, len(recording.attempts)), _USUAL_ATTEMPTS):
        if recording.attempts[number].position > last:
            break
        trace = _traced(recording, number)
        count = 0 if trace is None else len(trace.steps)
        if count > _LONGEST:
            continue
        steps += count
        rows += count * (_ROWS_OF_STEP + _rows_shown(recording, trace))
        if steps > _USUAL_STEPS or (numbers and rows > _USUAL_ROWS):
            break
        numbers.append(number)
    return numbers


def _rows_shown(recording: Recording, trace: AttemptTrace | None) -> int:
    """How many rows the panels have at the first step of an attempt."""
    if trace is None or not trace.steps:
        return 0
    try:
        with short_calls():
            panels = recording.new_strategy().inspect(trace.moment(1)).panels
    except StrategyError:
        return 0
    return sum(map(_rows_of, panels))


def _rows_of(panel: Panel) -> int:
    """How many rows a panel has, as far as the time for making them goes."""
    if isinstance(panel, Table):
        return min(len(panel.rows), _MOST_ROWS)
    if isinstance(panel, Tree):
        return len(panel.nodes)
    if isinstance(panel, Grid):
        return panel.values.size // _VALUES_OF_ROW
    if isinstance(panel, Chart):
        return sum(curve.x.size for curve in panel.curves) // _VALUES_OF_ROW
    return 0


def _traced(recording: Recording, number: int) -> AttemptTrace | None:
    """An attempt with its steps; None where the strategy cannot repeat it."""
    look()
    try:
        with short_calls():
            return recording.trace(number)
    except StrategyError:
        return None


class StepPages:
    """The steps of some attempts; what several steps have in common is there once."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._rows, self._panels, self._paths = _Shelf(), _Shelf(), _Shelf()

    @property
    def kept(self) -> dict[str, Any]:
        """What the steps have in common."""
        return {"rows": self._rows.kept, "panels": self._panels.kept, "paths": self._paths.kept}

    def of(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """Some attempts, by number, with their steps, each in each language."""
        return [self._attempt(number) for number in numbers]

    def _attempt(self, number: int) -> dict[str, Any]:
        position, job, outcome = self._recording.attempts[number]
        trace = _traced(self._recording, number)
        steps = [] if trace is None else self._steps(trace)
        made = {"position": position, "job": job, "outcome": int(outcome)}
        return {name: made | {"steps": [step[name] for step in steps]} for name in page_languages()}

    def _steps(self, trace: AttemptTrace) -> list[dict[str, dict[str, Any]]]:
        steps = []
        for place in range(len(trace.steps)):
            look()
            steps.append(in_each_language(partial(self._step, trace, place)))
        return steps

    def _step(self, trace: AttemptTrace, place: int) -> dict[str, Any]:
        looker = self._recording.new_strategy()
        fault = ""
        try:
            with short_calls():
                inspection = looker.inspect(trace.moment(place + 1))
        except StrategyError as error:
            inspection, fault = Inspection((), (), ""), str(error)
        said = narrate_step(self._recording, trace.job, fault or inspection.says, leaving=False)
        step: dict[str, Any] = {
            "line": trace.steps[place].line,
            "says": str(said),
            "marks": [_mark(mark) for mark in parted(inspection.marks, self._recording.mesh)],
            "panels": [self._panel(panel) for panel in inspection.panels],
        }
        if inspection.heat is not None:
            step["heat"] = self._panel(inspection.heat)[0]
        if inspection.path is not None:
            step["path"] = self._paths.place_of(inspection.path.tobytes(), partial(_path, inspection.path))
        return step

    def _panel(self, panel: Panel) -> list[int]:
        """The place of a panel, and of its row or node that the step is about, -1 if there is none."""
        now = panel.current if isinstance(panel, Table | Tree) else None
        of_kind: Callable[[Any], dict[str, Any]] = WRITERS.get(type(panel), _elsewhere)
        data = self._table(panel) if isinstance(panel, Table) else of_kind(panel)
        return [self._panels.place(data), -1 if now is None else now]

    def _table(self, table: Table) -> dict[str, Any]:
        rows = [self._rows.place_of(row.cells, partial(_row, row.cells)) for row in _first_rows(table)]
        return {
            "kind": "table",
            "title": table.title,
            "columns": list(table.columns),
            "rows": rows,
            "more": len(table.rows) - len(rows),
            "empty": table.empty,
        }


def _elsewhere(panel: Panel) -> dict[str, Any]:
    """What a page says of a kind of data that it does not draw."""
    said = tr("This page does not show this structure; the window of MeshGUI does.")
    return {"kind": "table", "title": panel.title, "columns": [], "rows": [], "more": 0, "empty": said}


class _Shelf:
    """Things kept once each."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def place(self, thing: Any) -> int:  # noqa: ANN401 - any JSON value
        """Where it lies."""
        return self.place_of(json.dumps(thing), lambda: thing)

    def place_of(self, key: Hashable, make: Callable[[], Any]) -> int:
        """Where the one with a key lies, which is made where it is new."""
        if key not in self._places:
            self._places[key] = len(self.kept)
            self.kept.append(make())
        return self._places[key]


def _first_rows(table: Table) -> Iterable[TableRow]:
    return table.rows[:_MOST_ROWS]


def _row(cells: Iterable[str | JobCell | None]) -> list[Any]:
    return [_cell(cell) for cell in cells]


def _cell(cell: str | JobCell | None) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(cell, JobCell):
        return [cell.text, -1 if cell.job is None else cell.job]
    return cell


def _mark(mark: Mark) -> list[int]:
    return [int(mark.role), *mark.box]


def _path(path: Polyline) -> list[float]:
    return [round(number, 3) for number in path.ravel().tolist()]


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "kind": "grid",
        "title": grid.title,
        "values": grid.values.ravel().tolist(),
        "legend": [[entry.value, said_again(entry.label), int(entry.role)] for entry in grid.legend],
        "heat": None if grid.heat is None else [grid.heat.label, grid.heat.low, grid.heat.high],
    }


def _tree(tree: Tree) -> dict[str, Any]:
    keys = {node.key: place for place, node in enumerate(tree.nodes)}
    nodes = [
        [-1 if n.parent is None else keys[n.parent], int(n.kind), n.label, n.above, int(n.reserved), n.job]
        for n in tree.nodes
    ]
    return {"kind": "tree", "title": tree.title, "nodes": nodes, "empty": tree.empty}


def _chart(chart: Chart) -> dict[str, Any]:
    curves = [[c.label, c.x.tolist(), c.y.tolist(), int(c.steps), int(c.current)] for c in chart.curves]
    return {
        "kind": "chart",
        "title": chart.title,
        "x": chart.x_label,
        "y": chart.y_label,
        "curves": curves,
        "signs": [[sign.label, sign.x] for sign in chart.signs],
        "empty": chart.empty,
    }


WRITERS: Final[dict[type[Panel], Callable[[Any], dict[str, Any]]]] = {Grid: _grid, Tree: _tree, Chart: _chart}
"""How a page gets each kind of data besides tables; `resources/web/code.js` draws it."""
