"""Builds what inspectors show: tables row by row, and grids from the meanings that their legend explains."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import Grid, GridValue, Heat, JobCell, Polyline, Table, TableRow
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, region
from meshgui.engine.basics.translation import tr

BASES = (
    UNSEEN := GridValue(-1, tr("not looked at"), Role.NOTHING),
    BUSY := GridValue(-2, tr("busy"), Role.BLOCKED),
    NOT_A_BASE := GridValue(-3, tr("no base"), Role.PROHIBITED),
)
"""What a processor is as a base, where others have a number: how many places around its box touch."""


class TableBuilder:
    """A table in the making."""

    def __init__(
        self, title: str, columns: tuple[str, ...], empty: str = "", jobs: tuple[str, ...] = ()
    ) -> None:
        self._made = title, columns, empty, jobs
        self.rows: list[TableRow] = []

    def row(self, *cells: str | JobCell | None, mark: Mark | None = None, current: bool = False) -> None:
        """Add a row."""
        self.rows.append(TableRow(cells, mark, current))

    def table(self) -> Table:
        """The table."""
        title, columns, empty, jobs = self._made
        return Table(title, columns, tuple(self.rows), empty, jobs)


class GridBuilder:
    """A grid in the making: every processor has the first of its meanings until it is given another."""

    def __init__(self, shape: tuple[int, ...], *legend: GridValue) -> None:
        self.values: Ints32 = np.full(shape, legend[0].value, dtype=np.int32)
        self._legend = legend

    def fill(self, boxes: Iterable[Box], meaning: GridValue) -> None:
        """Give the processors of boxes a meaning."""
        for box in boxes:
            region(self.values, box)[:] = meaning.value

    def put(self, where: NDArray[np.bool_], meaning: GridValue) -> None:
        """Give those processors a meaning of which this is so."""
        self.values[where] = meaning.value

    def grid(self, title: str, heat: Heat | None = None, path: Polyline | None = None) -> Grid:
        """The grid."""
        return Grid(title, self.values, self._legend, heat, path)


def job_cell(job: int) -> JobCell:
    """A job by its number, in a column of jobs; or that a box is down."""
    return JobCell(tr("down")) if job < 0 else JobCell(str(job), job)


def named_job(job: int) -> JobCell:
    """A job by its name: job 3; or what is down."""
    return JobCell(tr("down")) if job < 0 else JobCell(tr("job {job}").format(job=job), job)


def plain_mark(role: Role, box: Box, number: int = 0) -> Mark:
    """A box with its meaning, and a number."""
    return Mark(role, box, (number, 0, 0))


def busy_table(boxes: Iterable[tuple[Box, int]], role: Role) -> Table:
    """The boxes that are held, each with its job."""
    of_job = tr("Job")
    table = TableBuilder(
        tr("Busy boxes"), (of_job, tr("Box")), tr("Empty: no processor is held."), jobs=(of_job,)
    )
    for box, job in boxes:
        table.row(job_cell(job), box.describe(flat=True), mark=plain_mark(role, box))
    return table.table()


def with_those_before(now: tuple[Mark, ...], before: Iterable[Mark]) -> tuple[Mark, ...]:
    """The marks of a step, and those of earlier ones whose boxes it does not mark itself."""
    shown = {mark.box for mark in now}
    return (*now, *(mark for mark in before if mark.box not in shown))
