"""In a language that is read from the right the window is laid out so; the mesh and numbers are not."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QMargins, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter, QTextLayout, QTextOption, QTextTable
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QSlider, QWidget

from meshgui.engine.basics.sentences import Sentence, job_name
from meshgui.engine.basics.translation import PSEUDO_FROM_THE_RIGHT, speaking
from meshgui.model.charts.charts import ChartData, ChartSeries
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.timeline.plot_kinds import PLOTS
from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.forms.field_rows import FieldGroup
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.mesh.controls import MeshStatus
from meshgui.views.network.packet_card import PacketCard
from meshgui.views.panels.sentence_bar import SentenceBar
from meshgui.views.style.direction import among_arabic, isolated, isolated_whole, mirror, write
from meshgui.views.style.fonts import text_font
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted
from meshgui.views.widgets.building import SelectableLabel
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.window.tour_card import TourCard, TourStop
from tests.arrangements import OLD_STATE
from tests.views.mesh.mesh_fixtures import after_all_started
from tests.views.window.conftest import open_and_run, settle

RIGHT_TO_LEFT, LEFT_TO_RIGHT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight


@pytest.fixture
def themes(qapp: QApplication) -> Iterator[ThemeManager]:
    """The theme of an application that is laid out from right to left."""
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    themes = ThemeManager(qapp, "light")
    yield themes
    qapp.setStyleSheet("")
    qapp.setLayoutDirection(LEFT_TO_RIGHT)
    qapp.setStyle("Fusion")
    themes.deleteLater()


def test_the_whole_window_reads_from_the_right(make_window, qtbot):
    """Panels change sides, times run to the left and are reached there, first columns are rightmost."""
    window = open_and_run(make_window(), qtbot, "three-jobs-4x4x4")
    queue, algorithm = (window.panels.docks[name].geometry() for name in ("queue", "algorithm"))
    assert algorithm.right() < window.centralWidget().geometry().left()
    assert queue.left() > window.centralWidget().geometry().right()

    cursor, timeline = window.time_cursor, window.timeline
    at = {}
    for view in (timeline, window.overview):
        for x in (150, view.width() - 150):
            place = QPoint(x, view.height() - 12)
            qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
            at[view, x] = cursor.time
            line = view.grab(QRect(x - 4, view.height() - 12, 9, 1)).toImage()
            accent = window.themes.theme.colour("accent").rgb()
            assert accent in [line.pixel(column, 0) for column in range(line.width())]
        assert at[view, view.width() - 150] < 0.3 * cursor.recording.end_time < at[view, 150]

    table = window.queue.running.table
    first, last = (table.columnViewportPosition(column) for column in (0, 1))
    assert first > last

    qtbot.keyClick(window, Qt.Key.Key_Home)
    before = cursor.position
    qtbot.keyClick(window, Qt.Key.Key_Left)
    assert cursor.position.events > before.events or cursor.position.inside, "on, the way that time runs"
    qtbot.keyClick(window, Qt.Key.Key_Right)
    assert cursor.position == before
    places = [button.x() for button in (window.transport.forward_button, window.transport.back_button)]
    assert places == sorted(places)


def test_the_mesh_keeps_its_direction(make_window, qtbot, qapp):
    """Its picture is the same, pixel by pixel, as in a window from left to right."""
    pictures = []
    for direction in (RIGHT_TO_LEFT, LEFT_TO_RIGHT):
        qapp.setLayoutDirection(direction)
        window = open_and_run(make_window(), qtbot, "first-fit-16x16")
        canvas = window.mesh.canvas
        window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 2)
        picture = QImage(600, 500, QImage.Format.Format_RGB32)
        (found,) = window.mesh.pictures()[:1]
        with QPainter(picture) as painter:
            found.paint(painter, QRectF(picture.rect()), window.themes.theme)
        pictures.append(picture)
        assert canvas.layoutDirection() == LEFT_TO_RIGHT
    assert pictures[0] == pictures[1]


def test_a_chart_begins_at_the_right(qtbot, themes):
    """A click on the right finds the first point, the Left key the next, and the axis is on the right."""
    chart = ResultChart(themes)
    qtbot.addWidget(chart)
    one = ChartSeries.of("a", "", 0, np.array([1.0, 2.0, 3.0]), np.array([5.0, 1.0, 3.0]))
    chart.show_chart(ChartData("", "load", "time", (one,)))
    chart.resize(500, 300)
    with qtbot.waitExposed(chart):
        chart.show()
    first = chart.arranged.xs(1.0), chart.arranged.ys(5.0)
    assert first[0] < 250
    there = QPoint(round(500 - float(first[0])), round(float(first[1])))
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=there)
    assert chart.pointed_at == one.points[0]
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.pointed_at == one.points[1]

    plot = LivePlot(PLOTS[0], lambda _job, _packet: None)
    assert plot.plot.getViewBox().xInverted()
    assert plot.plot.getAxis("right").isVisible()
    assert not plot.plot.getAxis("left").isVisible()
    plot.apply_theme(themes.theme, themes.text("caption"), 1.0)
    picture = QImage(400, 24, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    plot.legend.resize(400, 20)
    with QPainter(picture) as painter:
        plot.legend.paint(painter)
    inked = [x for x in range(400) if any(picture.pixelColor(x, y).lightness() < 200 for y in range(24))]
    assert inked[-1] > 390
    assert inked[0] > 100


@pytest.mark.parametrize("text", ["12 345.6 %", "Job 7"])
def test_words_on_a_mirrored_picture_are_readable(themes, text):
    """Letter by letter they are those from left to right, at the mirrored place."""
    del themes
    pictures = []
    for mirrored in (False, True):
        picture = QImage(200, 30, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.white)
        with QPainter(picture) as painter:
            painter.setFont(text_font(16))
            if mirrored:
                mirror(painter, picture.rect())
            side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            write(painter, QRect(0, 0, 200, 30), text, int(side | Qt.AlignmentFlag.AlignVCenter))
        pictures.append(picture)
    assert pictures[0] == pictures[1]


def test_the_tour_goes_on_to_the_left(qtbot, themes):
    """With the key that advances time, as its button says."""
    host = QWidget()
    qtbot.addWidget(host)
    card = TourCard(host, themes, [TourStop(title, "", lambda: None) for title in ("first", "second")])
    assert card.next_button.toolTip().endswith("(Left)")
    card.begin()
    for key, title in (
        (Qt.Key.Key_Left, "second"),
        (Qt.Key.Key_Right, "first"),
        (Qt.Key.Key_PageDown, "second"),
    ):
        qtbot.keyClick(card, key)
        assert card.title.text() == title


def test_a_sentence_with_arabic_words_begins_at_the_right(qtbot, themes):
    """Names and numbers inside it keep their order, as one piece; one with Latin words alone is as it was."""
    bar = SentenceBar(Cursor(), Selection(), themes)
    qtbot.addWidget(bar)
    bar.resize(600, bar.height())
    bar.tell("تبدأ المهمة First Fit 4 × 2 الآن")
    bar.grab()
    assert [word.text for word in bar.words] == ["تبدأ", "المهمة", "First Fit 4 × 2", "الآن"]
    assert ink(bar.grab().toImage())[1] > 580
    bar.tell("Job 1 starts")
    assert ink(bar.grab().toImage())[0] < 20
    # A full stop is drawn left of the number before it, and what follows stands further left
    bar.tell("تغادر المهمة (7×3×6). 4 يخص 81.00.")
    bar.grab()
    assert [word.text for word in bar.words] == ["تغادر", "المهمة", "(7×3×6).", "4", "يخص", "81.00."]
    # A bracket belongs to the name behind it, and not to the Latin letters before
    bar.tell(Sentence("يتداخل مع b₁ (", job_name(259), ")."))
    assert [word.text for word in bar.words] == ["يتداخل", "مع", "b₁", "(", "job 259", ")."]
    assert among_arabic("81.كلمة") == "81.كلمة"
    picture = QImage(80, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    with QPainter(picture) as painter:
        painter.setFont(text_font(16))
        mirror(painter, picture.rect())
        write(painter, QRect(0, 0, 80, 30), among_arabic("111."), int(Qt.AlignmentFlag.AlignVCenter))
    first, _ = ink(picture)
    assert ink_rows(picture, first) < 4 < ink_rows(picture, ink(picture)[1] - 2), "a stop, and a digit last"


@pytest.mark.parametrize("large", [False, True], ids=["desk", "lecture"])
def test_marks_of_arabic_letters_are_drawn_whole(qtbot, themes, large):
    """Over the first line and under the second, where they reach beyond Latin letters."""
    high, low = "خطأً", "بالغٍ"
    with speaking(PSEUDO_FROM_THE_RIGHT):
        bar = SentenceBar(Cursor(), Selection(), themes)
        qtbot.addWidget(bar)
        bar.set_large(large)
        face = bar.face()
        bar.resize(QFontMetrics(face).horizontalAdvance(high) + 40, bar.height())
        bar.tell(f"{high} {low}")
        assert [word.text for word in bar.words] == [high, low]
        between = bar.words[1].rect.top() - bar.words[0].rect.top()
        seen = inked_rows(bar.grab().toImage())
    whole = QImage(bar.width(), 400, QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.white)
    with QPainter(whole) as painter:
        painter.setFont(face)
        painter.drawText(QPointF(20, 200), high)
        painter.drawText(QPointF(20, 200 + between), low)
    assert len(seen) == pytest.approx(len(inked_rows(whole)), abs=1)  # a line begins between two pixels


def test_sizes_keep_their_order_in_labels_and_pages(qtbot, themes):
    """Among Arabic words 5×1 would be drawn as 1×5; a full stop behind it is no part of it."""
    pictures = []
    for text in ("حجم 5×1.", "حجم \u20665×1\u2069.", "حجم 1×5."):
        shown = QLabel(text)
        qtbot.addWidget(shown)
        shown.resize(200, 30)
        pictures.append(shown.grab().toImage())
    assert pictures[0] == pictures[1] != pictures[2]
    assert isolated("من (0,0)–(3,7)، 8×8×8.") == "من \u2066(0,0)–(3,7)\u2069، \u20668×8×8\u2069."
    assert isolated("a 5×1 box") == "a 5×1 box"
    assert isolated("حتى 200\u00a0%، أو 99.5 %.") == "حتى \u2066200\u00a0%\u2069، أو \u206699.5 %\u2069."
    assert isolated("(+4) من −0.3\u00a0%") == "(\u2066+4\u2069) من \u2066−0.3\u00a0%\u2069"
    assert isolated("إلى 4+4") == "إلى 4+4"
    page = MarkdownView(themes)
    qtbot.addWidget(page)
    page.show_page("## شبكة 5×1\n\nحجم 5×1 و`كود 5×1` و[رابط](5×1.md)\n\n```\nكود 5×1\n```\n")
    assert page.toPlainText() == (
        "شبكة \u20665×1\u2069\nحجم \u20665×1\u2069 و\u2066كود 5×1\u2069 ورابط\nكود 5×1"
    )
    page.resize(300, 40)
    page.show()
    page.show_page("كلام\n\n" * 20 + "## شبكة 5×1\n\n" + "كلام\n\n" * 20)
    page.show_heading("شبكة 5×1")
    assert page.verticalScrollBar().value() > 0


def test_code_and_tables_keep_their_order_on_a_page_from_the_right(qtbot, themes):
    """It may begin or end with a sign; what is copied has no sign besides, so that a terminal takes it."""
    page = MarkdownView(themes)
    qtbot.addWidget(page)
    page.show_page("مع `--store DB` أو ``a`b``\n\n- `.venv/bin/`\n")
    assert page.toPlainText() == "مع \u2066--store DB\u2069 أو \u2066a`b\u2069\n\u2066.venv/bin/\u2069"
    entry = page.document().lastBlock()
    assert entry.blockFormat().layoutDirection() == RIGHT_TO_LEFT
    page.selectAll()
    copied = page.createMimeDataFromSelection()
    assert copied.text() == "مع --store DB أو a`b\n.venv/bin/"
    assert "\u2066" not in copied.html()
    page.show_page("With `--store DB`")
    assert page.toPlainText() == "With --store DB"
    # Its first column stands at the right; one without Arabic letters, and code, stay as they are
    page.show_page("| أمر | يفعل |\n|---|---|\n| `a\\|b` | كلام |\n\n```\n| أ | ب |\n```\n")
    assert cells(page) == [["يفعل", "أمر"], ["كلام", "\u2066a|b\u2069"]]
    assert "| أ | ب |" in page.toPlainText()
    page.show_page("كلام\n\n| a | b |\n|---|---|\n| 1×2 | 3 |\n")
    assert cells(page) == [["a", "b"], ["1×2", "3"]]
    # Markdown wants a backslash before a bar in the code of a cell; elsewhere it is part of the code
    page.show_page("`x\\|y`\n\n| a | b |\n|---|---|\n| `ID\\|FILE\\|DIR` c | d |\n")
    assert cells(page) == [["a", "b"], ["ID|FILE|DIR c", "d"]]
    assert page.toPlainText().startswith("x\\|y")


def cells(page: MarkdownView) -> list[list[str]]:
    """The texts of the cells of a page's table, from left to right."""
    (table,) = page.document().rootFrame().childFrames()
    assert isinstance(table, QTextTable)
    return [
        [table.cellAt(row, column).firstCursorPosition().block().text() for column in range(table.columns())]
        for row in range(table.rows())
    ]


