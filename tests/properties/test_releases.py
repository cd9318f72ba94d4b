"""Releases in steps: which strategies have them, and that following the steps is releasing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import StoryRun, random_story, same_state, small_meshes, steps_through_releases
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import Tree
from meshgui.engine.allocation.registry import strategies, strategy
from tests.properties.stories import CASES, FIRST_CASES, Stage, plain, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel

# What a strategy keeps beside which job holds each processor: a release has to put it right.
KEEPS = {
    **dict.fromkeys(("2dbs", "mbs", "sdsc"), "free blocks, of which buddies are merged"),
    "asmb": "free blocks, which are merged or made again",
    **dict.fromkeys(("bl", "tbl", "gabl", "arsgabl", "qa"), "a busy list in order, which shrinks"),
    **dict.fromkeys(("fs", "as", "ls", "adj"), "a busy list, which shrinks"),
    "anca": "the job on each processor, and a busy list, which shrinks",
    "fsl": "a busy list, and a list of free boxes, which is made again",
    "paging": "a free page list, into which the pages are merged",
    "ta": "a tree, which folds",
}
# Those that keep no more than the job on each processor, or on each midplane: marking it free is all.
MARK_ONLY = {"ff", "tff", "bf", "tbf", "random", "genalg", "pald-ff", "pald-bf", "bgp", "bluegene"}
MARK_ONLY |= {"torus3d", "tpu-ocs", "tpu-static"}

STEPPED = [case for case in FIRST_CASES if case.name in KEEPS]
STEPPED += [case for case in CASES if case.name == "ta" and case not in STEPPED]  # with reservations
stepped = pytest.mark.parametrize("case", STEPPED, ids=str)


class SteppedStage(Stage):
    """Releases with the log, and continues from the state to which the steps have led."""

    def leave(self, which):
        working, job = self.working, self.present[which % len(self.present)]
        self.other.restore(working.capture())
        trace = self.other.trace_release(job)
        reached = working.released(trace.moment(len(trace.steps)))
        departure = super().leave(which)
        assert same_state(reached, working.capture())
        working.restore(reached)
        return departure


def own_strategies():
    """The project's own strategies by id."""
    return {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}


def test_the_pseudo_code_of_releases_exists_where_it_should():
    """A strategy has it if it keeps more than who holds each processor, and then follows its steps, too."""
    have = {name for name, cls in own_strategies().items() if cls.release_lines}
    assert have == set(KEEPS)
    assert set(own_strategies()) - have == MARK_ONLY
    for name in have:
        assert strategy(name).released is not Strategy.released


@pytest.mark.parametrize("name", sorted(KEEPS))
def test_a_label_of_a_release_names_one_line(name):
    """Breakpoints on lines go by labels, in allocations and releases alike."""
    cls = strategy(name)
    labels = [line.label for line in cls.release_lines]
    assert len(set(labels)) == len(labels)
    assert not {line.label for line in cls.lines} & set(labels)


@pytest.mark.parametrize("name", sorted(MARK_ONLY))
def test_a_strategy_without_it_keeps_who_holds_each_processor_and_no_more(name):
    """So its state on the empty machine is one array in which all is free, but for what it learns."""
    cls = strategy(name)
    mesh = small_meshes(cls, cls.options_model())[0]
    state = cls(mesh).capture()
    kept = {key: array for key, array in state.items() if key not in cls.learns}
    assert list(kept) == ["held"]
    assert (kept["held"] == -1).all()


@stepped
@cases(15)
@given(data=st.data())
def test_the_steps_lead_to_the_state_that_release_leads_to(case, data):
    """Followed from the log alone, and gone on from, the answers stay those of the naive twin."""
    story = data.draw(stories(case))
    stage = SteppedStage(case, story.mesh)
    for answer in stage.play(story.acts):
        assert plain(answer.outcome) == answer.expected
    while stage.present:
        stage.leave(0)
        for answer in stage.start_due():
            assert plain(answer.outcome) == answer.expected


@stepped
@cases(6)
@given(data=st.data())
def test_a_log_changes_nothing_and_every_step_can_be_shown(case, data):
    """The same state and cost with a log, with one that is too small, and without."""
    story = data.draw(stories(case, most=15))
    run = StoryRun(case.make, story.mesh)
    for departure in run.departures(story.acts):
        steps_through_releases(run, departure)


@stepped
@cases(5)
@given(data=st.data())
def test_every_step_says_something_and_trees_only_fold(case, data):
    """The first tree has every node of the later ones; the last line is the end of the pseudo-code."""
    story = data.draw(stories(case, most=15))
    run = StoryRun(case.make, story.mesh)
    for departure in run.departures(story.acts):
        looker = case.make(story.mesh)
        looker.restore(departure.before)
        trace = looker.trace_release(departure.job)
        assert len(trace.steps)
        assert looker.release_lines[trace.steps[-1].line].decision
        whole = _parents(looker, trace, 0)
        for count in range(1, len(trace.steps) + 1):
            assert looker.say(trace.moment(count)).strip()
            assert _parents(looker, trace, count).items() <= whole.items()


def _parents(looker, trace, count):
    """The nodes of the trees after this number of steps, each with its parent."""
    panels = looker.inspect_release(trace.moment(count)).panels
    trees = [panel for panel in panels if isinstance(panel, Tree)]
    return {(tree.title, node.key): node.parent for tree in trees for node in tree.nodes}


@stepped
def test_every_line_is_reached(case):
    """In some random stories each line with a sentence is passed at least once."""
    cls = strategy(case.name)
    rng = np.random.default_rng(7)
    wanted = {n for n, line in enumerate(cls.release_lines) if line.says}
    for mesh in 20 * small_meshes(cls, cls.options_model()):
        run = StoryRun(case.make, mesh)
        for departure in run.departures(random_story(mesh, rng).acts):
            run.other.restore(departure.before)
            wanted -= set(run.other.trace_release(departure.job).steps.lines().tolist())
        if not wanted:
            return
    assert not wanted
