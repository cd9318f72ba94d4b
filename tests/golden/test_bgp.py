"""BGP against 003: figure 1, Best Fit as the bound of one, the bound itself, and the controller's curves."""

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.conformance import StoryRun
from meshgui.engine.allocation.bgp import most
from meshgui.engine.allocation.feedback import report
from meshgui.engine.allocation.fuzzy_control import REACH, bound_change, falling, hump, rising
from meshgui.engine.allocation.registry import strategy
from tests.attempts import Attempt, ask, at_work, box, panels
from tests.properties.stories import Case, stories
from tests.scale import cases
from tests.twins.bgp import Bounded

pytestmark = pytest.mark.kernel


def bounded(bound):
    """The strategy with a fixed bound, as a case."""
    return Case("bgp", (("bound", bound),))


@pytest.mark.parametrize(("bound", "boxes"), [(2, (box(0, 0, 1, 2), box(0, 2, 1, 2))), (1, None)])
def test_2x2_of_figure_1_gets_two_boxes_or_waits(bound, boxes):
    """On a 5×6 mesh with enough free processors but no free 2×2, a bound of two allows two boxes of 1×2."""
    assert ask(at_work("bgp", (5, 6), (1, 0, 1, 6), (3, 0, 1, 6), bound=bound), (2, 2)) == boxes


@cases(150)
@given(data=st.data())
def test_a_bound_of_one_is_best_fit(data):
    """BGP(1,0) gives every job the very box of Best Fit, and lets the same jobs wait (003 table III)."""
    story = data.draw(stories(bounded(1)))
    runs = [StoryRun(case.make, story.mesh) for case in (bounded(1), Case("bf", (("across", False),)))]
    one, other = ([answer.outcome for answer in run.play(story.acts)] for run in runs)
    assert one == other


def test_of_equal_sides_the_first_is_shortened():
    """003 figure 2 asks whether the first side is at least as long: 3×3 becomes 2×3 and 1×3."""
    boxes = ask(at_work("bgp", (5, 3), (2, 0, 1, 3), bound=2), (3, 3))
    assert [placed.size for placed in boxes] == [(2, 3, 1), (1, 3, 1)]


SINGLES = ((2, 0, 1, 3), (3, 1, 1), (4, 0, 1), (4, 2, 1))


def test_what_was_taken_is_given_back_when_the_bound_is_met():
    """2×3 is placed, but 1×3 would take three single processors: with a bound of two, both have failed."""
    attempt = Attempt(at_work("bgp", (5, 3), *SINGLES, bound=2), (3, 3))
    assert attempt.boxes is None
    assert attempt.labels[-1] == "fail"
    kinds = {
        label: [node.kind.name for node in attempt.at(label).panels[0].nodes] for label in ("take", "fail")
    }
    assert kinds == {"take": ["FAILED", "PLACED", "OPEN"], "fail": ["FAILED"] * 3}
    assert np.array_equal(attempt.working.capture()["held"], attempt.trace.before["held"])


@pytest.mark.parametrize(("bound", "boxes"), [(3, None), (4, 4), (5, 4)])
def test_never_more_boxes_than_the_bound(bound, boxes):
    """The same request takes four boxes: 2×3, and 1×3 as three processors."""
    placed = ask(at_work("bgp", (5, 3), *SINGLES, bound=bound), (3, 3))
    assert (placed and len(placed)) == boxes


def test_a_request_no_bound_can_hold_is_refused():
    """8×2 takes three boxes, and a controlled bound may fall to one; a fixed one has no limit."""
    size = (8, 2, 1)
    assert at_work("bgp", (6, 6), bound=3).refusal(size) is None
    assert "does not fit" in at_work("bgp", (6, 6), bound=2).refusal(size)
    controlled = at_work("bgp", (6, 6), bound=3, fuzzy=True)
    assert "in one box" in controlled.refusal(size)
    assert controlled.refusal((6, 2, 1)) is None
    options = strategy("bgp").options_model
    with pytest.raises(ValidationError, match=r"at most highest \(20\), got 21"):
        options(bound=21, fuzzy=True)
    assert options(bound=21).bound == 21


def test_the_s_curve_rises_and_the_pi_curve_is_flat_between_its_inner_breakpoints():
    """003 prints a falling s-curve; the π-curve rises with it, stays at one, and falls as the z-curve."""
    assert [rising(0, 20, x) for x in (-5, 0, 10, 20, 25)] == pytest.approx([0, 0, 0.5, 1, 1])
    assert rising(0, 20, 5) == pytest.approx((1 - np.sqrt(0.5)) / 2)
    values = [hump(0, 10, 20, 30, x) for x in (0, 5, 10, 15, 20, 25, 30)]
    assert values == pytest.approx([0, 0.5, 1, 1, 1, 0.5, 0])


@given(x=st.floats(-50, 50))
def test_the_z_curve_is_the_s_curve_upside_down(x):
    """They add up to one everywhere."""
    assert rising(-10, 30, x) + falling(-10, 30, x) == pytest.approx(1)


def by_the_papers_rules(error):
    """What they say where any error counts."""
    return bound_change(error, 0.0, REACH, -1.0, 0.0, 1.0)


@given(error=st.floats(-100, 100))
def test_the_rules_push_against_the_error(error):
    """Degrees add up to one; the bound moves with the error's sign, the farther the more, by one at most."""
    degrees, change = by_the_papers_rules(error)
    assert sum(degrees) == pytest.approx(1)
    assert -1 <= change <= 1
    assert by_the_papers_rules(-error).change == pytest.approx(-change)
    assert by_the_papers_rules(error + 1).change >= change
    if abs(error) >= REACH:
        assert change == np.sign(error)