def ink_rows(image: QImage, column: int) -> int:
    """How many rows of a column are drawn in."""
    return sum(image.pixelColor(column, row) != Qt.GlobalColor.white for row in range(image.height()))


def ink(image: QImage) -> tuple[int, int]:
    """The first and the last column in which something is drawn."""
    columns = np.flatnonzero(drawn(image).any(axis=0))
    return int(columns[0]), int(columns[-1])


def inked_rows(image: QImage) -> np.ndarray:
    """The rows in which something is drawn."""
    return np.flatnonzero(drawn(image).any(axis=1))


def drawn(image: QImage) -> np.ndarray:
    """Which pixels differ from the ground."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.array(grey.constBits()).reshape(grey.height(), grey.bytesPerLine())[:, : grey.width()]
    return rows != rows[0, 0]


@pytest.mark.parametrize("width", [400, 250])
def test_the_use_follows_the_time_though_no_word_parts_them(qtbot, themes, width):
    """Both are Latin, so that one order would run through them: 98.74 stood before the percent sign."""
    status = MeshStatus(themes)
    qtbot.addWidget(status)
    status.resize(width, 30)
    status.show_view(after_all_started((4, 4, 4), [(2, 2, 2)]).view)
    text = status.text()
    layout = QTextLayout(text, status.face())
    option = QTextOption()
    option.setTextDirection(RIGHT_TO_LEFT)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1000)
    layout.endLayout()
    time, use, percent = (line.cursorToX(text.index(sign) + 1)[0] for sign in (".", "12", "%"))
    assert time > max(use, percent)


def test_places_are_mirrored_for_one_widget_alone(qtbot, themes):
    """A widget with a direction of its own is drawn in that, not in the application's."""
    chart = ResultChart(themes)
    qtbot.addWidget(chart)
    chart.setLayoutDirection(LEFT_TO_RIGHT)
    one = ChartSeries.of("a", "", 0, np.array([1.0, 2.0]), np.array([5.0, 1.0]))
    chart.show_chart(ChartData("", "load", "time", (one,)))
    chart.resize(500, 300)
    place = QPointF(float(chart.arranged.xs(1.0)), float(chart.arranged.ys(5.0)))
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert chart.pointed_at == one.points[0]


