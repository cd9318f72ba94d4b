"""Exporting from the window: what is meant, the dialog and what it remembers, menus, and what goes wrong."""

import csv
import io
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox, QProgressDialog, QWidget

from meshgui.engine.basics.translation import speaking
from meshgui.model.base.picture_formats import PictureFormat
from meshgui.model.tables.tables import LazyRows, PlainTable
from meshgui.views.exporting import dialog as dialogs
from meshgui.views.exporting.dialog import ExportChoice, ExportDialog
from meshgui.views.exporting.exportable import Picture
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.network.panel import CHANNELS
from meshgui.views.style.fonts import TEXT_FAMILY
from meshgui.views.style.theme import DARK
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.widgets import file_progress
from meshgui.views.widgets.kept_place import keep
from meshgui.views.widgets.row_scroll import RowScroll
from tests.views.conftest import handle_events, type_over
from tests.views.reading import csv_rows, pdf_page, svg_texts
from tests.views.window.conftest import at_a_desk, open_and_run, wait_for_panels


@pytest.fixture
def answer(monkeypatch):
    """Answers the dialog for the name, and tells what it suggested."""
    asked = []

    def with_name(name):
        def ask(_parent, _title, suggested, kinds):
            asked.append((suggested, kinds))
            return str(name), kinds

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        return asked

    return with_name


@pytest.fixture
def choose(once_open):
    """Does something in the export dialog once it has opened, as a user would."""
    return partial(once_open, ExportDialog)


