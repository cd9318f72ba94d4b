"""Runs the notebooks of docs/notebooks and writes what their cells show; also as pages of the manual's site.

`make notebooks` runs all of them. A cell shows what it prints, and its last line if that is an expression, as
in Jupyter; Jupyter itself is not needed.
"""

from __future__ import annotations

import ast
import json
import linecache
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from generated import write_page

FOLDER: Final = Path(__file__).parent.parent / "docs" / "notebooks"

Notebook = dict[str, Any]


def notebooks() -> list[Path]:
    """The files, in order of reading."""
    return sorted(FOLDER.glob("*.ipynb"))


def run(notebook: Notebook) -> Notebook:
    """The notebook with the outputs of its cells, run one after the other in an empty folder."""
    cells, number = [], 0
    scope = ModuleType("__main__")
    before = sys.modules["__main__"]
    sys.modules["__main__"] = scope  # as in a notebook: what it defines is looked for there
    try:
        with TemporaryDirectory() as folder, chdir(folder):
            for cell in notebook["cells"]:
                if cell["cell_type"] != "code":
                    cells.append(cell)
                    continue
                number += 1
                outputs = list(_outputs("".join(cell["source"]), number, vars(scope)))
                cells.append(cell | {"execution_count": number, "outputs": outputs})
    finally:
        sys.modules["__main__"] = before
    return notebook | {"cells": cells}


def _outputs(source: str, number: int, scope: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a cell prints, and the value of its last line."""
    name = f"<cell {number}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # for tracebacks
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, name, "exec"), scope)  # noqa: S102 - the project's own notebooks
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), scope)  # noqa: S307 - likewise
    if printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        yield {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}


def page(notebook: Notebook) -> str:
    """The notebook as Markdown: code, and below it what it shows."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "text/html" in data:
                parts.append(f'<div class="output">{"".join(data["text/html"])}</div>')
            else:
                parts.append(f"```text\n{''.join(output.get('text') or data['text/plain']).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def title(notebook: Notebook) -> str:
    """The heading of its first cell."""
    first = "".join(notebook["cells"][0]["source"])
    return first.partition("\n")[0].removeprefix("#").strip()


def read(path: Path) -> Notebook:
    """A notebook of a file."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def as_text(notebook: Notebook) -> str:
    """A notebook as its file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for path in notebooks():
        write_page(path, as_text(run(read(path))))
