"""Full names with their ids: where the id stands, and what is left where there is no room."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.model.base.named import elided_name, id_of, ids_in, named, parts_of

TBL = named("Turning Busy List", "tbl")


def test_a_name_has_its_id_behind_it():
    """Each id of a text is found, up to a comma or full stop; what is called by its id alone, once."""
    assert TBL.split() == ["Turning", "Busy", "List", "tbl"]
    both = f"{TBL}, {named('Paging', 'paging(0)')} at load 2"
    said = f"Job 1 starts with {TBL}."
    assert [said[first:last] for first, last in ids_in(said)] == ["tbl"]
    assert [both[first:last] for first, last in ids_in(both)] == ["tbl", "paging(0)"]
    assert (named("mine", "mine"), named("", "mine")) == ("mine", "mine")
    assert (id_of(TBL), id_of("mine"), ids_in("Turning Busy List")) == ("tbl", "mine", [])


@pytest.mark.parametrize(
    ("room", "left"),
    [
        (len(TBL), TBL),
        (len(TBL) - 1, named("Turning Busy Li…", "tbl")),
        (12, named("Turning…", "tbl")),
        (9, named("Turn…", "tbl")),
        (8, "tbl"),
        (3, "tbl"),
        (2, "T…"),
    ],
)
def test_where_there_is_no_room_the_id_stays_whole(room, left):
    """The name gives way to it, and then goes altogether."""
    assert elided_name(TBL, room, len) == left


def test_of_several_names_the_end_is_cut():
    """As of any other text."""
    assert elided_name(f"{TBL}, {TBL}", 10, len) == "Turning B…"


def test_from_right_to_left_a_name_and_its_id_keep_to_themselves():
    """Between signs that are no part of either; alone the id has none."""
    with speaking("ar"):
        name = named("Turning Busy List", "tbl")
    assert (name[0], name[-1]) == ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")
    assert name[1:-1] == TBL
    assert [name[first:last] for first, last in ids_in(name)] == ["tbl"]
    assert parts_of(name) == parts_of(TBL) == ("Turning Busy List", "tbl")
    assert elided_name(name, 5, len) == "tbl" == id_of(name)
