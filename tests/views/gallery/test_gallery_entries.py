"""Going from one entry to another: the page has what the one chosen has, and nothing of the other."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import judge
from meshgui.views.gallery.entry_list import EntryList
from meshgui.views.gallery.worker import EntryResults
from tests.views.gallery.conftest import small_entry


def entry_of(count: int) -> CatalogueEntry:
    """An entry of so many settings of one number each."""
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
    view.setCurrentIndex(view.indexAt(view.viewport().rect().bottomLeft()))
    return shown


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
        QApplication.processEvents()
        assert long_list.height() == height
        qtbot.waitUntil(lambda: in_sight(long_list.list))


def test_a_resize_brings_no_row_back_that_was_scrolled_away(long_list):
    """What is looked at stays where it is."""
    bar = long_list.list.verticalScrollBar()
    bar.setValue(bar.maximum() - 10)
    assert not in_sight(long_list.list)
    before = bar.value()
    long_list.resize(320, 600)
    QApplication.processEvents()
    assert (long_list.height(), bar.value()) == (600, before)


def test_at_lecture_scale_figures_get_the_room_no_verdict_fills(gallery, themes, qtbot):
    """No verdict is cut for it, the table is no wider, and no figure's end is cut while such room is left."""
    qtbot.waitUntil(lambda: len(gallery.page.shown) == 2)
    themes.set_scale(1.4)
    gallery.resize(1100, 800)
    QApplication.processEvents()
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
