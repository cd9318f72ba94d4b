"""`meshgui validate` on what is too large to be meant."""

import json

import pytest

from meshgui.engine.basics.limits import MAX_PAGE_DEPTH, MAX_PAGE_LETTERS
from tests.scenarios import scenario


@pytest.mark.parametrize(
    ("notes", "line"),
    [
        ("- " * 20_000 + "x", f"expected lists nested at most {MAX_PAGE_DEPTH} deep, got 20000"),
        ("![" * 100_000, f"expected a text of at most {MAX_PAGE_LETTERS} characters, got 200000"),
    ],
)
def test_notes_over_a_limit_are_refused_in_a_line(here, tmp_path, notes: str, line: str):
    """With the number of the limit, and what there is."""
    path = tmp_path / "a.meshgui.json"
    path.write_text(json.dumps(scenario().model_dump(mode="json") | {"notes": notes}), encoding="utf-8")
    done = here("validate", str(path))
    assert done.returncode == 2
    assert done.stderr.strip() == f"meshgui: {path}: notes: {line}"
