"""Whole algorithms: what is to be decided is what the engine does, decided one after the other and undone."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Moment, NodeKind
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Box
from meshgui.engine.runs.simulation import simulate
from meshgui.model.exercises.exercise import AnswerFormatError, ExerciseError, ExerciseKey
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise, suited
from meshgui.model.exercises.hand_in import grade_hand_in, read_hand_in, write_part
from meshgui.model.exercises.whole_work import WholeWork, around, halves, typed_box

COUNTS = {1: 4, 2: 6, 3: 10}


def whole(name="mbs", level=3, seed=3):
    """A whole algorithm on a small mesh."""
    shape = usual_shape(name)
    return exercise(ExerciseKey(kind="whole", strategy=name, shape=shape, seed=seed, level=level))


def first_listed(name="2dbs"):
    """Work on a whole algorithm, done as far as the first list with a box that can be split."""
    work = WholeWork(whole(name))
    while not any(box.volume > 2 for box in work.decision.before):
        decide(work, work.decision.right)
    return work


def decide(work, boxes):
    """Point out boxes, and give them."""
    if not boxes and not work.decision.listed:
        work.wait()
        return
    work.remove(work.boxes)
    for box in boxes:
        work.point(box)
    work.give()


def free_boxes(machine, title):
    """The free boxes in a list or tree of a machine, as its inspector shows them."""
    panels = machine.inspect(Moment(machine.capture())).panels
    panel = next(panel for panel in panels if panel.title == title)
    rows = [n for n in panel.nodes if n.kind == NodeKind.FREE] if hasattr(panel, "nodes") else panel.rows
    return {row.mark.box for row in rows}


@pytest.mark.parametrize("name", sorted(strategies()))
def test_each_decision_is_that_of_a_machine_of_its_own(name):
    """It is led through the same operations, and gives what the run gave, with every strategy offered."""
    if name not in suited("whole"):
        with pytest.raises(ExerciseError, match="cannot be asked"):
            whole(name)
        return
    for level, count in COUNTS.items():
        asked = whole(name, level)
        assert len(asked.decisions) == count
        assert asked.judge(asked.right) == (1, f"Right: all {count} decisions.")
        run = simulate(asked.recording.scenario)
        for decision in asked.decisions:
            machine = run.strategy_at(decision.position)
            if decision.attempt is None:
                machine.release(decision.job)
            else:
                given = machine.allocate(run.request(decision.attempt))
                assert decision.listed or asked.is_right(decision, tuple(Box(*box) for box in given or ()))
            if decision.listed:
                assert free_boxes(machine, decision.listed) == set(decision.right) != set(decision.before)


def test_what_can_be_worked_by_hand_is_offered():
    """All but one that draws lots and one that learns; those that keep free boxes are asked for them."""
    assert set(strategies()) - set(suited("whole")) == {"random", "bgp"}
    with_lists = {
        name for name in suited("whole") if any(decision.listed for decision in whole(name).decisions)
    }
    assert with_lists == {"2dbs", "mbs", "asmb", "sdsc", "fsl", "ta"}


def test_a_wrong_decision_is_taken_again_and_the_first_counts():
    """What is wrong is said without the answer; then the right one leads on."""
    work = WholeWork(whole("ff", 1))
    (right,) = work.decision.right
    assert not work.can_undo
    work.give()
    assert work.words == "Point out the box in the mesh, or let the job wait."
    work.wait()
    assert (work.place, work.words) == (0, f"Job {work.decision.job} can be placed now.")
    work.point(Box(right.x + 1, right.y, 0, 1, 1, 1))
    assert work.boxes[0].size == right.size
    work.give()
    assert work.words.startswith("y is right, x is not. ")
    assert right.describe(flat=True) not in work.words
    decide(work, [right])
    assert (work.place, work.right) == (1, True)
    for decision in work.exercise.decisions[1:]:
        decide(work, decision.right)
    assert work.done
    judgement = work.exercise.judge(work.answer)
    assert judgement.score == 0.75
    assert judgement.words.startswith(
        "3 of 4 decisions are right. These are the decisions:\n1. The job gets "
    )
    assert "\n2. " not in judgement.words


def test_a_second_click_on_a_base_turns_the_box():
    """As far as the strategy turns requests and the mesh holds them."""
    work = WholeWork(whole("tff", 1))
    size = work.exercise.recording.size(work.decision.job)
    assert size[0] != size[1]
    for turned in (size, (size[1], size[0], 1), size):
        work.point(Box(0, 0, 0, 1, 1, 1))
        assert work.boxes == (Box(0, 0, 0, *turned),)
    work.point(Box(7, 7, 0, 1, 1, 1))
    assert work.boxes == (Box(7, 7, 0, 1, 1, 1),)  # nothing of the size has room there


def test_a_list_begins_as_it_was_and_is_split_merged_and_added_to():
    """Quarters in the place of a block, the block around them, and a click that takes one back."""
    work = first_listed()
    before = work.decision.before
    assert work.boxes == before
    large = max(before, key=lambda box: box.volume)
    work.split([large])
    assert set(work.boxes) == {*before, *halves(large)} - {large}
    work.merge(halves(large))
    assert set(work.boxes) == set(before)
    work.point(Box(*large.base, 1, 1, 1))
    assert set(work.boxes) == set(before) - {large}
    work.point(large)
    assert set(work.boxes) == set(before)
    work.give()
    assert work.words == "Bring the list up to date first: this changes it."
    assert len(work.answer) == work.place
    work.remove([large])
    work.give()
    assert work.words.startswith("Not yet. Boxes that are missing: ")
    decide(work, work.decision.right)
    assert work.right


def test_the_boxes_of_some_lists_overlap():
    """A box that is added to the list of largest free boxes takes none away that it meets."""
    work = first_listed("fsl")
    assert any(a.overlaps(b) for a, b in combinations(work.decision.before, 2))
    work.point(work.exercise.mesh.box())
    assert work.boxes == (*work.decision.before, work.exercise.mesh.box())
    work.point(work.exercise.mesh.box())
    assert work.boxes == work.decision.before


@pytest.mark.parametrize("name", ["ff", "2dbs"])
def test_steps_are_shown_one_by_one_and_make_a_decision_count_half(name):
    """The strategy's own steps, up to the decision, which is then pointed out."""
    work = first_listed(name) if name == "2dbs" else WholeWork(whole(name, 1))
    steps = work.exercise.trace(work.decision).steps
    place, decision = work.place, work.decision
    for number in range(1, len(steps) + 1):
        work.show_step()
        assert work.words.startswith(f"Step {number} of {len(steps)}: ")
        assert work.marks == tuple(mark for mark in steps[number - 1].marks if mark.box.volume)
    assert work.boxes == decision.right
    work.show_step()
    assert work.words.startswith(f"Step {len(steps)} of {len(steps)}: ")
    work.give()
    assert work.place == place + 1
    assert work.answer[place]["shown"] == len(steps)
    half = work.exercise.judge(work.answer).score
    assert half == round((place + 0.5) / len(work.exercise.decisions), 3)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 7), st.integers(0, 7)), max_size=12))
