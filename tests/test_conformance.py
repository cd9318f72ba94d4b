"""The properties that are checked of strategies of one's own, in a story and in the event loop."""

import numpy as np
import pytest

from meshgui.api import Box, Inspection, Line, Options, Role, Source, Strategy, Table, region
from meshgui.conformance import PROPERTIES, failure_of, option_choices, small_meshes
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.gabl import GreedyAvailableBusyList
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.tree_allocation import TreeAllocation


class Right(Strategy):
    """The first free box in scan order, with a count of all jobs that were placed and are there."""

    id = "right"
    title = "Right"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("our course", "lecture 9")
    lines = (Line("found", "allocate the first free box", decision=True, says="{box} is free."),)

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()
        self.jobs = np.zeros(1, dtype=np.int64)

    def allocate(self, request, log=None):
        for z, y, x in np.ndindex(self.held.shape):
            box = Box(x, y, z, *request.size)
            self.operations += 1
            if self.mesh.holds(box) and (region(self.held, box) < 0).all():
                return self.take(request, box, log)
        return None

    def take(self, request, box, log):
        """Hold a box."""
        region(self.held, box)[:] = request.job
        self.jobs += 1
        if log is not None:
            log.note(0, Role.PLACED, box)
        return (box,)

    def release(self, job):
        self.held[self.held == job] = -1
        self.jobs -= 1

    def capture(self):
        return {"held": self.held.copy(), "jobs": self.jobs.copy()}

    def restore(self, state):
        self.held[:], self.jobs[:] = state["held"], state["jobs"]


class Overlaps(Right):
    """Gives every job the same corner."""

    def allocate(self, request, log=None):
        return self.take(request, Box(0, 0, 0, *request.size), log)


class CountsFailures(Right):
    """Changes its state although a job gets nothing."""

    def allocate(self, request, log=None):
        boxes = super().allocate(request, log)
        self.jobs += boxes is None
        return boxes


class Forgets(Right):
    """Continues from the place it came to, which it does not capture."""

    at = 0

    def allocate(self, request, log=None):
        self.at = (self.at + 1) % 2
        box = Box(
            *((m - n) * self.at for m, n in zip(self.mesh.extents, request.size, strict=True)), *request.size
        )
        return self.take(request, box, log) if (region(self.held, box) < 0).all() else None


class Lends(Right):
    """Captures the very arrays it works on."""

    def capture(self):
        return {"held": self.held, "jobs": self.jobs.copy()}


class ReplaysNothing(Right):
    """Does not do an allocation again."""

    def replay(self, request, boxes):
        pass


class LogsAnother(Right):
    """With a log it searches from the other end."""

    def allocate(self, request, log=None):
        if log is None:
            return super().allocate(request)
        box = Box(*(m - n for m, n in zip(self.mesh.extents, request.size, strict=True)), *request.size)
        return self.take(request, box, log) if (region(self.held, box) < 0).all() else None


class CountsItsLog(Right):
    """Counts what it logs as work."""

    def allocate(self, request, log=None):
        self.operations += log is not None
        return super().allocate(request, log)


class Shares(Right):
    """Counts the jobs of all its objects together."""

    together = np.zeros(1, dtype=np.int64)

    def allocate(self, request, log=None):
        self.together += 1
        self.operations += int(self.together[0])
        return super().allocate(request, log)


class Leaks(Right):
    """Never counts a job that leaves."""

    def release(self, job):
        self.held[self.held == job] = -1


class Stepped(Right):
    """Has a step for what it does when a job leaves, and follows it."""

    release_lines = (Line("free", "free all that it holds", decision=True, says="{job} has left."),)

    def release(self, job, log=None):
        super().release(job)
        if log is not None:
            log.note(0, Role.NOTHING, Box(0, 0, 0, 0, 0, 0))

    def released(self, moment):
        held = moment.state["held"].copy()
        if moment.steps:
            held[held == moment.leaving] = -1
        return {"held": held, "jobs": moment.state["jobs"] - len(moment.steps)}


class ReleasesAnother(Stepped):
    """With a log it frees nothing."""

    def release(self, job, log=None):
        if log is None:
            super().release(job)
        else:
            log.note(0, Role.NOTHING, Box(0, 0, 0, 0, 0, 0))


class FollowsAnother(Stepped):
    """Its steps lead to one job more than there are."""

    def released(self, moment):
        return {**super().released(moment), "jobs": moment.state["jobs"] + 1}


