"""Writes the lines of a strategy and small attempts and releases, step by step: sentences, marks, panels.

`python -m tests.narrations` writes `tests/golden/narrations` again; read what has changed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from meshgui.engine.allocation import inspection
from meshgui.engine.allocation.base import AttemptTrace, ReleaseTrace, Strategy
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Box
from tests.attempts import Attempt, ask, at_work

FOLDER = Path(__file__).parent / "golden" / "narrations"
MAX_STEPS = 40  # of what has more, only the end is written down

# Of each strategy the mesh, the options, and what is asked for after three small jobs, of which one has left.
# What stands behind a plus tells two of one strategy apart.
FLAT = ((2, 3), (3, 2), (3, 3))
TOLD = {
    "2dbs": ((4, 4), {}, ((2, 1), (1, 1), (3, 3))),
    "adj": ((4, 4), {}, FLAT),
    "anca": ((4, 4), {}, FLAT),
    "anca+small": ((3, 2), {"stop": "below-one"}, ((2, 1), (3, 1))),
    "arsgabl": ((4, 3), {}, FLAT),
    "as": ((4, 4), {}, FLAT),
    "asmb": ((4, 4), {}, FLAT),
    "bf": ((3, 2, 2), {}, ((2, 1, 2), (1, 1), (3, 2, 2))),
    "bgp": ((4, 3), {"bound": 2, "fuzzy": True, "target": 60}, FLAT),
    "bgp+indicators": (
        (4, 3),
        {
            "fuzzy": True,
            "indicators": [
                {"of": "blocks", "target": 2.0, "reach": 4.0, "weight": 2.0},
                {"of": "latency"},
                {},
            ],
        },
        FLAT,
    ),
    "bgp+fixed": ((3, 2), {"bound": 1}, ((2, 1), (3, 2))),
    "bl": ((3, 2, 3), {}, ((2, 1, 2), (1, 1, 3), (3, 2, 2))),
    "bluegene": ((4, 2, 2), {"unit": 2}, ((2, 2, 1), (4, 1, 1))),
    "ff": ((4, 3), {}, FLAT),
    "fs": ((4, 4), {}, FLAT),
    "fsl": ((4, 3), {}, FLAT),
    "gabl": ((3, 2), {}, ((2, 1), (1, 1), (3, 2))),
    "genalg": ((3, 2), {}, ((1, 2), (3, 2))),
    "ls": ((4, 4), {}, FLAT),
    "mbs+large": ((8, 4), {}, ((2, 4), (1, 3), (1, 3))),
    "mbs": ((4, 4), {}, ((1, 3), (1, 3), (3, 3))),
    "mbs+cubes": ((4, 2, 3), {}, ((1, 1, 3), (2, 3), (3, 2, 2))),
    "paging": ((4, 4), {"size_index": 1, "selection": "best-fit"}, FLAT),
    "paging+cubes": ((4, 2, 4), {"size_index": 1, "order": "hilbert"}, ((2, 1, 2), (3, 1, 3))),
    "paging+first": ((3, 3), {"selection": "first-fit"}, ((2, 2), (2, 1), (3, 2))),
    "paging+interference": ((4, 2), {"selection": "minimum-interference"}, ((1, 2), (2, 1))),
    "paging+take": ((4, 2), {}, ((1, 2), (2, 2))),
    "pald-bf": ((3, 2), {}, ((2, 1), (3, 2))),
    "pald-ff": ((3, 2), {}, ((2, 1), (3, 2))),
    "pald-ff+bound": ((3, 2, 2), {"bound": 1}, ((2, 1), (3, 1, 2), (2, 1, 2))),
    "qa": ((4, 4), {}, FLAT),
    "random": ((4, 3), {}, FLAT),
    "sdsc": ((4, 4), {}, FLAT),
    "ta": ((4, 4), {"search": "best", "eafr": True}, FLAT),
    "ta+first": ((4, 4), {"search": "breadth-first"}, FLAT),
    "tbf": ((4, 3), {}, FLAT),
    "tbl": ((4, 3), {}, FLAT),
    "tff": ((4, 3), {}, FLAT),
    "torus3d": (
        (4, 4, 4),
        {"placements": [{"dims": (1, 2, 1)}, {"dims": (1, 1, 1)}, {"dims": (4, 2, 2), "seed": (3, 0, 0)}]},
        ((1, 2, 1), (4, 2, 2)),
    ),
    "tpu-ocs": ((8, 4, 4), {}, ((4, 4, 4), (4, 4, 8))),
    "tpu-static": ((8, 4, 4), {}, ((4, 4, 4), (8, 4, 4))),
}
# What is seldom seen: the mesh, the options, what a job asks for, and the boxes that jobs 0, 1 … hold.
SELDOM = {
    "adj+alone": ((4, 3), {}, 1, [(0, 1, 1)]),  # a box that touches nothing, or one place
    "adj+corner": ((4, 4), {}, (2, 2), ((0, 0, 1, 4), (1, 3, 3, 1))),  # where two busy boxes meet
    "adj+later": ((5, 2), {}, 1, ((4, 0, 1, 2), (3, 0, 1))),  # boxes that touch more than those before
    "adj+none": ((4, 1), {}, (2, 1), [(1, 0, 2, 1)]),  # a jump over a busy box, and no room behind it
    "anca+apart": ((5, 1), {"stop": "below-one"}, 3, ((1, 0, 1), (3, 0, 1))),  # parts that are given back
    "anca+cut": ((5, 3), {}, (4, 3), [(2, 0, 1, 3)]),
    "anca+once": ((8, 2), {"rounds": 1}, (4, 2), [(x, 0, 1, 2) for x in (1, 3, 5)]),
    "arsgabl+shapes": ((12, 6), {}, (6, 2), ()),  # five of them
    "as+jumps": ((7, 4), {}, (3, 2), ((1, 0, 3, 1), (5, 1, 1))),
    "asmb+lower": ((4, 4), {}, 1, [(0, 0, 4, 2)]),  # the lower half of a block is held
    "asmb+failed": ((3, 3), {}, (3, 2), [(1, 1, 1)]),  # blocks, as no rectangle is free
    "asmb+taken": ((4, 4), {}, (3, 2), [(0, 0, 1)]),  # a rectangle over parts of blocks
    "bf+blocked": ((4, 2), {}, (1, 2), [(1, 1, 1)]),  # by the processor above the base
    "bf+equal": ((8, 2), {}, (1, 2), ((3, 0, 1, 2), (6, 0, 2))),
    "bf+kept": ((5, 2), {}, 1, ((2, 1, 2, 1), (3, 0, 1))),  # for each of three reasons
    "bluegene+blocked": ((6, 2, 2), {"unit": 2}, (4, 2, 2), [(2, 0, 0, 2, 2, 2)]),
    "fs+full": ((3, 2), {}, 1, [(0, 0, 3, 2)]),  # no first frame
    "fs+missed": ((6, 5), {}, (3, 2), ((0, 0, 1), (3, 1, 2), (1, 2, 2, 1))),  # 000 figure 2.3
    "fsl+rest": ((3, 3), {}, (2, 2), [(2, 2, 1)]),  # a rest inside another rest
    "fsl+dropped": ((4, 3), {}, (2, 1), [(0, 0, 2, 1)]),  # a rest inside a free box
    "genalg+both": ((3, 2), {}, 3, [(1, 0, 1)]),  # processors of the best set and of that at hand
    "ls+behind": ((4, 2), {}, (3, 1), ((0, 0, 1, 2), (2, 0, 2, 1))),  # a lower rectangle behind a higher
    "ls+high": ((3, 5), {}, (3, 3), ()),  # the first line that is high enough
    "ls+hill": ((4, 2), {}, (4, 1), ((0, 0, 1), (3, 0, 1))),
    "ls+low": ((3, 3), {}, (3, 2), ((1, 0, 2, 1), (0, 2, 1), (0, 1, 1))),  # no two rows have three columns
    "mbs+divided": ((4, 4), {}, (2, 2), [(x, y, 1) for x in (0, 2) for y in (0, 2)]),
    "mbs+long": ((8, 8), {}, 1, [(x, y, 1) for x in range(8) for y in range(8) if x % 2 or y % 2]),
    "paging+curve": ((4, 4), {"size_index": 1, "order": "snake"}, 1, [(0, 0, 2)]),
    "paging+cut": ((4, 2), {"selection": "first-fit"}, 3, [(2, 0, 1)]),  # a run that is too short
    "pald-bf+parts": ((2, 4), {}, (2, 3), [(0, 2, 2, 1)]),
    "pald-ff+parts": ((2, 4), {}, (2, 3), [(0, 2, 2, 1)]),
    "qa+farther": ((5, 3), {}, (2, 2), ((0, 0, 4, 1), (1, 1, 2, 1))),  # a row covered farther already
    "qa+first": ((5, 1), {}, (2, 1), ((0, 0, 1), (3, 0, 1))),  # a row covered up to column 0
    "qa+gap": ((9, 2), {}, (3, 1), ((5, 0, 4, 1), (0, 0, 2))),
    "random+last": ((3, 2), {}, 3, [(1, 0, 1)]),  # the last takes over the number drawn
    "sdsc+again": ((4, 4), {}, 9, [(0, 0, 1)]),  # with every block distances are measured again
    "sdsc+quarters": ((4, 4), {}, (4, 2), [(x, y, 1) for x in (0, 2) for y in (0, 2)]),
    "sdsc+upper": ((8, 8), {}, (3, 3), ((0, 0, 4), (4, 0, 4), (4, 4, 2), (6, 4, 2), (4, 6, 2))),
    "torus3d+seam": ((4, 4, 4), {}, (4, 4, 4), [(0, 0, 0, 1, 1, 1)]),  # no larger placement, no free anchor
    "tpu-ocs+picked": (
        (8, 8, 4),
        {},
        (8, 4, 4),
        [(4, 0, 0, 1, 1, 1)],
    ),  # cubes that do not stand side by side
    "tpu-ocs+small": ((8, 4, 4), {}, (2, 4, 4), ((0, 0, 0, 3, 4, 4), (4, 0, 0, 4, 4, 4))),
    "tpu-static+edge": ((8, 8, 4), {}, (4, 8, 4), ((4, 0, 0, 4, 4, 4), (0, 4, 0, 4, 4, 4))),
    "tpu-static+small": ((8, 4, 4), {}, (2, 2, 4), [(0, 0, 0, 4, 3, 3)]),
    "2dbs+empty": ((8, 8), {}, (2, 1), [(4, 4, 4)]),  # a list without squares
    "tbf+turned": ((4, 2), {}, (1, 2), ((0, 0, 1), (1, 1, 1), (2, 0, 1), (3, 1, 1))),
}


def narration(name: str) -> str:
    """The attempts of a strategy, as text."""
    return "\n".join(_attempt(name) if name in SELDOM else _lines(name)) + "\n"


def _at_work(name: str, shape: tuple[int, ...], *held: tuple[int, ...], **options: object) -> Strategy:
    """The strategy on a mesh, or on a torus if it works on nothing else."""
    own, _, _ = name.partition("+")
    wrap = (True,) * len(shape) if own == "torus3d" else ()
    return at_work(own, shape, *held, first=0, wrap=wrap, **options)


def _attempt(name: str) -> Iterator[str]:
    shape, options, size, held = SELDOM[name]
    working = _at_work(name, shape, *held, **options)
    attempt = Attempt(working, size, 100)
    yield f"job 100 gets {_plain(attempt.trace.outcome)}"
    yield from _steps(working, working.lines, attempt.trace)


def restored(name: str) -> tuple[list[str], list[str]]:
    """The attempts of a strategy at work, and of another that begins with its state."""
    shape, options, sizes = TOLD[name]
    first, second = (_at_work(name, shape, **options) for _ in range(2))
    for job, size in enumerate([(1, 2), 1]):
        ask(first, size, job, service=3.0 + job)
    second.restore(first.capture())
    second.operations = first.operations
    texts: tuple[list[str], list[str]] = ([], [])
    for working, lines in zip((first, second), texts, strict=True):
        for job, size in enumerate([shape, *sizes], start=2):
            attempt = Attempt(working, size, job, now=1.0, service=4.0)
            lines += [*_steps(working, working.lines, attempt.trace), f"{working.operations} operations"]
    return texts


def _lines(name: str) -> Iterator[str]:
    shape, options, sizes = TOLD[name]
    working = _at_work(name, shape, **options)
    if "+" not in name:
        yield from (f"{'  ' * line.indent}{line.text}" for line in (*working.lines, *working.release_lines))
    for job, size in enumerate([(1, 2), (2, 1), 1]):
        ask(working, size, job, service=3.0 + job)
    working.release(0)
    present = [1, 2]
    for job, size in enumerate(sizes, start=3):
        before = working.operations
        trace = Attempt(working, size, job, now=1.0, service=4.0).trace
        cost = f"{working.operations - before} operations"
        yield f"job {job} asks for {'×'.join(map(str, size))} and gets {_plain(trace.outcome)}, {cost}"
        yield from _steps(working, working.lines, trace)
        if trace.boxes is not None:
            present.append(job)
    for job in present:
        before = working.operations
        trace = working.trace_release(job) if working.release_lines else working.release(job)
        yield f"job {job} leaves, {working.operations - before} operations"
        if trace is not None:
            yield from _steps(working, working.release_lines, trace)


def _steps(working: Strategy, lines: Sequence[Line], trace: AttemptTrace | ReleaseTrace) -> Iterator[str]:
    """The steps of an attempt or a release, and what is shown at its end."""
    for n, step in enumerate(trace.steps, 1):
        if len(trace.steps) > MAX_STEPS and n < len(trace.steps):
            continue
        moment = trace.moment(n)
        marks = "; ".join(map(_plain, step.marks))
        line = lines[step.line]
        yield f"  {'* ' if line.decision else ''}{line.label}: {working.say(moment)} [{marks}]"
        seen = working.inspect(moment) if moment.leaving is None else working.inspect_release(moment)
        if seen.marks != step.marks:
            yield f"    marked: {'; '.join(map(_plain, seen.marks))}"
        yield from (f"    {_plain(row)}" for panel in seen.panels for row in _rows(panel) if row.current)
    yield from (f"    {_plain(panel)}" for panel in (*seen.panels, seen.path) if panel is not None)
    if seen.heat is not None:
        yield f"    heat: {seen.heat.title}"


def _rows(
    panel: inspection.Panel,
) -> tuple[inspection.TableRow | inspection.TreeNode | inspection.Curve, ...]:
    """The parts of a panel that a step can be about."""
    return next((getattr(panel, of) for of in ("rows", "nodes", "curves") if hasattr(panel, of)), ())


def _plain(value: object) -> str:
    """A value in few words."""
    match value:
        case Box():
            return f"{'×'.join(map(str, value.size))} at {','.join(map(str, value.base))}"
        case Mark():
            return " ".join(
                [value.role.name.lower(), _plain(value.box), *map(str, filter(None, value.values))]
            )
        case inspection.Table():
            return f"{value.title}: {' / '.join(map(_plain, value.rows))}"
        case inspection.TableRow(cells, mark, current):
            marked = "" if mark is None else f" [{_plain(mark)}]"
            return f"{'> ' if current else ''}{' | '.join(map(_plain, cells))}{marked}"
        case inspection.JobCell():
            return f"{value.text} of {value.job}"
        case inspection.Grid():
            path = "" if value.path is None else f" through {_plain(value.path)}"
            return f"{value.title}: {value.values.tolist()} {_plain(value.legend)} {_plain(value.heat)}{path}"
        case inspection.GridValue():
            return f"{value.value}={value.label}"
        case inspection.ChartMarker():
            return f"{value.label} at {value.x:g}"
        case inspection.Tree():
            return f"{value.title}: {' / '.join(map(_plain, value.nodes))}"
        case inspection.TreeNode():
            job = "" if value.job is None else f" of {value.job}"
            said = f"{value.label} {value.kind.name.lower()}{job} {value.above}"
            kept = " reserved" if value.reserved else ""
            return f"{'> ' if value.current else ''}{said.strip()}{kept} below {value.parent}"
        case inspection.Chart():
            return f"{value.title}: {' / '.join(map(_plain, value.curves))} {_plain(value.signs)}"
        case inspection.Curve():
            some = slice(None, None, max(len(value.x) // 8, 1))
            points = zip(value.x[some].tolist(), value.y[some].tolist(), strict=True)
            return (
                f"{'> ' if value.current else ''}{value.label} {' '.join(f'{x:g},{y:g}' for x, y in points)}"
            )
        case list() | tuple():
            return f"({' '.join(map(_plain, value))})"
        case np.ndarray():
            return str(np.round(value, 6).tolist())
    return str(value)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in (*TOLD, *SELDOM):
        (FOLDER / f"{each}.txt").write_text(narration(each), encoding="utf-8")
