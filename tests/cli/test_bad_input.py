"""Bad scenarios and words of any kind: one line, and exit status 2; the transcripts have the usual ones."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meshgui.cli.entry import COMMANDS, run
from meshgui.engine.scenario import ScenarioError
from tests.cli.conftest import is_one_line
from tests.scenarios import parse_scenario

SOUND = {
    "meshgui": 1,
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff", "options": {}},
    "scheduler": {"name": "fcfs", "options": {}},
    "workload": {"kind": "stochastic", "jobs": 10, "load": 1.0, "gaps": {"kind": "exponential"}},
    "seed": 1,
}


@pytest.mark.parametrize("command", ["run", "validate"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[" * 100_000, "nested less deeply"),
        (b'{"meshgui": ' + b"1" * 5000 + b"}", "too many digits"),
        (b"\xff\xfe\x00", "expected JSON"),
        (b"\x00" * 64, "expected JSON"),
    ],
)
def test_a_file_without_a_bound_or_of_bytes_is_one_line(here, tmp_path, command, content, expected):
    """Too deep, too long or no text at all, it is a bad file like any other."""
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    done = here(command, path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"meshgui: {path}: ")
    assert expected in done.stderr
    assert is_one_line(done.stderr)


@pytest.mark.qt
@pytest.mark.parametrize("command", ["run", "validate", "trace", "render", "window"])
def test_a_bad_scenario_is_one_line_in_a_process_of_its_own(meshgui, tmp_path, command):
    """No command, and no window, shows more than the line."""
    path = tmp_path / "bad.meshgui.json"
    path.write_text(json.dumps(SOUND | {"seed": -1}), encoding="utf-8")
    more = {"trace": ["--job", 0], "render": ["--at", 0, "--out", tmp_path / "p.png"]}.get(command, [])
    done = meshgui(*([] if command == "window" else [command]), path, *more)
    line = f"meshgui: {path}: seed: expected at least 0, got -1\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


def test_a_name_of_any_bytes_is_named_on_one_line(here, tmp_path):
    """A line break or a broken letter in a name does not break the line."""
    done = here("run", tmp_path / "a\nb\udcff.json")
    assert done.stderr == f"meshgui: {tmp_path}/a\\nb\\udcff.json: no such file or directory\n"
    assert here("run", "F", "a\nb").stderr == "meshgui run: expected no more arguments, got a\\nb\n"


@pytest.mark.parametrize("words", [["allocators"], ["check"], ["exercise", "show", "--strategy"]])
def test_a_strategy_of_any_bytes_is_none(meshgui, words):
    """A broken letter is no fault of the program, in a process that has not loaded the strategies yet."""
    done = meshgui(*words, "ff\udcff")
    assert (done.returncode, is_one_line(done.stderr)) == (2, True)
    assert "ff\\udcff" in done.stderr
    assert "fault in the program" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(here, command):
    """`--help` says what the command does, and every option of it has a word of explanation."""
    done = here(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert COMMANDS[command] in done.stdout
    assert f"usage: meshgui {command}" in done.stdout


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    """Every place inside a JSON value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))


def complaint_about(text):
    """What is wrong with a scenario, or nothing."""
    try:
        parse_scenario(text, "f.json")
    except ScenarioError as error:
        return str(error)
    return ""


@given(st.sampled_from([path for path in places(SOUND) if path]), json_values, st.booleans())
def test_whatever_stands_anywhere_is_taken_or_refused_in_one_line(path, value, beside):
    """Any JSON value in any place of a scenario, or beside it, ends in a scenario or one line."""
    data = json.loads(json.dumps(SOUND))
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1] + "x" if beside else path[-1]] = value
    complaint = complaint_about(json.dumps(data))
    assert complaint.isprintable()
    assert complaint.startswith("f.json: ") or not complaint


@given(st.text())
def test_any_text_is_taken_or_refused_in_one_line(text):
    """Text that is no scenario is refused in one line that names the file."""
    assert complaint_about(text).startswith("f.json: ")
    assert complaint_about(text).isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.lists(st.text(st.characters(exclude_characters="\0"), max_size=12), max_size=4),
    st.sampled_from(["run", "trace", "render", "network"]),
)
def test_any_words_are_one_line(capsys, words, command):
    """No words after a command lead to a traceback: help, or one line and a status of 1 or 2."""
    status = run([command, *words, "no-such-file"])
    out, err = capsys.readouterr()
    assert (status == 0 and "usage" in out) or (status in {1, 2} and err.count("\n") == 1)
