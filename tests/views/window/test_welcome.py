"""The welcome page: what it lists, and that everything on it can be opened by mouse and by key."""

from itertools import product

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QFont, QFontMetrics, QImage, QImageReader
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QScrollArea, QWidget

from meshgui.engine.scenario import load_scenario
from meshgui.itself import resource
from meshgui.model.base.named import ids_in, named
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import SUFFIX, DocumentState
from meshgui.model.document.example_moments import pictured_time
from meshgui.model.document.examples import example, example_groups, examples
from meshgui.model.document.shipped import PICTURED
from meshgui.model.fields.names import strategy_name
from meshgui.views.window.scenario_entry import ExampleCard, ScenarioEntry, ScenarioSummary
from meshgui.views.window.welcome import Welcome
from tests.views.conftest import handle_events
from tests.views.window.conftest import open_and_run, picture, settle, wait_for_run


@pytest.fixture
def recent(tmp_path):
    """No files yet."""
    return RecentFiles(tmp_path / "state")


@pytest.fixture
def page(qtbot, recent, themes):
    """The page on a small laptop."""
    made = Welcome(recent, themes)
    qtbot.addWidget(made)
    made.resize(1280, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


def entry(page, title):
    """The entry of that name."""
    return next(e for e in page.findChildren(ScenarioEntry) if e.summary.title == title and not e.isHidden())


def listed(page):
    """The names of all entries in sight."""
    return [e.summary.title for e in page.findChildren(ScenarioEntry) if not e.isHidden()]


@pytest.mark.parametrize("offered", [True, False])
def test_it_is_made_at_its_first_sight(qtbot, recent, themes, offered):
    """A window on a scenario does not wait for it; what was offered before is there."""
    page = Welcome(recent, themes)
    qtbot.addWidget(page)
    page.offer_back(offered=offered)
    assert page.findChildren(QWidget) == []
    with qtbot.waitExposed(page):
        page.show()
    assert page.back_button.isVisible() == offered


def test_every_example_is_listed_with_what_it_is(page, qtbot):
    """Title, notes, mesh and strategy come from the file, its full name once the window is painted."""
    cards = page.findChildren(ExampleCard)
    handle_events()
    assert not any(ids_in(card.summary.facts) for card in cards)
    page.name_strategies()
    qtbot.waitUntil(lambda: all(ids_in(card.summary.facts) for card in cards))
    for path in examples():
        scenario = load_scenario(path)
        words = entry(page, scenario.title).summary
        assert words.about == scenario.notes
        assert words.facts == f"{scenario.machine.describe()} · {strategy_name(scenario.allocator.name)}"
    # One heading stands after the other, each above its own
    labels = {label.text(): label for label in page.findChildren(QLabel)}
    tops = []
    for group, paths in example_groups().items():
        found = [labels[group], *(entry(page, load_scenario(path).title) for path in paths)]
        tops += [widget.mapTo(page, widget.rect().topLeft()).y() for widget in found]
    assert tops == sorted(tops)
    assert len(set(tops)) > len(tops) / 4  # so many stand side by side


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_example_has_a_picture(theme):
    """In both themes, with more than one colour."""
    for path in examples():
        picture = QImage(str(resource("welcome", f"{path.name.removesuffix(SUFFIX)}-{theme}.png")))
        assert not picture.isNull(), path
        assert len({picture.pixel(x, picture.height() // 2) for x in range(picture.width())}) > 4, path


def test_the_window_has_the_strategies_named_once_it_is_painted(window, qtbot):
    """Until then their files would be read for nothing that is seen."""
    qtbot.waitUntil(lambda: all(ids_in(card.summary.facts) for card in window.findChildren(ExampleCard)))


def test_every_card_opens_what_it_shows(window, qtbot):
    """At the time of its picture, with something to see, and the network in front where there is one."""
    for path in examples():
        window.commands.trigger("file.close-scenario")
        title = load_scenario(path).title
        handle_events()
        card = next(card for card in window.findChildren(ExampleCard) if card.summary.title == title)
        window.welcome.findChild(QScrollArea).ensureWidgetVisible(card)
        handle_events()
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
        cursor = window.time_cursor
        qtbot.waitUntil(
            lambda cursor=cursor, title=title: (
                (run := cursor.recording) is not None
                and run.over
                and run.scenario is window.document.scenario
                and run.scenario.title == title
                and cursor.time > 0
            )
        )
        assert cursor.time == pictured_time(cursor.recording), title
        view = cursor.view
        now = view.network_now
        assert len(view.snapshot.running if now is None else now[1].packets), title
        for theme in ("light", "dark"):
            file = str(resource("welcome", f"{path.name.removesuffix(SUFFIX)}-{theme}.png"))
            assert float(QImageReader(file).text(PICTURED)) == cursor.time, title
        assert window.panels.in_front("network") == (cursor.recording.network is not None), title
        assert not window.document.modified, title


@pytest.mark.parametrize("by_dialog", [True, False])
def test_a_shipped_file_opens_as_its_card_does(window, qtbot, tmp_path, monkeypatch, by_dialog):
    """Chosen in the dialog, or named on the command line; a copy is the user's, and opens at the start."""
    path = example("first-fit-16x16")
    copied = tmp_path / path.name
    copied.write_bytes(path.read_bytes())
    for file in (path, copied):
        if by_dialog:
            monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, file=file: (str(file), ""))
            window.trigger("file.open")
        else:
            window.files.take(DocumentState.read(file))
        wait_for_run(window, qtbot)
        cursor = window.time_cursor
        assert cursor.time == (pictured_time(cursor.recording) if file is path else 0.0)
        assert window.document.path == file
        assert not window.document.modified


def test_an_example_opens_alike_from_its_card_the_title_and_the_palette(window, qtbot):
    """At the time that its picture shows."""

    def opened(title):
        qtbot.waitUntil(lambda: window.document.scenario is not None and window.document.title == title)
        wait_for_run(window, qtbot)
        qtbot.waitUntil(lambda: window.time_cursor.time == pictured_time(window.time_cursor.recording))
        assert window.time_cursor.time

    card = next(card for card in window.findChildren(ExampleCard) if card.summary.title == "Two packets meet")
    card.click()
    opened("Two packets meet")
    window.title.open()
    window.title.popup.search.setText("A chain of waiting packets")
    qtbot.keyClick(window.title.popup.search, Qt.Key.Key_Return)
    opened("A chain of waiting packets")
    window.palette_sheet.open()
    window.palette_sheet.search.setText("Two packets meet")
    qtbot.keyClick(window.palette_sheet.search, Qt.Key.Key_Return)
    opened("Two packets meet")


@pytest.mark.parametrize("width", [1100, 560, 330])
def test_pictures_use_the_width_there_is(page, width):
    """Several in a row where there is room."""
    page.resize(width, 640)
    handle_events()
    scroll = page.findChild(QScrollArea)
    assert scroll.widget().width() <= scroll.viewport().width()
    cards = page.findChildren(ExampleCard)
    in_first_row = sum(card.y() == cards[0].y() for card in cards[:6])
    assert in_first_row == {1100: 4, 560: 2, 330: 1}[width]


def test_a_click_opens_an_example_and_the_buttons_ask(page, qtbot):
    """The example's file is named."""
    first = page.findChildren(ScenarioEntry)[0]
    with qtbot.waitSignal(page.open_example) as opened:
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert opened.args == [examples()[0]]
    # Opening and making a scenario are the window's to do
    with qtbot.waitSignal(page.open_requested):
        qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(page.new_requested):
        qtbot.mouseClick(page.new_button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("width", "rows"), [(1280, 1), (560, 3)])
def test_the_way_back_stands_with_the_other_buttons(page, qtbot, width, rows):
    """In their row, or where all do not fit in one, in rows below each other; none is cut."""
    page.resize(width, 640)
    page.offer_back(offered=True)
    buttons = (page.open_button, page.new_button, page.tour_button, page.lessons_button, page.back_button)
    qtbot.waitUntil(lambda: len({button.mapTo(page, QPoint(0, 0)).y() for button in buttons}) == rows)
    assert all(button.width() >= button.sizeHint().width() for button in buttons)


def test_a_click_leaves_no_frame_of_focus(page, qtbot):
    """On no button and on no card: it is for those who go on with the keys."""
    page.offer_back(offered=True)
    buttons = (page.tour_button, page.lessons_button, page.new_button, page.open_button, page.back_button)
    for clicked in (*buttons, page.findChildren(ExampleCard)[0]):
        qtbot.mouseClick(clicked, Qt.MouseButton.LeftButton)
        assert page.focusWidget() is not clicked
    qtbot.keyClick(page, Qt.Key.Key_Tab)
    assert page.focusWidget() in buttons


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_keys_open_an_example(page, qtbot, key):
    """Return and the space bar do what a click does."""
    card = page.findChildren(ScenarioEntry)[2]
    with qtbot.waitSignal(page.open_example) as opened:
        qtbot.keyClick(card, key)
    assert opened.args == [examples()[2]]


def test_files_opened_while_it_stands_are_listed(page, recent, tmp_path, qtbot):
    """A file appears when it is opened, without its ending, and a click opens it again."""
    heading = next(label for label in page.findChildren(QLabel) if label.text() == "Recent")
    assert not heading.isVisible()
    path = tmp_path / "lecture.meshgui.json"
    path.touch()
    recent.add(path)
    assert heading.isVisible()
    qtbot.waitUntil(lambda: "lecture" in listed(page))
    with qtbot.waitSignal(page.open_recent) as opened:
        qtbot.mouseClick(entry(page, "lecture"), Qt.MouseButton.LeftButton)
    assert opened.args == [path]
    recent.add(path, "My lecture")  # its title as it was opened: the page reads no file for it
    qtbot.waitUntil(lambda: "My lecture" in listed(page))
    assert entry(page, "My lecture").summary.about.endswith("lecture.meshgui.json")


def test_an_example_that_cannot_be_read_says_why_and_a_page_that_is_gone_hears_nothing(
    monkeypatch, tmp_path, qtbot, recent, themes
):
    """One broken file leaves the page standing."""
    broken = tmp_path / "broken.meshgui.json"
    broken.write_text("{")
    monkeypatch.setattr("meshgui.views.window.welcome.example_groups", lambda: {"Broken": [broken]})
    page = Welcome(recent, themes)
    qtbot.addWidget(page)
    page.show()
    assert "expected JSON" in entry(page, "broken").summary.about
    # A page that is gone hears nothing: the list of files outlives the page that showed it
    page = Welcome(recent, themes)
    page.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(page))
    path = tmp_path / "later.meshgui.json"
    path.touch()
    recent.add(path)
    assert recent.paths() == [path]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_name_longer_than_three_lines_has_an_ellipsis(page, recent, themes, tmp_path, mode, qtbot):
    """A name that does not fit makes nothing wider; its tool tip has the whole path."""
    themes.set_mode(mode)
    path = tmp_path / ("a-name-" * 30 + ".meshgui.json")
    path.touch()
    before = page._body.width()
    recent.add(path)
    handle_events()
    long = entry(page, "a-name-" * 30)
    assert page._body.width() == before
    assert long.geometry().right() <= page._body.width()
    assert long.toolTip() == str(path)
    assert "…" in long._title_in(long.width())[0]
    assert long.height() < 5 * QFontMetrics(themes.text("body")).lineSpacing() + 2 * 12
    page.grab()


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_it_fits_a_small_screen(page, themes, scale, qtbot):
    """On 1280×720, with room for a bar above, nothing has to be scrolled sideways and the buttons show."""
    themes.set_scale(scale)
    handle_events()
    scroll = page.findChild(QScrollArea)
    assert scroll.widget().width() <= scroll.viewport().width()
    assert page.open_button.visibleRegion().boundingRect().height() == page.open_button.height()
    themes.set_scale(1.0)


def shown(window):
    """The panels beside the middle of the window."""
    return {name for name, dock in window.panels.docks.items() if dock.isVisible()}


def test_it_has_the_window_for_itself_until_a_scenario_is_opened(window, qtbot):
    """No panel says beside it that there is nothing yet, and no key brings one; each scenario has its own."""
    panel_keys = ("panel.fold", "panel.queue", "panel.next", "panel.reset")
    for name, panel in (("three-jobs-4x4x4", "notes"), ("two-packets-meet-6x4", "network")):
        assert shown(window) == set()
        assert not any(window.commands.action(key).isEnabled() for key in panel_keys)
        open_and_run(window, qtbot, name)
        assert {"queue", "algorithm", "timeline", panel} <= shown(window)
        assert all(window.commands.action(key).isEnabled() for key in panel_keys)
        # Over a scenario it hides the panels likewise, and they come back as they were
        settle(window, qtbot)
        before = picture(window)
        window.show_welcome()
        assert shown(window) == set()
        window.show_welcome()
        settle(window, qtbot)
        assert picture(window) == before
        window.commands.trigger("file.close-scenario")
        qtbot.waitUntil(window.welcome.isVisible)


def test_a_notice_covers_none_of_it(window):
    """What was left unsaved is offered at the start, below the pictures, which end above it."""
    pictures = window.centre.welcome.findChild(QScrollArea).viewport()
    before = pictures.height()
    window.notice.tell("The program ended before changes were saved: “TBL under load”.", lasting=True)
    handle_events()
    assert pictures.mapTo(window, pictures.rect().bottomLeft()).y() < window.notice.y()
    assert window.notice.geometry().bottom() < window.sentence.mapTo(window, QPoint()).y()
    window.notice.dismiss()
    handle_events()
    assert pictures.height() == before


def test_what_was_arranged_is_kept_while_it_stands(window, qtbot, make_window):
    """A window that is closed on it has its panels again the next time, as the user left them."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.panels.docks["inspector"].hide()
    before = shown(window)
    window.show_welcome()
    window.close()
    again = make_window()
    assert shown(again) == set()
    open_and_run(again, qtbot, "three-jobs-4x4x4")
    assert shown(again) == before


def test_panels_without_room_are_folded_when_they_come(window, qtbot, themes):
    """In large letters the first scenario leaves the window as it is."""
    window.resize(960, 600)
    themes.set_scale(2.5)
    settle(window, qtbot)
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    settle(window, qtbot)
    assert picture(window) == {}
    assert window.size().toTuple() == (960, 600)


@pytest.mark.parametrize("width", [960, 1366, 1920])
def test_the_grid_fills_the_page(page, width):
    """The pictures of a row end where the row does, larger where there is room but none for another."""
    page.resize(width, 640)
    handle_events()
    cards = page.findChildren(ExampleCard)
    grid, row = cards[0].parentWidget(), [card for card in cards[:12] if card.y() == cards[0].y()]
    assert len({card.size().toTuple() for card in row}) <= 2  # a pixel that was left over
    assert row[-1].geometry().right() == grid.rect().right()
    assert grid.width() > 0.9 * width


@pytest.mark.parametrize("width", [944, 1366, 1600])
def test_files_opened_last_stand_above_the_examples_with_their_names_whole(page, recent, tmp_path, width):
    """In the columns of the pictures; a long name takes further lines."""
    names = "second-lecture", "a-long-name-of-a-scenario-for-the-second-lecture"
    for name in names:
        path = tmp_path / f"{name}.meshgui.json"
        path.touch()
        recent.add(path)
    page.resize(width, 640)
    handle_events()
    cards = [entry(page, name) for name in names]
    example = page.findChildren(ExampleCard)[0]
    for card in cards:
        assert card._title_in(card.width())[0] == card.summary.title
        assert card.height() >= card.heightForWidth(card.width())
        assert abs(card.width() - example.width()) <= 1
        assert card.mapTo(page, QPoint(0, card.height())).y() < example.mapTo(page, QPoint(0, 0)).y()


@pytest.mark.parametrize("width", [944, 960, 1366, 1600, 1920])
def test_the_words_of_every_card_are_whole_and_those_of_a_row_level(page, themes, width):
    """A card is as high as its picture and its words need, also where it is a pixel wider than others."""
    page.resize(width, 640)
    handle_events()
    cards = page.findChildren(ExampleCard)
    short = [card.summary.title for card in cards if card.height() < card.heightForWidth(card.width())]
    assert short == []
    for card in cards:
        row = [other for other in cards if other.parent() is card.parent() and other.y() == card.y()]
        assert len({other.lines[0].top() for other in row}) == 1
        title, facts = card.lines
        beside = title.adjusted(0, 0, -18, 0)  # the chevron
        metrics = QFontMetrics(themes.text("body", QFont.Weight.DemiBold))
        whole = metrics.boundingRect(beside, Qt.TextFlag.TextWordWrap, card.summary.title)
        assert beside.contains(whole)
        assert title.bottom() < facts.top()
        assert facts.bottom() <= card.height() - 12


def test_a_card_without_room_for_all_facts_shows_the_name_whole(qtbot, themes):
    """What the mesh is like says its picture, too."""
    name = named("Greedy Available Busy List", "gabl")
    card = ExampleCard("gabl-16x16", ScenarioSummary("GABL", "", "16×16"), themes)
    qtbot.addWidget(card)
    card.add_fact(name)
    shown = set()
    for width in range(160, 400, 10):
        card.resize(width, card.heightForWidth(width))
        shown.add(card.facts_shown)
        room, metrics = card.lines[1].width(), QFontMetrics(themes.text("caption"))
        assert card.facts_shown == name or metrics.horizontalAdvance(card.facts_shown) <= room
    assert shown == {name, f"16×16 · {name}"}


def ink_in(image, place):
    """How many pixels of a place differ from the ground beside it."""
    ground = image.pixel(place.left() - 1, place.top())
    points = product(range(place.left(), place.right()), range(place.top(), place.bottom()))
    return sum(image.pixel(x, y) != ground for x, y in points)


def test_a_card_that_is_a_button_says_so_and_one_that_is_not_does_not(window, qtbot):
    """A chevron stands at the end of each, the hand points over it, and it is a button for screen readers."""
    window.recent.add(examples()[0])
    handle_events()
    entries = [e for e in window.centre.welcome.findChildren(ScenarioEntry) if e.isVisible()]
    cards = [e for e in entries if isinstance(e, ExampleCard)]
    assert len(cards) > 10
    for entry in entries:
        assert entry.cursor().shape() == Qt.CursorShape.PointingHandCursor
        assert QAccessible.queryAccessibleInterface(entry).role() == QAccessible.Role.Button
        assert entry.accessibleName()
    for card in cards[:3]:
        first, _ = card.lines
        end = QRect(first.right() - 14, first.top(), 14, first.height())
        assert ink_in(card.grab().toImage(), end) > 8
    # What only says something has no hand and is no button
    window.notice.tell("The disk is full.")
    window.jobs.request_card.open()
    handle_events()
    for plain in (
        window.notice,
        *window.notice.findChildren(QFrame, "notice"),
        window.jobs.request_card.card,
    ):
        assert plain.cursor().shape() != Qt.CursorShape.PointingHandCursor
        assert QAccessible.queryAccessibleInterface(plain).role() != QAccessible.Role.Button
    window.jobs.request_card.dismiss()
