"""`meshgui growth`: how the work of strategies grows with the mesh and the jobs on it, against the papers."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import BadUse, WorkFailed
from meshgui.engine.allocation.base import Bound, Complexity, Strategy
from meshgui.engine.allocation.registry import StrategyError, strategies, strategy
from meshgui.engine.files import os_fault
from meshgui.engine.growth import Point, Series, over_jobs, over_meshes, slope
from meshgui.views.screen import missing_screen

__all__ = ["HEADING", "declare", "execute", "row"]

HEADING = ("id", "over n", "over m", "stated", "at most", "release over m", "stated", "at most", "verdict")

_CONSTANT = 10.0  # a bound leaves a constant open; more than this times it is beyond it


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "names", metavar="ID", nargs="*", help="strategies (all that work in that many dimensions)"
    )
    parser.add_argument(
        "--dims", type=int, choices=(2, 3), default=2, help="2D meshes (the default) or 3D ones"
    )
    parser.add_argument("--out", metavar="P.png", type=Path, help="draw both plots into this file")
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    chosen = _chosen(options.names, options.dims)
    if options.out is not None and not options.out.absolute().parent.is_dir():
        raise WorkFailed(f"{options.out}: could not be written: there is no folder {options.out.parent}")
    meshes: list[Series] = []
    jobs: list[Series] = []
    with output.Progress("Measuring", "strategies") as progress:
        for done, cls in enumerate(chosen):
            progress(done, len(chosen))
            meshes.append(over_meshes(cls, options.dims))
            jobs.append(over_jobs(cls, options.dims))
    if options.json:
        output.write_json([_as_json(*pair) for pair in zip(chosen, meshes, jobs, strict=True)], indent=2)
    else:
        rows = [row(*both) for both in zip(chosen, meshes, jobs, strict=True)]
        output.write(output.columns([HEADING, *rows]))
        output.write(
            "\nThe power with which operations grow, with the n processors of a mesh that holds a dozen jobs"
            "\nand with the m boxes held on one mesh; what the paper states; and how many times that, its"
            f"\nconstant left out, was measured at most. Up to {_CONSTANT:g} times is within the bound."
        )
        left_out = [cls.id for cls in strategies().values() if options.dims not in cls.dims]
        if not options.names and left_out:
            other = 5 - options.dims
            output.write(f"Only in {other}D (--dims {other}): {', '.join(left_out)}.")
    if options.out is not None:
        _draw(meshes, jobs, chosen, options.out)
    return 0


def _chosen(names: list[str], dims: int) -> list[type[Strategy]]:
    try:
        chosen = [strategy(name) for name in names] if names else list(strategies().values())
    except StrategyError as error:
        raise BadUse(str(error)) from None
    for cls in chosen:
        if names and dims not in cls.dims:
            raise BadUse(f"{cls.id} works on {cls.dims_in_words()} meshes: expected --dims {min(cls.dims)}")
    return [cls for cls in chosen if dims in cls.dims]


def row(cls: type[Strategy], meshes: Series, jobs: Series) -> tuple[str, ...]:
    """A strategy's powers, what is stated of it, and the verdict, under `HEADING`."""
    over_n, over_m, release = _powers(meshes, jobs)
    words, most = ("–", "–"), ("–", "–")
    if cls.complexity is not None:
        words = (cls.complexity.allocation.words, cls.complexity.release.words)
        allocation, freeing = _constants(cls.complexity, meshes, jobs)
        most = (_times(allocation), _times(freeing))
    verdict = _verdict(cls, meshes, jobs)
    powers = (_figure(over_n), _figure(over_m), words[0], most[0], _figure(release), words[1], most[1])
    return (cls.id, *powers, verdict)


def _powers(meshes: Series, jobs: Series) -> tuple[float | None, float | None, float | None]:
    """The powers of n and of m in an allocation, and of m in a release."""
    return (
        _power(meshes, [p.processors for p in meshes.points], [p.allocation for p in meshes.points]),
        _power(jobs, [p.boxes for p in jobs.points], [p.allocation for p in jobs.points]),
        _power(jobs, [p.boxes for p in jobs.points], [p.release for p in jobs.points]),
    )


def _power(series: Series, amounts: list[float], work: list[float]) -> float | None:
    return slope(amounts, [max(w, 1.0) for w in work]) if len(series.points) > 2 else None


def _constants(stated: Complexity, meshes: Series, jobs: Series) -> tuple[float, float]:
    """How many times the bounds the work of an allocation and of a release came to at most."""
    points = (*meshes.points, *jobs.points)
    return (
        max(p.allocation / stated.allocation.at(p.processors, p.boxes) for p in points),
        max(p.release / stated.release.at(p.processors, p.boxes) for p in points),
    )


def _verdict(cls: type[Strategy], meshes: Series, jobs: Series) -> str:
    """Whether what was measured keeps to what the paper states."""
    if cls.complexity is None:
        return "no paper states it"
    allocation, release = _constants(cls.complexity, meshes, jobs)
    beyond = [what for what, most in (("allocation", allocation), ("release", release)) if most > _CONSTANT]
    return f"{' and '.join(beyond)} beyond it" if beyond else "within it"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.2g}×"


def _figure(power: float | None) -> str:
    return f"{power:+.2f}" if power is not None else "–"


def _as_json(cls: type[Strategy], meshes: Series, jobs: Series) -> dict[str, object]:
    over_n, over_m, release = _powers(meshes, jobs)
    stated = cls.complexity
    return {
        "id": cls.id,
        "stated": None
        if stated is None
        else {
            "allocation": _bound(stated.allocation),
            "release": _bound(stated.release),
            "source": stated.source,
        },
        "measured": {"n": over_n, "m": over_m, "release_m": release},
        "times_stated": None if stated is None else _constants(stated, meshes, jobs),
        "verdict": _verdict(cls, meshes, jobs),
        "over_meshes": [_point(point) for point in meshes.points],
        "over_jobs": [_point(point) for point in jobs.points],
    }


def _bound(bound: Bound) -> dict[str, object]:
    return {"words": bound.words, "n": bound.n, "m": bound.m, "log": bound.log}


def _point(point: Point) -> dict[str, object]:
    return point._asdict()


def _draw(meshes: list[Series], jobs: list[Series], chosen: list[type[Strategy]], out: Path) -> None:
    if missing_screen() is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a plain picture needs no OpenGL
        os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")
    try:
        from meshgui.views.growth_picture import write_growth  # noqa: PLC0415 - Qt, only to draw
    except ImportError as error:
        raise WorkFailed(f"a picture needs Qt: {error} (meshgui doctor says more)") from None
    try:
        write_growth(meshes, jobs, {cls.id: cls.title for cls in chosen}, out)
    except OSError as error:
        raise WorkFailed(f"{out}: could not be written: {os_fault(error)}") from None
