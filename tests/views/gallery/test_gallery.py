"""The gallery: what it says before, while and after entries are run, and what can be done from it."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton

from meshgui.catalogue.judging import RULE, Verdict
from meshgui.catalogue.reproduction import Reproduction
from meshgui.catalogue.results_in_words import HEADING, row_of, verdicts_in_words
from meshgui.catalogue.results_page import page
from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.model.base.picture_formats import PictureFormat
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.number_columns import NUMBER_COLUMNS
from meshgui.model.studies.published_tables import COLUMNS
from meshgui.views.exporting.dialog import ExportChoice
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.widgets.work_thread import WorkThread
from tests.views.conftest import handle_events
from tests.views.gallery.conftest import few_entries, run_entry, small_entry
from tests.views.pointer import ask_for_menu
from tests.views.reading import csv_rows, svg_texts

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def by_hand(entry):
    """What an entry comes to without any window."""
    with Store() as store:
        work = Reproduction([entry], store, InProcess(), quick=True)
        work.run()
        return tuple(work.states[0].judged)


def cells(section):
    """What the table of a setting says."""
    rows = section.table.rows
    columns = range(rows.columnCount())
    return [[rows.cell(row, column).text for column in columns] for row in range(rows.rowCount())]


def shown_settings(gallery, qtbot, count):
    """The sections of an entry, once all of them are there."""
    qtbot.waitUntil(lambda: len(gallery.page.shown) == count)
    return gallery.page.shown


@pytest.fixture
def small(gallery, qtbot):
    """The first setting of an entry that has not been run."""
    return shown_settings(gallery, qtbot, 2)[0]


@pytest.fixture
def done(gallery, qtbot):
    """The gallery after a run of the small entry."""
    run_entry(gallery, qtbot, "000-S1")
    shown_settings(gallery, qtbot, 2)
    return gallery


def judged(gallery, name="000-S1"):
    """The numbers of an entry."""
    return gallery.session.results[name].judged


def is_whole(section):
    """Whether table and chart of a setting lie in it, and not over each other."""
    table, chart = section.table.geometry(), section.chart.geometry()
    return max(table.bottom(), chart.bottom()) <= section.height() and not table.intersects(chart)


def click_row(section, qtbot, row):
    """Click in the middle of a row of a setting's table."""
    at = section.table.visualRect(section.table.rows.index(row, 1)).center()
    qtbot.mouseClick(section.table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_before_anything_is_run_the_published_values_stand_alone(gallery, qtbot):
    """With a sentence and one button that runs them; nothing runs, and every chart has its marks."""
    small, large = shown_settings(gallery, qtbot, 2)
    assert gallery.page.state.text() == "Not run yet: only published values."
    buttons = [each for each in gallery.findChildren(QPushButton) if each.isVisible()]
    assert [each for each in buttons if each.text() == "Run this entry"] == [gallery.run_bar.one]
    assert [(row[0], row[1], row[2], row[4]) for row in cells(small)[:2]] == [
        (f"Turnaround: {strategy_name('gabl')} / {strategy_name('ff')}, at load 2", "0.5", "–", "not run"),
        (f"Turnaround: {strategy_name('bf')} / {strategy_name('ff')}, at load 2", "1", "–", "not run"),
    ]
    assert cells(large)[0][1] == "50 %"
    assert len(small.chart.chart.marks) == 2
    assert gallery.run_bar.words.text() == "Of 11 numbers: 11 not run."
    assert not gallery.busy
    # The rule of the verdicts is hidden until the button beside the legend is pressed
    rule, explain = gallery.page.rule, gallery.page.explain
    assert explain.toolTip() == RULE
    assert not rule.isVisible()
    qtbot.mouseClick(explain, Qt.MouseButton.LeftButton)
    assert rule.isVisible()
    assert rule.text() == RULE


def test_the_legend_is_one_line_above_the_button_that_explains_it(gallery, qtbot):
    """Beside each other they would have no room in large letters."""
    shown_settings(gallery, qtbot, 2)
    legend, explain = gallery.page.legend, gallery.page.explain
    assert legend.height() < explain.height()  # one line
    assert 0 < explain.y() - legend.geometry().bottom() < explain.height()


def test_a_run_to_its_end_is_what_judging_says(done):
    """A click runs the entry; its table, its state and the list have the numbers of a run by hand."""
    numbers = by_hand(small_entry())
    assert tuple(judged(done)) == numbers
    small, large = done.page.shown
    expected = [list(row_of(one, name=strategy_name)) for one in numbers]
    assert cells(small) + cells(large) == expected
    assert len(expected[0]) == len(HEADING)
    assert verdicts_in_words(numbers).capitalize() in done.page.state.text()
    assert done.list.list.item(0).toolTip().endswith(verdicts_in_words(numbers))
    # Page, list and foot tell how many are not precise, as many as the table has; none of what was not run
    verdicts = [row[4] for section in done.page.shown for row in cells(section)]
    vague = [verdict for verdict in verdicts if verdict.endswith(", not precise")]
    assert 0 < len(vague) < len(verdicts)
    hint = done.list.list.item(0).toolTip()
    for text in (done.page.state.text(), hint, done.run_bar.words.text()):
        for name in {verdict.removesuffix(", not precise") for verdict in verdicts}:
            both, those = sum(v.startswith(name) for v in verdicts), vague.count(f"{name}, not precise")
            said = f"{both} {name} ({those} not precise)" if those else f"{both} {name}"
            assert said in text
    assert text.endswith("6 not run.")
    # In its shortest form a verdict still says so, by a sign whose words are in the tooltip
    column = next(column for column in NUMBER_COLUMNS if column.id == "verdict")
    for section in done.page.shown:
        shortest = column.shorter[-1](section.table.source)
        for cell in (section.table.rows.cell(row, 4) for row in range(section.table.rows.rowCount())):
            brief = cell.shorter[-1] if cell.shorter else cell.text
            assert brief in shortest
            assert brief.endswith(" ±") == cell.text.endswith(", not precise")


def test_the_totals_of_all_entries_are_whole(gallery):
    """With numbers of every verdict, not precise ones too, in the narrow column on the left."""
    gallery.resize(960, 600)
    words = gallery.run_bar.words
    words.setText(
        "Of 913 numbers: 600 reproduced (100 not precise), 200 same order (100 not precise), "
        "13 differ (2 not precise), 100 not run."
    )
    assert words.heightForWidth(words.width()) <= words.height()


def test_in_a_small_window_no_number_is_cut(done, qtbot):
    """The verdict says less, and runs and ratio go, before a figure or what was measured loses letters."""
    done.resize(960, 600)
    section = done.page.shown[0]
    table = section.table

    def whole():
        shown = [table.shown(row, column) for row in range(table.rows.rowCount()) for column in range(5)]
        assert not any(text.endswith("…") for text in shown)
        assert table.columnWidth(0) > 0

    qtbot.waitUntil(whole)


def test_the_entry_of_one_run_and_everything_with_one_key(gallery, qtbot):
    """The whole schedule is the published one; there is no chart of it."""
    run_entry(gallery, qtbot, "004-E1")
    [section] = shown_settings(gallery, qtbot, 1)
    assert cells(section) == [["the whole schedule", "7 jobs", "the same", "", "reproduced", ""]]
    assert not section.chart.isVisible()
    assert gallery.session.results["004-E1"].done
    # Ctrl+Shift+Return runs everything; afterwards nothing is left that was not run
    gallery.list.choose("004-E1")
    qtbot.keyClick(gallery.list.list, Qt.Key.Key_Return, BOTH)
    assert gallery.busy
    qtbot.waitUntil(lambda: not gallery.busy)
    for name in few_entries():
        assert all(one.verdict is not Verdict.NOT_RUN for one in judged(gallery, name))
    assert "not run" not in gallery.run_bar.words.text()


def test_the_list_is_walked_with_the_keys_and_f1_opens_its_page(gallery, qtbot):
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
    # The page about experiments, which goes with the window
    qtbot.keyClick(gallery, Qt.Key.Key_F1)
    page = gallery.help.page
    assert page.isVisible()
    assert page.page.toPlainText().startswith("Experiments\n")
    qtbot.keyClick(page, Qt.Key.Key_F1)
    assert not page.isVisible()
    qtbot.mouseClick(gallery.help, Qt.MouseButton.LeftButton)
    assert page.isVisible()
    page.close()


def test_a_number_and_its_bar_light_up_together(done, qtbot):
    """A click on a number shows the chart of its figure with its bar, a key the next, a bar its number."""
    small = done.page.shown[0]
    chart = small.chart
    assert chart.chart.title == "Turnaround at load 2"
    click_row(small, qtbot, 1)
    qtbot.keyClick(small.table, Qt.Key.Key_Down)
    assert (small.selected, chart.chart.title) == (2, "Utilisation at load 1")
    click_row(small, qtbot, 0)
    assert chart.pointed_at.name == "gabl / ff"
    click_row(small, qtbot, 2)
    assert (small.selected, chart.chart.title) == (2, "Utilisation at load 1")
    assert chart.pointed_at.rows == (2,)
    click_row(small, qtbot, 0)
    bar = chart.arranged.bar(0, 1).center()
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(int(bar.x()), int(bar.y())))
    assert (small.selected, chart.pointed_at.name) == (1, "bf / ff")


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
    [ff] = [action.menu() for action in small.menu.actions() if action.text() == strategy_name("ff")]
    with qtbot.waitSignal(gallery.scenario_asked) as asked:
        next(action for action in ff.actions() if action.text() == "Load 1").trigger()
    assert (asked.args[0].allocator.name, asked.args[0].workload.load) == ("ff", 1.0)