def test_margins_and_signs_are_those_of_the_reading_direction(qtbot, themes):
    """Qt mirrors no margin: the first one is rightmost, of layouts, texts and nested fields."""
    box = QWidget()
    qtbot.addWidget(box)
    text = QLabel()
    sizing = Sizing(themes, box)
    row = sizing.row(text, on=box, margins=(12, 1, 4, 2))
    sizing.margins(text, 10, 0, 3, 0)
    px = themes.px
    assert row.contentsMargins() == QMargins(px(4), px(1), px(12), px(2))
    assert text.contentsMargins() == QMargins(px(3), 0, px(10), 0)
    group = FieldGroup({"properties": {"side": {"type": "integer", "title": "Side"}}}, ("part",), themes)
    qtbot.addWidget(group)
    [name] = [name for name in group.findChildren(QLabel) if name.text() == "Side"]
    assert name.contentsMargins() == QMargins(0, 0, px(12), 0)
    # Signs that point on or back are exchanged, those of the player too
    for name, counterpart in (("chevron-right", "chevron-left"), ("step-forward", "step-back")):
        assert tinted(name, "#000000").endswith(f"/{counterpart}.svg")
    assert tinted("play", "#000000").endswith("/play-mirrored.svg")


def test_an_arrangement_of_a_window_from_left_to_right_is_mirrored(window, qtbot):
    """What was where reading begins is there, on the right; kept and read again, it stays."""
    area = Qt.DockWidgetArea
    columns = {"columns": [{"panel": "timeline", "size": 300}, {"panel": "plots", "size": 500}]}
    for panels in (OLD_STATE, {"start": {"panel": "job"}, "end": {"panel": "algorithm"}, "bottom": columns}):
        window.moments.show({"panels": panels})
        docks = window.panels.docks
        assert window.dockWidgetArea(docks["job"]) == area.RightDockWidgetArea
        assert window.dockWidgetArea(docks["algorithm"]) == area.LeftDockWidgetArea
        kept = window.panels.save()
        window.panels.restore_state(kept)
        assert window.panels.save() == kept
    qtbot.waitUntil(lambda: docks["plots"].geometry().right() < docks["timeline"].geometry().left())


