"""What a run will take: its network and searches known to be long beforehand, all else by its pace."""

from __future__ import annotations

from collections.abc import Callable
from heapq import nlargest
from typing import Final, NamedTuple

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.compiled_work import seconds_worked
from meshgui.engine.basics.memory import VARIABLE, MemoryBoundError, in_gigabytes, memory_bound
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import duration
from meshgui.engine.network.flits import CHANNEL_BYTES
from meshgui.engine.network.networks import network_class
from meshgui.engine.network.routing import WAYS
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.job_stream import JobStream

_OF_A_JOB: Final = 300  # bytes, with its events
_OF_A_CHANNEL: Final = 76  # with the figures of its use
_COPIES: Final = 2  # what is recorded is copied when it grows, and when it is shown or summed up
_HOPS_A_SECOND: Final = 5e6
_FLITS_A_SECOND: Final = 5e6
_STEPS_A_SECOND: Final = 1e8
_ENDS: Final = 2  # hops of a packet into the network and out of it
_LARGE_SHARE: Final = 0.25  # of the memory that a run may take
LONG: Final = 60.0  # seconds after which a run is out of proportion
_TRIAL: Final = 1.5  # seconds of work by which a pace is known
_PAUSES: Final = 3  # that do not count, as kernels are compiled in them


class Expectation(NamedTuple):
    """What a run takes; the time is that of the network, and of searches that are known to be long."""

    jobs: int
    packets: int
    least: int  # bytes
    bytes_: int  # an estimate, rather too high than too low
    seconds: float

    @property
    def words(self) -> str:
        """The estimate as the end of a sentence."""
        amount = tr("{in_gigabytes} of memory and {duration}").format(
            in_gigabytes=in_gigabytes(self.bytes_), duration=duration(self.seconds)
        )
        if not self.packets:
            return tr("{amount} for {jobs:,} jobs").format(amount=amount, jobs=self.jobs)
        return tr("{amount} for {packets:,} packets").format(amount=amount, packets=self.packets)

    @property
    def large(self) -> bool:
        """Whether one should be asked before it begins."""
        return self.bytes_ > _LARGE_SHARE * memory_bound() or self.seconds > LONG

    def require(self) -> None:
        """Raise an error if it takes more than it may."""
        bound = memory_bound()
        if self.least > bound:
            of_packets = tr(
                "the run needs at least {in_gigabytes} of memory for {packets:,} packets, but may "
                "use {in_gigabytes2} ({VARIABLE} changes the limit)"
            )
            of_jobs = tr(
                "the run needs at least {in_gigabytes} of memory for {jobs:,} jobs, but may use "
                "{in_gigabytes2} ({VARIABLE} changes the limit)"
            )
            named = {"packets": self.packets, "jobs": self.jobs, "VARIABLE": VARIABLE}
            amounts = {"in_gigabytes": in_gigabytes(self.least), "in_gigabytes2": in_gigabytes(bound)}
            raise MemoryBoundError((of_packets if self.packets else of_jobs).format(**named, **amounts))


def require_room(scenario: Scenario) -> None:
    """Raise an error if the jobs alone take more than they may: before they are drawn, for seconds."""
    least = scenario.job_count * _OF_A_JOB
    Expectation(scenario.job_count, 0, least, least, 0.0).require()


def expectation(scenario: Scenario, jobs: JobStream) -> Expectation:
    """What a run of these jobs will take."""
    packets = int(jobs.messages.sum()) if scenario.network is not None else 0
    allocator = strategy(scenario.allocator.name)
    hops = _hops(scenario, jobs) if packets else 0.0
    of_jobs, of_channels = len(jobs) * _OF_A_JOB, 0
    of_a_packet, of_a_hop, hops_a_second = 0, 0, _HOPS_A_SECOND
    if scenario.network is not None:
        law = scenario.network.law
        network, of_a_channel = network_class(law), _OF_A_CHANNEL
        of_a_packet, of_a_hop = network.packet_bytes(), network.row_bytes(law)
        if not law.headers_decide:
            of_a_channel += law.channels * CHANNEL_BYTES
            hops_a_second = _FLITS_A_SECOND / law.flits
        of_channels = scenario.machine.processors * WAYS * of_a_channel
    least = of_jobs + of_channels + packets * (of_a_packet + (1 + _ENDS) * of_a_hop)
    most = of_channels + _COPIES * (of_jobs + packets * of_a_packet + hops * of_a_hop)
    seconds = hops / hops_a_second + allocator.search_steps(jobs.sizes, scenario.machine) / _STEPS_A_SECOND
    return Expectation(len(jobs), packets, least, int(most), seconds)


def _hops(scenario: Scenario, jobs: JobStream) -> float:
    """The channels that all packets pass: those of listed ones exactly, else going by random places."""
    if scenario.network is not None and scenario.network.packets:
        return float(
            scenario.network.hops_of_packets(scenario.machine) + _ENDS * len(scenario.network.packets)
        )
    near = strategy(scenario.allocator.name).contiguous  # a job lies in one box
    sides = jobs.sizes.sum(axis=1) if near else sum(scenario.machine.extents)
    return float((jobs.messages * (sides / 3 + _ENDS)).sum())  # the mean way between random places


class Pace:
    """Says from the progress of a run how long it will take in all.

    It counts the thread's own time with what is done beside it, not what others take, without the longest
    pauses between two looks.
    """

    def __init__(self, clock: Callable[[], float] = seconds_worked) -> None:
        self._clock = clock
        self._last: float | None = None
        self._first_ended = 0.0
        self._pauses: list[float] = []  # the longest
        self._worked = 0.0

    def seconds(self, ended: float, jobs: float) -> float | None:
        """For the whole run; None while too little of it is done to say."""
        now = self._clock()
        if self._last is None:
            self._first_ended = ended
        else:
            self._worked += now - self._last
            self._pauses = nlargest(_PAUSES, [*self._pauses, now - self._last])
        self._last = now
        worked, done = self._worked - sum(self._pauses), ended - self._first_ended
        return worked / done * jobs if worked >= _TRIAL and done else None
