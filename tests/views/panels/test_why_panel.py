"""The panel that says why a job waits, and shows it in the mesh."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.sentences import JobLink, PacketLink
from meshgui.model.moment.position import Position
from meshgui.views.panels.sentence_bar import SentenceBar
from meshgui.views.panels.why import WhyPanel
from tests.networks import three_in_a_row
from tests.views.pointer import move_to


def shown(show, cursor, small_run, time=3.0):
    """The panel at a time of the small run, in which jobs 2 to 41 wait."""
    cursor.show(small_run)
    cursor.go_to_time(time)
    return show(WhyPanel, height=900)


def test_it_explains_the_head_of_the_queue_until_a_waiting_job_is_selected(
    show, cursor, selection, small_run, qtbot
):
    """A job that runs is none."""
    panel = shown(show, cursor, small_run)
    assert panel.title.text() == "Why job 2 waits"
    selection.select(5)
    assert panel.title.text() == "Why job 5 waits"
    assert "all wait for job 2" in panel.words.plain
    selection.select(0)
    assert panel.title.text() == "Why job 2 waits"
    # The first link of the first sentence is the job itself
    selection.select(5)
    panel.words.linkActivated.emit("1")
    assert selection.job == 2
    # The button goes to the first chance: the time at which the running jobs have made room
    chance = panel.reason.opening.time
    panel.chance.click()
    assert cursor.time == chance


def test_the_mesh_shows_the_first_chance_while_the_panel_is_visible(
    show, cursor, selection, small_run, qtbot
):
    """And no longer when it is hidden, or inside an attempt, which shows its own boxes."""
    panel = shown(show, cursor, small_run)
    assert [mark.role for mark in selection.marks] == [Role.CANDIDATE, Role.BLOCKED, Role.BLOCKED]
    panel.step.click()
    assert cursor.position == Position(
        small_run.attempts[panel.reason.attempt].position, panel.reason.attempt
    )
    assert selection.marks == ()
    cursor.go_to_time(3.0)
    qtbot.waitUntil(lambda: bool(selection.marks))  # a slow answer comes when the cursor rests
    panel.hide()
    assert selection.marks == ()


def test_a_box_that_was_tried_leads_to_its_step(show, cursor, selection, small_run, qtbot):
    """Pointing at its row shows it in the mesh; a click goes there."""
    panel = shown(show, cursor, small_run)
    rows = panel.tried.source
    at = panel.tried.visualRect(panel.tried.rows.index(0, 0)).center()
    move_to(panel.tried.viewport(), QPointF(at))
    panel.tried.pointed.emit(0, 0)
    assert selection.marks == rows.candidate(0).marks
    qtbot.mouseClick(panel.tried.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert cursor.position == Position(rows.position, rows.attempt, rows.candidate(0).step)


def test_without_a_waiting_job_it_says_so(show, cursor, small_run, qtbot):
    """And offers nothing."""
    panel = shown(show, cursor, small_run, time=0.5)
    assert panel.title.text() == "No job waits"
    assert not panel.step.isEnabled()
    assert not panel.chance.isEnabled()
    cursor.show(None)
    qtbot.waitUntil(lambda: panel.reason is None)
    qtbot.waitUntil(lambda: panel.words.plain.startswith("Open"))
    assert panel.words.plain == "Open a scenario to see its jobs."


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
