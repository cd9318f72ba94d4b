"""`meshgui network --traffic`: a steady load on a network, and how long packets take under it."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError, Namespace
from typing import Any, Final

from meshgui.cli import output
from meshgui.cli.arguments import Parser, cycles, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import LoadError
from meshgui.engine.network.loads.registry import load, loads
from meshgui.engine.network.open_loop import Measured, measure
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.steady_load import SteadyLoad
from meshgui.engine.network.switching import Law
from meshgui.engine.runs.measures import distribution

_OF_A_LOAD: Final = ("rate", "cycles", "warm_up", "seed", "json")
_SEED: Final = 1


def declare_load(parser: Parser) -> None:
    """The arguments of a load."""
    parser.add_argument(
        "--traffic",
        metavar="NAME",
        help=tr("instead of packets from a file, those of a steady load: {names}").format(
            names=", ".join(loads())
        ),
    )
    parser.add_argument(
        "--rate", metavar="R", type=_rate, help=tr("flits that each node makes in a cycle, on average")
    )
    parser.add_argument("--cycles", metavar="N", type=cycles, help=tr("cycles of the run"))
    parser.add_argument(
        "--warm-up",
        metavar="N",
        type=whole_number,
        help=tr("cycles at the beginning whose packets are not measured (0)"),
    )
    parser.add_argument(
        "--seed", metavar="S", type=whole_number, help=tr("of the random packets ({seed})").format(seed=_SEED)
    )
    parser.json()


def unused_option(options: Namespace) -> str:
    """The fault of an option that has a meaning for a load alone, or nothing."""
    for name in _OF_A_LOAD:
        if getattr(options, name) not in {None, False}:
            option = name.replace("_", "-")
            return tr("meshgui network: --{option}: expected --traffic as well").format(option=option)
    return ""


def option_fault(option: str, expected: str) -> UsageError:
    """The fault of an option's value."""
    return UsageError(tr("meshgui network: --{option}: {expected}").format(option=option, expected=expected))


def put_load(options: Namespace, mesh: Mesh, law: Law) -> int:
    """Put the load on the network and write what was measured."""
    for name in ("packets", "out"):
        if getattr(options, name) is not None:
            said = tr("meshgui network: --{option}: expected none with --traffic")
            raise UsageError(said.format(option=name))
    for name in ("rate", "cycles"):
        if getattr(options, name) is None:
            raise UsageError(tr("meshgui network: expected --{name} with --traffic").format(name=name))
    try:
        kind = load(options.traffic)
    except LoadError as error:
        raise option_fault("traffic", str(error)) from None  # untranslated: an option
    seed = _SEED if options.seed is None else options.seed
    under = SteadyLoad(mesh, law, kind, options.rate, options.cycles, options.warm_up or 0, seed)
    if (fault := under.fault()) is not None:
        raise option_fault(*fault)
    try:
        with output.ProgressLine(tr("Simulating"), "cycle"):
            found = measure(under)
    except NetworkError as error:
        raise WorkFailed(f"meshgui network: {error}") from None  # untranslated: the command
    if options.json:
        output.write_json(_as_json(found))
    else:
        output.write(_in_words(found))
    if found.deadlock is not None:
        raise WorkFailed(f"meshgui network: {found.deadlock.words}")  # untranslated: the command
    return 0


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not (math.isfinite(rate) and rate > 0):
        raise ArgumentTypeError(tr("expected a number above 0, got {text}").format(text=text))
    return rate


def _as_json(found: Measured) -> dict[str, Any]:
    return {
        "latency": distribution(found.latency),
        "network_latency": distribution(found.network_latency),
        "throughput": found.throughput,
        "offered": found.offered,
        "packets": found.packets,
        "arrived": len(found.latency),
        "empty_latency": float(found.empty.mean()) if len(found.empty) else 0.0,
        "saturated": found.saturated,
    }


def _in_words(found: Measured) -> str:
    of = _as_json(found)
    rows = [
        (tr("offered"), tr("{flits:.4g} flits of a node in a cycle").format(flits=found.offered)),
        (tr("throughput"), tr("{flits:.4g} flits of a node in a cycle").format(flits=found.throughput)),
        (tr("packets"), tr("{arrived} of {packets} arrived").format(**of)),
    ]
    if len(found.latency):
        mean = tr("{mean:.6g} cycles, 95th percentile {p95:.6g}")
        rows += [
            (tr("latency"), mean.format(**of["latency"])),
            (tr("in the network"), mean.format(**of["network_latency"])),
            (tr("in an empty network"), tr("{mean:.6g} cycles").format(mean=of["empty_latency"])),
        ]
    if found.saturated:
        rows.append((tr("the network"), tr("is saturated")))
    return output.columns(rows)
