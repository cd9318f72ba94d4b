"""Exports of the experiment window: each by clicks and keys, and read back; and what goes wrong."""

import csv
import errno
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QMenu

from meshgui.cli.entry import run
from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.results import results_of
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.store import Store
from meshgui.model.tables.columns import SortOrder
from meshgui.views.experiment import worker as experiment_worker
from meshgui.views.exporting import exporter
from meshgui.views.exporting.dialog import ExportDialog
from meshgui.views.widgets.work_thread import WorkThread
from tests.views.conftest import handle_events, type_over
from tests.views.experiment.conftest import fill, wait_for_end
from tests.views.pointer import ask_for_menu
from tests.views.reading import csv_rows, pdf_fonts, pdf_page, svg_texts

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def store(tmp_path):
    """Where the runs are kept."""
    return tmp_path / "runs.mgstore"


@pytest.fixture
def done(window, qtbot, store):
    """A window whose experiment is done: two strategies at three loads, kept in a file."""
    window.plan.store.created.emit(store)
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    return window


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """Answers the dialog for the name with a file; it, and what the dialog suggested."""

    def with_name(name):
        suggested = []

        def ask(_parent, _title, words, _kinds):
            suggested.append(Path(words).name)
            return str(name and tmp_path / name), ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        return tmp_path / name, suggested

    return with_name


@pytest.fixture
def picks(qtbot, once_open):
    """Opens the menu by a click on the button, and clicks an entry of it."""

    def pick(window, words):
        def click(menu):
            [action] = [action for action in menu.actions() if action.text() == words]
            qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
            menu.close()  # where the entry could not be used

        once_open(QMenu, click)
        qtbot.mouseClick(window.exports.button, Qt.MouseButton.LeftButton)

    return pick


def test_what_is_said_takes_no_room_from_the_form(window):
    """It lies over the chart, where the form and the choosers above the chart stay as they are."""
    handle_events()
    parts = window.splitter, window.results.chart, window.exports.button
    before = [part.mapTo(window, part.rect().topLeft()) for part in parts], window.splitter.height()
    window.exporter.say_written(Path("points.csv"))
    handle_events()
    assert window.notice.isVisible()
    assert before == (
        [part.mapTo(window, part.rect().topLeft()) for part in parts],
        window.splitter.height(),
    )
    chart = QRect(parts[1].mapTo(window, QPoint()), parts[1].size())
    assert chart.contains(window.notice.geometry())


def entries(window):
    """What the button's menu offers, and whether each can be used."""
    window.exports.menu.aboutToShow.emit()
    return {a.text(): a.isEnabled() for a in window.exports.menu.actions() if a.text()}


@pytest.fixture
def export_as(once_open):
    """Fills the export dialog once it has opened: a format by its place, a scale."""

    def fill(number, scale=None):
        def act(dialog):
            dialog.form.setCurrentIndex(number)
            if scale is not None:
                type_over(dialog.scale.box, str(scale))
            dialog.export.click()

        once_open(ExportDialog, act)

    return fill


def estimates(window, store):
    """What a store has of the experiment shown, point by point."""
    with Store(store) as opened:
        return results_of(window.results.results.experiment, opened)


def test_a_chart_is_exported_in_millimetres_with_the_letters_and_labels_chosen(
    done, picks, once_open, answer, qtbot
):
    """85 mm wide at 96 dots an inch, in other words and without names; all but the labels is remembered."""
    out, _ = answer("chart.svg")

    def fill(dialog):
        dialog.form.setCurrentIndex(1)
        dialog.as_shown.setChecked(False)
        dialog.unit.setCurrentIndex(1)
        type_over(dialog.wide.box, "85")
        type_over(dialog.high.box, "60")
        box = dialog.lettering
        assert box.lettering is None
        assert box.y_text.text() == done.results.chart.chart.y_label
        box.setChecked(True)
        type_over(box.points.box, "400")
        box.setChecked(False)
        assert box.error_line.isHidden()
        box.setChecked(True)
        dialog.export.click()
        assert box.error_line.said == "Expected letters of 4 to 40 points"
        assert dialog.focusWidget() is box.points.box
        type_over(box.points.box, "8,5")
        assert (box.error_line.said, box.lettering.points) == ("", 8.5)
        box.legend.setCurrentIndex(3)
        box.title_text.setText("")
        box.x_text.setText("jobs per second")
        dialog.export.click()

    once_open(ExportDialog, fill)
    picks(done, "Chart…")
    texts, shown = svg_texts(out), done.results.chart.chart
    assert {"jobs per second", shown.y_label} <= set(texts)
    assert not {shown.title, shown.x_label, "ff", "gabl"} & set(texts)
    assert 'viewBox="0 0 321 227"' in out.read_text(encoding="utf-8")

    def look(dialog):
        assert (dialog.unit.currentIndex(), dialog.wide.value(), dialog.high.value()) == (1, 85, 60)
        assert dialog.lettering.points.value() == 8.5
        assert dialog.lettering.isChecked()
        assert dialog.lettering.title_text.text() == shown.title
        dialog.unit.setCurrentIndex(0)
        assert (dialog.wide.value(), dialog.high.value()) == (321, 227)
        dialog.reject()

    once_open(ExportDialog, look)
    picks(done, "Chart…")


