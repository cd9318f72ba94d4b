"""The benchmark of drawing measures a mesh that is really full, beside a view that really draws."""

import pytest

from meshgui.views.offscreen import bench_drawing


def test_the_measured_mesh_is_full():
    """Every processor is held, by jobs of the size asked for."""
    snapshot = bench_drawing.full_mesh(8, 2).view.snapshot
    assert snapshot.free == 0
    assert len(snapshot.running) == 64


def test_frames_are_measured_beside_their_baseline(screen_has_opengl, monkeypatch):
    """Turning, rest and a network's next cycle, with the same baseline; only turning has a budget."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    monkeypatch.setattr(bench_drawing, "_FRAMES", 2)
    monkeypatch.setattr(bench_drawing, "_WARM_UP", 1)
    monkeypatch.setattr(bench_drawing, "_NETWORK_SIDE", 8)
    figures = bench_drawing.drawing_figures()
    assert len(figures) == 3
    assert all(figure["measured"] > 0 for figure in figures)
    assert len({figure["baseline"] for figure in figures}) == 1
    assert [figure["budget"] for figure in figures] == [1.5, None, None]


def test_the_measured_network_is_busy():
    """Thousands of flits are under way, and more packets wait behind them."""
    moment = bench_drawing.busy_network().view.network
    assert len(moment.flit_packets) > 2000
    assert len(moment.blocked) > 50
