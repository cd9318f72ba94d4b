"""Going from one entry to another: the page has what the one chosen has, and nothing of the other."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from meshgui.catalogue.entries import CatalogueEntry, catalogue
from meshgui.catalogue.judging import judge
from meshgui.model.studies.published_tables import table_of
from meshgui.views.exporting.exportable import pictures_of, tables_of
from meshgui.views.gallery.entry_list import EntryList
from meshgui.views.gallery.setting_section import SettingSection
from meshgui.views.gallery.worker import EntryResults
from tests.views.conftest import handle_events
from tests.views.gallery.conftest import small_entry
from tests.views.window.untranslated import texts_of


def entry_of(count: int) -> CatalogueEntry:
    """An entry with this number of settings of one number each."""
    entry = small_entry(f"000-S{count}")
    large = entry.settings["large"]
    names = [f"set{place}" for place in range(count)]
    return replace(entry, settings={name: replace(large, name=name, what=f"6×6, {name}") for name in names})


def in_sight(view) -> bool:
    """Whether the whole row chosen is seen."""
    return view.viewport().rect().contains(view.visualRect(view.currentIndex()))


@pytest.fixture
def long_list(themes, qtbot):
    """A list of forty entries, the one at the lower edge chosen."""
    shown = EntryList(themes)
    qtbot.addWidget(shown)
    entries = [replace(small_entry(), id=f"000-L{place}") for place in range(40)]
    shown.fill(EntryResults(entry, judge(entry, {})) for entry in entries)
    shown.resize(320, 700)
    with qtbot.waitExposed(shown):
        shown.show()
    view = shown.list
    ends = [view.visualRect(view.model().index(row, 0)).bottom() for row in range(view.count())]
    view.setCurrentRow(sum(end < view.viewport().height() for end in ends) - 1)
    return shown


def test_titles_are_wrapped_and_no_row_is_sliced(long_list, qtbot):
    """A narrower list has higher rows; where one would be cut at its end, nothing is drawn of it."""
    view, index = long_list.list, long_list.list.model().index(0, 0)
    high = view.visualRect(index).height()
    long_list.resize(120, 700)
    handle_events()
    assert view.visualRect(index).height() > high
    view.scrollToTop()
    rows = [view.visualRect(view.model().index(row, 0)) for row in range(view.count())]
    end = view.viewport().height()
    whole = [row for row in rows if row.bottom() < end]
    assert rows[0].top() == 0
    assert rows[len(whole)].top() < end - 1
    picture = view.viewport().grab().toImage()
    below = range(rows[len(whole)].top(), picture.height())
    assert len({picture.pixel(x, y) for y in below for x in range(picture.width())}) == 1
    assert len({picture.pixel(x, whole[-1].center().y()) for x in range(picture.width())}) > 1
    # Nor is it there for the pointer
    sliced = rows[len(whole)]
    for row, chosen in ((whole[-1], len(whole) - 1), (sliced, len(whole) - 1), (whole[0], 0)):
        point = QPoint(row.center().x(), row.top() + 1)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert view.currentRow() == chosen


def test_a_number_that_is_typed_finds_the_table_of_that_number(themes, qtbot):
    """Any word is found, a whole one first; typed again, the next; what no title has leaves the row."""
    shown = EntryList(themes)
    qtbot.addWidget(shown)
    shown.fill(EntryResults(entry, judge(entry, {})) for entry in CATALOGUE.values())
    names = [*CATALOGUE]
    typings = ("3.2", "T3.2"), ("table 3", "T3.2"), ("table", "T4.2"), ("€", "T4.2"), ("6", "S")
    interval = QApplication.keyboardInputInterval()
    try:
        for typed, found in typings:
            QApplication.setKeyboardInputInterval(0)
            shown.list.keyboardSearch(typed[0])
            QApplication.setKeyboardInputInterval(10**9)
            for letter in typed[1:]:
                shown.list.keyboardSearch(letter)
            assert names[shown.list.currentRow()] == f"000-{found}", typed
    finally:
        QApplication.setKeyboardInputInterval(interval)


def seen(page) -> list[str]:
    """The settings in sight or below it, from the top."""
    return [section.what.text() for section in page.settings if section.isVisible()]


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_a_shorter_entry_has_nothing_of_a_longer_one(gallery, qtbot, count):
    """At once and when all is shown only its own settings stand there."""
    long, short = (EntryResults(entry, judge(entry, {})) for entry in (entry_of(7), entry_of(count)))
    gallery.page.show_results(long, running=False)
    qtbot.waitUntil(lambda: len(seen(gallery.page)) == 7)
    gallery.page.show_results(short, running=False)
    own = [f"6×6, set{place}" for place in range(count)]
    assert seen(gallery.page) == own[:4]
    qtbot.waitUntil(lambda: seen(gallery.page) == own)


@pytest.mark.parametrize("heights", [(400,), (640, 500, 300), (400, 900)])
def test_the_row_chosen_stays_in_sight_after_a_resize(long_list, qtbot, heights):
    """However much lower the window becomes, at once or step by step."""
    assert in_sight(long_list.list)
    for height in heights:
        long_list.resize(320, height)
        handle_events()
        assert long_list.height() == height
        qtbot.waitUntil(lambda: in_sight(long_list.list))


def test_a_resize_brings_no_row_back_that_was_scrolled_away(long_list):
    """What is looked at stays where it is."""
    bar = long_list.list.verticalScrollBar()
    bar.setValue(bar.maximum() - 10)
    assert not in_sight(long_list.list)
    before = bar.value()
    long_list.resize(320, 600)
    handle_events()
    assert (long_list.height(), bar.value()) == (600, before)


def test_at_lecture_scale_figures_get_the_room_no_verdict_fills(gallery, themes, qtbot):
    """No verdict is cut for it, the table is no wider, and no figure's end is cut while such room is left."""
    qtbot.waitUntil(lambda: len(gallery.page.shown) == 2)
    themes.set_scale(1.4)
    gallery.resize(1100, 800)
    handle_events()
    table = gallery.page.shown[0].table
    advance = QFontMetrics(themes.text()).horizontalAdvance
    rows = range(table.rows.rowCount())
    figure = max(advance(table.rows.cell(row, 0).text) for row in rows) + themes.px(20)
    least = max(advance("not run"), advance("Verdict")) + themes.px(38)

    def room_is_given():
        widths = [table.columnWidth(column) for column in range(6)]
        assert sum(widths) <= table.room
        assert {table.shown(row, 4) for row in rows} == {"not run"}
        assert widths[0] >= figure or widths[4] <= least
        assert widths[4] < advance("reproduced, not precise")

    qtbot.waitUntil(room_is_given)
    themes.set_scale(1.0)