def test_the_chart_is_a_png_twice_as_fine_an_svg_with_its_words_or_a_pdf_with_its_fonts(
    done, picks, export_as, answer, qtbot
):
    """From the menu or by its key; a sentence names the file, and its name is suggested from the title."""
    out, suggested = answer("chart.png")
    export_as(0, scale=2)
    shown = done.results.chart.size()  # the sentence that names the file takes some of its room
    picks(done, "Chart…")
    assert QImage(str(out)).size() == QSize(2 * shown.width(), 2 * shown.height())
    assert suggested == ["small.png"]
    assert done.notice.text == "chart.png was written."
    # Labels, names and the title can be read in it; by its key, too, with the focus in the chart
    out, _ = answer("chart.svg")
    export_as(1)
    picks(done, "Chart…")
    chart = done.results.chart
    shown = chart.chart
    assert {shown.title, shown.x_label, shown.y_label, "ff", "gabl"} <= set(svg_texts(out))
    out, _ = answer("chart.pdf")
    chart.setFocus()
    size = chart.size()
    export_as(2)
    qtbot.waitUntil(done.isActiveWindow)  # again, after the dialog: shortcuts are those of the active window
    qtbot.keyClick(chart, Qt.Key.Key_P, BOTH)
    assert pdf_page(out) == (-(-size.width() * 3 // 4), -(-size.height() * 3 // 4))
    assert pdf_fonts(out)
    assert b"/Subtype /Image" not in out.read_bytes()


def test_the_points_are_the_stores_estimates_with_all_digits(done, picks, answer, store):
    """A row a point as they are in the table; shares are shares, and intervals their half widths."""
    out, suggested = answer("points.csv")
    done.results.table.sort_by(SortOrder("turnaround", descending=True))
    picks(done, "Points as CSV…")
    titles, *rows = csv_rows(out)
    results = estimates(done, store)
    order = done.results.table.order_of_rows()
    assert sorted(order) == list(range(6)) != order
    for cells, index in zip(rows, order, strict=True):
        result, row = results[index], dict(zip(titles, cells, strict=True))
        for name, title in (("turnaround", "Turnaround"), ("utilization", "Utilisation")):
            found = result.estimates[name]
            assert (float(row[title]), float(row[f"{title}, half width"])) == (found.mean, found.half_width)
        assert float(row["Turnaround, relative error"]) == result.estimates["turnaround"].relative_error
        assert int(row["Runs"]) == result.runs
        assert cells[:2] == list(map(str, result.point.values))
    assert suggested == ["small, points.csv"]
    assert done.notice.text == "points.csv was written: 6 rows."


def test_all_figures_are_those_of_a_sweep_byte_for_byte(done, picks, answer, tmp_path, store):
    """Of the same runs the command line writes the same file."""
    again = tmp_path / "sweep.csv"
    out, suggested = answer("all.csv")
    picks(done, "All figures as CSV…")
    experiment = done.results.results.experiment
    assert out.read_bytes() == csv_of(experiment, estimates(done, store))
    scenario = tmp_path / "small.meshgui.json"
    scenario.write_text(experiment.scenario.model_dump_json(), encoding="utf-8")
    done.end()
    WorkThread.end_all()
    words = ["sweep", scenario, "--vary", "allocator.name=ff,gabl", "workload.load=0.5,1,3"]
    words += ["--min-runs", 3, "--max-runs", 4, "--jobs", 1, "--store", store, "--csv", again]
    assert run([str(word) for word in words]) == 0
    assert out.read_bytes() == again.read_bytes()
    assert suggested == ["small, all figures.csv"]
    assert done.notice.text == "all.csv was written."


def test_the_bundle_has_the_stores_replications_and_checks(done, qtbot, picks, answer, store, capsys):
    """The same bytes as from the command line's writer, and every number comes out again."""
    out, suggested = answer("bundle.zip")
    picks(done, "Bundle…")
    qtbot.waitUntil(lambda: done.notice.text == "bundle.zip was written.")
    experiment, results = done.results.results.experiment, estimates(done, store)
    done.end()
    WorkThread.end_all()
    bundle = read_bundle(out)
    assert bundle.experiment.id == experiment.id
    assert [point.runs for point in bundle.points] == [result.runs for result in results]
    found = {(one.point, one.seed): one.samples for one in bundle.replications()}
    assert found == {
        (result.point.index, experiment.seed + number): (sample,)
        for result in results
        for number, sample in enumerate(result.sampled)
    }
    other = out.with_name("other.zip")
    with Store(store) as opened, other.open("wb") as file:
        write_bundle(file, experiment, opened)
    assert out.read_bytes() == other.read_bytes()
    assert run(["sweep", str(out), "--check", "--jobs", "1"]) == 0
    assert capsys.readouterr().out == f"{out}: all numbers of {bundle.runs} runs at 6 points are equal\n"
    assert suggested == ["small.zip"]


def test_a_bundle_of_what_memory_has(ended, qtbot, picks, answer):
    """No file is needed for the runs."""
    out, _ = answer("bundle")
    picks(ended, "Bundle…")
    out = out.with_suffix(".zip")
    qtbot.waitUntil(lambda: ended.notice.text == "bundle.zip was written.")
    shown = ended.results.results.points
    assert [point.runs for point in read_bundle(out).points] == [point.runs for point in shown]


def test_a_bundle_waits_for_the_end_of_a_run(filled, qtbot, hands):
    """While runs are made the entry rests and says until when; the others can be used."""
    assert not any(entries(filled).values())
    hands.hold()
    filled.start()
    hands.let(5)
    qtbot.waitUntil(lambda: not filled.results.chart.chart.is_empty)
    can_be_used = entries(filled)
    assert can_be_used.pop("Bundle… (once the experiment has stopped)") is False
    assert can_be_used == dict.fromkeys(("Chart…", "Points as CSV…", "All figures as CSV…"), True)
    hands.let()
    wait_for_end(filled, qtbot)
    assert entries(filled)["Bundle…"]


def test_a_bundle_of_a_store_that_is_gone_is_refused(done, qtbot, picks, answer, store):
    """No bundle without runs is made in its place, nor an empty store."""
    out, _ = answer("bundle.zip")
    done.end()
    WorkThread.end_all()  # its thread has the store open no more
    store.unlink()
    picks(done, "Bundle…")
    qtbot.waitUntil(lambda: "no longer exists" in done.notice.text)
    assert not out.exists()
    assert not store.exists()


def test_nothing_is_lost_where_one_cancels_or_it_cannot_be_written(
    done, picks, answer, tmp_path, qtbot, monkeypatch
):
    """No file, no sentence, no fault."""
    answer("")
    before = sorted(tmp_path.iterdir())
    for words in ("Points as CSV…", "All figures as CSV…", "Bundle…"):
        picks(done, words)
        assert sorted(tmp_path.iterdir()) == before, words
        assert (done.exports.said, done.notice.text) == ("", ""), words
        assert entries(done)[words]

    # A folder that may not be written to: one sentence in the notice, for tables and bundle alike
    def refuse(path):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    for module in (exporter, experiment_worker):
        monkeypatch.setattr(module, "whole_file", refuse)
    for words, name in (("All figures as CSV…", "old.csv"), ("Bundle…", "old.zip")):
        out, _ = answer(name)
        out.write_text("old")
        picks(done, words)
        fault = f"{out} cannot be written: read-only file system."
        qtbot.waitUntil(lambda fault=fault: done.notice.text == fault)
        assert done.exports.said == ""
        assert out.read_text() == "old"
        assert entries(done)[words]


def test_a_right_click_and_keys_export_what_is_meant(done, answer, qtbot):
    """Picture and numbers on the chart, the table on the table; the chart's numbers are those drawn."""
    chart, table = done.results.chart, done.results.table
    of_table, of_picture = ["Export table as CSV…", "Copy table"], ["Export picture…", "Copy picture"]
    menu = ask_for_menu(table.viewport(), table.viewport().rect().center())
    assert [action.text() for action in menu.actions()] == of_table
    menu.close()
    menu = ask_for_menu(chart, chart.rect().center())
    assert [action.text() for action in menu.actions()] == [*of_picture, "Show as a table…", *of_table]
    out, _ = answer("chart.csv")
    at = menu.actionGeometry(menu.actions()[3]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=at)
    head, *rows = csv_rows(out)
    assert head[:3] == ["series", chart.chart.x_label, chart.chart.y_label]
    drawn = [(one.label, x, y) for one in chart.chart.series for x, y in zip(one.x, one.y, strict=True)]
    assert [(row[0], float(row[1]), float(row[2])) for row in rows] == drawn
    # As in every window: Ctrl+Shift+T writes the table, Ctrl+Shift+C puts it on the clipboard
    out, _ = answer("points.csv")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_T, BOTH)
    qtbot.keyClick(table, Qt.Key.Key_C, BOTH)
    pasted = list(csv.reader(QGuiApplication.clipboard().text().splitlines(), delimiter="\t"))
    assert pasted == csv_rows(out)
    assert done.exports.said == "small, points: 6 rows copied."


def test_f1_and_the_sign_open_the_page_about_experiments(window, qtbot):
    """The same key closes it; it goes with the window."""
    qtbot.keyClick(window, Qt.Key.Key_F1)
    page = window.help.page
    assert page.isVisible()
    assert page.windowTitle() == "Experiments – MeshGUI"
    assert page.page.toPlainText().startswith("Experiments\n")
    assert not page.example_button.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_F1)
    assert not page.isVisible()
    qtbot.mouseClick(window.help, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert page.isVisible()
    window.close()
    assert not page.isVisible()
