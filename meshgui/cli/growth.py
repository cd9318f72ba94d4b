"""`meshgui growth`: how the work of strategies grows with the mesh and the jobs on it, against the papers."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from meshgui.bench.growth import CONSTANT, Growth, growth_charts, growth_of
from meshgui.catalogue.sources import named
from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.drawing import check_folder, drawing
from meshgui.cli.faults import UsageError
from meshgui.engine.allocation.base import Bound, Strategy
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import UNKNOWN
from meshgui.model.base.picture_formats import PictureFormat, picture_format

HEADING = (
    tr("id"),
    tr("over n"),
    tr("over m"),
    tr("stated"),
    tr("at most"),
    tr("release over m"),
    tr("stated"),
    tr("at most"),
    tr("verdict"),
)


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "names", metavar="ID", nargs="*", help=tr("strategies (all that work in that many dimensions)")
    )
    parser.add_argument(
        "--dims",
        metavar="2|3",
        type=one_of("2", "3"),
        default="2",
        help=tr("2D meshes (the default) or 3D ones"),
    )
    parser.add_argument("--out", metavar="P.png", type=Path, help=tr("draw both plots as PNG, SVG or PDF"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    dims = int(options.dims)
    chosen = _chosen(options.names, dims)
    if options.out is not None:
        _check_out(options.out)
    measured: list[Growth] = []
    with output.ProgressLine(tr("Measuring"), "strategy") as progress:
        for done, cls in enumerate(chosen):
            progress.report(done, len(chosen))
            measured.append(growth_of(cls, dims))
    if options.json:
        output.write_json([_as_json(growth) for growth in measured], indent=2)
    else:
        output.write(output.columns([HEADING, *map(row, measured)]))
        output.write(
            tr(
                "\n"
                "The exponent with which operations grow: over the n processors of a mesh that holds a "
                "dozen jobs,\n"
                "and over the m boxes held on one mesh; the bound that the paper states; and the largest "
                "ratio of\n"
                "measurement to bound, leaving out its constant. Up to {CONSTANT:g} is within the bound."
            ).format(CONSTANT=CONSTANT)
        )
        left_out = [cls.id for cls in strategies().values() if dims not in cls.dims]
        if not options.names and left_out:
            other = 5 - dims
            output.write(
                tr("Only in {other}D (--dims {other}): {left_out}.").format(
                    other=other, left_out=", ".join(left_out)
                )
            )
    if options.out is not None:
        with drawing():
            from meshgui.views.offscreen.growth_picture import write_growth  # noqa: PLC0415 - Qt, only to draw

            write_growth(growth_charts(measured), [growth.cls.id for growth in measured], options.out)
    return 0


def _check_out(out: Path) -> None:
    """Notice before the work what would make it useless."""
    try:
        picture_format(out, PictureFormat.PNG)
    except ValueError as error:
        raise UsageError(tr("meshgui growth: --out: {error}").format(error=error)) from None
    check_folder(out)


def _chosen(names: list[str], dims: int) -> list[type[Strategy]]:
    try:
        chosen = [strategy(name) for name in names] if names else list(strategies().values())
    except StrategyError as error:
        raise UsageError(str(error)) from None
    for cls in chosen:
        if names and dims not in cls.dims:
            raise UsageError(
                tr("{cls} works on {dims_in_words} meshes: expected --dims {dims}").format(
                    cls=cls.id, dims_in_words=cls.dims_in_words(), dims=min(cls.dims)
                )
            )
    return [cls for cls in chosen if dims in cls.dims]


def row(growth: Growth) -> tuple[str, ...]:
    """A strategy's powers, what is stated of it, and the verdict, under `HEADING`."""
    powers, stated, times = growth.powers, growth.cls.complexity, growth.times
    return (
        growth.cls.id,
        _figure(powers.n),
        _figure(powers.m),
        stated.allocation.words if stated is not None else UNKNOWN,
        _times(times.allocation) if times is not None else UNKNOWN,
        _figure(powers.release),
        stated.release.words if stated is not None else UNKNOWN,
        _times(times.release) if times is not None else UNKNOWN,
        growth.verdict,
    )


def _times(ratio: float) -> str:
    return f"{formatted(ratio, ',.0f' if ratio >= 10 else '.2g')}×"


def _figure(power: float | None) -> str:
    return formatted(power, "+.2f") if power is not None else UNKNOWN


def _as_json(growth: Growth) -> dict[str, object]:
    powers, stated = growth.powers, growth.cls.complexity
    return {
        "id": growth.cls.id,
        "stated": None
        if stated is None
        else {
            "allocation": _bound(stated.allocation),
            "release": _bound(stated.release),
            "source": named(stated.source),
        },
        "measured": {"n": powers.n, "m": powers.m, "release_m": powers.release},
        "times_stated": growth.times,
        "verdict": growth.verdict,
        "over_meshes": [point._asdict() for point in growth.meshes.points],
        "over_jobs": [point._asdict() for point in growth.jobs.points],
    }


def _bound(bound: Bound) -> dict[str, object]:
    return {"words": bound.words, "n": bound.n, "m": bound.m, "log": bound.log}
