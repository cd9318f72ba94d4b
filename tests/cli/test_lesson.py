"""Lists of lessons; the transcripts have what is said of a file."""

import pytest

from meshgui.model.lesson_shelf import shipped_lessons


@pytest.mark.parametrize(
    ("name", "title"), [("own", "Of my own"), ("a\x1b[2J\u202e", "A\x1b]0;pwned\x07\u202egnp")]
)
def test_the_list_has_the_lessons_in_the_folder_of_the_user(meshgui, tmp_path, name, title):
    """Beside the settings, as the manual says; no text of a file controls the terminal or reorders it."""
    own = tmp_path / "MeshGUI" / "lessons" / f"{name}.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text(f"# {title}\n\n## Step\n\nText\n", encoding="utf-8")
    lines = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert "What a mesh machine is" in lines[0]
    [line] = lines[len(shipped_lessons()) :]
    assert line == f"{own}: {title}" or "pwned" in line
    assert not set(line) & set("\x1b\x07\u202e")
