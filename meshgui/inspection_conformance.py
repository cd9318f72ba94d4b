"""The properties of a strategy's steps and of its inspector; `conformance` has the others."""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.answer_checks import inspection_fault, steps_fault
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import Grid, Inspection, JobCell, Moment, Table, Tree
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.stories import ROOMY, Answer, Departure, StoryRun, numbers, require, same_state

_STEPS_INSPECTED = 25  # of an attempt, evenly spread


def inspects_every_step(run: StoryRun, answer: Answer) -> None:
    """At each step the inspector shows panels that hold together: the same ones, and trees that only grow."""
    looker, job = run.make(run.mesh), answer.request.job
    looker.restore(answer.before)
    first = _inspected(looker, Moment(answer.before), run.mesh)
    trace = looker.trace(answer.request)
    parents: dict[str, dict[int, int | None]] = {}
    for step in _some_of(len(trace.steps)):
        moment = Moment(trace.before, trace.request, trace.steps[: step + 1])
        where = tr("at step {step} of job {job}").format(step=step + 1, job=job)
        seen = _inspected_like(first, looker, moment, run.mesh, where)
        for panel in seen.panels:
            if isinstance(panel, Grid):
                _check_grid(panel, where)
            elif isinstance(panel, Tree):
                nodes = {node.key: node.parent for node in panel.nodes}
                before = parents.get(panel.title, {})
                lost = tr("{where} the tree {panel} has lost or moved a node").format(
                    where=where, panel=panel.title
                )
                require(before.items() <= nodes.items(), lost)
                parents[panel.title] = nodes


def steps_through_releases(run: StoryRun, departure: Departure) -> None:
    """With a log a release is the same, and costs the same; each of its steps can be shown."""
    working, looker, (job, before) = run.working, run.make(run.mesh), departure
    if not working.release_lines:
        return
    after, costs = working.capture(), set()
    for log in (StepLog(ROOMY), StepLog(2), None):
        looker.restore(before)
        operations = looker.operations
        looker.release(job) if log is None else looker.release(job, log)
        costs.add(looker.operations - operations)
        how = tr("without a log") if log is None else tr("with a log")
        require(
            same_state(looker.capture(), after),
            tr("{how} the release of job {job} led to a different state").format(how=how, job=job),
        )
    require(
        len(costs) == 1,
        tr("releasing job {job} took {numbers} operations, with a log and without").format(
            job=job, numbers=numbers(costs)
        ),
    )
    looker.restore(before)
    trace = looker.trace_release(job)
    fault = steps_fault(trace.steps, len(working.release_lines))
    require(
        fault is None, tr("the log of the release of job {job} holds {fault}").format(job=job, fault=fault)
    )
    reached = looker.released(trace.moment(len(trace.steps)))
    follows = same_state(reached, after) or same_state(reached, before)  # it need not follow its steps
    require(
        follows,
        tr("the steps of the release of job {job} lead to a different state than the release").format(
            job=job
        ),
    )
    first = _inspected(looker, Moment(before), run.mesh)
    for step in _some_of(len(trace.steps)):
        moment = trace.moment(step + 1)
        where = tr("at step {step} of the release of job {job}").format(step=step + 1, job=job)
        _inspected_like(first, looker, moment, run.mesh, where)


def _some_of(steps: int) -> range:
    """Some steps, evenly spread."""
    return range(0, steps, max(steps // _STEPS_INSPECTED, 1))


def _inspected(working: Strategy, moment: Moment, mesh: Mesh) -> Inspection:
    seen = working.inspect(moment) if moment.leaving is None else working.inspect_release(moment)
    fault = inspection_fault(seen, mesh)
    require(fault is None, tr("the inspector shows {fault}").format(fault=fault))
    require(str(seen.says).strip() or not moment.steps, tr("the inspector has no sentence about a step"))
    for table in (panel for panel in seen.panels if isinstance(panel, Table)):
        cells = (zip(table.columns, row.cells, strict=True) for row in table.rows)
        columns = {column for row in cells for column, cell in row if isinstance(cell, JobCell)}
        odd = columns - set(table.jobs)
        require(
            not odd,
            tr("the table {table} shows jobs in {odd}, which it says has none").format(
                table=table.title, odd=", ".join(odd)
            ),
        )
    return seen


def _inspected_like(
    first: Inspection, working: Strategy, moment: Moment, mesh: Mesh, where: str
) -> Inspection:
    """The inspection of a step, which has the panels of the first and the sentence of the step."""
    seen = _inspected(working, moment, mesh)
    require(
        _panels(seen) == _panels(first),
        tr("{where} the panels differ from those before the first step").format(where=where),
    )
    require(
        seen.says == working.say(moment),
        tr("{where} the inspector shows a different sentence than `say`").format(where=where),
    )
    return seen


def _panels(seen: Inspection) -> list[tuple[str, type]]:
    return [(panel.title, type(panel)) for panel in seen.panels]


def _check_grid(grid: Grid, where: str) -> None:
    legend, heat = {value.value for value in grid.legend}, grid.heat
    low, high = (heat.low, heat.high) if heat is not None else (1, 0)
    odd = [n for n in np.unique(grid.values).tolist() if n not in legend and not low <= n <= high]
    require(
        not odd,
        tr("{where} the grid {grid} has the value {odd} outside its legend and heat map").format(
            where=where, grid=grid.title, odd=odd[:1]
        ),
    )
