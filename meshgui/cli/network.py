"""`meshgui network`: explicit packets through a network and what became of each, or a steady load on it."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.message_words import message_rows
from meshgui.cli.steady_load import declare_load, option_fault, put_load, unused_option
from meshgui.engine.basics.files import os_fault, same_file, whole_file
from meshgui.engine.basics.geometry import Mesh, node_numbers
from meshgui.engine.basics.limits import MAX_HOPS, MAX_PACKETS_SENT
from meshgui.engine.basics.parts import complaint_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.network.deadlock import deadlock_of
from meshgui.engine.network.networks import network_for
from meshgui.engine.network.packet_files import PacketFileError, check_packets, read_packets, write_packets
from meshgui.engine.network.packets import NO_END
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import AXES, hops_between
from meshgui.engine.network.spec import NetworkSpec, fault_of_routing
from meshgui.engine.network.switching import Law
from meshgui.engine.runs.measures import message_figures
from meshgui.engine.scenario import MeshSpec

_HOPS_AT_ONCE: Final = 1 << 17  # between two looks at the keyboard: some hundredths of a second


def declare(parser: Parser) -> None:
    """The arguments."""
    law = Law()
    parser.add_argument(
        "--shape", metavar="W,L[,H]", type=_mesh, required=True, help=tr("the sides of the mesh, 2D or 3D")
    )
    parser.add_argument(
        "--routing-delay",
        metavar="CYCLES",
        type=whole_number,
        default=law.routing_delay,
        help=tr("in each router ({routing_delay})").format(routing_delay=law.routing_delay),
    )
    parser.add_argument(
        "--flits",
        metavar="N",
        type=whole_number,
        default=law.flits,
        help=tr("of a packet ({flits})").format(flits=law.flits),
    )
    parser.add_argument(
        "--buffer",
        metavar="FLITS",
        type=whole_number,
        default=law.buffer,
        help=tr("that the buffer of a channel holds ({buffer})").format(buffer=law.buffer),
    )
    parser.add_argument(
        "--switching",
        metavar="KIND",
        default=law.switching,
        help=tr("wormhole (the default), virtual-cut-through or store-and-forward"),
    )
    parser.add_argument(
        "--per-hop",
        metavar="FLITS",
        default=law.per_hop,
        help=tr("the flits that take the routing delay: header (the default), or flit for every one"),
    )
    parser.add_argument(
        "--ports",
        metavar="KIND",
        default=law.ports,
        help=tr("one (the default): a processor injects and receives a packet at a time; free: any number"),
    )
    parser.add_argument(
        "--wrap",
        metavar="x,y",
        type=_axes,
        default=(),
        help=tr("the axes that are rings: x, y, z, or several of them with commas"),
    )
    parser.add_argument(
        "--routing",
        metavar="NAME",
        default=law.routing,
        help=tr("xy (the default), yx, west-first, north-last, negative-first, odd-even or adaptive"),
    )
    parser.add_argument(
        "--channels",
        metavar="V",
        type=whole_number,
        default=law.channels,
        help=tr("virtual channels that share a link ({channels})").format(channels=law.channels),
    )
    parser.add_argument(
        "--credit",
        metavar="0|1",
        type=whole_number,
        help=tr(
            "1: a flit needs a free place when its cycle begins; 0: when it ends (0 with one channel, else 1)"
        ),
    )
    parser.add_argument(
        "--packets",
        metavar="IN.csv",
        type=Path,
        help=tr("packets, one per line, below a heading time,sx,sy,sz,dx,dy,dz; other columns are ignored"),
    )
    parser.add_argument(
        "--out",
        metavar="OUT.csv",
        type=Path,
        help=tr("write them here, with injected,delivered,latency,blocked"),
    )
    declare_load(parser)


def execute(options: Namespace) -> int:
    """Do it."""
    law, mesh = _law(options), _machine(options)
    if options.traffic is not None:
        return put_load(options, mesh, law)
    for name in ("packets", "out"):
        if getattr(options, name) is None:
            raise UsageError(tr("meshgui network: expected --{name} or --traffic").format(name=name))
    if fault := unused_option(options):
        raise UsageError(fault)
    if same_file(options.packets, options.out):
        raise UsageError(
            tr("{out}: --out: expected another file than the packets themselves").format(out=options.out)
        )
    rows = _read(options.packets, mesh, law)
    alone = _is_standard_output(options.out)  # where a summary would be one more packet to the next reader
    record = _sent(mesh, law, rows, options)
    deadlock = deadlock_of(record)
    if deadlock is not None:
        raise WorkFailed(f"{options.packets}: {deadlock.words}")
    if not alone:
        output.write(_in_words(record))
    return 0


def _mesh(text: str) -> Mesh:
    sides = text.split(",")
    if not (2 <= len(sides) <= 3 and all(side.isascii() and side.isdigit() for side in sides)):
        raise ArgumentTypeError(tr("expected whole numbers W,L or W,L,H, got {text}").format(text=text))
    try:
        return Mesh(MeshSpec(shape=tuple(whole_number(side) for side in sides)).shape)
    except ValidationError as error:
        raise ArgumentTypeError(complaint_of(error, {}).message) from None


def _axes(text: str) -> tuple[str, ...]:
    axes = tuple(text.split(","))
    if not set(axes) <= set(AXES) or len(set(axes)) < len(axes):
        raise ArgumentTypeError(tr("expected x, y, z or several of them, got {text}").format(text=text))
    return axes


def _machine(options: Namespace) -> Mesh:
    """The mesh with its rings, on which packets can be routed as the options say."""
    mesh: Mesh = options.shape
    axes = AXES[: mesh.dims]
    if not set(options.wrap) <= set(axes):
        wanted = tr("expected axes of a {dims}D mesh, got {axes}")
        text = wanted.format(dims=mesh.dims, axes=",".join(options.wrap))
        raise option_fault("wrap", text)  # untranslated: an option
    try:
        mesh = MeshSpec(shape=mesh.shape, wrap=tuple(axis in options.wrap for axis in axes)).machine
    except ValidationError as error:
        raise option_fault("wrap", complaint_of(error, {}).message) from None  # untranslated: an option
    if (fault := fault_of_routing(options.routing, mesh)) is not None:
        raise option_fault("routing", fault)  # untranslated: an option
    return mesh


def _law(options: Namespace) -> Law:
    """The options' law, within the limits a scenario has."""
    names = (
        *("flits", "routing_delay", "buffer", "switching", "per_hop", "ports"),
        *("routing", "channels", "credit"),
    )
    given = {name: getattr(options, name) for name in names}
    try:
        return NetworkSpec.model_validate({"pattern": "file", **given}).law
    except ValidationError as error:
        path, expected, _ = complaint_of(error, given)
        option = ".".join(map(str, path)).replace("_", "-")
        raise UsageError(
            tr("meshgui network: --{option}: {expected}").format(option=option, expected=expected)
        ) from None


