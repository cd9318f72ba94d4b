"""With a network the timeline reaches down to single cycles: packets, their hops, and what they waited."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import describe_node
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.scene.colours import job_colour
from meshgui.model.timeline.packet_spans import packet_spans
from meshgui.views.timeline.frame import Frame
from meshgui.views.timeline.panel import TimelineView
from tests.networks import crowd, full_mesh, sending
from tests.runs import report_at_every_event, run_of
from tests.views.pointer import move_to
from tests.views.timeline.driving import first_packet_bar, packet_bars, turn_wheel, zoom_to


@pytest.fixture
def timeline(shown, cursor):
    """A timeline of two thousand packets, in as much room as three panels' height."""
    view = shown(TimelineView, 1280, 400)
    cursor.show(full_mesh())
    cursor.go_to_time(460.0)
    view.grab()
    return view


def test_from_afar_packets_are_a_curve_of_how_many_are_under_way(timeline):
    """With the whole run in sight nothing can be pointed at in the packets' strip, and something is drawn."""
    assert packet_bars(timeline, 8) == {}
    picture = timeline.grab().toImage()
    strip = timeline.frame.packets
    colours = {picture.pixelColor(400, y).name() for y in range(strip.top, strip.bottom)}
    assert len(colours) > 1


def test_the_wheel_leads_down_to_twenty_cycles_and_no_further(timeline):
    """However often it is turned; the cycle of the playhead stays in sight."""
    zoom_to(timeline, 20.0)
    for _ in range(20):
        turn_wheel(timeline, timeline.playhead, 1)
    assert timeline.window_of_time.span == pytest.approx(20.0)
    assert timeline.playhead is not None


def test_a_bar_reaches_from_injection_to_delivery_in_its_jobs_colour(timeline):
    """Each place on a bar lies in its packet's time, and each packet in sight has its bar."""
    zoom_to(timeline, 60.0)
    picture = timeline.grab().toImage()
    network, window = full_mesh().network, timeline.window_of_time
    found = packet_bars(timeline)
    in_sight = np.flatnonzero((network.injected <= window.high - 1) & (network.delivered >= window.low + 1))
    assert set(in_sight.tolist()) <= set(found)
    slack = 2 * window.span / 1000
    shown = set()
    for packet, places in found.items():
        times = [timeline.time_at(place.x() + 0.5) for place in places]
        assert min(times) >= network.injected[packet] - slack
        assert max(times) <= network.delivered[packet] + slack
        colour = QColor.fromRgbF(*job_colour(int(network.jobs[packet]), "light")).rgb()
        shown.add(any(picture.pixel(place) == colour for place in places))
    assert len(found) > 10
    assert shown == {True}


def test_what_a_header_waited_is_vermilion_and_nothing_else_is(timeline, themes):
    """On a bar the colour of blocking stands exactly where its header had asked and was not granted."""
    zoom_to(timeline, 60.0)
    timeline.show_from(timeline.window_of_time.low - 20.0)
    picture = timeline.grab().toImage()
    network, pixel = full_mesh().network, timeline.window_of_time.span / 1096
    vermilion = QColor(themes.theme.blocked).rgb()
    marked, missed = 0, 0
    for packet, places in packet_bars(timeline, 1).items():
        way = [passage for passage in network.passages(packet)[1:] if passage.granted != NEVER_YET]
        waits = [(passage.asked, passage.granted) for passage in way if passage.waited]
        columns = {}
        for place in places:
            columns.setdefault(place.x(), []).append(picture.pixel(place) == vermilion)
        for x, seen in columns.items():
            time = timeline.time_at(x + 0.5)
            if abs(x - timeline.playhead) < 3:
                continue
            blocked = any(asked + 2 * pixel < time < granted - 2 * pixel for asked, granted in waits)
            free = not any(asked - 2 * pixel < time < granted + 2 * pixel for asked, granted in waits)
            marked += blocked and any(seen)
            missed += (blocked and not any(seen)) or (free and any(seen))
    assert marked > 100
    assert missed == 0


