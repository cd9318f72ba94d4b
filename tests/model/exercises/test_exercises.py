"""Exercises: what is asked, what is right, and the run that is cut off for them."""

import numpy as np
import pytest

from meshgui.engine.allocation.base import outcome_of
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.runs.simulation import simulate
from meshgui.model.exercises.exercise import (
    KINDS,
    AnswerFormatError,
    BaseForm,
    BoxesForm,
    ChoiceForm,
    Draw,
    ExerciseError,
    ExerciseKey,
    OrderForm,
    PacketForm,
    SizeForm,
)
from meshgui.model.exercises.exercise_cut import cut_off
from meshgui.model.exercises.exercise_orders import StructureExercise
from meshgui.model.exercises.exercise_places import FragmentExercise
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise, exercise_set, title_of
from tests.networks import PAPERS_LAWS, busy

OF_EVERY_STRATEGY = {"wait", "packet", "order"}


def key(kind, strategy="ff", seed=7, shape=None):
    """The key of an exercise on a small mesh."""
    return ExerciseKey(kind=kind, strategy=strategy, shape=shape or usual_shape(strategy), seed=seed)


def of_strategy(name, seed=11):
    """An exercise of every kind that a strategy has."""
    for kind in KINDS:
        try:
            yield exercise(key(kind, name, seed))
        except ExerciseError:
            assert kind not in OF_EVERY_STRATEGY


def engines_answer(asked):
    """The answer by a run of its own and an allocation of its own, in terms of the exercise."""
    run = simulate(asked.recording.scenario)
    if asked.kind == "packet":
        return next(
            hop.blockers[-1]
            for hop in run.network.passages(asked.packet)
            if hop.asked <= asked.time < hop.granted and hop.blockers
        )
    machine = run.strategy_at(asked.position)
    if asked.kind == "fragment":
        given = machine.allocate(run.request(0)._replace(job=asked.job, size=asked.example, now=asked.time))
        return asked.right if given is None or (asked.blocks and len(given) >= asked.blocks) else given
    request = run.request(asked.attempt)
    if asked.kind == "order":
        reached = [run.strategy.lines[step.line].text for step in machine.trace(request).steps]
        return [asked.lines.index(text) for text in dict.fromkeys(reached) if text in asked.lines]
    short = machine.granted(request.size) > run.snapshot(asked.position).free
    given = machine.allocate(request)
    if asked.kind == "wait":
        outcome = outcome_of(given)
        return {AttemptOutcome.PLACED: 0, AttemptOutcome.RESERVED: 3}.get(outcome, 1 if short else 2)
    if asked.kind == "place":
        if isinstance(asked.form, BaseForm):
            return list(given[0].base[: run.mesh.dims])
        return [list(box) for box in given]
    panels = run.new_strategy().inspect(Moment(machine.capture())).panels
    panel = next(panel for panel in panels if panel.title == asked.name)
    shown = {" ".join(map(str, row)) for row in _texts(panel)}
    options = [n for n, row in enumerate(asked.options) if " ".join(row) in shown]
    gap = asked.rows[asked.gap]
    return next(n for n in options if " ".join(asked.options[n]) == " ".join(cell.strip() for cell in gap))


def _texts(panel):
    states = ("free", "busy", "divided")
    if hasattr(panel, "nodes"):
        return [(n.label, f"job {n.job}" if n.job is not None else states[n.kind]) for n in panel.nodes]
    return [
        ["–" if cell is None else getattr(cell, "text", cell) for cell in row.cells] for row in panel.rows
    ]


def another(asked):
    """An answer of the form asked for that is not right."""
    form, right = asked.form, asked.right
    if isinstance(form, BaseForm):
        return [(right[0] + 1) % form.mesh.extents[0], *right[1:]]
    if isinstance(form, BoxesForm):
        return right[1:]
    if isinstance(form, ChoiceForm):
        return (right + 1) % len(form.options)
    if isinstance(form, PacketForm):
        return next(packet for packet in form.packets if packet != right)
    if isinstance(form, OrderForm):
        return [*right[1:], right[0]]
    return [1] * form.mesh.dims if asked.judge([1] * form.mesh.dims).score < 1 else list(form.mesh.shape)


def says_the_answer(asked, words):
    """Whether lines stand there in their order, and boxes with their places."""
    if isinstance(asked.form, OrderForm):
        places = [words.index(asked.lines[line]) for line in asked.right]
        return places == sorted(places)
    if isinstance(asked.form, BoxesForm):
        flat = asked.mesh.dims == 2
        return all(Box(*row).describe(flat=flat) in words for row in asked.right[:6])
    return True


