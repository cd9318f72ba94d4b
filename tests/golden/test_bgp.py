"""BGP against 003: figure 1, Best Fit as the bound of one, the bound itself, and the controller's curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.conformance import Ask, StoryRun
from meshgui.engine.allocation.bgp import most
from meshgui.engine.allocation.fuzzy_control import REACH, bound_change, falling, hump, rising
from meshgui.engine.allocation.inspection import Chart, Moment, NodeKind, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests.properties.stories import Case, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel

BF = Case("bf", ())


def bgp(shape, *boxes, **options):
    """BGP on a mesh where jobs 1, 2, … hold these boxes."""
    cls = strategy("bgp")
    working = cls(Mesh(shape), cls.options_model(**options))
    for job, box in enumerate(boxes, start=1):
        working.replay(Request(job, box.size), (box,))
    return working


def bounded(bound):
    """The strategy with a fixed bound, as a case."""
    return Case("bgp", (("bound", bound),))


WALLS = (Box(1, 0, 0, 1, 6, 1), Box(3, 0, 0, 1, 6, 1))  # 5×6, and no free processor has a free one beside it


def test_2x2_of_figure_1_gets_two_boxes():
    """On a 5×6 mesh with enough free processors but no free 2×2, the job gets two boxes of 1×2."""
    boxes = bgp((5, 6), *WALLS, bound=2).allocate(Request(3, (2, 2, 1)))
    assert boxes == (Box(0, 0, 0, 1, 2, 1), Box(0, 2, 0, 1, 2, 1))


def test_2x2_of_figure_1_waits_where_one_box_is_the_bound():
    """With BGP(1,0) the same request waits, as with any contiguous strategy."""
    assert bgp((5, 6), *WALLS, bound=1).allocate(Request(3, (2, 2, 1))) is None


@cases(150)
@given(data=st.data())
def test_a_bound_of_one_is_best_fit(data):
    """BGP(1,0) gives every job the very box of Best Fit, and lets the same jobs wait (003 table III)."""
    story = data.draw(stories(BF))
    mesh = Mesh(story.mesh.shape[:2])
    fitting = [
        act if not isinstance(act, Ask) else act._replace(size=(*act.size[:2], 1)) for act in story.acts
    ]
    one, other = (StoryRun(case.make, mesh) for case in (bounded(1), BF))
    outcomes = [[answer.outcome for answer in stage.play(fitting)] for stage in (one, other)]
    assert outcomes[0] == outcomes[1]


def asked_from(before, request, mesh, bound):
    """What a request gets from a state, had the bound been this."""
    working = bounded(bound).make(mesh)
    working.restore(before | {"controller_bound": np.array([1000 * bound], dtype=np.int32)})
    return working.allocate(request)


@cases(100)
@given(data=st.data())
def test_a_bound_settles_whether_a_job_starts_and_nothing_else(data):
    """The boxes are those of no bound at all, if they are no more than the bound; else there are none."""
    story = data.draw(stories(bounded(3)))
    stage = StoryRun(bounded(3).make, story.mesh)
    for answer in stage.play(story.acts):
        boxes = asked_from(answer.before, answer.request, story.mesh, 1000)
        if boxes is None:
            assert answer.outcome is None
            continue
        assert answer.outcome == (boxes if len(boxes) <= 3 else None)
        assert asked_from(answer.before, answer.request, story.mesh, len(boxes)) == boxes
        if len(boxes) > 1:
            assert asked_from(answer.before, answer.request, story.mesh, len(boxes) - 1) is None


def test_of_equal_sides_the_first_is_shortened():
    """003 figure 2 asks whether the first side is at least as long: 3×3 becomes 2×3 and 1×3."""
    trace = bgp((5, 3), Box(2, 0, 0, 1, 3, 1), bound=2).trace(Request(2, (3, 3, 1)))
    assert [box.size for box in trace.boxes] == [(2, 3, 1), (1, 3, 1)]


def tree_of(working, trace, steps):
    """The parts after so many steps."""
    tree = working.inspect(Moment(trace.before, trace.request, trace.steps[:steps])).panels[0]
    return [(node.label, node.kind) for node in tree.nodes]


SINGLES = (Box(2, 0, 0, 1, 3, 1), Box(3, 1, 0, 1, 1, 1), Box(4, 0, 0, 1, 1, 1), Box(4, 2, 0, 1, 1, 1))


def test_what_was_taken_is_given_back_when_the_bound_is_met():
    """2×3 is placed, but 1×3 would take three single processors: with a bound of two, both have failed."""
    working = bgp((5, 3), *SINGLES, bound=2)
    trace = working.trace(Request(5, (3, 3, 1)))
    labels = [working.lines[step.line].label for step in trace.steps]
    assert trace.boxes is None
    assert labels[-1] == "fail"
    taken = labels.index("take") + 1
    failed = ("3×3", NodeKind.FAILED)
    assert tree_of(working, trace, taken) == [failed, ("2×3", NodeKind.PLACED), ("1×3", NodeKind.OPEN)]
    assert tree_of(working, trace, len(labels)) == [
        failed,
        ("2×3", NodeKind.FAILED),
        ("1×3", NodeKind.FAILED),
    ]
    assert np.array_equal(working.capture()["held"], trace.before["held"])


@pytest.mark.parametrize(("bound", "boxes"), [(3, None), (4, 4), (5, 4)])
def test_never_more_boxes_than_the_bound(bound, boxes):
    """The same request takes four boxes: 2×3, and 1×3 as three processors."""
    placed = bgp((5, 3), *SINGLES, bound=bound).allocate(Request(5, (3, 3, 1)))
    assert (placed and len(placed)) == boxes


def test_a_request_no_bound_can_hold_is_refused():
    """8×2 on a 6×6 mesh takes three boxes; a controlled bound may fall to one, so it is refused there."""
    size = (8, 2, 1)
    assert bgp((6, 6), bound=3).refusal(size) is None
    assert "does not fit" in bgp((6, 6), bound=2).refusal(size)
    assert "in one box" in bgp((6, 6), bound=3, fuzzy=True).refusal(size)
    assert bgp((6, 6), bound=3, fuzzy=True).refusal((6, 2, 1)) is None


def test_the_start_lies_within_the_controllers_limit():
    """Under control a bound above the highest is an error; a fixed bound has no such limit."""
    options = strategy("bgp").options_model
    with pytest.raises(ValidationError, match=r"at most highest \(20\), got 21"):
        options(bound=21, fuzzy=True)
    assert options(bound=21).bound == 21


def test_the_s_curve_rises():
    """003 prints a falling one: here it is 0 at the left breakpoint, 1 at the right and half way between."""
    assert [rising(0, 20, x) for x in (-5, 0, 10, 20, 25)] == pytest.approx([0, 0, 0.5, 1, 1])
    assert rising(0, 20, 5) == pytest.approx((1 - np.sqrt(0.5)) / 2)


@given(x=st.floats(-50, 50))
def test_the_z_curve_is_the_s_curve_upside_down(x):
    """They add up to one everywhere."""
    assert rising(-10, 30, x) + falling(-10, 30, x) == pytest.approx(1)


def test_the_pi_curve_is_flat_between_its_inner_breakpoints():
    """It rises as the s-curve, stays at one, and falls as the z-curve."""
    values = [hump(0, 10, 20, 30, x) for x in (0, 5, 10, 15, 20, 25, 30)]
    assert values == pytest.approx([0, 0.5, 1, 1, 1, 0.5, 0])


@given(error=st.floats(-100, 100))
def test_the_rules_push_against_the_error(error):
    """Degrees add up to one; the bound moves with the error's sign, the farther the more, by one at most."""
    degrees, change = bound_change(error)
    assert sum(degrees) == pytest.approx(1)
    assert -1 <= change <= 1
    assert bound_change(-error).change == pytest.approx(-change)
    assert bound_change(error + 1).change >= change
    if abs(error) >= REACH:
        assert change == np.sign(error)


