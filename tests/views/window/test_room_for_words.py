"""No row, label or button is cut, in the panels of examples, at the sizes of a desk and of laptops."""

import pytest

from meshgui.model.document.examples import examples
from tests.views.measuring import cuts_in
from tests.views.window.conftest import open_and_run, wait_for_panels

SIZES = ((1600, 1000), (1366, 768), (960, 600))


def says_why(card):
    """Whether the card says why its job waits, unless that is out of sight."""
    section = card.why.made
    out_of_sight = not card.why.isVisible() or card.why.visibleRegion().isEmpty()
    return out_of_sight or (section is not None and section.reason is not None)


@pytest.mark.parametrize("group", ["first", "second"])
def test_panels_show_whole_rows_captions_and_words(window, qtbot, group):
    """In the arrangement that each example opens in, a third into its run, in every size of one window."""
    half = examples()[1::2]
    cut = {}
    for path in half[::2] if group == "first" else half[1::2]:
        assert window.files.open(path, as_example=True)
        qtbot.waitUntil(
            lambda: (
                (run := window.time_cursor.recording) is not None
                and run.over
                and run.scenario is window.document.scenario
            )
        )
        window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
        for size in SIZES:
            window.resize(*size)
            wait_for_panels(window, qtbot)
            qtbot.waitUntil(lambda: says_why(window.job_card))
            wait_for_panels(window, qtbot)  # with those words
            if found := cuts_in(window):
                cut[path.name, size] = found
    assert cut == {}


@pytest.mark.parametrize("size", SIZES[:2])
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
