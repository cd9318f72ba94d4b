"""Where to save is asked in one dialog, which proposes a name, a folder and an ending."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from meshgui.engine.basics.translation import speaking
from meshgui.model.moment.clock_words import at_time
from meshgui.views.widgets.save_dialog import SaveDialog, file_stem

PICTURES = "PNG (*.png);;SVG (*.svg)"
SCENARIOS = "Scenarios (*.meshgui.json);;JSON files (*.json)"
FILMS = "GIF (*.gif);;MP4 (*.mp4);;A folder (*)"


class Asked:
    """A window with its dialog, which is answered with a name and a kind; it keeps what was proposed."""

    def __init__(self, monkeypatch, settings):
        self.window, self.settings, self.opened = QWidget(), settings, None
        self.dialog = SaveDialog(self.window, settings, lambda: self.opened)
        self.answer, self.proposed, self.options = ("", ""), Path(), {}
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._get)

    def _get(self, _window, _caption, proposed, _kinds, **options):
        self.proposed, self.options = Path(proposed), options
        return self.answer

    def ask(self, name, kind="", kinds=PICTURES, **how):
        """Answer with a name."""
        self.answer = str(name), kind
        return self.dialog.ask("Export", "Mesh", kinds, **how)


@pytest.fixture
def asked(qtbot, monkeypatch, tmp_path):
    """A window whose settings are fresh."""
    made = Asked(monkeypatch, QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(made.window)
    return made


@pytest.mark.parametrize(
    ("what", "title", "stem"),
    [
        ("Mesh at 97.21", "TBL under load", "TBL under load, Mesh at 97.21"),
        ("Gitter bei 97,21", "TBL unter Last: größer", "TBL unter Last- größer, Gitter bei 97,21"),
        ("الشبكة عند 97.21", "حِملٌ ثقيل", "حِملٌ ثقيل, الشبكة عند 97.21"),
        ("Use of (1,0)→(2,0), cycles 0 to 46", "", "Use of (1,0)→(2,0), cycles 0 to 46"),
        ("Lo et al. 1994, §4.1, table 1", "", "Lo et al. 1994, §4.1, table 1"),
        ("a:b*c?", 'x<y>|"z"\\', "x-y-z, a-b-c"),
        ("../../etc/passwd", "", "etc-passwd"),
        ("Mesh", "two\nlines,\x07 \u2067turned\u2069", "two lines, turned, Mesh"),
        ("small, points", "small", "small, points"),
        ("Mesh", "...", "Mesh"),
        ("", "", "export"),
        ("Mesh at 1", "x" * 300, f"{'x' * 69}, Mesh at 1"),
        ("x" * 300, "TBL", "x" * 80),
    ],
)
def test_a_name_says_of_what_a_file_is_and_what_it_is(what, title, stem):
    """Without what file systems refuse or do not show, and of a long title no more than there is room for."""
    assert file_stem(what, title) == stem


@pytest.mark.parametrize("letter", ["x", "ß", "ش", "網", "\N{MAHJONG TILE RED DRAGON}"])
def test_every_name_has_room_in_a_folder(tmp_path, letter):
    """In any script, with the longest ending."""
    path = tmp_path / f"{file_stem(letter * 50, letter * 200)}.meshgui.json"
    path.write_text("there")
    assert path.name.startswith(letter)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Mesh at 97.21"), ("de", "Mesh bei 97,21"), ("ar", "Mesh عند 97.21")],
)
def test_a_moment_is_named_as_the_window_writes_it(language, said):
    """With two decimals at most, however the language writes them."""
    with speaking(language):
        assert at_time("Mesh", 97.2134) == said
    assert at_time("Mesh", 1234567.0) == "Mesh at 1234567"


@pytest.mark.parametrize(
    ("kinds", "typed", "kind", "path"),
    [
        (PICTURES, "a", "", "a.png"),
        (PICTURES, "a", "SVG (*.svg)", "a.svg"),
        (PICTURES, "a.png", "SVG (*.svg)", "a.svg"),
        (PICTURES, "a.SVG", "PNG (*.png)", "a.SVG"),
        (PICTURES, "Mesh at 97.21", "PNG (*.png)", "Mesh at 97.21.png"),
        (SCENARIOS, "TBL 1.2", "", "TBL 1.2.meshgui.json"),
        (SCENARIOS, "a.meshgui.json", "", "a.meshgui.json"),
        (SCENARIOS, "a.json", "", "a.json"),
        (SCENARIOS, "a.meshgui.json", "JSON files (*.json)", "a.json"),
        (FILMS, "a.gif", "MP4 (*.mp4)", "a.mp4"),
        (FILMS, "a.gif", "A folder (*)", "a"),
        (FILMS, ".gif", "A folder (*)", ".gif"),
        (FILMS, "a.mp4 ", "", "a.mp4"),
    ],
)
def test_the_kind_chosen_gives_the_ending_unless_another_was_typed(asked, tmp_path, kinds, typed, kind, path):
    """The ending that is proposed counts as not typed."""
    assert asked.ask(tmp_path / typed, kind, kinds) == tmp_path / path


def test_it_opens_where_a_file_was_saved_last_or_beside_the_scenario(asked, tmp_path):
    """At first at home; a folder that is gone counts no longer; another program's run has it, too."""
    asked.ask("")
    assert asked.proposed == Path.home() / "Mesh.png"
    asked.opened = tmp_path / "mine.meshgui.json"
    asked.ask("")
    assert asked.proposed == tmp_path / "Mesh.png"
    last = tmp_path / "last"
    last.mkdir()
    asked.ask(last / "a.png")
    asked.ask("")
    assert asked.proposed == last / "Mesh.png"
    asked.settings.sync()
    again = QSettings(asked.settings.fileName(), QSettings.Format.IniFormat)
    SaveDialog(asked.window, again).ask("Export", "Mesh", PICTURES)
    assert asked.proposed == last / "Mesh.png"
    last.rmdir()
    asked.ask("")
    assert asked.proposed == tmp_path / "Mesh.png"
    # What has a place of its own is proposed there, under its own name
    asked.dialog.ask("Save", tmp_path / "other" / "its own.meshgui.json", SCENARIOS)
    assert asked.proposed == tmp_path / "other" / "its own.meshgui.json"


def test_a_cancel_changes_nothing(asked):
    """No file, and the folder of the last time stays."""
    assert asked.ask("") is None
    assert asked.settings.allKeys() == []


def test_a_file_is_replaced_after_a_question_only(asked, tmp_path, monkeypatch):
    """The dialog has asked about the name that was typed; about a completed one the window asks."""
    words = []
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]
    monkeypatch.setattr(QMessageBox, "question", lambda *said: words.append(said[2]) or answers.pop(0))
    (tmp_path / "a.png").write_text("old")
    assert asked.ask(tmp_path / "a") is None
    assert asked.settings.allKeys() == []
    assert asked.ask(tmp_path / "a") == tmp_path / "a.png"
    assert words == ["a.png already exists. Replace it?"] * 2
    assert asked.ask(tmp_path / "a.png") == tmp_path / "a.png"
    assert asked.options == {}
    # What is added to is not asked about at all
    assert asked.ask(tmp_path / "a", adds=True) == tmp_path / "a.png"
    assert asked.options == {"options": QFileDialog.Option.DontConfirmOverwrite}
    assert len(words) == 2
