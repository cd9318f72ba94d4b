"""No row, label or button is cut in the panels of examples, at the desk, on laptops and in a lecture.

test_room_in_languages measures the panels once more in each language.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QScrollArea, QToolButton

from meshgui.engine.basics.translation import ENGLISH, language
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import examples
from meshgui.model.exercises.exercise import KINDS, ExerciseKey
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import suited
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.views.commands.shortcuts_sheet import ShortcutSheet
from meshgui.views.docks.perspectives import LESSON
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.gallery.window import GalleryWindow
from meshgui.views.style.application import qt_application
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.measuring import cuts_in
from tests.views.window.conftest import at_a_desk, open_and_run, settle, wait_for_panels

application = qt_application()  # laid out as its language is read
pytestmark = at_a_desk
DESKS = ((1600, 1000), (1366, 768), (960, 600))
PROJECTOR = (1920, 1080)
JOINER = "\N{ZERO WIDTH JOINER}"  # which Qt puts where it cuts an Arabic word


@pytest.fixture
def unpainted(window, monkeypatch) -> MainWindow:
    """A window whose panels have been made, and that is laid out but not painted: that takes most time."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(*PROJECTOR))
    for name in window.panels.docks:
        window.panels.part(name)
    window.setUpdatesEnabled(False)
    monkeypatch.setattr(type(window), "setUpdatesEnabled", lambda *_: None)
    return window


def measured() -> list[Path]:
    """All examples; in other languages, where only words differ, one of each kind."""
    if language() == ENGLISH:
        return examples()
    kinds = dict[tuple[object, ...], Path]()
    for path in examples():
        scenario = load_scenario(path)
        kind = scenario.allocator.name, scenario.network is None, scenario.reliability is None
        kinds.setdefault(kind, path)
    return list(kinds.values())


def opened_a_third_in(window, qtbot, group: str) -> Iterator[Path]:
    """Each example of a group, in the arrangement that it opens in, a third into its run."""
    for path in measured()[group == "second" :: 2]:
        assert window.files.open(path, as_example=True)
        qtbot.waitUntil(
            lambda: (
                (run := window.time_cursor.recording) is not None
                and run.over
                and run.scenario is window.document.scenario
            )
        )
        window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
        yield path


def cut_in_panels(window, qtbot) -> set[str]:
    """What is cut, with each other panel brought to the front once, also one that is hidden."""
    settle(window, qtbot)
    found = set(cuts_in(window))
    panels, before = window.panels, window.panels.save()
    for name, spec in panels.specs.items():
        has_part = name != LESSON and (panels.network or not spec.needs_network)
        if has_part and not panels.is_shown(name):
            panels.show(name)
            settle(window, qtbot)
            found.update(cuts_in(window))
            if panels.presenting:
                panels.toggle(name)
    if not panels.presenting:
        panels.show_again(before)
    return found


def cut_title(window) -> set[str]:
    """The scenario's title, where a desk or laptop does not have it whole, or a narrower bar lost an end."""
    title, shown = window.document.title, window.title.findChild(QToolButton).text()
    first, _, last = shown.replace(JOINER, "").partition("…")
    whole = (window.width(), window.height()) in DESKS[:2]
    has_ends = min(len(first), len(last)) > 4 and title.startswith(first) and title.endswith(last)
    is_well = shown == title or (has_ends and not whole)
    return set() if is_well else {f"toolbar: “{title}” is cut to “{shown}”"}


@pytest.mark.parametrize("group", ["first", "second"])
def test_panels_show_whole_rows_captions_and_words(unpainted, qtbot, group):
    """In every size of one window, and in a lecture."""
    cut = {}
    for path in opened_a_third_in(unpainted, qtbot, group):
        for size in DESKS:
            unpainted.resize(*size)
            cut[path.name, size] = cut_in_panels(unpainted, qtbot) | cut_title(unpainted)
    unpainted.presenter.enter()
    unpainted.resize(*PROJECTOR)
    for path in opened_a_third_in(unpainted, qtbot, group):
        cut[path.name, PROJECTOR] = cut_in_panels(unpainted, qtbot)
    unpainted.presenter.leave()
    assert {where: found for where, found in cut.items() if found} == {}


