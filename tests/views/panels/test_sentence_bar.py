"""The sentence: always two lines of room, whole in the tooltip when that is not enough."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from meshgui.engine.basics.sentences import JobLink, PacketLink
from meshgui.model.position import Position
from meshgui.views.panels.sentence_bar import SentenceBar
from tests.networks import three_in_a_row


def middle_of(bar, link):
    """The middle of a name in the sentence."""
    return next(word.rect for word in bar.words if word.link == link).center().toPoint()


def test_it_says_the_views_sentence_and_keeps_its_height(show, cursor, small_run):
    """At every place, forwards and back."""
    bar = show(SentenceBar, 1200)
    heights = set()
    cursor.show(small_run)
    for position in [*range(40), *reversed(range(40))]:
        cursor.go_to(Position(position))
        assert bar.text == cursor.view.sentence
        heights.add(bar.height())
    assert len(heights) == 1


def test_what_is_too_long_for_two_lines_is_elided(show, cursor, small_run, themes):
    """A narrow window cuts, a wide one does not; neither is made wider."""
    cursor.show(small_run)
    bar = show(SentenceBar, 1200)
    cursor.go_to(Position(int(small_run.arrived[30]) + 1))
    assert not bar.elided
    bar.resize(180, bar.height())
    assert bar.elided
    last = bar.words[-1]
    assert last.text.endswith(" …")
    assert QFontMetricsF(themes.text("lead")).horizontalAdvance(last.text) <= last.rect.width()  # and is seen
    assert last.rect.right() <= bar.width()
    assert bar.minimumSizeHint().width() <= 0


def test_a_jobs_name_in_it_points_at_the_job(show, cursor, selection, small_run, qtbot):
    """Hovering hovers, a click selects."""
    cursor.show(small_run)
    bar = show(SentenceBar, 1200)
    cursor.go_to(Position(int(small_run.arrived[30]) + 1))
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=middle_of(bar, JobLink(30)))
    assert selection.job == 30


def test_without_a_run_it_says_what_to_do(show):
    """The empty state is a sentence too."""
    assert show(SentenceBar).text == "Open a scenario to see a run."


def test_a_packets_name_in_it_points_at_the_packet(show, cursor, selection, qtbot):
    """Hovering hovers packet and job, a click selects both, and the sentence then speaks of it."""
    bar = show(SentenceBar, 1200)
    cursor.show(three_in_a_row())
    cursor.go_to_time(10.0)
    name = middle_of(bar, PacketLink(0, 0))
    qtbot.mouseMove(bar, name)
    assert (selection.hovered, selection.hovered_packet) == (0, 0)
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=name)
    assert (selection.packet, selection.job) == (0, 0)
    assert bar.text == "Cycle 10: packet 0 of job 0 arrives at (3,0): 2 of its 16 flits are there."
    selection.select(None)
    assert bar.text == cursor.view.sentence
