"""Exercises: what is asked, what is right, and the run that is cut off for them."""

import re
from itertools import product

import numpy as np
import pytest

from meshgui.engine.allocation.base import outcome_of
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Box, node_at
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.translation import speaking
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
from meshgui.model.exercises.exercise_cut import RunCut, RunCuts, cut_off
from meshgui.model.exercises.exercise_orders import StructureExercise
from meshgui.model.exercises.exercise_places import FragmentExercise
from meshgui.model.exercises.exercise_routes import circle_of
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise, exercise_set, suited, title_of
from tests.networks import PAPERS_LAWS, busy
from tests.twins.channels import directions

AT_A_MOMENT = tuple(kind for kind in KINDS if kind != "whole")  # tests of whole algorithms are their own
LEFT_TURNS = ((0, 2), (2, 1), (1, 3), (3, 0))
RIGHT_TURNS = ((0, 3), (3, 1), (1, 2), (2, 0))


def key(kind, strategy="ff", seed=7, shape=None):
    """The key of an exercise on a small mesh."""
    return ExerciseKey(kind=kind, strategy=strategy, shape=shape or usual_shape(strategy), seed=seed)


def of_strategy(name, seed=11):
    """An exercise of every kind that a strategy is offered for; another cannot be asked."""
    for kind in AT_A_MOMENT:
        if name in suited(kind):
            yield exercise(key(kind, name, seed))
        else:
            with pytest.raises(ExerciseError, match="cannot be asked"):
                exercise(key(kind, name, seed))


def engines_answer(asked):
    """The answer by a run of its own and an allocation of its own, in terms of the exercise."""
    run = simulate(asked.recording.scenario)
    if asked.kind == "packet":
        return holder_at(run.network, asked.packet, asked.time)
    if asked.kind == "failure":
        start = {job: run.times[run.started[job]] for job in run.snapshot(asked.position).running.tolist()}
        hit = [job for job in start if any(box.overlaps(asked.failed) for box in run.boxes_of(job))]
        held = run.held_processors()
        return asked.options.index(sum(held[job] * (asked.time - start[job]) for job in hit))
    if asked.kind == "direction":
        return direction_of(asked)
    if asked.kind == "turns":
        return circle_with(asked.turns)
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


def holder_at(network, packet, time):
    """Of the packets that hold in turn what one waits for, the one that got it before and has not left it."""
    wanted = next(hop for hop in network.passages(packet) if hop.asked <= time < hop.granted)
    [holder] = [
        other
        for other in wanted.blockers
        for hop in network.passages(other)
        if hop.channel == wanted.channel and hop.granted <= time < hop.left
    ]
    return holder


def direction_of(asked):
    """The option with what the naive network permits; the same for the twin's directions."""
    shape, (here, source, target) = (
        (*asked.mesh.shape, 1),
        (tuple(node_at(asked.mesh, n)) for n in (asked.here, asked.source, asked.target)),
    )
    signs = {(0, 1): "+x", (0, -1): "−x", (1, 1): "+y", (1, -1): "−y"}
    ways = directions(asked.routing, shape, (False,) * 3, here, source, target)
    return asked.form.options.index(" or ".join(signs[way] for way in ways))


def circle_with(turns):
    """What a walk finds that starts at every channel of a mesh and comes back to it."""
    for number, circle in enumerate((LEFT_TURNS, RIGHT_TURNS), 1):
        if set(circle) <= set(turns):
            return number
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1))

    def onward(channel):
        x, y, way = channel
        x, y = x + steps[way][0], y + steps[way][1]
        ways = [way, *(b for a, b in turns if a == way)]
        return [(x, y, w) for w in ways if 0 <= x + steps[w][0] < 6 and 0 <= y + steps[w][1] < 6]

    for start in product(range(6), range(6), range(4)):
        ahead, seen = onward(start), set()
        while ahead:
            if (channel := ahead.pop()) == start:
                return 3
            if channel not in seen:
                seen.add(channel)
                ahead += onward(channel)
    return 0


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
    assert (asked.job, asked.time, asked.right) == (12, 38.0, [0, 0])


def test_of_a_base_each_coordinate_counts_and_of_several_boxes_each_processor_counts():
    """Right x and wrong y is said; the same processors in single boxes are right, too."""
    asked = exercise(key("place", "bl", 3))
    x, y = asked.right
    verdict = asked.judge([x, y - 1])
    assert verdict.score == 0.25
    assert verdict.words.startswith("x is right, y is not. A box from (3,3) is free as well, ")
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
    assert several.blocks == 3
    assert several.judge(several.right).score == 1
    deep = exercise(key("fragment", "ff", 1, (4, 4, 4)))
    assert isinstance(deep.form, SizeForm)
    assert deep.judge(deep.right).score == 1


@pytest.mark.parametrize("name", ["ff", "gabl"])
def test_the_request_of_an_example_is_the_smallest_that_can_be_found(name):
    """Nothing smaller fails, or is cut into as many blocks: so it can be worked out by hand."""
    asked = exercise(key("fragment", name, 5))
    sizes = [(w, d) for w in range(1, 9) for d in range(1, 9) if w * d < np.prod(asked.right)]
    assert all(asked.judge(list(size)).score < 1 for size in sizes)