def test_numbers_charts_and_the_page_are_exported(done, tmp_path, monkeypatch):
    """What is read back is what is shown."""
    numbers, names = judged(done), iter([tmp_path / "numbers.csv", tmp_path / "page.md"])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(next(names)), ""))
    done.page.export_menu.aboutToShow.emit()
    actions = {action.text(): action for action in done.page.export_menu.actions()}
    actions["Numbers of this entry as CSV…"].trigger()
    titles, *rows = csv_rows(tmp_path / "numbers.csv")
    rows = [dict(zip(titles, row, strict=True)) for row in rows]
    assert float(rows[0]["measured"]) == numbers[0].measured.mean
    assert float(rows[0]["half width"]) == numbers[0].measured.half_width
    others = [one.verdict.value for one in numbers if one.number.figure != "turnaround"]
    assert [row["verdict"] for row in rows if row["figure"] != "turnaround"] == others
    actions["Write page…"].trigger()
    all_results = [done.session.results[name] for name in few_entries()]
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page(all_results, quick=True)
    picture = done.page.shown[0].chart.pictures()[0]
    choice = ExportChoice(picture, PictureFormat.SVG, 1, EXPORT, QSize(900, 500))
    done.exporter.write(choice, tmp_path / "chart.svg")
    texts = svg_texts(tmp_path / "chart.svg")
    assert {"Turnaround at load 2: 4×4, two loads", "published"} <= set(texts)
    assert {"gabl", "bf", "ff"} <= {word for text in texts for word in text.split()}


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
    assert judged(second) == judged(first)