def test_the_controller_raises_and_lowers_the_bound():
    """Far below the target each success adds one, up to the highest; far above it takes one, down to one."""
    working = bgp((10, 10), bound=2, fuzzy=True, target=50, highest=3)
    bounds = []
    for job in range(1, 11):
        working.allocate(Request(job, (10, 1, 1)))
        bounds.append(most(working.state))
    assert bounds == [3, 3, 3, 3, 3, 2, 1, 1, 1, 1]


def test_half_the_reach_moves_the_bound_by_half():
    """10 points too low is too low to the degree a half: 2 becomes 2.5, which allows 2."""
    working = bgp((10, 10), bound=2, fuzzy=True, target=20)
    working.allocate(Request(1, (10, 1, 1)))
    assert working.capture()["controller_bound"].tolist() == [2500]
    assert most(working.state) == 2


def test_a_failure_and_a_departure_leave_the_controller_alone():
    """003 figure 4 has the bound refreshed after a success, and at no other time."""
    working = bgp((4, 4), Box(0, 0, 0, 4, 3, 1), bound=2, fuzzy=True, target=60)
    before = working.capture()
    assert working.allocate(Request(2, (3, 3, 1))) is None
    working.release(1)
    after = working.capture()
    assert after["controller_bound"] == before["controller_bound"]
    assert np.array_equal(after["controller_history"], before["controller_history"])


