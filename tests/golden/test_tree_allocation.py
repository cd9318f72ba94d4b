"""Tree Allocation against 004: Example 1 with its trees, the two partitions, EAFR, and what can be missed."""

from functools import cache
from textwrap import dedent

import pytest

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.tree_allocation import TreeAllocationOptions
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.runs.recording import EventKind
from tests.runs import run_of

pytestmark = pytest.mark.kernel

# The list behind Example 1: time, sign, and for allocations ti and (x, y, w, h, r, arr, sev, wait), from 1.
SCHEDULE = [
    (1, "+", 1, (1, 1, 2, 1, 0, 1, 6, 0)),
    (2, "+", 2, (1, 2, 1, 3, 0, 2, 6, 0)),
    (3, "+", 3, (3, 1, 1, 1, 0, 3, 6, 0)),
    (4, "+", 4, (2, 2, 2, 2, 0, 4, 9, 0)),
    (6, "+", 6, (4, 2, 1, 2, 0, 6, 6, 0)),
    (7, "-", 1, None),
    (7, "+", 7, (2, 4, 1, 1, 0, 7, 7, 0)),
    (8, "-", 2, None),
    (9, "-", 3, None),
    (9, "+", 5, (1, 1, 4, 1, 1, 5, 6, 4)),
    (12, "-", 6, None),
    (13, "-", 4, None),
    (14, "-", 7, None),
    (15, "-", 5, None),
]