@pytest.fixture
def packets(window, qtbot):
    """A window with a network in sight."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(60.0)
    window.panels.show("network")
    qtbot.waitUntil(lambda: window.network.view.packets.states is not None)
    return window


def labels(menu):
    """What a menu offers."""
    return [action.text() for action in menu.actions()]


def open_menu(widget):
    """The menu that a right click in the middle of what is visible of a widget brings up."""
    at = widget.visibleRegion().boundingRect().center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))
    return QApplication.activePopupWidget()


def test_what_is_in_focus_is_meant(lecture, answer, tmp_path):
    """Where the keys go is where picture and table come from; from the mesh it is the mesh."""
    lecture.mesh.canvas.setFocus()
    assert lecture.exporter.pictures(lecture.focusWidget())[0].title == "Mesh at 0"
    lecture.panels.show("plots")
    handle_events()
    lecture.plots.view.chooser.button(0).setFocus()
    titles = [picture.title for picture in lecture.exporter.pictures(lecture.focusWidget())]
    assert titles[0] == "Turnaround"
    assert "Mesh at 0" in titles
    assert len(titles) == len(set(titles))
    # Without a table in focus it offers those in sight by name
    answer(tmp_path / "q.csv")
    lecture.queue.running.table.setFocus()
    lecture.commands.trigger("file.export-table")
    assert csv_rows(tmp_path / "q.csv")[0] == ["Job", "Box", "Left"]
    lecture.mesh.canvas.setFocus()
    lecture.commands.trigger("file.export-table")
    assert csv_rows(tmp_path / "q.csv")[0][:4] == ["Job", "x", "y", "z"]
    lecture.strategy.setFocus()
    lecture.commands.trigger("file.copy-table")
    menu = QApplication.activePopupWidget()
    assert any(label.startswith("Jobs waiting at") for label in labels(menu))
    menu.close()


def test_plots_in_front_are_offered_first(lecture, choose, qtbot):
    """Also while the mesh has the keys, where it is first as long as they are behind another tab."""
    offered = []

    def note(dialog):
        offered.append(dialog.picture.currentText())
        dialog.reject()

    lecture.mesh.canvas.setFocus()
    choose(note)
    lecture.commands.trigger("file.export-picture")
    lecture.panels.show("plots")
    qtbot.waitUntil(lambda: lecture.panels.in_front("plots"))
    wait_for_panels(lecture, qtbot)
    lecture.mesh.canvas.setFocus()
    choose(note)
    lecture.commands.trigger("file.export-picture")
    assert offered == ["Mesh at 0", "Turnaround"]


def test_the_picture_of_a_network_is_named_after_its_cycle(window, qtbot):
    """Its clock says cycle, and so does its file."""
    network = open_and_run(window, qtbot, "two-packets-meet-6x4")
    assert network.mesh.pictures()[0].title == "Mesh at cycle 0"


def test_a_picture_is_written_as_chosen(lecture, answer, choose, tmp_path):
    """Format, scale, theme and size are those of the dialog; the sentence names the file."""
    asked = answer(tmp_path / "t.png")

    def fill(dialog):
        dialog.form.setCurrentIndex(0)
        type_over(dialog.scale.box, "3")
        dialog.ground.setCurrentIndex(1)
        dialog.as_shown.setChecked(False)
        type_over(dialog.wide.box, "500")
        type_over(dialog.high.box, "200")
        assert dialog.pixels.text() == "1500 × 600 pixels"
        dialog.export.click()

    choose(fill)
    lecture.exporter.ask_about(lecture.timeline.pictures())
    image = QImage(str(tmp_path / "t.png"))
    assert image.size() == QSize(1500, 600)
    assert image.pixelColor(0, 0).name() == DARK.panel
    assert asked == [(asked[0][0], "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)")]
    assert asked[0][0].endswith(f"/{lecture.document.title}, Timeline.png")
    assert lecture.notice.text == "t.png was written."
    lecture.commands.trigger("run.start")
    assert lecture.notice.text == ""


def test_the_command_asks_about_what_is_in_sight_and_the_ending_decides(lecture, answer, choose, tmp_path):
    """By its key: the mesh is preselected, and any other picture can be taken instead."""
    answer(tmp_path / "t.pdf")
    lecture.mesh.canvas.setFocus()

    def fill(dialog):
        assert dialog.picture.currentText() == "Mesh at 0"
        assert dialog.form.isEnabled()
        dialog.picture.setCurrentIndex(dialog.picture.findText("Timeline"))
        dialog.form.setCurrentIndex(2)
        assert not dialog.scale.isEnabled()
        dialog.export.click()

    choose(fill)
    lecture.commands.trigger("file.export-picture")
    wide, high = pdf_page(tmp_path / "t.pdf")
    size = lecture.timeline.pictures()[0].size
    assert (wide, high) == (-(-size.width() * 3 // 4), -(-size.height() * 3 // 4))
    # The ending that was typed decides, whatever was chosen; without one it is the chosen one
    for typed, written in (("a.svg", "a.svg"), ("b.PDF", "b.PDF"), ("c", "c.png"), ("d.e", "d.e.png")):
        answer(tmp_path / typed)
        choose(lambda dialog: (dialog.form.setCurrentIndex(0), dialog.export.click()))
        lecture.exporter.ask_about(lecture.timeline.pictures())
        assert (tmp_path / written).exists()
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "b.PDF").read_bytes().startswith(b"%PDF")


def test_the_first_choice_is_light_and_the_last_one_is_remembered(
    lecture, answer, choose, tmp_path, make_window
):
    """Twice as fine as the screen, on white, as large as in the window; broken settings change nothing."""
    lecture.settings.setValue("export/scale", "many")
    lecture.settings.setValue("export/format", "bmp")
    dialog = ExportDialog(lecture.timeline.pictures(), lecture.settings, lecture.themes, lecture)
    size = lecture.timeline.pictures()[0].size
    assert dialog.choice.picture.title == "Timeline"
    assert dialog.choice[1:] == (PictureFormat.PNG, 2, EXPORT, size)
    dialog.deleteLater()
    # In this window and in the next: format, scale, ground and size
    answer(tmp_path / "t.svg")

    def fill(dialog):
        type_over(dialog.scale.box, "5")
        dialog.form.setCurrentIndex(1)
        dialog.ground.setCurrentIndex(1)
        dialog.as_shown.setChecked(False)
        type_over(dialog.wide.box, "432")
        dialog.export.click()

    choose(fill)
    lecture.exporter.ask_about(lecture.timeline.pictures())
    lecture.settings.sync()
    dialog = ExportDialog(lecture.timeline.pictures(), make_window().settings, lecture.themes, lecture)
    assert dialog.choice.form == PictureFormat.SVG
    assert (dialog.choice.scale, dialog.choice.theme, dialog.choice.size.width()) == (5, DARK, 432)
    dialog.deleteLater()


@pytest.mark.parametrize("scale", [1.0, 2.0, 2.5])
def test_the_dialog_is_whole_on_a_laptop_at_any_size_of_text(lecture, qtbot, monkeypatch, scale):
    """Its choices are scrolled where they are higher than the screen, and its buttons stay below them."""
    room = QSize(1366, 768)
    monkeypatch.setattr(dialogs, "room_for_window", lambda _: room)
    lecture.themes.set_scale(scale)
    dialog = ExportDialog(lecture.timeline.pictures(), lecture.settings, lecture.themes, lecture)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert dialog.frameSize().boundedTo(room) == dialog.frameSize()
    bar = dialog.findChild(RowScroll).verticalScrollBar()
    assert (bar.maximum() == 0) == (scale == 1.0)
    for part in (dialog.as_shown, dialog.export):
        assert part.visibleRegion().boundingRect() == part.rect()
    dialog.close()


def test_the_lists_of_the_dialog_show_all_their_lines(lecture, qtbot):
    """None is behind an arrow, also of a list that has the keys; the unit is read beside the size."""
    dialog = ExportDialog(lecture.timeline.pictures() * 2, lecture.settings, lecture.themes, lecture)
    dialog.lettering.setChecked(True)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert dialog.unit.width() >= dialog.unit.whole_width
    dialog.lettering.font_name.setFocus(Qt.FocusReason.TabFocusReason)
    assert dialog.export.isDefault()  # Enter does not open the list of a field beside
    for choice in (dialog.picture, dialog.form, dialog.ground, dialog.unit, dialog.lettering.legend):
        choice.setFocus(Qt.FocusReason.TabFocusReason)
        choice.showPopup()
        view = choice.view()
        last = view.model().index(choice.count() - 1, 0)
        assert view.visualRect(last).bottom() < view.viewport().height()
        choice.hidePopup()
    dialog.deleteLater()


def test_a_wrong_number_is_named_and_the_dialog_stays_with_what_was_typed(lecture, answer, choose, tmp_path):
    """Each beside its field, and the first has the keys; one that does not apply is not asked for."""
    asked = answer(tmp_path / "t.png")

    def fill(dialog):
        dialog.as_shown.setChecked(False)
        type_over(dialog.scale.box, "2,5")
        type_over(dialog.wide.box, "9000")
        type_over(dialog.high.box, "200")
        dialog.export.click()
        assert dialog.isVisible()
        assert dialog.error_line.said == "Expected the scale to be a whole number from 1 to 8"
        assert dialog.pixels.isHidden()
        assert dialog.focusWidget() is dialog.scale.box
        assert [field.box.text() for field in (dialog.scale, dialog.wide)] == ["2,5", "9000"]
        marked = [field.box.property("invalid") for field in (dialog.scale, dialog.wide, dialog.high)]
        assert marked == [True, True, False]
        # An SVG has no scale, so the width is what is wrong; the choice of another format leaves it typed
        dialog.form.setCurrentIndex(1)
        assert dialog.error_line.said == "Expected width and height from 100 to 8192 pixels"
        dialog.unit.setCurrentIndex(1)
        assert dialog.error_line.said == "Expected width and height from 26.5 to 2167.5 mm"
        assert dialog.wide.box.text() == "9000"
        assert dialog.high.box.text() == "53"  # of 200 pixels
        dialog.form.setCurrentIndex(0)
        type_over(dialog.scale.box, "3")
        type_over(dialog.wide.box, "85,5")
        assert dialog.error_line.isHidden()
        assert dialog.pixels.text() == "969 × 600 pixels"
        dialog.export.click()

    choose(fill)
    lecture.exporter.ask_about(lecture.timeline.pictures())
    assert len(asked) == 1
    assert QImage(str(tmp_path / "t.png")).size() == QSize(969, 600)


def test_numbers_of_the_dialog_have_the_comma_of_the_language(lecture):
    """And what the settings hold beyond the limits is not taken up."""
    for name, value in (("width", 323), ("height", 90_000), ("scale", 99), ("points", 400.0)):
        keep(lecture.settings, f"export/{name}", value)
    keep(lecture.settings, "export/as-shown", False)
    keep(lecture.settings, "export/millimetres", True)
    keep(lecture.settings, "export/font", "no such font")
    with speaking("de"):
        dialog = ExportDialog(lecture.timeline.pictures(), lecture.settings, lecture.themes, lecture)
    box = dialog.lettering
    fields = (dialog.wide, dialog.high, dialog.scale, box.points)
    assert [field.box.text() for field in fields] == ["85,5", "2167,5", "2", "8"]
    assert (box.font_name.text(), dialog.choice.size) == (TEXT_FAMILY, QSize(323, 8192))
    dialog.deleteLater()


def test_whoever_cancels_loses_nothing_and_no_file_is_replaced_unasked(
    lecture, answer, choose, tmp_path, monkeypatch
):
    """Neither dialog: no file, no sentence, and the choice is as before."""
    before, sentence = lecture.settings.value("export/scale"), lecture.sentence.text
    asked = answer("")

    def leave(dialog):
        type_over(dialog.scale.box, "8")
        dialog.reject()

    choose(leave)
    lecture.exporter.ask_about(lecture.timeline.pictures())
    assert asked == []
    choose(lambda dialog: dialog.export.click())
    lecture.exporter.ask_about(lecture.timeline.pictures())
    lecture.exporter.export(lecture.queue.waiting.table.tables()[0])
    assert len(asked) == 2
    assert before is None
    assert (lecture.sentence.text, lecture.notice.text) == (sentence, "")
    assert list(tmp_path.glob("*.png")) + list(tmp_path.glob("*.csv")) == []
    # Where the dialog could not ask, because the ending was left out, the window asks
    (tmp_path / "q.csv").write_text("old")
    answer(tmp_path / "q")
    [table] = lecture.queue.waiting.table.tables()
    replies = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]
    monkeypatch.setattr(QMessageBox, "question", lambda *_: replies.pop(0))
    lecture.exporter.export(table)
    assert (tmp_path / "q.csv").read_text() == "old"
    lecture.exporter.export(table)
    assert csv_rows(tmp_path / "q.csv")[0] == ["Job", "Size", "Reserved", "Waited"]
    assert replies == []
    assert not (tmp_path / "q").exists()


@pytest.mark.parametrize("flat", [True, False])
def test_the_mesh_is_written_finer_and_light(lecture, tmp_path, flat, screen_has_opengl):
    """With twice the pixels, lines and letters grow with it; of a dark window it is light."""
    if not flat and not screen_has_opengl:
        pytest.skip("no OpenGL on this screen")
    if lecture.mesh.flat != flat:
        lecture.mesh.toggle_flat()
    lecture.time_cursor.go_to_time(1.0)
    [mesh] = lecture.mesh.pictures()
    images = {}
    for scale in (1, 2):
        choice = ExportChoice(mesh, PictureFormat.PNG, scale, EXPORT, QSize(400, 300))
        lecture.exporter.write(choice, tmp_path / "m.png")
        images[scale] = QImage(str(tmp_path / "m.png"))
    assert images[2].size() == QSize(800, 600)
    again = images[2].scaled(400, 300, mode=Qt.TransformationMode.SmoothTransformation)
    ends = [(x, y) for x in range(0, 400, 4) for y in range(0, 300, 4)]
    apart = [
        abs(again.pixelColor(x, y).lightness() - images[1].pixelColor(x, y).lightness()) for x, y in ends
    ]
    assert sum(apart) / len(apart) < 6  # the same picture, and not a part of it
    assert len({images[2].pixel(x, y) for x, y in ends}) > 4
    # On white with the light theme's colours of jobs, as in a light window; and the window stays dark
    written = {}
    for mode, theme in (("light", EXPORT), ("dark", EXPORT), ("dark", DARK)):
        lecture.themes.set_mode(mode)
        lecture.exporter.write(
            ExportChoice(mesh, PictureFormat.PNG, 1, theme, QSize(300, 200)), tmp_path / "m.png"
        )
        written[mode, theme.name] = QImage(str(tmp_path / "m.png"))
    assert written["dark", "light"] == written["light", "light"]
    assert written["dark", "light"].pixelColor(0, 0).name() == "#ffffff"
    assert written["dark", "dark"].pixelColor(0, 0).name() == DARK.mesh_background
    assert lecture.themes.theme == DARK
    assert lecture.mesh.grab_image(QSize(300, 200)) == written["dark", "dark"]


def test_a_large_picture_is_encoded_while_the_window_answers_and_can_be_stopped(
    lecture, tmp_path, monkeypatch
):
    """Stopping leaves the old file; else the picture is there, and timers have run meanwhile."""
    path = tmp_path / "t.png"
    path.write_text("old")
    choice = ExportChoice(lecture.timeline.pictures()[0], PictureFormat.PNG, 2, EXPORT, QSize(2000, 1000))
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    shown, timer = [], QTimer(lecture, interval=0)

    def stop():
        for dialog in lecture.findChildren(QProgressDialog):
            if dialog.isVisible():
                shown.append(dialog.labelText())
                dialog.cancel()

    timer.timeout.connect(stop)
    timer.start()
    lecture.exporter.write(choice, path)
    assert shown[0] == "Writing t.png"
    assert lecture.sentence.text == "The picture was not written."
    assert path.read_text() == "old"
    monkeypatch.undo()
    shown.clear()
    ticks = []
    timer.timeout.connect(lambda: ticks.append(1))
    monkeypatch.setattr(file_progress, "_PATIENCE", 60.0)
    lecture.exporter.write(choice, path)
    timer.stop()
    assert ticks
    assert shown == []
    assert QImage(str(path)).size() == QSize(4000, 2000)


def test_a_faulty_table_is_one_sentence(lecture, tmp_path):
    """A row too long, from a strategy of another author: no file, and the window stays in use."""
    faulty = PlainTable("Theirs", ("a",), ((1, 2),))
    lecture.exporter.write_table(faulty, tmp_path / "f.csv")
    assert lecture.notice.text == "The table cannot be written: Theirs: expected 1 cells, got 2."
    lecture.exporter.copy(faulty)
    assert lecture.notice.text == "The table cannot be copied: Theirs: expected 1 cells, got 2."
    assert not (tmp_path / "f.csv").exists()


def test_every_table_of_the_network_is_written(packets, tmp_path):
    """Packets, channels, a channel's passages, a packet's way and chain: as many rows as are shown."""
    network, record = packets.network.view, packets.time_cursor.recording.network
    table = network.packets.table
    rows = exported(packets, table, tmp_path)
    assert rows[0] == ["Packet", "Job", "From → to", "State", "Age"]
    assert [row[0] for row in rows[1:]] == [table.rows.cell(n, 0).text for n in range(table.rows.rowCount())]
    blocked = next(row for row in rows if "blocked by" in row[3])
    packets.selection.select_packet(int(blocked[0]), int(blocked[1]))
    card = network.packet
    way, chain = (exported(packets, part, tmp_path) for part in (card.way, card.chain))
    assert len(way) - 1 >= card.way.rows.rowCount() > 1
    assert [row[0] for row in chain[1:]] == [str(packet) for packet in card.chain.source.chain]
    packets.selection.select_channel(int(record.raw.channels[record.raw.first[0] + 1]))
    qt_click(network.parts.button(CHANNELS))
    channel = network.channel
    passages = exported(packets, channel.table, tmp_path)
    assert len(passages) - 1 == channel.table.rows.rowCount() > 0
    packets.selection.select_channel(None)
    handle_events()
    channels = exported(packets, network.channels.table, tmp_path)
    assert len(channels) - 1 == network.channels.table.rows.rowCount() > 20
    flits = {row[0]: int(row[2]) for row in channels[1:]}
    carried = network.channels.figures
    assert sum(flits.values()) == int(carried.flits.sum()) > 0


def qt_click(button):
    """Press a button and let what follows come to rest."""
    button.click()
    handle_events()


def exported(window, table, folder):
    """A shown table, written and read back."""
    [figures] = table.tables()
    window.exporter.write_table(figures, folder / "t.csv")
    return csv_rows(folder / "t.csv")


def test_tables_of_inspectors_jobs_and_the_form_are_written(lecture, tmp_path, qtbot):
    """In the strategy's own words, with the moment in their titles and the job's numbers in full."""
    lecture.time_cursor.go_to_time(1.0)
    lecture.panels.show("inspector")
    lecture.selection.select(0)
    handle_events()
    tables = [s.body.table for s in lecture.inspector.sections.values() if hasattr(s.body, "table")]
    assert tables
    for table in tables:
        rows = exported(lecture, table, tmp_path)
        assert len(rows) == table.rows.rowCount() + 1
        assert table.tables()[0].title.endswith(" at 1")
        assert rows[0] == [column.title for column in table.rows.columns]
    lecture.time_cursor.last()
    facts = exported(lecture, lecture.job_card, tmp_path)
    recording = lecture.time_cursor.recording
    assert ["Arrives", str(float(recording.jobs.arrival[0])), "time"] in facts
    assert ["Overhead", str(float(recording.seconds[0])), "seconds"] in facts
    # The form's list of jobs, as it was typed
    lecture.panels.show("scenario")
    editors = lecture.form.view.findChildren(RowTableEditor)
    qtbot.waitUntil(lambda: any(editor.isVisible() for editor in editors))
    [editor] = [editor for editor in editors if editor.isVisible()]
    rows = exported(lecture, editor, tmp_path)
    jobs = lecture.document.scenario.workload.jobs
    assert [float(row[0]) for row in rows[1:]] == [job.arrival for job in jobs]


def test_a_right_click_offers_what_lies_there(packets, qtbot):
    """A plot its picture, a table its rows; the innermost widget that has something decides."""
    packets.panels.show("timeline")
    handle_events()
    menu = open_menu(packets.timeline)
    assert labels(menu) == [
        "Export picture…",
        "Copy picture",
        "Show as a table…",
        "Export table as CSV…",
        "Copy table",
    ]
    menu.close()
    menu = open_menu(packets.network.view.packets.table.viewport())
    assert labels(menu) == ["Export table as CSV…", "Copy table"]
    menu.close()
    packets.panels.show("plots")
    qtbot.waitUntil(lambda: packets.plots.made is not None and packets.plots.made.isVisible())
    menu = open_menu(packets.plots.view._canvas.viewport())
    assert labels(menu)[:2] == ["Show the whole run", "Export picture…"]
    assert any(label.endswith("as CSV…") for label in labels(menu))
    menu.close()
    menu = open_menu(packets.job_card)
    assert labels(menu) == ["Export table as CSV…", "Copy table"] or menu is None
    if menu is not None:
        menu.close()


def test_pictures_and_tables_are_copied(lecture):
    """The picture in focus goes to the clipboard, twice as fine as it is shown; a table with tabs."""
    lecture.mesh.canvas.setFocus()
    lecture.commands.action("file.copy-picture").trigger()
    image = QApplication.clipboard().image()
    assert image.size() == 2 * lecture.mesh.size()
    assert "copied" in lecture.sentence.text
    # Of a table the titles come first
    lecture.time_cursor.go_to_time(1.0)
    lecture.exporter.copy(lecture.queue.running.table.tables()[0])
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    assert rows[0] == ["Job", "Box", "Left"]
    assert [int(row[0]) for row in rows[1:]] == lecture.time_cursor.view.snapshot.running.tolist()
    assert "copied" in lecture.sentence.text
    # The limit is said, and the clipboard keeps what it holds
    QGuiApplication.clipboard().setText("before")
    lecture.exporter.copy(PlainTable("Long", ("n",), LazyRows(200_000, lambda: ((n,) for n in range(9)))))
    assert QGuiApplication.clipboard().text() == "before"
    assert "at most 100,000 can be copied" in lecture.notice.text


@at_a_desk
def test_a_right_click_elsewhere(lecture, qtbot):
    """On what has neither picture nor table, on the title of a panel, and on a panel that floats."""
    assert open_menu(lecture.sentence) is None
    # On a title it still lists the panels by name
    dock = lecture.panels.docks["queue"]
    lecture.panels.docks["job"].hide()  # where two share a place their tabs take the title's
    qtbot.waitUntil(lambda: dock.titleBarWidget() is None and dock.widget().geometry().top() > 8)
    at = QPoint(dock.width() // 2, 4)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(dock, QContextMenuEvent(reason, at, dock.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    offered = set(labels(menu))
    menu.close()
    assert {"Queue", "Timeline", "Plots"} <= offered
    # Torn off, a panel is a window of its own, and its pictures are still those in sight
    lecture.panels.docks["timeline"].setFloating(True)
    handle_events()
    menu = open_menu(lecture.timeline)
    assert labels(menu)[:3] == ["Export picture…", "Copy picture", "Show as a table…"]
    menu.close()
    titles = [picture.title for picture in lecture.exporter.pictures(None)]
    lecture.panels.docks["timeline"].setFloating(False)
    assert "Timeline" in titles


def test_a_long_table_lets_the_window_answer_and_can_be_stopped(lecture, tmp_path, monkeypatch):
    """While its rows are written events are answered; stopped, there is no file."""
    ticks, timer = [], QTimer(interval=0)
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start()
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    monkeypatch.setattr(file_progress, "_PATIENCE", 600.0)
    long = PlainTable("Long", ("n", "share"), LazyRows(40_000, lambda: ((n, n / 7) for n in range(40_000))))
    lecture.exporter.write_table(long, tmp_path / "long.csv")
    assert len(ticks) > 10
    assert len((tmp_path / "long.csv").read_bytes().split(b"\r\n")) == 40_002
    assert lecture.notice.text == "long.csv was written: 40\N{NARROW NO-BREAK SPACE}000 rows."
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)

    def stop():
        for dialog in lecture.findChildren(QProgressDialog):
            dialog.cancel()

    timer.timeout.connect(stop)
    lecture.exporter.write_table(long, tmp_path / "stopped.csv")
    timer.stop()
    assert not (tmp_path / "stopped.csv").exists()
    assert lecture.sentence.text == "The table was not written."
    assert [path.name for path in tmp_path.iterdir() if "meshgui-" in path.name] == []


def test_a_widget_of_any_kind_is_found(lecture, tmp_path):
    """All that offers pictures and tables is exported: nothing has to be registered."""

    class Results(QWidget):
        """A picture and a table in one."""

        def pictures(self):
            return (Picture("Results", QSize(300, 200), self._draw),)

        def tables(self):
            return (PlainTable("Results", ("load", "mean"), [(0.5, 4.5)]),)

        def _draw(self, painter, rect, theme):
            painter.setPen(theme.colour("text"))
            painter.drawText(rect, "mean 4.5")

    results = Results(lecture.panels.docks["timeline"].widget())
    results.resize(100, 100)
    results.show()
    results.setFocus()
    [picture, *_] = lecture.exporter.pictures(results)
    lecture.exporter.write(
        ExportChoice(picture, PictureFormat.SVG, 1, EXPORT, QSize(300, 200)), tmp_path / "r.svg"
    )
    assert svg_texts(tmp_path / "r.svg") == ["mean 4.5"]
    menu = QMenu()
    lecture.exporter.fill(menu, results)
    assert labels(menu) == [
        "Export picture…",
        "Copy picture",
        "Show as a table…",
        "Export table as CSV…",
        "Copy table",
    ]
    [table, *_] = lecture.exporter.tables(results)
    lecture.exporter.write_table(table, tmp_path / "r.csv")
    assert csv_rows(tmp_path / "r.csv") == [["load", "mean"], ["0.5", "4.5"]]
    # A title, a size and a function are a picture, drawn in the size and the theme chosen
    drawn = []
    picture = Picture("Own", QSize(50, 40), lambda _painter, rect, theme: drawn.append((rect.width(), theme)))
    lecture.exporter.write(
        ExportChoice(picture, PictureFormat.PNG, 1, EXPORT, QSize(120, 100)), tmp_path / "o.png"
    )
    assert drawn == [(120.0, EXPORT)]


def test_without_a_run_there_is_nothing_to_export(window):
    """A sentence says so, and what to do."""
    window.commands.trigger("file.export-picture")
    assert window.notice.text == "There is no picture to export: open a scenario first."