def test_the_history_has_the_latest_allocations():
    """64 of them, numbered from the first: the state does not grow without end."""
    working = bgp((4, 4), bound=1, fuzzy=True)
    for job in range(100):
        working.allocate(Request(job, (2, 2, 1)))
        working.release(job)
    history = working.capture()["controller_history"]
    assert history[:, 0].tolist() == list(range(37, 101))
    assert set(history[:, 1].tolist()) == {4}


def test_the_inspector_follows_the_controller_through_its_steps():
    """The chart points at the new error once it is measured; the bound moves when the rules have spoken."""
    working = bgp((10, 10), bound=2, fuzzy=True, target=20)
    trace = working.trace(Request(1, (10, 1, 1)))
    label = [working.lines[step.line].label for step in trace.steps]
    assert label[-4:] == ["error", "degrees", "change", "found"]

    def seen(steps):
        inspection = working.inspect(Moment(trace.before, trace.request, trace.steps[:steps]))
        return {panel.title: panel for panel in inspection.panels}

    before, measured, changed = (seen(len(label) - n) for n in (4, 3, 1))
    assert before["Memberships of the error"].signs == ()
    assert [sign.x for sign in measured["Memberships of the error"].signs] == [10.0]
    assert [row.cells[2] for row in measured["Rules"].rows] == ["0.00", "0.50", "0.50"]
    assert [row.cells[1] for row in measured["Controller"].rows[:2]] == ["2", "2.00"]
    assert [row.cells[1] for row in changed["Controller"].rows[:2]] == ["2", "2.50"]
    assert len(before["Bound over the allocations"].curves) == 0
    assert changed["Bound over the allocations"].curves[1].y.tolist() == [2.5]
    assert all(
        isinstance(panel, Chart) for title, panel in changed.items() if title.endswith("over the allocations")
    )


def test_the_inspector_keeps_the_search_of_the_latest_part():
    """At the last step the candidates are still those among which the best was chosen."""
    working = bgp((3, 1), bound=2, fuzzy=True)
    trace = working.trace(Request(1, (2, 1, 1)))
    panels = working.inspect(Moment(trace.before, trace.request, trace.steps)).panels
    [candidates] = [panel for panel in panels if panel.title == "Candidates"]
    assert [(row.cells[0], row.cells[3]) for row in candidates.rows] == [("(0,0)", "best"), ("(1,0)", "")]


@pytest.mark.parametrize("target", [1, 20, 80, 100])
def test_the_chart_of_memberships_has_every_error_there_may_be(target):
    """From a full machine to an empty one."""
    working = bgp((10, 10), bound=2, fuzzy=True, target=target)
    [chart] = [p for p in working.inspect(Moment(working.capture())).panels if p.title.startswith("Memb")]
    assert chart.curves[0].x[0] <= target - 100
    assert chart.curves[0].x[-1] >= target
