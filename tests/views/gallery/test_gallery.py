"""The gallery: what it says before, while and after entries are run, and what can be done from it."""

import csv

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from meshgui.catalogue.judging import RULE, Verdict
from meshgui.catalogue.reproduction import Reproduction
from meshgui.catalogue.results_in_words import HEADING, row_of, verdicts_in_words
from meshgui.catalogue.results_page import page
from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.model.picture_formats import PictureFormat
from meshgui.model.published_tables import COLUMNS
from meshgui.views.exporting.dialog import ExportChoice
from meshgui.views.style.theme import EXPORT
from meshgui.views.widgets.work_thread import WorkThread
from tests.views.gallery.conftest import few_entries, run_entry, small_entry
from tests.views.reading import svg_texts


def by_hand(entry, quick=True):
    """What an entry comes to without any window."""
    with Store() as store:
        work = Reproduction([entry], store, InProcess(), quick=quick)
        work.run()
        return work.states[0]


def cells(section):
    """What the table of a setting says."""
    rows = section.table.rows
    return [
        [rows.cell(row, column).text for column in range(rows.columnCount())]
        for row in range(rows.rowCount())
    ]


def shown_settings(gallery, qtbot, count):
    """The sections of an entry, once all of them are there."""
    qtbot.waitUntil(lambda: len(gallery.page.shown) == count)
    return gallery.page.shown


def row_at(section, row):
    """The middle of a row of a setting's table."""
    return section.table.visualRect(section.table.rows.index(row, 1)).center()


def test_before_anything_is_run_the_published_values_stand_alone(gallery, qtbot):
    """With a sentence and a button; nothing runs, and every chart has its marks."""
    small, large = shown_settings(gallery, qtbot, 2)
    assert gallery.page.state.text() == "Not run yet: only published values."
    assert gallery.page.run.isVisible()
    assert [(row[0], row[1], row[2], row[4]) for row in cells(small)[:2]] == [
        ("Turnaround: gabl / ff, at load 2", "0.5", "–", "not run"),
        ("Turnaround: bf / ff, at load 2", "1", "–", "not run"),
    ]
    assert cells(large)[0][1] == "50 %"
    assert len(small.chart.chart.marks) == 2
    assert gallery.run_bar.words.text() == "Of 11 numbers: 11 not run."
    assert not gallery.busy


def test_a_run_to_its_end_is_what_judging_says(gallery, qtbot):
    """A click runs the entry; its table, its state and the list have the numbers of a run by hand."""
    run_entry(gallery, qtbot, "000-S1")
    state = by_hand(small_entry())
    judged = gallery.session.results["000-S1"].judged
    assert tuple(judged) == tuple(state.judged)
    small, large = shown_settings(gallery, qtbot, 2)
    expected = [list(row_of(one)) for one in state.judged]
    assert cells(small) + cells(large) == expected
    assert len(expected[0]) == len(HEADING)
    assert verdicts_in_words(judged).capitalize() in gallery.page.state.text()
    assert not gallery.page.run.isVisible()
    assert gallery.list.list.item(0).toolTip().endswith(verdicts_in_words(judged))


def test_the_sums_tell_how_many_numbers_are_not_precise(gallery, qtbot):
    """Of the page, the list and the foot: as many as the table has so; none is said of what was not run."""
    run_entry(gallery, qtbot, "000-S1")
    verdicts = [row[4] for section in shown_settings(gallery, qtbot, 2) for row in cells(section)]
    vague = [verdict for verdict in verdicts if verdict.endswith(", not precise")]
    assert 0 < len(vague) < len(verdicts)
    hint = gallery.list.list.item(0).toolTip()
    for text in (gallery.page.state.text(), hint, gallery.run_bar.words.text()):
        for name in {verdict.removesuffix(", not precise") for verdict in verdicts}:
            both, those = sum(v.startswith(name) for v in verdicts), vague.count(f"{name}, not precise")
            said = f"{both} {name} ({those} not precise)" if those else f"{both} {name}"
            assert said in text
    assert text.endswith("6 not run.")