def test_runs_of_memory_go_into_a_file(done, qtbot, tmp_path):
    """What was run before a file was chosen is in it afterwards."""
    path = tmp_path / "runs.mgstore"
    done.run_bar.store.created.emit(path)
    qtbot.waitUntil(lambda: done.run_bar.store.path == path and path.exists())
    done.end()
    WorkThread.end_all()
    with Store(path) as store:
        [state] = Reproduction([small_entry()], store, InProcess(), quick=True).states
    assert state.done
    assert tuple(state.judged) == by_hand(small_entry())


def test_runs_in_memory_are_not_lost_without_a_question(gallery, qtbot, monkeypatch, answers):
    """While more are made they cannot be put into a file, and to stay is what is offered first."""
    run_entry(gallery, qtbot, "004-E1")
    with monkeypatch.context() as patch:
        patch.setattr(type(gallery), "busy", property(lambda _: True))
        (question,) = gallery.questions()
    box = question.box()
    assert box.defaultButton().text() == "Cancel"
    assert [button.text() for button in box.buttons() if not button.isEnabled()] == ["Keep in a file…"]
    box.deleteLater()
    # Cancel keeps the window open; to lose them has to be said
    answers += ["Cancel"]
    assert not gallery.close()
    qtbot.waitUntil(lambda: not gallery.closing.under_way)
    assert gallery.isVisible()
    answers += ["Discard them"]
    assert not gallery.close()
    qtbot.waitUntil(lambda: not gallery.isVisible())
    assert answers.asked == ["The runs are in memory only."] * 2


@pytest.mark.parametrize("width", [1280, 1600])
def test_nothing_is_wider_than_the_window(gallery, small, qtbot, width):
    """At both sizes the page scrolls up and down only, and the chart stands beside or below the table."""
    gallery.resize(width, 720)
    handle_events()

    def fits():
        assert gallery.page.widget().width() <= gallery.page.viewport().width()
        beside = small.chart.x() >= small.table.geometry().right()
        below = small.chart.y() >= small.table.geometry().bottom()
        assert beside != below
        assert all(map(is_whole, gallery.page.shown))

    qtbot.waitUntil(fits)


def test_a_table_is_copied_with_a_key_and_offered_by_a_menu(gallery, small, qtbot):
    """The numbers of the setting in focus, with their titles; right of the pointer what can be exported."""
    small.table.setFocus()
    qtbot.keyClick(small.table, Qt.Key.Key_C, BOTH)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == list(COLUMNS)
    assert len(lines) == 5
    at = small.table.visualRect(small.table.rows.index(0, 1)).center()
    menu = ask_for_menu(gallery, small.table.viewport().mapTo(gallery, at))
    assert [action.text() for action in menu.actions()] == ["Export table as CSV…", "Copy table"]
    menu.close()


def test_another_size_and_theme_keep_the_page_whole(gallery, small, themes, qtbot):
    """In the letters of a lecture and in the dark nothing overlaps, and the same number is selected."""
    small.select(1)
    themes.set_scale(1.4)
    themes.set_mode("dark")
    handle_events()
    qtbot.waitUntil(lambda: all(map(is_whole, gallery.page.shown)))
    assert small.selected == 1