@pytest.mark.parametrize("name", ["ff", "mbs"])
def test_no_job_asks_for_a_single_processor(name):
    """There is too little to find out about it."""
    for seed in range(20):
        recording = exercise(key("wait", name, seed)).recording
        assert min(np.prod(recording.size(job)) for job in range(len(recording.jobs))) > 1


def test_a_mesh_has_parts_that_a_strategy_gives():
    """Midplanes of BlueGene/L have 8×8×8 processors: so there are several. Slurm's are of two sizes."""
    assert usual_shape("bluegene") == (16, 16, 16)
    assert usual_shape("torus3d") == (8, 8, 8)
    recording = exercise(key("place", "torus3d")).recording
    assert {recording.size(job) for job in range(len(recording.jobs))} == {(2, 2, 2), (4, 4, 4)}


def test_the_boxes_of_an_answer_and_of_the_engine_are_compared():
    """Of a base the job's box from there, if the mesh holds it; of what was given up the right ones."""
    asked = exercise(key("place", "bl", 3))
    (box,) = asked.boxes
    assert asked.compared([box.x, box.y]) == ((box,), (box,))
    assert asked.compared([7, 7]) == ((Box(7, 7, 0, 1, 1, 1),), (box,))
    assert asked.compared(None) == ((), (box,))
    asked = exercise(key("place", "mbs", 3))
    assert asked.compared([[0, 0, 0, 2, 2, 1]]) == ((Box(0, 0, 0, 2, 2, 1),), asked.boxes)
    assert exercise(key("wait", "ff", 3)).compared(1) == ((), ())


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
        ("wait", "2dbs", (4, 4, 4), "2D"),
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
    asked = exercise_set(("ff", "mbs"), KINDS, 2 * len(KINDS), 1)
    assert {each.kind for each in asked} == set(KINDS)
    assert ("structure", "ff") not in {(each.kind, each.strategy) for each in asked}
    assert asked == exercise_set(("ff", "mbs"), KINDS, 2 * len(KINDS), 1)


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


def test_a_cut_run_goes_on_to_a_time_before_its_next_event():
    """Packets move until then; a later time is that of the next event, which is not shown."""
    whole = busy(20)
    position = 6
    before, after = (float(whole.times[event]) for event in (position - 1, position))
    middle = (before + after) / 2
    assert before < middle < after
    cut = cut_off(whole, position, middle)
    assert (len(cut), cut.end_time) == (position, middle)
    for part, same in zip(cut.network.at(int(middle)), whole.network.at(int(middle)), strict=True):
        assert np.array_equal(part, same)
    assert cut_off(whole, position, after + 1).end_time == after
    assert cut_off(whole, position).end_time == before


def test_of_several_rules_the_first_cut_counts_and_the_whole_comes_back():
    """The same part while the same is hidden; what no rule is about is shown as it is."""
    whole, other = busy(20), busy(21)
    cuts, hidden = RunCuts(), [RunCut(9), RunCut(5)]
    for number in range(2):
        cuts.rules.append(lambda run, n=number: hidden[n] if run is whole else None)
    part = cuts.shown(whole)
    assert len(part) == 5
    assert cuts.shown(part) is part
    assert cuts.whole(part) is whole
    assert cuts.shown(other) is cuts.whole(other) is other
    hidden[1] = None
    longer = cuts.shown(part)
    assert len(longer) == 9
    hidden[0] = None
    assert cuts.shown(longer) is cuts.shown(part) is whole


def test_of_sixteen_pairs_of_turns_to_leave_out_twelve_make_routes_safe():
    """One of each circle, as Glass and Ni (1992) count them: all but a turn and its reverse."""
    every, pairs = {*LEFT_TURNS, *RIGHT_TURNS}, list(product(LEFT_TURNS, RIGHT_TURNS))
    unsafe = [(left, right) for left, right in pairs if circle_of(every - {left, right})]
    assert unsafe == [(left, right) for left, right in pairs if left == right[::-1]]
    assert len(pairs) - len(unsafe) == 12
    assert all(circle_of(every - {turn}) in {1, 2} for turn in every)


@pytest.mark.parametrize("kind", ["direction", "turns"])
def test_questions_about_routes_have_answers_of_all_kinds(kind):
    """None of the options is always right, or never but the one that leads away."""
    right = {exercise(key(kind, "ff", seed)).right for seed in range(40)}
    assert right == ({0, 1, 2} if kind == "direction" else {0, 1, 2, 3})


def test_the_numbers_of_a_failure_have_a_comma_in_german():
    """Of its time in the question, its options, and what is said of them."""
    asked = exercise(key("failure"))
    right = f"{asked.options[asked.right]:.1f}".replace(".", ",").removesuffix(",0")
    with speaking("de"):
        assert f"{asked.time:g}".replace(".", ",") in asked.question
        assert right in asked.form.options
        texts = (asked.question, *asked.form.options, asked.explanation, asked.judge(asked.right).words)
        assert not any(re.search(r"\d\.\d", text) for text in texts)
