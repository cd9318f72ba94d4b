"""The dictionary of tables: every column of a run's tables with its name, unit, meaning and formula."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import NUMBERS, UNITS, Unit


@dataclass(frozen=True)
class TableColumn:
    """A column of a table."""

    name: str
    unit: Unit
    help: str
    formula: str = ""  # in names of columns
    network: bool = False  # only with a network
    stated: bool = False  # only where the workload states it
    failures: bool = False  # only where processors may fail
    also: str = ""  # its name in files of older versions or of another command, where it is written too

    @property
    def unit_words(self) -> str:
        """The unit as it stands behind a number; nothing for a count or a name."""
        return UNITS[self.unit]


class TableEntry(NamedTuple):
    """A table: what a row is, and its columns."""

    title: str
    row: str
    columns: tuple[TableColumn, ...]


def _sides(also: bool = False) -> tuple[TableColumn, ...]:
    names = ("width", "depth", "height") if also else ("", "", "")
    return tuple(
        TableColumn(side, "processors", said, also=name)
        for side, said, name in zip(
            "wdh",
            (tr("Width of the request"), tr("Depth of the request"), tr("Height of the request")),
            names,
            strict=True,
        )
    )  # fmt: skip


_T: Final = TableColumn("t", "time", tr("When it happens"))
_JOB: Final = TableColumn("job", "number", tr("The number of the job, from 0 in order of arrival"))

# Formulas are made of names, and the same in every language.
_JOBS: Final = (
    _JOB,
    *_sides(also=True),
    TableColumn("arrival", "time", tr("When the job arrives")),
    TableColumn("start", "time", tr("When it gets its processors")),
    TableColumn("finish", "time", tr("When it gives them back")),
    TableColumn("turnaround", "time", tr("From arrival to finish"), "finish - arrival"),  # untranslated
    TableColumn(
        "waiting", "time", tr("From arrival to start; all its time in the queue"),
        "start - arrival",  # untranslated
    ),
    TableColumn(
        "service", "time", tr("From start to finish; all its time on the machine"),
        "finish - start",  # untranslated
    ),
    TableColumn("processors", "processors", tr("Processors asked for"), "w * d * h", also="asked"),
    TableColumn("held", "processors", tr("Processors held")),
    TableColumn("blocks", "number", tr("Blocks that it is placed in")),
    TableColumn(
        "contiguous", "number", tr("1 if it is placed in one block, else 0"), "blocks = 1"  # untranslated
    ),
    TableColumn("dispersal", "share", tr("The share of its enclosing box that it does not hold")),
    TableColumn(
        "weighted_dispersal", "processors", tr("Dispersal times the processors held"),
        "dispersal * held",  # untranslated
    ),
    TableColumn("pairwise_distance", "hops", tr("Hops between two of its processors, averaged over pairs")),
    TableColumn("attempts", "number", tr("Calls of the allocator until it is placed")),
    TableColumn("operations", "operations", tr("Nodes or boxes examined to allocate and release it")),
    TableColumn("seconds", "seconds", tr("Wall time to allocate and release it; of this machine")),
    TableColumn("requested_time", "time", tr("The time that its user asked for"), stated=True),
    TableColumn("number", "number", tr("Its number in the trace"), stated=True),
    TableColumn("messages", "number", tr("Messages that it has sent and that have arrived"), network=True),
    TableColumn("latency", "cycles", tr("The mean latency of its messages"), network=True),
    TableColumn("blocking", "cycles", tr("The mean blocking time of its messages"), network=True),
    TableColumn("message_distance", "hops", tr("The mean hops of its messages"), network=True),
    TableColumn(
        "slowdown", "ratio", tr("How many times its service it is there; nothing where the service is 0"),
        "turnaround / service",  # untranslated
    ),
    TableColumn(
        "bounded_slowdown", "ratio", NUMBERS["bounded_slowdown"].help, NUMBERS["bounded_slowdown"].formula
    ),
    TableColumn(
        "internal_fragmentation", "share", tr("The share of the processors held beyond those asked for"),
        "(held - processors) / held",  # untranslated
    ),
    TableColumn("killed", "number", tr("How often a failure has taken it off the machine"), failures=True),
    TableColumn(
        "lost_time", "processor-time", tr("The processor-time that failures have undone of it"),
        "sum(lost)", failures=True,  # untranslated
    ),
)  # fmt: skip
_BOX: Final = tuple(
    TableColumn(name, "processors", said)
    for name, said in (
        ("x", tr("The lowest corner of the box on the first axis, from 0")),
        ("y", tr("The lowest corner of the box on the second axis, from 0")),
        ("z", tr("The lowest corner of the box on the third axis, from 0")),
        ("w", tr("Width of the box")),
        ("d", tr("Depth of the box")),
        ("h", tr("Height of the box")),
    )
)
_BOXES: Final = (_JOB, *_BOX)
_EVENTS: Final = (
    _T,
    TableColumn(
        "event",
        "word",
        tr("`arrive`, `start`, `finish`, `reject`, `reserve` or `move`; `fail`, `repair` or `kill`"),
    ),
    _JOB,
    TableColumn(
        "lost",
        "processor-time",
        tr("The work that a failure has undone, times the processors held for it"),
        failures=True,
    ),
)
_FAILURES: Final = (
    TableColumn("t", "time", tr("When it happens"), failures=True),
    TableColumn("event", "word", tr("`fail` or `repair`"), failures=True),
    *(replace(column, failures=True) for column in _BOX),
)
_ATTEMPTS: Final = (
    TableColumn("t", "time", tr("When the allocator is called")),
    _JOB,
    TableColumn("outcome", "word", tr("`placed`, `waits` or `reserved`")),
    TableColumn("position", "number", tr("Events that have happened before it")),
)
_ENDS: Final = tuple(
    TableColumn(f"{end}{axis}", "processors", said, network=True)
    for end, said in (("s", tr("Where the packet starts, from 0")), ("d", tr("Where it goes, from 0")))
    for axis in "xyz"
)
_PACKETS: Final = (
    TableColumn("packet", "number", tr("The number of the packet, from 0"), network=True),
    TableColumn("job", "number", tr("The job that sends it"), network=True),
    TableColumn("time", "cycles", tr("The cycle in which it is sent"), network=True),
    *_ENDS,
    TableColumn("injected", "cycles", tr("The cycle of its injection"), network=True),
    TableColumn("delivered", "cycles", tr("The cycle in which its tail arrives"), network=True),
    TableColumn(
        "latency", "cycles", tr("From injection to arrival"),
        "delivered - injected", network=True,  # untranslated
    ),
    TableColumn(
        "blocking", "cycles", tr("How long its header waits for channels"),
        "latency - latency of an empty network", network=True, also="blocked",  # untranslated
    ),
    TableColumn("message_distance", "hops", tr("The hops of its way"), network=True),
)  # fmt: skip
_CHANNELS: Final = (
    TableColumn("begin", "cycles", tr("The slice begins after this cycle"), network=True),
    TableColumn("end", "cycles", tr("The last cycle of the slice"), network=True),
    TableColumn("channel", "word", tr("The channel in words"), network=True),
    TableColumn("x", "processors", tr("The processor that the channel leaves, first axis"), network=True),
    TableColumn("y", "processors", tr("The same, second axis"), network=True),
    TableColumn("z", "processors", tr("The same, third axis"), network=True),
    TableColumn("way", "word", tr("`+x` and so on, `inject` or `eject`"), network=True),
    TableColumn("flits", "number", tr("Flits that it carries in the slice"), network=True),
    TableColumn("use", "ratio", tr("Flits a cycle"), "flits / (end - begin)", network=True),  # untranslated
    TableColumn("virtual", "number", tr("The number of the virtual channel of its link"), network=True),
)
_UTILISATION: Final = (
    TableColumn("t", "time", tr("From this time on, until the next row")),
    TableColumn("held", "processors", tr("Processors held")),
    TableColumn(
        "utilization", "share", tr("The share of processors held"),
        "held / processors of the machine",  # untranslated
    ),
    TableColumn("busy_list", "number", tr("Boxes held")),
    TableColumn(
        "external_fragmentation", "share",
        tr("The share of processors that is idle although the head of the queue asks for no more"),
    ),
    TableColumn("down", "processors", tr("Processors that are down"), failures=True),
    TableColumn(
        "down_share", "share", tr("The share of processors that is down"),
        "down / processors of the machine", failures=True,  # untranslated
    ),
)  # fmt: skip
_QUEUE: Final = (
    TableColumn("t", "time", tr("From this time on, until the next row")),
    TableColumn("queue_length", "number", tr("Jobs that wait")),
)
_OF_A_CLASS: Final = ("turnaround", "waiting", "service", "slowdown", "bounded_slowdown")
BY_SIZE_FIGURES: Final = tuple(
    name for base in _OF_A_CLASS for name in (base, *map(NUMBERS[base].spread_name, ("median", "p95", "max")))
)
_BY_SIZE: Final = (
    TableColumn("smallest", "processors", tr("The fewest processors that a job of the class asks for")),
    TableColumn("largest", "processors", tr("The most processors that a job of the class asks for")),
    TableColumn("jobs", "number", tr("Jobs of the class that have finished")),
    *(
        TableColumn(name, NUMBERS[name].unit, NUMBERS[name].title, NUMBERS[name].formula)
        for name in BY_SIZE_FIGURES
    ),
    TableColumn("blocks_per_job", "number", NUMBERS["blocks_per_job"].title, "blocks"),
)

TABLES: Final[dict[str, TableEntry]] = {
    "jobs": TableEntry(tr("Jobs"), tr("a finished job"), _JOBS),
    "boxes": TableEntry(tr("Boxes"), tr("a box that a job gets"), _BOXES),
    "events": TableEntry(tr("Events"), tr("an event, in order"), _EVENTS),
    "failures": TableEntry(
        tr("Failures"), tr("a box of processors that fails or is repaired, in order"), _FAILURES
    ),
    "attempts": TableEntry(tr("Attempts"), tr("a call of the allocator, in order"), _ATTEMPTS),
    "packets": TableEntry(tr("Packets"), tr("a packet"), _PACKETS),
    "channels": TableEntry(
        tr("Channels"), tr("a channel that carried a flit, and a slice of the run"), _CHANNELS
    ),
    "utilisation": TableEntry(tr("Utilisation"), tr("a time at which something happens"), _UTILISATION),
    "queue": TableEntry(tr("Queue"), tr("a time at which something happens"), _QUEUE),
    "by_size": TableEntry(
        tr("Jobs by size"), tr("the jobs that ask for 1, 2, 3 to 4, 5 to 8, … processors"), _BY_SIZE
    ),
}
"""The tables of a run, by the names that the library gives them."""