@pytest.mark.parametrize("name", ["tbl-under-load", "bluegene-l-rack", "gabl-contention-16x16"])
def test_letters_twice_as_large_are_whole(unpainted, qtbot, name):
    """With the panels that stay where such letters leave room for fewer."""
    unpainted.themes.set_scale(2.0)
    open_and_run(unpainted, qtbot, name)
    unpainted.time_cursor.go_to_time(unpainted.time_cursor.recording.end_time / 3)
    cut = {}
    for size in DESKS[:2]:
        unpainted.resize(*size)
        cut[size] = cut_in_panels(unpainted, qtbot)
    assert {where: found for where, found in cut.items() if found} == {}


def test_larger_letters_of_the_gallery_are_whole(window, qtbot):
    """Its page scrolls down only, and has the width that it needs beside the list."""
    window.commands.trigger("run.gallery")
    gallery, cut = window.studies.gallery, {}
    for scale, sizes in ((1.4, DESKS), (2.0, DESKS[:2])):
        window.themes.set_scale(scale)
        for size in sizes:
            gallery.resize(*size)
            settle(window, qtbot)
            need, room = gallery.page.widget().width(), gallery.page.viewport().width()
            if need > room:
                cut[scale, size] = f"needs {need} of {room}"
    gallery.close()
    assert cut == {}


def test_cards_of_the_tour_show_whole_words_and_buttons(unpainted, qtbot):
    """Each lies in the window, beside the part that it tells of."""
    window, cut = unpainted, {}
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    for size in DESKS:
        window.resize(*size)
        window.commands.trigger("help.tour")
        card = window.tour.card
        while card.isVisible():
            settle(window, qtbot)
            assert window.rect().contains(card.card.geometry())
            cut[card.at, size] = cuts_in(card)
            card.next()
    assert len(cut) == 8 * len(DESKS)
    assert {where: found for where, found in cut.items() if found} == {}


def test_lessons_show_whole_words_and_buttons(unpainted, qtbot):
    """Each step of two lessons, also in a laptop's window with its frame."""
    window, cut = unpainted, {}
    session = window.lessons.session
    for path in shipped_lessons()[::13]:  # the second asks for a number
        assert window.lessons.open(path)
        for place in range(session.last + 1):
            assert session.place == place
            for size in ((1350, 720), (960, 600)):
                window.resize(*size)
                settle(window, qtbot)
                assert window.panels.in_front(LESSON), (path.name, place, size)
                cut[path.name, place, size] = cuts_in(window.panels.docks[LESSON])
            session.next()
    assert {where: found for where, found in cut.items() if found} == {}
    window.resize(1350, 720)
    window.panels.show("stops")  # which makes the column on the other side as wide as it is anywhere
    settle(window, qtbot)
    text = window.lessons.panel.view
    assert text.visibleRegion().boundingRect().width() >= text.minimumSizeHint().width()


def test_the_palette_shows_the_whole_help_of_every_command(unpainted, qtbot):
    """On one line, in the smallest window."""
    window = unpainted
    window.resize(960, 600)
    window.palette_sheet.open()
    settle(window, qtbot)
    line = window.palette_sheet.list
    room = line.itemDelegate().help_room(line.viewport().width())
    need = QFontMetrics(window.themes.text("caption")).horizontalAdvance
    cut = {command.id: need(command.help) for command in window.commands if need(command.help) > room}
    assert cut == {}


def test_the_sheet_of_keys_is_in_sight_as_a_whole_on_a_laptop(unpainted, qtbot):
    """In a window with its frame, also what only a network has keys for."""
    open_and_run(unpainted, qtbot, "blocking-chain-8x6")
    unpainted.resize(1350, 720)
    unpainted.commands.trigger("window.keys")
    settle(unpainted, qtbot)
    (sheet,) = unpainted.findChildren(ShortcutSheet)
    scroll = sheet.findChild(QScrollArea)
    assert scroll.verticalScrollBar().maximum() == scroll.horizontalScrollBar().maximum() == 0


