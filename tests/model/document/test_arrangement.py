"""An arrangement of panels survives JSON and Qt's bytes; from outside it is read as far as it is valid."""

import json
import struct
from base64 import b64decode, b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.model.document.arrangement import (
    ALL_PANELS,
    AREAS,
    Arrangement,
    PanelArea,
    PanelGroup,
    PanelPlace,
)
from meshgui.model.document.arrangement_reader import read_arrangement
from meshgui.model.document.qt_state import qt_state, state_data
from tests.arrangements import OLD_STATE, end_of_docks, with_group
from tests.scale import cases

CORNERS = (4, 4, 8, 2)


def place(name: str, **more: Any) -> dict[str, Any]:
    """A panel as JSON has it."""
    return {"panel": name, **more}


@st.composite
def arrangements(draw: st.DrawFn) -> Arrangement:
    """Any arrangement: panels in any order, in groups of any depth, on any side."""
    names = draw(st.permutations(ALL_PANELS))[: draw(st.integers(1, len(ALL_PANELS)))]
    areas = draw(st.lists(st.sampled_from(AREAS), min_size=1, max_size=min(4, len(names)), unique=True))
    cuts = sorted(draw(st.permutations(range(1, len(names))))[: len(areas) - 1])
    shares = [names[low:high] for low, high in zip([0, *cuts], [*cuts, len(names)], strict=True)]
    lengths = st.integers(0, 10_000)
    drawn = {
        area: PanelArea(_drawn_node(draw, share, sized=False), (draw(lengths), draw(lengths)))
        for area, share in zip(areas, shares, strict=True)
    }
    return Arrangement({area: drawn[area] for area in AREAS if area in drawn}, (draw(lengths), draw(lengths)))


def _drawn_node(draw: st.DrawFn, names: list[str], *, sized: bool) -> PanelPlace | PanelGroup:
    size = draw(st.none() | st.integers(0, 10_000)) if sized else None
    kind = draw(st.sampled_from(("tabs", "rows", "columns")))
    if len(names) == 1:
        edge, length = st.integers(-100_000, 100_000), st.integers(1, 10_000)
        floating = draw(st.none() | st.tuples(edge, edge, length, length))
        return PanelPlace(names[0], draw(st.booleans()), floating, size if floating is None else None)
    cuts = sorted(draw(st.sets(st.integers(1, len(names) - 1), min_size=1)))
    shares = [names[low:high] for low, high in zip([0, *cuts], [*cuts, len(names)], strict=True)]
    if kind == "tabs":
        shares = [[name] for name in names]
    parts = tuple(_drawn_node(draw, share, sized=kind != "tabs") for share in shares)
    return PanelGroup(kind, parts, draw(st.sampled_from(["", *names])) if kind == "tabs" else "", size)


@cases(100, kernels=False)
@given(arrangements())
def test_an_arrangement_survives_a_file(arrangement: Arrangement):
    """Its JSON is read as the same, and all of it."""
    data = json.loads(json.dumps(arrangement.as_data()))
    assert read_arrangement(data) == (arrangement, True)


@pytest.mark.parametrize("rtl", [False, True])
def test_an_arrangement_survives_qt(rtl: bool):
    """Written for a window of either direction and read from its state; Qt numbers a tab that is in front."""

    @cases(100, kernels=False)
    @given(arrangements())
    def write_and_read(arrangement: Arrangement) -> None:
        assert read_arrangement(qt_state(arrangement, CORNERS, rtl=rtl)) == (arrangement, True)

    write_and_read()


def test_qt_gets_the_sides_of_a_window_from_right_to_left():
    """What one reads first is on the right; Base64 of an older version has the same panels."""
    queue, columns = PanelPlace("queue"), (PanelPlace("timeline"), PanelPlace("plots"))

    def arranged(side: str, parts: tuple[PanelPlace, ...]) -> Arrangement:
        bottom = PanelArea(PanelGroup("columns", parts), (3, 4))
        return Arrangement({side: PanelArea(queue, (1, 2)), "bottom": bottom})

    one, other = arranged("start", columns), arranged("end", columns[::-1])
    assert qt_state(one, CORNERS, rtl=True)[8:] == qt_state(other, CORNERS, rtl=False)[8:]
    arrangement, whole = read_arrangement(OLD_STATE)
    assert whole
    assert sorted(arrangement.names()) == sorted(ALL_PANELS)
    assert list(arrangement.areas) == ["start", "end", "bottom"]
    start, end, bottom = arrangement.areas.values()
    assert (start.size, end.size, bottom.size) == ((280, 488), (340, 671), (935, 178))
    assert arrangement.mesh == (650, 488)
    tabs = (
        PanelPlace("notes", hidden=True),
        PanelPlace("queue", floating=(2, 104, 280, 292)),
        PanelPlace("job"),
    )
    below = (PanelPlace("lesson", hidden=True, size=78),)
    assert start.node == PanelGroup("rows", (PanelGroup("tabs", tabs, "job", 304), *below))
    mirrored = b64decode(OLD_STATE)[:4] + struct.pack(">i", -2) + b64decode(OLD_STATE)[8:]
    other = read_arrangement(b64encode(mirrored).decode()).arrangement
    assert (other.areas["end"], other.areas["start"]) == (start, end)