# The tree after every event but the arrivals, with rtimes; jobs are numbered from 0, corners too.
TREES = {
    "t1 starts": """
        0,0-3,3 7
          0,0-3,0 7
            0,0-1,0 job 0 7
            2,0-3,0 free 0
          0,1-3,3 free 0
    """,
    "t2 starts": """
        0,0-3,3 8
          0,0-3,0 7
            0,0-1,0 job 0 7
            2,0-3,0 free 0
          0,1-3,3 8
            0,1-0,3 job 1 8
            1,1-3,3 free 0
    """,
    "t3 starts": """
        0,0-3,3 9
          0,0-3,0 9
            0,0-1,0 job 0 7
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 8
            0,1-0,3 job 1 8
            1,1-3,3 free 0
    """,
    "t4 starts": """
        0,0-3,3 13
          0,0-3,0 9
            0,0-1,0 job 0 7
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 13
            0,1-0,3 job 1 8
            1,1-3,3 13
              1,1-2,3 13
                1,1-2,2 job 3 13
                1,3-2,3 free 0
              3,1-3,3 free 0
    """,
    "t5 reserves": """
        0,0-3,3 15
          0,0-3,0 9 reserved for 4
            0,0-1,0 job 0 7
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 13
            0,1-0,3 job 1 8
            1,1-3,3 13
              1,1-2,3 13
                1,1-2,2 job 3 13
                1,3-2,3 free 0
              3,1-3,3 free 0
    """,
    "t6 starts": """
        0,0-3,3 15
          0,0-3,0 9 reserved for 4
            0,0-1,0 job 0 7
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 13
            0,1-0,3 job 1 8
            1,1-3,3 13
              1,1-2,3 13
                1,1-2,2 job 3 13
                1,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t1 leaves": """
        0,0-3,3 15
          0,0-3,0 9 reserved for 4
            0,0-1,0 free 0
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 13
            0,1-0,3 job 1 8
            1,1-3,3 13
              1,1-2,3 13
                1,1-2,2 job 3 13
                1,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t7 starts": """
        0,0-3,3 15
          0,0-3,0 9 reserved for 4
            0,0-1,0 free 0
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 14
            0,1-0,3 job 1 8
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 job 3 13
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t2 leaves": """
        0,0-3,3 15
          0,0-3,0 9 reserved for 4
            0,0-1,0 free 0
            2,0-3,0 9
              2,0-2,0 job 2 9
              3,0-3,0 free 0
          0,1-3,3 14
            0,1-0,3 free 0
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 job 3 13
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t3 leaves": """
        0,0-3,3 15
          0,0-3,0 free 0 reserved for 4
          0,1-3,3 14
            0,1-0,3 free 0
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 job 3 13
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t5 starts": """
        0,0-3,3 15
          0,0-3,0 job 4 15
          0,1-3,3 14
            0,1-0,3 free 0
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 job 3 13
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 12
                3,1-3,2 job 5 12
                3,3-3,3 free 0
    """,
    "t6 leaves": """
        0,0-3,3 15
          0,0-3,0 job 4 15
          0,1-3,3 14
            0,1-0,3 free 0
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 job 3 13
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 free 0
    """,
    "t4 leaves": """
        0,0-3,3 15
          0,0-3,0 job 4 15
          0,1-3,3 14
            0,1-0,3 free 0
            1,1-3,3 14
              1,1-2,3 14
                1,1-2,2 free 0
                1,3-2,3 14
                  1,3-1,3 job 6 14
                  2,3-2,3 free 0
              3,1-3,3 free 0
    """,
    "t7 leaves": """
        0,0-3,3 15
          0,0-3,0 job 4 15
          0,1-3,3 free 0
    """,
    "t5 leaves": """
        0,0-3,3 free 0
    """,
}


def drawn(working, moment=None):
    """The tree the inspector shows, written like those above."""
    tree, _ = working.inspect(moment or Moment(working.capture())).panels
    below = {}
    for node in tree.nodes:
        below.setdefault(node.parent, []).append(node)

    def lines(node, depth):
        x, y, _, w, d, _ = node.mark.box
        kind = {NodeKind.FREE: " free", NodeKind.INTERNAL: ""}.get(node.kind, f" job {node.job}")
        reserved = f" reserved for {node.job}" if node.reserved else ""
        yield f"{'  ' * depth}{x},{y}-{x + w - 1},{y + d - 1}{kind} {node.above}{reserved}"
        for child in below.get(node.key, ()):
            yield from lines(child, depth + 1)

    return "\n".join(lines(tree.nodes[0], 0))


def example():
    """The run of Example 1."""
    return run_of("tree-allocation-example-1")


@cache
def told():
    """The events of the example but the arrivals: what each is called, and the position after it."""
    recording = example()
    words = {EventKind.START: "starts", EventKind.RESERVE: "reserves", EventKind.FINISH: "leaves"}
    events = [recording.event(index) for index in range(len(recording))]
    return {
        f"t{event.job + 1} {words[event.kind]}": index + 1
        for index, event in enumerate(events)
        if event.kind in words
    }


def test_example_1_runs_as_printed():
    """Every line of the list: when, where, whether turned, and how long each job waits."""
    recording = example()
    seen = []
    for index in range(len(recording)):
        event = recording.event(index)
        if event.kind == EventKind.START:
            [box] = recording.boxes_of(event.job)
            size, jobs = recording.size(event.job), recording.jobs
            arrival, service = float(jobs.arrival[event.job]), float(jobs.service[event.job])
            turned = int(box.size != size)
            place = (box.x + 1, box.y + 1, box.w, box.d, turned, arrival, service, event.time - arrival)
            seen.append((event.time, "+", event.job + 1, place))
        elif event.kind == EventKind.FINISH:
            seen.append((event.time, "-", event.job + 1, None))
    assert seen == SCHEDULE


def test_example_1_reserves_the_bottom_row_for_t5():
    """At time 5 the least rtime of a node that holds 1×4 is 9: the bottom row."""
    recording = example()
    position = told()["t5 reserves"]
    assert recording.event(position - 1).time == 5
    assert recording.reservation_of(4) == Box(0, 0, 0, 4, 1, 1)
    _, queue = recording.new_strategy().inspect(Moment(recording.state_at(position))).panels
    [row] = queue.rows
    assert [getattr(cell, "text", cell) for cell in row.cells] == ["4", "(0,0)–(3,0)", "9"]


def test_example_1_has_a_tree_after_every_event():
    """Nothing happens in the example that is not drawn here."""
    assert list(told()) == list(TREES)


@pytest.mark.parametrize("event", TREES)
def test_example_1_grows_the_trees_of_figure_1(event):
    """The whole tree with its rtimes after each start, reservation and finish."""
    assert drawn(example().strategy_at(told()[event])) == dedent(TREES[event]).strip()


def test_example_1_steps_end_in_the_tree_that_follows():
    """What an attempt's last step shows is what the run came to, and the job's node is marked as found."""
    recording = example()
    for attempt in range(len(recording.attempts)):
        trace = recording.trace(attempt)
        position = recording.attempts[attempt].position + 1
        last = Moment(trace.before, trace.request, trace.steps)
        assert drawn(recording.new_strategy(), last) == drawn(recording.strategy_at(position))
        tree, _ = recording.new_strategy().inspect(last).panels
        placed = [node.mark.box for node in tree.nodes if node.kind == NodeKind.PLACED]
        assert placed == list(trace.boxes or ())


def test_example_1_keeps_t7_out_of_what_is_promised_to_t5():
    """t7 would stay until 14, after the 9 at which t5 is to start, though before the planned end of t5."""
    recording = example()
    [attempt] = recording.attempts_of(6)
    trace = recording.trace(attempt)
    working = recording.new_strategy()
    late = [
        working.say(Moment(trace.before, trace.request, trace.steps[: n + 1]))
        for n, step in enumerate(trace.steps)
        if working.lines[step.line].label == "late"
    ]
    until = "is free, but (0,0)–(3,0) is promised to job 4 at 9; this job would run until 14."
    assert late == [f"(0,0)–(1,0) {until}", f"(3,0)–(3,0) {until}"]


def at_work(shape, **options):
    """Tree Allocation on an empty mesh."""
    return strategy("ta")(Mesh(shape), TreeAllocationOptions(**options))


def ask(working, job, size, now=0.0, service=1.0):
    """Ask for a box."""
    return working.allocate(Request(job, (*size, 1), now, service))


def test_example_1_would_go_otherwise_with_the_smallest_area():
    """The best fit for t6 is the 2×1 box left above t4, turned: the example searches breadth first."""
    working = at_work((4, 4), search="best", eafr=True)
    for job, size, now, service in [
        (1, (2, 1), 1, 6),
        (2, (1, 3), 2, 6),
        (3, (1, 1), 3, 6),
        (4, (2, 2), 4, 9),
    ]:
        ask(working, job, size, now, service)
    assert ask(working, 5, (1, 4), 5, 6) == Reservation(Box(0, 0, 0, 4, 1, 1))
    assert ask(working, 6, (1, 2), 6, 6) == (Box(1, 3, 0, 2, 1, 1),)


def test_the_smallest_node_is_taken_and_the_nearest_to_the_root_of_equal_ones():
    """§3.1: least area, then least depth."""
    working = at_work((4, 4))
    ask(working, 1, (2, 1))  # leaves 2×1 beside it and 4×3 above
    assert ask(working, 2, (1, 1)) == (Box(2, 0, 0, 1, 1, 1),)
    shallow = at_work((6, 2))
    ask(shallow, 1, (3, 2))
    ask(shallow, 2, (1, 2))
    shallow.release(1)
    ask(shallow, 3, (2, 2))  # takes the 2×2 node at depth 2, not a part of the 3×2 one
    assert drawn(shallow).splitlines()[1] == "  0,0-2,1 free 0"


@pytest.mark.parametrize(
    ("size", "left"),
    [
        ((4, 4), []),
        ((4, 3), [(0, 3, 4, 1)]),
        ((3, 4), [(3, 0, 1, 4)]),
        ((3, 2), [(0, 2, 4, 2), (3, 0, 1, 2)]),  # 4·2 > 1·4: across first
        ((2, 3), [(2, 0, 2, 4), (0, 3, 2, 1)]),  # 4·1 < 2·4: upright first
        ((2, 2), [(2, 0, 2, 4), (0, 2, 2, 2)]),  # equal: upright first
    ],
)
def test_a_node_is_cut_so_that_the_larger_box_stays_free(size, left):
    """Partition_Submesh on an empty 4×4 mesh, level by level."""
    working = at_work((4, 4))
    assert ask(working, 1, size) == (Box(0, 0, 0, *size, 1),)
    tree, _ = working.inspect(Moment(working.capture())).panels
    free = [node.mark.box for node in tree.nodes if node.kind == NodeKind.FREE]
    assert [(box.x, box.y, box.w, box.d) for box in free] == left


def test_a_free_box_that_lies_in_two_leaves_is_missed():
    """Table 2: recognition is not complete. The top row of a 4×3 mesh is free here, but in two leaves."""
    working, scanning = at_work((4, 3)), strategy("ff")(Mesh((4, 3)))
    for searcher in (working, scanning):
        assert ask(searcher, 1, (2, 2)) == (Box(0, 0, 0, 2, 2, 1),)
    assert ask(working, 2, (4, 1)) is None
    assert ask(scanning, 2, (4, 1)) == (Box(0, 2, 0, 4, 1, 1),)


def test_lemma_1_holds_for_allocations_alone():
    """One job can be left in a tree of 9 nodes, when others have left; the lemma's bound is 5."""
    working = at_work((4, 4))
    ask(working, 1, (1, 1))
    ask(working, 2, (1, 1))
    assert len(working.capture()["nodes"]) <= 4 * 2 + 1
    deep = at_work((8, 8))
    ask(deep, 1, (4, 4))
    ask(deep, 2, (2, 2))
    deep.release(1)
    used = [node for node in deep.capture()["nodes"].tolist() if node[2] != -1]
    assert len(used) == 9 > 4 * 1 + 1


def test_only_who_ends_before_it_may_use_what_is_promised():
    """A job that ends at the very time a reserved node comes free comes too late (004 prints <)."""
    working = at_work((4, 1), eafr=True)
    ask(working, 1, (2, 1), now=0, service=10)
    assert ask(working, 2, (4, 1), now=1, service=5) == Reservation(Box(0, 0, 0, 4, 1, 1))
    assert ask(working, 3, (1, 1), now=2, service=8) is None
    assert ask(working, 3, (1, 1), now=2, service=7.5) == (Box(2, 0, 0, 1, 1, 1),)


def test_without_eafr_nothing_is_reserved():
    """A job that finds no leaf waits."""
    working = at_work((4, 1))
    ask(working, 1, (2, 1))
    before = working.capture()["nodes"].tolist()
    assert ask(working, 2, (4, 1)) is None
    assert working.capture()["nodes"].tolist() == before


def test_of_nodes_that_come_free_together_the_nearest_to_the_root_is_reserved():
    """EAFR keeps the first in breadth-first order, so that a whole may be reserved where a part would do."""
    working = at_work((4, 2), eafr=True)
    ask(working, 1, (4, 1), service=10)
    ask(working, 2, (4, 1), service=10)
    assert ask(working, 3, (3, 1)) == Reservation(Box(0, 0, 0, 4, 2, 1))


def test_a_job_waits_where_all_that_could_serve_it_is_promised():
    """Reserved nodes, and all below them, are not reserved again."""
    working = at_work((4, 1), eafr=True)
    ask(working, 1, (2, 1), service=10)
    assert isinstance(ask(working, 2, (4, 1)), Reservation)
    assert ask(working, 3, (2, 1), service=20) is None


def test_a_promise_above_another_waits_for_both():
    """The node above a reserved one may be reserved too; its rtime counts the planned end below it."""
    working = at_work((4, 2), eafr=True)
    ask(working, 1, (4, 1), now=0, service=10)
    ask(working, 2, (4, 1), now=0, service=12)
    assert ask(working, 3, (4, 1), now=1, service=5) == Reservation(Box(0, 0, 0, 4, 1, 1))
    assert ask(working, 4, (4, 2), now=1, service=3) == Reservation(Box(0, 0, 0, 4, 2, 1))
    _, queue = working.inspect(Moment(working.capture())).panels
    assert [row.cells[-1] for row in queue.rows] == ["10", "15"]
    working.release(1)
    assert working.due() == (3,)
    assert ask(working, 3, (4, 1), now=10, service=5) == (Box(0, 0, 0, 4, 1, 1),)
    working.release(2)
    assert working.due() == ()
    working.release(3)
    assert working.due() == (4,)
    assert ask(working, 4, (4, 2), now=15, service=3) == (Box(0, 0, 0, 4, 2, 1),)


def test_below_two_promises_the_nearer_one_counts():
    """A job that ends between the times of two reserved nodes above it would delay the nearer one's job."""
    working = at_work((4, 2), eafr=True)
    ask(working, 1, (3, 1), now=0, service=10)
    ask(working, 2, (4, 1), now=0, service=12)
    assert ask(working, 3, (4, 1), now=1, service=5) == Reservation(Box(0, 0, 0, 4, 1, 1))
    assert ask(working, 4, (4, 2), now=1, service=3) == Reservation(Box(0, 0, 0, 4, 2, 1))
    assert ask(working, 5, (1, 1), now=2, service=9) is None
    assert ask(working, 5, (1, 1), now=2, service=7) == (Box(3, 0, 0, 1, 1, 1),)


def test_who_reserved_first_is_due_first():
    """Nodes that come free together serve their jobs in the order of the reservations."""
    working = at_work((4, 2), eafr=True)
    ask(working, 1, (4, 1), service=10)
    ask(working, 2, (4, 1), service=9)
    assert ask(working, 3, (3, 1), service=2) == Reservation(Box(0, 1, 0, 4, 1, 1))
    assert ask(working, 4, (3, 1)) == Reservation(Box(0, 0, 0, 4, 1, 1))
    working.release(1)
    working.release(2)
    assert working.due() == (3, 4)


@pytest.mark.parametrize("leaving", [(1, 2), (2, 1)])
def test_a_reserved_node_is_not_joined_away(leaving):
    """Two free leaves of which one is promised stay two until its job has started and left."""
    working = at_work((4, 2), eafr=True)
    ask(working, 1, (4, 1), service=5)
    ask(working, 2, (4, 1), service=9)
    ask(working, 3, (4, 1))
    for job in leaving:
        working.release(job)
    assert drawn(working).splitlines()[1:] == ["  0,0-3,0 free 0 reserved for 3", "  0,1-3,1 free 0"]
    assert ask(working, 3, (4, 1), now=9) == (Box(0, 0, 0, 4, 1, 1),)
    working.release(3)
    assert drawn(working) == "0,0-3,1 free 0"


def test_asking_too_early_repeats_the_promise():
    """A job whose reserved node is not free yet is promised the same again, and nothing changes."""
    working = at_work((2, 1), eafr=True)
    ask(working, 1, (2, 1), service=5)
    promise = ask(working, 2, (1, 1))
    before = drawn(working)
    assert ask(working, 2, (1, 1), now=1) == promise == Reservation(Box(0, 0, 0, 2, 1, 1))
    assert drawn(working) == before


def release_of_the_first_quarter(service):
    """What it costs to release a job of one processor, three levels below the root, that ends then."""
    working = strategy("ta")(Mesh((8, 1)))
    for job, width, ends in ((0, 4, 100), (1, 2, 20), (2, 1, service), (3, 1, 10)):
        assert working.allocate(Request(job, (width, 1, 1), 0.0, ends)) is not None
    before = working.operations
    working.release(2)
    return working.operations - before


def test_ready_times_are_set_only_as_far_up_as_they_change():
    """A job that ends before its neighbour concerns its parent alone; one that ends last all above it."""
    assert release_of_the_first_quarter(500) - release_of_the_first_quarter(3) == 2