@pytest.mark.parametrize("name", list(strategies()))
def test_the_answer_is_the_engines_for_every_strategy(name):
    """And it scores 1, and another scores less, with words for what is right."""
    for asked in of_strategy(name):
        assert asked.right == engines_answer(asked), asked.key
        right, wrong = asked.judge(asked.right), asked.judge(another(asked))
        assert (right.score, right.words[:5]) == (1, "Right"), asked.key
        assert 0 <= wrong.score < 1, asked.key
        assert wrong.words, asked.key
        assert asked.verdict(asked.right) == right
        given_up = asked.verdict(None)
        assert given_up == (0, f"Not answered. {asked.solution}"), asked.key
        assert says_the_answer(asked, given_up.words), asked.key
        assert "{" not in asked.question
        assert asked.title == title_of(asked.kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_asks_the_same_again(kind):
    """The same question, form and answer, drawn again; another seed asks another."""
    one, again = (exercise.__wrapped__(key(kind, "mbs", 3)) for _ in range(2))
    assert (one.question, one.form, one.right) == (again.question, again.form, again.right)
    assert one.fingerprint == again.fingerprint != exercise(key(kind, "mbs", 4)).fingerprint


def test_a_seed_asks_the_same_on_every_machine():
    """The first draws of the generator, and an exercise made of them, as they were when this was written."""
    draw = Draw(1, 2, 8, 8)
    assert [draw.below(100) for _ in range(6)] == [42, 54, 39, 40, 58, 31]
    asked = exercise(key("place", "ff", 1))
    assert (asked.job, asked.time, asked.right) == (8, 17.0, [0, 0])


def test_of_a_base_each_coordinate_counts_and_of_several_boxes_each_processor_counts():
    """Right x and wrong y is said; the same processors in single boxes are right, too."""
    asked = exercise(key("place", "bl", 3))
    x, y = asked.right
    verdict = asked.judge([x, y - 1])
    assert verdict.score == 0.25
    assert verdict.words.startswith("x is right, y is not. From (3,6) ")
    assert asked.judge([x - 1, y - 1]).score == 0
    assert "steps. The last one: A base is left at" in asked.explanation
    asked = exercise(key("place", "mbs", 3))
    boxes = asked.right
    cells = [[x + i, y + j, z, 1, 1, 1] for x, y, z, w, d, _ in boxes for i in range(w) for j in range(d)]
    assert isinstance(asked.form, BoxesForm)
    assert len(cells) == asked.form.processors
    assert asked.judge(cells).score == 1
    half = asked.judge(cells[: len(cells) // 2])
    assert 0 < half.score <= 0.5
    assert half.words.startswith(f"{len(cells) // 2} of the {len(cells)} processors are right. ")


def test_a_fragmented_mesh_refuses_what_it_has_processors_for():
    """The example fails; what is too large for the free processors does not count; what fits scores half."""
    asked = exercise(key("fragment", "ff", 2))
    assert isinstance(asked, FragmentExercise)
    assert asked.blocks == 0
    assert [asked.judge(size).score for size in ([8, 8], [1, 1])] == [0, 0.5]
    several = exercise(key("fragment", "mbs", 2))
    assert several.blocks > 1
    assert several.judge(several.right).score == 1
    deep = exercise(key("fragment", "ff", 1, (4, 4, 4)))
    assert isinstance(deep.form, SizeForm)
    assert deep.judge(deep.right).score == 1


def test_other_answers_are_right_in_part_and_a_list_has_one_gap_and_one_right_option():
    """That a job waits is half of why it does; the missing row is among the options once."""
    asked = next(made for seed in range(40) if (made := exercise(key("wait", "ff", seed))).right == 2)
    assert (asked.judge(1).score, asked.judge(0).score) == (0.5, 0)
    asked = exercise(key("order", "bl", 3))
    first, second, *rest = asked.right
    said = f"{len(rest)} of {len(asked.right)} lines are in place."
    assert asked.judge([second, first, *rest]).words.startswith(said)
    asked = exercise(key("structure", "gabl", 5))
    assert isinstance(asked, StructureExercise)
    assert 3 <= len(asked.form.options) == len(set(asked.form.options)) <= 4


@pytest.mark.parametrize(
    ("kind", "answers"),
    [
        ("place", ([1], [1, 99], [True, 1], "x")),
        ("wait", (9, None, 10**400)),
        ("order", ([0, 0, 1], {})),
        ("fragment", ([0, 1],)),
        ("packet", (-1,)),
    ],
)
def test_what_is_no_answer_is_refused(kind, answers):
    """In one line that says what was expected."""
    for answer in answers:
        with pytest.raises(AnswerFormatError, match="expected"):
            exercise(key(kind)).judge(answer)


@pytest.mark.parametrize(
    ("kind", "strategy", "shape", "said"),
    [
        ("place", "random", (8, 8), "with Random this cannot be asked: “Where"),
        ("structure", "ff", (8, 8), "Choose another strategy, for example Busy List$"),
        ("wait", "nothing", (4, 4), "nothing"),
        ("wait", "sdsc", (4, 4, 4), "2D"),
    ],
    ids=["places by lot", "a list of a strategy without one", "no such strategy", "another mesh"],
)
def test_what_cannot_be_asked_is_said(kind, strategy, shape, said):
    """With a strategy of which it can, so that a student need not guess which one keeps a list."""
    with pytest.raises(ExerciseError, match=said):
        exercise(ExerciseKey(kind=kind, strategy=strategy, shape=shape, seed=7))


def test_everything_can_be_asked_of_a_busy_list_on_no_too_large_mesh():
    """So it is the strategy that is named; of every strategy named, where it has such exercises."""
    assert all(exercise(key(kind, "bl")).question for kind in KINDS)
    with pytest.raises(ValueError, match="at most 4096 processors"):
        key("wait", shape=(100, 100))
    asked = exercise_set(("ff", "mbs"), KINDS, 11, 1)
    assert {each.kind for each in asked} == set(KINDS)
    assert ("structure", "ff") not in {(each.kind, each.strategy) for each in asked}
    assert asked == exercise_set(("ff", "mbs"), KINDS, 11, 1)


@pytest.mark.parametrize("law", [{}, *PAPERS_LAWS], ids=str)
def test_the_network_of_a_cut_run_is_that_of_the_whole_one(law):
    """Channels granted by then are held although no header has entered them yet."""
    whole, granted = busy(20, **law), 0
    for position in range(5, len(whole), 7):
        cycle = int(whole.times[position - 1])
        cut, moment = cut_off(whole, position).network.at(cycle), whole.network.at(cycle)
        for part, same in zip(cut, moment, strict=True):
            assert np.array_equal(part, same)
        granted += len(set(moment.held_channels.tolist()) - set(moment.flit_channels.tolist()))
    assert granted
