"""The dictionary of figures: every number of a run with its name, unit, meaning and formula.

The columns of tables are in `table_dictionary`. JSON, CSV, Parquet, the library, charts and the manual take
the names from here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr

Unit = Literal[
    "time", "rate", "share", "processors", "processor-time", "number", "cycles", "hops", "operations",
    "seconds", "ratio", "word",
]  # fmt: skip
UNITS: Final[dict[Unit, str]] = {
    "time": tr("time units"),
    "rate": tr("per time unit"),
    "share": "%",
    "processors": tr("processors"),
    "processor-time": tr("processor-time"),
    "number": "",
    "cycles": tr("cycles"),
    "hops": tr("hops"),
    "operations": tr("operations"),
    "seconds": "s",
    "ratio": "",
    "word": "",
}
Over = Literal["jobs", "served", "held", "time", "packets", "links", "run"]
OVER: Final[dict[Over, str]] = {
    "jobs": tr("finished jobs"),
    "served": tr("finished jobs whose service is not 0"),
    "held": tr("processors that finished jobs held"),
    "time": tr("time, up to the last event"),
    "packets": tr("packets that have arrived"),
    "links": tr("links of the mesh"),
    "run": tr("nothing: one number of the run"),
}
MIDDLE: Final = ("median", "p95", "max")
WHOLE: Final = ("sd", "min", *MIDDLE)
_SPREAD_TITLES: Final = {
    "sd": tr("{figure}, standard deviation"),
    "min": tr("{figure}, minimum"),
    "median": tr("{figure}, median"),
    "p95": tr("{figure}, 95th percentile"),
    "max": tr("{figure}, maximum"),
}
SLOWDOWN_BOUND: Final = 10.0
"""Time units: a shorter service counts as one so long in the bounded slowdown (Feitelson et al. 1997)."""


@dataclass(frozen=True)
class Figure:
    """A figure of a run: one number."""

    name: str
    title: str
    unit: Unit
    help: str
    network: bool = False  # only with a network
    load: bool = False  # only under a steady load of packets
    failures: bool = False  # only where processors may fail
    wall: bool = False  # wall time: differs from run to run
    formula: str = ""  # in names of columns
    over: Over = "jobs"  # what the sum is divided by
    spreads: tuple[str, ...] = MIDDLE  # besides the mean
    also: str = ""  # where the contract of `run --json` has it under another name

    @property
    def percent(self) -> bool:
        """Whether it is written in percent."""
        return self.unit == "share"

    @property
    def unit_words(self) -> str:
        """The unit as it stands behind the number; nothing for a count."""
        return UNITS[self.unit]

    @property
    def over_words(self) -> str:
        """What it is divided by."""
        return OVER[self.over]

    def spread_name(self, part: str) -> str:
        """The name of its median and so on: `turnaround.p95`, `queue_length.p95`."""
        return f"{self.name.removesuffix('_mean')}.{part}"

    def spread(self, part: str) -> Figure:
        """Its median and so on, as a figure."""
        title = _SPREAD_TITLES[part].format(figure=self.title)
        name, formula = self.spread_name(part), f"{part}({self.formula})"
        return replace(self, name=name, title=title, formula=formula, spreads=(), also="")


def _of_jobs(
    name: str, title: str, unit: Unit, said: str, formula: str, *spreads: str, over: Over = "jobs"
) -> Figure:
    return Figure(name, title, unit, said, formula=formula, over=over, spreads=spreads or MIDDLE)


def _over_time(name: str, title: str, unit: Unit, said: str, formula: str) -> Figure:
    return Figure(name, title, unit, said, formula=formula, over="time")


def _of_the_run(name: str, title: str, unit: Unit, said: str, formula: str, over: Over = "run") -> Figure:
    return Figure(name, title, unit, said, formula=formula, over=over, spreads=())


# Formulas are made of names, and the same in every language.
_ALL: Final = (
    _of_jobs(
        "turnaround", tr("Turnaround"), "time", tr("From arrival to finish, averaged over the jobs"),
        "finish - arrival", *WHOLE,  # untranslated
    ),
    _of_jobs(
        "waiting", tr("Waiting", "the time from arrival to start"), "time",
        tr(
            "From arrival to start, averaged over the jobs; where failures put jobs back into the queue, all "
            "their time in it"
        ),
        "start - arrival", *WHOLE,  # untranslated
    ),
    _of_jobs(
        "service", tr("Service"), "time",
        tr(
            "From start to finish, averaged over the jobs; where failures put jobs back into the queue, all "
            "their time on the machine"
        ),
        "finish - start", *WHOLE,  # untranslated
    ),
    _of_jobs(
        "slowdown", tr("Slowdown"), "ratio",
        tr("How many times its service a job is there, averaged over the jobs whose service is not 0"),
        "turnaround / service", *WHOLE, over="served",  # untranslated
    ),
    _of_jobs(
        "bounded_slowdown", tr("Bounded slowdown"), "ratio",
        tr(
            "The slowdown, with a service below {bound} time units counted as {bound}, and at least 1 "
            "(Feitelson et al. 1997)"
        ).format(bound=int(SLOWDOWN_BOUND)),
        f"max(1, turnaround / max(service, {int(SLOWDOWN_BOUND)}))", *WHOLE,  # untranslated
    ),
    _over_time(
        "utilization", tr("Utilisation"), "share", tr("The share of processors held, averaged over time"),
        "held / processors of the machine",  # untranslated
    ),
    _over_time(
        "utilization_requested", tr("Utilisation asked for"), "share",
        tr("The share of processors that running jobs have asked for, averaged over time"),
        "processors / processors of the machine",  # untranslated
    ),
    _of_the_run("finish_time", tr("Finish time"), "time", tr("When the last job finishes"), "max(t)"),
    _over_time(
        "queue_length_mean", tr("Queue length"), "number", tr("Jobs that wait, averaged over time"),
        "queue_length",
    ),
    _over_time(
        "busy_list_mean", tr("Boxes held (m)"), "number",
        tr("Boxes held, averaged over time: Bani-Mohammad's m"), "busy_list",
    ),
    _of_jobs(
        "part_attempts_per_job", tr("Attempts per job (b)"), "number",
        tr("Bani-Mohammad's b: boxes tried per job, with GABL"), "part_attempts",
    ),
    _of_jobs(
        "blocks_per_job", tr("Blocks per job"), "number", tr("Blocks that a job is placed in, on average"),
        "blocks",
    ),
    _of_the_run(
        "contiguous_ratio", tr("Contiguous jobs"), "share", tr("The share of jobs placed in one block"),
        "contiguous", "jobs",
    ),
    _of_jobs(
        "dispersal", tr("Dispersal"), "share",
        tr("The share of its enclosing box that a job does not hold (Lo et al. 1994)"), "dispersal",
    ),
    _of_jobs(
        "weighted_dispersal", tr("Weighted dispersal"), "processors",
        tr("Dispersal times the processors held, on average (Lo et al. 1994)"),
        "dispersal * held",  # untranslated
    ),
    _of_jobs(
        "pairwise_distance", tr("Pairwise distance"), "hops", tr("Hops between two processors of a job"),
        "pairwise_distance",
    ),
    _of_jobs(
        "internal_fragmentation", tr("Internal fragmentation"), "share",
        tr("The share of the processors held beyond those asked for"),
        "sum(held - processors) / sum(held)", over="held",  # untranslated
    ),
    _over_time(
        "external_fragmentation", tr("External fragmentation"), "share",
        tr("The share of the machine that is idle although the head of the queue asks for no more"),
        "free / processors of the machine, while the head of the queue asks for no more",  # untranslated
    ),
    _of_jobs(
        "attempts_per_job", tr("Calls per job"), "number", tr("Calls of the allocator until a job is placed"),
        "attempts",
    ),
    Figure(
        "overhead_operations", tr("Overhead"), "operations",
        tr("Nodes or boxes examined to allocate and release a job, on average"),
        formula="operations", also="overhead.operations_mean",
    ),
    Figure(
        "overhead_seconds", tr("Overhead, wall time"), "seconds",
        tr("Wall time to allocate and release a job, on average; of this machine"), wall=True,
        formula="seconds", spreads=(), also="overhead.seconds_mean",
    ),
    _of_the_run("jobs", tr("Jobs"), "number", tr("Jobs that have finished"), "count(job)"),
    _of_the_run(
        "rejected", tr("Rejected jobs"), "number", tr("Jobs that the strategy could never place"),
        "count(event = reject)",  # untranslated
    ),
    _of_the_run(
        "arrival_rate", tr("Arrivals"), "rate", tr("Jobs that arrive per time unit, up to the last arrival"),
        "jobs of the run / max(arrival)",  # untranslated
    ),
    _of_the_run(
        "offered_load", tr("Offered load (ρ)"), "share",
        tr(
            "The work of the finished jobs over what the machine could do up to the last arrival; from "
            "100 % on the queue grows without end"
        ),
        "sum(processors * service) / (processors of the machine * max(arrival))",  # untranslated
    ),
    Figure(
        "packet_latency", tr("Latency under load"), "cycles",
        tr("Of a steady load: from a packet's birth to its arrival, waiting in its source included"),
        network=True, load=True, formula="delivered - sent", over="packets",  # untranslated
    ),
    Figure(
        "empty_latency", tr("Latency in an empty network"), "cycles",
        tr("What the packets of a steady load would take if no other were on the way, on average"),
        network=True, load=True, over="packets", spreads=(),
        formula="(message_distance + 2) + (message_distance + 1) * routing_delay + flits - 1",  # untranslated
    ),
    Figure(
        "offered_flits", tr("Offered flits"), "number",
        tr("Of a steady load: flits that a node makes in a cycle, on average"), network=True, load=True,
        formula="flits * count(sent) / (processors of the machine * cycles)",  # untranslated
        over="run", spreads=(),
    ),
    Figure(
        "throughput", tr("Throughput"), "number",
        tr("Of a steady load: flits of a node that arrive in a cycle, on average"), network=True, load=True,
        formula="flits * count(delivered) / (processors of the machine * cycles)",  # untranslated
        over="run", spreads=(),
    ),
    Figure(
        "killed", tr("Jobs hit"), "number",
        tr("How often a failure took a job off the machine: it ended, or went back to the queue"),
        failures=True, formula="count(event = kill)", over="run", spreads=(),  # untranslated
    ),
    Figure(
        "lost_time", tr("Lost processor-time"), "processor-time",
        tr("The work of jobs that failures have undone, times the processors held for it"),
        failures=True, formula="sum(lost)", over="run", spreads=(),  # untranslated
    ),
    Figure(
        "availability", tr("Availability"), "share",
        tr("The share of processors that are not down, averaged over time"),
        failures=True, formula="1 - down / processors of the machine", over="time",  # untranslated
    ),
    Figure(
        "latency", tr("Latency"), "cycles", tr("From injection to arrival, averaged over packets"), True,
        formula="delivered - injected", over="packets", spreads=WHOLE,  # untranslated
    ),
    Figure(
        "blocking", tr("Blocking"), "cycles", tr("How long a packet's header waits, on average"), True,
        formula="blocking", over="packets", spreads=WHOLE,
    ),
    Figure(
        "blocked_packets", tr("Blocked packets"), "share", tr("The share of packets that had to wait"), True,
        formula="blocking > 0", over="packets", spreads=(),  # untranslated
    ),
    Figure(
        "message_distance", tr("Message distance"), "hops", tr("Hops of a packet, on average"), True,
        formula="message_distance", over="packets",
    ),
    Figure(
        "channel_use", tr("Use of links"), "share", tr("The share of cycles in which a link is in use"), True,
        formula="use", over="links",
    ),
    Figure(
        "messages_per_job", tr("Messages per job"), "number", tr("Messages that a job sends, on average"),
        True, formula="messages",
    ),
    Figure(
        "packets", tr("Packets"), "number", tr("Packets that arrive"), True,
        formula="count(packet)", over="run", spreads=(),
    ),
    Figure(
        "energy", tr("Energy"), "number",
        tr("Of free and held processors over time, and of flits on links, by the energies of the scenario"),
        True, formula="idle_energy * idle + busy_energy * held + flit_energy * passed",  # untranslated
        over="run", spreads=(),
    ),
)  # fmt: skip
FIGURES: Final[dict[str, Figure]] = {figure.name: figure for figure in _ALL}
"""The figures, each once, in the order in which they are shown."""

SPREADS: Final[dict[str, Figure]] = {
    (one := figure.spread(part)).name: one for figure in _ALL for part in figure.spreads
}
"""The median and so on of the figures that have them."""

NUMBERS: Final[dict[str, Figure]] = FIGURES | SPREADS
"""All that a run is compared by, under the names that files have."""


def compared() -> list[str]:
    """The names that experiments may ask for: all but of those measured with a clock."""
    return [name for name, figure in NUMBERS.items() if not figure.wall]


def no_such_figure(name: str) -> str:
    """What is said of a name by which runs cannot be compared."""
    if name in NUMBERS:
        return tr("{name} is measured with a clock: expected a figure of the run alone").format(name=name)
    known = compared()
    of_mean = name.replace("_mean.", ".")
    guess = nearest(of_mean if of_mean in known else name, known) or tr(": `meshgui figures` lists all")
    return tr("no figure is called {name}{guess}").format(name=name, guess=guess)
