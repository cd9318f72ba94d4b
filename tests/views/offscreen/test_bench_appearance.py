"""The benchmarks of answers, themes and presenter mode drive a real window by keys, clicks and commands."""

import pytest
from PySide6.QtCore import QEvent

from meshgui.bench import window_answers, window_appearance, window_drawing, window_paints
from meshgui.views.style.theme import ThemeManager


@pytest.fixture(autouse=True)
def short_rest(monkeypatch):
    """A window rests as soon as it is not painted for a moment: how long it took is not asked here."""
    monkeypatch.setattr(window_paints, "_QUIET", 0.005)


def test_each_change_is_measured_to_its_last_paint(qapp, monkeypatch):
    """A change of the theme, presenter mode and another tab, beside a paint of the whole window."""
    before = len(qapp.findChildren(ThemeManager))
    monkeypatch.setattr(window_appearance, "_ROUNDS", 2)
    found = window_appearance.appearance_figures()
    assert [what for what, _ in found.changes] == [
        "light to dark or back",
        "into or out of presenter mode",
        "from one scenario's tab to another",
    ]
    assert all(taken > 0 for _, taken in found.changes)
    assert found.repaint > 0
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert len(qapp.findChildren(ThemeManager)) == before, "it would keep the window's objects"


def test_answers_are_measured_from_the_key_to_the_last_paint(monkeypatch):
    """Steps, leaps and clicks move the run, in a mesh of two dimensions, one of three, and side by side."""
    monkeypatch.setattr(window_answers, "_STEPS", 2)
    monkeypatch.setattr(window_answers, "_CLICKS", 2)
    monkeypatch.setattr(window_answers, "_COMPARED", (("gabl", "ff"),))
    two, three, compared = window_answers.answer_figures()
    assert (two.mesh, three.mesh) == ("16×16", "8×8×8")
    assert (compared.mesh, compared.answers) == ("16×16, 2 runs side by side", 2 + 2 + 1)
    assert two.answers == three.answers == 2 + 4 * 2 + 2 + 2 * 4
    assert 0 < two.middle <= two.p95
    assert two.repaint > 0
    # The first step by lines, export of a table and click in the gallery, beside the same again
    found = window_answers.first_answers()
    assert [one.what.removeprefix("the first ") for one in found] == [
        "step size line",
        "table exported",
        "click in the gallery",
    ]
    assert all(one.taken > 0 and one.again > 0 for one in found)


def test_the_measured_mesh_is_full_and_the_measured_network_busy():
    """Every processor is held, by jobs of the size asked for."""
    snapshot = window_drawing.full_mesh(8, 2).view.snapshot
    assert snapshot.free == 0
    assert len(snapshot.running) == 64
    # Thousands of flits are under way, and more packets wait behind them
    moment = window_drawing.busy_network().view.network
    assert len(moment.flit_packets) > 2000
    assert len(moment.blocked) > 50


def test_frames_are_measured_beside_their_baseline(screen_has_opengl, monkeypatch):
    """Turning, with the program's own part and OpenGL's; at rest, and the next cycle of a network."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    monkeypatch.setattr(window_drawing, "_FRAMES", 2)
    monkeypatch.setattr(window_drawing, "_WARM_UP", 1)
    monkeypatch.setattr(window_drawing, "_NETWORK_SIDE", 8)
    figures = window_drawing.drawing_figures()
    assert all(figure["measured"] > 0 for figure in figures)
    turning = [(1.5, True), (2.0, False), (None, True)]
    judged = [(figure["budget"], figure["of_ratio"]) for figure in figures]
    assert judged == [*turning, *turning, (None, True), (None, True)]
    by_clock = {figure["baseline"] for figure in figures if figure["budget"] == 1.5}
    assert len(by_clock) == 1
    assert ["own" in figure["what"] for figure in figures].count(True) == 2
