"""What every strategy owes: its twin's answers, sound boxes, an honest state, a true log and cost."""

from importlib.resources import files
from inspect import getfile
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui import conformance
from meshgui.conformance import StoryRun, same_state
from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests.properties.stories import CASES, FIRST_CASES, Stage, plain, stories
from tests.scale import cases
from tests.twins import TWINS

pytestmark = pytest.mark.kernel

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_strategy = pytest.mark.parametrize("case", FIRST_CASES, ids=str)


def own_strategies():
    """The project's own strategies by id."""
    return {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}


def test_every_strategy_has_a_twin_and_a_help_page_and_no_file_above_400_lines():
    """A naive version to be held against, a page named for its file, and kernels beside a long one."""
    assert set(TWINS) == set(own_strategies())
    folder = files("meshgui") / "resources" / "help"
    for cls in own_strategies().values():
        assert (folder / f"{cls.__module__.rsplit('.', 1)[-1]}.md").is_file(), cls.id
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
            assert run.mesh.parts(last.marks[0].box)[0] == answer.outcome[0]
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


def cases_named(*names):
    """These strategies as cases."""
    return pytest.mark.parametrize("case", [case for case in FIRST_CASES if case.name in names], ids=str)


class CountedStage(Stage):
    """The cost of every answer is the twin's, too."""

    def ask(self, request):
        expected = self.working.operations + self.twin.find(request.size).operations
        answer = super().ask(request)
        assert self.working.operations == expected
        return answer


@pytest.mark.parametrize("case", [case for case in CASES if case.name in {"ff", "tff"}], ids=str)
@cases(100)
@given(data=st.data())
def test_first_fit_looks_at_as_many_nodes_as_000_figure_2_5_does(case, data):
    """In each orientation that it tries; with an option, those that it visits, each once."""
    story = data.draw(stories(case))
    for answer in CountedStage(case, story.mesh).play(story.acts):
        assert plain(answer.outcome) == answer.expected


@cases_named("bl", "tbl")
@cases(100)
@given(data=st.data())
def test_busy_list_costs_the_planes_it_takes_and_cuts(case, data):
    """An operation is a border plane taken, or a piece of it compared with a region, as the log tells."""
    story = data.draw(stories(case))
    run = StoryRun(case.make, story.mesh)
    for answer in run.play(story.acts):
        attempt = run.repeated(answer)[0]
        steps = list(attempt.log.steps())
        labels = [run.working.lines[step.line].label for step in steps]
        pieces = sum(
            1 if before == "cut" else len(step.marks) - 1
            for step, before, label in zip(steps, labels, labels[1:], strict=False)
            if label == "subtract"
        )
        assert attempt.operations == labels.count("plane") + pieces


@pytest.mark.parametrize("name", ["ff", "tff", "bl", "tbl"])
def test_a_trace_makes_room_for_every_step(name):
    """An attempt of more steps than the log first holds is traced whole, and takes effect once."""
    mesh = Mesh((48, 48))
    working, plain = strategy(name)(mesh), strategy(name)(mesh)
    for job, (x, y) in enumerate(product(range(0, 48, 3), range(0, 48, 6))):
        box = Box(x, y, 0, 1, 1, 1)
        working.replay(Request(job, box.size), (box,))
        plain.replay(Request(job, box.size), (box,))
    request = Request(1000, (3, 47, 1))
    trace = working.trace(request)
    assert len(trace.steps.rows) > 1024
    assert trace.boxes == plain.allocate(request)
    assert same_state(working.capture(), plain.capture())
    assert working.lines[trace.steps[-1].line].label in {"found", "fail"}