def test_all_is_undone(acts):
    """Whatever was pointed out, split, merged, shown and given: the start is back, the answer stays."""
    work = WholeWork(whole("mbs", 3))
    start = work.boxes
    for act, x, y in acts:
        box = Box(x, y, 0, 1, 1, 1)
        (
            lambda box=box: work.point(box),
            lambda: work.split(work.boxes[:1]),
            lambda: work.merge(work.boxes[:2]),
            lambda: work.remove(work.boxes[-1:]),
            work.give,
            lambda: decide(work, work.decision.right),
            work.show_step,
        )[act]()
    firsts = work.answer
    while work.can_undo and not work.done:
        work.undo()
    assert work.done or (work.place, work.boxes) == (0, start)
    assert work.answer == firsts
    work.undo()
    assert work.answer == firsts


@given(st.tuples(*[st.integers(0, 5)] * 3, *[st.integers(1, 6)] * 3))
def test_halves_fill_their_box(numbers):
    """They do not overlap, have its processors, and it is the box around them."""
    box = Box(*numbers)
    parts = halves(box)
    assert not any(one.overlaps(other) for one, other in combinations(parts, 2))
    assert sum(part.volume for part in parts) == box.volume
    assert around(parts) == box
    assert len(parts) == 2 ** sum(side % 2 == 0 for side in box.size)


def test_a_box_is_typed_as_a_base_or_with_its_size():
    """And is not valid where the mesh does not hold it."""
    mesh = whole("ff", 1).mesh
    assert typed_box(mesh, [1, 2]) == Box(1, 2, 0, 1, 1, 1)
    assert typed_box(mesh, [1, 2, 3, 4]) == Box(1, 2, 0, 3, 4, 1)
    assert typed_box(mesh, [1, 2, 3]) is typed_box(mesh, [7, 7, 2, 1]) is None


def test_what_was_done_in_part_is_handed_in_and_graded(tmp_path):
    """Decisions that are missing score nothing; a level has a key of its own, the first is not written."""
    asked = whole("2dbs", 2)
    work = WholeWork(asked)
    for decision in asked.decisions[:3]:
        decide(work, decision.right)
    log = ExerciseLog(tmp_path)
    log.add(asked.key, work.answer, asked.judge(work.answer))
    path = tmp_path / "one.hand-in.json"
    write_part(path, log.hand_in([asked.key, whole("2dbs", 1).key], "Ada"))
    assert read_hand_in(path).answers[0].answer == work.answer
    assert [grade_hand_in(path).score, grade_hand_in(path).remark] == [0.5, ""]
    text = path.read_text()
    assert (text.count('"level": 2'), text.count('"level"')) == (1, 1)
    assert '"shape": [8, 8]' in text
    assert ExerciseLog(tmp_path).answers() == log.answers()


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [[]],
        [{"boxes": []}],
        [{"boxes": [[0, 0, 0, 9, 1, 1]], "shown": 0}],
        [{"boxes": [], "shown": "x"}],
        [{}] * 11,
    ],
)
def test_what_is_no_answer_is_refused(answer):
    """In a line that says what was expected."""
    with pytest.raises(AnswerFormatError, match="expected"):
        whole().judge(answer)


def test_only_whole_algorithms_have_levels():
    """Others refuse one, so that there is one key for one question."""
    with pytest.raises(ValueError, match="has no levels"):
        ExerciseKey(kind="place", strategy="ff", shape=(8, 8), seed=1, level=2)
