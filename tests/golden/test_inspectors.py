"""What the inspectors show and the sentences say at chosen steps of small attempts, strategy by strategy."""

import pytest

from meshgui.engine.allocation.inspection import JobCell, Moment, NodeKind, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel


class Attempt:
    """One attempt of a strategy on a mesh of which some boxes are held, and what is shown at its steps."""

    def __init__(self, name, shape, size, *held, job=1, service=0.0, **options):
        cls = strategy(name)
        self.working = cls(Mesh(shape), cls.options_model(**options))
        for other, box in enumerate(held, start=100):
            self.working.replay(Request(other, Box(*box).size), (Box(*box),))
        self.trace = self.working.trace(Request(job, size, 0.0, service))

    def step(self, label, nth=0):
        """The number of steps up to the nth with this label; of the last for -1."""
        lines = self.working.lines
        places = [n for n, step in enumerate(self.trace.steps, 1) if lines[step.line].label == label]
        return places[nth]

    def at(self, label, nth=0):
        """The inspection at a step."""
        steps = self.trace.steps[: self.step(label, nth)]
        return self.working.inspect(Moment(self.trace.before, self.trace.request, steps))

    def panel(self, title, label, nth=0):
        """One panel at a step."""
        [panel] = [panel for panel in self.at(label, nth).panels if panel.title == title]
        return panel

    def rows(self, title, label, nth=0):
        """A table's cells at a step, jobs as their text."""
        rows = self.panel(title, label, nth).rows
        return [tuple(cell if isinstance(cell, str) else cell.text for cell in row.cells) for row in rows]

    def marks(self, label, nth=0):
        """The marks of a step."""
        return self.trace.steps[self.step(label, nth) - 1].marks


def current(panel):
    """The place of the row or node that the step is about."""
    shown = panel.rows if hasattr(panel, "rows") else panel.nodes
    return [n for n, row in enumerate(shown) if row.current]


def test_best_fit_marks_the_first_busy_processor_of_a_box():
    """A box that is no base is shown with the processor in the way, not with its own corner."""
    attempt = Attempt("bf", (4, 2), (1, 2, 1), (1, 1, 0, 1, 1, 1))
    tried, busy = attempt.marks("blocked")
    assert (tried.box, busy.role, busy.box) == (Box(1, 0, 0, 1, 2, 1), Role.BLOCKED, Box(1, 1, 0, 1, 1, 1))


def test_best_fit_says_why_a_base_is_the_best_so_far():
    """The first; then one with more busy neighbours; then one with as many that leaves less."""
    attempt = Attempt("bf", (5, 2), (1, 1, 1), (2, 1, 0, 2, 1, 1), (3, 0, 0, 1, 1, 1))
    said = [attempt.at("keep", n).says.split(":")[0] for n in range(3)]
    assert said == ["It is the first", "It has more busy neighbours", "It has equally many and leaves less"]


def test_turning_best_fit_shows_the_bases_of_the_orientation_at_hand():
    """When the request has been turned, nothing is left of what the other orientation found."""
    attempt = Attempt("tbf", (4, 2), (1, 2, 1), (0, 0, 0, 1, 1, 1), (1, 1, 0, 1, 1, 1), (2, 0, 0, 1, 1, 1),
                      (3, 1, 0, 1, 1, 1))  # fmt: skip
    assert set(attempt.panel("Bases", "next").values.ravel().tolist()) == {-2, -3, -1}
    assert set(attempt.panel("Bases", "turn", 1).values.ravel().tolist()) == {-2, -1}


def test_free_boxes_placements_and_rests():
    """The list tells what each placement cuts, which loses least, and which rests the list does not need."""
    attempt = Attempt("fsl", (4, 3), (2, 1, 1), (0, 0, 0, 2, 1, 1))
    assert attempt.rows("Free boxes", "loss", 1) == [("(2,0)–(3,2)", "6", "2"), ("(0,1)–(3,2)", "8", "4")]
    assert attempt.rows("Placements", "loss", 1) == [
        ("(2,0)–(3,0)", "1", "2", "least"),
        ("(2,2)–(3,2)", "2", "6", ""),
    ]
    assert attempt.rows("Remainders of cut boxes", "cut") == [("(2,1)–(3,2)", "4", "kept")]
    assert attempt.rows("Remainders of cut boxes", "drop") == [("(2,1)–(3,2)", "4", "dropped")]
    assert [mark.box for mark in attempt.marks("drop")] == [Box(2, 1, 0, 2, 2, 1), Box(0, 1, 0, 4, 2, 1)]


def test_a_rest_is_dropped_for_another_rest():
    """Where the free box that contains a rest is itself a rest, that one is marked."""
    attempt = Attempt("fsl", (3, 3), (2, 2, 1), (2, 2, 0, 1, 1, 1))
    assert attempt.trace.boxes == (Box(1, 0, 0, 2, 2, 1),)
    assert [mark.box for mark in attempt.marks("drop")] == [Box(0, 0, 0, 1, 2, 1), Box(0, 0, 0, 1, 3, 1)]


