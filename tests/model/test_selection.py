"""The selection: what is selected and pointed at, and which of it a change is about."""

import pytest

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box
from meshgui.model.selection import Selection, SelectionChange

MARK = Mark(Role.TRIED, Box(0, 0, 0, 1, 1, 1), ())


@pytest.fixture
def heard():
    """A selection, and the changes it tells of."""
    selection, changes = Selection(), []
    selection.changed.connect(changes.append)
    return selection, changes


@pytest.mark.parametrize(
    ("act", "change"),
    [
        (lambda chosen: chosen.select(3), SelectionChange.JOB),
        (lambda chosen: chosen.select_packet(7, 3), SelectionChange.PACKET | SelectionChange.JOB),
        (lambda chosen: chosen.select_channel(12), SelectionChange.CHANNEL),
        (lambda chosen: chosen.select_span((2, 9)), SelectionChange.SPAN),
        (lambda chosen: chosen.point_out(MARK), SelectionChange.MARK),
        (lambda chosen: chosen.hover(3), SelectionChange.HOVER),
        (lambda chosen: chosen.hover(None, None, 12), SelectionChange.HOVER),
    ],
)
def test_a_change_says_what_it_is_about(heard, act, change):
    """Each act names what has changed, and repeated it changes nothing."""
    selection, changes = heard
    act(selection)
    act(selection)
    assert changes == [change]


def test_a_change_names_all_that_has_changed_at_once_and_the_innermost_is_deselected_first(heard):
    """A job replaces packet and channel; channel, packet, job and span go one after the other."""
    selection, changes = heard
    selection.select_packet(7, 3)
    selection.select_packet(8, 3)
    assert changes[1:] == [SelectionChange.PACKET]
    selection.select_channel(12)
    selection.select(4)
    assert changes[-1] == SelectionChange.JOB | SelectionChange.PACKET | SelectionChange.CHANNEL
    assert (selection.job, selection.packet, selection.channel) == (4, None, None)
    selection.clear()
    assert changes[-1] == SelectionChange.ALL
    assert (selection.job, selection.packet) == (None, None)
    selection, _ = heard
    selection.select_span((2, 9))
    selection.select_packet(7, 3)
    selection.select_channel(12)
    seen = []
    while selection.deselect_innermost():
        seen.append((selection.channel, selection.packet, selection.job, selection.span))
    assert seen == [(None, 7, 3, (2, 9)), (None, None, 3, (2, 9)), (None, None, None, (2, 9)), (None,) * 4]
