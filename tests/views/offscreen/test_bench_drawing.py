"""The benchmark of drawing measures a mesh that is really full, beside a view that really draws."""

import pytest

from meshgui.views.offscreen import bench_drawing


def test_the_measured_mesh_is_full():
    """Every processor is held, by jobs of the size asked for."""
    snapshot = bench_drawing.full_mesh(8, 2).view.snapshot
    assert snapshot.free == 0
    assert len(snapshot.running) == 64


def test_frames_are_measured_beside_their_baseline(screen_has_opengl, monkeypatch):
    """Turning, with the program's own part and OpenGL's; at rest, and the next cycle of a network."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    monkeypatch.setattr(bench_drawing, "_FRAMES", 2)
    monkeypatch.setattr(bench_drawing, "_WARM_UP", 1)
    monkeypatch.setattr(bench_drawing, "_NETWORK_SIDE", 8)
    figures = bench_drawing.drawing_figures()
    assert all(figure["measured"] > 0 for figure in figures)
    turning = [(1.5, True), (2.0, False), (None, True)]
    judged = [(figure["budget"], figure["of_ratio"]) for figure in figures]
    assert judged == [*turning, *turning, (None, True), (None, True)]
    by_clock = {figure["baseline"] for figure in figures if figure["budget"] == 1.5}
    assert len(by_clock) == 1
    assert ["own" in figure["what"] for figure in figures].count(True) == 2


def test_the_measured_network_is_busy():
    """Thousands of flits are under way, and more packets wait behind them."""
    moment = bench_drawing.busy_network().view.network
    assert len(moment.flit_packets) > 2000
    assert len(moment.blocked) > 50