def opened_to_practise(window, qtbot) -> Iterator[str]:
    """The page to choose from, an exercise of each kind, and the answer to it."""
    exercises = window.exercises
    exercises.show_choice()
    yield "choice"
    for kind in KINDS:
        strategy = suited(kind)[0]
        key = ExerciseKey(kind=kind, strategy=strategy, shape=usual_shape(strategy), seed=3)
        exercises.ask(key)
        qtbot.waitUntil(
            lambda key=key: exercises.session.open and exercises.session.exercise.key.kind == key.kind
        )
        yield f"exercise {kind}"
        exercises.panel.give_up()
        yield f"answer to {kind}"


def test_exercises_show_whole_words_rows_and_buttons(unpainted, qtbot):
    """In their panel, which stays in front, at the desk and in smaller windows; the page of fields in any."""
    window, cut = unpainted, {}
    for what in opened_to_practise(window, qtbot):
        lower = [(960, height) for height in range(540, 600, 8)] if what == "choice" else []
        for size in (*DESKS, *lower):
            window.resize(*size)
            settle(window, qtbot)
            assert window.panels.in_front(LESSON), (what, size)
            cut[what, size] = cuts_in(window.panels.docks[LESSON])
    assert {where: found for where, found in cut.items() if found} == {}


def shown_study(window, qtbot, command: str) -> MainWindow | ExperimentWindow | GalleryWindow:
    """The window with a study, once all that it begins with is known."""
    studies = window.studies
    window.commands.trigger(command)
    if command == "run.compare":
        qtbot.waitUntil(lambda: all(run.over for run in studies.comparison.comparison.runs))
        return window
    if command == "run.experiment":
        session = studies.experiment.session  # the trial is its one run: after it nothing is ready to start
        qtbot.waitUntil(lambda: session.experiment is not None and not session.ready)
        return studies.experiment
    return studies.gallery


def test_windows_of_studies_show_whole_captions_and_words(window, qtbot, monkeypatch):
    """Runs side by side, an experiment and the published results, opened at the desk and in a lecture."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(*PROJECTOR))
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    cut = {}
    for sizes in (DESKS, (PROJECTOR,)):
        if sizes == (PROJECTOR,):
            window.presenter.enter()
            window.resize(*PROJECTOR)
            qtbot.waitUntil(window.updatesEnabled)
        for command in ("run.compare", "run.experiment", "run.gallery"):
            shown = shown_study(window, qtbot, command)
            for size in sizes:
                shown.resize(*size)
                wait_for_panels(window, qtbot)
                cut[command, size] = cuts_in(shown)
            if shown is window:
                window.centre.leave_comparison()
            else:
                shown.close()
    window.presenter.leave()
    qtbot.waitUntil(window.updatesEnabled)
    WorkThread.end_all()
    assert {where: found for where, found in cut.items() if found} == {}


@pytest.mark.parametrize("size", DESKS[:2])
@pytest.mark.parametrize("name", ["tbl-under-load", "first-fit-16x16"])
def test_the_facts_and_buttons_of_a_job_are_in_sight(window, qtbot, name, size):
    """All of one that runs, and of one that waits the beginning of why as well, beside notes and queue."""
    window.resize(1600, 1000)
    open_and_run(window, qtbot, name)
    window.resize(*size)
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    snapshot, card = window.time_cursor.view.snapshot, window.job_card
    for job in (int(snapshot.running[0]), int(snapshot.queue[0])):
        window.selection.select(job)
        wait_for_panels(window, qtbot)
        parts = [*card.facts.values(), *card.buttons.values()]
        shown = [part for part in parts if not part.isHidden()]
        assert len(shown) >= 10
        assert all(part.visibleRegion().boundingRect() == part.rect() for part in shown)
    words = card.why.view.words
    assert words.visibleRegion().boundingRect().height() >= 2 * words.fontMetrics().height()
    for table in (window.queue.waiting.table, window.queue.running.table):
        assert table.visibleRegion().boundingRect().height() >= window.themes.px(24)
