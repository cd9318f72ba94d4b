"""Curves that follow a slider, driven by mouse and keys."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionSlider

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.grid import Experiment
from meshgui.experiment.preview import PASSES
from meshgui.views.experiment.live import LiveWorker
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL
from tests.views.conftest import handle_events
from tests.views.pointer import move_to


def switch_on(window, qtbot):
    """Switch it on with the mouse, and wait for the most precise curves."""
    qtbot.mouseClick(window.live.button, Qt.MouseButton.LeftButton)
    assert window.live.isVisible()
    qtbot.waitUntil(lambda: runs(window) == PASSES[-1].runs)


def runs(window):
    """The runs of each point that is shown."""
    results = window.results.results
    return 0 if results is None else results.points[0].runs


def turnarounds(window):
    """The means of the points that are shown."""
    return [point.estimates["turnaround"].mean for point in window.results.results.points]


def drag(window, qtbot, share):
    """Drag the slider's handle by a share of its width."""
    slider, option, style = window.live.slider, QStyleOptionSlider(), QStyle
    slider.initStyleOption(option)
    part = style.ComplexControl.CC_Slider, option, style.SubControl.SC_SliderHandle, slider
    begin = slider.style().subControlRect(*part).center()
    end = begin + QPoint(round(share * slider.width()), 0)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=begin)
    move_to(slider, QPointF(end), Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=end)


def test_the_curves_follow_the_slider_first_rough_then_precise(filled, qtbot):
    """The mean service of the scenario goes up with the slider, and turnaround with it."""
    live, seen = filled.live, []
    live.previewed.connect(lambda *made: seen.append((made[0], made[1].passed)))
    switch_on(filled, qtbot)
    assert [passed for _, passed in seen] == list(PASSES)
    assert live.state.text() == "5 runs of 30 jobs"
    assert live.chosen.label == "Mean service"  # the load is varied
    before = turnarounds(filled)
    seen.clear()
    drag(filled, qtbot, 0.25)
    mean = live.chosen.value(live.slider.value())
    assert mean > 1.5
    qtbot.waitUntil(lambda: bool(seen) and seen[-1][1] == PASSES[-1])
    assert seen[-1][0].scenario.workload.service.mean == mean
    assert all(late > early for late, early in zip(turnarounds(filled), before, strict=True))


def test_keys_choose_the_field_and_its_value(window, qtbot):
    """The list opens by keys; arrows move the slider a place at a time."""
    switch_on(window, qtbot)
    bar = window.live
    bar.field.setFocus()
    qtbot.keyClick(bar.field, Qt.Key.Key_Space)
    search = bar.field.popup.search
    qtbot.keyClicks(search, "mesh")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert (bar.chosen.label, bar.value.text()) == ("Mesh side", "4")
    bar.slider.setFocus()
    qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
    assert bar.value.text() == "5"
    qtbot.waitUntil(lambda: window.results.results.experiment.scenario.mesh.shape == (5, 5))
    # Nothing is left when the window closes during a preview: its thread ends
    [worker] = [thread for thread in WorkThread.under_way() if isinstance(thread, LiveWorker)]
    window.end()
    WorkThread.end_all()
    assert worker.isFinished()


def test_a_value_that_cannot_be_is_told_and_the_curves_stay(window, qtbot):
    """One sentence below the slider; the next sound value clears it."""
    paged = {"name": "paging", "options": {"size_index": 1}}
    window.show_scenario(scenario_from(SMALL | {"allocator": paged}))
    switch_on(window, qtbot)
    bar = window.live
    bar.field.choose((2,))
    bar.field.edited.emit()
    bar.slider.setValue(bar.chosen.tick(5))
    qtbot.waitUntil(bar.error_line.isVisible)
    assert window.results.results is not None
    bar.slider.setValue(bar.chosen.tick(8))
    qtbot.waitUntil(lambda: not bar.error_line.isVisible())


def test_switched_off_it_shows_the_runs_that_were_made(ended, qtbot):
    """Previews are kept nowhere: the results of the experiment come back, and a run switches it off."""
    made = ended.results.results
    switch_on(ended, qtbot)
    assert ended.results.results.points is not made.points
    qtbot.mouseClick(ended.live.button, Qt.MouseButton.LeftButton)
    assert not ended.live.isVisible()
    assert ended.results.results.points == made.points
    assert ended.session.store is None


def test_runs_wait_until_what_was_previewed_is_painted(resting, qtbot, monkeypatch):
    """A pass begins when it hears of the paint, or at once where another experiment is asked for."""
    monkeypatch.setattr("meshgui.views.experiment.live._LONGEST_REST", 600.0)
    worker, seen = LiveWorker(), []
    worker.previewed.connect(lambda experiment, preview: seen.append((experiment.title, preview.passed)))
    scenario = scenario_from(SMALL)
    worker.preview(lambda: Experiment(scenario, title="one"))
    worker.start()
    try:
        for done in range(1, len(PASSES)):
            qtbot.waitUntil(lambda done=done: len(seen) == done and resting())
            worker.go_on()
        qtbot.waitUntil(lambda: len(seen) == len(PASSES))
        worker.preview(lambda: Experiment(scenario, title="other"))
        qtbot.waitUntil(lambda: seen[-1] == ("other", PASSES[0]))
    finally:
        worker.end()
        worker.wait()


def test_small_windows_show_every_control_whole(filled, qtbot):
    """What is done with the chart goes into a second row; the slider keeps its length."""
    switch_on(filled, qtbot)
    shown, live = filled.results, filled.live
    parts = [shown.figure, shown.across, shown.log_x, shown.log_y, shown.compare_button]
    parts += [live.button, filled.exports.button, live.field, live.slider]

    def all_are_whole():
        for part in parts:
            assert part.visibleRegion().boundingRect() == part.rect(), part.accessibleName()
            assert part.width() >= part.minimumSizeHint().width(), part.accessibleName()

    for size in ((960, 600), (1280, 720)):
        filled.resize(*size)
        handle_events()
        qtbot.waitUntil(all_are_whole)  # the row is laid out again when its words change
        lengths = set()
        for words in ("", "…", "5 runs of 30 jobs", "100 runs of 10 000 jobs …"):
            live.state.setText(words)
            handle_events()
            lengths.add(live.slider.width())
        assert len(lengths) == 1