JOBS = {
    "items": {
        "properties": {"arrival": {"type": "number"}, "size": {"type": "array", "items": {"type": "integer"}}}
    }
}


def test_sizes_in_a_table_of_jobs_keep_their_order(qtbot, themes):
    """Shown they are read from the left, as 8×4×1 would be seen as 1×4×8; typed they stay as they are."""
    editor = RowTableEditor(JOBS, "jobs", themes)
    qtbot.addWidget(editor)
    editor.rows.set_rows([["0", "8×4×1"]])
    cell = editor.rows.index(0, 1)
    assert cell.data(Qt.ItemDataRole.DisplayRole) == isolated_whole("8×4×1")
    assert cell.data(Qt.ItemDataRole.EditRole) == "8×4×1"


def test_the_heading_of_the_jobs_has_room_for_its_word(qtbot, themes):
    """The column of their numbers is as wide as the word over it, in every language."""
    with speaking("ar"):
        editor = RowTableEditor(JOBS, "jobs", themes)
    qtbot.addWidget(editor)
    editor.resize(340, 200)
    with qtbot.waitExposed(editor):
        editor.show()
    assert editor.corner.width() >= editor.corner.sizeHint().width()


def test_a_slider_is_filled_from_where_it_begins(qtbot, themes):
    """At its least value nothing is coloured, at its greatest the whole of it."""
    slider = QSlider(Qt.Orientation.Horizontal)
    qtbot.addWidget(slider)
    slider.resize(120, 24)
    accent = themes.theme.colour("accent").rgb()
    filled = []
    for value in (slider.minimum(), slider.maximum()):
        slider.setValue(value)
        picture = slider.grab().toImage()
        line = [picture.pixel(x, 12) for x in range(picture.width())]
        filled.append(line.count(accent))
    assert filled[0] < 20
    assert filled[1] > 80


