"""The naive network against the closed forms of the time model, which it does not use itself.

A(i, j) is the cycle in which flit j enters buffer i of its packet's path, H(i) = A(i, 0) the header's.
"""

from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.network import PER_HOP, PORTS, Delivery, FlitNetwork, channels

STORE_AND_FORWARD = "store-and-forward"
LIMIT = 2000  # cycles; no test here needs as many, and none is to run for ever
SHAPE = (4, 3, 2)
NODES = [(x, y, z) for x in range(4) for y in range(3) for z in range(2)]
nodes = st.sampled_from(NODES)
delays = st.integers(0, 4)


class Setting(NamedTuple):
    """What the packets and their switching are like."""

    flits: int
    delay: int
    buffer: int
    switching: str
    per_hop: str = "header"
    ports: str = "one"

    @property
    def cycles(self):
        """How long a flit takes for a channel."""
        return self.delay + 1 if self.per_hop == "flit" else 1

    @property
    def pause(self):
        """How long a header takes to ask, once what must be in the buffer is."""
        return 0 if self.per_hop == "flit" else self.delay


@st.composite
def settings(draw, switching=("wormhole", "virtual-cut-through", STORE_AND_FORWARD)):
    """Packets of up to 9 flits; buffers of 1 flit up to a whole packet, or more where it must fit."""
    flits, chosen = draw(st.integers(1, 9)), draw(st.sampled_from(switching))
    few, many = (1, flits) if chosen == "wormhole" else (flits, flits + 2)
    per_hop = "header" if chosen == STORE_AND_FORWARD else draw(st.sampled_from(PER_HOP))
    ports = draw(st.sampled_from(PORTS))
    return Setting(flits, draw(delays), draw(st.integers(few, many)), chosen, per_hop, ports)


# Two targets for all packets, so that they meet; none to its own source, which free ports have no route for.
crowds = st.lists(nodes, min_size=2, max_size=2).flatmap(
    lambda targets: st.lists(
        st.tuples(st.integers(0, 20), nodes, st.sampled_from(targets)).filter(lambda row: row[1] != row[2]),
        min_size=2,
        max_size=12,
    )
)


def cycles(network):
    """Each cycle done, until all packets are delivered."""
    while len(network.delivered()) < len(network.packets):
        assert network.now < LIMIT
        network.step()
        yield network.now


def watch(network):
    """Run the network; A of each packet, a row a buffer, by looking at every flit after every cycle."""
    numbers = range(len(network.packets))
    entered = [[[None] * network.flits for _ in network.hop_times(number)] for number in numbers]
    places = [[-1] * network.flits for _ in numbers]
    for now in cycles(network):
        for number in numbers:
            was, places[number] = places[number], network.places(number)
            for flit, (before, after) in enumerate(zip(was, places[number], strict=True)):
                assert after - before in (0, 1)
                if after > before:
                    entered[number][after][flit] = now
    return entered


def sent(setting, packets):
    """A network with these packets sent, numbered as they come."""
    network = FlitNetwork(SHAPE, *setting)
    assert [network.send(*packet) for packet in packets] == list(range(len(packets)))
    return network


def by_the_formula(headers, setting):
    """A from the header's times alone, term by term."""
    last = len(headers) - 1
    entered = [[header] + [0] * (setting.flits - 1) for header in headers]
    for j in range(1, setting.flits):
        for i in range(last + 1):
            terms = [entered[i][j - 1] + setting.cycles]
            if i > 0:
                terms.append(entered[i - 1][j] + setting.cycles)
            if i < last and j >= setting.buffer:
                terms.append(entered[i + 1][j - setting.buffer])
            entered[i][j] = max(terms)
    return entered


def test_a_path_goes_in_x_then_y_then_z():
    """A link is named by the node it leaves; a packet to its own node is injected and ejected."""
    assert channels((3, 2, 2), (2, 0, 0), (1, 1, 1)) == [
        ((2, 0, 0), "inject"),
        ((2, 0, 0), "-x"),
        ((1, 0, 0), "+y"),
        ((1, 1, 0), "+z"),
        ((1, 1, 1), "eject"),
    ]
    assert channels((3, 2, 2), (2, 0, 0), (2, 0, 0)) == [((2, 0, 0), "inject"), ((2, 0, 0), "eject")]
    assert channels((3, 2, 2), (2, 0, 0), (1, 1, 0), "free") == [((2, 0, 0), "-x"), ((1, 0, 0), "+y")]


@pytest.mark.parametrize("switching", ["virtual-cut-through", STORE_AND_FORWARD])
def test_a_whole_packet_must_fit_into_a_buffer(switching):
    """Except with wormhole switching."""
    with pytest.raises(ValueError, match="8 flits, not for 7"):
        FlitNetwork(SHAPE, 8, 3, 7, switching)
    FlitNetwork(SHAPE, 8, 3, 8, switching)
    FlitNetwork(SHAPE, 8, 3, 7)


@pytest.mark.parametrize("delay", [0, 2])
@pytest.mark.parametrize("hops", [1, 2, 6])
def test_a_packet_alone_takes_what_the_specification_says(hops, delay):
    """§12: c·(h + L − 1), and h + (h − 1)·ts + L − 1, over free ports; two more channels with one."""
    flits, cycles = 8, delay + 1
    alone = {
        ("flit", "free"): cycles * (hops + flits - 1),
        ("flit", "one"): cycles * (hops + 2 + flits - 1),
        ("header", "free"): hops + (hops - 1) * delay + flits - 1,
        ("header", "one"): (hops + 1) * (delay + 1) + flits,
    }
    for (per_hop, ports), latency in alone.items():
        network = FlitNetwork((7, 1, 1), flits, delay, per_hop=per_hop, ports=ports)
        network.send(5, (0, 0, 0), (hops, 0, 0))
        assert network.run(LIMIT) == [Delivery(5, 5 + latency, latency, 0)]


