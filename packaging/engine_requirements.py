"""Lists what the engine and its tests need, one requirement a line: pyproject.toml without the extra gui."""

import re
import sys
import tomllib
from pathlib import Path

WINDOW = re.compile(r"qt|pyside|opengl", re.IGNORECASE)
CHECKS = {"ruff", "mypy", "import-linter"}  # these read the sources from the other environment

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
requirements = project["dependencies"] + project["optional-dependencies"]["dev"]
for requirement in requirements:
    name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
    if not WINDOW.search(name) and name not in CHECKS:
        sys.stdout.write(f"{requirement}\n")