def test_a_text_to_select_that_begins_with_a_latin_name_begins_at_the_right(qtbot, themes):
    """The title of a published result had the names of its strategies at its end."""
    label = SelectableLabel()
    qtbot.addWidget(label)
    label.setText("WWWW \u0627\u0627")
    ink = drawn(label.grab().toImage()).any(axis=0)
    first, last = np.flatnonzero(ink)[[0, -1]]
    middle = (first + last) // 2
    assert ink[middle:last].sum() > ink[first:middle].sum()


def test_numbers_of_thousands_keep_their_order_among_arabic_letters():
    """1 108 would be seen as 108 1."""
    assert isolated("من نحو 1\u202f108 تشغيلات") == "من نحو \u20661\u202f108\u2069 تشغيلات"


def test_what_was_typed_is_quoted_whole_among_arabic_letters(qtbot, themes):
    """The part of it that is Latin would stand on the other side of the part that is a number."""
    line = ErrorLine(themes)
    qtbot.addWidget(line)
    line.say('لا يُفهم "2 4 six"')
    assert line.words.text() == 'لا يُفهم \u2066"2 4 six"\u2069'


@pytest.mark.parametrize("weight", [QFont.Weight.Normal, QFont.Weight.DemiBold])
def test_dots_under_a_last_letter_are_seen(qtbot, themes, weight):
    """Without them the word is another one; Latin letters beside it stand on the same line."""
    with speaking(PSEUDO_FROM_THE_RIGHT):
        label = ElidedLabel(themes, weight=weight)
        qtbot.addWidget(label)
        label.setText("في")
        face = label.face()
        label.resize(100, label.height())
        seen = inked_rows(label.grab().toImage())
    whole = QImage(100, 100, QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.white)
    with QPainter(whole) as painter:
        painter.setFont(face)
        painter.drawText(QPointF(20, 50), "في")
    drawn = inked_rows(whole)
    assert len(seen) == len(drawn)


