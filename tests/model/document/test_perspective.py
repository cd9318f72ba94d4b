"""A perspective changes of an arrangement what it names, and nothing else."""

import pytest

from meshgui.model.document.arrangement import Arrangement, PanelArea, PanelGroup, PanelPlace
from meshgui.model.document.perspective import Perspective, PerspectiveStack

BEFORE = Arrangement(
    {
        "start": PanelArea(
            PanelGroup(
                "rows",
                (
                    PanelPlace("notes", hidden=True),
                    PanelGroup("tabs", (PanelPlace("queue"), PanelPlace("job")), "job", 300),
                    PanelPlace("lesson", hidden=True),
                ),
            ),
            (280, 600),
        ),
        "end": PanelArea(
            PanelGroup(
                "rows",
                (
                    PanelGroup("tabs", (PanelPlace("algorithm"), PanelPlace("scenario")), "scenario", 400),
                    PanelPlace("inspector", size=200, floating=(1, 2, 30, 40)),
                ),
            ),
            (340, 600),
        ),
    },
    (600, 600),
)


def places(arrangement: Arrangement) -> dict[str, PanelPlace]:
    """The panels by their names."""
    return {place.name: place for place in arrangement.panels()}


def groups(arrangement: Arrangement, area: str) -> list[tuple[tuple[str, ...], str]]:
    """What shares a place in an area, top to bottom, and what is in front."""
    node = arrangement.areas[area].node
    parts = node.parts if isinstance(node, PanelGroup) and node.kind == "rows" else (node,)
    return [
        (tuple(place.name for place in part.panels()), part.front if isinstance(part, PanelGroup) else "")
        for part in parts
    ]


def test_nothing_named_leaves_all_as_it_was():
    """The perspective without a word of its own is the one before."""
    assert Perspective("same").arranged(BEFORE) == BEFORE


def test_rows_go_to_the_end_of_their_area_and_float_no_longer():
    """Those of a row share a place, the first in front; what is not there is left out."""
    after = Perspective("lecture", area="end", rows=(("algorithm", "inspector", "network"),)).arranged(BEFORE)
    assert groups(after, "end") == [(("scenario",), ""), (("algorithm", "inspector"), "algorithm")]
    assert places(after)["inspector"].floating is None
    assert groups(after, "start") == groups(BEFORE, "start")


def test_panels_are_put_behind_one_alone_or_among_others():
    """As in a low window while a lesson is read."""
    for host, wanted in (
        ("inspector", (("inspector", "queue", "job"), "inspector")),
        ("algorithm", (("algorithm", "scenario", "queue", "job"), "scenario")),
    ):
        lesson = Perspective("lesson", behind=(host, ("queue", "job")), hidden=("queue",), shown=("lesson",))
        after = lesson.arranged(BEFORE)
        assert wanted in groups(after, "end")
        assert groups(after, "start") == [(("notes",), ""), (("lesson",), "")]
        hidden = {name for name, place in places(after).items() if place.hidden}
        assert hidden == {"notes", "queue"}


@pytest.mark.parametrize("front", ["queue", "job"])
def test_a_panel_comes_in_front_of_others_in_its_place(front):
    """Wherever that is."""
    assert (("queue", "job"), front) in groups(Perspective("x", front=(front,)).arranged(BEFORE), "start")


def test_an_area_of_its_own_is_made_where_there_is_none():
    """A row for an area that has nothing yet."""
    after = Perspective("x", area="bottom", rows=(("notes",),)).arranged(BEFORE)
    assert groups(after, "bottom") == [(("notes",), "")]
    assert sorted(after.names()) == sorted(BEFORE.names())


def test_leaving_a_perspective_leaves_those_entered_from_it():
    """What was before comes back, and the arrangement at the desk is known all the time."""
    lesson, mesh = Perspective("lesson", shown=("lesson",)), Perspective("mesh", hidden=("queue", "job"))
    stack = PerspectiveStack()
    assert stack.at_the_desk(BEFORE) == stack.since("lesson", BEFORE) == BEFORE
    assert stack.leave("mesh") is None
    reading = stack.enter(lesson, BEFORE)
    folded = stack.enter(mesh, reading)
    assert "lesson" in stack
    assert "mesh" in stack
    assert stack.at_the_desk(folded) == BEFORE
    assert stack.since("lesson", folded) == reading
    assert stack.leave("lesson") == BEFORE
    assert "mesh" not in stack
    stack.enter(mesh, stack.enter(lesson, BEFORE))
    stack.forget_others("lesson")
    assert "mesh" not in stack
    assert stack.leave("lesson") == BEFORE


def test_a_perspective_is_entered_again_from_another():
    """It is left where it was entered last, and the earlier time counts only once the other is left."""
    mesh, lecture = Perspective("mesh", hidden=("queue",)), Perspective("lecture", shown=("queue",))
    stack = PerspectiveStack()
    alone = stack.enter(mesh, BEFORE)
    assert stack.inside("mesh", "lecture")
    presented = stack.enter(lecture, alone)
    assert not stack.inside("mesh", "lecture")
    stack.enter(mesh, presented)
    assert stack.inside("mesh", "lecture")
    assert stack.leave("mesh") == presented
    assert not stack.inside("mesh", "lecture")
    assert stack.leave("lecture") == alone
    assert stack.inside("mesh", "lecture")
