"""The benchmarks of answers, themes and presenter mode drive a real window by keys, clicks and commands."""

from PySide6.QtCore import QEvent

from meshgui.views.offscreen import bench_answers, bench_appearance
from meshgui.views.style.theme import ThemeManager


def test_each_change_is_measured_to_its_last_paint(qapp, monkeypatch):
    """A change of the theme, presenter mode and another tab, beside a paint of the whole window."""
    before = len(qapp.findChildren(ThemeManager))
    monkeypatch.setattr(bench_appearance, "_ROUNDS", 2)
    found = bench_appearance.appearance_figures()
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
    monkeypatch.setattr(bench_answers, "_STEPS", 2)
    monkeypatch.setattr(bench_answers, "_CLICKS", 2)
    monkeypatch.setattr(bench_answers, "_COMPARED", (("gabl", "ff"),))
    two, three, compared = bench_answers.answer_figures()
    assert (two.mesh, three.mesh) == ("16×16", "8×8×8")
    assert (compared.mesh, compared.answers) == ("16×16, 2 runs side by side", 2 + 2 + 1)
    assert two.answers == three.answers == 2 + 4 * 2 + 2 + 2 * 4
    assert 0 < two.middle <= two.p95
    assert two.repaint > 0


def test_what_is_first_used_is_measured():
    """Steps by lines, the export of a table, and a click in the gallery, each beside the same again."""
    found = bench_answers.first_answers()
    assert [one.what.removeprefix("the first ") for one in found] == [
        "step size line",
        "table exported",
        "click in the gallery",
    ]
    assert all(one.taken > 0 and one.again > 0 for one in found)
