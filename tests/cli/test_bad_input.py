"""Bad words and texts of any kind: one line, and exit status 2; the transcripts have the usual ones."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meshgui.cli.entry import COMMANDS, run
from tests.cli.conftest import is_one_line


@pytest.mark.qt
@pytest.mark.parametrize("command", ["run", "validate", "trace", "render", "window"])
def test_a_bad_scenario_is_one_line_in_a_process_of_its_own(meshgui, scenario_file, tmp_path, command):
    """No command, and no window, shows more than the line."""
    path = scenario_file(seed=-1)
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
def test_a_strategy_of_any_bytes_is_unknown(meshgui, words):
    """A broken letter is not a fault of the program, in a process that has not loaded the strategies yet."""
    done = meshgui(*words, "ff\udcff")
    assert (done.returncode, is_one_line(done.stderr)) == (2, True)
    assert "ff\\udcff" in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(here, command):
    """`--help` says what the command does, and every option of it has a word of explanation."""
    done = here(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert COMMANDS[command] in done.stdout
    assert f"usage: meshgui {command}" in done.stdout


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
