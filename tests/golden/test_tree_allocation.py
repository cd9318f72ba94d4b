"""Tree Allocation against 004: Example 1 with its trees, the two partitions, EAFR, and what can be missed."""

from functools import cache
from pathlib import Path

import pytest

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Moment, NodeKind
from meshgui.engine.basics.kinds import EventKind
from tests.attempts import Attempt, ask, at_work, box, cells, panels
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
TREES = dict(
    tree.split("\n", 1)
    for tree in Path(__file__).with_name("trees_of_figure_1.txt").read_text("utf-8").rstrip().split("\n\n")
)


def drawn(working, moment=None):
    """The tree the inspector shows, written like those of the file."""
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
def positions():
    """The position after each event of the example but the arrivals, by what the event is called."""
    recording = example()
    words = {EventKind.START: "starts", EventKind.RESERVE: "reserves", EventKind.FINISH: "leaves"}
    events = [recording.event(index) for index in range(len(recording))]
    return {
        f"t{event.job + 1} {words[event.kind]}": index + 1
        for index, event in enumerate(events)
        if event.kind in words
    }


def test_example_1_runs_as_printed_and_example_1_reserves_the_bottom_row_for_t5():
    """Every line of the list; at time 5 the least rtime of a node that holds 1×4 is 9."""
    recording, seen = example(), []
    jobs = recording.jobs
    for index in range(len(recording)):
        event = recording.event(index)
        if event.kind == EventKind.START:
            [placed] = recording.boxes_of(event.job)
            arrival, service = float(jobs.arrival[event.job]), float(jobs.service[event.job])
            turned = int(placed.size != recording.size(event.job))
            place = (placed.x + 1, placed.y + 1, placed.w, placed.d, turned)
            seen.append((event.time, "+", event.job + 1, (*place, arrival, service, event.time - arrival)))
        elif event.kind == EventKind.FINISH:
            seen.append((event.time, "-", event.job + 1, None))
    assert seen == SCHEDULE
    recording, position = example(), positions()["t5 reserves"]
    assert recording.event(position - 1).time == 5
    assert recording.reservation_of(4) == box(0, 0, 4, 1)
    _, queue = recording.new_strategy().inspect(Moment(recording.state_at(position))).panels
    assert cells(queue) == [("4", "(0,0)–(3,0)", "9")]


def test_example_1_has_a_tree_after_every_event():
    """Nothing happens in the example that is not drawn here."""
    assert list(positions()) == list(TREES)


@pytest.mark.parametrize("event", TREES)
def test_example_1_grows_the_trees_of_figure_1(event):
    """The whole tree with its rtimes after each start, reservation and finish."""
    assert drawn(example().strategy_at(positions()[event])) == TREES[event]


def test_example_1_steps_end_in_the_tree_that_follows():
    """The last step shows the tree of the run; t7 would stay until 14, after the 9 at which t5 starts."""
    recording = example()
    for attempt in range(len(recording.attempts)):
        trace = recording.trace(attempt)
        position = recording.attempts[attempt].position + 1
        last = trace.moment(len(trace.steps))
        assert drawn(recording.new_strategy(), last) == drawn(recording.strategy_at(position))
        tree, _ = recording.new_strategy().inspect(last).panels
        placed = [node.mark.box for node in tree.nodes if node.kind == NodeKind.PLACED]
        assert placed == list(trace.boxes or ())
    recording = example()
    [attempt] = recording.attempts_of(6)
    trace, working = recording.trace(attempt), recording.new_strategy()
    late = [
        working.say(trace.moment(n))
        for n, step in enumerate(trace.steps, 1)
        if working.lines[step.line].label == "late"
    ]
    until = "is free, but (0,0)–(3,0) is promised to job 4 at 9; this job would run until 14."
    assert late == [f"(0,0)–(1,0) {until}", f"(3,0)–(3,0) {until}"]


def with_eafr(shape, *placed, **options):
    """Tree Allocation that reserves, on a mesh on which jobs 1, 2 … of a size and a service are placed."""
    working = at_work("ta", shape, eafr=True, **options)
    for job, (size, service) in enumerate(placed, 1):
        assert isinstance(ask(working, size, job, service=service), tuple)
    return working


def promised(*flat):
    """A reservation of a flat box."""
    return Reservation(box(*flat))


def test_example_1_would_go_otherwise_with_the_smallest_area():
    """The best fit for t6 is the 2×1 box left above t4, turned: the example searches breadth first."""
    working = with_eafr((4, 4), ((2, 1), 7), ((1, 3), 8), ((1, 1), 9), ((2, 2), 13), search="best")
    assert ask(working, (1, 4), 5, now=5, service=6) == promised(0, 0, 4, 1)
    assert ask(working, (1, 2), 6, now=6, service=6) == (box(1, 3, 2, 1),)


def test_the_smallest_node_is_taken_and_the_nearest_to_the_root_of_equal_ones():
    """§3.1: least area, then least depth."""
    working = at_work("ta", (4, 4))
    ask(working, (2, 1))  # leaves 2×1 beside it and 4×3 above
    assert ask(working, (1, 1), 2) == (box(2, 0, 1, 1),)
    shallow = at_work("ta", (6, 2))
    ask(shallow, (3, 2))
    ask(shallow, (1, 2), 2)
    shallow.release(1)
    ask(shallow, (2, 2), 3)  # takes the 2×2 node at depth 2, not a part of the 3×2 one
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
    working = at_work("ta", (4, 4))
    assert ask(working, size) == (box(0, 0, *size),)
    tree, _ = panels(working)
    free = [node.mark.box for node in tree.nodes if node.kind == NodeKind.FREE]
    assert free == [box(*numbers) for numbers in left]