def test_a_row_covered_farther_already_stays_so():
    """Quick Allocation: a box that ends more to the left does not move the last covered column back."""
    attempt = Attempt("qa", (5, 3), (2, 2, 1), (0, 0, 0, 4, 1, 1), (1, 1, 0, 2, 1, 1))
    says = [attempt.at("move", n).says for n in range(3)]
    assert says == [
        "Row 0 is now covered up to column 3.",
        "Row 0 stays covered up to column 3.",
        "Row 1 is now covered up to column 2.",
    ]


def test_the_buddy_system_names_the_empty_lists_and_what_it_gives_away():
    """One list is empty; two processors are lost; of the split square the lowest left quarter is kept."""
    attempt = Attempt("2dbs", (8, 8), (2, 1, 1), (4, 4, 0, 4, 4, 1))
    assert attempt.at("round").says == "It gets a square of 2×2, 2 processors more than it asks for."
    labels = [attempt.working.lines[step.line].label for step in attempt.trace.steps]
    assert labels == ["round", "empty", "take", "split", "found"]
    assert [mark.box for mark in attempt.marks("split")] == [Box(0, 0, 0, 4, 4, 1), Box(0, 0, 0, 2, 2, 1)]
    tree = attempt.panel("Buddy tree", "split")
    assert [tree.nodes[n].label for n in current(tree)] == ["⟨0,0,2⟩"]
    assert [block for _, block in attempt.rows("Free blocks", "found")] == [
        "⟨2,0,2⟩", "⟨0,2,2⟩", "⟨2,2,2⟩", "⟨4,0,4⟩", "⟨0,4,4⟩",
    ]  # fmt: skip


def test_the_quarter_of_an_anchor_block_that_is_kept():
    """A place in the upper right quarter is split off there, not in the first quarter."""
    held = [(0, 0, 0, 4, 4, 1), (4, 0, 0, 4, 4, 1), (4, 4, 0, 2, 2, 1)]
    attempt = Attempt("sdsc", (8, 8), (3, 3, 1), *held, (6, 4, 0, 2, 2, 1), (4, 6, 0, 2, 2, 1))
    assert [mark.box for mark in attempt.marks("split")] == [Box(0, 4, 0, 4, 4, 1), Box(2, 6, 0, 2, 2, 1)]


def test_distances_are_those_of_the_block_that_is_wanted_now():
    """With every block the list of places begins anew; the least are told."""
    attempt = Attempt("sdsc", (4, 4), (9, 1, 1), (0, 0, 0, 1, 1, 1))
    assert attempt.rows("Distances to the anchor", "closest") == [
        ("⟨0,2,2⟩", "16", ""), ("⟨2,2,2⟩", "8", "least"),
    ]  # fmt: skip
    assert attempt.rows("Distances to the anchor", "want", -1) == []
    assert attempt.rows("Distances to the anchor", "closest", 1) == [
        ("⟨1,0,1⟩", "8", "least"), ("⟨0,1,1⟩", "12", ""), ("⟨1,1,1⟩", "8", "least"),
    ]  # fmt: skip


def test_an_anchor_block_that_cannot_be_had_is_said_to_be_four():
    """The sentence has the numbers wanted before and after."""
    held = [(0, 0, 0, 1, 1, 1), (2, 0, 0, 1, 1, 1), (0, 2, 0, 1, 1, 1), (2, 2, 0, 1, 1, 1)]
    attempt = Attempt("sdsc", (4, 4), (4, 2, 1), *held)
    expected = "No free block is 2×2 or larger, so 8 blocks of half the side are wanted instead of 2."
    assert attempt.at("quarter").says == expected


def test_what_multiple_buddy_wants_moves_to_the_next_smaller_size():
    """Each block missing becomes four; the table follows, and nothing stays wanted."""
    attempt = Attempt("mbs", (4, 4), (2, 2, 1), *((x, y, 0, 1, 1, 1) for x in (0, 2) for y in (0, 2)))
    assert attempt.at("divide").says == (
        "No larger block is free, so 4 blocks of 1×1 are wanted instead of 1 of 2×2."
    )
    wanted = [row[1] for row in attempt.rows("Free block records", "divide")]
    assert wanted == ["0", "0", "4"]


def test_a_block_of_which_a_job_has_the_lower_part_is_broken():
    """A rectangle over the lower half of a block leaves that broken, its lower quarters held."""
    attempt = Attempt("asmb", (4, 4), (1, 1, 1), (0, 0, 0, 4, 2, 1))
    kinds = {node.label: node.kind for node in attempt.panel("Blocks", "turn").nodes}
    assert kinds["⟨0,0,4⟩"] == NodeKind.INTERNAL
    assert kinds["⟨0,0,2⟩"] == kinds["⟨2,0,2⟩"] == NodeKind.BUSY


def test_the_reserved_queue_loses_the_job_that_is_due():
    """From the step on that finds its node free, the job waits no longer."""
    cls = strategy("ta")
    working = cls(Mesh((2, 1)), cls.options_model(eafr=True))
    working.allocate(Request(1, (2, 1, 1), 0.0, 5.0))
    working.allocate(Request(2, (2, 1, 1), 1.0, 5.0))
    assert len(working.inspect(Moment(working.capture())).panels[1].rows) == 1
    working.release(1)
    assert working.due() == (2,)
    trace = working.trace(Request(2, (2, 1, 1), 5.0, 5.0))
    queue = working.inspect(Moment(trace.before, trace.request, trace.steps[:1])).panels[1]
    assert queue.rows == ()


