"""Lists what the engine and its tests need, one requirement a line; with --window, what the window needs too.

Numba loads SciPy and coverage wherever they are, which is a third of its time, in each of the hundreds of
processes that the tests start. The tests that need these run in the other environment.
"""

import re
import sys
import tomllib
from pathlib import Path

WINDOW = re.compile(r"qt|pyside|opengl", re.IGNORECASE)
# Used in the other environment.
ELSEWHERE = {"ruff", "mypy", "import-linter", "pytest-cov", "scipy", "cairosvg"}

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
requirements = project["dependencies"] + extras["gui"] + extras["dev"]
window = "--window" in sys.argv
for requirement in requirements:
    name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
    if (window or not WINDOW.search(name)) and name not in ELSEWHERE:
        sys.stdout.write(f"{requirement}\n")