class LogsNoLine(Stepped):
    """Logs a line of its release that there is not."""

    def release(self, job, log=None):
        super().release(job)
        if log is not None:
            log.note(1, Role.NOTHING, Box(0, 0, 0, 0, 0, 0))


class ShowsLess(Right):
    """Has no panel left once it steps."""

    def inspect(self, moment):
        panels = () if moment.step is not None else (Table("Jobs", ("job",), (), "None."),)
        return Inspection(panels, moment.marks, self.say(moment))


@pytest.mark.parametrize("cls", [Right, Stepped])
@pytest.mark.parametrize("one", PROPERTIES, ids=lambda one: one.words)
def test_a_right_strategy_keeps_all(one, cls):
    """And so says the check."""
    assert failure_of(one, cls) is None


@pytest.mark.parametrize(
    ("cls", "words", "found"),
    [
        (Overlaps, "gives free boxes", "job 1 got the box (0, 0, 0, 1, 1, 1), part of which is held"),
        (CountsFailures, "changes nothing", "got nothing, but the state has changed"),
        (Forgets, "continues from a restored state", "after a restored state job"),
        (Lends, "captures copies", "expected copies of the arrays"),
        (ReplaysNothing, "reaches the same state by replaying", "replaying job 0 led to a different state"),
        (LogsAnother, "gives the same answer with a log", "with a log job"),
        (CountsItsLog, "counts the same operations", "operations, with a log and without"),
        (Shares, "repeats itself", "two objects counted"),
        (Leaks, "is back in its initial state", "all jobs have left, but jobs is not as at the start"),
        (ReleasesAnother, "releases the same", "with a log the release of job 0 led to a different state"),
        (FollowsAnother, "releases the same", "the steps of the release of job 0 lead to a different state"),
        (LogsNoLine, "releases the same", "the log of the release of job 0 holds the line 1"),
        (
            ShowsLess,
            "can be inspected",
            "at step 1 of job 0 the panels differ from those before the first step",
        ),
    ],
)
def test_a_wrong_one_breaks_the_property_it_is_wrong_in(cls, words, found):
    """The failure says what was found, and tells a story without acts that do not matter."""
    [one] = [one for one in PROPERTIES if one.words.startswith(words)]
    failure = failure_of(one, cls)
    assert failure is not None
    assert found in failure.found
    assert 1 <= len(failure.events) <= 10


def test_every_choice_of_its_options_is_tried():
    """The defaults, and one after another whatever has a few values."""

    class Choices(Options):
        turn: bool = False
        bound: int = 3

    class Chooses(Right):
        options_model = Choices

        def allocate(self, request, log=None):
            return () if self.options.turn else super().allocate(request, log)

    assert option_choices(Chooses) == [Choices(), Choices(turn=True)]
    failure = failure_of(PROPERTIES[0], Chooses)
    assert failure is not None
    assert failure.options.turn


def test_there_is_a_mesh_for_each_of_the_program_s_own():
    """With default options; where there is none there is no story to try."""
    for cls in strategies().values():
        assert small_meshes(cls, cls.options_model()), cls.id

    class Picky(Right):
        @classmethod
        def unfit(cls, mesh, options):
            del mesh, options
            return "never"

    failure = failure_of(PROPERTIES[0], Picky)
    assert failure is not None
    assert failure.found == "it works on none of the meshes tried"


[IN_THE_LOOP] = [one for one in PROPERTIES if "compiled loop" in one.words]


class CountsMore(FirstFit):
    """Counts what it is asked outside its kernels, which the loop does not see."""

    def allocate_rows(self, request, log=None):
        self.operations += 1
        return super().allocate_rows(request, log)


class GivesAnother(FirstFit):
    """Gives other boxes outside its kernels."""

    def allocate_rows(self, request, log=None):
        rows = super().allocate_rows(request, log)
        return rows if rows is None else rows[:, [1, 0, 2, 3, 4, 5]]


@pytest.mark.kernel
@pytest.mark.parametrize("cls", [FirstFit, GreedyAvailableBusyList, TreeAllocation])
def test_those_of_the_project_give_the_same(cls):
    """With reservations too; nothing of it stays among the strategies that scenarios can name."""
    known = dict(strategies())
    assert failure_of(IN_THE_LOOP, cls, stories=8) is None
    assert strategies() == known


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("cls", "found"),
    [(CountsMore, "operations, but its calls by themselves"), (GivesAnother, "in the loop job")],
)
def test_what_differs_is_named_with_its_story(cls, found):
    """The loop's answer and that of a call."""
    failure = failure_of(IN_THE_LOOP, cls)
    assert failure is not None
    assert found in failure.found
    assert failure.events