def test_the_entry_of_one_run(gallery, qtbot):
    """The whole schedule is the published one; there is no chart of it."""
    run_entry(gallery, qtbot, "004-E1")
    [section] = shown_settings(gallery, qtbot, 1)
    assert cells(section) == [["the whole schedule", "7 jobs", "the same", "", "reproduced", ""]]
    assert not section.chart.isVisible()
    assert gallery.session.results["004-E1"].done


def test_everything_is_run_with_one_key(gallery, qtbot):
    """Ctrl+Shift+Return; afterwards nothing is left that was not run."""
    gallery.list.choose("004-E1")
    qtbot.keyClick(
        gallery.list.list,
        Qt.Key.Key_Return,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert gallery.busy
    qtbot.waitUntil(lambda: not gallery.busy)
    for name in few_entries():
        assert all(one.verdict is not Verdict.NOT_RUN for one in gallery.session.results[name].judged)
    assert "not run" not in gallery.run_bar.words.text()


def test_the_list_is_walked_with_the_keys_and_filtered_by_paper(gallery, qtbot):
    """Down goes to the next entry; of one paper only its entries are listed, and one of them is shown."""
    keys = gallery.list.list
    keys.setFocus()
    qtbot.keyClick(keys, Qt.Key.Key_Down)
    assert gallery.page.results.entry.id == "000-S2"
    qtbot.keyClick(keys, Qt.Key.Key_End)
    assert gallery.page.title.text().startswith("Seven tasks on a tree of boxes")
    gallery.list.paper.setCurrentIndex(1)
    assert gallery.list.paper.currentText() == "Bani-Mohammad 2008"
    assert gallery.list.list.count() == 2
    assert gallery.page.results.entry.id == "000-S1"
    gallery.list.paper.setCurrentIndex(0)
    assert gallery.list.list.count() == 3
    assert gallery.page.results.entry.id == "000-S1"


def test_a_number_and_its_bar_light_up_together(gallery, qtbot):
    """A click on a number shows the chart of its figure with its bar; a click on a bar selects the number."""
    run_entry(gallery, qtbot, "000-S1")
    small = shown_settings(gallery, qtbot, 2)[0]
    assert small.chart.chart.title == "Turnaround at load 2"
    qtbot.mouseClick(small.table.viewport(), Qt.MouseButton.LeftButton, pos=row_at(small, 2))
    assert small.selected == 2
    assert small.chart.chart.title == "Utilisation at load 1"
    assert small.chart.pointed_at.rows == (2,)
    qtbot.mouseClick(small.table.viewport(), Qt.MouseButton.LeftButton, pos=row_at(small, 0))
    assert small.chart.pointed_at.name == "gabl / ff"
    bar = small.chart.arranged.bar(0, 1).center()
    qtbot.mouseClick(small.chart, Qt.MouseButton.LeftButton, pos=QPoint(int(bar.x()), int(bar.y())))
    assert small.selected == 1
    assert small.chart.pointed_at.name == "bf / ff"


def test_numbers_are_walked_with_the_keys(gallery, qtbot):
    """Down selects the next number, whose chart is shown."""
    run_entry(gallery, qtbot, "000-S1")
    small = shown_settings(gallery, qtbot, 2)[0]
    qtbot.mouseClick(small.table.viewport(), Qt.MouseButton.LeftButton, pos=row_at(small, 1))
    qtbot.keyClick(small.table, Qt.Key.Key_Down)
    assert small.selected == 2
    assert small.chart.chart.title == "Utilisation at load 1"


def test_a_setting_opens_as_a_scenario(gallery, qtbot):
    """The button hands over that of the first number, the menu any other, with seed 1."""
    small, large = shown_settings(gallery, qtbot, 2)
    with qtbot.waitSignal(gallery.scenario_asked) as asked:
        qtbot.mouseClick(small.open, Qt.MouseButton.LeftButton)
    [scenario] = asked.args
    assert (scenario.allocator.name, scenario.workload.load, scenario.seed) == ("gabl", 2.0, 1)
    assert scenario.title == "Bani-Mohammad 2008, §3, small: gabl at load 2"
    assert "A small one" in scenario.notes
    assert not large.more.isVisible()
    [ff] = [action.menu() for action in small.menu.actions() if action.text() == "ff"]
    with qtbot.waitSignal(gallery.scenario_asked) as asked:
        next(action for action in ff.actions() if action.text() == "Load 1").trigger()
    assert (asked.args[0].allocator.name, asked.args[0].workload.load) == ("ff", 1.0)


def test_what_the_verdicts_mean_is_told_on_demand(gallery, qtbot):
    """The rule is hidden until the button beside the legend is pressed."""
    assert gallery.page.explain.toolTip() == RULE
    assert not gallery.page.rule.isVisible()
    qtbot.mouseClick(gallery.page.explain, Qt.MouseButton.LeftButton)
    assert gallery.page.rule.isVisible()
    assert gallery.page.rule.text() == RULE


def test_numbers_charts_and_the_page_are_exported(gallery, qtbot, tmp_path, monkeypatch):
    """What is read back is what is shown."""
    run_entry(gallery, qtbot, "000-S1")
    judged = gallery.session.results["000-S1"].judged
    small = shown_settings(gallery, qtbot, 2)[0]
    names = iter([tmp_path / "numbers.csv", tmp_path / "page.md"])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(next(names)), ""))
    gallery.page.export_menu.aboutToShow.emit()
    actions = {action.text(): action for action in gallery.page.export_menu.actions()}
    actions["Numbers of this entry as CSV…"].trigger()
    with (tmp_path / "numbers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["measured"]) == judged[0].measured.mean
    assert float(rows[0]["half width"]) == judged[0].measured.half_width
    assert [row["verdict"] for row in rows if row["figure"] != "turnaround"] == [
        one.verdict.value for one in judged if one.number.figure != "turnaround"
    ]
    actions["Write page…"].trigger()
    all_results = [gallery.session.results[name] for name in few_entries()]
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page(all_results, quick=True)
    choice = ExportChoice(small.chart.pictures()[0], PictureFormat.SVG, 1, EXPORT, QSize(900, 500))
    gallery.exporter.write(choice, tmp_path / "chart.svg")
    texts = svg_texts(tmp_path / "chart.svg")
    assert "Turnaround at load 2: 4×4, two loads" in texts
    assert {"gabl / ff", "bf / ff", "published"} <= set(texts)


def test_quick_or_full_and_the_store_are_remembered(make_gallery, qtbot, tmp_path):
    """Another window has them again, with what is in the store, and nothing is run for it."""
    first = make_gallery()
    first.run_bar.store.created.emit(tmp_path / "runs.mgstore")
    run_entry(first, qtbot, "000-S1")
    qtbot.mouseClick(first.run_bar.scale.button(1), Qt.MouseButton.LeftButton)
    assert first.close()
    second = make_gallery()
    assert not second.run_bar.quick
    assert second.run_bar.store.path == tmp_path / "runs.mgstore"
    qtbot.waitUntil(lambda: second.session.results["000-S1"].counted > 0)
    assert not second.busy
    assert second.session.results["000-S1"].judged == first.session.results["000-S1"].judged


def test_runs_of_memory_go_into_a_file(gallery, qtbot, tmp_path):
    """What was run before a file was chosen is in it afterwards."""
    run_entry(gallery, qtbot, "000-S1")
    path = tmp_path / "runs.mgstore"
    gallery.run_bar.store.created.emit(path)
    qtbot.waitUntil(lambda: gallery.run_bar.store.path == path and path.exists())
    gallery.end()
    WorkThread.end_all()
    with Store(path) as store:
        state = Reproduction([small_entry()], store, InProcess(), quick=True).states[0]
    assert state.done
    assert tuple(state.judged) == by_hand(small_entry()).judged


def test_runs_in_memory_are_not_lost_without_a_question(gallery, qtbot, answers):
    """Cancel keeps the window open; to lose them has to be said."""
    run_entry(gallery, qtbot, "004-E1")
    answers += ["Cancel"]
    assert not gallery.close()
    qtbot.waitUntil(lambda: not gallery.closing.under_way)
    assert gallery.isVisible()
    answers += ["Discard them"]
    assert not gallery.close()
    qtbot.waitUntil(lambda: not gallery.isVisible())
    assert answers.asked == ["The runs are in memory only."] * 2


def test_return_loses_no_runs_while_more_are_made(gallery, qtbot, monkeypatch):
    """They cannot be put into a file then, and to stay is what is offered first."""
    run_entry(gallery, qtbot, "004-E1")
    with monkeypatch.context() as patch:
        patch.setattr(type(gallery), "busy", property(lambda _: True))
        (question,) = gallery.questions()
    box = question.box()
    assert box.defaultButton().text() == "Cancel"
    assert [button.text() for button in box.buttons() if not button.isEnabled()] == ["Keep in a file…"]
    box.deleteLater()


@pytest.mark.parametrize("width", [1280, 1600])
def test_nothing_is_wider_than_the_window(gallery, qtbot, width):
    """At both sizes the page scrolls up and down only, and the chart stands beside or below the table."""
    gallery.resize(width, 720)
    small = shown_settings(gallery, qtbot, 2)[0]
    qtbot.wait(50)
    assert gallery.page.widget().width() <= gallery.page.viewport().width()
    beside = small.chart.x() >= small.table.geometry().right()
    below = small.chart.y() >= small.table.geometry().bottom()
    assert beside != below
    for section in gallery.page.shown:
        assert section.table.geometry().bottom() <= section.height()
        assert section.chart.geometry().bottom() <= section.height()
        assert not section.table.geometry().intersects(section.chart.geometry())


def test_a_table_is_copied_with_a_key_and_offered_by_a_menu(gallery, qtbot):
    """The numbers of the setting in focus, with their titles; right of the pointer what can be exported."""
    small = shown_settings(gallery, qtbot, 2)[0]
    small.table.setFocus()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(small.table, Qt.Key.Key_C, keys)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == list(COLUMNS)
    assert len(lines) == 5
    at = row_at(small, 0)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse,
        small.table.viewport().mapTo(gallery, at),
        small.table.viewport().mapToGlobal(at),
    )
    QGuiApplication.sendEvent(gallery, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ["Export table as CSV…", "Copy table"]
    menu.close()


def test_another_size_and_theme_keep_the_page_whole(gallery, themes, qtbot):
    """In the letters of a lecture and in the dark nothing overlaps, and the same number is selected."""
    small = shown_settings(gallery, qtbot, 2)[0]
    small.select(1)
    themes.set_scale(1.4)
    themes.set_mode("dark")
    qtbot.wait(50)
    assert small.selected == 1
    for section in gallery.page.shown:
        assert section.table.geometry().bottom() <= section.height()
        assert not section.table.geometry().intersects(section.chart.geometry())
    themes.set_scale(1.0)
    themes.set_mode("light")


def test_f1_opens_the_page_about_experiments(gallery, qtbot):
    """And closes it; so does the sign beside the exports."""
    qtbot.keyClick(gallery, Qt.Key.Key_F1)
    page = gallery.help.page
    assert page.isVisible()
    assert page.page.toPlainText().startswith("Experiments\n")
    qtbot.keyClick(page, Qt.Key.Key_F1)
    assert not page.isVisible()
    qtbot.mouseClick(gallery.help, Qt.MouseButton.LeftButton)
    assert page.isVisible()
    page.close()