def test_midplanes_that_cannot_be_a_base():
    """One is busy, and the boxes of the others would meet it or leave the mesh; job 0 is a holder too."""
    attempt = Attempt("bluegene", (6, 2, 2), (4, 2, 2), (2, 0, 0, 2, 2, 2), unit=2)
    assert attempt.panel("Midplanes", "fail").values[0, 0].tolist() == [2, 2, 1, 1, 2, 2]
    assert [mark.box.base for mark in attempt.marks("blocked")] == [(0, 0, 0), (2, 0, 0)]
    cls = strategy("bluegene")
    working = cls(Mesh((4, 2, 2)), cls.options_model(unit=2))
    working.allocate(Request(0, (1, 1, 1)))
    _, holders = working.inspect(Moment(working.capture())).panels
    assert [row.cells[:2] for row in holders.rows] == [
        ("(0,0,0)", JobCell("job 0", 0)),
        ("(1,0,0)", "free"),
    ]


def test_numbers_close_up_after_a_draw():
    """The processor with the highest number takes over the one drawn, whatever that was."""
    attempt = Attempt("random", (3, 2), (3, 1, 1), (1, 0, 0, 1, 1, 1))
    for draw in range(3):
        before = attempt.rows("Numbers", "draw", draw)
        after = attempt.rows("Numbers", "close up", draw)
        number = attempt.marks("draw", draw)[0].values[1]
        assert after == [(n, before[-1][1] if int(n) == number else place) for n, place in before[:-1]]
        taker = attempt.marks("close up", draw)[0].box
        assert f"({taker.x},{taker.y})" == before[-1][1]


def test_a_run_of_pages_ends_at_the_busy_page_after_it():
    """A run that is too short is shown with the page that cut it off."""
    attempt = Attempt("paging", (4, 2), (3, 1, 1), (2, 0, 0, 1, 1, 1), selection="first-fit")
    assert [(mark.role, mark.box) for mark in attempt.marks("skip")] == [
        (Role.BLOCKED, Box(2, 0, 0, 1, 1, 1))
    ]


def test_candidate_sets_and_the_best_of_them():
    """One set is the best so far; processors in it and in the set at hand are in both."""
    attempt = Attempt("genalg", (3, 2), (3, 1, 1), (1, 0, 0, 1, 1, 1))
    assert [row[-1] for row in attempt.rows("Candidate sets", "found")] == ["", "", "best", "", ""]
    assert attempt.panel("Sets", "nearest", 1).values[0].tolist() == [[5, 1, 6], [3, 0, 2]]


def test_parts_that_are_given_back():
    """When a part fits nowhere, what the round has placed is told to be given back, and no part is placed."""
    attempt = Attempt("anca", (5, 1), (3, 1, 1), (1, 0, 0, 1, 1, 1), (3, 0, 0, 1, 1, 1))
    assert attempt.rows("Parts of this round", "back") == [("1", "3×1", "nowhere")]
    tree = attempt.panel("Partition", "back", -1)
    assert {node.kind for node in tree.nodes} == {NodeKind.FAILED}
    assert attempt.at("fail").says == "A part is a single processor and cannot be cut, so the job waits."
    columns = [(x, 0, 0, 1, 2, 1) for x in (1, 3, 5)]
    attempt = Attempt("anca", (8, 2), (4, 2, 1), *columns, rounds=1)
    assert attempt.at("fail").says == "The request may be cut only once, so the job waits."


def test_the_shapes_of_a_request_are_counted():
    """As asked, turned and three others: five shapes, not the two orientations."""
    attempt = Attempt("arsgabl", (12, 6), (6, 2, 1))
    assert attempt.at("whole").says == "Look for 12 processors in one box: 5 shapes fit."


@pytest.mark.parametrize("name", ["pald-ff", "pald-bf"])
def test_parts_and_the_search_for_the_part_at_hand(name):
    """A part that waits is told; the search sees what the first part has taken, and stays in view."""
    attempt = Attempt(name, (2, 4), (2, 3, 1), (0, 2, 0, 2, 1, 1))
    says = [attempt.at("part", n).says for n in range(3)]
    assert says == ["The next part is 2×3.", "The next part is 2×2; 1 more waits.", "The next part is 2×1."]
    taken, free = ({"pald-ff": 1, "pald-bf": -2}[name], {"pald-ff": 0, "pald-bf": -1}[name])
    grid = attempt.at("part", 2).panels[-1]
    assert grid.values[0].tolist() == [[taken] * 2] * 3 + [[free] * 2]
    grid = attempt.at("take", 1).panels[-1]
    found = {"pald-ff": [3, 0], "pald-bf": [6, -1]}[name]
    assert grid.values[0].tolist() == [[taken] * 2] * 3 + [found]
