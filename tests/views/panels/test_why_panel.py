"""The panel that says why a job waits, and shows it in the mesh."""

from PySide6.QtCore import Qt

from meshgui.engine.allocation.steps import Role
from meshgui.model.position import Position
from meshgui.views.panels.why import WhyPanel


def shown(show, cursor, small_run, time=3.0):
    """The panel at a time of the small run, in which jobs 2 to 41 wait."""
    cursor.show(small_run)
    cursor.go_to_time(time)
    return show(WhyPanel, height=900)


def test_it_explains_the_head_of_the_queue_until_a_waiting_job_is_selected(
    show, cursor, selection, small_run
):
    """A job that runs is none."""
    panel = shown(show, cursor, small_run)
    assert panel.title.text() == "Why job 2 waits"
    selection.select(5)
    assert panel.title.text() == "Why job 5 waits"
    assert "all wait for job 2" in panel.words.plain
    selection.select(0)
    assert panel.title.text() == "Why job 2 waits"


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


def test_a_name_in_the_sentences_selects_its_job(show, cursor, selection, small_run, qtbot):
    """The first link of the first sentence is the job itself."""
    panel = shown(show, cursor, small_run)
    selection.select(5)
    panel.words.linkActivated.emit("1")
    assert selection.job == 2


def test_a_box_that_was_tried_leads_to_its_step(show, cursor, selection, small_run, qtbot):
    """Pointing at its row shows it in the mesh; a click goes there."""
    panel = shown(show, cursor, small_run)
    rows = panel.tried.source
    at = panel.tried.visualRect(panel.tried.rows.index(0, 0)).center()
    qtbot.mouseMove(panel.tried.viewport(), at)
    panel.tried.pointed.emit(0, 0)
    assert selection.marks == rows.candidate(0).marks
    qtbot.mouseClick(panel.tried.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert cursor.position == Position(rows.position, rows.attempt, rows.candidate(0).step)


def test_the_button_goes_to_the_first_chance(show, cursor, small_run):
    """To the time at which the running jobs have made room."""
    panel = shown(show, cursor, small_run)
    chance = panel.reason.opening.time
    panel.chance.click()
    assert cursor.time == chance


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
