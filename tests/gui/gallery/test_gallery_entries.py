"""Going from one entry to another: the page has what the one chosen has, and nothing of the other."""

from dataclasses import replace

import pytest

from meshgui.engine.judging import judge
from meshgui.engine.papers import Entry
from meshgui.views.gallery_thread import Standing
from tests.gui.gallery.conftest import small_entry


def entry_of(count: int) -> Entry:
    """An entry of so many settings of one number each."""
    entry = small_entry(f"000-S{count}")
    large = entry.settings["large"]
    names = [f"set{place}" for place in range(count)]
    return replace(entry, settings={name: replace(large, name=name, what=f"6×6, {name}") for name in names})


def seen(page) -> list[str]:
    """The settings in sight or below it, from the top."""
    return [section.what.text() for section in page.settings if section.isVisible()]


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_a_shorter_entry_has_nothing_of_a_longer_one(gallery, qtbot, count):
    """At once and when all is shown only its own settings stand there."""
    long, short = (Standing(entry, judge(entry, {})) for entry in (entry_of(7), entry_of(count)))
    gallery.page.show_standing(long, running=False)
    qtbot.waitUntil(lambda: len(seen(gallery.page)) == 7)
    gallery.page.show_standing(short, running=False)
    own = [f"6×6, set{place}" for place in range(count)]
    assert seen(gallery.page) == own[:4]
    qtbot.waitUntil(lambda: seen(gallery.page) == own)
