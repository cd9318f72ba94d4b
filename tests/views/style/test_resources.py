"""The shipped files are found wherever the program is started."""

import os
import subprocess
import sys
from pathlib import Path

import meshgui.resources

ROOT = Path(meshgui.resources.__file__).parents[2]

# An editable install answers after the search path, as its finder does here.
SCRIPT = f"""
import sys
from importlib.machinery import PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

class Editable:
    @staticmethod
    def find_spec(name, path=None, target=None):
        place = Path({str(ROOT)!r}).joinpath(*name.split("."))
        files = (place / "__init__.py", place.with_suffix(".py"))
        return next((spec_from_file_location(name, file) for file in files if file.exists()), None)

sys.meta_path.insert(sys.meta_path.index(PathFinder) + 1, Editable)
import meshgui
assert meshgui.__file__ is None, "the checkout's folder was to be taken for the package"
from PySide6.QtWidgets import QApplication
from meshgui.catalogue.entries import catalogue
from meshgui.model.examples import example
from meshgui.views.style.fonts import load_fonts
from meshgui.views.style.theme import LIGHT, stylesheet
application = QApplication([])
load_fonts()
assert stylesheet(LIGHT) and catalogue() and example("three-jobs-4x4x4").exists()
"""


def test_a_script_in_the_folder_above_a_checkout_finds_fonts_icons_and_scenarios(tmp_path):
    """Python takes the checkout's folder, which has the program's name, for the package."""
    (tmp_path / "meshgui" / "docs").mkdir(parents=True)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in ([str(script)], ["-c", SCRIPT]):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment | {"QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
