"""The part of a job's card that says why it waits, and shows it in the mesh; and the sentence bar."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.sentences import JobLink, PacketLink
from meshgui.model.moment.position import Position
from meshgui.views.panels.job import JobCard
from meshgui.views.panels.sentence_bar import SentenceBar
from tests.networks import three_in_a_row
from tests.views.pointer import move_to


@pytest.fixture
def reason(show, cursor, selection, small_run, qtbot):
    """That of a job at time 3 of the small run, in which jobs 2 to 41 wait."""

    def shown(job: int | None = 5):
        card = show(JobCard, height=900)
        card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)  # wherever the pointer stands
        cursor.show(small_run)
        cursor.go_to_time(3.0)
        selection.select(job)
        qtbot.waitUntil(lambda: card.why.made is not None and card.why.view.watched)  # after the first paint
        return card, card.why.view

    return shown


def test_it_explains_the_job_of_the_card(reason, cursor, selection):
    """For as long as that one waits; the card of another says what it was given."""
    card, section = reason()
    assert section.reason.job == 5
    assert "all wait for job 2" in section.words.plain
    selection.select(0)
    assert not card.why.isVisible()
    assert card.facts["Place"].isVisible()
    # The first link of the first sentence is the job itself
    selection.select(5)
    assert not card.facts["Place"].isVisible()
    section.words.linkActivated.emit("1")
    assert selection.job == section.reason.job == 2
    # The button goes to the first chance: the time at which the running jobs have made room
    chance = section.reason.opening.time
    section.chance.click()
    assert cursor.time == chance


def test_what_is_pointed_at_on_the_card_does_not_take_its_place(reason, selection):
    """Without a selected job it is about the hovered one, but not for a row or a name of its own."""
    card, section = reason(None)
    selection.hover(5)
    assert (card.job, section.reason.job) == (5, 5)
    selection.hover(None)
    before = card.job
    card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    selection.hover(7)
    assert card.job == before


def test_the_mesh_shows_the_first_chance_of_a_selected_job(reason, cursor, selection, qtbot):
    """Not that of another on the card, nor when it is hidden, nor inside an attempt, which has its own."""
    card, section = reason()
    assert [mark.role for mark in selection.marks] == [Role.CANDIDATE, Role.BLOCKED, Role.BLOCKED]
    assert selection.marks_job == section.reason.subject
    selection.select(None)
    selection.hover(6)
    assert section.reason.job == 6
    assert selection.marks == ()
    selection.select(6)
    assert selection.marks
    section.tried.chosen.emit(0, 0)
    assert cursor.position.attempt == section.reason.attempt
    assert selection.marks == ()
    cursor.go_to_time(3.0)
    qtbot.waitUntil(lambda: bool(selection.marks))  # a slow answer comes when the cursor rests
    card.hide()
    assert selection.marks == ()
    card.show()
    qtbot.waitUntil(lambda: bool(selection.marks))


def test_a_box_that_was_tried_leads_to_its_step(reason, cursor, selection, qtbot):
    """Pointing at its row shows it in the mesh; a click goes there."""
    _, section = reason()
    rows = section.tried.source
    at = section.tried.visualRect(section.tried.rows.index(0, 0)).center()
    move_to(section.tried.viewport(), QPointF(at))
    section.tried.pointed.emit(0, 0)
    assert selection.marks == rows.candidate(0).marks
    qtbot.mouseClick(section.tried.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert cursor.position == Position(rows.position, rows.attempt, rows.candidate(0).step)


def test_a_question_that_asks_for_it_has_words_in_its_place(reason, cursor, selection, qtbot):
    """No sentence, no table and no box in the mesh, and all of them once it is answered."""
    card, section = reason()
    parts = section.blockers, section.tried, section.chance
    said, marks = section.words.plain, selection.marks
    cursor.withhold_reasons("Not yet.")
    assert section.words.plain == "Not yet."
    assert not any(part.isVisible() for part in parts)
    assert selection.marks == ()
    assert card.tables()[1:] == ()
    assert card.facts["Waits"].isVisible()
    cursor.withhold_reasons("")
    qtbot.waitUntil(lambda: (section.words.plain, selection.marks) == (said, marks))
    assert all(part.isVisible() for part in parts)


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
    move_to(bar, QPointF(name))
    assert (selection.hovered, selection.hovered_packet) == (0, 0)
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=name)
    assert (selection.packet, selection.job) == (0, 0)
    assert bar.text == "Cycle 10: packet 0 of job 0 arrives at (3,0): 2 of its 16 flits are there."
    selection.select(None)
    assert bar.text == cursor.view.sentence
