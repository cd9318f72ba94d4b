"""What a third-party strategy shows is held to the interface, part by part."""

from dataclasses import fields, is_dataclass, replace
from inspect import isfunction

import numpy as np
import pytest

from meshgui.engine.allocation.answer_checks import (
    ANSWERS,
    CLASS_VARIABLES,
    allocation_in,
    boxes_in,
    inspection_fault,
    steps_fault,
)
from meshgui.engine.allocation.base import AttemptTrace, Reservation, Strategy
from meshgui.engine.allocation.inspection import (
    Chart,
    ChartMarker,
    Curve,
    Grid,
    GridValue,
    Heat,
    Inspection,
    JobCell,
    Moment,
    NodeKind,
    Request,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import Mark, Role, Steps
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.value_checks import misfit
from tests.runs import run_of

MESH = Mesh((3, 2))
BOX = Box(0, 0, 0, 1, 1, 1)
MARK = Mark(Role.TRIED, BOX, (0, 0, 0))
TABLE = Table("Table", ("job",), (TableRow(("1",), MARK),), "none")
GRID = Grid("Grid", np.zeros((1, 2, 3), dtype=np.int32), (GridValue(0, "free", Role.NOTHING),))
TREE = Tree(
    "Tree", (TreeNode(0, None, NodeKind.FREE, "0"), TreeNode(1, 0, NodeKind.BUSY, "1", mark=MARK)), "none"
)
CHART = Chart("Chart", "x", "y", (Curve("a", np.zeros(2), np.zeros(2)),))
ALL = Inspection((TABLE, GRID, TREE, CHART), (MARK,), "words", np.zeros((2, 3), dtype=np.float32), GRID)
TRACE = AttemptTrace(
    Request(0, (1, 1, 1)), {"held": np.zeros(2)}, Steps(np.zeros((0, 11), dtype=np.int32)), None
)
EVERYTHING = replace(
    ALL,
    panels=(
        replace(TABLE, rows=(TableRow((JobCell("1", 1),), MARK),)),
        replace(GRID, heat=Heat("busy", 0, 1)),
        TREE,
        replace(CHART, signs=(ChartMarker("now", 1.0),)),
    ),
)
BAD_MARK = MARK._replace(box=Box(0, 0, 0, -1, 1, 1))
UNEVEN = Curve("", np.zeros(2), np.zeros(3))


def test_what_is_right_is_let_through():
    """Every kind of panel, and all the project's own strategies show at a step."""
    assert inspection_fault(ALL, MESH) is None
    recording = run_of("three-jobs-4x4x4")
    for attempt in range(len(recording.attempts)):
        trace = recording.trace(attempt)
        strategy = recording.new_strategy()
        for end in range(len(trace.steps) + 1):
            seen = strategy.inspect(Moment(trace.before, trace.request, trace.steps[:end]))
            assert inspection_fault(seen, recording.mesh) is None
        assert misfit(trace, ANSWERS["trace"], "a trace") is None
        assert steps_fault(trace.steps, len(strategy.lines)) is None


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        (None, "expected a Inspection, got None"),
        (replace(ALL, says=7), "says: expected text, got 7"),
        (replace(ALL, says="\x1b[2J"), r"says: expected text, got '\x1b[2J'"),
        (replace(ALL, panels=(replace(TABLE, title="a\u202eb"),)), r"title: expected text, got 'a\u202eb'"),
        (replace(ALL, panels=[TABLE]), "panels: expected a tuple"),
        (replace(ALL, panels=("table",)), "panels: expected a Table, got 'table'"),
        (replace(ALL, panels=(TABLE, TABLE)), "two panels with the same title"),
        (replace(ALL, panels=(replace(TABLE, columns=()),)), "Table: a row of 1 cells below 0 columns"),
        (replace(ALL, panels=(replace(TABLE, rows=(TableRow((1,)),)),)), "cells: expected text, got 1"),
        (replace(ALL, panels=(replace(TABLE, rows=(TableRow(("1",), BAD_MARK),)),)), "Table: the box"),
        (replace(ALL, panels=(replace(GRID, values=np.zeros((2, 3), dtype=int)),)), "Grid: numbers of shape"),
        (replace(ALL, panels=(replace(GRID, values=np.zeros((1, 2, 3))),)), "expected an array of whole"),
        (replace(ALL, panels=(replace(GRID, values=[[1]]),)), "array of whole numbers, got [[1]]"),
        (replace(ALL, panels=(replace(GRID, path=np.zeros(3)),)), "Grid: a path of shape"),
        (replace(ALL, panels=(replace(GRID, heat=Heat("a", 0, "b")),)), "high: expected a whole number"),
        (replace(ALL, panels=(replace(GRID, legend=(GridValue(0, "a", 1),)),)), "role: expected a Role"),
        (replace(ALL, panels=(replace(TREE, nodes=TREE.nodes[::-1]),)), "Tree: the node 1 twice, or before"),
        (replace(ALL, panels=(replace(TREE, nodes=TREE.nodes[:1] * 2),)), "Tree: the node 0 twice"),
        (replace(ALL, panels=(replace(CHART, curves=(UNEVEN,)),)), "Chart: a curve"),
        (replace(ALL, marks=(BAD_MARK,)), "which is not valid"),
        (replace(ALL, marks=(("tried", (0, 0, 0)),)), "marks: expected a Mark"),
        (replace(ALL, marks=(MARK._replace(box=(0, 0, 0)),)), "box: expected a Box"),
        (replace(ALL, path=np.zeros((2, 2), dtype=np.float32)), "a path of shape"),
        (replace(ALL, heat=replace(GRID, values=np.zeros((9, 2, 3), dtype=int))), "Grid: numbers of shape"),
    ],
)
def test_what_is_wrong_is_named(seen, fault):
    """One line says where, what was expected and what was there."""
    said = inspection_fault(seen, MESH)
    assert said is not None
    assert fault in said
    assert said.isprintable()


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ([-1, 1, 0, 0, 0, 1, 1, 1], "a further mark before its first step"),
        ([2, 1, 0, 0, 0, 1, 1, 1], "the line 2: expected one from 0 to 1"),
        ([-7, 1, 0, 0, 0, 1, 1, 1], "the line -7"),
        ([0, 99, 0, 0, 0, 1, 1, 1], "the role 99"),
        ([0, 1, 0, 0, 0, -1, 1, 1], "the box (0, 0, 0, -1, 1, 1)"),
        ([0, 1, 99999, 0, 0, 1, 1, 1], "the box (99999, 0, 0, 1, 1, 1)"),
    ],
)
def test_a_log_of_rubbish_is_named(row, fault):
    """Lines, roles and boxes that there are not."""
    rows = np.array([[*row, 0, 0, 0]], dtype=np.int32)
    assert fault in (steps_fault(Steps(rows), 2) or "")


