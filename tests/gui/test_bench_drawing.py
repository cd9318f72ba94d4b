"""The benchmark of drawing measures a mesh that is really full, beside a view that really draws."""

import pytest

from meshgui.views import bench_drawing


def test_the_measured_mesh_is_full():
    """Every processor is held, by jobs of the size asked for."""
    snapshot = bench_drawing.full_mesh(8, 2).view.snapshot
    assert snapshot.free == 0
    assert len(snapshot.running) == 64


def test_frames_are_measured_beside_their_baseline(screen_has_opengl, monkeypatch):
    """One figure for turning and one for rest, with the same baseline; only turning has a budget."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")
    monkeypatch.setattr(bench_drawing, "_FRAMES", 2)
    monkeypatch.setattr(bench_drawing, "_WARM_UP", 1)
    turning, resting = bench_drawing.drawing_figures()
    assert turning["measured"] > 0
    assert turning["baseline"] == resting["baseline"] > 0
    assert (turning["budget"], resting["budget"]) == (1.5, None)
