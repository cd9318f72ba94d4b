"""The card beside the pointer covers neither what is pointed at nor what that waits for."""

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, QSizeF

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.model.scene.network_pointing import NOWHERE, looked_at
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene import labels
from meshgui.views.mesh.scene.labels import place_card
from meshgui.views.mesh.solid.canvas import MeshGL


@pytest.fixture
def blocked():
    """A cursor at a cycle in which packets of the lowest rows wait for others."""
    cursor = Cursor()
    cursor.show(simulate(load_scenario(example("blocking-chain-8x6"))))
    cursor.go_to_time(cursor.recording.end_time / 3)
    return cursor


@pytest.fixture
def placed(monkeypatch):
    """Where the last card was placed."""
    last = SimpleNamespace(card=None)

    def place(*given):
        last.card = place_card(*given)
        return last.card

    monkeypatch.setattr(labels, "place_card", place)
    return last


@pytest.mark.parametrize("kind", [MeshFlat, MeshGL])
def test_the_card_of_a_blocked_packet_leaves_its_chain_to_be_seen(show, opengl, blocked, placed, kind):
    """Wherever on the packet the pointer is, also in the lowest row, from which the card goes upwards."""
    canvas = show(kind, blocked, (700, 480))
    moment, seen = blocked.view.network, 0
    for packet in moment.blocked.tolist():
        chain = np.concatenate(canvas._ends_of(moment.chain(packet)))
        for at in canvas._ends_of([packet])[0][::4]:
            canvas.pointer = QPointF(*at)
            canvas.hover_at(canvas.pointer)
            if canvas.pointed_at(canvas.pointer).packet == packet:
                canvas.grab()
                assert canvas.rect().contains(placed.card.toAlignedRect())
                assert not any(placed.card.contains(QPointF(*place)) for place in chain)
                seen += 1
    assert seen > 10


def test_the_whole_chain_that_is_read_is_kept_while_a_packet_within_it_is_selected(blocked):
    """Also the packets before the selected one, which the mesh shows as strongly."""
    moment, selection = blocked.view.network, Selection()
    selection.chain_of = blocked.view.chain_of
    chain = max((moment.chain(packet) for packet in moment.blocked.tolist()), key=len)
    assert len(chain) > 2
    for packet in (chain[0], chain[1]):
        selection.select_packet(packet, packet)
    assert looked_at(blocked.view, NOWHERE, selection) == chain


def test_a_card_stands_below_the_pointer_where_nothing_is_to_be_kept():
    """To its right, and on the other sides where it would not be whole."""
    size, room = QSizeF(100, 50), QSize(400, 300)
    assert place_card(size, room, QPointF(10, 10), 16).topLeft() == QPointF(26, 26)
    assert place_card(size, room, QPointF(390, 290), 16).bottomRight() == QPointF(374, 274)
    beside = np.array([[300.0, 200.0]]), np.array([[380.0, 200.0]])
    assert place_card(size, room, QPointF(10, 10), 16, beside).topLeft() == QPointF(26, 26)