def test_store_and_forward_delays_headers():
    """§12: not every flit."""
    with pytest.raises(ValueError, match="not every flit"):
        FlitNetwork(SHAPE, 8, 3, 8, STORE_AND_FORWARD, "flit")


def test_free_ports_take_in_several_packets_at_once():
    """Two come from two sides at once and neither waits; of two over one link the second does."""
    network = FlitNetwork((3, 1, 1), 4, 1, ports="free")
    for source in ((0, 0, 0), (2, 0, 0), (0, 0, 0)):
        network.send(0, source, (1, 0, 0))
    assert network.run(LIMIT) == [Delivery(0, 4, 4, 0), Delivery(0, 4, 4, 0), Delivery(0, 8, 8, 4)]


@given(setting=settings(), crowd=crowds)
def test_every_flit_follows_its_header_by_the_formula(setting, crowd):
    """A(i,j) = max(A(i-1,j)+c, A(i,j-1)+c, A(i+1,j-B)), however the header was held up; c is 1 or ts + 1."""
    network = sent(setting, crowd)
    for number, entered in enumerate(watch(network)):
        headers = network.hop_times(number)
        assert entered == by_the_formula(headers, setting)
        # The same solved for the header's times.
        last, buffer = len(headers) - 1, setting.buffer
        for i, row in enumerate(entered):
            for j, cycle in enumerate(row):
                ahead = range(min(last - i, j // buffer) + 1)
                assert cycle == max(headers[i + k] + setting.cycles * (j - k * buffer) for k in ahead)


@given(setting=settings(), crowd=crowds)
def test_channels_pass_and_buffers_hold_what_they_may(setting, crowd):
    """At most one flit a channel and cycle, and never more than B flits of a packet in a buffer."""
    network = sent(setting, crowd)
    paths = [channels(SHAPE, source, target, setting.ports) for _, source, target in crowd]
    crossings = set()
    for number, entered in enumerate(watch(network)):
        for i, channel in enumerate(paths[number]):
            for cycle in entered[i]:
                busy = {(channel, cycle - before) for before in range(setting.cycles)}
                assert not busy & crossings
                crossings |= busy
        for row, next_row in pairwise(entered):
            assert row == sorted(set(row))
            for cycle in row:
                lying = sum(came <= cycle < went for came, went in zip(row, next_row, strict=True))
                assert lying <= setting.buffer


@given(setting=settings(), crowd=crowds)
def test_a_channel_goes_to_the_earliest_request_as_soon_as_it_is_free(setting, crowd):
    """Ties to the lower number; free again in the cycle in which the tail leaves; the rest is blocking."""
    network = sent(setting, crowd)
    asking_flit = -1 if setting.switching == STORE_AND_FORWARD else 0
    uses = defaultdict(list)
    for number, entered in enumerate(watch(network)):
        time, source, target = crowd[number]
        asked = [time] + [row[asking_flit] + setting.pause for row in entered[:-1]]
        granted = [row[0] - setting.cycles for row in entered]
        released = [row[-1] for row in entered[1:]] + [entered[-1][-1]]
        path = channels(SHAPE, source, target, setting.ports)
        for channel, *use in zip(path, asked, granted, released, strict=True):
            uses[channel].append((number, *use))
        delivered, waits = released[-1], [late - early for early, late in zip(asked, granted, strict=True)]
        injected, blocked = (granted[0], sum(waits[1:])) if setting.ports == "one" else (time, sum(waits))
        assert network.delivered()[number] == Delivery(injected, delivered, delivered - injected, blocked)
    for users in uses.values():
        free = 0
        while users:
            cycle = max(free, min(asked for _, asked, _, _ in users))
            there = [use for use in users if use[1] <= cycle]
            first = min(there, key=lambda use: (use[1], use[0]))
            assert first[2] == cycle
            free = first[3]
            users.remove(first)


@pytest.mark.parametrize("late", range(8))
def test_a_channel_is_granted_in_the_cycle_of_its_release(late):
    """Also to a request of that very cycle, which then has not waited."""
    network = FlitNetwork((3, 1, 1), 5, 2)
    network.send(0, (0, 0, 0), (1, 0, 0))
    network.send(late, (2, 0, 0), (1, 0, 0))
    arrival = 2 * 3 + 5  # of the first's tail, and so the release
    owners = {now: network.owner((1, 0, 0), "eject") for now in cycles(network)}
    request = late + 1 + 2 + 1 + 2
    assert network.delivered()[1].blocked == max(arrival - request, 0)
    grant = max(arrival, request)
    assert network.hop_times(1)[-1] == grant + 1
    assert owners[arrival - 1] == 0
    assert owners[arrival] == (1 if grant == arrival else None)
    assert owners[grant] == 1
    assert owners[max(owners)] is None


def test_a_packet_may_be_sent_between_cycles():
    """For any cycle that is not done yet."""
    network = FlitNetwork((2, 1, 1), 4)
    network.step()
    with pytest.raises(ValueError, match="cycle 0 is past"):
        network.send(0, (0, 0, 0), (1, 0, 0))
    number = network.send(1, (0, 0, 0), (1, 0, 0))
    assert (network.places(number), network.hop_times(number)) == ([-1] * 4, [None] * 3)
    assert network.run(LIMIT)[number].injected == 1
    assert network.places(number) == [2] * 4


def test_a_run_ends_at_its_limit():
    """Rather than never, should packets stand still."""
    network = FlitNetwork((2, 1, 1), 4)
    network.send(50, (0, 0, 0), (1, 0, 0))
    with pytest.raises(AssertionError, match="after cycle 9"):
        network.run(limit=9)
