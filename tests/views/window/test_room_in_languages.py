"""What is whole in English is so in every language: each is measured in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meshgui.engine.basics.translation import ENGLISH, languages

pytestmark = pytest.mark.long


@pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])
def test_panels_show_whole_rows_captions_and_words(language):
    """A language is chosen when the program is imported."""
    measuring = Path(__file__).with_name("test_room_for_words.py")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            str(measuring),
            "-k",
            "panels_show or letters or tour or studies or lessons or exercises or palette or keys",
            "-vv",
        ],
        env=os.environ | {"MESHGUI_TEST_LANGUAGE": language, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=450,
    )
    assert done.returncode == 0, done.stdout
