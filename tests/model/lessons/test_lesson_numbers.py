"""The numbers that a lesson states: each is checked against a run, or has a source."""

import json

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_answers import RightAnswer, answer_in, answer_of, rival_of
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_moment import read_moment
from meshgui.model.lessons.lesson_numbers import agrees, stated_numbers
from meshgui.model.lessons.lesson_prediction import Prediction, Rival
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from tests.runs import run_of


def complaints(folder, predict, text="Words.", **more):
    """What the check says of a lesson with one question."""
    moment = {"scenario": "three-jobs-4x4x4", "time": 2, "predict": {"question": "?", **predict}, **more}
    path = folder / "own.lesson.md"
    path.write_text(f"# Title\n\n## Step\n\n{text}\n\n```moment\n{json.dumps(moment)}\n```\n", "utf-8")
    return [fault.message for fault in check_lesson(path)[1]]


FREE = {"of": "now free"}


@pytest.mark.parametrize(
    ("explain", "figures", "says"),
    [
        ("There are 26 free of 64.", {}, []),
        ("Job 0 holds 32 of them.", {}, ["figures: expected where 32 comes from"]),
        ("Job 0 holds 32 of them.", {"32": "job 0 processors"}, []),
        ("Job 0 holds 33 of them.", {"33": "job 0 processors"}, ["figures.33: the run has 32"]),
        ("It takes 8.4 or so.", {"8.4": {"of": "finish_time", "within": 0.5}}, []),
        ("4 less than 30.", {"30": "26 + 2*2"}, []),
        (
            "4 less than 30.",
            {"30": "26+2*"},
            ["predict.of: expected a calculation, for example 4*4*4, got 26+2*"],
        ),
        ("The paper has 71 %.", {"71": "source"}, []),
        ("The paper has none.", {"71": "source"}, ["figures.71: the step does not state this number"]),
    ],
)
def test_a_number_is_of_the_scenario_or_the_answer_or_says_where_it_comes_from(
    tmp_path, explain, figures, says
):
    """What the run has otherwise is said, and so is a source for a number that is not stated."""
    assert complaints(tmp_path, FREE | {"explain": explain}, figures=figures) == says


def test_sizes_coordinates_and_small_numbers_make_no_claim():
    """Neither do code and titles; a thousand may have a space."""
    text = "# 99 ways\n\nA 16×16 mesh, (12,13), `20`, §31.4, 4 jobs, 3.5 of 32 768, 97 % at 12."
    assert stated_numbers(text) == {"3.5": 3.5, "32 768": 32768.0, "97": 97.0, "12": 12.0}
    assert agrees("8.6", 8.6, 8.567)
    assert not agrees("8.5", 8.5, 8.567)


def test_a_german_number_has_a_comma():
    """One of the text is that of the figures, which have points in every language."""
    with speaking("de"):
        assert stated_numbers("Das Mittel ist 8,6; 12,0 bei (3,5).") == {"8.6": 8.6, "12.0": 12.0}


@pytest.mark.parametrize("path", shipped_lessons(), ids=lambda path: path.name[:2])
def test_translations_state_the_same_numbers(path):
    """Of every text of every lesson, in German and in Arabic."""
    said = []
    for name in ("en", "de", "ar"):
        with speaking(name):
            said.append([stated_by(step) for step in load_lesson(path).steps])
    assert said[0] == said[1] == said[2]


def stated_by(step):
    """The numbers of a step."""
    predict = step.moment and step.moment.predict
    texts = (step.text, predict.question, predict.explain) if predict else (step.text,)
    return set(stated_numbers("\n".join(texts)).values())


def test_an_explanation_that_begins_with_a_number_is_no_list():
    """`85. Here` would be an entry of a list in Markdown; numbers of later lines stay."""
    predict = Prediction.model_validate({"question": "?", "of": "now free", "explain": "85. Here\n\n2. Two"})
    assert predict.explain == "85\\. Here\n\n2. Two"


def test_a_guess_is_asked_for_in_classes_or_says_its_tolerance():
    """The letter of a class counts as any number in it does."""
    predict = Prediction.model_validate({"question": "How many?", "of": "now free", "classes": [10, 20, 40]})
    assert predict.asked == (
        "How many? Choose a letter: A: below 10; B: 10 to 20; C: 20 to 40; D: 40 and more."
    )
    moment, _ = read_moment({"time": 2})
    answer = answer_of(predict, moment, run_of("three-jobs-4x4x4"))
    typed = {text: answer_in(predict, text) for text in ("a", "B", " c ", "D", "39,5", "40", "E")}
    right = {text for text, number in typed.items() if number is not None and answer.right(number)}
    assert right == {" c ", "39,5"}
    assert typed["E"] is None
    predict = Prediction.model_validate({"question": "How many?", "of": "now free", "within": 5})
    assert predict.asked == "How many? (An answer counts as right within ±\N{NO-BREAK SPACE}5.)"
    _, faults = read_moment({"predict": {"question": "?", "of": "now free", "classes": [2, 1]}})
    assert [str(fault.path[-1]) for fault in faults] == ["classes"]


def test_a_foreseen_answer_is_recognised_unless_it_is_right(tmp_path):
    """The nearest one; one whose answer is right is a fault of the lesson."""
    rivals = [(Rival(of="1", says="One."), 1.0), (Rival(of="2", says="Two."), 2.0)]
    answer = RightAnswer(4.0, "", 1.0)
    found = [rival_of(given, rivals, answer) for given in (1.4, 1.8, 3.0, 9.0)]
    assert [rival and rival.says for rival in found] == ["One.", "Two.", None, None]
    rivals = [{"of": "20+6", "says": "It is."}, {"of": "now busy", "says": "Those are busy."}]
    assert complaints(tmp_path, FREE | {"rivals": rivals}) == ["predict.rivals.0: its answer is right"]