def test_lines_that_always_have_room_have_it_for_letters_of_every_face(qtbot, themes):
    """The second line of what an Arabic packet waits for was not to be seen."""
    with speaking(PSEUDO_FROM_THE_RIGHT):
        card = PacketCard(Cursor(), Selection(), themes)
        qtbot.addWidget(card)
        card.state.setText("تنتظر عند المعالج\nمنذ دورة")
        needed = card.state.heightForWidth(400)
    assert card.state.height() >= needed


@pytest.mark.usefixtures("themes")
def test_what_is_typed_stands_on_one_line_in_every_script(qtbot):
    """Arabic letters stood five pixels higher in their field than Latin ones, and in one as high."""
    with speaking(PSEUDO_FROM_THE_RIGHT):
        line = QLineEdit()
        line.setFont(text_font(13))
        qtbot.addWidget(line)
        line.resize(200, line.sizeHint().height())
        feet, black = {}, QImage.Format.Format_Mono  # without the pale edges of letters
        for letters in ("HHH", "\u0627\u0627\u0627", "H\u0627"):
            line.setText(letters)
            line.setCursorPosition(0)
            inside = line.rect().adjusted(4, 4, -4, -4)
            feet[letters] = int(inked_rows(line.grab(inside).toImage().convertToFormat(black))[-1])
            assert line.sizeHint().height() == line.height()
    assert len(set(feet.values())) == 1


def test_menus_are_in_their_bar_again_after_presenting_and_behind_their_button_where_they_are_cut(
    make_window, qtbot, themes
):
    """The window is narrower at the desk than on the projector; letters may be too large for the bar."""
    window = make_window()
    bar, menus = window.toolbar, window.menuBar()
    settle(window, qtbot)
    bar.present(True)
    window.resize(window.width() - 100, window.height())
    settle(window, qtbot)
    bar.present(False)
    assert menus.isVisible()
    assert not bar.menu_button.isVisible()
    themes.set_scale(2.5)
    window.resize(960, window.height())
    settle(window, qtbot)
    assert not menus.isVisible()
    assert bar.menu_button.isVisible()
