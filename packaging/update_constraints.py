"""Writes constraints.txt: the version of everything MeshGUI, its checks and its cluster extra install.

Versions already pinned are kept; ``--upgrade`` takes the newest instead.
Run it with the oldest supported Python.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

CONSTRAINTS = Path(__file__).with_name("constraints.txt")
ROOT = CONSTRAINTS.parent.parent


def wanted() -> list[str]:
    """Every requirement that pyproject.toml names."""
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = metadata["project"]
    extras = project["optional-dependencies"].values()
    return [*metadata["build-system"]["requires"], *project["dependencies"], *(r for e in extras for r in e)]


def resolved(*, upgrade: bool) -> list[str]:
    """The lines of constraints.txt, as pip resolves them without installing anything."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    keep = [] if upgrade or not CONSTRAINTS.exists() else ["--constraint", str(CONSTRAINTS)]
    report = subprocess.run(
        [*command, *keep, "--report", "-", *wanted()], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    found = (item["metadata"] for item in json.loads(report)["install"])
    return sorted(f"{re.sub(r'[-_.]+', '-', item['name']).lower()}=={item['version']}" for item in found)


if __name__ == "__main__":
    CONSTRAINTS.write_text("\n".join(resolved(upgrade="--upgrade" in sys.argv)) + "\n", encoding="utf-8")
