"""The two strategies of the manual, one in kernels and one in plain Python, to be run like any other."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from meshgui.engine.allocation.registry import strategies
from meshgui.itself import resource
from meshgui.plugin_kinds import plugins_in

IN_PYTHON: Final = "last"
IN_KERNELS: Final = "last-kernel"
_PAGES: Final = ("own-strategies", "kernel-strategies")  # untranslated: of the manual
_PROGRAM: Final = re.compile(r"```python\n(.*?)```", re.DOTALL)


@contextmanager
def manuals_strategies() -> Iterator[None]:
    """A block in which scenarios can name them."""
    known, before, path = strategies(), {*strategies()}, sys.path.copy()
    with TemporaryDirectory() as folder:
        for page in _PAGES:
            text = resource("manual", f"{page}.md").read_text("utf-8")
            [program, *_] = _PROGRAM.findall(text)
            file = Path(folder, f"{page.replace('-', '_')}.py")
            file.write_text(program, encoding="utf-8")
            known.update((cls.id, cls) for _, cls in plugins_in(file, "strategy"))
        try:
            yield
        finally:
            sys.path[:] = path
            for name in {*known} - before:
                del known[name]