@pytest.mark.parametrize(
    ("trace", "fault"),
    [
        (None, "trace: expected a AttemptTrace, got None"),
        (TRACE._replace(steps=[]), "trace, steps: expected a Steps, got []"),
        (
            TRACE._replace(request=Request(0, (1, 1))),
            "trace, request, size: expected a tuple of 3, got (1, 1)",
        ),
        (TRACE._replace(before={"held": [0]}), "trace, before, held: expected an array, got [0]"),
    ],
)
def test_a_trace_of_other_parts_is_named(trace, fault):
    """What a strategy answers when it is stepped is read part by part before it is stepped."""
    assert misfit(TRACE, ANSWERS["trace"], "trace") is None
    assert misfit(trace, ANSWERS["trace"], "trace") == fault


def spoilt(value):
    """Copies of a value with one part of it, at any depth, replaced by what fits nowhere; and its name."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        for number, item in enumerate(value):
            yield from ((name, (*value[:number], bad, *value[number + 1 :])) for name, bad in spoilt(item))
        return
    if is_dataclass(value):
        parts, copy = {f.name: getattr(value, f.name) for f in fields(value)}, replace
    elif hasattr(value, "_fields"):
        parts, copy = value._asdict(), lambda whole, **part: whole._replace(**part)
    else:
        return
    for name, part in parts.items():
        yield name, copy(value, **{name: object()})
        yield from ((inner, copy(value, **{name: bad})) for inner, bad in spoilt(part))


def test_every_part_of_what_is_shown_and_every_member_and_box_of_a_strategy_is_checked():
    """None can be what it must not be; boxes are sequences of six whole numbers, also of a reservation."""
    for name, seen in spoilt(EVERYTHING):
        said = misfit(seen, ANSWERS["inspect"], "an inspection")
        assert said is not None, name
        assert f", {name}: expected " in said
    for name, trace in spoilt(TRACE._replace(outcome=(BOX,))):
        if name not in {"rows", "before"}:
            assert f", {name}: expected " in misfit(trace, ANSWERS["trace"], "a trace")
    stated = {name for name, hint in Strategy.__annotations__.items() if hint.startswith("ClassVar")}
    assert set(CLASS_VARIABLES) == stated
    methods = {
        name
        for name, member in vars(Strategy).items()
        if not name.startswith("_") and (isfunction(member) or isinstance(member, classmethod))
    }
    assert methods - set(ANSWERS) == {"allocate", "release", "restore", "replay", "hold_out", "let_in"}
    assert set(ANSWERS) <= methods
    assert boxes_in([np.arange(6), (0, 0, 0, 1, 1, 1)]) == (Box(0, 1, 2, 3, 4, 5), Box(0, 0, 0, 1, 1, 1))
    for wrong in (7, True, [7], [(1, 2)], [(0.5,) * 6], [("a",) * 6], [(0,) * 6, (0,)]):
        assert boxes_in(wrong) is None
    assert allocation_in(Reservation((1, 2, 0, 2, 1, 1))) == (Reservation(Box(1, 2, 0, 2, 1, 1)), None)
    assert not any(cls.__mro__[1].__name__ == "Guarded" for cls in strategies().values())
