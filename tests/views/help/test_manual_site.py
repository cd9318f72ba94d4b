"""The manual as a site: its pages, and those that are written from the program."""

import json
import subprocess
import sys
from pathlib import Path

from meshgui.model.manual.manual import pages

ROOT = Path(__file__).parents[3]


def test_the_site_is_built_without_a_warning(tmp_path):
    """Every page, in English in any language; the page of keys has commands, and each panel's own."""
    done = subprocess.run(
        [sys.executable, "tools/build_manual.py", str(tmp_path)], cwd=ROOT, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "MESHGUI_LANGUAGE": "ar"}, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    built = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*.html")}
    assert built >= {f"{page.name}.html" for page in pages()}
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    keys = [entry["text"] for entry in index["docs"] if entry["location"].startswith("keys.html")]
    for words in ("Play or pause Space", "Queue panel Ctrl+1 "):
        assert any(words in text for text in keys), words
    commands = (tmp_path / "site" / "command-line.html").read_text(encoding="utf-8")
    assert "<td><code>meshgui check ID|FILE.py</code></td>" in commands, "a bar in a cell's code"
