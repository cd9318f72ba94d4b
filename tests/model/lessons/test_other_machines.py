"""A file of a stranger leads to no other machine: Windows would log in there before it reads a byte."""

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

from meshgui.engine.basics.files import is_elsewhere
from meshgui.engine.scenario import ScenarioError, load_file, scenario_from
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Target, experiment_from, experiment_of
from meshgui.model.document.moment_link import read_link
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_files import LessonError
from tests.experiments import SMALL

NAMES = [
    "//host/share/a.swf",
    "\\\\host\\share\\a.swf",
    "/\\host/share/a.swf",
    "\\\\?\\UNC\\host\\share\\a.swf",
    "///host/x",
]
HERE = ["a.swf", "in/a.swf", "/traces/a.swf", "C:/traces/a.swf", "../a.swf", "\\a.swf"]


@pytest.fixture(autouse=True)
def touched(monkeypatch):
    """What is looked at on other machines: nothing."""
    stat = Path.stat

    def look(path, **how):
        assert not is_elsewhere(str(path)), path
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", look)


def test_names_of_other_machines_and_a_file_may_name_its_own_machine():
    """With either slash, and by Windows' long form; where a scenario lies on a share, so may its trace."""
    assert all(map(is_elsewhere, NAMES))
    assert not any(map(is_elsewhere, HERE))
    folder = Path("//Host/Share/course")
    assert not is_elsewhere("//host/share/a.swf", folder)
    assert is_elsewhere("//host/other/a.swf", folder)


PARTS = {
    "trace": {"workload": {"kind": "swf", "path": "{}"}},
    "packets": {"network": {"pattern": "file", "path": "{}"}},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", PARTS)
def test_a_scenario_names_no_file_of_another_machine(tmp_path, name, part):
    """Read from a file, by a link, in a lesson, a store or a bundle."""
    data = SMALL | json.loads(json.dumps(PARTS[part]).replace("{}", json.dumps(name)[1:-1]))
    path = tmp_path / "a.meshgui.json"
    path.write_text(json.dumps(data))
    packed = urlsafe_b64encode(zlib.compress(path.read_bytes())).decode()
    lesson = tmp_path / "a.lesson.md"
    lesson.write_text(f"# T\n\n## S\n\n```moment\n{json.dumps({'scenario': data})}\n```\n")
    experiment = experiment_of(scenario_from(SMALL), (), Target()).as_data() | {"scenario": data}
    for read in (
        lambda: load_file(path),
        lambda: read_link(f"meshgui://scenario/{packed}"),
        lambda: load_lesson(lesson).scenario(0),
        lambda: experiment_from(experiment),
    ):
        with pytest.raises(ScenarioError, match=r"path: expected a file of this machine, got "):
            read()


@pytest.mark.parametrize("name", NAMES)
def test_a_link_leads_to_no_file_of_another_machine(name):
    """A user who clicks it would be logged in there."""
    with pytest.raises(ScenarioError, match="expected a link to a file of this machine"):
        read_link(f"meshgui://file{name}" if name.startswith("//") else f"meshgui://file/{name}")


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_names_no_scenario_of_another_machine(tmp_path, name):
    """It is that of no ready scenario either."""
    lesson = tmp_path / "a.lesson.md"
    lesson.write_text(f"# T\n\n## S\n\n```moment\n{json.dumps({'scenario': name})}\n```\n")
    with pytest.raises((ScenarioError, LessonError), match="expected a ready scenario or a file beside"):
        load_lesson(lesson).scenario(0)


@pytest.mark.parametrize(
    "field", [{"workload.path": "//host/share/a"}, {"workload": {"kind": "swf", "path": "//host/a"}}]
)
def test_a_field_of_a_lesson_or_an_experiment_names_none(tmp_path, field):
    """Set by itself or with all of its part."""
    lesson = tmp_path / "a.lesson.md"
    moment = {"scenario": "three-jobs-4x4x4", "fields": field}
    lesson.write_text(f"# T\n\n## S\n\n```moment\n{json.dumps(moment)}\n```\n")
    with pytest.raises(ScenarioError, match="expected a file of this machine"):
        load_lesson(lesson).scenario(0)
    [(key, value)] = field.items()
    experiment = experiment_of(scenario_from(SMALL), (), Target()).as_data()
    with pytest.raises(FieldError, match="expected a file of this machine"):
        experiment_from(experiment | {"axes": [{"key": key, "values": [value]}]})
