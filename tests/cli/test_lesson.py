"""`meshgui lesson` as authors call it."""

import json

from meshgui.model.lesson_shelf import shipped_lessons


def test_a_lesson_is_checked_step_by_step(here, tmp_path):
    """One line for a sound lesson, one for each fault of another; the exit status says which."""
    sound = shipped_lessons()[2]
    done = here("lesson", "check", sound)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{sound}: ok, 5 steps\n", "")
    bad = tmp_path / "bad.lesson.md"
    bad.write_text('# A\n\n## B\n\n```moment\n{"time": 1}\n```\n\n## C\n\n```moment\n{"time": 1}\n```\n')
    done = here("lesson", "check", bad, sound)
    assert done.returncode == 2
    assert [line.partition(" ")[2].partition(": ")[0] for line in done.stderr.splitlines()] == [
        f"{bad}:5",
        f"{bad}:11",
    ]
    assert done.stdout == f"{sound}: ok, 5 steps\n"


def test_the_list_and_the_schema(here):
    """The lessons that come along, and what a moment may have."""
    lines = here("lesson", "list").stdout.splitlines()
    assert len(lines) == len(shipped_lessons())
    assert "What a mesh machine is" in lines[0]
    assert "predict" in json.loads(here("lesson", "schema").stdout)["properties"]
    assert here("lesson", "check").stderr == "meshgui lesson: expected a FILE to check\n"
    assert here("lesson", "list", "x").returncode == 2


def test_the_list_has_the_lessons_in_the_folder_of_the_user(meshgui, tmp_path):
    """Beside the settings, as the manual says."""
    own = tmp_path / "MeshGUI" / "lessons" / "own.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Of my own\n\n## Step\n\nText\n")
    lines = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert lines[len(shipped_lessons()) :] == [f"{own}: Of my own"]


def test_a_lesson_that_cannot_be_opened_is_said_before_the_window(here, tmp_path):
    """One line, with its place; two lessons at once are none."""
    bad = tmp_path / "bad.lesson.md"
    bad.write_text("# A\n")
    done = here(bad)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"meshgui: {bad}:1: expected at least one step")
    assert here(bad, bad).stderr == "meshgui: expected one lesson, got 2\n"


def test_no_text_of_a_file_controls_the_terminal(meshgui, tmp_path):
    """Neither the name of a lesson's file nor its title, nor do they reorder what follows."""
    own = tmp_path / "MeshGUI" / "lessons" / "a\x1b[2J\u202e.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text("# A\x1b]0;pwned\x07\u202egnp\n\n## One\n", encoding="utf-8")
    *_, line = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert "pwned" in line
    assert not set(line) & set("\x1b\x07\u202e")