def controlled(shape=(10, 10), *held, bound=2, **options):
    """The strategy under control."""
    return at_work("bgp", shape, *held, bound=bound, fuzzy=True, **options)


def test_the_controller_raises_and_lowers_the_bound():
    """By one, within its limits, 10 points too low are two steps; 003 figure 4: only after a success."""
    working, bounds = controlled(target=50, highest=3), []
    for job in range(10):
        ask(working, 10, job)
        bounds.append(most(working.state))
    assert bounds == [3, 3, 3, 3, 3, 2, 1, 1, 1, 1]
    working = controlled(target=20)
    ask(working, 10)
    assert working.capture()["controller_bound"].tolist() == [2500]
    assert most(working.state) == 2
    working = controlled((4, 4), (0, 0, 4, 3), target=60)
    before = working.capture()
    assert ask(working, (3, 3)) is None
    working.release(100)
    after = working.capture()
    assert after["controller_bound"] == before["controller_bound"]
    assert np.array_equal(after["controller_history"], before["controller_history"])
    working = controlled((4, 4), bound=1)
    for job in range(100):
        ask(working, (2, 2), job)
        working.release(job)
    history = working.capture()["controller_history"]
    assert history[:, 0].tolist() == list(range(37, 101))
    assert set(history[:, 1].tolist()) == {4}


INDICATORS = ("turnaround", "service", "blocking", "latency", "blocks", "utilization")


@st.composite
def controls(draw):
    """Options of a controller of some indicators."""
    names = draw(st.lists(st.sampled_from(INDICATORS), min_size=1, unique=True))
    number = st.integers(1, 12)
    held = [
        {"of": of, "target": draw(number) * (8 if of == "utilization" else 1), "weight": draw(number),
         "tolerance": draw(st.integers(0, 2)), "reach": 2 + draw(number)}
        for of in names
    ]  # fmt: skip
    moves = {name: draw(st.sampled_from([-2.0, -0.5, 0.0, 1.0])) for name in ("when_high", "when_low")}
    measure = draw(st.sampled_from(["current", "cumulative"]))
    return {"fuzzy": True, "indicators": held, "measure": measure, "bound": draw(number), **moves}


@cases(100)
@given(data=st.data())
def test_the_bound_follows_every_indicator_as_the_twin_does(data):
    """Jobs come and go, and of each that leaves the run reports its times, and some of its messages."""
    options = data.draw(controls())
    working, twin = at_work("bgp", (4, 3), **options), Bounded((4, 3, 1), True, options)
    now, present = 0.0, {}
    for job in range(12):
        now += data.draw(st.sampled_from([0, 1, 2.5]))
        if present and data.draw(st.booleans()):
            leaving = min(present)
            values = [now - present.pop(leaving), data.draw(st.integers(0, 20)), *data.draw(MESSAGES)]
            if working.feedback.size:
                report(working.feedback, now, *values)
            twin.hear(now, **dict(zip(("turnaround", "service", "blocking", "latency"), values, strict=True)))
            working.release(leaving)
            twin.release(leaving)
            continue
        size = data.draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
        outcome = ask(working, size, job, now=now)
        assert (outcome is None) == (twin.allocate(job, (*size, 1), now) is None)
        if outcome is not None:
            present[job] = now
        assert working.capture()["controller_bound"].tolist() == [round(1000 * twin.bound)]


MESSAGES = st.sampled_from([(nan, nan), (3.0, 40.0), (0.0, 11.0)])


def test_turnaround_and_service_have_the_opposite_sign():
    """003 table I: more boxes shorten both: too long a time raises the bound, too high a latency does not."""
    for of, raised in (("turnaround", True), ("service", True), ("latency", False), ("blocking", False)):
        working = controlled(indicators=[{"of": of, "target": 5, "reach": 10}], bound=3)
        ask(working, (1, 1), 1)
        assert most(working.state) == 3  # nothing is known yet
        report(working.feedback, 30.0, 30.0, 30.0, 30.0, 30.0)
        working.release(1)
        ask(working, (1, 1), 2, now=30.0)
        assert most(working.state) == (4 if raised else 2)


def test_indicators_are_weighed():
    """Utilisation, far too low, asks for one box more; one block is on target, and counts three times."""
    held = [{"target": 80}, {"of": "blocks", "target": 1, "weight": 3, "reach": 1}]
    working = controlled(indicators=held)
    ask(working, (2, 2))
    assert working.capture()["controller_bound"].tolist() == [2000 + 1000 // 4]  # the second is on target


def test_an_indicator_is_named_once_and_its_breakpoints_are_in_order():
    """One clear sentence each."""
    options = strategy("bgp").options_model
    with pytest.raises(ValidationError, match="each indicator once, got blocks again"):
        options(indicators=[{"of": "blocks"}, {"of": "blocks"}])
    with pytest.raises(ValidationError, match=r"less than reach \(3\), got 3"):
        options(indicators=[{"reach": 3.0, "tolerance": 3.0}])


@pytest.mark.parametrize("target", [1, 20, 80, 100])
def test_the_chart_of_memberships_has_every_error_there_may_be(target):
    """From a full machine to an empty one."""
    [chart] = [panel for panel in panels(controlled(target=target)) if panel.title.startswith("Memb")]
    assert chart.curves[0].x[0] <= target - 100
    assert chart.curves[0].x[-1] >= target