@pytest.mark.parametrize("law", [{}, {"per_hop": "flit", "ports": "free"}], ids=str)
def test_close_up_each_hop_parts_the_bar(shown, cursor, themes, law):
    """Where a header enters a buffer the ground shows through its packet's bar, and nowhere else in it."""
    recording = simulate(sending([(0, (8, 1), 6)], shape=(8, 1), routing_delay=3, **law))
    network = recording.network
    view = shown(TimelineView, 1280, 300)
    cursor.show(recording)
    cursor.go_to_time(recording.end_time)  # the playhead leaves the bars alone
    zoom_to(view, 25.0)
    view.show_from(0.0)
    picture = view.grab().toImage()
    ground = QColor(themes.theme.panel).rgb()
    pixel = view.window_of_time.span / 1096
    seen = 0
    for packet, places in packet_bars(view, 1).items():
        top = min(place.y() for place in places) + 1
        row = [place.x() for place in places if place.y() == top]
        cuts = [view.time_at(x + 0.5) for x in row if picture.pixel(x, top) == ground]
        hops = [t for t in network.hop_times_of(packet).tolist() if t < view.window_of_time.high]
        own = [cut for cut in cuts if cut < network.delivered[packet] - 2 * pixel]
        assert all(min(abs(cut - hop) for hop in hops) <= 2 * pixel for cut in own)
        inside = [hop for hop in hops if hop - network.injected[packet] > 2 * pixel]
        assert all(min(abs(cut - hop) for cut in own) <= 2 * pixel for hop in inside)
        seen += len(inside)
    assert seen >= 5


def test_a_packet_pointed_at_is_hovered_named_and_selected_by_a_click(qtbot, timeline, selection):
    """The packet and its job light up everywhere; a drag over bars selects nothing."""
    zoom_to(timeline, 60.0)
    packet, place = first_packet_bar(timeline)
    job = int(full_mesh().network.jobs[packet])
    move_to(timeline, QPointF(place))
    assert (selection.hovered, selection.hovered_packet) == (job, packet)
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=place)
    move_to(timeline, QPointF(place) + QPointF(90, 0), Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=place + QPoint(90, 0))
    assert selection.packet is None
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=place)
    assert (selection.packet, selection.job) == (packet, job)
    # The tooltip names the packet, its job, its way, and how long it was blocked
    network = full_mesh().network
    words = timeline.words_at(QPointF(place))
    waited = sum(passage.waited for passage in network.passages(packet)[1:])
    source, target = (describe_node(network.mesh, int(n[packet])) for n in (network.sources, network.targets))
    assert words.startswith(f"Packet {packet} of ")
    assert words.endswith(f"{source} to {target}, blocked for {waited} cycles")


def test_the_selected_packet_is_framed_in_the_accent(timeline, selection, themes):
    """Selecting it elsewhere marks its bar, without drawing the background again."""
    zoom_to(timeline, 60.0)
    found = packet_bars(timeline).items()
    packet, places = next(one for one in found if abs(one[1][0].x() - timeline.playhead) > 40)
    before = timeline.pictures_drawn
    selection.select_packet(packet, int(full_mesh().network.jobs[packet]))
    picture = timeline.grab().toImage()
    accent = QColor(themes.theme.accent)
    top = min(place.y() for place in places)
    around = [picture.pixelColor(places[0].x() + 6, y) for y in range(top - 2, top + 2)]
    assert accent in around
    assert timeline.pictures_drawn == before


def shift_drag(qtbot, view, begin, end):
    """Drag with Shift held."""
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, shift, QPoint(begin, 200))
    move_to(view, QPointF((begin + end) // 2, 200), Qt.MouseButton.LeftButton)
    move_to(view, QPointF(end, 200), Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, shift, QPoint(end, 200))


@pytest.mark.parametrize(("begin", "end"), [(300, 700), (700, 300), (20, 1270)])
def test_a_drag_with_shift_chooses_whole_cycles(qtbot, timeline, selection, cursor, begin, end):
    """Those between its ends, whichever way, and none beyond the run; a click chooses none, and one stays."""
    before = cursor.time
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(400, 200))
    assert selection.span is None
    shift_drag(qtbot, timeline, begin, end)
    first, last = (int(timeline.time_at(x)) for x in sorted((begin, end)))
    assert selection.span == (first, last)
    assert 0 <= first < last <= int(full_mesh().end_time)
    assert cursor.time == before


def test_the_chosen_cycles_are_tinted_until_a_double_click(qtbot, timeline, themes, selection):
    """Inside the band the ground takes on the accent, outside it stays."""
    shift_drag(qtbot, timeline, 300, 500)
    picture = timeline.grab().toImage()
    at, ground = timeline.frame.events.top + 1, QColor(themes.theme.panel)
    assert ground not in [picture.pixelColor(x, at) for x in range(320, 480)]
    assert ground in [picture.pixelColor(x, at) for x in range(700, 900)]
    # A double click on the band ends the choice; beside it, it brings the whole run in sight
    zoom_to(timeline, 200.0)
    shift_drag(qtbot, timeline, 300, 500)
    qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(900, 200))
    assert timeline.window_of_time.fits_all
    assert selection.span is not None
    zoom_to(timeline, 200.0)
    shift_drag(qtbot, timeline, 300, 500)
    qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(400, 200))
    assert selection.span is None
    assert not timeline.window_of_time.fits_all


