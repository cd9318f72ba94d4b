"""A bundle: one zip file with an experiment, its results, and all that is needed to make them again.

It holds the experiment whole by itself, the seeds of every point, the versions of what made it, the results
and every replication as tables, and a store with exactly these replications.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

from pydantic import Field

from meshgui import __version__
from meshgui.engine.basics.parts import Part, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.run_spec import MODEL

FORMAT: Final = 1
EXPERIMENT: Final = "experiment.json"
POINTS: Final = "points.json"
VERSIONS: Final = "versions.json"
RESULTS: Final = "results.csv"
REPLICATIONS: Final = "replications.csv"
STORE: Final = "replications.db"
README: Final = "README.txt"
_PACKAGES: Final = ("numpy", "numba", "pydantic")


class BundleError(Exception):
    """A bundle that cannot be used: one line that names the file and says what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(legible(printable(message)))


class BundledPoint(Part):
    """What a bundle says of a point."""

    values: dict[str, Any]
    work: Annotated[str, Field(max_length=100)]
    first_seed: Annotated[int, Field(ge=0, strict=True)]
    runs: Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
    precise: bool
    fault: str


class BundledRun(NamedTuple):
    """A run of a point, by the point's place and the run's seed."""

    point: int
    seed: int
    samples: tuple[Figures, ...]  # one, or one a batch


def versions_here(plugins: Mapping[str, str] = MappingProxyType({})) -> dict[str, str | int]:
    """Of the program, its model, and all that figures may depend on, with the code of plug-ins."""
    return {
        "format": FORMAT,
        "meshgui": __version__,
        "model": MODEL,
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        **plugins,
    }


def other_versions(made: Mapping[str, str | int], here: Mapping[str, str | int]) -> str:
    """What is of another version here than where something was made, in brackets; empty if nothing is."""
    others = [
        tr("{name} {made}, here {here}").format(
            name=name, made=made.get(name, tr("unknown")), here=here.get(name, tr("none"))
        )
        for name in {**made, **here}
        if here.get(name) != made.get(name)
    ]
    return tr(" (made with {others})").format(others="; ".join(others)) if others else ""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def table_heading(*, batched: bool) -> list[str]:
    """The first columns of the table of replications; those of the figures follow."""
    return ["point", "seed", "batch"] if batched else ["point", "seed"]


def figure_order(name: str) -> tuple[int, str]:
    """Figures are in the order of the dictionary, then their spreads, then what it has not."""
    order = list(NUMBERS)
    return (order.index(name) if name in NUMBERS else len(order), name)
