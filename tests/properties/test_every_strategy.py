"""What every strategy owes, whatever it is: its twin's answers, sound boxes, an honest state, a true log."""

from importlib.resources import files
from inspect import getfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui import conformance
from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.registry import strategies
from tests.properties.stories import CASES, FIRST_CASES, Stage, plain, stories
from tests.scale import cases
from tests.twins import TWINS

pytestmark = pytest.mark.kernel

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_strategy = pytest.mark.parametrize("case", FIRST_CASES, ids=str)


def own_strategies():
    """The project's own strategies by id."""
    return {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}


def test_every_strategy_has_a_twin_and_every_strategy_has_a_help_page():
    """A naive version to be held against, and a page named for the file the strategy is in."""
    assert set(TWINS) == set(own_strategies())
    folder = files("meshgui") / "resources" / "help"
    for cls in own_strategies().values():
        assert (folder / f"{cls.__module__.rsplit('.', 1)[-1]}.md").is_file(), cls.id


def test_a_strategy_above_400_lines_has_its_kernels_in_a_file_beside_it():
    """Kernel and inspector are then two files of one stem, as CONTRIBUTING says."""
    for name, cls in own_strategies().items():
        assert len(Path(getfile(cls)).read_text(encoding="utf-8").splitlines()) <= 400, name


@every_case
@cases(100)
@given(data=st.data())
def test_its_answers_are_the_naive_twins(case, data):
    """The same boxes in the same order from code that shares nothing with it, and sound ones."""
    story = data.draw(stories(case))
    stage = Stage(case, story.mesh)
    for answer in stage.play(story.acts):
        assert plain(answer.outcome) == answer.expected
        conformance.gives_free_boxes(stage, answer)


@every_strategy
@cases(25)
@given(data=st.data())
def test_its_state_is_honest(case, data):
    """A failure changes nothing; replaying, or restoring a capture, leads to the very state it led to."""
    story = data.draw(stories(case))
    run = conformance.StoryRun(case.make, story.mesh)
    for answer in run.play(story.acts):
        conformance.fails_without_change(run, answer)
        conformance.replays(run, answer)
        conformance.restores(run, answer)
    conformance.captures_copies(conformance.StoryRun(case.make, story.mesh), story.acts)


@every_case
@cases(15)
@given(data=st.data())
def test_when_all_have_left_it_is_as_at_first(case, data):
    """Nothing leaks: one tree node, the initial block records, an empty list."""
    story = data.draw(stories(case))
    conformance.returns_to_empty(conformance.StoryRun(case.make, story.mesh), story.acts)


@every_strategy
@cases(10)
@given(data=st.data())
def test_it_shares_nothing_with_another(case, data):
    """Two at work side by side on different stories answer as each does alone, at the same cost."""
    meshes = data.draw(stories(case))
    first, second = meshes.acts, data.draw(stories(case)).acts
    alone = []
    for acts in (first, second):
        stage = conformance.StoryRun(case.make, meshes.mesh)
        fitting = [act for act in acts if not hasattr(act, "size") or meshes.mesh.fits(act.size)]
        alone.append(([a.outcome for a in stage.play(fitting)], stage.working.operations))
    conformance.repeats_itself(conformance.StoryRun(case.make, meshes.mesh), first)
    stages = [conformance.StoryRun(case.make, meshes.mesh) for _ in range(2)]
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
    """With a log come the same answer, cost and state; its last line says what came of it."""
    story = data.draw(stories(case, most=20))
    run = conformance.StoryRun(case.make, story.mesh)
    for answer in run.play(story.acts):
        conformance.same_with_log(run, answer)
        conformance.counts_alike(run, answer)
        log = run.repeated(answer)[0].log
        assert not log.overflowed
        steps = log.steps()
        assert len(steps) > 0
        last = steps[-1]
        if isinstance(answer.outcome, tuple) and not isinstance(answer.outcome, Reservation):
            assert run.working.lines[last.line].label == "found"
            assert last.marks[0].box == answer.outcome[0]
        else:
            assert run.working.lines[last.line].label != "found"


@every_strategy
@cases(6)
@given(data=st.data())
def test_it_can_be_looked_into_at_every_step(case, data):
    """Each step has a sentence and the same panels; trees only grow in an attempt, and grids fit the mesh."""
    story = data.draw(stories(case, most=12))
    run = conformance.StoryRun(case.make, story.mesh)
    assert run.working.inspect(Moment(run.working.capture())).panels
    for answer in run.play(story.acts):
        conformance.inspects_every_step(run, answer)