def test_without_a_network_shift_chooses_nothing(qtbot, shown, cursor, selection):
    """There are no channels whose use could be looked at."""
    view = shown(TimelineView)
    cursor.show(run_of("three-jobs-4x4x4"))
    view.grab()
    shift_drag(qtbot, view, 300, 500)
    assert selection.span is None
    assert view.packet_at(QPointF(400, 100)) is None


def test_the_playhead_tells_the_cycle_and_a_packet_without_a_bar_has_a_mark(timeline, cursor, selection):
    """Whole times are cycles; an arrival between two keeps its own time."""
    cursor.go_to_time(17.0)
    assert timeline.time_text == "cycle 17"
    cursor.go_to_time(17.25)
    assert timeline.time_text == "t 17.25"
    # Where packets have no bars a mark is in the curve's strip at the time of the selected one
    before = timeline.grab().toImage()
    selection.select_packet(1000, int(full_mesh().network.jobs[1000]))
    assert timeline.grab().toImage() != before


def test_zooming_shifts_the_strips_bit_by_bit(themes):
    """From afar to near the packets' strip only grows and none is swapped for another."""
    frames = [Frame.lay_out(1280, 200, themes, near) for near in np.linspace(0, 1, 60)]
    heights = [frame.packets.height for frame in frames]
    assert heights == sorted(heights)
    assert heights[0] * 2 < heights[-1]
    assert max(np.diff(heights)) <= 3
    assert all(frame.events.bottom <= 200 for frame in frames)
    assert {frame.ruler for frame in frames} == {frames[0].ruler}


@pytest.mark.parametrize("near", [None, 0.0, 1.0])
def test_strips_go_as_a_whole_where_there_is_no_room_for_their_names(themes, near):
    """First the queue, then the processors in use; what is left is at least as high as a name."""
    line = QFontMetrics(themes.text("caption")).height()
    seen = []
    for height in range(400, 110, -1):
        frame = Frame.lay_out(1280, height, themes, near)
        strips = [frame.in_use, frame.queue, frame.jobs, frame.packets]
        heights = [strip.height for strip in strips]
        assert all(not strip.height or strip.first_line(line) is not None for strip in strips)
        shown = [name for name, strip in zip("uqjp", heights, strict=True) if strip]
        if shown not in seen:
            seen.append(shown)
    whole = {None: "uqj", 1.0: "ujp"}.get(near, "uqjp")
    assert ["".join(shown) for shown in seen] == list(
        dict.fromkeys([whole, whole.replace("q", ""), whole.replace("q", "").replace("u", "")])
    )


@pytest.mark.parametrize("size", [(1600, 200), (300, 140), (60, 40)])
@pytest.mark.parametrize("recording", [crowd, full_mesh])
def test_any_size_can_be_zoomed_through(shown, cursor, size, recording):
    """In much room or hardly any, from the whole run to single cycles: it is drawn."""
    view = shown(TimelineView, *size)
    cursor.show(recording())
    cursor.go_to_time(20.0)
    for _ in range(40):
        assert not view.grab().isNull()
        turn_wheel(view, view.playhead or size[0] / 2, 1)


def test_a_run_in_progress_shows_its_packets_so_far(shown, cursor, themes, monkeypatch):
    """Bars of packets still under way end where the run has got to, before what is not known yet."""
    report_at_every_event(monkeypatch)
    simulation = Simulation(sending([(0, (8, 8), 300), (1, (4, 4), 30), (2, (8, 8), 30)], shape=(8, 8)))
    parts = []
    simulation.run(Work(lambda _: parts.append(simulation.recording())))
    part = next(
        p for p in parts if not p.complete and len(p.network) and np.any(p.network.delivered > p.end_time)
    )
    view = shown(TimelineView, 1280, 400)
    cursor.show(part)
    cursor.last()
    zoom_to(view, 20.0)
    assert all(
        view.time_at(place.x()) <= part.end_time + 1
        for places in packet_bars(view).values()
        for place in places
    )


