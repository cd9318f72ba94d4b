"""A trace in the scenario form: chosen, described, refused in one sentence; and not read at every key."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressDialog

from meshgui.engine.scenario import scenario_from
from meshgui.engine.workload import swf
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.scenario.trace_section import TraceFileEditor
from meshgui.views.widgets import file_progress
from tests.traces import line, real_trace, trace_text

from .driving import check_fault, choose, errors, opened, pick, retype, scroller


@pytest.fixture
def trace(tmp_path):
    """A small trace."""
    path = tmp_path / "small.swf"
    path.write_text(trace_text(*(line(i, 10 * i, 5, 1 + i % 4) for i in range(1200)), line(run=-1)))
    return path


def of_the_trace(path, **workload):
    """A scenario with its jobs."""
    data = opened("gabl-16x16").model_dump(mode="json")
    return scenario_from(data | {"workload": {"kind": "swf", "path": str(path)} | workload})


def file_of(form):
    """The editor of the file."""
    return form.findChild(TraceFileEditor, "workload.path")


def choose_file(qtbot, monkeypatch, form, path):
    """Click the button, and let the dialog answer with a file."""
    monkeypatch.setattr(
        "meshgui.views.scenario.trace_section.QFileDialog.getOpenFileName", lambda *_: (str(path or ""), "")
    )
    qtbot.waitUntil(lambda: file_of(form).load.height() > 0)  # lines that came in above are laid out
    scroller(form).ensureWidgetVisible(file_of(form).load, 0, 0)
    qtbot.mouseClick(file_of(form).load, Qt.MouseButton.LeftButton)


def test_a_trace_that_is_put_in_comes_out(form, trace):
    """With its numbers, and with one quiet line about what it holds."""
    scenario = of_the_trace(trace, first_job=3, max_jobs=100, shape="most-square", gap_scale=0.5)
    form.document.take(scenario, None)
    assert form.document.edited == scenario
    assert not form.revert_button.isEnabled()
    said = "Test Cube, Lecture Hall: 1\u202f200 jobs; left out: 1 (1 with no run time)"
    assert file_of(form).words.text() == said
    fields = [f.path for f in form.findChildren(FieldRow) if f.isVisibleTo(form)]
    shown = [path[1] for path in fields if path[:1] == ("workload",) and len(path) == 2]
    assert sorted(shown) == [
        *("estimates", "first_job", "gap_scale", "max_jobs", "path", "shape", "status", "time_scale"),
    ]


def test_jobs_in_place_of_a_file_stay_as_they_are(form, trace):
    """They are named by their number; the file may be gone."""
    scenario = of_the_trace(trace, max_jobs=7).whole()
    trace.unlink()
    form.document.take(scenario, None)
    assert form.document.edited == scenario
    assert not form.revert_button.isEnabled()
    assert file_of(form).words.text() == "7 jobs, kept in the scenario itself"
    assert not file_of(form).line.isVisibleTo(form)


def test_a_trace_is_chosen_and_its_numbers_typed(form, qtbot, monkeypatch, trace):
    """Until there is one the form asks for it; another kind and back, it is still there."""
    form.document.take(opened("gabl-16x16"), None)
    choose(qtbot, form, "workload", "swf")
    said = "Expected a trace in the Standard Workload Format, got no file"
    assert errors(form) == {("workload", "path"): said}
    choose_file(qtbot, monkeypatch, form, None)  # the dialog was closed
    assert errors(form) == {("workload", "path"): said}
    choose_file(qtbot, monkeypatch, form, trace)
    assert errors(form) == {}
    assert form.document.edited == of_the_trace(trace)
    retype(qtbot, form, "workload.max_jobs", "50")
    retype(qtbot, form, "workload.gap_scale", "0.5")
    choose(qtbot, form, "workload.shape", "most-square")
    expected = of_the_trace(trace, max_jobs=50, gap_scale=0.5, shape="most-square")
    assert form.document.edited == expected
    choose(qtbot, form, "workload", "stochastic")
    assert form.document.edited == opened("gabl-16x16")
    choose(qtbot, form, "workload", "swf")
    assert form.document.edited == expected


def test_a_bad_trace_is_one_sentence_and_loses_nothing(form, qtbot, monkeypatch, trace, tmp_path):
    """The trace there was is still there, and the sentence goes with the next good one."""
    scenario = of_the_trace(trace, max_jobs=9)
    form.document.take(scenario, None)
    bad = tmp_path / "bad.swf"
    bad.write_text("1 2 3\n")
    choose_file(qtbot, monkeypatch, form, bad)
    said = file_of(form).error_line.words.text()
    assert said == "Nothing was changed: bad.swf: line 1: expected 18 fields, got 3"
    assert form.document.edited == scenario
    assert errors(form) == {}
    line, port = file_of(form).error_line, scroller(form).viewport()
    in_port = lambda: 0 <= line.mapTo(port, line.rect().topLeft()).y() < port.height()  # noqa: E731
    qtbot.waitUntil(lambda: line.height() > 0 and in_port())  # once it is laid out
    choose_file(qtbot, monkeypatch, form, trace)
    assert file_of(form).error_line.words.text() == ""


def test_a_trace_that_vanishes_is_told_at_the_next_edit(form, qtbot, trace):
    """Under the file; what was typed stays."""
    form.document.take(of_the_trace(trace), None)
    trace.unlink()
    retype(qtbot, form, "workload.max_jobs", "5")
    [(place, said)] = errors(form).items()
    assert place == ("workload", "path")
    assert said.endswith(
        "small.swf: expected a trace in the Standard Workload Format: no such file or directory"
    )
    trace.write_text(trace_text(line()))
    retype(qtbot, form, "workload.max_jobs", "6")
    assert form.document.edited == of_the_trace(trace, max_jobs=6)


def test_a_fault_of_a_number_is_shown_under_its_field(form, qtbot, trace):
    """As any other."""
    form.document.take(of_the_trace(trace), None)
    for field, text, words in (
        ("first_job", "1200", "Expected at most 1199: the trace has 1200 usable jobs, got 1200"),
        ("max_jobs", "0", "Expected at least 1, got 0"),
        ("time_scale", "0", "Expected more than 0, got 0.0"),
        ("gap_scale", "x", "Expected a number, got “x”"),
    ):
        check_fault(qtbot, form, f"workload.{field}", text, words)


def test_a_trace_is_described_and_read_once(form, trace, qtbot, monkeypatch):
    """The rule for shapes is said at its field, whichever of the two is chosen."""
    form.document.take(of_the_trace(trace), None)
    shape = pick(form, "workload.shape")
    assert "whose sides differ least" in shape.toolTip()
    assert shape.currentText() == "Most square that fits"
    # As its archive describes it
    form.document.take(of_the_trace(real_trace()), None)
    said = "Intel iPSC/860, NASA Ames Research Center: 18\u202f239 jobs; left out: none"
    assert file_of(form).words.text() == said
    # It is not read again, however many keys are pressed
    scenario = of_the_trace(trace)
    monkeypatch.setattr(swf, "_from_file", lambda _: pytest.fail("it was read again"))
    form.document.take(scenario, None)
    retype(qtbot, form, "workload.first_job", "123")
    retype(qtbot, form, "seed", "99")
    assert form.document.edited.seed == 99


def test_a_long_trace_shows_how_far_it_is_read_and_can_be_stopped(form, qtbot, monkeypatch, trace):
    """After the next block, and what was there before stays."""
    before = of_the_trace(trace)
    form.document.take(before, None)
    other = trace.with_name("other.swf")
    other.write_bytes(trace.read_bytes())
    monkeypatch.setattr(swf, "_BLOCK", 4000)
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    shown, timer = [], QTimer(form, interval=0)

    def stop():
        for dialog in form.findChildren(QProgressDialog):
            shown.append(dialog.value())
            dialog.cancel()

    timer.timeout.connect(stop)
    timer.start()
    file_of(form).take_file(other)
    timer.stop()
    assert len(shown) == 1
    assert 0 <= shown[0] < 500
    assert form.document.edited == before
    assert not file_of(form).error_line.isVisible()
    file_of(form).take_file(other)
    assert file_of(form).value()["path"] == str(other)