def _read(path: Path, mesh: Mesh, law: Law) -> NDArray[np.int64]:
    try:
        with output.ProgressLine(tr("Reading"), "packet"):
            rows = read_packets(path, MAX_PACKETS_SENT, optional=())
            check_packets(path, rows, mesh)
    except PacketFileError as error:
        raise UsageError(str(error)) from None
    hops = int(hops_between(mesh, rows[:, 1:4], rows[:, 4:7]).sum()) + law.ends * len(rows)
    if hops > MAX_HOPS:
        raise UsageError(
            tr("{path}: expected packets that take at most {MAX_HOPS} channels in all, got {hops}").format(
                path=path, MAX_HOPS=MAX_HOPS, hops=hops
            )
        )
    return rows


def _sent(mesh: Mesh, law: Law, rows: NDArray[np.int64], options: Namespace) -> NetworkRecord:
    """Send the packets and write what became of them; that it can be written is seen before the work."""
    try:
        with ExitStack() as stack:
            out = stack.enter_context(whole_file(options.out))
            record = _simulated(mesh, law, rows)
            with output.ProgressLine(tr("Writing"), "packet"):
                write_packets(out, rows, _outcomes(record))
    except NetworkError as error:
        raise WorkFailed(f"{options.packets}: {error}") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkFailed(
            tr("{out}: could not be written: {fault}").format(out=options.out, fault=os_fault(error))
        ) from None
    return record


def _outcomes(record: NetworkRecord) -> NDArray[np.int64]:
    """The injection, delivery, latency and blocking of each packet; -1 for what never happened."""
    table = np.full((len(record), 4), -1, dtype=np.int64)
    table[:, 0] = np.where(record.injected == NEVER_YET, -1, record.injected)
    arrived = record.arrived
    table[arrived, 1:] = np.stack((record.delivered[arrived], record.latency, record.blocked), axis=1)
    return table


def _simulated(mesh: Mesh, law: Law, rows: NDArray[np.int64]) -> NetworkRecord:
    """All packets on their way, to the last one's arrival or until none can move any more."""
    network = network_for(mesh, law)
    network.send(rows[:, 0], node_numbers(mesh, rows[:, 1:4]), node_numbers(mesh, rows[:, 4:7]))
    with output.ProgressLine(tr("Simulating"), "packet") as progress:
        while network.delivered < network.count and network.now < NO_END:
            network.advance(NO_END, _HOPS_AT_ONCE)
            progress.report(network.delivered, network.count)
    return NetworkRecord(mesh, law, network.packets())


def _is_standard_output(path: Path) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError, AttributeError):  # there is none
        return False


def _in_words(record: NetworkRecord) -> str:
    law = record.law
    first, last = int(record.sent.min()), int(record.delivered.max())
    heading = tr(
        "{mesh} mesh, {switching}, packets of {flits}, routing delay {delay}, buffers of {buffer}"
    ).format(
        mesh=record.mesh.describe(),
        switching=law.switching,
        flits=count_of(law.flits, "flit"),
        delay=law.routing_delay,
        buffer=law.buffer,
    )
    if law.per_hop == "flit":
        heading = tr("{network}, every flit delayed").format(network=heading)
    if not law.has_ports:
        heading = tr("{network}, free ports").format(network=heading)
    if law.routing != Law().routing:
        heading = tr("{network}, routing {routing}").format(network=heading, routing=law.routing)
    if law.channels > 1:
        heading = tr("{network}, {channels} channels a link").format(network=heading, channels=law.channels)
    rows = [
        *message_rows(message_figures(record, first, last)),
        (tr("cycles"), tr("{first} to {last}").format(first=first, last=last)),
    ]
    return "\n".join((heading, "", output.columns(rows)))