@pytest.fixture
def crowded(shown, cursor):
    """A timeline too low for all that is under way, close up."""
    view = shown(TimelineView, 1280, 190)
    cursor.show(full_mesh())
    cursor.go_to_time(460.0)
    zoom_to(view, 60.0)
    return view


def in_sight(view, packets):
    """Those of some packets that are well in sight."""
    network, window = full_mesh().network, view.window_of_time
    seen = (network.injected < window.high - 1) & (network.delivered > window.low + 1)
    return {packet for packet in packets if seen[packet]}


def test_where_all_are_too_many_the_selected_ones_have_bars_and_are_counted(crowded, selection, cursor):
    """None at first; all of the job's that are in sight, and no others, once it is selected."""
    assert packet_bars(crowded) == {}
    assert "Select a job" in crowded.words_at(QPointF(400, crowded.frame.packets.top + 4))
    network = full_mesh().network
    job = int(network.jobs[np.flatnonzero((network.injected < 460) & (network.delivered > 460))[0]])
    selection.select(job)
    crowded.grab()
    own, shown = in_sight(crowded, np.flatnonzero(network.jobs == job)), set(packet_bars(crowded, 1))
    assert own
    assert own <= shown
    assert {int(network.jobs[packet]) for packet in shown} == {job}
    selection.select(None)
    crowded.grab()
    assert packet_bars(crowded) == {}
    # Where the job has too many, the selected packet and whoever held a channel it waited for
    under_way = np.flatnonzero((network.injected < 460) & (network.delivered > 460))
    waited = [p for p in under_way.tolist() if sum(s.waited for s in network.passages(p)[1:]) > 30]
    packet = waited[0]
    selection.select_packet(packet, int(network.jobs[packet]))
    crowded.grab()
    blockers = {blocker for passage in network.passages(packet) for blocker in passage.blockers}
    assert blockers
    assert in_sight(crowded, blockers | {packet}) <= set(packet_bars(crowded, 1)) <= blockers | {packet}
    # The numbers are those of the packets drawn: how many are under way, and the most there ever are
    selection.clear()
    crowded.grab()
    under_way = np.flatnonzero((network.injected <= 460) & (network.delivered > 460))
    assert crowded.packets_under_way == len(under_way)
    assert crowded.packets_drawn.most == packet_spans(network).most
    job = int(network.jobs[under_way[0]])
    selection.select(job)
    crowded.grab()
    assert crowded.packets_under_way == np.count_nonzero(network.jobs[under_way] == job)
    assert crowded.packets_drawn.most == packet_spans(network).of_job(job).most
    cursor.first()
    crowded.grab()
    assert crowded.packets_under_way == 0


@pytest.mark.parametrize("close_up", [True, False])
def test_a_click_or_a_drag_ends_at_a_whole_cycle(qtbot, timeline, cursor, close_up):
    """At the one that lies there, a part of which means nothing in the network."""
    if close_up:
        zoom_to(timeline, 20.0)
    left = Qt.MouseButton.LeftButton
    for x in (301, 302, 340, 555, 1003):
        wanted = int(timeline.time_at(x))
        qtbot.mouseClick(timeline, left, pos=QPoint(x, 2))
        assert cursor.time == wanted
    qtbot.mousePress(timeline, left, pos=QPoint(400, 2))
    for x in (417, 444, 700):
        wanted = int(timeline.time_at(x))
        move_to(timeline, QPointF(x, 2), left)
        assert cursor.time == wanted
    qtbot.mouseRelease(timeline, left, pos=QPoint(700, 2))


def test_where_all_have_bars_a_selection_draws_no_new_background(shown, cursor, selection):
    """Only where the bars depend on it is the picture drawn again."""
    view = shown(TimelineView, 1280, 300)
    cursor.show(crowd())
    view.grab()
    before = view.pictures_drawn
    selection.select(1)
    selection.select_packet(3, int(crowd().network.jobs[3]))
    view.grab()
    assert view.pictures_drawn == before
