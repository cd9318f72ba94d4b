"""In another language, no widget of the window shows English."""

import os
import subprocess
import sys
from pathlib import Path


def test_every_text_of_the_window_is_a_message(tmp_path):
    """Texts, also painted ones, hints and names for screen readers stand between the marks."""
    script = Path(__file__).with_name("untranslated.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env=os.environ | {"MESHGUI_LANGUAGE": "pseudo", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    *wrong, counts = done.stdout.splitlines() or [""]
    assert wrong == [], done.stderr
    assert [int(count) > 1000 for count in counts.split()] == [True] * 3, done.stderr