CATALOGUE = catalogue()
# The id of a paper or an entry, and no thousand, time or share.
ID = re.compile(r"(?<!\d[ .,\u202f])(?<![\w.,-])00[0-4](-[A-Z]\w*)?\b(?![.,]\d)")


WHOLE_PAPER = "Bani-Ahmad, bounded partitioning, §V"


def ids_in(texts) -> list[str]:
    """Those texts that have an id."""
    return sorted({text for text in texts if ID.search(text)})


def said_beside_widgets(page) -> Iterator[str]:
    """What charts paint, and what tables and pictures are called and hold."""
    tables = list(page.tables())
    for section in page.settings:
        assert isinstance(section, SettingSection)
        tables += tables_of(section.table)
        yield repr(section.chart.chart)
        yield from (picture.title for picture in pictures_of(section.chart))
    for table in tables:
        yield from (table.title, *(str(cell) for row in table.rows for cell in row))


@pytest.fixture
def whole_gallery(make_gallery, monkeypatch):
    """A gallery of all entries."""
    monkeypatch.setattr("meshgui.views.gallery.window.catalogue", lambda: CATALOGUE)  # after its own few
    return make_gallery()


def test_nothing_that_is_seen_has_an_id(qtbot, whole_gallery):
    """Widgets, lists, tips and menus, charts, tables and the names offered for files, entry by entry."""
    seen = 0
    for name, entry in CATALOGUE.items():
        whole_gallery.list.choose(name)
        many = len({number.setting for number in judge(entry, {})})
        qtbot.waitUntil(lambda many=many: len(whole_gallery.page.shown) == many)
        whole_gallery.page.export_menu.aboutToShow.emit()
        texts = [text for _owner, text in texts_of(whole_gallery, hidden_too=True)]
        texts += [whole_gallery.windowTitle(), *said_beside_widgets(whole_gallery.page)]
        seen += len(texts)
        assert ids_in(texts) == [], name
    assert seen > 1000


def test_no_two_results_are_called_alike():
    """Neither entries nor the settings of one: they differ by their names alone."""
    names = [entry.readers_name for entry in CATALOGUE.values()]
    assert len(set(names)) == len(names)
    for entry in CATALOGUE.values():
        settings = [setting.readers_name for setting in entry.settings.values()]
        assert len(set(settings)) == len(settings)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("000-T3.2", ("Bani-Mohammad 2008, table 3.2", "8×8×8, uniform, 5.8")),
        ("001-T2", ("Lo et al. 1994, §4.2, table 2", "all-to-all")),
        ("003", (WHOLE_PAPER, f"{WHOLE_PAPER} A, figures 8 to 15")),
    ],
)
def test_a_table_for_files_begins_with_readers_names(name, first):
    """Its first columns say which paper and where; so do the tables of results that are a whole paper."""
    entry = CATALOGUE[name]
    row = next(iter(table_of(entry, judge(entry, {}), "").rows))
    assert tuple(row[:2]) == first
