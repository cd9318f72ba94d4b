"""The benchmark of themes and presenter mode drives a real window by its commands."""

from meshgui.views.offscreen import bench_appearance


def test_each_change_is_measured_to_its_last_paint(monkeypatch):
    """A change of the theme and presenter mode, beside a paint of the whole window."""
    monkeypatch.setattr(bench_appearance, "_ROUNDS", 2)
    found = bench_appearance.appearance_figures()
    assert [what for what, _ in found.changes] == ["light to dark or back", "into or out of presenter mode"]
    assert all(taken > 0 for _, taken in found.changes)
    assert found.repaint > 0
