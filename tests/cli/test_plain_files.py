"""Commands read plain files only: of a pipe or a device they say so in one line, with the status 2."""

import os

import pytest

COMMANDS = {
    "run": ["run", "{}"],
    "validate": ["validate", "{}"],
    "trace": ["trace", "{}", "--job", "0"],
    "sweep": ["sweep", "{}"],
    "sweep with a store": ["sweep", "{sound}", "--store", "{}"],
    "lesson": ["lesson", "check", "{}"],
    "grade": ["grade", "{}"],
    "grade with a set": ["grade", "--set", "{}", "{sound}"],
    "network": ["network", "--shape", "4,4", "--packets", "{}", "--out", "{out}"],
    "render": ["render", "{}", "--at", "0", "--out", "{out}"],
    "reproduce with a store": ["reproduce", "000-T3.2", "--quick", "--store", "{}"],
    "check": ["check", "{}"],
    "the window": ["{}"],
    "a link in the window": ["meshgui://file{}"],
    "a lesson in the window": ["{}"],
}
NAMES = {
    "lesson": "pipe.lesson.md",
    "a lesson in the window": "pipe.lesson.md",
    "check": "pipe.py",
    "render": "pipe.meshgui.json",
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_command_refuses_what_is_no_plain_file(here, scenario_file, tmp_path, command, what):
    """Without waiting for anybody."""
    path = tmp_path / NAMES.get(command, "pipe.meshgui.json")
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    places = {"sound": scenario_file(), "out": tmp_path / "out.png"}
    done = here(*(word.format(path, **places) for word in COMMANDS[command]))
    assert done.returncode in {1, 2}
    assert "expected a plain file, not a pipe or device" in done.stdout + done.stderr
    assert (done.stdout + done.stderr).count("\n") == 1