def test_a_free_box_that_lies_in_two_leaves_is_missed():
    """Table 2: recognition is not complete; a job that ends at that very time ends too late."""
    found = {}
    for name in ("ta", "ff"):
        working = at_work(name, (4, 3))
        assert ask(working, (2, 2)) == (box(0, 0, 2),)
        found[name] = ask(working, (4, 1), 2)
    assert found == {"ta": None, "ff": (box(0, 2, 4, 1),)}
    working = at_work("ta", (4, 4))
    ask(working, (1, 1), 1)
    ask(working, (1, 1), 2)
    assert len(working.capture()["nodes"]) <= 4 * 2 + 1
    deep = at_work("ta", (8, 8))
    ask(deep, (4, 4), 1)
    ask(deep, (2, 2), 2)
    deep.release(1)
    used = [node for node in deep.capture()["nodes"].tolist() if node[2] != -1]
    assert len(used) == 9 > 4 * 1 + 1
    working = with_eafr((4, 1), ((2, 1), 10))
    assert ask(working, (4, 1), 2, now=1, service=5) == promised(0, 0, 4, 1)
    assert ask(working, (1, 1), 3, now=2, service=8) is None
    assert ask(working, (1, 1), 3, now=2, service=7.5) == (box(2, 0, 1, 1),)
    working = at_work("ta", (4, 1))
    ask(working, (2, 1))
    before = working.capture()["nodes"].tolist()
    assert ask(working, (4, 1), 2) is None
    assert working.capture()["nodes"].tolist() == before


def test_the_nearest_to_the_root_is_reserved_and_nothing_below_it_again():
    """Of nodes free at the same time EAFR keeps the first, even if a part would do; what is promised is."""
    working = with_eafr((4, 2), ((4, 1), 10), ((4, 1), 10))
    assert ask(working, (3, 1), 3) == promised(0, 0, 4, 2)
    working = with_eafr((4, 1), ((2, 1), 10))
    assert ask(working, (4, 1), 2) == promised(0, 0, 4, 1)
    assert ask(working, (2, 1), 3, service=20) is None


def with_two_promises(first):
    """A mesh whose lower row is promised to job 3 for 10, and the whole of which to job 4 for 15."""
    working = with_eafr((4, 2), (first, 10), ((4, 1), 12))
    assert ask(working, (4, 1), 3, now=1, service=5) == promised(0, 0, 4, 1)
    assert ask(working, (4, 2), 4, now=1, service=3) == promised(0, 0, 4, 2)
    return working


def test_a_promise_above_another_waits_for_both_and_below_two_promises_the_nearer_one_counts():
    """The rtime above counts the planned end below; between two, the nearer job would be delayed."""
    working = with_two_promises((4, 1))
    _, queue = panels(working)
    assert [row[-1] for row in cells(queue)] == ["10", "15"]
    due = []
    for job in (1, 2, 3):
        working.release(job)
        due.append(working.due())
        if job == 1:
            assert ask(working, (4, 1), 3, now=10, service=5) == (box(0, 0, 4, 1),)
    assert due == [(3,), (), (4,)]
    assert ask(working, (4, 2), 4, now=15, service=3) == (box(0, 0, 4, 2),)
    working = with_two_promises((3, 1))
    assert ask(working, (1, 1), 5, now=2, service=9) is None
    assert ask(working, (1, 1), 5, now=2, service=7) == (box(3, 0, 1, 1),)


def test_who_reserved_first_is_due_first():
    """Nodes that are free at the same time serve their jobs in the order of the reservations."""
    working = with_eafr((4, 2), ((4, 1), 10), ((4, 1), 9))
    assert ask(working, (3, 1), 3, service=2) == promised(0, 1, 4, 1)
    assert ask(working, (3, 1), 4) == promised(0, 0, 4, 1)
    working.release(1)
    working.release(2)
    assert working.due() == (3, 4)


@pytest.mark.parametrize("leaving", [(1, 2), (2, 1)])
def test_a_reserved_node_is_not_joined_away(leaving):
    """Two free leaves of which one is promised stay two until its job has started and left."""
    working = with_eafr((4, 2), ((4, 1), 5), ((4, 1), 9))
    ask(working, (4, 1), 3)
    for job in leaving:
        working.release(job)
    assert drawn(working).splitlines()[1:] == ["  0,0-3,0 free 0 reserved for 3", "  0,1-3,1 free 0"]
    assert ask(working, (4, 1), 3, now=9) == (box(0, 0, 4, 1),)
    working.release(3)
    assert drawn(working) == "0,0-3,1 free 0"


def test_asking_too_early_repeats_the_promise():
    """Nothing changes until the node is free; a job that ends before its neighbour concerns its parent."""
    working = with_eafr((2, 1), ((2, 1), 5))
    promise, before = ask(working, (1, 1), 2), drawn(working)
    assert ask(working, (1, 1), 2, now=1) == promise == promised(0, 0, 2, 1)
    assert drawn(working) == before
    working = with_eafr((2, 1), ((2, 1), 5))
    ask(working, (2, 1), 2, now=1, service=5)
    assert len(panels(working)[1].rows) == 1
    working.release(1)
    assert working.due() == (2,)
    attempt = Attempt(working, (2, 1), 2, now=5, service=5)
    assert working.inspect(attempt.trace.moment(1)).panels[1].rows == ()
    assert release_of_the_first_quarter(500) - release_of_the_first_quarter(3) == 2


def release_of_the_first_quarter(ends):
    """The cost of the release of a job of one processor, three levels below the root, that ends then."""
    working = with_eafr((8, 1), ((4, 1), 100), ((2, 1), 20), ((1, 1), ends), ((1, 1), 10))
    before = working.operations
    working.release(3)
    return working.operations - before
