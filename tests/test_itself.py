"""Where the resources lie, from wherever the program runs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import meshgui.itself


@pytest.mark.parametrize("place", ["meshgui/resources", "resources"])
def test_the_resources_are_found_in_the_package_and_beside_it(tmp_path: Path, place: str):
    """A wheel and a frozen folder hold them inside; a checkout and an editable install have them beside."""
    (tmp_path / "meshgui").mkdir()
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / "meshgui" / "__init__.py").touch()
    shutil.copy(meshgui.itself.__file__, tmp_path / "meshgui")
    asked = "from meshgui.itself import resource; print(resource('fonts', 'a.otf'))"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()) == tmp_path / place / "fonts" / "a.otf"
