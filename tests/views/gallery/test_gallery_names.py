"""The gallery names papers and results as readers know them: their ids are for files and the command line."""

import re
from collections.abc import Iterator

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.judging import judge
from meshgui.model.published_tables import table_of
from meshgui.views.exporting.exportable import pictures_of, tables_of
from meshgui.views.gallery.setting_section import SettingSection
from tests.views.window.untranslated import texts_of

CATALOGUE = catalogue()
# The id of a paper or an entry, and no thousand, time or share.
ID = re.compile(r"(?<!\d[ .,\u202f])(?<![\w.,-])00[0-4](-[A-Z]\w*)?\b(?![.,]\d)")


WHOLE_PAPER = "Bani-Ahmad, bounded partitioning, §V A"


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
        texts = [text for _owner, text in texts_of(whole_gallery)]
        texts += [whole_gallery.windowTitle(), *said_beside_widgets(whole_gallery.page)]
        seen += len(texts)
        assert ids_in(texts) == [], name
    assert seen > 1000


def test_no_two_results_are_called_alike():
    """Neither entries nor the settings of one: they are told apart by their names alone."""
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
        ("003", (WHOLE_PAPER, f"{WHOLE_PAPER}, figures 8 to 14")),
    ],
)
def test_a_table_for_files_begins_with_readers_names(name, first):
    """Its first columns say which paper and where; so do the tables of results that are a whole paper."""
    entry = CATALOGUE[name]
    row = next(iter(table_of(entry, judge(entry, {}), "").rows))
    assert tuple(row[:2]) == first
