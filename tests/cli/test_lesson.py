"""Lists of lessons; the transcripts have what is said of a file."""

import json

from meshgui.model.lesson_shelf import shipped_lessons


def test_the_list_and_the_schema(here):
    """The lessons that come along, and what a moment may have."""
    lines = here("lesson", "list").stdout.splitlines()
    assert len(lines) == len(shipped_lessons())
    assert "What a mesh machine is" in lines[0]
    assert "predict" in json.loads(here("lesson", "schema").stdout)["properties"]


def test_the_list_has_the_lessons_in_the_folder_of_the_user(meshgui, tmp_path):
    """Beside the settings, as the manual says."""
    own = tmp_path / "MeshGUI" / "lessons" / "own.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Of my own\n\n## Step\n\nText\n")
    lines = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert lines[len(shipped_lessons()) :] == [f"{own}: Of my own"]


def test_no_text_of_a_file_controls_the_terminal(meshgui, tmp_path):
    """Neither the name of a lesson's file nor its title, nor do they reorder what follows."""
    own = tmp_path / "MeshGUI" / "lessons" / "a\x1b[2J\u202e.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text("# A\x1b]0;pwned\x07\u202egnp\n\n## One\n", encoding="utf-8")
    *_, line = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert "pwned" in line
    assert not set(line) & set("\x1b\x07\u202e")
