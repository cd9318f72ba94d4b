"""The records of panels: each is whole, and one more needs nothing but its record."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from meshgui.model.document.arrangement import ALL_PANELS
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.docks.perspectives import lecture as lecture_perspective
from meshgui.views.window import main_window
from meshgui.views.window.panels import PANELS

MOON = PanelSpec("moon", "Moon", "What the moon is doing.", lambda _host: QLabel("full"), "end", icon="info")


def test_each_panel_stands_beside_one_before_it_and_lessons_name_those_that_are_there():
    """So that docks are made one after the other; a lesson is checked without a window."""
    names = [spec.name for spec in PANELS]
    assert {*ALL_PANELS} <= {*names, "lesson"}
    for spec in PANELS:
        for other in (spec.place.behind, spec.place.above):
            assert not other or names.index(other) < names.index(spec.name)
        assert spec.sentence.endswith(".")
        assert bool(spec.icon) == bool(spec.keys)


@pytest.fixture
def more_panels(monkeypatch):
    """Four panels more, as a package might have them."""
    more = [replace(MOON, name=f"moon{number}", title=f"Moon {number}") for number in range(4)]
    behind = [replace(more[0], place=Place(behind="algorithm")), *more[1:]]
    monkeypatch.setattr(main_window, "PANELS", (*PANELS, *behind))


def test_a_thirteenth_panel_opens_with_the_window_and_has_a_command_without_a_key(more_panels, lecture):
    """Keys come from the records: none is made of a number."""
    window = lecture
    assert len(window.panels.docks) == len(PANELS) + len(["lesson"]) + 4
    keys = [key for command in window.commands for key in command.shortcuts]
    assert {"Ctrl+1", "Ctrl+9"} <= {*keys}
    assert "Ctrl+13" not in keys
    command = window.commands["panel.moon3"]
    assert command.shortcuts == ()
    assert command.title == "Moon 3 panel"
    window.commands.trigger("panel.moon3")
    assert window.panels.docks["moon3"].isHidden()
    assert window.panels.docks["moon0"] in window.tabifiedDockWidgets(window.panels.docks["algorithm"])
    assert window.panels.docks["moon1"].whatsThis() == "What the moon is doing."
    assert {"moon1", "moon3"} <= {*window.panels.save().names()}
    window.commands.trigger("panel.reset")
    assert not window.panels.docks["moon3"].isHidden()


def test_a_lecture_shows_those_that_are_for_it():
    """A panel of another mode is hidden, and that of a network is shown where there is one."""
    for network in (False, True):
        perspective = lecture_perspective([*PANELS, MOON], network=network, low=False)
        assert perspective.rows == (("algorithm", "inspector", "network")[: 2 + network],)
        assert perspective.front == ("network" if network else "algorithm", "timeline")
        assert "moon" in perspective.hidden
        assert not {*perspective.shown} & {*perspective.hidden}
    shown = replace(MOON, modes=frozenset({Mode.LECTURE}))
    assert "moon" in lecture_perspective([*PANELS, shown], network=False, low=False).rows[0]


def test_leaving_a_perspective_leaves_those_that_were_entered_from_it(lecture):
    """The arrangement at the desk is remembered; a file has that of the lesson, also while it is folded."""
    panels, desk = lecture.panels, lecture.panels.save()
    panels.lesson.begin()
    reading = panels.save()
    assert reading != desk
    panels.toggle_fold()
    assert panels.folded
    assert panels.desk == desk
    assert panels.unfolded == reading
    panels.lesson.end()
    assert not panels.folded
    assert {place.name for place in panels.save().panels() if not place.hidden} == {
        place.name for place in desk.panels() if not place.hidden
    }