def test_bytes_that_lead_qt_out_of_bounds_are_left_out():
    """The number of an area is one of four, counts are what there is, and nothing is cut off."""
    state = b64decode(OLD_STATE)
    docks = state.index(0xFD) + 1
    for value in (-1, 4, 0x100000, 0x7FFFFFFF, -0x80000000):
        crafted = state[: docks + 4] + struct.pack(">i", value) + state[docks + 8 :]
        assert read_arrangement(crafted).arrangement is None
        many = state[:docks] + struct.pack(">i", value) + state[docks + 4 :]
        assert read_arrangement(many).arrangement is None
    end = end_of_docks(state)  # of what is read: Qt's tool bars are not
    assert all(read_arrangement(state[:cut]).arrangement is None for cut in range(end))
    assert read_arrangement(state[:end]).whole


@pytest.mark.parametrize(
    "part",
    [
        *(None, 3, "job", [], {}, place("moon"), place("queue"), place("job", tabs=[]), place("job", more=1)),
        *(place("job", hidden="no"), place("job", size="wide"), place("job", size=float("nan"))),
        *(place("job", size=True), place("job", floating=[1, 2, 3])),
        {"tabs": [place("job"), place("stops")], "front": "queue"},
        {"tabs": [place("job"), {"rows": [place("stops"), place("plots")]}]},
    ],
    ids=repr,
)
def test_what_is_not_valid_is_left_out(part: object):
    """The panels beside it keep their places, and one sentence says so."""
    read = read_arrangement({"start": {"rows": [place("queue", size=5), part, place("notes")]}})
    assert not read.whole
    assert "could not be read in full" in read.fault
    assert {"queue", "notes"} <= set(read.arrangement.names()) <= {"queue", "notes", "job", "stops"}


@pytest.mark.parametrize(
    "data", [None, 3, [], {}, "", "moon", "AAAA", {"start": 3}, {"start": {"rows": []}}, b""]
)
def test_what_is_no_arrangement_is_said(data: object):
    """In one sentence."""
    read = read_arrangement(data)
    assert read.arrangement is None
    assert read.fault == "The arrangement of the panels could not be read and is ignored."


def test_a_panel_of_an_older_version_leaves_its_place_to_the_one_that_has_what_it_showed():
    """Why a job waits had a panel of its own; it is on the card of the job now, which comes to the front."""
    tabs = [place("why"), place("job"), place("queue")]
    read = read_arrangement({"start": {"rows": [{"tabs": tabs, "front": "why"}, place("why")]}})
    assert read.whole
    panels = (PanelPlace("job"), PanelPlace("queue"))
    assert read.arrangement.areas["start"].node == PanelGroup("tabs", panels, "job")


def test_sizes_out_of_range_are_clamped():
    """And places of floating panels, too; missing ones come behind their own of the same area."""
    far = place("stops", floating=[-(10**9), 1e300, 0, 10**9])
    odd = [place("queue", size=10**400), place("job", size=-5), far]
    read = read_arrangement({"start": {"rows": odd, "size": [-1, 10**9]}, "mesh": [2.5, 1e308]})
    area = read.arrangement.areas["start"]
    assert read.whole
    assert (area.size, read.arrangement.mesh) == ((0, 10_000), (2, 10_000))
    clamped = PanelPlace("stops", floating=(-100_000, 100_000, 1, 10_000))
    assert area.node.parts == (PanelPlace("queue", size=10_000), PanelPlace("job", size=0), clamped)
    deep: dict[str, Any] = place("job")
    for _ in range(200):
        deep = {"rows": [deep, None]}
    long = {"columns": [{"rows": []}] * 100_000 + [place("stops")]}
    read = read_arrangement({"start": {"rows": [place("queue"), deep, long]}})
    assert not read.whole
    assert list(read.arrangement.names()) == ["queue"]
    first = read_arrangement(OLD_STATE).arrangement
    own = PanelGroup("tabs", (PanelPlace("queue"), PanelPlace("stops")))
    lone = Arrangement({"end": PanelArea(own, (9, 9))})
    whole = lone.completed(first)
    assert sorted(whole.names()) == sorted(ALL_PANELS)
    assert whole.areas["bottom"] == first.areas["bottom"]
    end = whole.areas["end"].node
    assert (end.kind, end.parts[0]) == ("rows", own)
    assert [place.name for place in end.panels()] == [
        "queue",
        "stops",
        "algorithm",
        "scenario",
        "inspector",
        "network",
    ]
    assert first.completed(lone) == first
    data = state_data(with_group(b64decode(OLD_STATE), "plots", "job"))
    plots = data["bottom"]["columns"][0]["tabs"][1]
    assert plots == {"panel": "plots", "hidden": False, "floating": [50, 60, 400, 300]}
    assert data["start"]["rows"][0]["tabs"][2]["floating"] == [74, 84, 400, 300]
