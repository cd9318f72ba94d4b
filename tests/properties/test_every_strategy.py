"""What every strategy owes, whatever it is: its twin's answers, sound boxes, an honest state, a true log."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Grid, Moment, Table, Tree
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import StepLog
from meshgui.engine.geometry import Mesh
from tests.properties.stories import CASES, FIRST_CASES, Stage, plain, sound, stories
from tests.scale import cases
from tests.twins import TWINS

pytestmark = pytest.mark.kernel

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_strategy = pytest.mark.parametrize("case", FIRST_CASES, ids=str)


def same_state(one, other):
    """Whether two captured states hold the same arrays."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and np.array_equal(one[key], other[key]) for key in one
    )


def structure(working):
    """A strategy's state without what it has learnt, which outlasts the jobs."""
    return {key: array for key, array in working.capture().items() if key not in working.learns}


def own_strategies():
    """The project's own strategies by id."""
    return {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}


def test_every_strategy_has_a_twin():
    """None of the project's strategies goes without a naive version to be held against."""
    assert set(TWINS) == set(own_strategies())


def test_every_strategy_has_a_help_page():
    """Each has one in the package, named for the file the strategy is in."""
    folder = files("meshgui") / "resources" / "help"
    for cls in own_strategies().values():
        assert (folder / f"{cls.__module__.rsplit('.', 1)[-1]}.md").is_file(), cls.id


@every_case
@cases(40)
@given(data=st.data())
def test_its_answers_are_the_naive_twins(case, data):
    """The same boxes in the same order from code that shares nothing with it, and sound ones."""
    story = data.draw(stories(case))
    stage = Stage(case, story.mesh)
    for answer in stage.play(story.acts):
        assert plain(answer.outcome) == answer.expected
        sound(stage, answer)


@every_strategy
@cases(25)
@given(data=st.data())
def test_its_state_is_honest(case, data):
    """A failure changes nothing; replaying, or restoring a capture, leads to the very state it led to."""
    story = data.draw(stories(case))
    stage = Stage(case, story.mesh, twin=False)
    other = case.make(story.mesh)
    kept = []
    for answer in stage.play(story.acts):
        after = stage.working.capture()
        kept.append((after, {key: array.copy() for key, array in after.items()}))
        if answer.outcome is None:
            assert same_state(answer.before, after)
        other.restore(answer.before)
        assert same_state(other.capture(), answer.before)
        if isinstance(answer.outcome, Reservation):
            assert other.allocate(answer.request) == answer.outcome
        elif answer.outcome is not None:
            other.replay(answer.request, answer.outcome)
        assert same_state(other.capture(), after)
        other.restore(answer.before)
        assert other.allocate(answer.request) == answer.outcome
        assert same_state(other.capture(), after)
    stage.empty()
    assert all(same_state(state, copy) for state, copy in kept)


@every_case
@cases(15)
@given(data=st.data())
def test_when_all_have_left_it_is_as_at_first(case, data):
    """Nothing leaks: one tree node, the initial block records, an empty list."""
    story = data.draw(stories(case))
    stage = Stage(case, story.mesh, twin=False)
    initial = structure(stage.working)
    for _ in stage.play(story.acts):
        pass
    stage.empty()
    assert same_state(structure(stage.working), initial)


@every_strategy
@cases(10)
@given(data=st.data())
def test_it_shares_nothing_with_another(case, data):
    """Two at work side by side on different stories answer as each does alone, at the same cost."""
    meshes = data.draw(stories(case))
    first, second = meshes.acts, data.draw(stories(case)).acts
    alone = []
    for acts in (first, second):
        stage = Stage(case, meshes.mesh, twin=False)
        fitting = [act for act in acts if not hasattr(act, "size") or meshes.mesh.fits(act.size)]
        alone.append(([a.outcome for a in stage.play(fitting)], stage.working.operations))
    stages = [Stage(case, meshes.mesh, twin=False) for _ in range(2)]
    plays = [
        stage.play([act for act in acts if not hasattr(act, "size") or meshes.mesh.fits(act.size)])
        for stage, acts in zip(stages, (first, second), strict=True)
    ]
    together = [[], []]
    running = [0, 1]
    while running:
        for which in list(running):
            answer = next(plays[which], None)
            if answer is None:
                running.remove(which)
            else:
                together[which].append(answer.outcome)
    assert [(got, s.working.operations) for got, s in zip(together, stages, strict=True)] == alone


@every_strategy
@cases(12)
@given(data=st.data())
def test_its_log_watches_the_very_search(case, data):
    """With a log come the same answer, cost and state; a log too small says how much it needs."""
    story = data.draw(stories(case, most=20))
    stage = Stage(case, story.mesh, twin=False)
    logged = case.make(story.mesh)
    for answer in stage.play(story.acts):
        after = stage.working.capture()
        roomy, small = StepLog(1 << 15), StepLog(2)
        costs = []
        for log in (roomy, small, None):
            logged.restore(answer.before)
            before = logged.operations
            assert logged.allocate(answer.request, log) == answer.outcome
            assert same_state(logged.capture(), after)
            costs.append(logged.operations - before)
        assert len(set(costs)) == 1
        assert small.count == roomy.count
        assert not roomy.overflowed
        steps = roomy.steps()
        assert len(steps) > 0
        assert set(steps.lines().tolist()) <= set(range(len(logged.lines)))
        last = steps[-1]
        if isinstance(answer.outcome, tuple) and not isinstance(answer.outcome, Reservation):
            assert logged.lines[last.line].label == "found"
            assert last.marks[0].box == answer.outcome[0]
        else:
            assert logged.lines[last.line].label != "found"


def panels_of(inspection):
    """What identifies the panels from step to step."""
    return [(panel.title, type(panel)) for panel in inspection.panels]


@every_strategy
@cases(6)
@given(data=st.data())
def test_it_can_be_looked_into_at_every_step(case, data):
    """Each step has a sentence and the same panels; trees only grow in an attempt, and grids fit the mesh."""
    story = data.draw(stories(case, most=12))
    stage = Stage(case, story.mesh, twin=False)
    titles = panels_of(stage.working.inspect(Moment(stage.working.capture())))
    assert titles
    for answer in stage.play(story.acts):
        looker = case.make(story.mesh)
        looker.restore(answer.before)
        trace = looker.trace(answer.request)
        seen = {}
        for step in range(0, len(trace.steps), max(len(trace.steps) // 25, 1)):
            moment = Moment(trace.before, trace.request, trace.steps[: step + 1])
            inspection = looker.inspect(moment)
            assert panels_of(inspection) == titles
            assert inspection.says.strip()
            assert inspection.says == looker.say(moment)
            for panel in inspection.panels:
                check_panel(panel, story.mesh, seen)


def check_panel(panel, mesh: Mesh, seen):
    """A panel holds together."""
    if isinstance(panel, Table):
        assert all(len(row.cells) == len(panel.columns) for row in panel.rows)
    elif isinstance(panel, Grid):
        assert panel.values.shape == mesh.extents[::-1]
        amounts = panel.values.ravel().tolist()
        legend = {value.value for value in panel.legend}
        heat = panel.heat
        assert all(n in legend or (heat is not None and heat.low <= n <= heat.high) for n in amounts)
    elif isinstance(panel, Tree):
        keys = [node.key for node in panel.nodes]
        assert len(keys) == len(set(keys))
        for place, node in enumerate(panel.nodes):
            assert node.parent is None or node.parent in keys[:place]
        parents = {node.key: node.parent for node in panel.nodes}
        assert seen.setdefault(panel.title, {}).items() <= parents.items()
        seen[panel.title] = parents
